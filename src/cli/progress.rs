//! The progress line.

use std::io::{self, IsTerminal, Write};

use super::console::shown;
use super::source::Source;

/// A progress line on stderr, if it is a terminal and the check takes long.
pub(super) struct Progress {
    visible: bool,
    total: usize,
    done: usize,
    since: std::time::Instant,
}

impl Progress {
    pub(super) fn new(total: usize) -> Self {
        Self { visible: false, total, done: 0, since: std::time::Instant::now() }
    }

    pub(super) fn begin(&mut self, source: &Source) {
        self.done += 1;
        if io::stderr().is_terminal() && self.since.elapsed().as_millis() > 500 {
            let name = shown(&source.name());
            let _ = write!(io::stderr(), "\r\u{1b}[2K{}/{} {name}", self.done, self.total);
            self.visible = true;
        }
    }

    pub(super) fn clear(&mut self) {
        if std::mem::take(&mut self.visible) {
            let _ = write!(io::stderr(), "\r\u{1b}[2K");
        }
    }
}
