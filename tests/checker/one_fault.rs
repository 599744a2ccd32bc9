//! One fault is one error: clean streams are spoilt in one place each, and the errors counted.
#![allow(clippy::print_stdout, reason = "the tables say what to mend next")]

use std::collections::BTreeMap;

use crate::streams::{self, Fault, Source, Way};
use agent_contracts::Protocol;
use agent_contracts::check::{Checker, Finding, Input, Profile, Severity};
use agent_contracts::stream::{Framing, StreamChecker};
use serde_json::Value;

/// So many cases of each protocol are tried; the variable `ONE_FAULT_CASES` sets another number.
const CASES: usize = 3000;
const CASES_PER_STREAM: usize = 24;

struct Subject {
    name: &'static str,
    protocol: Protocol,
    streams: fn(u64) -> Vec<Value>,
    /// The frame of an event, where events come in frames.
    frame: Option<fn(&str) -> String>,
    /// The member that tells events apart.
    tag: &'static str,
    has_reference: bool,
    /// Of a hundred cases with an error, so many at least have exactly one.
    exactly_one: f64,
    /// Whether an event begins the next part of the stream, such as a run.
    begins: fn(&str) -> bool,
    /// Whether an event begins or ends a run or a turn.
    is_boundary: fn(&str) -> bool,
}

const AGUI: Subject = Subject {
    name: "agui",
    protocol: Protocol::AGUI,
    streams: streams::agui,
    frame: None,
    tag: "type",
    has_reference: true,
    exactly_one: 97.0,
    begins: |tag| tag == "RUN_STARTED",
    is_boundary: |tag| tag.starts_with("RUN_"),
};

const LIME: Subject = Subject {
    name: "lime",
    protocol: Protocol::LIME,
    streams: streams::lime,
    frame: None,
    tag: "eventClass",
    has_reference: true,
    exactly_one: 97.0,
    begins: |_| false,
    is_boundary: |tag| tag.starts_with("turn."),
};

const SOCIAL_APP: Subject = Subject {
    name: "social-app",
    protocol: Protocol::SOCIAL_APP,
    streams: streams::social_app,
    frame: None,
    tag: "type",
    has_reference: false,
    exactly_one: 95.0,
    begins: |tag| tag == "RUN_STARTED",
    is_boundary: |tag| tag.starts_with("RUN_"),
};

const UBIK: Subject = Subject {
    name: "ubik",
    protocol: Protocol::UBIK,
    streams: streams::ubik,
    frame: None,
    tag: "type",
    has_reference: false,
    exactly_one: 95.0,
    begins: |tag| tag == "agent_step_started",
    is_boundary: |tag| tag.starts_with("agent_") || matches!(tag, "connection_established" | "response_stream_start"),
};

/// The same sessions as server-sent events.
const UBIK_FRAMES: Subject = Subject {
    name: "ubik, frames",
    protocol: Protocol::UBIK,
    streams: streams::ubik,
    frame: Some(streams::frame),
    tag: "type",
    has_reference: false,
    exactly_one: 95.0,
    begins: |_| false,
    is_boundary: |_| false,
};

const UBIK_TOOL: Subject = Subject {
    name: "ubik, tool",
    protocol: Protocol::UBIK,
    streams: streams::ubik_tool,
    frame: Some(streams::tool_frame),
    tag: "event",
    has_reference: false,
    exactly_one: 95.0,
    begins: |_| false,
    is_boundary: |_| false,
};

const POLLING: Subject = Subject {
    name: "polling",
    protocol: Protocol::POLLING,
    streams: streams::polling,
    frame: None,
    tag: "type",
    has_reference: false,
    exactly_one: 95.0,
    begins: |tag| tag == "api_request_start",
    is_boundary: |tag| {
        matches!(tag, "user_message" | "ai_message_start" | "api_request_start" | "stream_reset" | "error")
            || tag.starts_with("task_")
    },
};

