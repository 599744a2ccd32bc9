//! The message that a transcript rebuilds from the events of a Ubik session.

use agent_contracts::ubik::markup::{Body, Node};
use agent_contracts::ubik::{AgentProcessingError, Event, Phase, Transcript, TranscriptLimits};
use agent_contracts::wire::Json;
use proptest::prelude::*;
use serde_json::{Value, json};

fn event(value: &Value) -> Event {
    Event::from_json(&value.to_string()).unwrap()
}

/// A time, so many seconds into the task.
fn at(second: u32) -> String {
    format!("2026-01-01T00:{:02}:{:02}Z", second / 60, second % 60)
}

fn started(step: u32, time: &str) -> Event {
    event(&json!({"type": "agent_step_started", "step": step, "description": format!("Part {step}"),
        "single_step_agent": false, "timestamp": time}))
}

fn completed(step: u32, time: &str) -> Event {
    event(&json!({"type": "agent_step_completed", "step": step, "progress": 100, "completed": true, "results": {},
        "timestamp": time}))
}

fn chunk(content: &str, step: Option<u32>, time: &str) -> Event {
    let mut value = json!({"type": "response_chunk", "content": content, "timestamp": time});
    if let Some(step) = step {
        value["step"] = step.into();
    }
    event(&value)
}

fn checkpoint(name: &str, time: &str) -> Event {
    event(&json!({"type": "checkpoint_created", "checkpoint_name": name, "created_at": time}))
}

fn question(name: &str, time: &str) -> Event {
    event(&json!({"type": "input_required", "checkpoint_name": name, "prompt": "Your address?",
        "input_types": ["text", "json"], "timestamp": time}))
}

fn update(content: &str, time: &str) -> Event {
    event(&json!({"type": "agent_response_update", "message_id": "m", "content": content, "parent_id": "p",
        "timestamp": time}))
}

fn complete(content: &str, time: &str) -> Event {
    event(&json!({"type": "agent_processing_complete", "message_id": "m", "content": content, "result": {},
        "timestamp": time}))
}

fn failed(error: &str, time: &str) -> Event {
    event(&json!({"type": "agent_processing_error", "error": error, "traceback": "at \"main\"", "timestamp": time}))
}

fn connected(connection: &str) -> Event {
    event(&json!({"type": "connection_established", "session_id": "s", "connection_id": connection, "task_id": "t"}))
}

fn tool(phase: &str, id: &str, time: &str) -> Event {
    event(&json!({"type": "tool_update", "tool_execution_id": id, "tool_name": "web_search",
        "data": {"phase": phase, "status": "started"}, "timestamp": time}))
}

fn output(content: &str, id: &str, time: &str) -> Event {
    event(&json!({"type": "tool_partial_update", "tool_execution_id": id, "tool_name": "web_search",
        "data": {"content": content, "output_key": "response"}, "timestamp": time}))
}

fn transcript(events: &[Event]) -> Transcript {
    let mut transcript = Transcript::new();
    for event in events {
        transcript.push(event);
    }
    transcript
}

/// What stands in the text for an error at second 9.
const ERROR: &str = "<<ERROR_START>>\nError: out of \"luck\"\n<<ERROR_END>>\n\n<<ERROR_JSON_START>>\n{\n  \
    \"error\": \"out of \\\"luck\\\"\",\n  \"traceback\": \"at \\\"main\\\"\",\n  \
    \"timestamp\": \"2026-01-01T00:00:09Z\"\n}\n<<ERROR_JSON_END>>";

