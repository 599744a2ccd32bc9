//! `schema diff`: what a change of schemas breaks, and for whom.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

use super::args::{DiffArgs, DiffFormat};
use super::console::{Failure, Outcome, Status, bold, complain, say, shown};
use super::output::json::text;
use super::schema_files::{self, Version};
use super::schema_rules::in_colour;
use crate::schema::diff::{Change, DiffReport, Impact, compare_file};

pub(super) fn run(args: &DiffArgs) -> Outcome {
    let (old, new) = versions(args)?;
    let mut report = DiffReport::new();
    let mut files = Vec::new();
    let mut failed = false;
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    for name in names {
        match (schema_files::schema(&old, name), schema_files::schema(&new, name)) {
            (Ok(old), Ok(new)) => {
                let changes = compare_file(old.as_ref(), new.as_ref());
                report.add(name, &changes);
                files.push((name, changes));
            }
            (old, new) => {
                // The other files are compared all the same.
                failed = true;
                [old.err(), new.err()].into_iter().flatten().for_each(|message| complain(&message));
            }
        }
    }
    let mut out = anstream::stdout().lock();
    match args.format {
        DiffFormat::Human => {
            for (name, changes) in files {
                print(&mut out, name, &changes)?;
            }
        }
        DiffFormat::Json => writeln!(out, "{}", text(&report)?)?,
    }
    out.flush()?;
    say(&report.summary.to_string());
    Ok(match report.summary.at_least(args.fail_on()) {
        _ if failed => Status::Failed,
        0 => Status::Clean,
        _ => Status::Findings,
    })
}

/// The old and the new version.
fn versions(args: &DiffArgs) -> Outcome<(Version, Version)> {
    match (&args.against, &args.paths[..]) {
        (None, [old, new]) => match (old.is_dir(), new.is_dir()) {
            (true, true) => Ok((schema_files::folder(old)?, schema_files::folder(new)?)),
            (false, false) => {
                // They are one file, by the name that it has now.
                let name = new.to_string_lossy();
                Ok((schema_files::file(old, &name)?, schema_files::file(new, &name)?))
            }
            _ => Err(Failure::new("OLD and NEW are either two files or two folders")),
        },
        (Some(reference), []) => schema_files::against(reference, Path::new("schemas")),
        (Some(reference), [folder]) => schema_files::against(reference, folder),
        (None, _) => Err(Failure::new("schema diff takes OLD and NEW, or --against GITREF and a folder")),
        (Some(_), _) => Err(Failure::new("with --against, schema diff takes one folder")),
    }
}

/// The changes of one file, for people.
fn print(out: &mut impl Write, file: &str, changes: &[Change]) -> Outcome<()> {
    for (index, of_definition) in changes.chunk_by(|one, other| one.definition == other.definition).enumerate() {
        if index == 0 {
            writeln!(out, "{}", bold(shown(file)))?;
        }
        for change in of_definition {
            let text = change.to_string();
            let impact = change.impact();
            let text = text.strip_prefix(impact.as_str()).unwrap_or(&text);
            writeln!(out, "  {}{}", in_colour(impact), shown(text))?;
            if impact > Impact::Compatible {
                writeln!(out, "    help: {}", change.rule.help())?;
            }
        }
        writeln!(out)?;
    }
    Ok(())
}
