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
    /// What is required or resolved may have come unseen.
    blurred: bool,
    /// Questions that were asked with no id that can be read.
    unnamed: u32,
    /// How many of them may have been answered.
    answered: u32,
}

#[derive(Clone, Copy, Debug)]
struct Required {
    kind: Kind,
    label: Label,
    place: Place,
    /// Its place among all that were asked for, since one event may ask several.
    nth: usize,
    is_resolved: bool,
    /// It was not asked for when it was resolved: another one was meant.
    is_stray: bool,
    /// Of a question, the key of its batch.
    batch: Option<u64>,
    /// Of a batch, the last event that has answered all of it.
    answered_by: Option<u64>,
    /// Of a batch, each of its questions has an id.
    has_questions: bool,
}

impl Required {
    fn new(kind: Kind, id: &str, place: Place) -> Self {
        Self {
            kind,
            label: Label::of(id, None),
            place,
            nth: 0,
            is_resolved: false,
            is_stray: false,
            batch: None,
            answered_by: None,
            has_questions: false,
        }
    }
}

/// People act less often than tools run: one decision is remembered for every eight tools.
pub(super) const SHARE: usize = 8;

/// What is to be decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Tool,
    Plan,
    Question,
    Batch,
}

impl Kind {
    /// A batch stands for its questions.
    fn of_one(self) -> Self {
        if self == Self::Batch { Self::Question } else { self }
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
            EventType::ToolApprovalResolved => self.resolve_named(Kind::Tool, APPROVAL_ID, &mut false, arrival),
            EventType::PlanApprovalResolved => self.resolve_named(Kind::Plan, APPROVAL_ID, &mut false, arrival),
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
        let unread = if count == 0 { u32::MAX } else { u32::try_from(count - ids.len()).unwrap_or(u32::MAX) };
        let has_questions = unread == 0;
        let batch_key = batch.as_ref().map(|batch| self.key(Kind::Batch, batch));
        for id in &ids {
            self.require(Kind::Question, id, batch_key, place);
        }
        if let (Some(batch), Some(key)) = (&batch, batch_key) {
            let new = Required::new(Kind::Batch, batch, place);
            let Required { answered_by, is_stray, .. } = self.required.get(key).copied().unwrap_or(new);
            // The batch is no question of its own, where its questions are known.
            let is_resolved = !ids.is_empty();
            self.required.insert(key, Required { is_resolved, is_stray, answered_by, has_questions, ..new });
        }
        self.unnamed = self.unnamed.saturating_add(unread);
        self.blurred |= ids.is_empty() && batch.is_none();
    }

    /// Takes the decision of what a member names.
    fn resolve_named(&mut self, kind: Kind, slot: u8, told: &mut bool, arrival: &mut Arrival<'_, '_, '_>) {
        match arrival.facts.string(slot) {
            Some(id) => self.resolve(kind, &id, slot, told, arrival),
            None => self.blurred = true,
        }
    }

    /// Takes a decision. `told`: it was said of the event that something was not asked for.
    fn resolve(&mut self, kind: Kind, id: &str, slot: u8, told: &mut bool, arrival: &mut Arrival<'_, '_, '_>) {
        let key = self.key(kind, id);
        if let Some(required) = self.required.get_mut(key) {
            required.is_resolved = true;
        } else if !self.blurred {
            let is_stray = kind != Kind::Question || !spend(&mut self.unnamed);
            self.answered += u32::from(!is_stray);
            if is_stray && !std::mem::replace(told, true) {
                let message = format!("no {kind} {} was asked for", show(id));
                arrival.fault(&rules::RESOLVED_WITHOUT_REQUIRED, Some(slot), message);
            }
            let resolved = Required { is_resolved: true, is_stray, ..Required::new(kind, id, arrival.place()) };
            self.required.insert(key, resolved);
        }
    }

    fn answer(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        let mut ids: Vec<String> = arrival.value(QUESTION_IDS).map_or_else(Vec::new, |ids| {
            ids.elements().iter().filter_map(|id| id.as_str().map(std::borrow::Cow::into_owned)).collect()
        });
        let batch_id = arrival.facts.string(BATCH_ID);
        let batch = batch_id.as_ref().map(|batch| self.key(Kind::Batch, batch));
        let (is_one, mut slot) = (ids.is_empty() && arrival.facts.kind(QUESTION_ID) != FactKind::Absent, QUESTION_IDS);
        if is_one {
            (ids, slot) = (arrival.facts.string(QUESTION_ID).iter().map(ToString::to_string).collect(), QUESTION_ID);
            self.blurred |= ids.is_empty();
        }
        let mut told = false;
        // Of a batch that is known, questions without ids may be among those that were asked.
        let may_be_asked = batch.and_then(|batch| self.required.get(batch)).is_some_and(|batch| !batch.has_questions);
        for id in &ids {
            if !may_be_asked || self.required.contains(self.key(Kind::Question, id)) {
                self.resolve(Kind::Question, id, slot, &mut told, arrival);
            }
        }
        let answers_all = ids.is_empty() && !is_one;
        if let Some(required) = batch.and_then(|batch| self.required.get_mut(batch)) {
            required.is_resolved = true;
            if answers_all {
                required.answered_by = Some(arrival.place().event);
            }
        } else if answers_all || (batch.is_some() && !told) {
            self.resolve_named(Kind::Batch, BATCH_ID, &mut told, arrival);
        } else if let (Some(key), Some(id)) = (batch, &batch_id) {
            // That its questions were not asked for was said with this one.
            let place = arrival.place();
            self.required.insert(key, Required { is_resolved: true, ..Required::new(Kind::Batch, id, place) });
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
        open.sort_unstable_by_key(|required| (required.place.event, required.nth));
        let mut answered = self.answered;
        open.retain(|required| required.kind != Kind::Batch || !spend(&mut answered));
        for kind in [Kind::Tool, Kind::Plan, Kind::Question] {
            let strays = self.required.values().filter(|required| required.is_stray && required.kind.of_one() == kind);
            let mut strays = strays.count() as u32;
            open.retain(|required| required.kind.of_one() != kind || !spend(&mut strays));
        }
        // One event may ask for several.
        for asked in open.chunk_by(|one, other| one.place.event == other.place.event) {
            let [first, rest @ ..] = asked else { continue };
            let related = first.place.related("it was asked for here");
            let others = match rest.len() {
                0 => String::new(),
                1 => ", nor was another asked with it".to_owned(),
                several => format!(", nor were {several} others asked with it"),
            };
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
