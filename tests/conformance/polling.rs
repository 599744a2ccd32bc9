//! The task API against the tests of its reference client, and the seed.

use std::path::Path;

use crate::common::Failures;
use agent_contracts::polling::view::{Block, BlockKind, EndKind, Message, Role, TaskEnd, TaskView, Tool};
use agent_contracts::polling::{Cursor, PollResponse, Polled, TaskStatus};
use serde_json::{Map, Value, json};

crate::common::corpus_tests! {
    the_reducer_cases_come_out_as_expected,
    a_gap_consumes_nothing,
    the_status_stands_in_for_an_end,
    an_empty_batch_moves_the_cursor,
    recorded_polls_reduce,
    the_samples_of_the_seed_reduce,
}

fn sample(corpus: &Path, name: &str) -> Value {
    let path = corpus.join("polling").join(name);
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn messages(view: &TaskView, role: Role) -> impl Iterator<Item = &Message> {
    view.messages().iter().filter(move |message| message.role() == role)
}

fn tools(view: &TaskView) -> Vec<&Tool> {
    view.messages().iter().flat_map(Message::tools).collect()
}

/// The text of all blocks of a kind.
fn text(view: &TaskView, kind: BlockKind) -> String {
    let blocks = view.messages().iter().flat_map(Message::blocks);
    blocks.filter(|block| block.kind() == kind).map(Block::text).collect()
}

/// The chunks of a type, joined.
fn chunks(events: &[Value], kind: &str) -> String {
    let chunks = events.iter().filter(|event| event["type"] == kind);
    chunks.filter_map(|event| event["data"]["content"].as_str()).collect()
}

/// What a member of `expect` says, as the view has it.
fn found(view: &TaskView, events: &[Value], key: &str, expected: &Value) -> Value {
    let status = |place: usize| tools(view).get(place).map(|tool| tool.status().to_owned());
    match key {
        "block_count" => view.messages().iter().flat_map(Message::blocks).count().into(),
        "tool_status" => {
            assert_eq!(tools(view).len(), 1, "the case is about one tool");
            status(0).into()
        }
        "second_status" => status(1).into(),
        "tools" => tools(view).len().into(),
        "users" => messages(view, Role::User).count().into(),
        "assistant_text" => messages(view, Role::Assistant).map(Message::answer).collect::<String>().into(),
        "streaming" => {
            let mut blocks = view.messages().iter().flat_map(Message::blocks);
            assert_eq!(blocks.any(Block::is_streaming), view.is_streaming());
            view.is_streaming().into()
        }
        "content_kept" => {
            let kept = [("thinking_chunk", BlockKind::Thinking), ("text_chunk", BlockKind::Text)]
                .iter()
                .all(|(chunk, kind)| chunks(events, chunk) == text(view, *kind));
            kept.into()
        }
        "first" => {
            // Of the tool's members those that the case names.
            let tool = serde_json::to_value(tools(view)[0]).unwrap();
            let member = |name: &String| {
                let value = tool.get(name).or_else(|| tool["fields"].get(name));
                (name.clone(), value.cloned().unwrap_or_default())
            };
            expected.as_object().unwrap().keys().map(member).collect::<Map<_, _>>().into()
        }
        other => panic!("the expectation {other} is not known"),
    }
}

fn the_reducer_cases_come_out_as_expected(corpus: &Path) {
    let cases = sample(corpus, "reducer_cases.json");
    let mut failures = Failures::default();
    for case in list(&cases["cases"]) {
        let events = list(&case["events"]);
        let mut view = TaskView::new(None, None);
        let taken = events.iter().filter(|event| view.push_json(&(*event).clone().into())).count();
        failures.check(taken == events.len(), || format!("{}: only {taken} events were taken", case["name"]));
        for (key, expected) in case["expect"].as_object().unwrap() {
            let found = found(&view, events, key, expected);
            failures.check(found == *expected, || format!("{}, {key}: {found}, not {expected}", case["name"]));
        }
        // Once more, and nothing changes.
        let before = view.clone();
        for event in events {
            view.push_json(&event.clone().into());
        }
        failures.check(view == before, || format!("{}: redelivery changes the view", case["name"]));
    }
    failures.finish(30);
}

/// A response of the test as a poll response: what the test leaves out of its events is filled in.
fn response(data: &Value) -> PollResponse {
    let mut data = data.clone();
    for event in data["events"].as_array_mut().unwrap() {
        event["data"] = json!({"content": "x", "full_content": "x"});
        event["ts"] = json!(1.5);
    }
    PollResponse::from_json(&data.to_string()).unwrap()
}

fn a_gap_consumes_nothing(corpus: &Path) {
    let sample = sample(corpus, "gap_batch.json");
    for case in list(&sample["cases"]) {
        let (from, expect) = (case["from"].as_u64().unwrap(), &case["expect"]);
        let mut cursor = Cursor::new(case["data"]["task_id"].as_str().unwrap());
        if from > 0 {
            cursor.resume_at(from);
        }
        let running = response(&json!({"task_id": "A", "status": "running", "events": [], "next_offset": from}));
        cursor.take(from, &running).unwrap();

        let response = response(&case["data"]);
        let step = cursor.take(from, &response).unwrap();
        let Polled::Gap { from, window_start } = step else { panic!("{step:?}") };
        assert_eq!(json!({"from_offset": from, "window_start": window_start}), expect["gap"]);
        assert_eq!(expect["delivered"], json!(["event_window_gap"]));
        assert_eq!(cursor.next_offset(), expect["offset_after"].as_u64().unwrap());
        assert_eq!(cursor.status().map(TaskStatus::as_str), expect["status_after"].as_str());
    }
    assert!(list(&sample["cases"]).len() >= 2);
}

fn the_status_stands_in_for_an_end(corpus: &Path) {
    let sample = sample(corpus, "gap_batch.json");
    for case in list(&sample["terminal_fallback"]) {
        let response = response(&json!({"status": case["status"], "events": case["events_in"]}));
        let mut view = TaskView::new(None, None);
        let mut delivered = Vec::new();
        for envelope in response.events() {
            assert!(view.push(envelope));
            delivered.push(envelope.event.tag().to_owned());
        }
        let end = view.conclude(response.status().unwrap());
        delivered.extend(end.map(|end| EndKind::as_str(end).to_owned()));
        // The web client tells itself of its queue with each batch; that is no event of the task.
        let expected = list(&case["expect_types"]).iter().filter_map(Value::as_str);
        let expected: Vec<&str> = expected.filter(|kind| *kind != "runtime_queue_sync").collect();
        assert_eq!(delivered, expected, "{case}");
    }
    assert!(list(&sample["terminal_fallback"]).len() >= 4);
}

fn an_empty_batch_moves_the_cursor(corpus: &Path) {
    let case = &sample(corpus, "gap_batch.json")["empty_batch_cursor"];
    let from = case["from"].as_u64().unwrap();
    let mut cursor = Cursor::new("A");
    cursor.resume_at(from);
    let response = response(&case["response"]);
    assert!(matches!(cursor.take(from, &response), Ok(Polled::Events(batch)) if batch.events.is_empty()));
    assert_eq!(cursor.next_offset(), case["offset_after"].as_u64().unwrap());
}

fn recorded_polls_reduce(corpus: &Path) {
    let sample = sample(corpus, "poll_responses.json");
    let task = sample["create_202"]["task_id"].as_str().unwrap();
    let conversation = sample["create_202"]["conversation_id"].as_str().unwrap();
    let mut cursor = Cursor::new(task);
    let mut view = TaskView::new(Some(task.into()), Some(conversation.into()));
    let mut raw = view.clone();
    for poll in list(&sample["polls"]) {
        let response = PollResponse::from_json(&poll["response"].to_string()).unwrap();
        let from = poll["from"].as_u64().unwrap();
        if let Polled::Events(batch) = cursor.take(from, &response).unwrap() {
            for envelope in batch.events {
                assert!(view.push(envelope), "{poll}");
            }
        }
        for event in list(&poll["response"]["data"]["events"]) {
            raw.push_json(&event.clone().into());
        }
    }
    assert_eq!(view, raw);
    assert_eq!(view.next_idx(), cursor.next_offset());
    assert_eq!(view.end().map(TaskEnd::kind), Some(EndKind::TaskComplete));
    assert!(!view.is_streaming() && !view.is_request_pending() && !view.is_truncated());
    assert!(tools(&view).iter().all(|tool| tool.status() == "completed"));
    assert!(!text(&view, BlockKind::Text).is_empty() && !text(&view, BlockKind::Thinking).is_empty());
}

fn the_samples_of_the_seed_reduce(corpus: &Path) {
    let sample = sample(corpus, "seed_envelopes.json");
    let mut view = TaskView::new(None, None);
    for event in list(&sample["events"]) {
        // All but the first lack an index, and are taken for the next one.
        assert!(view.push_json(&event.clone().into()), "{event}");
    }
    assert_eq!(view.next_idx(), 12 + list(&sample["events"]).len() as u64);
    assert_eq!(messages(&view, Role::Assistant).count(), 2);
    assert_eq!(tools(&view).iter().map(|tool| tool.status()).collect::<Vec<_>>(), ["cancelled"]);
    assert!(view.end().is_some());
}
