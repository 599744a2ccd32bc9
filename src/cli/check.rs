//! `check`: files and streams against their contracts.

use std::path::Path;
use std::sync::Arc;

use super::args::{CheckArgs, How, OutputArgs};
use super::baseline::{Baseline, Sifted};
use super::config;
use super::config::flags::Flags;
use super::console::{Failure, Outcome, Status, complain, remark, say};
use super::drive::Checked;
use super::files::{Expanded, Omitted, expand};
use super::limit::Limited;
use super::output::{Output, open};
use super::parallel::check_all;
use super::paths::identity;
use super::setup::Setup;
use super::source::Source;
use super::verbose::Verbose;
use super::{interrupt, progress};
use crate::check::Severity;
use crate::report::ReportSummary;

pub(super) fn run(args: &CheckArgs) -> Outcome {
    let (flags, how) = (&args.flags, &args.how);
    let config = config::load(&args.paths, flags, how)?;
    if flags.print_config {
        config.print()?;
        return Ok(Status::Clean);
    }
    let setup = Setup::new(how, config, flags.quiet)?;
    let config = &setup.config;
    let read = [config.baseline.as_deref(), config.file.as_deref()].into_iter().flatten();
    let own = read.chain(how.output.files()).collect();
    let omitted = Omitted { own, exclude: Arc::clone(&config.exclude), ignored: config.ignore_files };
    let found = expand(&config.paths, &omitted);
    let mut failed = !found.complaints.is_empty();
    for complaint in &found.complaints {
        complain(&complaint.to_string());
    }
    if flags.list_files {
        if !flags.quiet {
            remark_on(&found, config.ignore_files);
        }
        return Ok(setup.list(&found.sources)?.max(if failed { Status::Failed } else { Status::Clean }));
    }
    let baseline = open_baseline(&setup, flags.write_baseline)?;
    // What would be read if it were not written is no report of an earlier run.
    let lost = found.own.iter().filter(|source| setup.is_input(source));
    let read = found.sources.iter().chain(lost).filter_map(Source::path);
    let files: Vec<&Path> = read.chain(config.baseline.as_deref()).chain(config.file.as_deref()).collect();
    let limited = Limited::new(open_output(how, "check", &files, config.fail_on)?, config.max_findings);
    let mut output = Verbose::new(Sifted::new(limited, baseline), flags.verbose);
    for complaint in &found.complaints {
        output.fail(complaint.name.as_deref(), &complaint.reason)?;
    }
    interrupt::listen();
    if !flags.quiet && !found.sources.iter().any(Source::is_live) {
        progress::begin(Some(found.sources.iter().filter_map(Source::size).sum()));
    }
    let mut interrupted = false;
    let mut tell = |source: &Source, checked: Checked, output: &mut dyn Output| {
        match checked {
            Checked::Done => {}
            Checked::Failed(message) => {
                complain(&format!("{}: {message}", source.name()));
                output.fail(Some(&source.name()), &message)?;
                failed = true;
            }
            Checked::Interrupted => {
                interrupted = true;
                // A stream has no end but this one; a file was not read to its own.
                failed |= !source.is_live();
            }
        }
        Ok(!interrupted)
    };
    check_all(&setup, &found.sources, flags.threads, &mut output, &mut tell)?;
    progress::end();
    // What `--max-findings` holds back is known when everything was seen.
    output.settle()?;
    let (summary, skipped) = output.counts();
    let is_nothing = summary.files == 0 && !failed && !interrupted && !found.excludes_named;
    if is_nothing {
        output.fail(None, nothing(&found))?;
    }
    let line = line(&summary, skipped, &output.inner);
    output.finish(&line)?;
    if !flags.quiet {
        open::tell(&how.output, &line);
        if interrupted {
            remark("stopped by Ctrl-C; what was not read, or still open then, is not reported");
        }
        remark_on(&found, config.ignore_files);
    }
    if is_nothing {
        return Err(Failure::new(nothing(&found)));
    }
    settle(output.inner.baseline.as_ref(), flags, !failed && !interrupted)?;
    if failed {
        return Ok(Status::Failed);
    }
    Ok(if summary.at_least(config.fail_on) > 0 { Status::Findings } else { Status::Clean })
}

fn open_baseline(setup: &Setup<'_>, writes: bool) -> Outcome<Option<Baseline>> {
    let Some(path) = &setup.config.baseline else {
        let message = "--write-baseline: name the file with --baseline, or as `baseline` in contracts.toml";
        return if writes { Err(Failure::new(message)) } else { Ok(None) };
    };
    Baseline::open(path, writes).map(Some)
}