/// Name, events, and the text that they make.
type Case = (&'static str, Vec<Event>, String);

fn check(cases: Vec<Case>) {
    for (name, events, expected) in cases {
        let transcript = transcript(&events);
        assert_eq!(transcript.text(), expected, "{name}");
        assert_eq!(transcript.markup().faults(), [], "{name}");
        assert_eq!(transcript.markup().to_string(), expected, "{name}");
    }
}

#[test]
fn steps_chunks_and_blocks() {
    check(vec![
        ("nothing", vec![], String::new()),
        ("chunks outside of steps", vec![chunk("Hel", None, &at(1)), chunk("lo", None, &at(2))], "Hello".into()),
        (
            "a step that is done",
            vec![
                started(1, &at(1)),
                chunk("I ", Some(1), &at(2)),
                chunk("look.", Some(1), &at(3)),
                completed(1, &at(4)),
            ],
            "<<STEP_START>>\nStep 1: Part 1 ✓\nI look.\n<<STEP_END>>".into(),
        ),
        (
            "another step ends the one before",
            vec![started(1, &at(1)), chunk("A", Some(1), &at(2)), started(2, &at(3)), chunk("B", Some(2), &at(4))],
            "<<STEP_START>>\nStep 1: Part 1\nA\n<<STEP_END>>\n<<STEP_START>>\nStep 2: Part 2\nB".into(),
        ),
        (
            "a step is completed behind the beginning of another",
            vec![started(1, &at(1)), started(2, &at(2)), completed(1, &at(3)), completed(2, &at(4))],
            "<<STEP_START>>\nStep 1: Part 1 ✓\n<<STEP_END>>\n<<STEP_START>>\nStep 2: Part 2 ✓\n<<STEP_END>>".into(),
        ),
        (
            "a late chunk goes into its step",
            vec![started(1, &at(1)), chunk("A", Some(1), &at(2)), started(2, &at(3)), chunk("B", Some(1), &at(4))],
            "<<STEP_START>>\nStep 1: Part 1\nAB\n<<STEP_END>>\n<<STEP_START>>\nStep 2: Part 2\n".into(),
        ),
        (
            "a chunk outside of the open step",
            vec![
                started(1, &at(1)),
                chunk("A", Some(1), &at(2)),
                chunk("main", None, &at(3)),
                chunk("B", Some(1), &at(4)),
                chunk(" text", None, &at(5)),
            ],
            "<<STEP_START>>\nStep 1: Part 1\nAB\n<<STEP_END>>\nmain text".into(),
        ),
        (
            "a chunk of a step that was never started",
            vec![chunk("A", Some(3), &at(1)), chunk("B", None, &at(2))],
            "AB".into(),
        ),
        (
            "checkpoints in a step, and behind it",
            vec![
                started(1, &at(1)),
                chunk("A", Some(1), &at(2)),
                checkpoint("one", &at(3)),
                chunk("B", Some(1), &at(4)),
                completed(1, &at(5)),
                checkpoint("two", &at(6)),
                chunk("C", None, &at(7)),
            ],
            "<<STEP_START>>\nStep 1: Part 1 ✓\nA\n<<CHECKPOINT_START>>\nCheckpoint: one\n<<CHECKPOINT_END>>\nB\n\
             <<STEP_END>>\n<<CHECKPOINT_START>>\nCheckpoint: two\n<<CHECKPOINT_END>>\nC"
                .into(),
        ),
        (
            "a question",
            vec![question("mail", &at(1))],
            "<<INPUT_REQUIRED_START>>\nYour address?\nExpected input types: text, json\ncheckpoint_name: mail\n\
             <<INPUT_REQUIRED_END>>"
                .into(),
        ),
    ]);
}

/// Chunks may cut a tag or a body in two, and a checkpoint may be made just then: its block stands behind them.
#[test]
fn a_block_waits_for_the_end_of_a_tag_or_body() {
    const TEXT: &str = "1 << 2 <<<thinking>>hm<</thinking>> a <<TOOL_STEP_START/x:1>>\n<<TOOL_STEP_INPUT_START>>\
        {\"q\":\"<<STEP_START>>é\"}<<TOOL_STEP_INPUT_END>>\n<<TOOL_STEP_RESULT_START>>[1,\n 2]<<TOOL_STEP_RESULT_END>>\
        <<TOOL_STEP_END/x:1>> b <<TOOL_EVENT_START>><<x<";
    let said = |transcript: &Transcript| {
        let cards = transcript.tools();
        let tools: Vec<String> = cards.iter().map(|card| format!("{card:?}")).collect();
        let text = transcript.text().replace("<<CHECKPOINT_START>>\nCheckpoint: c\n<<CHECKPOINT_END>>", "");
        (text.split_whitespace().collect::<String>(), tools)
    };
    let expected = said(&transcript(&[chunk(TEXT, None, &at(1))]));
    assert_eq!(expected.1.len(), 1);
    let places: Vec<usize> = TEXT.char_indices().map(|(at, _)| at).collect();
    for step in [None, Some(1)] {
        let begun = step.map(|step| started(step, &at(0)));
        let all = |events: Vec<Event>| transcript(&begun.iter().cloned().chain(events).collect::<Vec<_>>());
        let whole = said(&all(vec![chunk(TEXT, step, &at(1))]));
        for (index, cut) in places.iter().enumerate() {
            // In two pieces, and the second one in two again.
            for behind in [0, 1, 3, 30, 90] {
                let next = places.get(index + behind).copied().unwrap_or(TEXT.len());
                let pieces = [&TEXT[..*cut], &TEXT[*cut..next], &TEXT[next..]];
                let [first, second, third] = pieces.map(|piece| chunk(piece, step, &at(1)));
                let made = || checkpoint("c", &at(1));
                let events = vec![first, made(), made(), second, made(), third];
                assert_eq!(said(&all(events)), whole, "{pieces:?}");
            }
        }
    }
}

#[test]
fn errors_and_full_texts() {
    let error = || failed("out of \"luck\"", &at(9));
    check(vec![
        (
            "an error at the end, behind the step",
            vec![started(1, &at(1)), chunk("A", Some(1), &at(2)), error()],
            format!("<<STEP_START>>\nStep 1: Part 1\nA\n<<STEP_END>>\n{ERROR}"),
        ),
        (
            "an error in the checkpoint at the end",
            vec![chunk("A", None, &at(1)), checkpoint("one", &at(2)), error()],
            format!("A\n<<CHECKPOINT_START>>\nCheckpoint: one\n{ERROR}\n<<CHECKPOINT_END>>"),
        ),
        (
            "an error in the checkpoint at the end of the open step",
            vec![started(1, &at(1)), checkpoint("one", &at(2)), error()],
            format!(
                "<<STEP_START>>\nStep 1: Part 1\n<<CHECKPOINT_START>>\nCheckpoint: one\n{ERROR}\n<<CHECKPOINT_END>>\n\
                 <<STEP_END>>"
            ),
        ),
        (
            "an error behind a checkpoint that is past",
            vec![checkpoint("one", &at(1)), chunk("A", None, &at(2)), error()],
            format!("<<CHECKPOINT_START>>\nCheckpoint: one\n<<CHECKPOINT_END>>\nA\n{ERROR}"),
        ),
        (
            "a full text replaces, and chunks go behind it",
            vec![
                started(1, &at(1)),
                chunk("A", Some(1), &at(2)),
                update("Full", &at(3)),
                chunk(" text", Some(1), &at(4)),
                chunk(".", None, &at(5)),
            ],
            "Full text.".into(),
        ),
        (
            "the final text is the last word",
            vec![chunk("A", None, &at(1)), complete("Final", &at(2)), chunk("B", None, &at(3)), update("C", &at(4))],
            "Final".into(),
        ),
    ]);
}

#[test]
fn titles() {
    for (description, single, expected) in [
        ("Look up", false, "Step 7: Look up\n"),
        ("Step 7: Look up", false, "Step 7: Look up\n"),
        ("Step 70: Look up", false, "Step 7: Step 70: Look up\n"),
        ("Step 7th", false, "Step 7: Step 7th\n"),
        ("", false, "Step 7\n"),
        ("Look\nup", true, "Step 7: Look up\n<<SINGLE_STEP_FLAG>>\n"),
    ] {
        let start = event(&json!({"type": "agent_step_started", "step": 7, "description": description,
            "single_step_agent": single, "timestamp": at(0)}));
        assert_eq!(transcript(&[start]).text(), format!("<<STEP_START>>\n{expected}"));
    }
}

#[test]
fn times_decide_the_order() {
    let a = |time: &str| chunk("a", None, time);
    let b = |time: &str| chunk("b", None, time);
    let c = |time: &str| chunk("c", None, time);
    for (events, expected) in [
        ([a(&at(3)), b(&at(1)), c(&at(2))], "bca"),
        ([a(&at(1)), b(&at(1)), c(&at(1))], "abc"),
        // Without a time that can be read: behind the one that came before.
        ([a(&at(2)), b("soon"), c(&at(1))], "cab"),
        ([a("soon"), b(&at(1)), c("later")], "abc"),
        // Zones and fractions are read; without a zone it is UTC.
        ([a("2026-01-01T01:00:00+01:00"), b("2026-01-01T00:00:00.5Z"), c("2026-01-01T00:00:00.25")], "acb"),
    ] {
        assert_eq!(transcript(&events).text(), expected);
    }
    // A checkpoint has its time under another name.
    let text = transcript(&[a(&at(3)), checkpoint("one", &at(1)), b(&at(4))]).text().to_owned();
    assert_eq!(text, "<<CHECKPOINT_START>>\nCheckpoint: one\n<<CHECKPOINT_END>>\nab");
}

#[test]
fn a_replay_counts_once() {
    let first = [connected("c1"), chunk("ha", None, &at(1)), chunk("ha", None, &at(1)), started(1, &at(2))];
    let mut transcript = transcript(&first);
    let before = transcript.text().to_owned();
    assert_eq!(before, "haha\n<<STEP_START>>\nStep 1: Part 1\n");
    transcript.push(&connected("c2"));
    for event in &first[1..] {
        transcript.push(event);
        assert_eq!(transcript.text(), before);
    }
    transcript.push(&chunk("new", Some(1), &at(3)));
    transcript.reconnected();
    transcript.push(&chunk("new", Some(1), &at(3)));
    transcript.push(&chunk("ha", None, &at(1)));
    assert_eq!(transcript.text(), format!("{before}new"));
}

#[test]
fn answers_stand_in_their_question() {
    let mut transcript = transcript(&[question("mail", &at(1)), question("other", &at(2))]);
    assert!(!transcript.answer("nowhere", json!("x"), "text"));
    assert!(transcript.answer("mail", json!("user@example.com"), "text"));
    assert!(!transcript.answer("mail", json!("again"), "text"));
    assert!(transcript.answer("other", json!({"a": [1, "\"<<"]}), "json"));
    assert_eq!(
        transcript.text(),
        "<<INPUT_REQUIRED_START>>\nYour address?\nExpected input types: text, json\n\n<<USER_INPUT_PROVIDED_START>>\n\
         {\"input\": \"user@example.com\", \"type\": \"text\"}\n<<USER_INPUT_PROVIDED_END>>\n<<INPUT_REQUIRED_END>>\n\
         <<INPUT_REQUIRED_START>>\nYour address?\nExpected input types: text, json\n\n<<USER_INPUT_PROVIDED_START>>\n\
         {\"input\": {\"a\":[1,\"\\\"<<\"]}, \"type\": \"json\"}\n<<USER_INPUT_PROVIDED_END>>\n<<INPUT_REQUIRED_END>>"
    );
    assert_eq!(transcript.markup().faults(), []);
}

/// What is written as JSON into the body of a block neither ends it nor begins another.
#[test]
fn tags_in_bodies_are_no_tags() {
    let text = "<<<USER_INPUT_PROVIDED_END>><<ERROR_JSON_END>><<thinking>>b<</thinking>>";
    let failed: Event = AgentProcessingError::new("no answer", text, at(2)).into();
    let mut transcript = transcript(&[question("mail", &at(1)), failed]);
    assert!(transcript.answer("mail", json!(text), "text"));
    let markup = transcript.markup();
    assert_eq!(markup.faults(), []);
    let bodies: Vec<String> = markup
        .walk()
        .filter_map(|node| match node {
            Node::UserInput(body) => Json::parse(body.content.as_str()).unwrap().get("input")?.as_string(),
            Node::ErrorJson(body) => Json::parse(body.content.as_str()).unwrap().get("traceback")?.as_string(),
            _ => None,
        })
        .collect();
    assert_eq!(bodies, [text, text]);
}

#[test]
fn the_end_of_a_task() {
    let mut good = transcript(&[chunk("A", None, &at(1))]);
    assert!(!good.is_done());
    good.push(&complete("<<STEP_START>>Final", &at(2)));
    assert!(good.is_done() && good.error().is_none());
    // The text is whole now, so its faults show.
    assert_eq!(good.markup().faults().len(), 1);

    let bad = transcript(&[failed("oh", &at(1))]);
    assert!(bad.is_done());
    assert_eq!(bad.error().map(|error| error.error.as_str()), Some("oh"));

    let stopped = event(&json!({"type": "agent_stop_requested", "task_id": "t", "timestamp": at(1)}));
    assert!(!transcript(&[stopped]).is_done());
}

#[test]
fn tool_cards_join_text_and_events() {
    let open = "<<TOOL_STEP_START/web_search:call_1>>\n<<TOOL_STEP_INPUT_START>>\n{\"query\":\"Paris\"}\n<<TOOL_STEP_INPUT_END>>\n";
    let result = "<<TOOL_STEP_RESULT_START>>\n{\"n\":1}\n<<TOOL_STEP_RESULT_END>>\n<<TOOL_STEP_END/web_search:call_1>>";
    let mut transcript = transcript(&[
        chunk(&open[..20], None, &at(1)),
        chunk(&open[20..], None, &at(2)),
        tool("WEB_SEARCH", "call_1", &at(3)),
        output("is", "call_1", &at(5)),
        output("It ", "call_1", &at(4)),
        tool("GENERATION", "call_2", &at(6)),
    ]);
    let cards = transcript.tools();
    assert_eq!(
        cards.iter().map(|card| (card.name.as_str(), card.id.as_str())).collect::<Vec<_>>(),
        [("web_search", "call_1"), ("web_search", "call_2")]
    );
    assert!(cards.iter().all(|card| card.is_running() && card.updates.len() == 1));
    assert_eq!(cards[0].input.as_ref().and_then(Body::json).unwrap().as_str(), "{\"query\":\"Paris\"}");
    assert_eq!(cards[0].outputs.get("response").map(String::as_str), Some("It is"));
    assert_eq!(cards[0].updates[0].phase, Some(Phase::WebSearch));
    assert!(!format!("{cards:?}{transcript:?}").contains("Paris"));

    // The result in the text stands for all that events have told.
    transcript.push(&chunk(result, None, &at(7)));
    transcript.push(&output("!", "call_1", &at(8)));
    let cards = transcript.tools();
    assert!(!cards[0].is_running() && cards[0].updates.is_empty() && cards[0].outputs.is_empty());
    assert_eq!(cards[0].result.as_ref().and_then(Body::json).unwrap().as_str(), "{\"n\":1}");
    assert!(cards[1].is_running());
}

#[test]
fn what_is_passed_over_shows() {
    let mut few = Transcript::with_limits(TranscriptLimits::DEFAULT.with_events(2));
    for second in 1..=3 {
        assert!(!few.is_truncated());
        few.push(&chunk("x", None, &at(second)));
    }
    assert_eq!((few.text(), few.is_truncated()), ("xx", true));
    // A full text makes up for what came before it, and makes room.
    few.push(&update("Full", &at(4)));
    few.push(&chunk(" text", None, &at(5)));
    assert_eq!((few.text(), few.is_truncated()), ("Full text", false));
    few.push(&tool("WEB_SEARCH", "call_1", &at(6)));
    assert!(few.is_truncated());

    let mut small = Transcript::with_limits(TranscriptLimits::DEFAULT.with_bytes(200));
    small.push(&chunk("kept", None, &at(1)));
    small.push(&chunk(&"x".repeat(200), None, &at(2)));
    assert_eq!((small.text(), small.is_truncated()), ("kept", true));
    small.push(&complete(&"x".repeat(200), &at(3)));
    assert_eq!((small.text(), small.is_truncated(), small.is_done()), ("kept", true, true));
    small.push(&complete("Final", &at(4)));
    assert_eq!((small.text(), small.is_truncated()), ("Final", false));
}

#[test]
fn fragments_and_unknown_events_are_passed_over() {
    let delta = json!({"type": "response_chunk_delta_sse", "chunk_id": "c", "chunk_index": 0, "total_chunks": 1,
        "original_event_type": "response_chunk", "chunk_data": "{}"});
    let new = json!({"type": "new_event", "content": "x", "timestamp": at(9)});
    let mut transcript = transcript(&[event(&delta), event(&new), chunk("a", None, &at(2))]);
    let legacy = json!({"type": "agent_response_chunk", "content": "b", "timestamp": at(3)});
    transcript.push(&event(&legacy));
    assert_eq!(transcript.text(), "ab");
}

/// An event of any kind at any of a few times, or at none that can be read. `number` makes
/// its text one of a kind.
fn any_event(with_full_texts: bool) -> impl Strategy<Value = (u8, u32, Option<u32>)> {
    let kinds = if with_full_texts { 0..12_u8 } else { 0..10_u8 };
    (kinds, 1..4_u32, prop_oneof![8 => (0..6_u32).prop_map(Some), 1 => Just(None)])
}

fn make((kind, step, time): (u8, u32, Option<u32>), number: usize) -> Event {
    let time = &time.map_or_else(|| "soon".to_owned(), at);
    match kind {
        0 | 1 => started(step, time),
        2 => completed(step, time),
        3 | 4 => chunk(&format!("c{number};"), Some(step), time),
        5 => chunk(&format!("c{number};"), None, time),
        6 => checkpoint(&format!("p{number}"), time),
        7 => question(&format!("q{number}"), time),
        8 => tool("WEB_SEARCH", &format!("call_{step}"), time),
        9 => output(&format!("o{number};"), &format!("call_{step}"), time),
        10 => update(&format!("update {number} <<STEP_START>>"), time),
        _ if step == 1 => failed(&format!("e{number}"), time),
        _ if step == 2 => complete(&format!("final {number}"), time),
        _ => checkpoint("again", time),
    }
}

/// The events as the guide says: sorted by time, the rest as they came.
fn sorted(events: &[Event], times: &[Option<u32>]) -> Vec<Event> {
    let mut last = None;
    let mut keyed: Vec<(Option<u32>, &Event)> = Vec::new();
    for (event, time) in events.iter().zip(times) {
        last = time.or(last);
        keyed.push((last, event));
    }
    keyed.sort_by_key(|(time, _)| *time);
    keyed.into_iter().map(|(_, event)| event.clone()).collect()
}

fn state(transcript: &Transcript) -> (String, String, bool, Option<String>) {
    let error = transcript.error().map(|error| error.error.clone());
    let tools =
        transcript.tools().iter().map(|card| format!("{}{:?}{:?};", card.id, card.updates, card.outputs)).collect();
    (transcript.text().to_owned(), tools, transcript.is_done(), error)
}

proptest! {
    #![proptest_config(crate::common::cases(256))]

    #[test]
    fn after_every_event_it_is_as_if_rebuilt(kinds in prop::collection::vec(any_event(true), 0..24)) {
        let events: Vec<Event> = kinds.iter().enumerate().map(|(number, kind)| make(*kind, number)).collect();
        let times: Vec<Option<u32>> = kinds.iter().map(|(_, _, time)| *time).collect();
        let mut live = Transcript::new();
        for (end, event) in events.iter().enumerate() {
            live.push(event);
            let rebuilt = transcript(&sorted(&events[..=end], &times[..=end]));
            prop_assert_eq!(state(&live), state(&rebuilt));
            prop_assert_eq!(live.markup().to_string(), live.text());
        }
        // Asking in between makes no difference.
        prop_assert_eq!(state(&live), state(&transcript(&events)));
    }

    #[test]
    fn a_replay_of_anything_counts_once(
        kinds in prop::collection::vec(any_event(true), 1..16),
        from in any::<prop::sample::Index>(),
    ) {
        let events: Vec<Event> = kinds.iter().map(|kind| make(*kind, 0)).collect();
        let mut live = transcript(&events);
        let before = state(&live);
        live.push(&connected("again"));
        for event in &events[from.index(events.len())..] {
            live.push(event);
            prop_assert_eq!(state(&live), before.clone());
        }
    }

    #[test]
    fn chunks_are_all_there_and_blocks_are_whole(kinds in prop::collection::vec(any_event(false), 0..24)) {
        let mut events: Vec<Event> = kinds.iter().enumerate().map(|(number, kind)| make(*kind, number)).collect();
        let transcript_so_far = transcript(&events);
        for (number, kind) in kinds.iter().enumerate().filter(|(_, kind)| (3..=5).contains(&kind.0)) {
            prop_assert_eq!(transcript_so_far.text().matches(&format!("c{number};")).count(), 1, "{:?}", kind);
        }
        events.push(failed("the end", &at(59)));
        let ended = transcript(&events).markup();
        prop_assert_eq!(ended.faults(), []);
    }
}
