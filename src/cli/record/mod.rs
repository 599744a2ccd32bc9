//! `record`: a live stream is written down as it comes, and checked.
//!
//! The thread that makes the request (`request`) sends what comes, with its time, to the
//! recording (`recording`), which writes it (`files`) and hands it on to be checked. What
//! only a connection shows is kept (`connection`) and reported at the end.

mod connection;
mod credentials;
mod echo;
mod escaped;
mod files;
mod recording;
mod request;
#[cfg(test)]
mod tests;
mod unpack;
mod url;

use std::path::Path;

use super::args::RecordArgs;
use super::check::open_output;
use super::choice::Choice;
use super::config;
use super::config::flags::Flags;
use super::console::{Failure, Outcome, Status, remark, say, shown};
use super::drive::{emptiness, hand_on, not_utf8};
use super::output::{Output, open};
use super::plan::{Begun, Unrecognised};
use super::setup::Setup;
use super::source::Source;
use super::{interrupt, progress};
use crate::check::{Checker, Protocol, Severity, http_rules, input_rules};
use crate::wire::scan::{Cursor, MAX_DEPTH};
use connection::{Ending, Fault, Patience, seconds};
use echo::Echo;
use files::Files;
use recording::{Recording, Wait};
use request::Request;

pub(super) fn run(args: &RecordArgs) -> Outcome {
    if args.max_bytes == 0 {
        return Err(Failure::new("--max-bytes: nothing would be recorded; write at least 1B"));
    }
    let flags = Flags { config: args.config.clone(), no_config: args.no_config, ..Flags::default() };
    let config = config::load(&[], &flags, &args.how)?;
    let setup = Setup::new(&args.how, config, false)?;
    let request = Request::new(args)?;
    let (url, mut echo) = (request.name(), Echo::of(request.sent()));
    let written = args.output.as_deref();
    let read = [&args.input, &args.ca_file, &setup.config.file].into_iter().filter_map(Option::as_deref);
    let read: Vec<&Path> = read.filter(|path| *path != Path::new("-")).collect();
    let files = written.map(|path| Files::open(path, &read)).transpose()?;
    let all: Vec<&Path> = read.into_iter().chain(files.iter().flat_map(Files::paths)).collect();
    let mut output = open_output(&args.how, "record", &all, setup.config.fail_on)?;
    interrupt::listen();
    progress::begin(None);
    let mut wait = Wait::new(request.start(), args.max_time);
    let answer = match wait.answer() {
        Ok((at, mut head)) => {
            head.texts().for_each(|text| *text = echo.masked(text));
            (at, head)
        }
        Err(Failure::Pipe) => return Err(Failure::Pipe),
        Err(Failure::Message(why)) => {
            progress::end();
            let why = echo.masked(&why);
            output.fail(Some(&url), &why)?;
            let (summary, _) = output.counts();
            output.finish(&summary.to_string())?;
            return Err(Failure::new(format!("{url}: {why}")));
        }
    };
    for moved in &answer.1.moved {
        remark(moved);
    }
    let mut choice = setup.config.choice(written);
    // Who is asked is an AG-UI agent, also where the answer shows nothing. A page in place of an
    // answer is told by its content type.
    let is_page = answer.1.content_type.as_deref() == Some("text/html");
    if args.ask.is_some() && !args.how.gave("protocol") && choice.as_type.is_none() && !is_page {
        choice.protocol = choice.protocol.or(Some(Protocol::AGUI));
    }
    let patience = Patience { keep_alive: args.keep_alive, buffered: args.buffered };
    let mut recording = Recording::begin(wait, answer, patience, echo, files, args.max_bytes)?;
    // Places in findings are those in the file, if there is one.
    let name = recording.written().map_or_else(|| url.clone(), |path| path.to_string_lossy().into_owned());
    record(&setup, &choice, &Source::Live(name), &mut recording, output.as_mut())?;
    progress::end();
    let (summary, _) = output.counts();
    output.finish(&summary.to_string())?;
    tell(&recording, &url, written);
    open::tell(&args.how.output, &summary.to_string());
    Ok(if summary.at_least(setup.config.fail_on) > 0 { Status::Findings } else { Status::Clean })
}

/// Says what was recorded where, and why no more. `wanted` is the file that was asked for.
fn tell(recording: &Recording, url: &str, wanted: Option<&Path>) {
    match recording.connection().ending() {
        Some(Ending::Stopped(by)) => remark(&format!("stopped by {by}; what was still open then is not reported")),
        Some(Ending::Late) => remark("stopped by --max-time"),
        _ => {}
    }
    let written = recording.written();
    if let Some(path) = wanted.filter(|path| written != Some(*path)) {
        remark(&format!("the answer is a failure, so {} is left as it was", path.display()));
    }
    let to = written.map_or(String::new(), |path| format!(" to {}", path.display()));
    let (bytes, time) = (recording.received(), seconds(recording.connection().lasted()));
    say(&shown(&format!("recorded {bytes} bytes in {time} from {url}{to}")));
}

