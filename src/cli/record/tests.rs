//! The exchanges of the rules are recorded as if they came over a connection, in no time.

use std::io::Write;
use std::sync::mpsc;
use std::time::Duration;

use clap::Parser;
use flate2::Compression;
use flate2::write::GzEncoder;

use super::connection::{Head, Patience};
use super::echo::{Echo, Sent};
use super::record;
use super::recording::{Recording, Wait};
use super::request::Arrival;
use crate::check::{Finding, Rule, http_rules};
use crate::cli::args::{Args, Command};
use crate::cli::config::flags::Flags;
use crate::cli::config::load;
use crate::cli::console::Outcome;
use crate::cli::output::Output;
use crate::cli::setup::Setup;
use crate::cli::source::Source;

/// Findings, as rule, line and message.
#[derive(Default)]
struct Found(Vec<(String, Option<u64>, String)>);

impl Output for Found {
    fn findings(&mut self, findings: &[Finding], _: &[u8]) -> Outcome<()> {
        self.0.extend(findings.iter().map(|finding| {
            let line = finding.location.map(|place| place.line);
            (finding.rule.id().to_owned(), line, finding.message.clone())
        }));
        Ok(())
    }
}

/// What comes at once, with its time.
fn pieces(exchange: &str) -> Vec<(Duration, String)> {
    let mut pieces: Vec<(Duration, String)> = Vec::new();
    for line in exchange.lines().filter(|line| !line.starts_with('#')) {
        let mut text = line;
        if let Some((at, rest)) = line.strip_prefix('@').and_then(|line| line.split_once(' ')) {
            pieces.push((Duration::from_millis(at.parse().unwrap()), String::new()));
            text = rest;
        }
        let (_, piece) = pieces.last_mut().unwrap();
        *piece += text;
        piece.push('\n');
    }
    pieces
}

fn head(text: &str) -> Head {
    let header = |name: &str| {
        let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        value.map(|value| value.split(';').next().unwrap().to_owned())
    };
    Head {
        status: text.split(' ').nth(1).unwrap().parse().unwrap(),
        had_body: false,
        content_type: header("content-type"),
        encoding: header("content-encoding"),
        moved: Vec::new(),
    }
}

/// Records an exchange with the settings that the command has by itself.
fn play(exchange: &str) -> Vec<(String, Option<u64>, String)> {
    let mut pieces = pieces(exchange);
    let ((answered, answer), (ended, how)) = (pieces.remove(0), pieces.pop().unwrap());
    let head = head(&answer);
    let (sender, arrivals) = mpsc::channel();
    let mut packer =
        (head.encoding.as_deref() == Some("gzip")).then(|| GzEncoder::new(Vec::new(), Compression::fast()));
    for (at, text) in pieces {
        let bytes = match &mut packer {
            None => text.into_bytes(),
            Some(packer) => {
                packer.write_all(text.as_bytes()).unwrap();
                packer.flush().unwrap();
                std::mem::take(packer.get_mut())
            }
        };
        sender.send(Arrival::Bytes(at, bytes)).unwrap();
    }
    let (is_cut, is_late) = (how.starts_with("(cut)"), how.starts_with("(late)"));
    if let Some(packer) = packer.as_mut().filter(|_| !is_cut) {
        packer.try_finish().unwrap();
        sender.send(Arrival::Bytes(ended, std::mem::take(packer.get_mut()))).unwrap();
    }
    if !is_late {
        sender.send(if is_cut { Arrival::Cut(ended) } else { Arrival::End(ended) }).unwrap();
    }

    let args = Args::try_parse_from(["agent-contracts", "record", "http://localhost/"]).unwrap();
    let Command::Record(args) = args.command else { panic!("another command") };
    let patience = Patience { keep_alive: args.keep_alive, buffered: args.buffered };
    // What was sent is there at once.
    let wait = Wait::new(arrivals, if is_late { Duration::from_millis(500) } else { Duration::MAX });
    let echo = Echo::of(std::iter::once((Sent::Credential, &b"Bearer placeholder-credential"[..])));
    let mut recording = Recording::begin(wait, (answered, head), patience, echo, None, u64::MAX).unwrap();
    let mut found = Found::default();
    let config = load(&[], &Flags { no_config: true, ..Flags::default() }, &args.how).unwrap();
    let setup = Setup::new(&args.how, config, false).unwrap();
    let choice = setup.config.choice(None);
    record(&setup, &choice, &Source::Live("run".into()), &mut recording, &mut found).unwrap();
    found.0
}

#[test]
fn each_rule_has_an_exchange_that_breaks_it_and_one_that_keeps_it() {
    for rule in http_rules::RULES {
        let broken = play(rule.failing().unwrap());
        let (own, others): (Vec<_>, Vec<_>) = broken.into_iter().partition(|(found, ..)| found == rule.id());
        assert_eq!(own.len(), 1, "{rule}: {own:?}");
        assert_eq!(others, play(rule.fixed().unwrap()), "{rule}: nothing else differs");
    }
}

#[test]
fn what_is_said_and_where() {
    let body = "the content type is application/json, and the body is server-sent events";
    let late = "the stream is still open when --max-time is over; ending here would be agui/truncated-stream";
    let expected: [(&Rule, Option<u64>, &str); 8] = [
        (&http_rules::STATUS, Some(1), "the server answers 500"),
        (&http_rules::CONTENT_TYPE, None, body),
        (&http_rules::COMPRESSED, None, "the body is packed by gzip"),
        (&http_rules::BUFFERED, None, "all 5 events came at once, 4.1 s after the request"),
        (&http_rules::NO_KEEP_ALIVE, Some(3), "nothing came for 45.1 s"),
        (&http_rules::CUT, Some(5), "the connection broke off after 125 bytes"),
        (&http_rules::NOT_ENDED, None, late),
        (
            &http_rules::SECRET_ECHOED,
            None,
            "the answer repeats a credential of the request; it is masked in the recording",
        ),
    ];
    for (rule, line, message) in expected {
        let found = play(rule.failing().unwrap());
        assert!(found.contains(&(rule.id().to_owned(), line, message.to_owned())), "{found:?}");
    }
}

#[test]
fn a_short_answer_that_comes_piece_by_piece_was_not_kept_back() {
    let events = [
        r#"{"type":"RUN_STARTED","threadId":"thread_1","runId":"run_1"}"#,
        r#"{"type":"TEXT_MESSAGE_START","messageId":"msg_1"}"#,
        r#"{"type":"TEXT_MESSAGE_END","messageId":"msg_1"}"#,
        r#"{"type":"RUN_FINISHED","threadId":"thread_1","runId":"run_1"}"#,
    ];
    for (pace, rules) in [(5, &["http/buffered"][..]), (6, &[])] {
        let body: String =
            events.iter().zip(0..).map(|(event, at)| format!("@{} data: {event}\n\n", 2000 + pace * at)).collect();
        let exchange = format!("@40 HTTP/1.1 200 OK\ncontent-type: text/event-stream\n\n{body}@2100 (complete)\n");
        let found: Vec<String> = play(&exchange).into_iter().map(|(rule, ..)| rule).collect();
        assert_eq!(found, rules, "every {pace} ms");
    }
}
