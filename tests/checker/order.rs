//! What is said of the order of events. Each case of `tests/order` is a name, the events of a
//! stream, and what is found in it: the number of the event, the rule, the message, then the
//! other places with their events, and the advice that is for this case alone.

use crate::common::Failures;
use agent_contracts::Protocol;
use agent_contracts::check::{Checker, Finding, Input, Limits};
use agent_contracts::stream::{Framing, StreamChecker};
use serde_json::Value;

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
        let path = crate::common::repository().join("tests/order").join(format!("{protocol}.txt"));
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
    failures.finish(1200);
}

/// Frames of a session may be named as clients know them, or as their events.
#[test]
fn names_of_frames_change_nothing_in_a_session() {
    let mut failures = Failures::default();
    let path = crate::common::repository().join("tests/order/ubik.txt");
    let text = std::fs::read_to_string(path).unwrap();
    for case in text.split("\n\n") {
        let events: Vec<&str> = case.lines().filter(|line| line.starts_with('{')).collect();
        let types = events
            .iter()
            .map(|event| serde_json::from_str::<Value>(event).ok()?.get("type")?.as_str().map(str::to_owned));
        let types: Option<Vec<String>> = types.collect();
        let Some(types) = types.filter(|types| types[0] == "connection_established") else { continue };
        let found = |named: &dyn Fn(usize) -> String| found_in_frames(Checker::new(Protocol::UBIK), &events, named);
        let plain = found(&|_| String::new());
        let named = [found(&|at| format!("event: {}\n", types[at])), found(&|_| "event: message\n".to_owned())];
        failures.check(named.iter().all(|named| *named == plain), || {
            format!("{}: {named:#?}, not {plain:#?}", case.lines().next().unwrap())
        });
    }
    failures.finish(100);
}

/// What makes up a stream, the same each time.
struct Dice {
    state: u64,
    /// Something is wrong once in so many times; never for 0.
    faults: usize,
}

impl Dice {
    fn pick(&mut self, count: usize) -> usize {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) as usize % count
    }

    fn of<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.pick(texts.len())]
    }

    fn fails(&mut self) -> bool {
        self.faults > 0 && self.pick(self.faults) == 0
    }

    fn or(&mut self, usual: &str, odd: &[&str]) -> String {
        if self.fails() { self.of(odd) } else { usual }.to_owned()
    }

    /// The next piece of a text, as it is written.
    fn piece(&mut self) -> String {
        const ODD: [&str; 17] = [
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
            "<TOOL_STEP_START/search:c1>>",
            "<<TOOL_STEP_START/search:c1>>",
            "<<TOOL_STEP_END/search:c1>>",
            "Traceback (most recent call last):",
        ];
        let usual = ["word", "a", "日本", "a longer piece of a text, with a comma"];
        let usual = format!("{} {}", self.of(&usual), self.pick(1000));
        self.or(&usual, &ODD)
    }

    /// What the clock says at a step: in some streams it stands still for a while.
    fn clock(&self, step: usize) -> usize {
        if self.faults == 30 { step / 8 * 8 } else { step }
    }

    /// A time, no earlier with each step.
    fn time(&mut self, step: usize) -> String {
        let (at, zone) = (self.clock(step), if self.faults == 100 { "+01:00" } else { "Z" });
        let of_step = |zone: &str| format!("2026-06-10T08:{:02}:{:02}.000{zone}", at / 60, at % 60);
        let [away, east] = ["+99:00", "+02:00"].map(of_step);
        let odd = [
            away.as_str(),
            east.as_str(),
            "2026-06-10T07:00:00.000Z",
            "2026-06-10T08:00:61.000Z",
            "2026-13-10T08:00:00.000Z",
            r"2026-06-10T08:59:00.000\u005a",
            "2026-06-10T08:00:00+08:00",
            "now",
        ];
        self.or(&of_step(zone), &odd)
    }
}

