//! What waits for the user: approvals of tools, plans, questions.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use serde::Serialize;

use super::content::Content;
use crate::polling::budget::Budget;
use crate::polling::waiting;
use crate::wire::{Json, JsonObject};

/// An approval, a plan or a question that waits for an answer. `Debug` shows its size.
///
/// Since 0.1.0. Source: the reference reduction, point 11.
#[derive(Clone, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Pending {
    content: JsonObject,
    #[serde(skip)]
    order: Order,
}

/// By what pending things are sorted.
#[derive(Clone, PartialEq)]
struct Order {
    /// The batch of a question; of anything else, and of a question without one, its id.
    batch: Arc<str>,
    index: f64,
    created: Time,
}

/// A time as the server wrote it. What has none comes first, numbers before texts.
#[derive(Clone, PartialEq)]
enum Time {
    None,
    Number(f64),
    Text(Box<str>),
}

impl Time {
    fn of(value: Option<Content<'_, '_>>) -> Self {
        let text = value.and_then(Content::as_string);
        let number = value.and_then(Content::as_f64);
        text.map_or_else(|| number.map_or(Self::None, Self::Number), |text| Self::Text((&*text).into()))
    }

    fn compare(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::None, Self::None) => Ordering::Equal,
            (Self::None, _) | (Self::Number(_), Self::Text(_)) => Ordering::Less,
            (_, Self::None) | (Self::Text(_), Self::Number(_)) => Ordering::Greater,
            (Self::Number(a), Self::Number(b)) => a.total_cmp(b),
            (Self::Text(a), Self::Text(b)) => a.cmp(b),
        }
    }
}

impl Pending {
    /// The approval or question as it came.
    pub const fn content(&self) -> &JsonObject {
        &self.content
    }

    /// A member of it.
    pub fn get(&self, name: &str) -> Option<Json> {
        self.content.get(name)
    }
}

impl fmt::Debug for Pending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pending(<{} bytes>)", self.content.as_str().len())
    }
}

/// The things of one kind that wait, by their ids.
#[derive(Clone, PartialEq)]
pub(super) struct Waiting(waiting::Waiting<Pending>);

impl Waiting {
    pub(super) fn new(most: usize) -> Self {
        Self(waiting::Waiting::new(most, most))
    }

    /// What waits, in the order in which it came.
    pub(super) fn in_order_of_arrival(&self) -> impl Iterator<Item = &Pending> {
        self.0.iter()
    }

    /// What waits, batch by batch in the order in which they were made; within a batch by
    /// index.
    pub(super) fn sorted(&self) -> Vec<&Pending> {
        let mut began: HashMap<&str, &Time> = HashMap::new();
        for Pending { order, .. } in self.0.iter() {
            let known = began.get(&*order.batch).copied();
            let earlier = known.filter(|known| known.compare(&order.created) == Ordering::Less);
            began.insert(&*order.batch, earlier.unwrap_or(&order.created));
        }
        let timed = self.0.iter().filter_map(|pending| Some((*began.get(&*pending.order.batch)?, pending)));
        let mut sorted: Vec<(&Time, &Pending)> = timed.collect();
        sorted.sort_by(|(a_began, a), (b_began, b)| {
            let (a, b) = (&a.order, &b.order);
            let by_batch = a_began.compare(b_began).then_with(|| a.batch.cmp(&b.batch));
            by_batch.then_with(|| a.index.total_cmp(&b.index))
        });
        sorted.into_iter().map(|(_, pending)| pending).collect()
    }

    /// Takes what waits from now on, unless it was resolved before. `id` is the name of its id;
    /// `batch` is that of the event.
    pub(super) fn require(&mut self, thing: Content<'_, '_>, id: &str, batch: Option<&str>, budget: &mut Budget) {
        let (Some(id), Some(content)) = (thing.filled(id), thing.object()) else { return };
        let key: Arc<str> = id.as_ref().into();
        if self.0.is_resolved(&key) {
            return;
        }
        let own = thing.filled("batch_id");
        let order = Order {
            batch: own.as_deref().or(batch).map_or_else(|| key.clone(), Arc::from),
            index: thing.get("batch_index").and_then(Content::as_f64).unwrap_or(0.0),
            created: Time::of(thing.get("created_at")),
        };
        // What it is sorted by is kept beside it.
        let bytes = id.len() + 2 * content.as_str().len() + order.batch.len();
        let batch = order.batch.clone();
        if self.0.require(key, Pending { content, order }, Some(batch), bytes, budget) {
            budget.exceed();
        }
    }

    /// Takes what does not wait any more.
    pub(super) fn resolve(&mut self, id: &str, budget: &mut Budget) {
        self.0.resolve(id.into(), id.len(), budget);
    }

    /// The same for all of a batch.
    pub(super) fn resolve_batch(&mut self, batch: &str, budget: &mut Budget) {
        for id in self.0.of_batch(batch) {
            self.resolve(&id, budget);
        }
    }
}

/// Takes `user_questions_required`, in both of its forms.
pub(super) fn ask(questions: &mut Waiting, event: Content<'_, '_>, budget: &mut Budget) {
    let batch = event.filled("batch_id");
    let several = event.get("questions").into_iter().flat_map(Content::elements);
    for question in several.chain(event.get("question")) {
        questions.require(question, "question_id", batch.as_deref(), budget);
    }
}

/// Takes `user_questions_resolved`, in both of its forms; one that names no question is about
/// its whole batch.
pub(super) fn answer(questions: &mut Waiting, event: Content<'_, '_>, budget: &mut Budget) {
    let several = event.get("question_ids").into_iter().flat_map(Content::elements);
    let mut names_some = false;
    for id in several.chain(event.get("question_id")).filter_map(Content::as_string) {
        names_some = true;
        questions.resolve(&id, budget);
    }
    if let Some(batch) = event.filled("batch_id").filter(|_| !names_some) {
        questions.resolve_batch(&batch, budget);
    }
}

/// Takes a decision about an approval, if it is one that is `known`.
pub(super) fn decide(waiting: &mut Waiting, event: Content<'_, '_>, known: fn(&str) -> bool, budget: &mut Budget) {
    let is_decided = event.string("decision").is_some_and(|decision| known(&decision));
    if let Some(id) = event.filled("approval_id").filter(|_| is_decided) {
        waiting.resolve(&id, budget);
    }
}
