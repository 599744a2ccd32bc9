//! What AG-UI has no place for: members go into `metadata`, whole events into CUSTOM.

use serde::Serialize;

use crate::agui::{RunId, ThreadId, carry};
use crate::check::Limits;
use crate::check::leaks::{is_secret_key, is_token_counter, names_a_secret};
use crate::check::tree::{Member, Node, Value};
use crate::polling::events::{ConversationId, Event, INTERNAL, TaskId, WorkspaceId};
use crate::wire::{Extra, Json, JsonObject};

/// The member of `metadata` that holds what AG-UI has no place for, and the beginning of the
/// names of CUSTOM.
pub(super) const KEY: &str = "polling";

/// The ids of a run, which its events need not repeat.
#[derive(Clone)]
pub(super) struct Scope {
    pub(super) thread: ThreadId,
    pub(super) run: RunId,
    stem: String,
    workspace: Option<WorkspaceId>,
}

impl Scope {
    /// The ids that are given, or that the first event has. One that is missing is the same as
    /// the other.
    pub(super) fn new(task: Option<TaskId>, conversation: Option<ConversationId>, first: Option<&Event>) -> Self {
        let task = task.or_else(|| first?.task_id());
        let conversation = conversation.or_else(|| first?.conversation_id());
        let task = task.as_ref().map(TaskId::as_str).filter(|id| !id.is_empty());
        let conversation = conversation.as_ref().map(ConversationId::as_str).filter(|id| !id.is_empty());
        let run = task.or(conversation).unwrap_or(KEY);
        Self {
            thread: conversation.or(task).unwrap_or(KEY).into(),
            run: run.into(),
            stem: carry::stem(run),
            workspace: first.and_then(Event::workspace_id),
        }
    }

    /// An id that nothing of another run has.
    pub(super) fn id(&self, what: &str, which: impl std::fmt::Display) -> String {
        format!("{}:{what}:{which}", self.stem)
    }

    /// Whether an id could be one of [`id`](Self::id).
    pub(super) fn owns(&self, id: &str) -> bool {
        id.strip_prefix(self.stem.as_str()).is_some_and(|rest| rest.starts_with(':'))
    }

    /// What is said of the run at its beginning.
    pub(super) fn announcement(&self) -> Option<JsonObject> {
        let workspace = self.workspace.as_ref()?;
        Some(wrapped(&format!("{{\"workspace_id\":{}}}", quoted(workspace.as_str()))))
    }

    /// The members of a payload, but for those that are `consumed`, as `metadata`.
    pub(super) fn metadata(&self, payload: &impl Serialize, consumed: &[&str]) -> Option<JsonObject> {
        carry::metadata(KEY, &self.harmless(&carry::members(payload), consumed))
    }

    /// The same as the value of CUSTOM, which needs one.
    pub(super) fn value(&self, event: &Event) -> Json {
        let mut all = carry::members(event);
        if let Event::Unknown(unknown) = event
            && let Some(content) = unknown.content()
        {
            all.push("data", content.clone());
        }
        carry::object(&self.harmless(&all, &[]))
    }

    /// The members that AG-UI takes and that are not known from elsewhere.
    fn harmless(&self, members: &Extra, consumed: &[&str]) -> Extra {
        let is_said = |name: &str, value| INTERNAL.contains(&name) || self.says(name, value);
        // The name of this counter would be taken for that of a secret.
        let has_other = members.get("used_tokens").is_some();
        let named = |name| if name == "tokens_used" && !has_other { "used_tokens" } else { name };
        let left = members.iter().filter(|(name, value)| !consumed.contains(name) && !is_said(name, value));
        carry::harmless(KEY, left.map(|(name, value)| (named(name), value)))
    }

    /// Whether a member only says what the run has said.
    fn says(&self, name: &str, value: &Json) -> bool {
        match name {
            "task_id" => true,
            "conversation_id" => value.as_string().as_deref() == Some(self.thread.as_str()),
            "workspace_id" => value.as_string().as_deref() == self.workspace.as_ref().map(WorkspaceId::as_str),
            _ => false,
        }
    }
}

/// How a tool ended that nothing was said of.
pub(super) fn status(word: &str) -> JsonObject {
    wrapped(&format!("{{\"status\":{}}}", quoted(word)))
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn wrapped(object: &str) -> JsonObject {
    JsonObject::from_valid(&format!("{{\"{KEY}\":{object}}}"))
}

/// A text that is JSON, without the members that name secrets; `None` if there are none. AG-UI
/// looks into the answers of tools, the task API does not look into texts.
pub(super) fn without_secrets(text: &str) -> Option<String> {
    let node = Node::parse(text, Limits::DEFAULT.depth).ok()?;
    if !names_a_secret(&node) {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    write_harmless(&node, text, &mut out);
    Some(out)
}

fn write_harmless(node: &Node<'_>, text: &str, out: &mut String) {
    match &node.value {
        Value::Object(_) => {
            out.push('{');
            for (at, member) in node.members().iter().filter(|member| !is_secret(member)).enumerate() {
                out.push_str(if at == 0 { "" } else { "," });
                out.push_str(text.get(member.key_span()).unwrap_or_default());
                out.push(':');
                write_harmless(&member.node, text, out);
            }
            out.push('}');
        }
        Value::Array(_) => {
            out.push('[');
            for (at, element) in node.elements().iter().enumerate() {
                out.push_str(if at == 0 { "" } else { "," });
                write_harmless(element, text, out);
            }
            out.push(']');
        }
        _ => out.push_str(text.get(node.span()).unwrap_or("null")),
    }
}

fn is_secret(member: &Member<'_>) -> bool {
    is_secret_key(&member.key) && !is_token_counter(&member.key, member.node.kind())
}
