//! Toy protocols that need what the real ones will: a tag in the SSE frame, a tag and
//! content side by side, aliases, and tags that are known by their suffix.

#![allow(dead_code, reason = "toys use their part of what the macros make")]

use super::decode::{Outcome, from_json};
use super::names::{ids, string_enum};
use super::payload::payload;
use super::scan::Cursor;
use super::union::{decode_beside, tagged_union};
use super::*;
use crate::stream::lines::{Line, LineSplitter};
use crate::stream::sse;

ids!(
    /// A toy id.
    ToolId,
);

string_enum! {
    open
    /// A toy status.
    pub enum Mood {
        /// Good.
        Good = "good",
        /// Bad.
        Bad = "bad",
    }
}

string_enum! {
    closed
    /// A toy role.
    pub enum Role {
        /// The user.
        User = "user",
        /// The agent.
        Agent = "agent",
    }
}

payload! {
    /// A tool begins.
    pub struct ToolStart = "ToyToolStart", open {
        /// The tool's id.
        required id: ToolId = "tool_execution_id",
        /// How it feels.
        optional mood: Mood = "mood",
        /// Who asked; null says nobody.
        optional role: Nullable<Role> = "role",
        /// How often; any integer.
        expected count: Integer = "count",
    }
}

payload! {
    /// A fragment of a payload.
    pub struct Fragment = "ToyFragment", open {
        /// The text.
        required chunk: String = "chunk",
    }
}

tagged_union! {
    /// A toy event, named by its frame.
    pub enum FrameEvent, FrameEventType = "ToyFrameEvent", tag frame {
        /// A tool begins.
        ToolStart(ToolStart) = "tool_start" | OldToolStart = "toolStart" since "2",
    }
    suffix {
        /// A fragment of any event.
        Delta(Fragment) = "_delta_sse",
    }
}

tagged_union! {
    /// A toy event, named by a member.
    pub enum FlatEvent, FlatEventType = "ToyFlatEvent", tag member "type" {
        /// A tool begins.
        ToolStart(ToolStart) = "tool_start" | OldToolStart = "toolStart",
    }
    suffix {
        /// A fragment of any event.
        Delta(Fragment) = "_delta_sse",
    }
}

#[test]
fn the_frame_names_the_event() {
    let mut parser = sse::Parser::new();
    let mut events = Vec::new();
    let stream = "event: tool_start\ndata: {\"tool_execution_id\":\"t1\",\ndata: \"type\":\"kept\"}\n\nevent: text_delta_sse\ndata: {\"chunk\":\"a\"}\n\n";
    parser.push(stream.as_bytes(), |item| {
        if let sse::Item::Frame(frame) = item {
            let name = std::str::from_utf8(frame.event.map(|field| field.value).unwrap()).unwrap();
            let data = std::str::from_utf8(frame.data).unwrap();
            events.push(FrameEvent::from_tagged_json(name, data).unwrap());
        }
    });
    let FrameEvent::ToolStart(start) = &events[0] else { panic!("{events:?}") };
    assert_eq!(start.id.as_str(), "t1");
    assert_eq!(start.extra.get("type").unwrap().as_str(), "\"kept\"");
    let FrameEvent::Delta(delta) = &events[1] else { panic!("{events:?}") };
    assert_eq!((&*delta.tag, delta.content.chunk.as_str()), ("text_delta_sse", "a"));
    let mut out = String::new();
    sse::write_frame(&mut out, None, Some(events[1].tag()), &serde_json::to_string(&events[1]).unwrap());
    assert_eq!(out, "event: text_delta_sse\ndata: {\"chunk\":\"a\"}\n\n");
}

type Members = Vec<(String, String)>;

/// Tag, content and the rest of an envelope.
fn beside(text: &str) -> Outcome<(String, String, Members)> {
    let mut rest = Vec::new();
    let dispatch = |tag: &str, cursor: &mut Cursor<'_>| Ok((tag.to_owned(), cursor.raw()?.to_owned()));
    let both = decode_beside(&mut Cursor::new(text, 128), ["type", "data"], dispatch, |name, cursor| {
        rest.push((name.to_owned(), cursor.raw()?.to_owned()));
        Ok(())
    })?;
    both.map(|(tag, content)| (tag, content, rest))
}

#[test]
fn tag_and_content_side_by_side() {
    let text = r#"{"idx":3,"data":{"tool_execution_id":"t1","role":null},"ts":1.5,"type":"toolStart","more":1}"#;
    let (tag, content, rest) = beside(text).unwrap();
    let event = FrameEvent::from_tagged_json(&tag, &content).unwrap();
    assert_eq!((event.known_type(), event.tag()), (Some(FrameEventType::OldToolStart), "toolStart"));
    let rest: Vec<_> = rest.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    assert_eq!(rest, [("idx", "3"), ("ts", "1.5"), ("more", "1")]);
}