/// Reads the recording to its end, and reports what is wrong with it.
fn record(
    setup: &Setup<'_>,
    choice: &Choice,
    source: &Source,
    recording: &mut Recording,
    output: &mut dyn Output,
) -> Outcome<()> {
    let mut notes = Notes { checker: setup.checker_of_input(choice)?, output };
    if !recording.connection().is_success() {
        let body = beginning(recording, &|body| body.is_long())?;
        while recording.next()?.is_some() {}
        notes.output.file(&source.name(), None, None)?;
        for fault in recording.faults(None, 0) {
            let is_status = *fault.rule == http_rules::STATUS;
            let is_told = is_status && is_json(body.head());
            notes.add(&fault, if is_told { body.head() } else { &[] })?;
        }
        return notes.output.end_file(0);
    }
    let begun = beginning(recording, &|begun| begun.is_enough(source, choice))?;
    let head = begun.head();
    let plan = setup.plan(source, head, choice);
    let known = plan.as_ref().ok();
    for message in known.iter().flat_map(|plan| &plan.remarks) {
        notes.output.remark(message);
    }
    let framing = known.and_then(|plan| plan.framing);
    notes.output.file(&source.name(), known.map(|plan| &plan.protocol), framing)?;
    let mut late = None;
    let events = if let Ok(plan) = &plan {
        let mut stream = setup.stream(plan, choice)?;
        hand_on(notes.output, |sink| {
            stream.push_into(&begun.read, sink);
            while let Some(bytes) = recording.next()? {
                stream.push_into(&bytes, sink);
            }
            // What a recording lacks that was cut, stopped or damaged is not the fault of its events.
            if recording.is_whole() {
                stream.finish_into(sink);
            } else if recording.connection().ending() == Some(Ending::Late) {
                stream.finish_into(&mut |found, _| late = late.take().or_else(|| Some(found.first()?.rule.clone())));
            }
            Ok(())
        })?;
        stream.events()
    } else {
        while recording.next()?.is_some() {}
        0
    };
    let faults = recording.faults(framing, events);
    // A fault of the connection that says why nothing was recognised says enough.
    let explained = [&http_rules::CONTENT_TYPE, &http_rules::COMPRESSED, &http_rules::CUT];
    let is_explained = faults.iter().any(|fault| fault.severity == Severity::Error && explained.contains(&fault.rule));
    if let Some(unknown) = plan.err().filter(|_| !is_explained) {
        let empty = emptiness(head).filter(|_| !begun.is_long());
        let odd = not_utf8(head).filter(|_| matches!(unknown, Unrecognised::Protocol(_)));
        let (rule, message) = match (empty, odd) {
            (Some(empty), _) => (&input_rules::EMPTY, empty.to_owned()),
            (None, Some((_, message))) => (&input_rules::NOT_UTF8, message.to_owned()),
            (None, None) => (&input_rules::UNRECOGNISED, unknown.message()),
        };
        // Whoever has asked something wants an answer.
        let is_owed = empty.is_some() && recording.connection().had_body();
        let hint = "look at what the server logged: it took the request, and sent no event";
        let fault = Fault::of(rule, message);
        let owed = |fault| Fault { severity: Severity::Error, hint: Some(hint), ..fault };
        notes.add(&if is_owed { owed(fault) } else { fault }, &[])?;
    }
    let not_ended = late.map(|rule| {
        let message = format!("the stream is still open when --max-time is over; ending here would be {rule}");
        Fault::of(&http_rules::NOT_ENDED, message)
    });
    for fault in faults.iter().chain(&not_ended) {
        notes.add(fault, &[])?;
    }
    notes.output.end_file(events)
}

/// Reads on until the beginning is enough.
fn beginning(recording: &mut Recording, is_enough: &dyn Fn(&mut Begun) -> bool) -> Outcome<Begun> {
    let mut begun = Begun::default();
    while !is_enough(&mut begun) {
        match recording.next()? {
            Some(bytes) => begun.push(&bytes),
            None => break,
        }
    }
    Ok(begun)
}

/// Reports what is about no event.
struct Notes<'o> {
    checker: Checker,
    output: &'o mut dyn Output,
}

impl Notes<'_> {
    fn add(&mut self, fault: &Fault, text: &[u8]) -> Outcome<()> {
        let findings = self.checker.note_unknown(fault.rule, fault.severity, fault.place, &fault.message);
        let mut findings = findings.to_vec();
        for finding in &mut findings {
            finding.hint = fault.hint.map(str::to_owned);
        }
        self.output.findings(&findings, text)
    }
}

/// Whether the text is JSON, so that its excerpt has keys, and no values.
fn is_json(text: &[u8]) -> bool {
    std::str::from_utf8(text).is_ok_and(|text| Cursor::new(text.trim(), MAX_DEPTH).skip().is_ok())
}
