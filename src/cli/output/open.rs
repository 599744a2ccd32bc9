//! Opens what findings are written to.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use anstream::{AutoStream, ColorChoice, StripStream};

use super::agent::Agent;
use super::collected::{Collected, Render};
use super::gathered::Context;
use super::human::Human;
use super::json::Json;
use super::places::Places;
use super::several::Several;
use super::{Output, github, gitlab, junit, markdown, sarif};
use crate::check::Severity;
use crate::cli::args::{Format, OutputArgs};
use crate::cli::console::{Failure, Outcome, say};
use crate::cli::progress;

/// Opens the outputs that were asked for. `command` is `check`, `record` or `test`, and
/// `fail_on` the least severity that fails.
pub(in crate::cli) fn open(args: &OutputArgs, command: &'static str, fail_on: Severity) -> Outcome<Box<dyn Output>> {
    let open = |(format, path): (Format, Option<&Path>)| one(format, writer(path)?, command, fail_on);
    let first = open((args.format, args.output_file.as_deref()))?;
    let others = args.outputs().skip(1).map(open).collect::<Outcome<Vec<_>>>()?;
    Ok(if others.is_empty() { first } else { Box::new(Several::new(first, others)) })
}

/// An output of one format.
pub(in crate::cli) fn one(
    format: Format,
    out: Box<dyn Write>,
    command: &'static str,
    fail_on: Severity,
) -> Outcome<Box<dyn Output>> {
    let render: Render = match format {
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
        step_summary: step_summary.filter(|_| format == Format::Github),
        line: String::new(),
    };
    Ok(Box::new(Collected::new(out, context, render)))
}

/// A file, or else standard output.
pub(in crate::cli) fn writer(path: Option<&Path>) -> Outcome<Box<dyn Write>> {
    let Some(path) = path else { return Ok(stdout()) };
    let file = File::create(path).map_err(|error| Failure::new(format!("{}: {error}", path.display())))?;
    // What a file holds is for programs: no colours.
    Ok(Box::new(StripStream::new(Box::new(BufWriter::new(file)) as Box<dyn Write>)))
}

/// Standard output. Colours are dropped before bytes are collected: the other way round, each
/// piece between two colours would be written by itself.
fn stdout() -> Box<dyn Write> {
    let stdout = anstream::stdout();
    // A console that does not know the codes, as those of old Windows, gets no colours.
    let is_styled = stdout.current_choice() == ColorChoice::AlwaysAnsi;
    let choice = if is_styled { ColorChoice::AlwaysAnsi } else { ColorChoice::Never };
    let collected: Box<dyn Write> = Box::new(BufWriter::new(Unheard(stdout.into_inner())));
    Box::new(AutoStream::new(collected, choice))
}

/// Says on stderr what came of it all, unless the format has told it to standard output.
pub(in crate::cli) fn tell(args: &OutputArgs, line: &str) {
    let is_told = args.output_file.is_none() && matches!(args.format, Format::Agent | Format::Markdown);
    if !is_told {
        say(line);
    }
}

/// Whether the reader of standard output has gone.
static IS_UNHEARD: AtomicBool = AtomicBool::new(false);

/// Whether the reader of standard output has gone, as `head` goes.
pub(in crate::cli) fn is_unheard() -> bool {
    IS_UNHEARD.load(Ordering::Relaxed)
}

/// A writer whose reader may go away, as `head` does: the check goes on for its status.
struct Unheard<W>(W);

impl<W: Write> Write for Unheard<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let _hidden = progress::hidden();
        match self.0.write(bytes) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                IS_UNHEARD.store(true, Ordering::Relaxed);
                Ok(bytes.len())
            }
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
