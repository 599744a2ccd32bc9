//! The view of a task.

use std::fmt;

use super::approvals::{Pending, Waiting, answer, ask, decide};
use super::blocks::BlockKind;
use super::content::Content;
use super::end::{EndKind, TaskEnd};
use super::goal::{self, Goal};
use super::limits::ViewLimits;
use super::messages::Message;
use super::reviews::{Review, ReviewKind, Reviews};
use super::timeline::{Origin, Timeline};
use crate::check::tree::Node;
use crate::polling::budget::Budget;
use crate::polling::events::{
    ApprovalDecision, ConversationId, Envelope, EventType, GoalStatus, GoalStopReason, PlanDecision, TaskId, TaskStatus,
};
use crate::wire::Json;
use crate::wire::scan::MAX_DEPTH;

/// What the events of one task amount to, as the reference reducer sees them.
///
/// An event that lacks a required member still counts for what it says. An event whose `idx`
/// came before is ignored, so a batch may come twice. Gaps are not noticed here, but by [`Cursor`](crate::polling::Cursor).
///
/// Memory is bounded by [`ViewLimits`], the time for an event by its length and those limits.
/// Serialised, a view is an object for user interfaces; `Debug` shows numbers only.
///
/// ```
/// use agent_contracts::polling::view::TaskView;
/// use agent_contracts::wire::Json;
///
/// let mut view = TaskView::new(Some("t1".into()), None);
/// for event in [
///     r#"{"idx":0,"type":"ai_message_start","data":{"task_id":"t1"},"ts":1760000000.0}"#,
///     r#"{"idx":1,"type":"tool_preparing","data":{"id":"search:0","name":"search"},"ts":1760000000.5}"#,
///     r#"{"idx":2,"type":"tool_start","data":{"id":"tool_1","preparing_id":"search:0"},"ts":1760000001.0}"#,
///     r#"{"idx":3,"type":"update_action","data":{"preparing_id":"search:0","status":"completed"},"ts":1760000001.5}"#,
/// ] {
///     assert!(view.push_json(&Json::parse(event)?));
/// }
/// let tool = view.messages()[0].tools().next().unwrap();
/// assert_eq!((tool.id().as_str(), tool.name(), tool.status()), ("tool_1", "search", "completed"));
/// # Ok::<(), agent_contracts::wire::Error>(())
/// ```
///
/// Since 0.1.0. Source: the reference reduction of the task API.
#[derive(Clone, PartialEq)]
pub struct TaskView {
    task_id: Option<TaskId>,
    conversation_id: Option<ConversationId>,
    next_idx: u64,
    request_pending: bool,
    timeline: Timeline,
    approvals: Waiting,
    plans: Waiting,
    questions: Waiting,
    reviews: Reviews,
    goal: Option<Goal>,
    end: Option<TaskEnd>,
    budget: Budget,
}

impl TaskView {
    /// The view of a task before its first event. Events of other tasks and conversations
    /// are ignored; `None` takes those of any.
    pub fn new(task_id: Option<TaskId>, conversation_id: Option<ConversationId>) -> Self {
        Self::with_limits(task_id, conversation_id, ViewLimits::DEFAULT)
    }

    /// A view as [`new`](Self::new) makes it, with other bounds.
    pub fn with_limits(task_id: Option<TaskId>, conversation_id: Option<ConversationId>, limits: ViewLimits) -> Self {
        Self {
            task_id,
            conversation_id,
            next_idx: 0,
            request_pending: false,
            timeline: Timeline::new(limits.messages),
            approvals: Waiting::new(limits.pending),
            plans: Waiting::new(limits.pending),
            questions: Waiting::new(limits.pending),
            reviews: Reviews::default(),
            goal: None,
            end: None,
            budget: Budget::new(limits.bytes),
        }
    }

    /// Ignores what comes before `idx`, such as the `next_event_idx` of a snapshot.
    #[must_use]
    pub fn starting_at(mut self, idx: u64) -> Self {
        self.next_idx = idx;
        self
    }

