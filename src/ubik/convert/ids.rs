//! The ids of tool calls, and which of them have their result.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::agui::{ToolCallId, ToolCallResult};

/// The ids of all calls, those from before the run and those that the client has dropped
/// included, and whether each has its result.
///
/// What becomes of a call changes nothing here. So no two calls have one id, and no id has two
/// results, whichever text or snapshot a result comes with.
#[derive(Clone, Default)]
pub(super) struct CallIds(HashMap<ToolCallId, bool>);

impl CallIds {
    /// Gives the id to a call; `false` if another one has it.
    pub(super) fn take(&mut self, id: &ToolCallId) -> bool {
        let Entry::Vacant(free) = self.0.entry(id.clone()) else { return false };
        free.insert(false);
        true
    }

    /// Takes an id back of which the client knows nothing.
    pub(super) fn release(&mut self, id: &ToolCallId) {
        self.0.remove(id);
    }

    /// Whether the call of the id has its result.
    pub(super) fn has_result(&self, id: &ToolCallId) -> bool {
        self.0.get(id).copied().unwrap_or_default()
    }

    /// The only maker of results: gives none for a call that has its result already.
    pub(super) fn result(&mut self, id: &ToolCallId, message: String, content: &str) -> Option<ToolCallResult> {
        self.answer(id).then(|| ToolCallResult::new(message, id.clone(), content))
    }

    /// Notes that the call of the id has its result; `false` if it had one before.
    pub(super) fn answer(&mut self, id: &ToolCallId) -> bool {
        self.0.insert(id.clone(), true) != Some(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_given_once_and_answered_once() {
        let (mut ids, c) = (CallIds::default(), ToolCallId::from("c"));
        assert!(ids.take(&c) && !ids.take(&c) && !ids.has_result(&c));
        let mut made = |message: &str| ids.result(&c, message.to_owned(), "1").map(|result| result.message_id);
        assert_eq!(made("m1"), Some("m1".into()));
        assert_eq!(made("m2"), None);
        assert!(ids.has_result(&c) && !ids.take(&c));
    }

    #[test]
    fn a_result_in_a_snapshot_is_the_result() {
        let (mut ids, c) = (CallIds::default(), ToolCallId::from("c"));
        assert!(ids.take(&c) && ids.answer(&c) && !ids.answer(&c));
        assert!(ids.result(&c, "m1".to_owned(), "1").is_none());
    }

    #[test]
    fn an_id_that_was_taken_back_is_free() {
        let (mut ids, c) = (CallIds::default(), ToolCallId::from("c"));
        assert!(ids.take(&c));
        ids.release(&c);
        assert!(ids.take(&c));
    }
}
