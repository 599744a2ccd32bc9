//! `--verbose`: what each file was taken for.

use super::console::{Outcome, say, shown};
use super::output::Output;
use crate::check::Protocol;
use crate::stream::Framing;

/// Says of each file what it was taken for, if that is wanted, and hands on what comes.
pub(super) struct Verbose<O> {
    pub(super) inner: O,
    is_on: bool,
    /// The file, and what it was taken for.
    file: String,
}

impl<O: Output> Verbose<O> {
    pub(super) fn new(inner: O, is_on: bool) -> Self {
        Self { inner, is_on, file: String::new() }
    }
}

/// A file as `--verbose` names it, and what it is taken for.
fn described(name: &str, protocol: Option<&Protocol>, framing: Option<Framing>) -> String {
    let protocol = protocol.map_or("no protocol".to_owned(), ToString::to_string);
    let framing = framing.map_or(String::new(), |framing| format!(", {framing}"));
    format!("{}: {protocol}{framing}", shown(name))
}

impl<O: Output> Output for Verbose<O> {
    fn inner(&mut self) -> Option<&mut dyn Output> {
        Some(&mut self.inner)
    }

    fn file(&mut self, name: &str, protocol: Option<&Protocol>, framing: Option<Framing>) -> Outcome<()> {
        if self.is_on {
            self.file = described(name, protocol, framing);
        }
        self.inner.file(name, protocol, framing)
    }

    fn end_file(&mut self, events: u64) -> Outcome<()> {
        if self.is_on {
            say(&format!("{}, {events} event{}", self.file, if events == 1 { "" } else { "s" }));
        }
        self.inner.end_file(events)
    }

    fn skip(&mut self, name: &str, reason: &str) {
        if self.is_on {
            say(&format!("{}: skipped: {}", shown(name), shown(reason)));
        }
        self.inner.skip(name, reason);
    }
}
