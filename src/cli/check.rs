//! `check`: files and streams against their contracts.

use std::fs::File;
use std::io::{self, Write};

use super::args::{CheckArgs, Format, How};
use super::console::{Failure, Outcome, Status, complain, remark, say};
use super::drive::{Checked, finish};
use super::files::{Expanded, expand, same};
use super::output::{Output, human::Human, json::Json};
use super::progress::Progress;
use super::setup::Setup;
use super::source::Source;
use crate::report::ReportSummary;

pub(super) fn run(args: &CheckArgs) -> Outcome {
    let setup = Setup::new(&args.how)?;
    let Expanded { sources, complaints, hidden } = expand(&args.paths, args.how.output_file.as_deref());
    let mut failed = !complaints.is_empty();
    for complaint in &complaints {
        complain(complaint);
    }
    let mut output = open_output(&args.how, &sources)?;
    let mut progress = Progress::new(sources.len());
    let mut open = None;
    for source in &sources {
        progress.begin(source);
        match setup.check(source, output.as_mut(), &mut open)? {
            Checked::Done => {}
            Checked::Failed(message) => {
                progress.clear();
                complain(&format!("{}: {message}", source.name()));
                failed = true;
            }
            Checked::Interrupted => break,
        }
    }
    finish(&mut open, output.as_mut())?;
    progress.clear();
    let (summary, skipped) = output.finish()?;
    report(&summary, skipped);
    if !hidden.is_empty() {
        let names: Vec<_> = hidden.iter().take(5).map(|path| path.to_string_lossy().into_owned()).collect();
        let more = if hidden.len() > names.len() { ", …" } else { "" };
        remark(&format!(
            "{} files or folders were not checked, because ignore files hide them: {}{more}",
            hidden.len(),
            names.join(", ")
        ));
    }
    if summary.files == 0 && !failed {
        return Err(Failure::new(
            "nothing to check: no protocol was recognised in any file; name a file, or use --protocol",
        ));
    }
    if failed {
        return Ok(Status::Failed);
    }
    Ok(if summary.at_least(setup.fail_on) > 0 { Status::Findings } else { Status::Clean })
}

pub(super) fn open_output(args: &How, sources: &[Source]) -> Outcome<Box<dyn Output>> {
    let stdout: Box<dyn Write> = match &args.output_file {
        Some(path) => {
            if sources.iter().filter_map(Source::path).any(|source| same(source, Some(path))) {
                return Err(Failure::new(format!(
                    "{}: is one of the inputs; write the findings to another file",
                    path.display()
                )));
            }
            let file = File::create(path).map_err(|error| Failure::new(format!("{}: {error}", path.display())))?;
            // What a file holds is for programs: no colours.
            Box::new(anstream::StripStream::new(Box::new(io::BufWriter::new(file)) as Box<dyn Write>))
        }
        None => Box::new(io::BufWriter::new(Unheard(anstream::stdout()))),
    };
    Ok(match args.format {
        Format::Human => Box::new(Human::new(stdout)),
        Format::Json => Box::new(Json::new(stdout)?),
    })
}

/// A writer whose reader may go away, as `head` does: the check goes on for its status.
struct Unheard<W>(W);

impl<W: Write> Write for Unheard<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.write(bytes) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(bytes.len()),
            written => written,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.0.flush() {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            flushed => flushed,
        }
    }
}

fn report(summary: &ReportSummary, skipped: usize) {
    let mut line = summary.to_string();
    if skipped > 0 {
        line += &format!("; {skipped} skipped (not recordings)");
    }
    say(&line);
}
