//! The goal that a task works on.

use std::fmt;

use serde::Serialize;

use super::super::events::is_scope;
use super::content::Content;
use super::fields::Fields;
use crate::polling::budget::Budget;
use crate::polling::events::GoalStatus;

/// The goal, as the last event about it has it. `Debug` shows no value.
///
/// Since 0.1.0. Source: the reference reduction, point 12.
#[derive(Clone, PartialEq, Eq, Serialize)]
pub struct Goal {
    status: GoalStatus,
    fields: Fields,
}

impl Goal {
    /// Done after `goal_completed`, stopped after `goal_stopped`, else what `goal_progress`
    /// says.
    pub const fn status(&self) -> &GoalStatus {
        &self.status
    }

    /// The members of the event but its status: `goal`, `turn_count`, `final_summary` and so on.
    pub const fn fields(&self) -> &Fields {
        &self.fields
    }

    fn weight(&self) -> usize {
        self.status.as_str().len() + self.fields.weight()
    }
}

impl fmt::Debug for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Goal").field("status", &self.status).finish_non_exhaustive()
    }
}

/// Puts what an event says in the place of the goal. `status` is what its type says; without
/// it the event's own counts.
pub(super) fn set(goal: &mut Option<Goal>, event: Content<'_, '_>, status: Option<GoalStatus>, budget: &mut Budget) {
    clear(goal, budget);
    let own = || event.filled("status").map(|status| GoalStatus::from(&*status));
    let status = status.or_else(own).unwrap_or(GoalStatus::Running);
    if budget.take(status.as_str().len()) {
        let mut fields = Fields::default();
        fields.set_all(event, |name| name != "status" && !is_scope(name), budget);
        *goal = Some(Goal { status, fields });
    }
}

/// Forgets the goal.
pub(super) fn clear(goal: &mut Option<Goal>, budget: &mut Budget) {
    if let Some(old) = goal.take() {
        budget.give_back(old.weight());
    }
}
