//! Events that a connection repeats after it was made again.

use super::events::ConnectionId;
use crate::check::history::{Bounded, Keys};

/// How many events are known again when they are replayed.
pub(super) const EVENTS: usize = 262_144;

/// What has come, as keyed hashes, by connection.
#[derive(Clone)]
pub(super) struct Replay {
    keys: Keys,
    seen: Bounded<Seen>,
    /// The number of the connection, and its id.
    connection: u64,
    id: Option<ConnectionId>,
}

/// How often an event has come.
#[derive(Clone, Copy)]
struct Seen {
    /// The last connection that it came on, and how often it came there.
    connection: u64,
    here: u64,
    /// How often it came on the connection on which it came most: so often it counts.
    most: u64,
}

impl Default for Replay {
    fn default() -> Self {
        Self::new(EVENTS)
    }
}

impl Replay {
    /// Remembers so many events.
    pub(super) fn new(events: usize) -> Self {
        Self { keys: Keys::default(), seen: Bounded::new(events), connection: 0, id: None }
    }

    /// Takes the id of the connection. If it is another one, what comes now may have come
    /// before.
    pub(super) fn connected(&mut self, id: &ConnectionId) {
        if self.id.as_ref() != Some(id) {
            self.id = Some(id.clone());
            self.reconnected();
        }
    }

    /// Says that what comes now may have come before.
    pub(super) fn reconnected(&mut self) {
        self.connection += 1;
    }

    /// Whether the event is one that an earlier connection has brought.
    pub(super) fn is_repeated(&mut self, json: &str) -> bool {
        let (key, connection) = (self.keys.of(json), self.connection);
        let Some(seen) = self.seen.get_mut(key) else {
            self.seen.insert(key, Seen { connection, here: 1, most: 1 });
            return false;
        };
        if seen.connection != connection {
            (seen.connection, seen.here) = (connection, 0);
        }
        seen.here += 1;
        let is_repeated = seen.here <= seen.most;
        seen.most = seen.most.max(seen.here);
        is_repeated
    }
}
