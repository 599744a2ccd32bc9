//! Ctrl-C: the first one ends the reading, so that there is a summary of what came before. A
//! second one ends the process, should the reading not end.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// How often whoever waits looks up.
const LOOK: Duration = Duration::from_millis(50);

/// The status of a process that Ctrl-C has ended, as shells have it.
const ENDED: i32 = 130;

/// Why nothing more is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    Interrupted,
    /// The time is over.
    Late,
    /// Nobody is there to send anything.
    Gone,
}

/// Takes Ctrl-C from now on.
#[expect(clippy::exit, reason = "whoever asks twice wants no more of it")]
pub(super) fn listen() {
    // A second handler is refused, which leaves the first one in place.
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(ENDED);
        }
    });
}

pub(super) fn is_set() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// Waits for what comes next, up to the deadline. `look_up` is called several times a second.
pub(super) fn receive<T>(from: &Receiver<T>, deadline: Option<Instant>, mut look_up: impl FnMut()) -> Result<T, Stop> {
    loop {
        let left = deadline.map_or(LOOK, |deadline| deadline.saturating_duration_since(Instant::now()));
        if left.is_zero() {
            return Err(Stop::Late);
        }
        let received = from.recv_timeout(left.min(LOOK));
        // Ctrl-C stops whoever sends as well, and the end that comes of it is none.
        if is_set() {
            return Err(Stop::Interrupted);
        }
        match received {
            Ok(message) => return Ok(message),
            Err(RecvTimeoutError::Disconnected) => return Err(Stop::Gone),
            Err(RecvTimeoutError::Timeout) => look_up(),
        }
    }
}
