//! What the user is asked: approvals of tools and plans, questions.

use std::collections::HashSet;
use std::sync::Arc;

use serde::Serialize;

use super::tools::Tools;
use super::turn::Turn;
use crate::agui::Interrupt;
use crate::polling::events::{ApprovalDecision, BatchId, Event, PlanDecision, Question, QuestionId, ToolId};
use crate::polling::waiting::Waiting;
use crate::wire::{Json, JsonObject};

/// How many things can wait; the oldest are left out.
const MOST: usize = 1024;

/// How many bytes of texts and of ids of calls the end of a run has, beside the ids of what is waited for.
const TEXTS: usize = 1024 * 1024;

/// What kind of answer is waited for.
#[derive(Clone, Copy)]
enum Reason {
    ToolApproval,
    PlanApproval,
    UserQuestion,
}

impl Reason {
    const fn as_str(self) -> &'static str {
        match self {
            Self::ToolApproval => "tool_approval",
            Self::PlanApproval => "plan_approval",
            Self::UserQuestion => "user_question",
        }
    }
}

#[derive(Clone)]
struct Asked {
    reason: Reason,
    id: Box<str>,
    message: Option<String>,
    tool: Option<ToolId>,
    batch: Option<BatchId>,
    metadata: Option<JsonObject>,
}

#[derive(Clone)]
pub(super) struct Pending(Waiting<Asked>);

impl Default for Pending {
    fn default() -> Self {
        Self(Waiting::new(MOST, usize::MAX))
    }
}

impl Pending {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes an event, if it is about what the user is asked.
    pub(super) fn take(&mut self, event: &Event, turn: &mut Turn<'_>) {
        match event {
            Event::ToolApprovalRequired(event) => {
                let Some(approval) = &event.approval else { return };
                let Some(id) = &approval.approval_id else { return };
                let message = approval.preview.as_ref().and_then(Json::as_string);
                let consumed: &[&str] = if message.is_some() { &["approval_id", "preview"] } else { &["approval_id"] };
                let tool = approval.tool_call_id.clone();
                let asked = Asked { message, tool, ..bare(Reason::ToolApproval, id.as_str()) };
                self.ask(asked, approval, consumed, turn);
            }
            Event::PlanApprovalRequired(event) => {
                let Some(approval) = &event.approval else { return };
                let Some(id) = &approval.approval_id else { return };
                let asked = Asked { message: approval.summary.clone(), ..bare(Reason::PlanApproval, id.as_str()) };
                self.ask(asked, approval, &["approval_id", "summary"], turn);
            }
            Event::UserQuestionsRequired(event) => {
                for question in event.questions.iter().flatten().chain(&event.question) {
                    self.question(question, event.batch_id.as_ref(), turn);
                }
            }
            Event::UserQuestionRequired(event) => {
                for question in event.questions.iter().flatten().chain(&event.question) {
                    self.question(question, event.batch_id.as_ref(), turn);
                }
            }
            Event::ToolApprovalResolved(event) => {
                let is_known = event.decision.as_ref().is_some_and(ApprovalDecision::is_known);
                if let Some(id) = event.approval_id.as_ref().filter(|_| is_known) {
                    self.resolve(key(Reason::ToolApproval, id.as_str()), turn);
                }
            }
            Event::PlanApprovalResolved(event) => {
                let is_known = event.decision.as_ref().is_some_and(PlanDecision::is_known);
                if let Some(id) = event.approval_id.as_ref().filter(|_| is_known) {
                    self.resolve(key(Reason::PlanApproval, id.as_str()), turn);
                }
            }
            Event::UserQuestionsResolved(event) => {
                let ids = event.question_ids.iter().flatten().chain(&event.question_id);
                self.answered(ids, event.batch_id.as_ref(), turn);
            }
            Event::UserQuestionResolved(event) => {
                let ids = event.question_ids.iter().flatten().chain(&event.question_id);
                self.answered(ids, event.batch_id.as_ref(), turn);
            }
            _ => {}
        }
    }