fn agui(dice: &mut Dice, step: usize) -> String {
    let id = dice.of(&["m1", "m1", "m2"]);
    let id = dice.or(id, &["m3", r"\u006d1", "t1"]);
    let (delta, more) = (dice.piece(), dice.of(&["", r#","timestamp":17"#, r#","metadata":{"n":1,"k":"v"}"#]));
    match (step, dice.pick(40)) {
        (0, _) => r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#.to_owned(),
        (1..3, _) => format!(r#"{{"type":"TEXT_MESSAGE_START","messageId":"m{step}","role":"assistant"}}"#),
        (3..5, _) => format!(r#"{{"type":"TOOL_CALL_START","toolCallId":"t{}","toolCallName":"n"}}"#, step - 2),
        (_, 0) => format!(r#"{{"type":"TEXT_MESSAGE_START","messageId":"{id}","role":"assistant"}}"#),
        (_, 1) if dice.fails() => format!(r#"{{"type":"TEXT_MESSAGE_END","messageId":"{id}"}}"#),
        (_, 2) if dice.fails() => r#"{"type":"TOOL_CALL_END","toolCallId":"t1"}"#.to_owned(),
        (101.., 3) => r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#.to_owned(),
        (_, 4) => r#"{"type":"CUSTOM","name":"n","value":1}"#.to_owned(),
        (_, 5..15) => {
            format!(r#"{{"type":"TOOL_CALL_ARGS","toolCallId":"{}","delta":"{delta}"{more}}}"#, id.replace('m', "t"))
        }
        _ => format!(r#"{{"type":"TEXT_MESSAGE_CONTENT","messageId":"{id}","delta":"{delta}"{more}}}"#),
    }
}

fn lime(dice: &mut Dice, step: usize) -> String {
    let (id, number) = (format!("e{step}"), step.to_string());
    let id = dice.or(&id, &["e7", r"\u0065\u0039", "", " ", "e31"]);
    let sequence = dice.or(&number, &["-1", "7.5", "1e1", "null", r#""4""#, "12", "90"]);
    let sequence = if dice.fails() { format!("{step}.0") } else { sequence };
    let (turn, message) = (dice.or("t1", &["t2", ""]), dice.of(&["m1", "m1", "m2"]));
    let (runtime, thread) = (dice.or("r", &["s", r"\u0072", ""]), dice.or("t", &["u", "v", "w"]));
    let (class, kind, rest) = match dice.pick(60) {
        0 if step > 100 => ("turn.completed", "state", String::new()),
        1 => ("model.completed", "model", format!(r#","payload":{{"messageId":"{message}"}}"#)),
        2 => ("tool.started", "tool", format!(r#","toolCallId":"c{step}","payload":{{"toolName":"n"}}"#)),
        3 => ("snapshot.updated", "state", String::new()),
        roll => {
            let class = if roll < 8 { "reasoning.delta" } else { "model.delta" };
            let (member, text) = (dice.or("delta", &["text", "content"]), dice.piece());
            (class, "model", format!(r#","payload":{{"messageId":"{message}","{member}":"{text}"}}"#))
        }
    };
    let (time, more) = (dice.time(step), dice.of(&["", "", r#","more":17"#, r#","more":{"n":1,"k":"v"}"#]));
    format!(
        r#"{{"id":"{id}","schemaVersion":"lime-runtime-event/v0.1","runtimeId":"{runtime}","threadId":"{thread}","turnId":"{turn}","eventClass":"{class}","kind":"{kind}","status":"running","title":"a","sequence":{sequence},"createdAt":"{time}"{rest}{more}}}"#
    )
}

fn ubik(dice: &mut Dice, step: usize) -> String {
    const BODY: [&str; 7] = [
        "<<T",
        "OOL_STEP_START/search:c1>>",
        "<<TOOL_STEP_INPUT_START>>",
        r#"{\"api_key\":"#,
        r#" \"hunter22\"}"#,
        "<<TOOL_STEP_INPUT_END>>",
        "<<TOOL_STEP_END/search:c1>>",
    ];
    let (connection, message) = ("0b54b8f0-6f0e-4f6e-8d3c-1c1d7e1f0a11", "6f0e4f6e-8d3c-4c1d-9e1f-0a110b54b8f0");
    let ids = format!(r#""connection_id":"{connection}","session_id":"s","task_id":"{message}","user_id":"u""#);
    let (time, text) = (dice.time(step), dice.piece());
    let text = BODY.get(step % 40).filter(|_| dice.faults > 30).map_or(text, |text| (*text).to_owned());
    let (number, more) = (dice.or("1", &["2", "1.0", "0"]), dice.of(&["", "", r#","more":17"#]));
    match (step, dice.pick(60)) {
        (0, _) => format!(r#"{{"type":"connection_established",{ids}}}"#),
        (1, _) => format!(r#"{{"type":"agent_processing_started","message_id":"{message}","timestamp":"{time}"}}"#),
        (2, _) => format!(r#"{{"type":"response_stream_start","message_id":"{message}","timestamp":"{time}"}}"#),
        (3, _) | (_, 0) => format!(
            r#"{{"type":"agent_step_started","step":{number},"description":"a","single_step_agent":true,"timestamp":"{time}"}}"#
        ),
        (_, 1) if dice.fails() => format!(
            r#"{{"type":"agent_step_completed","step":{number},"progress":100,"completed":true,"results":{{}},"timestamp":"{time}"}}"#
        ),
        (101.., 2) => format!(
            r#"{{"type":"agent_processing_complete","message_id":"{message}","content":"a","timestamp":"{time}"}}"#
        ),
        (_, 3) if dice.fails() => format!(
            r#"{{"type":"response_chunk_delta_sse","chunk_id":"c","chunk_index":0,"total_chunks":2,"original_event_type":"response_chunk","chunk_data":"{{\"type\":\"response_chunk\",\"content\":\"{}\",\"st"}}"#,
            text.replace('\\', "")
        ),
        (_, 4..8) => format!(r#"{{"type":"response_chunk","content":"{text}","timestamp":"{time}"}}"#),
        (47.., 8) => format!(
            r#"{{"type":"tool_partial_update","tool_execution_id":"c1","tool_name":"search","data":{{"output_key":"a","content":"b"}},"timestamp":"{time}"}}"#
        ),
        _ => format!(r#"{{"type":"response_chunk","content":"{text}","step":{number},"timestamp":"{time}"{more}}}"#),
    }
}

fn polling(dice: &mut Dice, step: usize) -> String {
    // Two tasks in turns, or one.
    let (step, task) = if dice.faults == 400 { (step / 8 * 4 + step % 4, step / 4 % 2) } else { (step, 0) };
    let (number, at) = (step.to_string(), dice.clock(step));
    let time = format!("{}.{:03}", 1_769_182_968 + at, at * 7 % 1000);
    let number = dice.or(&number, &["3", "7.0", "null", "200"]);
    let number = if dice.fails() { format!("{step}.0") } else { number };
    let ts = dice.or(&time, &["1769182000.5", "17691829687.5", "1769182968743", "null", "5"]);
    let ids =
        format!(r#""task_id":"{}","conversation_id":"c","workspace_id":"w""#, dice.or(["t", "u"][task], &["u", ""]));
    let content = dice.piece();
    let index = dice.or(&(step - step.min(2)).to_string(), &["1", "9", "null"]);
    let (kind, data) = match (step, dice.pick(60)) {
        (0, _) => ("ai_message_start", String::new()),
        (1, _) => ("thinking_start", String::new()),
        (2, _) => ("text_start", String::new()),
        (_, 0) if dice.fails() => ("text_start", String::new()),
        (_, 3) if dice.fails() => return dice.of(&[r#"{"success":false,"error":"x"}"#, "5"]).to_owned(),
        (_, 1) if dice.fails() => ("thinking_end", r#""full_content":"a","#.to_owned()),
        (101.., 2) => ("task_complete", String::new()),
        // Chunks of thinking come first, since those of text are counted.
        _ if step < 60 && step.is_multiple_of(2) && dice.faults == 7 => {
            ("thinking_chunk", format!(r#""content":"{content}","#))
        }
        _ => ("text_chunk", format!(r#""content":"{content}","elapsed":0.{step},"index":{index},"#)),
    };
    format!(r#"{{"idx":{number},"type":"{kind}","data":{{{data}{ids}}},"ts":{ts}}}"#)
}

/// What is found in events that come in frames, before which stand lines of their own.
fn found_in_frames(checker: Checker, events: &[&str], named: &dyn Fn(usize) -> String) -> Vec<String> {
    let mut stream = StreamChecker::of(checker, Framing::Sse);
    let mut found = Vec::new();
    for (at, event) in events.iter().enumerate() {
        let frame = format!("{}data: {event}\n\n", named(at));
        found.extend(stream.push(frame.as_bytes()).iter().map(|found| told(&found)));
    }
    found.extend(stream.finish().iter().map(|found| told(&found)));
    found
}

/// Pieces of texts that go on, side by side, with what ends or breaks them in between, are judged as
/// each of them is by itself.
#[test]
fn what_goes_on_is_judged_as_any_event() {
    type Event = fn(&mut Dice, usize) -> String;
    let protocols: [(Protocol, Event); 4] =
        [(Protocol::AGUI, agui), (Protocol::LIME, lime), (Protocol::UBIK, ubik), (Protocol::POLLING, polling)];
    let mut failures = Failures::default();
    for (protocol, event) in protocols {
        for round in 0..60 {
            let mut dice = Dice { state: round, faults: [0, 400, 100, 30, 7][round as usize % 5] };
            let events: Vec<String> = (0..150).map(|step| event(&mut dice, step)).collect();
            let events: Vec<&str> = events.iter().map(String::as_str).collect();
            for limits in [Limits::DEFAULT, Limits::DEFAULT.with_history(40), Limits::DEFAULT.with_history(2)] {
                let checker = |exact| Checker::builder(protocol.clone()).limits(limits).exact(exact).build();
                let [fast, exact] = [false, true].map(|exact| {
                    let frames = found_in_frames(checker(exact), &events, &|at| match at % 40 {
                        19 => "event: error\n".to_owned(),
                        29 => "event: response_chunk\n".to_owned(),
                        _ => String::new(),
                    });
                    [found(checker(exact), &events), frames].concat()
                });
                failures.check(fast == exact, || {
                    let at = fast.iter().zip(&exact).take_while(|(one, other)| one == other).count();
                    format!("{protocol}, {round}: {:#?}, not {:#?}", fast.get(at), exact.get(at))
                });
            }
        }
    }
    failures.finish(720);
}
