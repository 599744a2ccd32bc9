//! What a person has to decide: approvals of tools and plans, and questions.

use std::fmt;

use super::super::events::EventType;
use super::super::facts::*;
use super::super::rules;
use crate::check::facts::FactKind;
use crate::check::history::{Bounded, Keys};
use crate::check::order::{Arrival, Place};
use crate::check::scopes::spend;
use crate::safe::{Label, show};
use crate::wire::scan::Kind as NodeKind;

#[derive(Debug, Default)]
pub(super) struct Approvals {
    keys: Keys,
    /// By kind and id.
    required: Bounded<Required>,
    /// How many have been asked for.
    asked: usize,
    /// How many were resolved that were not asked for, of each sort: each was meant for one that was.
    strays: Strays,
    /// What is required or resolved may have come unseen.
    blurred: bool,
    /// Questions that were asked with no id that can be read.
    unnamed: usize,
}

#[derive(Clone, Copy, Debug)]
struct Required {
    kind: Kind,
    label: Label,
    place: Place,
    /// Its place among all that were asked for, since one event may ask several.
    nth: usize,
    is_resolved: bool,
    /// Of a question, the key of its batch.
    batch: Option<u64>,
    /// Of a batch, the last event that has answered all of it.
    answered_by: Option<u64>,
    /// Of a batch, each of its questions has an id.
    has_questions: bool,
}

impl Required {
    fn new(kind: Kind, id: &str, place: Place) -> Self {
        let label = Label::of(id, None);
        Self { kind, label, place, nth: 0, is_resolved: false, batch: None, answered_by: None, has_questions: false }
    }
}

/// People act less often than tools run: what is remembered of it is this part of it.
pub(super) const SHARE: usize = 8;

/// What is to be decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Tool,
    Plan,
    Question,
    Batch,
}

/// A number for each sort of what is to be decided.
#[derive(Clone, Copy, Debug, Default)]
struct Strays {
    tools: u32,
    plans: u32,
    questions: u32,
}

impl Strays {
    const fn of(&mut self, kind: Kind) -> &mut u32 {
        match kind {
            Kind::Tool => &mut self.tools,
            Kind::Plan => &mut self.plans,
            Kind::Question | Kind::Batch => &mut self.questions,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Tool => "tool approval",
            Self::Plan => "plan approval",
            Self::Question => "question",
            Self::Batch => "batch of questions",
        })
    }
}

impl Approvals {
    pub(super) fn new(history: usize) -> Self {
        Self { required: Bounded::new(history / SHARE + 1), ..Self::default() }
    }

    pub(super) const fn blur(&mut self) {
        self.blurred = true;
    }

    pub(super) fn push(&mut self, event: EventType, arrival: &mut Arrival<'_, '_, '_>) {
        match event {
            EventType::ToolApprovalRequired => self.require_nested(Kind::Tool, arrival),
            EventType::PlanApprovalRequired => self.require_nested(Kind::Plan, arrival),
            EventType::UserQuestionsRequired | EventType::UserQuestionRequired => self.ask(arrival),
            EventType::ToolApprovalResolved => _ = self.resolve(Kind::Tool, APPROVAL_ID, arrival),
            EventType::PlanApprovalResolved => _ = self.resolve(Kind::Plan, APPROVAL_ID, arrival),
            EventType::UserQuestionsResolved | EventType::UserQuestionResolved => self.answer(arrival),
            _ => {}
        }
    }

    fn key(&self, kind: Kind, id: &str) -> u64 {
        self.keys.of((kind, id))
    }

    fn require(&mut self, kind: Kind, id: &str, batch: Option<u64>, place: Place) {
        let key = self.key(kind, id);
        if !self.required.contains(key) {
            self.asked += 1;
            let nth = self.asked;
            self.required.insert(key, Required { nth, batch, ..Required::new(kind, id, place) });
        }
    }

    /// Something was resolved that was not asked for, which is said once.
    fn resolve_unasked(&mut self, kind: Kind, id: &str, place: Place) {
        *self.strays.of(kind) += 1;
        self.required.insert(self.key(kind, id), Required { is_resolved: true, ..Required::new(kind, id, place) });
    }

    /// An approval, whose id lies in an object of its own.
    fn require_nested(&mut self, kind: Kind, arrival: &mut Arrival<'_, '_, '_>) {
        let place = arrival.place();
        let approval = arrival.value(APPROVAL);
        match approval.as_ref().and_then(|approval| approval.get("approval_id")?.as_str()) {
            Some(id) => self.require(kind, &id, None, place),
            None => self.blurred = true,
        }
    }

