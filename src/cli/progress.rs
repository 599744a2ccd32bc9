//! The progress line of what takes long.
//!
//! It stands on standard error, below what has been printed. There is one terminal, so there
//! is one line: whoever writes there takes it away first (`hidden`).

use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// From how many bytes on a check has a line at once. Whatever takes longer than `A_WHILE` has
/// one from then on.
const LARGE: u64 = 100_000_000;
const A_WHILE: Duration = Duration::from_millis(500);

/// How long a line stands before it is written anew.
const PACE: Duration = Duration::from_millis(100);

static LINE: Mutex<Line> = Mutex::new(Line { task: None, is_shown: false });

/// The line, and what it is about.
pub(super) struct Line {
    task: Option<Task>,
    is_shown: bool,
}

struct Task {
    /// How many bytes there are to read; `None` where only the other side knows.
    total: Option<u64>,
    read: u64,
    begun: Instant,
    written: Option<Instant>,
}

/// Begins a check of so many bytes, or a recording, if there is a terminal that can show it.
pub(super) fn begin(total: Option<u64>) {
    let obeys_codes = std::env::var_os("TERM").is_none_or(|terminal| terminal != "dumb");
    if obeys_codes && io::stderr().is_terminal() {
        line().task = Some(Task { total, read: 0, begun: Instant::now(), written: None });
    }
}

/// Notes that `bytes` more were read, or with 0 that time has passed.
pub(super) fn advance(bytes: u64) {
    let mut guard = line();
    let Line { task, is_shown } = &mut *guard;
    let Some(task) = task else { return };
    task.read += bytes;
    let now = Instant::now();
    if task.is_due(now) {
        task.written = Some(now);
        *is_shown = true;
        // Where it cannot be written, nobody reads it.
        let _ = io::stderr().write_all(format!("\r\u{1b}[2K{}", task.text(now)).as_bytes());
    }
}

/// Takes the line away. It stays away until what is given is dropped.
pub(super) fn hidden() -> MutexGuard<'static, Line> {
    let mut line = line();
    if std::mem::take(&mut line.is_shown) {
        let _ = io::stderr().write_all(b"\r\x1b[2K");
    }
    line
}

/// Takes the line away for good.
pub(super) fn end() {
    hidden().task = None;
}

fn line() -> MutexGuard<'static, Line> {
    LINE.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Task {
    fn is_due(&self, now: Instant) -> bool {
        let is_large = self.total.is_some_and(|total| total > LARGE);
        (is_large || now.duration_since(self.begun) > A_WHILE)
            && self.written.is_none_or(|written| now.duration_since(written) > PACE)
    }

    fn text(&self, now: Instant) -> String {
        let Some(total) = self.total else {
            let seconds = now.duration_since(self.begun).as_secs();
            return format!("recording: {} kB in {seconds} s; Ctrl-C ends it", self.read / 1000);
        };
        // A file may grow while it is read.
        let read = self.read.min(total);
        let percent = u128::from(read) * 100 / u128::from(total.max(1));
        format!("checking: {} of {} MB ({percent} %)", read / 1_000_000, total.div_ceil(1_000_000))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(total: Option<u64>, read: u64) -> Task {
        Task { total, read, begun: Instant::now(), written: None }
    }

    #[test]
    fn what_it_says() {
        for (total, read, text) in [
            (Some(726_889_158), 0, "checking: 0 of 727 MB (0 %)"),
            (Some(726_889_158), 363_444_579, "checking: 363 of 727 MB (50 %)"),
            (Some(200), 100, "checking: 0 of 1 MB (50 %)"),
            (Some(200_000_000), 300_000_000, "checking: 200 of 200 MB (100 %)"),
            (Some(0), 0, "checking: 0 of 0 MB (0 %)"),
            (None, 12_345, "recording: 12 kB in 3 s; Ctrl-C ends it"),
        ] {
            let task = task(total, read);
            assert_eq!(task.text(task.begun + Duration::from_secs(3)), text);
        }
    }

    #[test]
    fn when_it_is_written() {
        let at = |task: &Task, milliseconds| task.is_due(task.begun + Duration::from_millis(milliseconds));
        let (large, small, live) = (task(Some(LARGE + 1), 0), task(Some(LARGE), 0), task(None, 0));
        assert!(at(&large, 0));
        for task in [small, live] {
            assert!(!at(&task, 500) && at(&task, 501));
        }
        let written = Task { written: Some(large.begun), ..task(Some(LARGE + 1), 0) };
        let written = Task { begun: large.begun, ..written };
        assert!(!at(&written, 100) && at(&written, 101));
    }
}