    /// Takes an event; `false` if it was ignored, since its `idx` came before or it is of another
    /// task or conversation.
    pub fn push(&mut self, envelope: &Envelope) -> bool {
        self.take(&envelope.to_json())
    }

    /// Takes an event as JSON, which need not be a valid envelope; `false` if it was ignored.
    ///
    /// Also ignored is JSON that is no object, that has no object as `data`, or whose `idx` is no
    /// integer from 0. An event without `idx` counts as the next one.
    pub fn push_json(&mut self, envelope: &Json) -> bool {
        self.take(envelope.as_str())
    }

    /// Takes events in their order, such as those of a [`Batch`](crate::polling::Batch); gives how
    /// many were not ignored.
    pub fn push_all<'e>(&mut self, envelopes: impl IntoIterator<Item = &'e Envelope>) -> usize {
        envelopes.into_iter().filter(|envelope| self.push(envelope)).count()
    }

    /// Takes events as JSON in their order, each as [`push_json`](Self::push_json) does; gives
    /// how many were not ignored.
    pub fn push_all_json<'e>(&mut self, envelopes: impl IntoIterator<Item = &'e Json>) -> usize {
        envelopes.into_iter().filter(|envelope| self.push_json(envelope)).count()
    }

    /// Takes the status with which polling has ended, and gives the end that follows from it.
    ///
    /// If no event has told the end, a task that has `succeeded` is complete, and one that is
    /// `canceled` is stopped. Any other status changes nothing, as with the reference client.
    pub fn conclude(&mut self, status: &TaskStatus) -> Option<EndKind> {
        let kind = EndKind::of_status(status).filter(|_| self.end.is_none())?;
        self.request_pending = false;
        self.timeline.close_blocks();
        self.timeline.cancel_tools();
        self.end = Some(TaskEnd::made_up(kind));
        Some(kind)
    }

    /// The task, if the view is of one.
    pub const fn task_id(&self) -> Option<&TaskId> {
        self.task_id.as_ref()
    }

    /// The conversation, if the view is of one.
    pub const fn conversation_id(&self) -> Option<&ConversationId> {
        self.conversation_id.as_ref()
    }

    /// The `idx` up to which, inclusive, everything is ignored that comes; `None` at the
    /// beginning.
    pub const fn watermark(&self) -> Option<u64> {
        self.next_idx.checked_sub(1)
    }

    /// The `idx` that is expected next.
    pub const fn next_idx(&self) -> u64 {
        self.next_idx
    }

    /// The messages in their order.
    pub fn messages(&self) -> &[Message] {
        self.timeline.messages()
    }

    /// How often the model has begun anew: with the assistant's message, with each request,
    /// and with each stream that was reset.
    pub const fn attempt(&self) -> u64 {
        self.timeline.attempt()
    }

    /// How many requests were made to the model.
    pub const fn requests(&self) -> u64 {
        self.timeline.requests()
    }

    /// Whether a request was made of which nothing has come yet.
    pub const fn is_request_pending(&self) -> bool {
        self.request_pending
    }

    /// Whether a block is open.
    pub const fn is_streaming(&self) -> bool {
        self.timeline.is_streaming()
    }

    /// The tool calls that wait for approval, in the order in which they came.
    pub fn approvals(&self) -> Vec<&Pending> {
        self.approvals.in_order_of_arrival().collect()
    }

    /// The questions that wait, by the time of their batch, then by their index in it.
    pub fn questions(&self) -> Vec<&Pending> {
        self.questions.sorted()
    }

    /// The plans that wait for approval, by their time.
    pub fn plans(&self) -> Vec<&Pending> {
        self.plans.sorted()
    }

    /// The last 30 reviews, each with its last 100 steps.
    pub fn reviews(&self) -> impl Iterator<Item = &Review> {
        self.reviews.iter()
    }

    /// The goal, if there is one.
    pub const fn goal(&self) -> Option<&Goal> {
        self.goal.as_ref()
    }

    /// What has ended the task, as far as is known.
    ///
    /// A task may end without an event that says so, and a plain `error` may be followed by
    /// more. The status in the poll response says whether the task is over.
    pub const fn end(&self) -> Option<&TaskEnd> {
        self.end.as_ref()
    }

    /// Whether anything was left out for want of room; see [`ViewLimits`].
    pub const fn is_truncated(&self) -> bool {
        self.budget.is_exceeded()
    }

    fn take(&mut self, text: &str) -> bool {
        let Ok(node) = Node::parse(text, MAX_DEPTH) else { return false };
        let envelope = Content::new(text, &node);
        let data = envelope.get("data").filter(|data| data.is_object());
        let Some(data) = data.filter(|data| self.is_own(*data)) else { return false };
        let idx = match envelope.get("idx") {
            Some(idx) => idx.as_u64(),
            None if envelope.has("idx") => None,
            None => Some(self.next_idx),
        };
        let Some(idx) = idx.filter(|idx| (self.next_idx..u64::MAX).contains(idx)) else { return false };
        self.next_idx = idx + 1;
        let tag = envelope.string("type").unwrap_or_default();
        if let Some(event) = EventType::from_tag(&tag) {
            self.reduce(event, &Origin { task: self.task_id.clone(), data, idx });
        }
        true
    }

    /// Whether an event names no other task and no other conversation.
    fn is_own(&self, data: Content<'_, '_>) -> bool {
        let fits = |name: &str, own: Option<&str>| {
            own.is_none_or(|own| data.get(name).is_none_or(|id| id.as_string().as_deref() == Some(own)))
        };
        fits("task_id", self.task_id.as_ref().map(TaskId::as_str))
            && fits("conversation_id", self.conversation_id.as_ref().map(ConversationId::as_str))
    }

    fn reduce(&mut self, event: EventType, origin: &Origin<'_, '_>) {
        let Self { timeline, reviews, budget, .. } = self;
        let data = origin.data;
        match event {
            EventType::UserMessage => timeline.user(origin, budget),
            EventType::AiMessageStart => timeline.assistant(origin, budget),
            EventType::ApiRequestStart => timeline.request(),
            EventType::ThinkingStart | EventType::TextStart => timeline.start(kind(event), origin, budget),
            EventType::ThinkingChunk | EventType::TextChunk => {
                if let Some(text) = data.filled("content") {
                    timeline.chunk(kind(event), &text, origin, budget);
                }
            }
            EventType::ThinkingEnd | EventType::TextEnd => {
                timeline.end(kind(event), data.string("full_content").as_deref(), origin, budget);
            }
            EventType::StreamReset => timeline.reset(budget),
            EventType::ToolPreparing => timeline.prepare_tool(origin, budget),
            EventType::ToolIntent => timeline.change_tool(data, budget, |tool, budget| tool.intend(data, budget)),
            EventType::ToolStart => timeline.start_tool(origin, budget),
            EventType::UpdateAction | EventType::ToolUpdateAction => {
                timeline.change_tool(data, budget, |tool, budget| tool.absorb(data, true, budget));
            }
            EventType::SystemMessage => {
                if let Some(text) = data.filled("content").filter(|text| is_shown(text)) {
                    timeline.system(&text, origin, budget);
                }
            }
            EventType::AutoApprovalProgress => reviews.take(ReviewKind::AutoApproval, data, budget),
            EventType::GoalReviewProgress => reviews.take(ReviewKind::Goal, data, budget),
            EventType::WorkflowReviewProgress => reviews.take(ReviewKind::Workflow, data, budget),
            _ => self.reduce_pending(event, data),
        }
        if let Some(kind) = EndKind::of(event, data) {
            self.finish(kind, origin);
        }
        match event {
            EventType::ApiRequestStart => self.request_pending = true,
            EventType::ThinkingStart
            | EventType::ThinkingChunk
            | EventType::ThinkingEnd
            | EventType::TextStart
            | EventType::TextChunk
            | EventType::TextEnd
            | EventType::ToolPreparing
            | EventType::ToolStart
            | EventType::StreamReset
            | EventType::TaskComplete
            | EventType::TaskStopped
            | EventType::QuotaExceeded
            | EventType::Error => self.request_pending = false,
            _ => {}
        }
    }

    /// Takes what the user is asked, and the goal.
    fn reduce_pending(&mut self, event: EventType, data: Content<'_, '_>) {
        let budget = &mut self.budget;
        match event {
            EventType::ToolApprovalRequired | EventType::PlanApprovalRequired => {
                let plan = event == EventType::PlanApprovalRequired;
                let waiting = if plan { &mut self.plans } else { &mut self.approvals };
                if let Some(approval) = data.get("approval") {
                    waiting.require(approval, "approval_id", None, budget);
                }
            }
            EventType::ToolApprovalResolved => {
                decide(&mut self.approvals, data, |decision| ApprovalDecision::from(decision).is_known(), budget);
            }
            EventType::PlanApprovalResolved => {
                decide(&mut self.plans, data, |decision| PlanDecision::from(decision).is_known(), budget);
            }
            EventType::UserQuestionsRequired | EventType::UserQuestionRequired => {
                ask(&mut self.questions, data, budget);
            }
            EventType::UserQuestionsResolved | EventType::UserQuestionResolved => {
                answer(&mut self.questions, data, budget);
            }
            EventType::GoalProgress => goal::set(&mut self.goal, data, None, budget),
            EventType::GoalCompleted => goal::set(&mut self.goal, data, Some(GoalStatus::Done), budget),
            EventType::GoalStopped if is_cancelled(data) => goal::clear(&mut self.goal, budget),
            EventType::GoalStopped => goal::set(&mut self.goal, data, Some(GoalStatus::Stopped), budget),
            _ => {}
        }
    }

    fn finish(&mut self, kind: EndKind, origin: &Origin<'_, '_>) {
        let Self { timeline, end, budget, .. } = self;
        if let Some(citations) = origin.data.get("citations") {
            timeline.cite(citations, budget);
        }
        timeline.close_blocks();
        if let Some(old) = end.take() {
            budget.give_back(old.weight());
        }
        let new = TaskEnd::new(kind, origin.idx, origin.data, budget);
        if !new.has_background_work() {
            timeline.cancel_tools();
        }
        *end = Some(new);
    }
}

