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
    failures.finish(146);
}