    /// What a run that ends now waits for.
    pub(super) fn interrupts(&self, tools: &Tools) -> Vec<Interrupt> {
        let mut ids: HashSet<String> = HashSet::new();
        let mut room = TEXTS;
        let interrupt = |asked: &Asked| {
            let (reason, own) = (asked.reason, &asked.id);
            let mut id = own.to_string();
            while !ids.insert(id.clone()) {
                id = format!("{}:{id}", reason.as_str());
            }
            let mut interrupt = Interrupt::new(id, reason.as_str());
            let mut fits = |size: usize| room.checked_sub(size).inspect(|rest| room = *rest).is_some();
            // One call may have a long id, and be waited for again and again.
            let call = asked.tool.as_ref().and_then(|tool| tools.call_of(tool));
            interrupt.tool_call_id = call.filter(|call| fits(call.as_str().len())).cloned();
            if fits(asked.size()) {
                interrupt.message.clone_from(&asked.message);
                interrupt.metadata.clone_from(&asked.metadata);
            }
            interrupt
        };
        self.0.iter().map(interrupt).collect()
    }

    fn question(&mut self, question: &Question, batch: Option<&BatchId>, turn: &mut Turn<'_>) {
        let Some(id) = &question.question_id else { return };
        let own = question.batch_id.as_ref().filter(|batch| !batch.as_str().is_empty());
        let (batch, message) = (own.or(batch).cloned(), question.question.clone());
        let asked = Asked { message, batch, ..bare(Reason::UserQuestion, id.as_str()) };
        self.ask(asked, question, &["question_id", "question"], turn);
    }

    fn ask(&mut self, mut asked: Asked, whole: &impl Serialize, consumed: &[&str], turn: &mut Turn<'_>) {
        let key = key(asked.reason, &asked.id);
        if asked.id.is_empty() || self.0.is_resolved(&key) {
            return;
        }
        asked.message = asked.message.filter(|message| !message.is_empty());
        asked.metadata = turn.scope.metadata(whole, consumed);
        let (bytes, batch) = (asked.weight(), asked.batch.take());
        let batch = batch.map(|batch| batch.as_str().into());
        self.0.require(key, asked, batch, bytes, &mut turn.memory.room);
    }

    /// Takes answers: to the questions that are named, else to all of the batch.
    fn answered<'e>(
        &mut self,
        ids: impl Iterator<Item = &'e QuestionId>,
        batch: Option<&BatchId>,
        turn: &mut Turn<'_>,
    ) {
        let mut is_all = true;
        for id in ids {
            is_all = false;
            self.resolve(key(Reason::UserQuestion, id.as_str()), turn);
        }
        if let Some(batch) = batch.filter(|_| is_all) {
            for key in self.0.of_batch(batch.as_str()) {
                self.resolve(key, turn);
            }
        }
    }

    fn resolve(&mut self, key: Arc<str>, turn: &mut Turn<'_>) {
        let bytes = key.len();
        self.0.resolve(key, bytes, &mut turn.memory.room);
    }
}

/// What tells it from all else that is asked.
fn key(reason: Reason, id: &str) -> Arc<str> {
    format!("{}:{id}", reason.as_str()).into()
}

/// Something that is asked, of which no more is known.
fn bare(reason: Reason, id: &str) -> Asked {
    Asked { reason, id: id.into(), message: None, tool: None, batch: None, metadata: None }
}

impl Asked {
    /// The size of its texts.
    fn size(&self) -> usize {
        let metadata = self.metadata.as_ref().map_or(0, |metadata| metadata.as_str().len());
        metadata + self.message.as_ref().map_or(0, String::len)
    }

    fn weight(&self) -> usize {
        let tool = self.tool.as_ref().map_or(0, |tool| tool.as_str().len());
        let batch = self.batch.as_ref().map_or(0, |batch| batch.as_str().len());
        2 * self.id.len() + tool + batch + self.size()
    }
}