    fn ask(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        let place = arrival.place();
        let mut ids: Vec<String> = Vec::new();
        let mut count = 0;
        let mut batch = arrival.facts.string(BATCH_ID).map(std::borrow::Cow::into_owned);
        let has_one = arrival.facts.kind(QUESTION) != FactKind::Absent;
        // Under either name, there may be one question or a list.
        for slot in [QUESTIONS, QUESTION] {
            let Some(asked) = arrival.value(slot) else { continue };
            let questions = match asked.elements() {
                [] if slot == QUESTIONS && has_one && asked.kind() == NodeKind::Array => continue,
                [] => std::slice::from_ref(&*asked),
                several => several,
            };
            let id = |name: &str, question: &crate::check::tree::Node<'_>| {
                question.get(name).and_then(|id| id.as_str().map(std::borrow::Cow::into_owned))
            };
            ids.extend(questions.iter().filter_map(|question| id("question_id", question)));
            count += questions.len();
            batch = batch.or_else(|| questions.iter().find_map(|question| id("batch_id", question)));
        }
        // Where there is no value, there may have been any number.
        let unread = if count == 0 { usize::MAX } else { count - ids.len() };
        let has_questions = unread == 0;
        let batch_key = batch.as_ref().map(|batch| self.key(Kind::Batch, batch));
        for id in &ids {
            self.require(Kind::Question, id, batch_key, place);
        }
        if let (Some(batch), Some(key)) = (&batch, batch_key) {
            let answered_by = self.required.get(key).and_then(|before| before.answered_by);
            // The batch is no question of its own, where its questions are known.
            let is_resolved = !ids.is_empty();
            let asked =
                Required { is_resolved, answered_by, has_questions, ..Required::new(Kind::Batch, batch, place) };
            self.required.insert(key, asked);
        }
        self.unnamed = self.unnamed.saturating_add(unread);
        self.blurred |= ids.is_empty() && batch.is_none();
    }

    /// Takes a decision; true if it was reported that nothing of that id was asked for.
    fn resolve(&mut self, kind: Kind, slot: u8, arrival: &mut Arrival<'_, '_, '_>) -> bool {
        let Some(id) = arrival.facts.string(slot) else {
            self.blurred = true;
            return false;
        };
        let key = self.key(kind, &id);
        match self.required.get_mut(key) {
            Some(required) => required.is_resolved = true,
            None if self.blurred => {}
            None if kind == Kind::Question && self.unnamed > 0 => self.unnamed -= 1,
            None => {
                let message = format!("no {kind} {} was asked for", show(&id));
                arrival.fault(&rules::RESOLVED_WITHOUT_REQUIRED, Some(slot), message);
                self.resolve_unasked(kind, &id, arrival.place());
                return true;
            }
        }
        false
    }

    fn answer(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        let ids: Vec<String> = arrival.value(QUESTION_IDS).map_or_else(Vec::new, |ids| {
            ids.elements().iter().filter_map(|id| id.as_str().map(std::borrow::Cow::into_owned)).collect()
        });
        let batch = arrival.facts.string(BATCH_ID).map(|batch| self.key(Kind::Batch, &batch));
        let is_one = ids.is_empty() && arrival.facts.kind(QUESTION_ID) != FactKind::Absent;
        let mut told = is_one && self.resolve(Kind::Question, QUESTION_ID, arrival);
        let place = arrival.place();
        // Of a batch that is known, questions without ids may be among those that were asked.
        let may_be_asked = batch.and_then(|batch| self.required.get(batch)).is_some_and(|batch| !batch.has_questions);
        for id in &ids {
            let key = self.key(Kind::Question, id);
            if let Some(required) = self.required.get_mut(key) {
                required.is_resolved = true;
            } else if !self.blurred && !may_be_asked {
                if self.unnamed > 0 {
                    self.unnamed -= 1;
                } else if !std::mem::replace(&mut told, true) {
                    let message = format!("no question {} was asked for", show(id));
                    arrival.fault(&rules::RESOLVED_WITHOUT_REQUIRED, Some(QUESTION_IDS), message);
                }
                self.resolve_unasked(Kind::Question, id, place);
            }
        }
        let answers_all = ids.is_empty() && !is_one;
        if let Some(required) = batch.and_then(|batch| self.required.get_mut(batch)) {
            required.is_resolved = true;
            if answers_all {
                required.answered_by = Some(place.event);
            }
        } else if answers_all || (!told && batch.is_some()) {
            self.resolve(Kind::Batch, BATCH_ID, arrival);
        }
    }

    /// Whether it was resolved, by itself or with all of its batch.
    fn is_resolved(&self, required: &Required) -> bool {
        let batch = required.batch.and_then(|batch| self.required.get(batch));
        let answered_by = batch.and_then(|batch| batch.answered_by);
        required.is_resolved || answered_by.is_some_and(|event| event >= required.place.event)
    }

    /// The task has ended.
    pub(super) fn end(&self, arrival: &mut Arrival<'_, '_, '_>) {
        if self.blurred {
            return;
        }
        let mut open: Vec<&Required> = self.required.values().filter(|required| !self.is_resolved(required)).collect();
        open.sort_by_key(|required| (required.place.event, required.nth));
        let mut strays = self.strays;
        open.retain(|required| !spend(strays.of(required.kind)));
        // One event may ask for several.
        for asked in open.chunk_by(|one, other| one.place.event == other.place.event) {
            let [first, rest @ ..] = asked else { continue };
            let related = first.place.related("it was asked for here");
            let others = if rest.is_empty() { String::new() } else { format!(", nor {} asked with it", rest.len()) };
            let message = format!("{} {} was not decided{others}", first.kind, first.label);
            arrival.fault_related(&rules::APPROVAL_UNRESOLVED, None, message, Some(related));
        }
    }

    pub(super) fn entries(&self) -> usize {
        self.required.len()
    }

    pub(super) fn has_forgotten(&mut self) -> bool {
        self.required.take_overflow()
    }
}
