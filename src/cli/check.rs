//! `check`: files and streams against their contracts.

use super::args::{CheckArgs, How};
use super::console::{Failure, Outcome, Status, complain, remark, say};
use super::drive::{Checked, finish};
use super::files::{Expanded, expand, same};
use super::output::{Output, open};
use super::progress::Progress;
use super::setup::Setup;
use super::source::Source;
use crate::check::Severity;
use crate::report::ReportSummary;

pub(super) fn run(args: &CheckArgs) -> Outcome {
    let setup = Setup::new(&args.how)?;
    let Expanded { sources, complaints, hidden } = expand(&args.paths, args.how.output.output_file.as_deref());
    let mut failed = !complaints.is_empty();
    for complaint in &complaints {
        complain(complaint);
    }
    let mut output = open_output(&args.how, &sources, setup.fail_on)?;
    for complaint in &complaints {
        output.fail(None, complaint)?;
    }
    let mut progress = Progress::new(sources.len());
    let mut open = None;
    for source in &sources {
        progress.begin(source);
        match setup.check(source, output.as_mut(), &mut open)? {
            Checked::Done => {}
            Checked::Failed(message) => {
                progress.clear();
                complain(&format!("{}: {message}", source.name()));
                output.fail(Some(&source.name()), &message)?;
                failed = true;
            }
            Checked::Interrupted => break,
        }
    }
    finish(&mut open, output.as_mut())?;
    progress.clear();
    let (summary, skipped) = output.counts();
    let is_nothing = summary.files == 0 && !failed;
    if is_nothing {
        output.fail(None, NOTHING)?;
    }
    let line = line(&summary, skipped);
    output.finish(&line)?;
    say(&line);
    if !hidden.is_empty() {
        let names: Vec<_> = hidden.iter().take(5).map(|path| path.to_string_lossy().into_owned()).collect();
        let more = if hidden.len() > names.len() { ", …" } else { "" };
        remark(&format!(
            "{} files or folders were not checked, because ignore files hide them: {}{more}",
            hidden.len(),
            names.join(", ")
        ));
    }
    if is_nothing {
        return Err(Failure::new(NOTHING));
    }
    if failed {
        return Ok(Status::Failed);
    }
    Ok(if summary.at_least(setup.fail_on) > 0 { Status::Findings } else { Status::Clean })
}

const NOTHING: &str = "nothing to check: no protocol was recognised in any file; name a file, or use --protocol";

/// Opens the output of a command that checks, under that command's name.
pub(super) fn open_output(args: &How, sources: &[Source], fail_on: Severity) -> Outcome<Box<dyn Output>> {
    if let Some(path) = &args.output.output_file
        && sources.iter().filter_map(Source::path).any(|source| same(source, Some(path)))
    {
        return Err(Failure::new(format!(
            "{}: is one of the inputs; write the findings to another file",
            path.display()
        )));
    }
    open::open(&args.output, "check", fail_on)
}

/// What came of the check, in a line.
fn line(summary: &ReportSummary, skipped: usize) -> String {
    let mut line = summary.to_string();
    if skipped > 0 {
        line += &format!("; {skipped} skipped (not recordings)");
    }
    line
}
