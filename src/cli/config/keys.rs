//! What is wrong with a configuration, and where.

use std::ops::Range;

use crate::cli::names::meant;
use crate::safe::show;

/// The most problems that are told.
const MOST: usize = 50;

/// The text of a configuration, and the problems that were found in it.
pub(super) struct Notes<'t> {
    /// The file, as it is named in messages.
    name: &'t str,
    text: &'t str,
    /// Where its lines end. They are counted once, since every entry of a list asks for its own.
    ends: Vec<usize>,
    pub(super) problems: Vec<String>,
}

impl<'t> Notes<'t> {
    pub(super) fn new(name: &'t str, text: &'t str) -> Self {
        let ends = memchr::memchr_iter(b'\n', text.as_bytes()).collect();
        Self { name, text, ends, problems: Vec::new() }
    }

    /// The line of a place, as in `contracts.toml:7`.
    pub(super) fn line(&self, place: &Range<usize>) -> String {
        format!("{}:{}", self.name, self.number(place))
    }

    fn number(&self, place: &Range<usize>) -> usize {
        self.ends.partition_point(|end| *end < place.start) + 1
    }

    /// Line and column, from 1, the column in characters.
    fn position(&self, place: &Range<usize>) -> (usize, usize) {
        let before = self.text.get(..place.start).unwrap_or(self.text);
        let line = before.rfind('\n').map_or(before, |at| &before[at + 1..]);
        (self.number(place), line.chars().count() + 1)
    }

    pub(super) fn problem(&mut self, place: &Range<usize>, message: &str) {
        if self.is_full() {
            return;
        }
        let (line, column) = self.position(place);
        // Of a regular expression, what is wrong with it, without its text.
        let message = message.rsplit_once("\nerror: ").map_or(message, |(_, error)| error);
        self.problems.push(format!("{}:{line}:{column}: {message}", self.name));
    }

    /// Whether there are so many problems that more would help nobody.
    pub(super) fn is_full(&self) -> bool {
        self.problems.len() >= MOST
    }

    /// Notes what the TOML reader says.
    pub(super) fn unreadable(&mut self, error: &toml::de::Error) {
        let message = described(error.message());
        match error.span() {
            Some(place) => self.problem(&place, &message),
            None => self.problems.push(format!("{}: {message}", self.name)),
        }
    }

    /// The value, or a note of what is wrong with it.
    pub(super) fn take<T>(&mut self, place: &Range<usize>, value: Result<T, String>) -> Option<T> {
        value.map_err(|message| self.problem(place, &message)).ok()
    }
}

/// What the reader says in its own words, in ours.
fn described(message: &str) -> String {
    let mut names = message.split('`').skip(1).step_by(2);
    if message.starts_with("unknown field") {
        let written = names.next().unwrap_or_default();
        let known: Vec<&str> = names.collect();
        return format!("there is no key `{}` here{}", show(written), meant(written, &known));
    }
    if message.starts_with("missing field") {
        return format!("the key `{}` is missing", names.next().unwrap_or_default());
    }
    let mut text = message.trim().replace('\n', "; ");
    // A text where something else was expected may be a secret.
    if text.starts_with("invalid type: string ")
        && let Some(at) = text.rfind(", expected ")
    {
        text.replace_range("invalid type: string".len()..at, "");
    }
    for (theirs, ours) in [
        (" as i128", ""),
        ("expected a sequence", "expected a list"),
        ("expected i64", "expected a whole number"),
        ("expected a map", "expected a table"),
    ] {
        text = text.replace(theirs, ours);
    }
    // The types of the reader are tables here.
    match text.split_once("expected struct ") {
        Some((before, _)) => format!("{before}expected a table"),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_keys() {
        for (message, said) in [
            (
                "unknown field `exlude`, expected one of `paths`, `exclude`",
                "there is no key `exlude` here; did you mean `exclude`?",
            ),
            ("unknown field `color`, expected `id` or `regex`", "there is no key `color` here; write one of id, regex"),
            ("missing field `glob`", "the key `glob` is missing"),
            ("invalid type: integer `1`, expected struct Check", "invalid type: integer `1`, expected a table"),
            ("invalid type: string \"a\", expected i64", "invalid type: string, expected a whole number"),
            ("invalid type: string \"a, expected b\", expected a sequence", "invalid type: string, expected a list"),
            ("invalid type: integer `1`, expected a string\n", "invalid type: integer `1`, expected a string"),
        ] {
            assert_eq!(described(message), said);
        }
    }

    #[test]
    fn places_are_counted_from_one_in_characters() {
        let mut notes = Notes::new("contracts.toml", "[check]\npäths = 1\n");
        notes.problem(&(17..18), "no");
        notes.problem(&(99..100), "beyond");
        assert_eq!(notes.problems, ["contracts.toml:2:9: no", "contracts.toml:3:1: beyond"]);
        for (place, line) in [(0..1, 1), (7..8, 1), (8..9, 2), (18..19, 2), (19..19, 3)] {
            assert_eq!(notes.line(&place), format!("contracts.toml:{line}"));
        }
        (0..100).for_each(|_| notes.problem(&(0..1), "again"));
        assert_eq!(notes.problems.len(), MOST);
    }
}
