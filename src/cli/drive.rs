//! A source, from its first byte to its last finding.

use std::io;
use std::path::{Path, PathBuf};

use super::choice::Choice;
use super::console::Outcome;
use super::output::{Output, open};
use super::plan::{Begun, Unrecognised, plan_in};
use super::reader::{Ending, Reader};
use super::setup::Setup;
use super::source::Source;
use crate::check::{Finding, Profile, Protocol, Rule, Severity, input_rules};
use crate::stream::sse::{Item, Parser};
use crate::stream::{Framing, StreamChecker};
use crate::wire::span::Segment;

pub(super) enum Checked {
    Done,
    Failed(String),
    /// The user has stopped the check.
    Interrupted,
}

/// A stream that the next document of its folder goes on with. Its last file is not ended yet.
pub(super) struct Open {
    stream: StreamChecker,
    folder: Option<PathBuf>,
    choice: Choice,
    /// How many events came before its last file.
    before: u64,
}

impl Open {
    /// The protocol and the folder of the answers that the stream has, if what comes is checked in the same way.
    fn answers(&self, choice: &Choice) -> Option<(&Protocol, &Path)> {
        let folder = self.folder.as_deref().filter(|_| self.choice == *choice)?;
        Some((self.stream.protocol(), folder))
    }
}

/// Hands what `push` finds to an output, up to its first error, which is told when all was pushed.
pub(super) fn hand_on<T>(
    output: &mut dyn Output,
    push: impl FnOnce(&mut dyn FnMut(&[Finding], &[u8])) -> Outcome<T>,
) -> Outcome<T> {
    let mut handed = Ok(());
    let pushed = push(&mut |findings, text| {
        if handed.is_ok() {
            handed = output.findings(findings, text);
        }
    })?;
    handed.map(|()| pushed)
}

/// Ends a stream that nothing goes on with.
pub(super) fn finish(open: &mut Option<Open>, output: &mut dyn Output) -> Outcome<()> {
    let Some(Open { mut stream, before, .. }) = open.take() else { return Ok(()) };
    hand_on(output, |sink| {
        stream.finish_into(sink);
        Ok(())
    })?;
    output.end_file(stream.events() - before)
}

/// Leaves a stream that the user has stopped: what it lacks at its end is nobody's fault.
fn leave(open: &mut Option<Open>, output: &mut dyn Output) -> Outcome<()> {
    let Some(Open { stream, before, .. }) = open.take() else { return Ok(()) };
    output.end_file(stream.events() - before)
}

/// Reads the first bytes of a source, and what came instead of more bytes.
pub(super) fn head_of(source: &Source, reader: &mut Reader, choice: &Choice) -> io::Result<(Begun, Option<Ending>)> {
    let mut begun = Begun::default();
    let mut last = None;
    while last.is_none() && !begun.is_enough(source, choice) {
        match reader.next() {
            Ok(bytes) => begun.push(bytes),
            Err(Ending::Failed(error)) => return Err(error),
            Err(end) => last = Some(end),
        }
    }
    Ok((begun, last))
}

