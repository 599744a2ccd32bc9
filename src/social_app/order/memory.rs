//! What all runs of a connection share: the room for calls and arguments, and the answers.

use crate::check::Limits;
use crate::check::history::{Bounded, Keys};

/// What is remembered over all runs.
#[derive(Debug)]
pub(super) struct Memory {
    pub(super) keys: Keys,
    /// How many more calls and bytes of arguments there is room for.
    pub(super) calls: usize,
    pub(super) bytes: usize,
    pub(super) exhausted: bool,
    /// The messages that were answers.
    pub(super) answers: Bounded<()>,
    /// A call was started, so that a result without one is strange. Where results alone are
    /// sent, none ever is.
    pub(super) any_call_started: bool,
}

impl Memory {
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            keys: Keys::default(),
            calls: limits.history,
            bytes: limits.text_bytes,
            exhausted: false,
            answers: Bounded::new(limits.history),
            any_call_started: false,
        }
    }

    /// Whether there is room for so many calls and bytes, which are taken.
    pub(super) fn take(&mut self, calls: usize, bytes: usize) -> bool {
        let fits = calls <= self.calls && bytes <= self.bytes;
        if fits {
            self.calls -= calls;
            self.bytes -= bytes;
        } else {
            self.exhausted = true;
        }
        fits
    }

    pub(super) fn give_back(&mut self, calls: usize, bytes: usize) {
        self.calls += calls;
        self.bytes += bytes;
    }
}
