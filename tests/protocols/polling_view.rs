//! The reference reduction of the task API, point by point.

use crate::common::cases;
use agent_contracts::polling::view::{
    Action, Block, BlockKind, EndKind, Message, Review, ReviewKind, Role, TaskEnd, TaskView, ViewLimits,
};
use agent_contracts::polling::{Envelope, TaskStatus};
use agent_contracts::wire::Json;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

type Events<'a> = &'a [(&'a str, Value)];

fn envelope(idx: u64, (kind, data): &(&str, Value)) -> Json {
    json!({"idx": idx, "type": kind, "data": data, "ts": 1.5}).into()
}

fn envelopes(events: Events<'_>) -> Vec<Json> {
    events.iter().zip(0..).map(|(event, idx)| envelope(idx, event)).collect()
}

fn reduced(events: Events<'_>) -> TaskView {
    let mut view = TaskView::new(Some("t".into()), Some("c".into()));
    assert_eq!(view.push_all_json(&envelopes(events)), events.len());
    view
}

/// The messages in short: `U(hi) A(thinking:so text:Hel* tool:id/running)`; `*` is streaming.
fn picture(view: &TaskView) -> String {
    let action = |action: &Action| match action {
        Action::Block(block) => {
            let kind = if block.kind() == BlockKind::Text { "text" } else { "thinking" };
            format!("{kind}:{}{}", block.text(), if block.is_streaming() { "*" } else { "" })
        }
        Action::Tool(tool) => format!("tool:{}/{}", tool.id(), tool.status()),
        other => panic!("{other:?}"),
    };
    let messages = view.messages().iter().map(|message| match message.role() {
        Role::User => format!("U({})", message.text()),
        Role::System => format!("S({})", message.text()),
        _ => format!("A({})", message.actions().iter().map(action).collect::<Vec<_>>().join(" ")),
    });
    messages.collect::<Vec<_>>().join(" ")
}

fn check(table: &[(&str, Events<'_>, &str)]) {
    for (what, events, expected) in table {
        assert_eq!(picture(&reduced(events)), *expected, "{what}");
    }
}

fn chunk(text: &str) -> (&'static str, Value) {
    ("text_chunk", json!({"content": text}))
}

#[test]
fn point_1_only_objects_of_this_task_and_conversation_count() {
    for (envelope, taken) in [
        (json!(7), false),
        (json!([]), false),
        (json!({"idx": 0, "type": "text_chunk"}), false),
        (json!({"idx": 0, "type": "text_chunk", "data": null}), false),
        (json!({"idx": 0, "type": "text_chunk", "data": "x"}), false),
        (json!({"idx": 0, "type": "text_chunk", "data": {"task_id": "other"}}), false),
        (json!({"idx": 0, "type": "text_chunk", "data": {"task_id": 7}}), false),
        (json!({"idx": 0, "type": "text_chunk", "data": {"conversation_id": "other"}}), false),
        (json!({"idx": 0, "type": "text_chunk", "data": {"task_id": "t", "conversation_id": "c"}}), true),
        (json!({"idx": 0, "type": "text_chunk", "data": {"task_id": null}}), true),
        (json!({"idx": 0, "type": 7, "data": {}}), true),
        (json!({"data": {}}), true),
    ] {
        let mut view = TaskView::new(Some("t".into()), Some("c".into()));
        assert_eq!(view.push_json(&envelope.clone().into()), taken, "{envelope}");
        assert_eq!(view.watermark(), taken.then_some(0), "{envelope}");
    }
    let mut any = TaskView::new(None, None);
    assert!(any.push_json(&json!({"idx": 0, "type": "text_chunk", "data": {"task_id": "x", "content": "a"}}).into()));
    assert_eq!(any.messages()[0].id().as_str(), "x:0");
}

#[test]
fn point_2_the_watermark_rises_over_gaps_and_drops_what_comes_again() {
    let mut view = TaskView::new(None, None).starting_at(2);
    for (idx, taken, next) in [
        (json!(1), false, 2),
        (json!(-1), false, 2),
        (json!(2), true, 3),
        (json!(2), false, 3),
        (json!(9), true, 10),
        (json!(4), false, 10),
        (json!(10.5), false, 10),
        (json!("11"), false, 10),
        (json!(true), false, 10),
        (json!(null), false, 10),
        (json!(10.0), true, 11),
        (json!(u64::MAX), false, 11),
        (json!(1e300), false, 11),
    ] {
        let event = json!({"idx": idx, "type": "text_chunk", "data": {"content": "x"}});
        assert_eq!((view.push_json(&event.into()), view.next_idx()), (taken, next), "{idx}");
    }
    let without = Json::from(json!({"type": "text_chunk", "data": {"content": "x"}}));
    assert!(view.push_json(&without) && view.push_json(&without));
    assert_eq!((picture(&view), view.watermark()), ("A(text:xxxxx*)".to_owned(), Some(12)));
}

#[test]
fn point_3_passing_errors_only_end_the_request() {
    for error in [json!({"retry": true, "message": "m"}), json!({"error_type": "parameter_format_error"})] {
        let mut view = reduced(&[
            ("tool_start", json!({"id": "a"})),
            chunk("Hel"),
            ("api_request_start", json!({"attempt": 1, "max_attempts": 5})),
        ]);
        assert!(view.is_request_pending());
        assert!(view.push_json(&envelope(3, &("error", error.clone()))));
        assert!(!view.is_request_pending(), "{error}");
        assert_eq!(view.end(), None, "{error}");
        assert_eq!(picture(&view), "A(tool:a/running text:Hel*)", "{error}");
    }
}

#[test]
fn point_4_user_messages_are_told_apart_by_their_ids() {
    let user = |id: &str, text: &str| ("user_message", json!({"message": text, "message_id": id}));
    check(&[
        ("text is message", &[("user_message", json!({"message": "a", "content": "b"}))], "U(a)"),
        ("else content", &[("user_message", json!({"message": null, "content": "b"}))], "U(b)"),
        ("nor that", &[("user_message", json!({}))], "U()"),
        ("equal texts stay two", &[user("1", "a"), user("2", "a")], "U(a) U(a)"),
        (
            "no ids either",
            &[("user_message", json!({"message": "a"})), ("user_message", json!({"message": "a"}))],
            "U(a) U(a)",
        ),
        (
            "the same id is the same message",
            &[user("1", "a"), chunk("x"), user("1", "b"), chunk("y")],
            "U(b) A(text:xy*)",
        ),
        ("another drops the assistant", &[chunk("x"), user("1", "a"), chunk("y")], "A(text:x) U(a) A(text:y*)"),
    ]);
    let view = reduced(&[
        ("user_message", json!({"message": "a", "visibility": "hidden", "n": 1, "task_id": "t"})),
        ("user_message", json!({"message": "b", "message_id": "m", "n": 1, "kept": true})),
        ("user_message", json!({"message_id": "m", "n": 2})),
    ]);
    let [first, second] = view.messages() else { panic!("{view:?}") };
    assert_eq!((first.id().as_str(), second.id().as_str(), second.text()), ("t:0", "m", "b"));
    let fields = |message| serde_json::to_value(message).unwrap()["fields"].take();
    assert_eq!(fields(first), json!({"visibility": "hidden", "n": 1}));
    assert_eq!(fields(second), json!({"n": 2, "kept": true}));
}

#[test]
fn points_5_and_6_each_start_is_another_attempt() {
    let start = ("ai_message_start", json!({}));
    let request = ("api_request_start", json!({}));
    let view = reduced(&[start.clone(), request.clone(), chunk("a"), request.clone(), chunk("b"), start, chunk("c")]);
    assert_eq!((view.attempt(), view.requests()), (4, 2));
    assert_eq!(picture(&view), "A(text:ab) A(text:c*)");
    let blocks = view.messages().iter().flat_map(Message::blocks);
    assert_eq!(blocks.map(|block| (block.attempt(), block.request())).collect::<Vec<_>>(), [(2, 1), (4, 2)]);
    assert_eq!(picture(&reduced(&[("ai_message_start", json!({}))])), "A()");
}

#[test]
fn point_7_blocks() {
    let thinking = |text: &str| ("thinking_chunk", json!({"content": text}));
    let thought = |full: Value| ("thinking_end", json!({"full_content": full}));
    let said = |full: Value| ("text_end", json!({"full_content": full}));
    let start = |kind: &'static str| (kind, json!({}));
    check(&[
        (
            "a start while open is none",
            &[start("text_start"), chunk("a"), start("text_start"), chunk("b")],
            "A(text:ab*)",
        ),
        ("kinds are open side by side", &[thinking("a"), chunk("b"), thinking("c")], "A(thinking:ac* text:b*)"),
        ("an empty chunk opens nothing", &[chunk("")], ""),
        (
            "nor one that is no string",
            &[("text_chunk", json!({"content": 7})), ("text_chunk", json!({"chunk": "x"}))],
            "",
        ),
        (
            "full content replaces",
            &[thinking("a"), thought(json!("b")), chunk("c"), said(json!("d"))],
            "A(thinking:b text:d)",
        ),
        ("an empty one blanks thinking", &[thinking("a"), thought(json!(""))], "A(thinking:)"),
        ("but not text", &[chunk("a"), said(json!(""))], "A(text:a)"),
        (
            "what is no string only closes",
            &[thinking("a"), thought(json!(7)), chunk("b"), said(json!(null))],
            "A(thinking:a text:b)",
        ),
        (
            "a late end replaces the last",
            &[chunk("a"), said(json!("b")), thinking("x"), said(json!("c"))],
            "A(text:c thinking:x*)",
        ),
        ("or makes one", &[said(json!("a")), thought(json!("b"))], "A(text:a thinking:b)"),
        ("an empty late end of text does nothing", &[chunk("a"), said(json!("b")), said(json!(""))], "A(text:b)"),
        ("nor does one without content", &[start("text_end"), start("thinking_end")], ""),
        (
            "the last of another message is left alone",
            &[chunk("a"), ("user_message", json!({"message": "u"})), said(json!("b"))],
            "A(text:a) U(u) A(text:b)",
        ),
    ]);
}

#[test]
fn point_8_a_complete_element_freezes_its_block() {
    let said = |full: &str| ("text_end", json!({"full_content": full}));
    check(&[
        (
            "later text continues",
            &[chunk("a<show_html>x</show"), chunk("_html>"), chunk("b"), chunk("c")],
            "A(text:a<show_html>x</show_html> text:bc*)",
        ),
        (
            "and the end overwrites neither",
            &[chunk("<show_html>x</show_html>"), chunk("b"), said("all")],
            "A(text:<show_html>x</show_html> text:b)",
        ),
        ("nor the block alone", &[chunk("<show_html>x</show_html>"), said("all")], "A(text:<show_html>x</show_html>)"),
        (
            "a late end overwrites nothing either",
            &[chunk("<show_html>x</show_html>"), chunk("b"), said("all"), said("all")],
            "A(text:<show_html>x</show_html> text:b)",
        ),
        ("an open element does not count", &[chunk("<show_html>x"), chunk("b"), said("all")], "A(text:all)"),
        (
            "nor does thinking",
            &[
                ("thinking_chunk", json!({"content": "<show_html></show_html>"})),
                ("thinking_chunk", json!({"content": "b"})),
                ("thinking_end", json!({"full_content": "all"})),
            ],
            "A(thinking:all)",
        ),
    ]);
}

#[test]
fn point_9_tools_are_found_by_any_of_their_ids() {
    let update = |data: Value| ("update_action", data);
    let preparing = ("tool_preparing", json!({"id": "p", "name": "n", "intent": null}));
    let start = ("tool_start", json!({"id": "s", "preparing_id": "p", "arguments": {"x": 1}}));
    let done = |member: &str, id: &str| update(json!({member: id, "status": "completed"}));
    check(&[
        (
            "unknown tools are made",
            &[preparing.clone(), ("tool_start", json!({"id": "x"}))],
            "A(tool:p/preparing tool:x/running)",
        ),
        ("by these two only", &[done("id", "p"), ("tool_intent", json!({"id": "p", "intent": "i"}))], ""),
        ("by preparing_id", &[preparing.clone(), start.clone(), done("preparing_id", "p")], "A(tool:s/completed)"),
        ("by id", &[preparing.clone(), start.clone(), done("id", "s")], "A(tool:s/completed)"),
        (
            "by what an update has added",
            &[preparing.clone(), update(json!({"id": "p", "execution_id": "e"})), done("tool_call_id", "e")],
            "A(tool:p/completed)",
        ),
        (
            "the first known id counts, and takes the others along",
            &[
                ("tool_preparing", json!({"id": "a"})),
                ("tool_preparing", json!({"id": "b"})),
                update(json!({"id": "a", "preparing_id": "b"})),
                done("id", "b"),
            ],
            "A(tool:a/completed tool:b/preparing)",
        ),
        (
            "ids that are empty or no strings are none",
            &[("tool_start", json!({"id": "", "preparing_id": 7})), done("id", "")],
            "A(tool:/running)",
        ),
        ("preparing comes too late", &[preparing.clone(), start.clone(), preparing.clone()], "A(tool:s/running)"),
    ]);

    let view = reduced(&[
        preparing,
        ("tool_intent", json!({"id": "p", "intent": "whole", "intent_complete": true})),
        ("tool_intent", json!({"id": "p", "intent": "half", "intent_complete": false})),
        start,
        ("tool_preparing", json!({"id": "p", "name": "late", "message": "late"})),
        update(json!({"id": "shown", "preparing_id": "p", "result": {"n": 1}, "intent_complete": false, "extra": [1]})),
    ]);
    let tool = serde_json::to_value(view.messages()[0].tools().next().unwrap()).unwrap();
    let expected = json!({
        "kind": "tool", "id": "s", "name": "n", "status": "running", "intent": "half", "intent_complete": true,
        "arguments": {"x": 1}, "attempt": 0, "request": 0, "fields": {"result": {"n": 1}, "extra": [1]},
    });
    assert_eq!(tool, expected);
}

#[test]
fn point_10_a_reset_takes_back_the_attempt() {
    let request = ("api_request_start", json!({}));
    let reset = ("stream_reset", json!({"reason": "stream_disconnected"}));
    let tool = |id: &str| ("tool_start", json!({"id": id}));
    let done = |id: &str| ("update_action", json!({"id": id, "status": "completed"}));
    check(&[
        (
            "only what it has made",
            &[request.clone(), chunk("a"), tool("x"), request.clone(), tool("y"), reset.clone(), done("x"), done("y")],
            "A(text:a* tool:x/completed)",
        ),
        (
            "in all messages",
            &[chunk("a"), ("user_message", json!({"message": "u"})), chunk("b"), reset.clone(), chunk("c")],
            "A() U(u) A(text:c*)",
        ),
        (
            "a second one takes nothing",
            &[request.clone(), chunk("a"), request.clone(), reset.clone(), reset.clone()],
            "A(text:a*)",
        ),
        (
            "the last block is the one before again",
            &[
                chunk("a"),
                ("text_end", json!({"full_content": "b"})),
                request.clone(),
                chunk("c"),
                reset.clone(),
                ("text_end", json!({"full_content": "d"})),
            ],
            "A(text:d)",
        ),
        ("a started tool is new", &[tool("x"), reset.clone(), tool("x")], "A(tool:x/running)"),
    ]);
    assert_eq!(reduced(&[request, reset]).attempt(), 2);
}

#[test]
fn point_11_approvals_plans_and_questions_wait_until_they_are_resolved() {
    let approval = |id: &str, n: u32| ("tool_approval_required", json!({"approval": {"approval_id": id, "n": n}}));
    let resolved = |id: &str, by: &str| ("tool_approval_resolved", json!({"approval_id": id, "decision": by}));
    let waiting = |events: Events<'_>| {
        let approvals = reduced(events);
        let approvals = approvals.approvals();
        approvals.iter().map(|approval| approval.content().as_str().to_owned()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(
        waiting(&[approval("a", 1), approval("b", 2), approval("a", 3)]),
        r#"{"approval_id":"a","n":3} {"approval_id":"b","n":2}"#,
    );
    for decision in ["approved", "rejected", "expired", "cancelled", "timeout"] {
        assert_eq!(waiting(&[approval("a", 1), resolved("a", decision), approval("a", 2)]), "", "{decision}");
    }
    assert_eq!(waiting(&[approval("a", 1), resolved("a", "maybe")]), r#"{"approval_id":"a","n":1}"#);
    assert_eq!(waiting(&[resolved("a", "approved"), approval("a", 1)]), "");

    let plan =
        |id: &str, at: Value| ("plan_approval_required", json!({"approval": {"approval_id": id, "created_at": at}}));
    let view = reduced(&[
        plan("c", json!("2026-01-02")),
        plan("b", json!(5)),
        plan("a", json!("2026-01-01")),
        plan("gone", json!(1)),
        ("plan_approval_resolved", json!({"approval_id": "gone", "decision": "missing"})),
        ("plan_approval_resolved", json!({"approval_id": "a", "decision": "later"})),
    ]);
    let ids = view.plans().iter().map(|plan| plan.get("approval_id").unwrap().as_string().unwrap()).collect::<Vec<_>>();
    assert_eq!(ids, ["b", "a", "c"]);

    let question = |id: &str, batch: &str, index: u32, at: u32| {
        json!({
            "question_id": id, "batch_id": batch, "batch_index": index, "created_at": at,
        })
    };
    let asked = [
        (
            "user_questions_required",
            json!({"batch_id": "late", "questions": [question("l1", "late", 1, 9), question("l0", "late", 0, 9)]}),
        ),
        ("user_question_required", json!({"question": question("e1", "early", 1, 5)})),
        ("user_question_required", json!({"question": question("e0", "early", 0, 6)})),
    ];
    for (resolved, left) in [
        (json!({}), &["e0", "e1", "l0", "l1"][..]),
        (json!({"question_ids": ["e0", "l1"], "batch_id": "early"}), &["e1", "l0"]),
        (json!({"question_id": "l0"}), &["e0", "e1", "l1"]),
        (json!({"batch_id": "early"}), &["l0", "l1"]),
    ] {
        for kind in ["user_questions_resolved", "user_question_resolved"] {
            let mut events = asked.to_vec();
            events.push((kind, resolved.clone()));
            events.extend(asked.clone());
            let view = reduced(&events);
            let ids = view
                .questions()
                .iter()
                .map(|question| question.get("question_id").unwrap().as_string().unwrap())
                .collect::<Vec<_>>();
            assert_eq!(ids, left, "{kind} {resolved}");
        }
    }
}

#[test]
fn point_11_reviews_and_their_steps_are_bounded() {
    let step =
        |id: Value, stage: &str| ("auto_approval_progress", json!({"approval_id": id, "progress": {"stage": stage}}));
    let goal = |stage: &str| ("goal_review_progress", json!({"progress": {"stage": stage}}));
    let view = reduced(&[
        step(json!("a"), "start"),
        step(json!("b"), "start"),
        step(json!("a"), "done"),
        goal("start"),
        goal("reading"),
        goal("done"),
        goal("reading"),
        goal("start"),
        ("workflow_review_progress", json!({"progress": {"stage": "start"}})),
        ("workflow_review_progress", json!({"progress": "start"})),
    ]);
    let reviews: Vec<_> =
        view.reviews().map(|review| (review.kind(), review.approval_id(), review.progress().len())).collect();
    let (auto, goals) = (ReviewKind::AutoApproval, ReviewKind::Goal);
    let expected = [
        (auto, Some("a"), 2),
        (auto, Some("b"), 1),
        (goals, None, 3),
        (goals, None, 1),
        (goals, None, 1),
        (ReviewKind::Workflow, None, 1),
    ];
    assert_eq!(reviews, expected);

    let many: Vec<_> = (0..50).map(|id| step(json!(format!("a{id}")), "start")).collect();
    let view = reduced(&many);
    let ids: Vec<_> = view.reviews().filter_map(Review::approval_id).collect();
    assert_eq!((ids.len(), ids[0], ids[29]), (30, "a20", "a49"));

    let long: Vec<_> = (0..150).map(|stage| goal(&format!("s{stage}"))).collect();
    let view = reduced(&long);
    let progress = view.reviews().next().unwrap().progress();
    assert_eq!((progress.len(), progress[0].as_str()), (100, r#"{"stage":"s50"}"#));
    assert!(!view.is_truncated());
}

#[test]
fn point_12_the_goal() {
    let goal = |kind: &'static str, data: Value| (kind, data);
    let progress = goal("goal_progress", json!({"goal": "g", "status": "running", "turn_count": 1}));
    for (events, status) in [
        (&[progress.clone()][..], Some("running")),
        (&[goal("goal_progress", json!({"goal": "g"}))], Some("running")),
        (&[goal("goal_progress", json!({"status": "new"}))], Some("new")),
        (&[progress.clone(), goal("goal_completed", json!({"status": "running"}))], Some("done")),
        (&[progress.clone(), goal("goal_stopped", json!({"stopped_reason": "max_turns"}))], Some("stopped")),
        (&[progress.clone(), goal("goal_stopped", json!({"stopped_reason": "user_cancel"}))], None),
    ] {
        assert_eq!(reduced(events).goal().map(|goal| goal.status().as_str()), status, "{events:?}");
    }
    let view = reduced(&[progress, goal("goal_progress", json!({"goal": "g", "turn_count": 2.50, "task_id": "t"}))]);
    assert_eq!(serde_json::to_string(view.goal().unwrap().fields()).unwrap(), r#"{"goal":"g","turn_count":2.5}"#);
}

#[test]
fn point_13_system_messages_are_shown_if_something_in_the_background_is_over() {
    let system = |text: &str| reduced(&[chunk("a"), ("system_message", json!({"content": text})), chunk("b")]);
    for (text, shown) in [
        ("Sub-agent 3 finished", true),
        ("子智能体 3 已完成", true),
        ("background command completed: ls", true),
        ("后台命令已结束", true),
        ("sub-agent started", false),
        ("the task has finished", false),
        ("", false),
    ] {
        let expected = if shown { format!("A(text:ab*) S({text})") } else { "A(text:ab*)".to_owned() };
        assert_eq!(picture(&system(text)), expected);
    }
}

#[test]
fn point_14_the_end_closes_and_cancels() {
    let ends = |kind: &str, data: Value, status: &str| {
        let view = reduced(&[
            ("thinking_chunk", json!({"content": "x"})),
            chunk("y"),
            ("tool_start", json!({"id": "a"})),
            ("update_action", json!({"id": "a", "status": status})),
            ("api_request_start", json!({})),
            (kind, data),
        ]);
        assert!(!view.is_streaming() && !view.is_request_pending(), "{kind}");
        picture(&view)
    };
    for kind in ["task_complete", "task_stopped", "error", "quota_exceeded"] {
        for status in ["preparing", "running", "pending", "queued", "stale", "awaiting_user_answer"] {
            assert_eq!(ends(kind, json!({}), status), "A(thinking:x text:y tool:a/cancelled)", "{kind} {status}");
        }
        for status in ["completed", "failed", "awaiting_approval", "awaiting_plan_approval", "new"] {
            let expected = format!("A(thinking:x text:y tool:a/{status})");
            assert_eq!(ends(kind, json!({}), status), expected, "{kind} {status}");
        }
        for member in ["has_running_sub_agents", "has_running_background_commands", "has_running_multi_agent"] {
            let goes_on = kind.starts_with("task_");
            let expected = if goes_on { "running" } else { "cancelled" };
            let expected = format!("A(thinking:x text:y tool:a/{expected})");
            assert_eq!(ends(kind, json!({member: true}), "running"), expected, "{kind} {member}");
            assert!(ends(kind, json!({member: false}), "running").contains("cancelled"), "{kind} {member}");
        }
    }

    let view = reduced(&[
        chunk("a"),
        ("error", json!({"message": "m", "base_url": "b", "request_dump": "r", "status_code": 500, "task_id": "t"})),
        ("task_complete", json!({"citations": [{"url": "u"}], "total_iterations": 2})),
    ]);
    let end = view.end().unwrap();
    assert_eq!((end.kind(), end.idx(), end.fields().len()), (EndKind::TaskComplete, Some(2), 1));
    assert_eq!(view.messages()[0].fields().get("citations").unwrap().as_str(), r#"[{"url":"u"}]"#);
    let failed = reduced(&[("error", json!({"message": "m", "base_url": "b", "request_dump": "r"}))]);
    assert_eq!(failed.end().unwrap().message().as_deref(), Some("m"));
    assert_eq!(failed.end().unwrap().fields().len(), 1);
}

#[test]
fn point_15_other_types_only_move_the_watermark() {
    let mut known = reduced(&[chunk("a")]);
    let before = picture(&known);
    for (kind, idx) in
        ["brand_new", "token_update", "tool_hint", "todo_updated", "workflow_progress"].into_iter().zip(1..)
    {
        assert!(known.push_json(&envelope(idx, &(kind, json!({"id": "x", "content": "y"})))), "{kind}");
        assert_eq!((picture(&known), known.next_idx()), (before.clone(), idx + 1), "{kind}");
    }
}

#[test]
fn the_status_tells_an_end_that_no_event_has_told() {
    for (events, status, end) in [
        (&[chunk("a")][..], TaskStatus::Succeeded, Some(EndKind::TaskComplete)),
        (&[chunk("a")], TaskStatus::Canceled, Some(EndKind::TaskStopped)),
        (&[chunk("a")], TaskStatus::Stopped, None),
        (&[chunk("a")], TaskStatus::Failed, None),
        (&[chunk("a")], TaskStatus::Running, None),
        (&[chunk("a"), ("error", json!({}))], TaskStatus::Succeeded, None),
    ] {
        let mut view = reduced(events);
        assert_eq!(view.conclude(&status), end, "{status}");
        if end.is_some() {
            assert!(!view.is_streaming());
            assert_eq!(view.end().map(TaskEnd::idx), Some(None));
            assert_eq!(view.conclude(&status), None);
        }
    }
}

#[test]
fn typed_envelopes_go_the_same_way() {
    let text = r#"{"idx":0,"type":"tool_start","data":{"id":"a","name":"n","preparing_id":"p","monitor_snapshot":null,
        "arguments":{"n":12345678901234567890123},"conversation_id":"c"},"ts":1.50}"#;
    let (mut typed, mut raw) = (TaskView::new(None, None), TaskView::new(None, None));
    assert!(typed.push(&Envelope::from_json(text).unwrap()));
    assert!(raw.push_json(&Json::parse(text).unwrap()));
    assert_eq!(typed, raw);
    let arguments = typed.messages()[0].tools().next().unwrap().arguments().unwrap();
    assert_eq!(arguments.as_str(), r#"{"n":12345678901234567890123}"#);
}

#[test]
fn serialised_for_interfaces() {
    let view = reduced(&[("ai_message_start", json!({})), ("thinking_chunk", json!({"content": "x"}))]);
    let expected = json!({
        "task_id": "t", "conversation_id": "c", "next_idx": 2, "attempt": 1, "requests": 0, "request_pending": false,
        "streaming": true, "truncated": false, "approvals": [], "questions": [], "plans": [], "reviews": [],
        "goal": null, "end": null,
        "messages": [{"id": "t:0", "role": "assistant", "text": "", "fields": {}, "actions": [
            {"kind": "thinking", "text": "x", "streaming": true, "truncated": false, "attempt": 1, "request": 0},
        ]}],
    });
    assert_eq!(serde_json::to_value(&view).unwrap(), expected);
}

#[test]
fn debug_shows_no_value() {
    let secret = "hunter2";
    let view = reduced(&[
        ("user_message", json!({"message": secret, "x": secret})),
        ("thinking_chunk", json!({"content": secret})),
        ("tool_start", json!({"id": secret, "name": secret, "arguments": {"a": secret}, "x": secret})),
        ("update_action", json!({"id": secret, "message": secret, "result": secret})),
        ("tool_approval_required", json!({"approval": {"approval_id": secret}})),
        ("goal_progress", json!({"goal": secret})),
        ("goal_review_progress", json!({"progress": {"message": secret}})),
        ("task_stopped", json!({"message": secret})),
    ]);
    let shown = format!(
        "{view:?} {:?} {:?} {:?} {:?} {:?}",
        view.messages(),
        view.approvals(),
        view.goal(),
        view.reviews().collect::<Vec<_>>(),
        view.end(),
    );
    assert!(!shown.contains(secret), "{shown}");
}

#[test]
fn what_does_not_fit_is_left_out_and_said() {
    let small = |limits: ViewLimits, events: Events<'_>| {
        let mut view = TaskView::with_limits(None, None, limits);
        view.push_all_json(&envelopes(events));
        assert!(view.is_truncated());
        assert_eq!(view.next_idx(), events.len() as u64);
        view
    };
    let limits = ViewLimits::DEFAULT;

    // Room for a message, a block and a few characters.
    let events = [chunk("abcde"), chunk(&"x".repeat(400)), chunk("f"), ("task_complete", json!({}))];
    let view = small(limits.with_bytes(700), &events);
    assert_eq!(picture(&view), "A(text:abcde)", "a text has no hole");
    assert!(view.messages()[0].blocks().all(Block::is_truncated));
    assert!(view.end().is_some());

    let user = ("user_message", json!({"message": "a"}));
    assert_eq!(picture(&small(limits.with_messages(2), &[user.clone(), user.clone(), user])), "U(a) U(a)");

    let approval = |id: &str| ("tool_approval_required", json!({"approval": {"approval_id": id}}));
    let view = small(limits.with_pending(2), &[approval("a"), approval("b"), approval("c")]);
    let ids: Vec<_> = view.approvals().iter().map(|approval| approval.content().as_str().to_owned()).collect();
    assert_eq!(ids, [r#"{"approval_id":"b"}"#, r#"{"approval_id":"c"}"#]);

    // Even then a tool ends, and what was taken back makes room.
    let big = json!("y".repeat(4000));
    let view = small(
        limits.with_bytes(2000),
        &[
            ("tool_start", json!({"id": "a"})),
            ("update_action", json!({"id": "a", "status": "completed", "result": big})),
        ],
    );
    assert_eq!(picture(&view), "A(tool:a/completed)");
    let mut full = TaskView::with_limits(None, None, limits.with_bytes(1200));
    for idx in 0..100 {
        let (chunk, reset) = (chunk("0123456789"), ("stream_reset", json!({})));
        let tool = ("tool_start", json!({"id": format!("tool {idx}")}));
        for (place, event) in [chunk, tool, reset].iter().enumerate() {
            full.push_json(&envelope(idx * 3 + place as u64, event));
        }
    }
    assert!(!full.is_truncated());
}

/// Hostile streams: each would take minutes if the time for an event grew with what came before.
#[test]
fn long_streams_take_time_by_their_length() {
    const LENGTH: u64 = if cfg!(debug_assertions) { 10_000 } else { 100_000 };
    let tool = |idx: u64| ("tool_start", json!({"id": format!("t{idx}")}));
    let kinds: [&dyn Fn(u64) -> (&'static str, Value); 8] = [
        &|_| chunk("<show_html "),
        &|idx| if idx % 2 == 0 { tool(idx) } else { ("task_stopped", json!({})) },
        &|idx| if idx < LENGTH / 2 { tool(idx) } else { ("stream_reset", json!({})) },
        &|idx| match idx {
            0 => ("ai_message_start", json!({})),
            idx if idx < LENGTH / 2 => ("system_message", json!({"content": "sub-agent finished"})),
            _ => ("stream_reset", json!({})),
        },
        &|idx| if idx < LENGTH / 2 { tool(idx) } else { ("text_end", json!({"full_content": "x"})) },
        &|idx| match idx % 3 {
            _ if idx < LENGTH / 2 => tool(idx),
            0 => ("api_request_start", json!({})),
            1 => chunk("x"),
            _ => ("stream_reset", json!({})),
        },
        &|idx| if idx == 0 { tool(0) } else { ("update_action", json!({"id": "t0", format!("k{idx}"): 1})) },
        &|idx| ("user_question_required", json!({"question": {"question_id": format!("q{idx}"), "batch_id": "b"}})),
    ];
    for make in kinds {
        let mut view = TaskView::new(None, None);
        for idx in 0..LENGTH {
            assert!(view.push_json(&envelope(idx, &make(idx))));
        }
    }
}

/// Any event of the reduction, with few ids, so that they meet.
fn event() -> impl Strategy<Value = (&'static str, Value)> {
    let id = || select(vec!["a", "b", "c"]);
    let text = || select(vec!["", "x", "yz", "<show_html>", "</show_html>"]);
    let flag = any::<bool>;
    prop_oneof![
        (id(), text()).prop_map(|(id, text)| ("user_message", json!({"message_id": id, "message": text}))),
        text().prop_map(|text| ("user_message", json!({"message": text}))),
        select(vec!["ai_message_start", "api_request_start", "thinking_start", "text_start", "stream_reset", "new"])
            .prop_map(|kind| (kind, json!({}))),
        (select(vec!["thinking_chunk", "text_chunk"]), text())
            .prop_map(|(kind, text)| (kind, json!({"content": text}))),
        (select(vec!["thinking_end", "text_end"]), text())
            .prop_map(|(kind, text)| (kind, json!({"full_content": text}))),
        (select(vec!["tool_preparing", "tool_start", "tool_intent", "update_action"]), id(), id(), flag()).prop_map(
            |(kind, id, other, flag)| {
                let status = if flag { "completed" } else { "running" };
                (kind, json!({"id": id, "preparing_id": other, "status": status, "intent_complete": flag, id: other}))
            }
        ),
        (id(), flag()).prop_map(|(id, flag)| {
            let decision = if flag { "approved" } else { "unknown" };
            ("tool_approval_resolved", json!({"approval_id": id, "decision": decision}))
        }),
        id().prop_map(|id| ("tool_approval_required", json!({"approval": {"approval_id": id}}))),
        (id(), 0..3).prop_map(|(id, index)| {
            ("user_question_required", json!({"question": {"question_id": id, "batch_id": id, "batch_index": index}}))
        }),
        (select(vec!["goal_progress", "goal_stopped", "goal_review_progress"]), id())
            .prop_map(|(kind, id)| (kind, json!({"goal": id, "progress": {"stage": id}}))),
        (select(vec!["task_complete", "task_stopped", "error", "quota_exceeded"]), flag())
            .prop_map(|(kind, flag)| (kind, json!({"retry": flag, "has_running_sub_agents": flag, "citations": [1]}))),
    ]
}

proptest! {
    #![proptest_config(cases(400))]

    /// A batch that comes again, from whatever offset, changes nothing.
    #[test]
    fn redelivery_changes_nothing(events in prop::collection::vec(event(), 0..60), part in 0_usize..=60) {
        let once = reduced(&events);
        let events = envelopes(&events);
        let seen = part.min(events.len());
        let mut twice = TaskView::new(Some("t".into()), Some("c".into()));
        twice.push_all_json(&events[..seen]);
        let before = twice.clone();
        prop_assert_eq!(twice.push_all_json(&events[..seen]), 0);
        prop_assert_eq!(&twice, &before);
        prop_assert_eq!(twice.push_all_json(&events), events.len() - seen);
        prop_assert_eq!(&twice, &once);
    }

    /// How events are cut into batches does not matter, and the view always can be shown.
    #[test]
    fn batches_of_any_size_give_the_same(events in prop::collection::vec(event(), 0..60), size in 1_usize..9) {
        let one_by_one = reduced(&events);
        let mut batched = TaskView::new(Some("t".into()), Some("c".into()));
        for batch in envelopes(&events).chunks(size) {
            batched.push_all_json(batch);
        }
        prop_assert_eq!(&batched, &one_by_one);
        prop_assert_eq!(serde_json::to_value(&batched).unwrap(), serde_json::to_value(&one_by_one).unwrap());
        let open = batched.messages().iter().flat_map(Message::blocks).any(Block::is_streaming);
        prop_assert_eq!(open, batched.is_streaming());
    }

    /// After a reset nothing of the attempt is left, and the ids of its tools are unknown.
    #[test]
    fn a_reset_leaves_nothing_of_the_attempt(events in prop::collection::vec(event(), 0..60)) {
        let mut view = reduced(&events);
        let attempt = view.attempt();
        let next = view.next_idx();
        let gone = |view: &TaskView| {
            let mut tools = view.messages().iter().flat_map(Message::tools);
            let mut blocks = view.messages().iter().flat_map(Message::blocks);
            tools.all(|tool| tool.attempt() != attempt) && blocks.all(|block| block.attempt() != attempt)
        };
        view.push_json(&envelope(next, &("stream_reset", json!({}))));
        prop_assert!(gone(&view));
        for (id, idx) in ["a", "b", "c"].iter().zip(next + 1..) {
            view.push_json(&envelope(idx, &("update_action", json!({"id": id, "status": "s"}))));
        }
        prop_assert!(gone(&view));
    }

    /// With hardly any room nothing breaks, and what is kept stays within it.
    #[test]
    fn bounds_hold(events in prop::collection::vec(event(), 0..60), bytes in 0_usize..4000, pending in 0_usize..3) {
        let limits = ViewLimits::DEFAULT.with_bytes(bytes).with_pending(pending).with_messages(4);
        let mut view = TaskView::with_limits(None, None, limits);
        prop_assert_eq!(view.push_all_json(&envelopes(&events)), events.len());
        let texts = view.messages().iter().flat_map(Message::blocks).map(|block| block.text().len());
        prop_assert!(texts.sum::<usize>() <= bytes && view.messages().len() <= 4);
        prop_assert!(view.approvals().len() <= pending && view.questions().len() <= pending);
    }
}
