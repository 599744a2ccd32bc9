//! Opens what findings are written to.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use super::agent::Agent;
use super::collected::{Collected, Render};
use super::gathered::Context;
use super::human::Human;
use super::json::Json;
use super::places::Places;
use super::{Output, github, gitlab, junit, markdown, sarif};
use crate::check::Severity;
use crate::cli::args::{Format, OutputArgs};
use crate::cli::console::{Failure, Outcome};

/// Opens the output that was asked for. `command` is `check`, `record` or `test`, and
/// `fail_on` the least severity that fails.
pub(in crate::cli) fn open(args: &OutputArgs, command: &'static str, fail_on: Severity) -> Outcome<Box<dyn Output>> {
    let out = writer(args)?;
    let render: Render = match args.format {
        Format::Human => return Ok(Box::new(Human::new(out))),
        Format::Json => return Ok(Box::new(Json::new(out)?)),
        Format::Agent => return Ok(Box::new(Agent::new(out))),
        Format::Sarif => sarif::render,
        Format::Junit => junit::render,
        Format::Github => github::render,
        Format::Gitlab => gitlab::render,
        Format::Markdown => markdown::render,
    };
    let step_summary = std::env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty()).map(PathBuf::from);
    let context = Context {
        command,
        fail_on,
        places: Places::of_environment(),
        step_summary: step_summary.filter(|_| args.format == Format::Github),
        line: String::new(),
    };
    Ok(Box::new(Collected::new(out, context, render)))
}

/// Standard output, or the file that was asked for.
pub(in crate::cli) fn writer(args: &OutputArgs) -> Outcome<Box<dyn Write>> {
    let Some(path) = &args.output_file else {
        let stdout = io::stdout();
        // Without colours, what is left of the text is written at once, not piece by piece.
        if anstream::AutoStream::choice(&stdout) == anstream::ColorChoice::Never {
            return Ok(stripped(BufWriter::new(Unheard(stdout))));
        }
        return Ok(Box::new(BufWriter::new(Unheard(anstream::stdout()))));
    };
    let file = File::create(path).map_err(|error| Failure::new(format!("{}: {error}", path.display())))?;
    // What a file holds is for programs: no colours.
    Ok(stripped(BufWriter::new(file)))
}

/// A writer of what is left without colours.
fn stripped(out: impl Write + 'static) -> Box<dyn Write> {
    Box::new(anstream::StripStream::new(Box::new(out) as Box<dyn Write>))
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
