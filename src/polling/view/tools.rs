//! Tool calls.

use std::borrow::Cow;
use std::fmt;

use serde::Serialize;

use super::super::events::is_scope;
use super::blocks::Stamp;
use super::content::Content;
use super::fields::Fields;
use crate::polling::budget::{Budget, THING};
use crate::polling::events::{TOOL_ALIASES, ToolId};
use crate::wire::Json;

pub(super) const PREPARING: &str = "preparing";
pub(super) const RUNNING: &str = "running";
const CANCELLED: &str = "cancelled";

/// The statuses that the end of the task turns into `cancelled`; `awaiting_approval` is not
/// among them.
const CANCELLABLE: [&str; 6] = [PREPARING, RUNNING, "pending", "queued", "stale", "awaiting_user_answer"];

/// A longer status, in bytes, is kept as a field. A shorter one takes no room of its own, so
/// that a tool ends even in a view that is full.
const STATUS: usize = 64;

/// The ids that an event gives of its tool.
pub(super) fn aliases<'a>(event: Content<'_, 'a>) -> Vec<Cow<'a, str>> {
    TOOL_ALIASES.iter().filter_map(|name| event.filled(name)).collect()
}

/// A tool call: what all events about it have said. `Debug` shows its status.
///
/// Since 0.1.0. Source: the reference reduction, point 9.
#[derive(Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename = "tool")]
pub struct Tool {
    id: ToolId,
    name: String,
    status: String,
    intent: Option<String>,
    intent_complete: bool,
    arguments: Option<Json>,
    attempt: u64,
    request: u64,
    fields: Fields,
}

impl Tool {
    pub(super) fn new(id: &str, status: &str, stamp: Stamp) -> Self {
        Self {
            id: id.into(),
            name: String::new(),
            status: status.to_owned(),
            intent: None,
            intent_complete: false,
            arguments: None,
            attempt: stamp.attempt,
            request: stamp.request,
            fields: Fields::default(),
        }
    }

    /// The id of `tool_start`; before that the one of `tool_preparing`.
    pub const fn id(&self) -> &ToolId {
        &self.id
    }

    /// The tool.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// `preparing`, `running`, or what `update_action` has said. A tool that failed is
    /// `completed` as well: see its [`result`](Self::result).
    pub fn status(&self) -> &str {
        &self.status
    }

    /// What the model wants of it; may be partial.
    pub fn intent(&self) -> Option<&str> {
        self.intent.as_deref()
    }

    /// Whether the intent is whole.
    pub const fn is_intent_complete(&self) -> bool {
        self.intent_complete
    }

    /// The arguments of `tool_start`.
    pub const fn arguments(&self) -> Option<&Json> {
        self.arguments.as_ref()
    }

    /// What came out of it.
    pub fn result(&self) -> Option<&Json> {
        self.fields.get("result")
    }

    /// The words for people that came last.
    pub fn message(&self) -> Option<String> {
        self.fields.get("message").and_then(Json::as_string)
    }

    /// Every other member of its events, but for the ids, the last value of each.
    pub const fn fields(&self) -> &Fields {
        &self.fields
    }

    /// The attempt in which it was made; see [`TaskView::attempt`](super::TaskView::attempt).
    pub const fn attempt(&self) -> u64 {
        self.attempt
    }

    /// The model request in which it was made, from 1; 0 before the first.
    pub const fn request(&self) -> u64 {
        self.request
    }

    pub(super) fn is_preparing(&self) -> bool {
        self.status == PREPARING
    }

    pub(super) fn is_cancellable(&self) -> bool {
        CANCELLABLE.contains(&self.status.as_str())
    }

    pub(super) fn cancel(&mut self) {
        CANCELLED.clone_into(&mut self.status);
    }

    /// Takes `tool_start`.
    pub(super) fn start(&mut self, event: Content<'_, '_>, budget: &mut Budget) {
        if let Some(id) = event.filled("id").filter(|id| budget.swap(self.id.as_str().len(), id.len())) {
            self.id = (&*id).into();
        }
        self.absorb(event, false, budget);
        RUNNING.clone_into(&mut self.status);
        self.intent_complete = true;
    }

    /// Takes `tool_intent`.
    pub(super) fn intend(&mut self, event: Content<'_, '_>, budget: &mut Budget) {
        if let Some(intent) = event.string("intent") {
            self.set_intent(&intent, budget);
        }
        self.intent_complete |= event.get("intent_complete").is_some_and(Content::is_true);
    }

    /// Takes over what an event says: all of `update_action`; without its status, `tool_preparing`.
    pub(super) fn absorb(&mut self, event: Content<'_, '_>, with_status: bool, budget: &mut Budget) {
        for (name, value) in event.members() {
            match (name, value.as_string()) {
                ("name", Some(text)) => {
                    if budget.swap(self.name.len(), text.len()) {
                        self.name = text.into_owned();
                    }
                }
                ("intent", Some(text)) => self.set_intent(&text, budget),
                ("status", Some(text)) if text.len() <= STATUS => {
                    if with_status {
                        self.status = text.into_owned();
                    }
                }
                ("name" | "intent", _) => {}
                ("intent_complete", _) => self.intent_complete |= value.is_true(),
                ("arguments", _) => {
                    let old = self.arguments.as_ref().map_or(0, |old| old.as_str().len());
                    if budget.swap(old, value.raw().len()) {
                        self.arguments = Some(value.json());
                    }
                }
                _ if TOOL_ALIASES.contains(&name) || is_scope(name) => {}
                _ => self.fields.set(name, value, budget),
            }
        }
    }

    fn set_intent(&mut self, intent: &str, budget: &mut Budget) {
        if budget.swap(self.intent.as_ref().map_or(0, String::len), intent.len()) {
            self.intent = Some(intent.to_owned());
        }
    }

    pub(super) fn weight(&self) -> usize {
        let intent = self.intent.as_ref().map_or(0, String::len);
        let arguments = self.arguments.as_ref().map_or(0, |arguments| arguments.as_str().len());
        THING + self.id.as_str().len() + self.name.len() + intent + arguments + self.fields.weight()
    }
}

impl fmt::Debug for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tool").field("status", &crate::safe::show(&self.status)).finish_non_exhaustive()
    }
}