/// A response has no type; what is spoilt is what it says beside its events, and all of them.
const POLLING_RESPONSES: Subject = Subject {
    name: "polling, responses",
    protocol: Protocol::POLLING,
    // What was asked is said by whoever records, not by the server.
    streams: |seed| {
        let bare = |mut answer: Value| if answer["response"].is_null() { answer } else { answer["response"].take() };
        streams::polling_responses(seed).into_iter().map(bare).collect()
    },
    frame: None,
    tag: "success",
    has_reference: false,
    exactly_one: 95.0,
    begins: |_| false,
    is_boundary: |_| false,
};

impl Subject {
    fn findings(&self, profile: Profile, lines: &[String]) -> Vec<Finding> {
        let mut checker = Checker::builder(self.protocol.clone()).profile(profile).build();
        if let Some(frame) = self.frame {
            let frames: String = lines.iter().map(|line| frame(line)).collect();
            let mut stream = StreamChecker::of(checker, Framing::Sse);
            let mut found: Vec<Finding> = stream.push(frames.as_bytes()).map(|found| Finding::clone(&found)).collect();
            found.extend(stream.finish().map(|found| Finding::clone(&found)));
            return found;
        }
        let mut found = Vec::new();
        for line in lines {
            found.extend_from_slice(checker.push(Input::event(line)));
        }
        found.extend_from_slice(checker.finish());
        found
    }

    /// The rules of the errors, in their order.
    fn errors(&self, profile: Profile, lines: &[String]) -> Vec<String> {
        let found = self.findings(profile, lines);
        let errors = found.iter().filter(|finding| finding.severity == Severity::Error);
        errors.map(|finding| finding.rule.id().to_string()).collect()
    }

    fn assert_clean(&self) {
        for seed in 0..seeds().max(1000) {
            let lines = lines(&(self.streams)(seed));
            let mut found = self.findings(Profile::Strict, &lines);
            found.retain(|finding| finding.severity >= Severity::Warning);
            assert!(found.is_empty(), "seed {seed}: {found:?}\n{}", lines.join("\n"));
        }
    }

    fn assert_one_fault_is_one_error(&self) {
        let mut tally = Tally::default();
        let mut missed = Vec::new();
        for seed in 0..seeds() {
            let events = (self.streams)(seed);
            let clean = lines(&events);
            for fault in Fault::sample(&mut Source::new(seed), &events, self.tag, CASES_PER_STREAM) {
                let lines = fault.apply(&clean);
                let errors = self.errors(Profile::Strict, &lines);
                if errors.is_empty() && self.has_reference {
                    let of_reference = self.errors(Profile::Reference, &lines);
                    if !of_reference.is_empty() {
                        missed.push(format!("seed {seed}, {}: {of_reference:?}", fault.name));
                    }
                }
                tally.add(seed, &fault, &errors);
            }
        }
        tally.print(self.name);
        assert!(
            missed.is_empty(),
            "{} errors of the reference are none in strict:\n{}",
            missed.len(),
            missed.join("\n")
        );
        let share = tally.exactly_one();
        assert!(share >= self.exactly_one, "{share:.1} % have exactly one error, of at least {} %", self.exactly_one);
    }

    /// The places lie in different runs or turns and apart, are neither their beginnings nor
    /// their ends, and do not concern one another.
    fn assert_two_faults_are_two_errors(&self) {
        let mut pairs = 0;
        for seed in 0..60 {
            let events = (self.streams)(seed);
            let clean = lines(&events);
            let parts = self.parts(&events);
            let mut faults = Fault::sample(&mut Source::new(seed), &events, self.tag, CASES_PER_STREAM);
            faults.retain(|fault| {
                let inside = |at: usize| parts.get(at).is_some_and(Option::is_some);
                let alone = fault.way != Way::IdOfAnother && inside(fault.at) && inside(fault.at + 1);
                alone && self.errors(Profile::Strict, &fault.apply(&clean)).len() == 1
            });
            faults.sort_by_key(|fault| fault.at);
            for two in faults.windows(2) {
                let [first, second] = two else { unreachable!("windows of two") };
                if parts[first.at] == parts[second.at] || second.at - first.at < 3 {
                    continue;
                }
                pairs += 1;
                let errors = self.errors(Profile::Strict, &first.apply(&second.apply(&clean)));
                assert!(errors.len() >= 2, "seed {seed}, {} and {}: {errors:?}", first.name, second.name);
            }
        }
        assert!(pairs >= 20, "only {pairs} pairs");
    }

