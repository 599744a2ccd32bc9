//! How far workers may be ahead of the output, in bytes: what waits to be printed fits into
//! memory, however large the files are and however many.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// How much may wait of the unit that is printed, and of all behind it, in bytes.
const OWN: usize = 16 * 1024 * 1024;
const OTHERS: usize = 48 * 1024 * 1024;

/// What waits to be printed.
#[derive(Debug)]
pub(super) struct Ahead {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    /// The unit that is printed.
    current: usize,
    /// How much waits of each unit, and of all behind the one that is printed.
    held: Vec<usize>,
    others: usize,
    /// Nothing more is printed.
    is_over: bool,
}

impl State {
    fn of(&self, unit: usize) -> usize {
        self.held.get(unit).copied().unwrap_or(0)
    }

    /// Whether so much more of a unit may wait. The unit that is printed waits for no other.
    fn has_room(&self, unit: usize, bytes: usize) -> bool {
        let (held, most) = if unit == self.current { (self.of(unit), OWN) } else { (self.others, OTHERS) };
        self.is_over || held == 0 || held + bytes <= most
    }

    fn take(&mut self, unit: usize, bytes: usize) {
        if let Some(held) = self.held.get_mut(unit) {
            *held += bytes;
            self.others += if unit == self.current { 0 } else { bytes };
        }
    }

    fn print(&mut self, bytes: usize) {
        if let Some(held) = self.held.get_mut(self.current) {
            *held -= bytes;
        }
    }

    fn go_on(&mut self) {
        self.current += 1;
        self.others -= self.of(self.current);
    }
}

impl Ahead {
    /// Nothing waits of so many units.
    pub(super) fn of(units: usize) -> Self {
        let state = State { current: 0, held: vec![0; units], others: 0, is_over: false };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until so much more of a unit may wait, which is noted.
    pub(super) fn take(&self, unit: usize, bytes: usize) {
        let waiting = self.changed.wait_while(self.state(), |state| !state.has_room(unit, bytes));
        waiting.unwrap_or_else(PoisonError::into_inner).take(unit, bytes);
    }

    /// So much of the unit that is printed waits no longer.
    pub(super) fn print(&self, bytes: usize) {
        self.state().print(bytes);
        self.changed.notify_all();
    }

    /// The next unit is printed.
    pub(super) fn go_on(&self) {
        self.state().go_on();
        self.changed.notify_all();
    }

    /// Nobody waits any longer once this is dropped: nothing more is printed.
    pub(super) const fn until_the_end(&self) -> End<'_> {
        End(self)
    }
}

/// The end of printing, however it comes.
pub(super) struct End<'a>(&'a Ahead);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.state().is_over = true;
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_waits_is_bounded_and_the_unit_that_is_printed_goes_on() {
        let ahead = Ahead::of(3);
        let has_room = |unit, bytes| ahead.state().has_room(unit, bytes);
        // Whatever its size, one piece may wait.
        assert!(has_room(0, 2 * OWN) && has_room(1, 2 * OTHERS));
        ahead.take(1, OTHERS - 1);
        assert!(has_room(2, 1) && !has_room(2, 2) && !has_room(1, 2));
        ahead.take(0, OWN);
        assert!(!has_room(0, 1));
        ahead.print(1);
        assert!(has_room(0, 1) && !has_room(2, 2));
        ahead.print(OWN - 1);
        // The next unit is printed: what waits of it is no longer ahead.
        ahead.go_on();
        assert!(has_room(2, OTHERS) && !has_room(1, 1));
        ahead.print(OTHERS - 1);
        ahead.take(2, OTHERS);
        ahead.go_on();
        ahead.print(OTHERS);
        ahead.go_on();
        assert!(ahead.state().held.iter().all(|held| *held == 0));
        assert_eq!(ahead.state().others, 0);
        ahead.take(2, OTHERS);
        assert!(!has_room(2, 1));
        drop(ahead.until_the_end());
        assert!(has_room(2, 1));
    }
}