#[test]
fn what_decodes_comes_back() {
    let cases = [
        (r#"{"type":"tool_start","tool_execution_id":"t","count":1.0}"#, Some(FlatEventType::ToolStart)),
        (
            r#"{"tool_execution_id":"t","mood":"new","x":[1,{"b":2,"a":1e2}],"type":"tool_start"}"#,
            Some(FlatEventType::ToolStart),
        ),
        (r#"{"type":"x_delta_sse","chunk":"é\n"}"#, None),
        (r#"{"type":"unheard","big":12345678901234567890123}"#, None),
        (r#"{"type":"unheard","type":"tool_start","tool_execution_id":"t"}"#, Some(FlatEventType::ToolStart)),
        (r#"{"type":5,"type":"tool_start","tool_execution_id":"t"}"#, Some(FlatEventType::ToolStart)),
        (r#"{"type":["x"],"tool_execution_id":"t","type":"tool_start"}"#, Some(FlatEventType::ToolStart)),
        (r#"{"type":"tool_start","type":null,"tool_execution_id":"t","type":"unheard"}"#, None),
    ];
    for (text, known) in cases {
        let event = FlatEvent::from_json(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(event.known_type(), known, "{text}");
        assert_eq!(from_json::<Json>(&event.to_json()).unwrap(), from_json::<Json>(text).unwrap());
        let through_serde: FlatEvent = serde_json::from_str(text).unwrap();
        assert_eq!(through_serde, event);
    }
    let old = FlatEvent::from_json(r#"{"type":"toolStart","tool_execution_id":"t"}"#).unwrap();
    assert_eq!(old.to_json(), r#"{"type":"toolStart","tool_execution_id":"t"}"#);
    assert_eq!((FrameEventType::ToolStart.since(), FlatEventType::ToolStart.since()), (Some("2"), None));
}

#[test]
fn of_several_tags_the_last_has_to_be_good() {
    let no_string = ErrorKind::Type("a string");
    let cases = [
        (r#"{"type":"tool_start","type":5,"tool_execution_id":"t"}"#, "5,", no_string),
        (r#"{ "type":"tool_start", "tool_execution_id":"t", "type":5 }"#, "5 ", no_string),
        (r#"{"tool_execution_id":"t","type":"tool_start","type":5}"#, "5}", no_string),
        (r#"{"type":4,"type":5,"tool_execution_id":"t"}"#, "5,", no_string),
        ("{\"type\":\"new\u{FFFD}\",\"type\":\"new\\ud800\"}", "\"new\\", ErrorKind::LoneSurrogate),
    ];
    for (text, place, kind) in cases {
        let error = FlatEvent::from_json(text).unwrap_err();
        let found = (error.kind(), error.path(), error.offset());
        assert_eq!(found, (kind, "$.type", text.find(place).unwrap()), "{text}");
    }
}

#[test]
fn of_several_tags_and_contents_the_last_count() {
    for (text, tag, content) in [
        (r#"{"type":5,"data":{},"type":"b"}"#, "b", "{}"),
        (r#"{"type":"a","data":{},"type":"b"}"#, "b", "{}"),
        (r#"{"type":"a","data":{},"data":[2]}"#, "a", "[2]"),
        (r#"{"data":{},"type":"a","data":[2],"type":"b"}"#, "b", "[2]"),
    ] {
        let (found, read, _) = beside(text).unwrap();
        assert_eq!((&*found, &*read), (tag, content), "{text}");
    }
    for (text, offset) in [
        (r#"{"type":"a","data":{},"type":5}"#, 29),
        (r#"{"type":"a","data":{]}"#, 20),
        (r#"{"type":"a","data":{]},"data":{}}"#, 20),
        (r#" {"type":"a"}"#, 1),
        (r#" {"data":{}}"#, 1),
    ] {
        assert_eq!(beside(text).err().map(|fault| fault.offset), Some(offset), "{text}");
    }
}

#[test]
fn a_known_tag_with_a_bad_body_is_an_error_with_its_place() {
    let cases = [
        (r#"{"type":"tool_start"}"#, "$.tool_execution_id", "the required member is missing"),
        (r#"{"type":"tool_start","tool_execution_id":null}"#, "$.tool_execution_id", "expected a string"),
        (r#"{"type":"tool_start","tool_execution_id":"a","role":"king"}"#, "$.role", "expected one of `user`, `agent`"),
        (r#"{"type":"tool_start","tool_execution_id":"a","count":1.5}"#, "$.count", "expected an integer"),
        (
            r#"{"type":"tool_start","tool_execution_id":"\ud800"}"#,
            "$.tool_execution_id",
            "a lone surrogate escape cannot be held by a string",
        ),
        (r#"{"tool_execution_id":"a"}"#, "$.type", "the required member is missing"),
        (r#"{"type":"tool_start","tool_execution_id":"a"} x"#, "$", "something follows the value"),
        (r#"["tool_start"]"#, "$", "expected an object"),
    ];
    for (text, path, message) in cases {
        let error = FlatEvent::from_json(text).unwrap_err();
        assert_eq!((error.path(), error.kind().to_string().as_str()), (path, message), "{text}");
    }
}

#[test]
fn constructors_ask_for_what_is_required() {
    let event: FlatEvent = ToolStart::new("t1", 2_i64).with_mood("good").with_role(Nullable::Null).into();
    assert_eq!(
        event.to_json(),
        r#"{"type":"tool_start","tool_execution_id":"t1","mood":"good","role":null,"count":2}"#
    );
}

#[test]
fn ids_are_found_by_their_text() {
    let hashed = std::collections::HashMap::from([(ToolId::from("t1"), 1)]);
    let sorted = std::collections::BTreeMap::from([(ToolId::from("t1"), 1)]);
    assert_eq!((hashed.get("t1"), sorted.get("t1")), (Some(&1), Some(&1)));
    assert_eq!((hashed.get("t2"), sorted.get("t2")), (None, None));
}

#[test]
fn lines_decode_one_by_one() {
    let mut splitter = LineSplitter::with_limit(1000);
    let mut count = 0;
    splitter.push(b"{\"type\":\"a\"}\n{\"type\":\"b\"}\n", |line| {
        if let Line::Text { bytes, .. } = line {
            FlatEvent::from_json(std::str::from_utf8(bytes).unwrap()).unwrap();
            count += 1;
        }
    });
    assert_eq!(count, 2);
}