impl Setup<'_> {
    /// Checks a source. `open` is the stream that it may go on with, and may be left to go on.
    pub(super) fn check(&self, source: &Source, output: &mut dyn Output, open: &mut Option<Open>) -> Outcome<Checked> {
        let mut reader = match Reader::of(source) {
            Ok(reader) => reader,
            Err(error) => return Ok(Checked::Failed(format!("cannot be opened: {error}"))),
        };
        let choice = self.config.choice(source.path());
        let (begun, last) = match head_of(source, &mut reader, &choice) {
            Ok(begun) => begun,
            Err(error) => {
                finish(open, output)?;
                return Ok(Checked::Failed(format!("cannot be read: {error}")));
            }
        };
        let is_stopped = matches!(last, Some(Ending::Interrupted));
        let head = begun.head();
        let is_whole = last.is_some();
        let plan = self.plan(source, head, &choice);
        if is_stopped && (head.is_empty() || plan.is_err()) {
            // What came before does not tell what it is.
            leave(open, output)?;
            return Ok(Checked::Interrupted);
        }
        let answers = open.as_ref().and_then(|open| open.answers(&choice));
        let (plan, folder) = match plan_in(answers, plan, source, head, is_whole) {
            Ok(plan) => plan,
            Err(unknown) => {
                if !unknown.leaves_open(source) {
                    finish(open, output)?;
                }
                return self.unrecognised(source, head, is_whole, &unknown, &choice, output);
            }
        };
        for message in &plan.remarks {
            output.remark(message);
        }
        let mut stream = match open.take() {
            Some(open) if folder.is_some() && open.folder == folder && open.choice == choice => {
                output.end_file(open.stream.events() - open.before)?;
                open.stream
            }
            mut other => {
                finish(&mut other, output)?;
                self.stream(&plan, &choice)?
            }
        };
        let before = stream.events();
        output.file(&source.name(), Some(&plan.protocol), plan.framing)?;
        // What may have no end is not read for a status alone.
        let needs_a_reader = source.is_live() && self.args.output.files().next().is_none();
        let checked = hand_on(output, |sink| {
            stream.push_into(&begun.read, sink);
            let mut end = last;
            while end.is_none() && !stream.is_done() {
                match reader.next() {
                    Ok(bytes) => stream.push_into(bytes, sink),
                    Err(other) => end = Some(other),
                }
                if needs_a_reader && open::is_unheard() {
                    return Ok(Checked::Done);
                }
            }
            match end {
                // What a stopped recording lacks is nobody's fault.
                Some(Ending::Interrupted) => return Ok(Checked::Interrupted),
                Some(Ending::Failed(error)) => {
                    return Ok(Checked::Failed(format!("cannot be read to its end: {error}")));
                }
                _ if folder.is_some() => stream.end_document(sink),
                _ => stream.finish_into(sink),
            }
            Ok(Checked::Done)
        })?;
        if folder.is_some() && matches!(checked, Checked::Done) {
            *open = Some(Open { stream, folder, choice, before });
        } else {
            output.end_file(stream.events() - before)?;
        }
        Ok(checked)
    }

    /// Whether a file that was found has something to lose: a recording, its times, or a fixture.
    /// The report of an earlier run is none of them.
    pub(super) fn is_input(&self, source: &Source) -> bool {
        // What the options say of every file says nothing of a report.
        let choice = Choice::new(Profile::default());
        let begun = Reader::of(source).and_then(|mut reader| head_of(source, &mut reader, &choice));
        let Ok((begun, _)) = begun else { return false };
        let head = begun.head();
        !matches!(self.plan(source, head, &choice), Err(Unrecognised::Protocol(_))) || has_frames(head)
    }

    /// What is said of a file in which no protocol is recognised: never nothing.
    fn unrecognised(
        &self,
        source: &Source,
        head: &[u8],
        is_whole: bool,
        unknown: &Unrecognised,
        choice: &Choice,
        output: &mut dyn Output,
    ) -> Outcome<Checked> {
        let is_recording = ["sse", "jsonl", "ndjson", "log", "txt"].contains(&source.ending().as_str());
        let looked_for = source.is_named() || is_recording;
        let odd = not_utf8(head).filter(|_| looked_for);
        let (rule, severity, place, message): (&Rule, _, _, String) = match (odd, unknown) {
            (Some((place, message)), _) => (&input_rules::NOT_UTF8, Severity::Error, Some(place), message.into()),
            _ if is_whole && looked_for && emptiness(head).is_some() => {
                let message = emptiness(head).unwrap_or_default().into();
                (&input_rules::EMPTY, Severity::Warning, None, message)
            }
            (None, Unrecognised::Protocol(framing)) => {
                let is_stream = source.ending() == "sse" || (*framing == Framing::Sse && has_frames(head));
                let severity = if is_stream || source.is_named() { Severity::Error } else { Severity::Warning };
                if !is_stream && !is_recording {
                    if source.is_named() {
                        return Ok(Checked::Failed(unknown.reason()));
                    }
                    output.skip(&source.name(), &unknown.reason());
                    return Ok(Checked::Done);
                }
                (&input_rules::UNRECOGNISED, severity, None, unknown.message())
            }
            (
                None,
                Unrecognised::Fixture | Unrecognised::Times | Unrecognised::NoReference(_) | Unrecognised::Frames,
            ) => {
                let reason = unknown.reason();
                if source.is_named() {
                    return Ok(Checked::Failed(reason));
                }
                output.skip(&source.name(), &reason);
                return Ok(Checked::Done);
            }
        };
        let mut checker = self.checker_of_input(choice)?;
        output.file(&source.name(), None, None)?;
        output.findings(checker.note_unknown(rule, severity, place, &message), &[])?;
        output.end_file(0)?;
        Ok(Checked::Done)
    }
}

/// What is said of a text without any event; `None` if there may be one.
pub(super) fn emptiness(text: &[u8]) -> Option<&'static str> {
    let mut lines = text.split(|byte| matches!(byte, b'\n' | b'\r')).filter(|line| !line.trim_ascii().is_empty());
    if lines.clone().next().is_none() {
        return Some("there is nothing in it");
    }
    lines.all(|line| line.starts_with(b":")).then_some("there are comments in it, and no event")
}

/// Where the first byte stands that is not UTF-8, and what is said of it.
pub(super) fn not_utf8(head: &[u8]) -> Option<(Segment, &'static str)> {
    let at = std::str::from_utf8(head).err().filter(|error| error.error_len().is_some())?.valid_up_to();
    let before = head.get(..at).unwrap_or_default();
    let line = before.iter().filter(|byte| **byte == b'\n').count() as u64 + 1;
    let begun = before.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    let column = String::from_utf8_lossy(begun).chars().count() as u64 + 1;
    let is_utf16 = head.starts_with(&[0xFF, 0xFE]) || head.starts_with(&[0xFE, 0xFF]);
    let message = if is_utf16 { "this is UTF-16; convert it to UTF-8" } else { "these bytes are not UTF-8" };
    Some((Segment::new(0, at as u64, line, column), message))
}

/// Whether the text has frames of an event stream.
fn has_frames(head: &[u8]) -> bool {
    let mut found = false;
    let mut parser = Parser::new();
    parser.push(head, |item| found |= matches!(item, Item::Frame(frame) if !frame.data.is_empty()));
    found
}

#[cfg(test)]
mod tests {
    use super::emptiness;

    #[test]
    fn texts_without_events() {
        for (text, said) in [
            ("", Some("there is nothing in it")),
            (" \r\n\t\n", Some("there is nothing in it")),
            (": ping\n\n:\r\n\r\n", Some("there are comments in it, and no event")),
            (": ping\n\ndata: 1\n\n", None),
            ("{}", None),
        ] {
            assert_eq!(emptiness(text.as_bytes()), said, "{text:?}");
        }
    }
}
