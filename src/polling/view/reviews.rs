//! Reviews that a model makes: of a tool call, of the goal, of a workflow.

use std::collections::VecDeque;
use std::fmt;

use serde::Serialize;

use super::content::Content;
use crate::polling::budget::{Budget, THING};
use crate::wire::JsonObject;

/// How many reviews are kept; the oldest are dropped.
const REVIEWS: usize = 30;

/// How many steps of a review are kept; the oldest are dropped.
const STEPS: usize = 100;

/// What is reviewed.
///
/// Since 0.1.0. Source: the reference reduction, point 11.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ReviewKind {
    /// A tool call that waits for approval.
    AutoApproval,
    /// Whether the goal is reached.
    Goal,
    /// A node of a workflow.
    Workflow,
}

/// A review and its last 100 steps. `Debug` shows how many there are.
///
/// Since 0.1.0. Source: the reference reduction, point 11.
#[derive(Clone, PartialEq, Eq, Serialize)]
pub struct Review {
    kind: ReviewKind,
    approval_id: Option<Box<str>>,
    progress: VecDeque<JsonObject>,
    #[serde(skip)]
    is_done: bool,
}

impl Review {
    /// What is reviewed.
    pub const fn kind(&self) -> ReviewKind {
        self.kind
    }

    /// The approval that it is about, if the events name one.
    pub fn approval_id(&self) -> Option<&str> {
        self.approval_id.as_deref()
    }

    /// What the events have said, the last of it last: `stage`, `message` and so on.
    pub const fn progress(&self) -> &VecDeque<JsonObject> {
        &self.progress
    }

    fn weight(&self) -> usize {
        let id = self.approval_id.as_deref().map_or(0, str::len);
        THING + id + self.progress.iter().map(weight).sum::<usize>()
    }
}

impl fmt::Debug for Review {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Review")
            .field("kind", &self.kind)
            .field("progress", &self.progress.len())
            .finish_non_exhaustive()
    }
}

fn weight(step: &JsonObject) -> usize {
    THING + step.as_str().len()
}

/// The last 30 reviews.
#[derive(Clone, Default, PartialEq, Eq)]
pub(super) struct Reviews(VecDeque<Review>);

impl Reviews {
    pub(super) fn iter(&self) -> impl Iterator<Item = &Review> {
        self.0.iter()
    }

    /// Takes a step. It is one of the review of its approval; where the event names none, one
    /// of the last review of its kind, unless that is done or the step is a `start`.
    pub(super) fn take(&mut self, kind: ReviewKind, event: Content<'_, '_>, budget: &mut Budget) {
        let Some(progress) = event.get("progress") else { return };
        let Some(step) = progress.object() else { return };
        let approval = event.filled("approval_id");
        let stage = progress.string("stage");
        let starts = stage.as_deref() == Some("start");
        let is_same = |review: &Review| review.kind == kind && review.approval_id() == approval.as_deref();
        let known = self.0.iter().rposition(is_same);
        let known = known.filter(|at| approval.is_some() || !(starts || self.is_done(*at)));
        if known.is_none() && !self.begin(kind, approval.as_deref(), budget) {
            return;
        }
        let at = known.unwrap_or(self.0.len().saturating_sub(1));
        let Some(review) = self.0.get_mut(at) else { return };
        review.is_done = stage.as_deref() == Some("done");
        if !budget.take(weight(&step)) {
            return;
        }
        if review.progress.len() == STEPS
            && let Some(oldest) = review.progress.pop_front()
        {
            budget.give_back(weight(&oldest));
        }
        review.progress.push_back(step);
    }

    fn is_done(&self, at: usize) -> bool {
        self.0.get(at).is_some_and(|review| review.is_done)
    }

    /// Begins a review, unless there is no room for it.
    fn begin(&mut self, kind: ReviewKind, approval: Option<&str>, budget: &mut Budget) -> bool {
        if !budget.take(THING + approval.map_or(0, str::len)) {
            return false;
        }
        if self.0.len() == REVIEWS
            && let Some(oldest) = self.0.pop_front()
        {
            budget.give_back(oldest.weight());
        }
        let approval_id = approval.map(Into::into);
        self.0.push_back(Review { kind, approval_id, progress: VecDeque::new(), is_done: false });
        true
    }
}