/// Writes the baseline, or says that it is out of date. A check that was cut short shows
/// neither.
fn settle(baseline: Option<&Baseline>, flags: &Flags, is_whole: bool) -> Outcome<()> {
    let Some(baseline) = baseline else { return Ok(()) };
    if flags.write_baseline && !is_whole {
        return Err(Failure::new("the baseline was not written, since not everything could be checked"));
    }
    if flags.write_baseline {
        let written = baseline.write()?;
        if !flags.quiet {
            say(&format!("wrote {written} finding{} to the baseline", if written == 1 { "" } else { "s" }));
        }
    } else if is_whole && !flags.quiet {
        let stale = baseline.stale();
        if stale > 0 {
            let (entries, occur) = if stale == 1 { ("entry", "occurs") } else { ("entries", "occur") };
            remark(&format!("{stale} {entries} of the baseline no longer {occur}; rewrite it with --write-baseline"));
        }
    }
    Ok(())
}

/// Says what was left out.
pub(super) fn remark_on(found: &Expanded, obeys_ignore_files: bool) {
    let hidden = if obeys_ignore_files {
        ["an ignore file hides it, or a dot before its name", "ignore files hide them, or dots before their names"]
    } else {
        ["its name begins with a dot", "their names begin with a dot"]
    };
    let excluded = ["it is excluded", "they are excluded"];
    let others = ["it is no file, or a link to a folder", "they are no files, or links to folders"];
    for (paths, [it, they]) in [(&found.hidden, hidden), (&found.excluded, excluded), (&found.others, others)] {
        if paths.is_empty() {
            continue;
        }
        let names: Vec<_> = paths.iter().take(5).map(|path| path.to_string_lossy().into_owned()).collect();
        let more = if paths.len() > names.len() { ", …" } else { "" };
        let (what, reason) = match paths.len() {
            1 => ("file or folder was", it),
            _ => ("files or folders were", they),
        };
        remark(&format!("{} {what} not checked, because {reason}: {}{more}", paths.len(), names.join(", ")));
    }
}

/// Why nothing was checked.
fn nothing(found: &Expanded) -> &'static str {
    if !found.sources.is_empty() {
        "nothing to check: no protocol was recognised in any file; name a file, or use --protocol"
    } else if found.excluded.is_empty() && found.hidden.is_empty() {
        "nothing to check: there is no file in what was named"
    } else {
        "nothing to check: every file is excluded or hidden; look at --exclude, at the ignore files, and at `exclude` in contracts.toml"
    }
}

/// Opens the output of a command that checks, under that command's name. `files` is what else
/// the command reads and writes.
pub(super) fn open_output(
    args: &How,
    command: &'static str,
    files: &[&Path],
    fail_on: Severity,
) -> Outcome<Box<dyn Output>> {
    refuse_overlap(&args.output, files)?;
    open::open(&args.output, command, fail_on)
}

/// Refuses to write findings to one of `files`, or to one file twice.
pub(super) fn refuse_overlap(args: &OutputArgs, files: &[&Path]) -> Outcome<()> {
    let written: Vec<&Path> = args.files().collect();
    let taken = written
        .iter()
        .enumerate()
        .find(|(at, path)| is_one_of(path, files) || written.get(..*at).is_some_and(|before| is_one_of(path, before)));
    let Some((_, path)) = taken else { return Ok(()) };
    let message = "is read or written by this command already; write the findings to another file";
    Err(Failure::new(format!("{}: {message}", path.display())))
}

/// Whether a file is one of others, or would be if it were there.
pub(super) fn is_one_of(path: &Path, others: &[&Path]) -> bool {
    identity(path).is_some_and(|wanted| others.iter().any(|other| identity(other).as_ref() == Some(&wanted)))
}

/// What came of the check, in a line.
fn line(summary: &ReportSummary, skipped: usize, sifted: &Sifted<Limited>) -> String {
    let mut line = summary.to_string();
    if sifted.suppressed > 0 {
        line += &format!("; {} in the baseline", sifted.suppressed);
    }
    if skipped > 0 {
        line += &format!("; {skipped} skipped (not recordings)");
    }
    if sifted.inner.withheld > 0 {
        line += &format!("; {} not printed (--max-findings)", sifted.inner.withheld);
    }
    line
}
