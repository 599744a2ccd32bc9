//! What is said of the order of events. Each case of `tests/order` is a name, the events of a
//! stream, and what is found in it: the number of the event, the rule, the message, then the
//! other places with their events, and the advice that is for this case alone.

mod common;

use agent_contracts::Protocol;
use agent_contracts::check::{Checker, Finding, Input};
use common::Failures;

fn told(finding: &Finding) -> String {
    let event = finding.event.map_or("end".to_owned(), |event| event.to_string());
    let mut told = format!("{event} {}: {}", finding.rule.name(), finding.message);
    for related in &finding.related {
        told += &format!("; {}: {}", related.message, related.event.unwrap());
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

/// Pieces of texts and of arguments that go on side by side, with what ends or breaks them in
/// between, are judged as each of them is by itself.
#[test]
fn what_goes_on_is_judged_as_any_event() {
    let token = ["ghp_x7Kd93jfLq0Z", "bV5nRw8TyUe1Aa2Ss4Dd6FfG"];
    let deltas = [
        " word",
        "a",
        "日本",
        r"\n- **b**",
        r"\u00e9\u00e9",
        r"\ud83d",
        "",
        " ",
        r#"{\"a\":1"#,
        "}",
        token[0],
        token[1],
        "Authorization: ",
        "Bearer Zt4Qm8Lx2Wc6Rk1Vb9nYp3Hs",
        r"\u0067hp_",
        "a longer piece of a text, with a comma",
    ];
    let mut state = 1_u64;
    let mut pick = move |count: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % count
    };
    let mut failures = Failures::default();
    for stream in 0..60 {
        let mut events = vec![r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#.to_owned()];
        for step in 0..150 {
            let id = ["m1", "m2", "m3", r"\u006d1"][pick(3 + usize::from(stream % 4 == 0))];
            let delta = deltas[pick(if stream % 3 == 0 { 3 } else { deltas.len() })];
            let more = ["", r#","timestamp":17"#, r#","metadata":{"n":1,"k":"v"}"#][pick(3)];
            events.push(match pick(30) {
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
        let events: Vec<&str> = events.iter().map(String::as_str).collect();
        let [fast, exact] =
            [false, true].map(|exact| found(Checker::builder(Protocol::AGUI).exact(exact).build(), &events));
        failures.check(fast == exact && !exact.is_empty(), || format!("{stream}: {fast:#?}, not {exact:#?}"));
    }
    failures.finish(60);
}
