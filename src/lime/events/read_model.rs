//! What a user interface shows of the events.

use super::event::{ActionId, Event};
use crate::wire::Number;
use crate::wire::payload::payload;

payload! {
    /// The projected events, `AgentRuntimeReadModel`.
    pub struct ReadModel = "LimeReadModel", open {
        /// Every projected event.
        required events: Vec<EventProjection> = "events",
        /// The events that are shown.
        required visible_events: Vec<EventProjection> = "visibleEvents",
        /// The actions that wait for a human.
        required pending_actions: Vec<EventProjection> = "pendingActions",
        /// Whether an input source has to be added.
        required input_source_recovery: bool = "inputSourceRecovery",
        /// How many input sources there are.
        required source_count: Number = "sourceCount",
        /// The artifacts.
        required artifact_refs: Vec<String> = "artifactRefs",
        /// The evidence.
        required evidence_refs: Vec<String> = "evidenceRefs",
        /// The tasks.
        required task_refs: Vec<String> = "taskRefs",
    }
}

payload! {
    /// An event as it is shown, `AgentRuntimeEventProjection`.
    pub struct EventProjection = "LimeEventProjection", open {
        /// The id of the projection.
        required id: String = "id",
        /// The event.
        required source: Box<Event> = "source",
        /// Where it is shown.
        required surface: String = "surface",
        /// A short line for people.
        required title: String = "title",
        /// The status.
        required status: String = "status",
        /// The key of the status text.
        required display_status_key: String = "displayStatusKey",
        /// Whether it is settled.
        required resolved: bool = "resolved",
        /// What a human can do; `none` where nothing.
        required action_kind: String = "actionKind",
        /// The module that serves the action.
        required target_module: String = "targetModule",
        /// A longer text for people.
        optional detail: String = "detail",
        /// The status text.
        optional display_status: String = "displayStatus",
        /// The action.
        optional action: ActionProjection = "action",
        /// All actions.
        optional actions: Vec<ActionProjection> = "actions",
        /// The action's id.
        optional action_id: ActionId = "actionId",
    }
}

payload! {
    /// Something that a human can do, `AgentRuntimeActionProjection`.
    pub struct ActionProjection = "LimeActionProjection", open {
        /// The kind of action.
        required action_kind: String = "actionKind",
        /// The module that serves it.
        required target_module: String = "targetModule",
        /// The key of its label.
        required label_key: String = "labelKey",
        /// What it decides.
        required decision: String = "decision",
        /// The text of its button.
        optional button_label: String = "buttonLabel",
    }
}
