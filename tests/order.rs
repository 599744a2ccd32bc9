//! What is said of the order of events. Each case of `tests/order` is a name, the events of a
//! stream, and what is found in it: the number of the event, the rule, the message, then the
//! other places with their events, and the advice that is for this case alone.

mod common;

use agent_contracts::Protocol;
use agent_contracts::check::{Checker, Finding, Input, Limits};
use common::Failures;

fn told(finding: &Finding) -> String {
    let number = |event: Option<u64>| event.map_or("end".to_owned(), |event| event.to_string());
    let event = number(finding.event);
    let mut told = format!("{event} {}: {}", finding.rule.name(), finding.message);
    for related in &finding.related {
        told += &format!("; {}: {}", related.message, number(related.event));
    }
    if let Some(hint) = &finding.hint {
        told += &format!("; {hint}");
    }
    told
}

fn found(mut checker: Checker, events: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for event in events {
        found.extend(checker.push(Input::event(event)).iter().map(told));
    }
    found.extend(checker.finish().iter().map(told));
    found
}

#[test]
fn what_is_said_of_the_order() {
    let mut failures = Failures::default();
    for protocol in Protocol::ALL {
        let path = common::repository().join("tests/order").join(format!("{protocol}.txt"));
        let text = std::fs::read_to_string(path).unwrap();
        for case in text.split("\n\n") {
            let of = |mark: char| case.lines().filter(move |line| line.starts_with(mark));
            let events: Vec<&str> = of('{').collect();
            let expected: Vec<&str> = of('=').filter_map(|line| line.strip_prefix("= ")).collect();
            assert_eq!(case.lines().count(), 1 + events.len() + expected.len(), "{case}");
            for exact in [false, true] {
                let found = found(Checker::builder(protocol).exact(exact).build(), &events);
                failures
                    .check(found == expected, || format!("{protocol}, {}: {found:#?}", case.lines().next().unwrap()));
            }
        }
    }
    failures.finish(148);
}

/// Picks among some, always the same ones in the same order.
struct Dice(u64);

impl Dice {
    fn pick(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % count
    }

    fn of<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.pick(texts.len())]
    }

    /// True once in so many times.
    fn one_in(&mut self, count: usize) -> bool {
        self.pick(count) == 0
    }
}

/// Pieces as they are written; of some streams only the plain ones, so that most of them go on.
fn piece(dice: &mut Dice, is_plain: bool) -> &'static str {
    const PIECES: [&str; 20] = [
        " word",
        "a",
        "日本",
        "a longer piece of a text, with a comma",
        r"\n- **b**",
        r"\u00e9\u00e9",
        r"\ud83d",
        "",
        " ",
        r#"{\"a\":1"#,
        "}",
        concat!("ghp_x7Kd93", "jfLq0Z"),
        "bV5nRw8TyUe1Aa2Ss4Dd6FfG",
        "Authorization: ",
        "Bearer Zt4Qm8Lx2Wc6Rk1Vb9nYp3Hs",
        r"\u0067hp_",
        "<",
        "<<TOOL_STEP_START/search:c1>>",
        "<<TOOL_STEP_END/search:c1>>",
        "Traceback (most recent call last):",
    ];
    dice.of(&PIECES[..if is_plain { 4 } else { PIECES.len() }])
}