/// The kind of block that an event is about.
fn kind(event: EventType) -> BlockKind {
    match event {
        EventType::ThinkingStart | EventType::ThinkingChunk | EventType::ThinkingEnd => BlockKind::Thinking,
        _ => BlockKind::Text,
    }
}

/// Whether a goal was given up by the user, who does not want to see it any more.
fn is_cancelled(goal: Content<'_, '_>) -> bool {
    let reason = goal.string("stopped_reason").map(|reason| GoalStopReason::from(&*reason));
    reason == Some(GoalStopReason::UserCancel)
}

/// What a system message has to speak of to be shown. The reference has two patterns; these
/// are words in which the server writes such messages.
const BACKGROUND: [&str; 7] =
    ["sub-agent", "sub agent", "subagent", "子智能体", "子代理", "background command", "后台命令"];

/// And in what way it has to be over.
const OVER: [&str; 4] = ["finished", "completed", "完成", "结束"];

/// Whether a system message says that a sub-agent or a background command has finished.
fn is_shown(text: &str) -> bool {
    let text = text.to_lowercase();
    [&BACKGROUND[..], &OVER[..]].iter().all(|words| words.iter().any(|word| text.contains(word)))
}

impl fmt::Debug for TaskView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TaskView")
            .field("next_idx", &self.next_idx)
            .field("messages", &self.messages().len())
            .field("attempt", &self.attempt())
            .field("streaming", &self.is_streaming())
            .field("end", &self.end)
            .finish_non_exhaustive()
    }
}
