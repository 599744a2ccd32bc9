//! Random faults in JSON values.

use agent_contracts::{Protocol, agui, lime, polling, social_app, ubik};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};

use super::{Place, at_place, count_places};

/// What happens to an event at one of its members or elements.
#[derive(Clone, Debug)]
pub enum Mutation {
    Remove,
    Set(Value),
    /// Gives the member another name.
    Rename(&'static str),
    /// Puts the value under another name as well.
    Copy(&'static str),
    /// Gives the object that has the member another tag.
    Retag(String),
}

/// Members that tell unions apart, and open lists.
const TAGS: [&str; 6] = ["type", "op", "role", "eventClass", "status", "subtype"];

impl Mutation {
    pub fn any(protocol: &Protocol) -> impl Strategy<Value = Self> {
        let values = json!([
            null, "", "text", "/a/b", "/a~2", -1, 1, 1.5, 1.0, -0.0, 1e300, 9_007_199_254_740_993_u64, true, [], [1],
            ["a"], {}, {"x": null}
        ]);
        let values = values.as_array().unwrap().clone();
        let mut names = vec![
            "type",
            "id",
            "messageId",
            "role",
            "op",
            "path",
            "value",
            "content",
            "metadata",
            "outcome",
            "payload",
            "sequence",
            "eventClass",
            "runtimeId",
            "threadId",
            "runId",
            "toolCallId",
            "tool_call_id",
            "args",
            "result",
            "ui_schema",
            "totalTokens",
            "costSource",
            "extra",
            "",
        ];
        match protocol.id() {
            "ubik" => names.extend([
                "message_id",
                "task_id",
                "timestamp",
                "created_at",
                "step",
                "progress",
                "tool_name",
                "tool_input",
                "chunk_id",
                "chunk_index",
                "chunk_data",
            ]),
            "polling" => names.extend([
                "idx",
                "ts",
                "task_id",
                "workspace_id",
                "full_content",
                "index",
                "message",
                "preparing_id",
                "execution_id",
                "status",
                "approval",
            ]),
            _ => {}
        }
        prop_oneof![
            2 => Just(Self::Remove),
            4 => select(values).prop_map(Self::Set),
            1 => select(names.clone()).prop_map(Self::Rename),
            1 => select(names).prop_map(Self::Copy),
            2 => select(tags(protocol)).prop_map(Self::Retag),
        ]
    }

    /// Changes the value at one of its places.
    pub fn apply(&self, event: &mut Value, at: Index) {
        let places = count_places(event);
        if places == 0 {
            return;
        }
        at_place(event, at.index(places), &mut |place| match (self, place) {
            (Self::Remove, place) => drop(place.remove()),
            (Self::Set(value), place) => place.set(value.clone()),
            (Self::Rename(name), Place::Member(members, old)) => {
                let value = members.remove(old).unwrap_or_default();
                members.insert((*name).into(), value);
            }
            (Self::Copy(name), Place::Member(members, old)) => {
                let value = members[old].clone();
                members.insert((*name).into(), value);
            }
            (Self::Retag(tag), Place::Member(members, name)) => {
                // The place itself if it is a tag, else a tag beside it.
                let beside = TAGS.into_iter().find(|member| members.contains_key(*member)).unwrap_or(name);
                let member = if TAGS.contains(&name) { name } else { beside };
                members.insert(member.into(), tag.as_str().into());
            }
            (_, Place::Element(items, index)) => items.push(items[index].clone()),
        });
    }
}

/// Known tags of all unions, retired ones, and unknown ones.
fn tags(protocol: &Protocol) -> Vec<String> {
    let mut tags: Vec<&str> = vec!["", "made.up", "SOMETHING_NEW"];
    match protocol.id() {
        "lime" => {
            tags.extend(lime::EventClass::KNOWN);
            tags.extend(lime::LEGACY_TURN_TERMINALS);
            tags.push("Turn.Cancelled");
        }
        "agui" => {
            tags.extend(agui::EventType::ALL.iter().map(|event| event.as_str()));
            tags.extend(agui::MessageRole::ALL.iter().map(|role| role.as_str()));
            tags.extend(agui::JsonPatchOperationType::ALL.iter().map(|operation| operation.as_str()));
            tags.extend(agui::ContentPartType::ALL.iter().map(|part| part.as_str()));
            tags.extend(agui::PartSourceType::ALL.iter().map(|source| source.as_str()));
            tags.extend(agui::RunFinishedOutcomeType::ALL.iter().map(|outcome| outcome.as_str()));
            tags.extend(["THINKING_START", "binary", "suspended", "tool-call", "message"]);
        }
        "social-app" => {
            tags.extend(social_app::EventType::ALL.iter().map(|event| event.as_str()));
            for words in [
                social_app::ToolStatus::KNOWN,
                social_app::TextStatus::KNOWN,
                social_app::ToolRole::KNOWN,
                social_app::AssistantRole::KNOWN,
            ] {
                tags.extend(words);
            }
            // Of AG-UI alone, of the backend itself, and of nobody.
            tags.extend(["TEXT_MESSAGE_START", "run.started", "cancelled"]);
        }
        "ubik" => {
            tags.extend(ubik::EventType::ALL.iter().map(|event| event.as_str()));
            for words in [ubik::Phase::KNOWN, ubik::ToolStatus::KNOWN, ubik::InputType::KNOWN] {
                tags.extend(words);
            }
            // Fragments, an older generation of tools, and what belongs to their own stream.
            tags.extend(["tool_update_delta_sse", "_delta_sse", "tool_log", "tool_end"]);
        }
        "polling" => {
            tags.extend(polling::EventType::ALL.iter().map(|event| event.as_str()));
            for words in [polling::ToolStatus::KNOWN, polling::TaskStatus::KNOWN, polling::ApprovalDecision::KNOWN] {
                tags.extend(words);
            }
            // Made by clients, and what stands in the payload of others.
            tags.extend(["runtime_queue_sync", "view_invalidated", "warning", "fast"]);
        }
        other => panic!("{other} is not tested here"),
    }
    tags.into_iter().map(str::to_owned).collect()
}