/// More members, which no rule asks for.
const MORE: [&str; 4] = ["", "", r#","more":17"#, r#","more":{"n":1,"k":"v"}"#];

fn agui(dice: &mut Dice, is_plain: bool) -> Vec<String> {
    let mut events = vec![r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#.to_owned()];
    for step in 0..150 {
        let id = ["m1", "m2", "m3", r"\u006d1"][dice.pick(3 + usize::from(!is_plain))];
        let (delta, more) = (piece(dice, is_plain), dice.of(&MORE));
        events.push(match dice.pick(30) {
            0 => format!(r#"{{"type":"TEXT_MESSAGE_START","messageId":"{id}","role":"assistant"}}"#),
            1 => format!(r#"{{"type":"TEXT_MESSAGE_END","messageId":"{id}"}}"#),
            2 => format!(r#"{{"type":"TOOL_CALL_START","toolCallId":"{id}","toolCallName":"n"}}"#),
            3 => format!(r#"{{"type":"TOOL_CALL_END","toolCallId":"{id}"}}"#),
            4 if step > 100 => r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#.to_owned(),
            5 => r#"{"type":"CUSTOM","name":"n","value":1}"#.to_owned(),
            6..12 => format!(r#"{{"type":"TOOL_CALL_ARGS","toolCallId":"{id}","delta":"{delta}"{more}}}"#),
            _ => format!(r#"{{"type":"TEXT_MESSAGE_CONTENT","messageId":"{id}","delta":"{delta}"{more}}}"#),
        });
    }
    events
}

/// A time, mostly later than those before.
fn time(dice: &mut Dice, step: usize, is_plain: bool) -> String {
    if is_plain || !dice.one_in(12) {
        return format!("2026-06-10T08:{:02}:{:02}.000Z", step / 60, step % 60);
    }
    let odd = [
        "2026-06-10T07:00:00.000Z",
        "2026-06-10T08:00:61.000Z",
        "2026-13-10T08:00:00.000Z",
        r"2026-06-10T08:59:00.000\u005a",
        "2026-06-10T08:00:00+08:00",
        "now",
    ];
    dice.of(&odd).to_owned()
}

fn lime(dice: &mut Dice, is_plain: bool) -> Vec<String> {
    let mut number = 0;
    let event = |step: usize| {
        let odd = !is_plain && dice.one_in(15);
        number += if odd { dice.pick(4) } else { 1 };
        let id = if !is_plain && dice.one_in(20) {
            dice.of(&["e7", r"\u0065\u0039", "", " "]).into()
        } else {
            format!("e{step}")
        };
        let sequence = match number {
            _ if !is_plain && dice.one_in(25) => dice.of(&["-1", "7.5", "1e1", "null", r#""4""#]).to_owned(),
            _ if !is_plain && dice.one_in(25) => format!("{number}.0"),
            _ => number.to_string(),
        };
        let (turn, message) = (["t1", "t2"][dice.pick(12) / 11], dice.of(&["m1", "m1", "m1", "m2"]));
        let (class, kind, rest) = match dice.pick(30) {
            0 => ("turn.completed", "state", String::new()),
            1 => ("model.completed", "model", format!(r#","payload":{{"messageId":"{message}"}}"#)),
            2 => ("tool.started", "tool", format!(r#","toolCallId":"{message}","payload":{{"toolName":"n"}}"#)),
            3 => ("snapshot.updated", "state", String::new()),
            roll => {
                let class = if roll < 8 { "reasoning.delta" } else { "model.delta" };
                let (member, text) = (dice.of(&["delta", "delta", "delta", "text"]), piece(dice, is_plain));
                (class, "model", format!(r#","payload":{{"messageId":"{message}","{member}":"{text}"}}"#))
            }
        };
        let (time, more) = (time(dice, step, is_plain), dice.of(&MORE));
        format!(
            r#"{{"id":"{id}","schemaVersion":"lime-runtime-event/v0.1","runtimeId":"r","threadId":"t","turnId":"{turn}","eventClass":"{class}","kind":"{kind}","status":"running","sequence":{sequence},"createdAt":"{time}"{rest}{more}}}"#
        )
    };
    (0..150).map(event).collect()
}

fn ubik(dice: &mut Dice, is_plain: bool) -> Vec<String> {
    let start = ["connection_established", "agent_processing_started", "response_stream_start"];
    let mut events: Vec<String> = Vec::new();
    for kind in start.iter().skip(usize::from(!is_plain && dice.one_in(4))) {
        let ids = r#""connection_id":"0b54b8f0-6f0e-4f6e-8d3c-1c1d7e1f0a11","task_id":"8d0c1b1e-4f2a-4c6e-9b3d-2f7a5c1e0a64""#;
        let time = if *kind == "connection_established" { "" } else { r#","timestamp":"2026-06-10T08:00:00.000Z""# };
        events.push(format!(r#"{{"type":"{kind}",{ids},"message_id":"6f0e4f6e-8d3c-4c1d-9e1f-0a110b54b8f0"{time}}}"#));
    }
    for step in 0..150 {
        let time = time(dice, step, is_plain);
        let (number, more) = (1 + dice.pick(20) / 18, dice.of(&MORE));
        events.push(match dice.pick(40) {
            0 => format!(r#"{{"type":"agent_step_started","step":{number},"title":"a","timestamp":"{time}"}}"#),
            1 => format!(r#"{{"type":"agent_step_completed","step":{number},"progress":100,"completed":true,"results":{{}},"timestamp":"{time}"}}"#),
            2 if step > 120 => format!(r#"{{"type":"agent_processing_complete","message_id":"6f0e4f6e-8d3c-4c1d-9e1f-0a110b54b8f0","content":"a","timestamp":"{time}"}}"#),
            3 => format!(r#"{{"type":"response_chunk_delta_sse","chunk_id":"c","chunk_index":0,"total_chunks":2,"original_event_type":"response_chunk","chunk_data":"{{"}}"#),
            4..8 => format!(r#"{{"type":"response_chunk","content":"{}","timestamp":"{time}"}}"#, piece(dice, is_plain)),
            _ => {
                let text = piece(dice, is_plain);
                format!(r#"{{"type":"response_chunk","content":"{text}","step":{number},"timestamp":"{time}"{more}}}"#)
            }
        });
    }
    events
}

fn polling(dice: &mut Dice, is_plain: bool) -> Vec<String> {
    let (mut idx, mut index) = (0, 0);
    let event = |step: usize| {
        let odd = !is_plain && dice.one_in(15);
        idx = if step == 0 { 0 } else { idx + if odd { dice.pick(4) } else { 1 } };
        let number = if !is_plain && dice.one_in(25) { format!("{idx}.0") } else { idx.to_string() };
        let ts = match step {
            _ if !is_plain && dice.one_in(20) => dice.of(&["1769182000.5", "1769182968743", "null", "5"]).to_owned(),
            _ => format!("{}.{:03}", 1_769_182_968 + step, step * 7 % 1000),
        };
        let task = if !is_plain && dice.one_in(30) { "u" } else { "t" };
        let ids = format!(r#""task_id":"{task}","conversation_id":"c""#);
        let (kind, data) = match (step, dice.pick(30)) {
            (0, _) => ("ai_message_start", String::new()),
            (_, 0) => ("text_start", String::new()),
            (_, 1) => ("thinking_start", String::new()),
            (_, 2) => ("thinking_end", r#""full_content":"a","#.to_owned()),
            (_, 3) => ("stream_reset", r#""attempt":1,"reason":"r","#.to_owned()),
            (_, 4) if step > 120 => ("task_complete", String::new()),
            (_, roll) => {
                let (content, elapsed) = (piece(dice, is_plain), step * 31);
                index = if roll == 5 { 1 } else { index + if odd { 2 } else { 1 } };
                let rest = format!(r#""content":"{content}","elapsed":0.{elapsed},"#);
                if roll < 18 { ("text_chunk", format!(r#"{rest}"index":{index},"#)) } else { ("thinking_chunk", rest) }
            }
        };
        format!(r#"{{"idx":{number},"type":"{kind}","data":{{{data}{ids}}},"ts":{ts}}}"#)
    };
    (0..150).map(event).collect()
}

/// Pieces of texts that go on, side by side, with what ends or breaks them in between, are judged as
/// each of them is by itself.
#[test]
fn what_goes_on_is_judged_as_any_event() {
    type Stream = fn(&mut Dice, bool) -> Vec<String>;
    let streams: [(Protocol, Stream); 4] =
        [(Protocol::AGUI, agui), (Protocol::LIME, lime), (Protocol::UBIK, ubik), (Protocol::POLLING, polling)];
    let mut failures = Failures::default();
    for (protocol, stream) in streams {
        let mut dice = Dice(1);
        for round in 0..60 {
            let events = stream(&mut dice, round % 3 == 0);
            let events: Vec<&str> = events.iter().map(String::as_str).collect();
            for limits in [Limits::DEFAULT, Limits::DEFAULT.with_history(40)] {
                let checker = |exact| Checker::builder(protocol.clone()).limits(limits).exact(exact).build();
                let [fast, exact] = [false, true].map(|exact| found(checker(exact), &events));
                failures.check(fast == exact && !exact.is_empty(), || {
                    let at = fast.iter().zip(&exact).position(|(one, other)| one != other).unwrap_or(0);
                    format!("{protocol}, {round}: {:#?}, not {:#?}", fast.get(at), exact.get(at))
                });
            }
        }
    }
    failures.finish(480);
}