    /// For each event the run or turn that it is inside of; none for what begins or ends one,
    /// and for shared state, which goes on from run to run.
    fn parts(&self, events: &[Value]) -> Vec<Option<String>> {
        let mut runs = 0;
        let mut part = |event: &Value| {
            let tag = event[self.tag].as_str().unwrap();
            runs += usize::from((self.begins)(tag));
            let inside = !(self.is_boundary)(tag) && !tag.starts_with("STATE_");
            inside.then(|| event["turnId"].as_str().map_or_else(|| runs.to_string(), str::to_owned))
        };
        events.iter().map(&mut part).collect()
    }
}

/// How many streams the cases take.
fn seeds() -> u64 {
    let cases = std::env::var("ONE_FAULT_CASES").map_or(CASES, |cases| cases.parse().unwrap());
    cases.div_ceil(CASES_PER_STREAM) as u64
}

fn lines(events: &[Value]) -> Vec<String> {
    events.iter().map(Value::to_string).collect()
}

/// How many errors the cases had.
#[derive(Default)]
struct Tally {
    /// By way: cases with none, one, two, more.
    ways: BTreeMap<Way, [usize; 4]>,
    /// The first two rules of cases with several errors, how often, and a case.
    pairs: BTreeMap<[String; 2], (usize, String)>,
}

impl Tally {
    fn add(&mut self, seed: u64, fault: &Fault, errors: &[String]) {
        self.ways.entry(fault.way).or_default()[errors.len().min(3)] += 1;
        if let [first, second, ..] = errors {
            let example = || (0, format!("seed {seed}, {}", fault.name));
            self.pairs.entry([first.clone(), second.clone()]).or_insert_with(example).0 += 1;
        }
    }

    fn sums(&self) -> [usize; 4] {
        self.ways.values().fold([0; 4], |sums, counts| std::array::from_fn(|at| sums[at] + counts[at]))
    }

    /// How many of a hundred cases with an error have exactly one.
    fn exactly_one(&self) -> f64 {
        let [_, one, two, more] = self.sums();
        100.0 * one as f64 / (one + two + more) as f64
    }

    fn print(&self, name: &str) {
        println!("{name:16}{:>7}{:>7}{:>7}{:>7}{:>7}", "cases", "0", "1", "2", "more");
        let ways = self.ways.iter().map(|(way, counts)| (format!("{way:?}"), *counts));
        for (way, counts) in ways.chain([("all".to_owned(), self.sums())]) {
            let columns: String = counts.iter().map(|count| format!("{count:7}")).collect();
            println!("{way:16}{:7}{columns}", counts.iter().sum::<usize>());
        }
        println!("{:.1} % of the cases with an error have exactly one", self.exactly_one());
        let mut pairs: Vec<_> = self.pairs.iter().collect();
        pairs.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
        for ([first, second], (count, example)) in pairs.iter().take(10) {
            println!("{count:5} × {first}, {second}: {example}");
        }
    }
}

/// The three tests of a protocol; two where streams have one part only.
macro_rules! tests {
    ($name:ident, $subject:expr) => {
        tests!($name, $subject, one part, {
            #[test]
            fn two_faults_are_two_errors() {
                $subject.assert_two_faults_are_two_errors();
            }
        });
    };
    ($name:ident, $subject:expr, one part $(, { $($more:item)* })?) => {
        mod $name {
            use super::*;

            #[test]
            fn the_streams_are_clean() {
                $subject.assert_clean();
            }

            #[test]
            fn one_fault_is_one_error() {
                $subject.assert_one_fault_is_one_error();
            }

            $($($more)*)?
        }
    };
}

tests!(agui, AGUI);
tests!(lime, LIME);
tests!(social_app, SOCIAL_APP);
tests!(ubik, UBIK);
tests!(ubik_frames, UBIK_FRAMES, one part);
tests!(ubik_tool, UBIK_TOOL, one part);
tests!(polling, POLLING);
tests!(polling_responses, POLLING_RESPONSES, one part);
