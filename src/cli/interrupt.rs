//! Ctrl-C: the first one ends the reading, so that there is a summary of what came before. A
//! second one ends the process, should the reading not end.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, LazyLock, Once};
use std::time::{Duration, Instant};

use signal_hook::consts::SIGINT;
use signal_hook::flag;

static INTERRUPTED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// How often a wait checks for Ctrl-C.
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

/// Takes Ctrl-C from now on. Where it cannot be taken it ends the process.
pub(super) fn listen() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // In the order in which they run: at the first Ctrl-C the flag is still down.
        let _ = flag::register_conditional_shutdown(SIGINT, ENDED, Arc::clone(&INTERRUPTED));
        let _ = flag::register(SIGINT, Arc::clone(&INTERRUPTED));
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
