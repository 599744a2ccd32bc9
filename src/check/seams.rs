//! Tokens that are cut between the pieces of a text.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::ops::Range;

use super::history::KeyHasher;
use super::secrets::{Form, Secrets};
use crate::safe::tokens::{SHORTEST, contains_token};

/// How much of a text is kept at most, in bytes.
const KEPT: usize = 512;

/// What the last pieces of open texts end with, as far as a token could reach back.
#[derive(Debug)]
pub(crate) struct Seams {
    tails: HashMap<u64, Tail, BuildHasherDefault<KeyHasher>>,
    bound: usize,
}

#[derive(Default)]
struct Tail {
    text: String,
    /// A token in it was reported.
    told: bool,
    /// Only where the user has patterns.
    recent: Option<Box<Recent>>,
}

impl std::fmt::Debug for Tail {
    /// Shows nothing of the text.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tail").field("bytes", &self.text.len()).finish_non_exhaustive()
    }
}

impl Seams {
    /// Seams of at most so many open texts.
    pub(crate) fn new(bound: usize) -> Self {
        Self { tails: HashMap::default(), bound }
    }

    /// The next piece of a text; the form of a secret that begins before it and reaches
    /// into it.
    pub(crate) fn push<'s>(&mut self, key: u64, piece: &str, secrets: &'s Secrets) -> Option<Form<'s>> {
        let is_full = self.tails.len() >= self.bound;
        let tail = match self.tails.get_mut(&key) {
            Some(tail) => tail,
            None if is_full => return None,
            None => self.tails.entry(key).or_default(),
        };
        let own = if secrets.has_patterns() { tail.recent.get_or_insert_default().push(piece, secrets) } else { None };
        if tail.push(piece, secrets) { Some(Form::TOKEN) } else { own }
    }

    /// The text ends.
    pub(crate) fn end(&mut self, key: u64) {
        self.tails.remove(&key);
    }

    /// No text goes on.
    pub(crate) fn clear(&mut self) {
        self.tails = HashMap::default();
    }
}

impl Tail {
    /// Whether a token begins before the piece and reaches into it.
    fn push(&mut self, piece: &str, secrets: &Secrets) -> bool {
        // Few forms of tokens have spaces, quotes and the like, all of which come before this in
        // ASCII: those are found in one piece alone.
        let is_break = |byte: &u8| *byte <= b'*';
        let bytes = piece.as_bytes();
        let head = bytes.iter().position(is_break).unwrap_or(bytes.len());
        let last = bytes.iter().rposition(is_break).map_or(0, |at| at + 1);
        // What is whole in a piece is reported there.
        let is_whole = contains_token(piece);
        let mut found = false;
        if !self.told && !is_whole && head > 0 && !self.text.is_empty() && self.text.len() + head >= SHORTEST {
            let before = self.text.len();
            self.text.push_str(&piece[..head]);
            found = secrets.has_token(&self.text);
            self.text.truncate(before);
        }
        self.told |= found || is_whole;
        if last > 0 {
            self.text.clear();
            self.told = is_whole;
        }
        self.text.push_str(&piece[last..]);
        keep_end(&mut self.text);
        found
    }
}

/// The same for the user's own patterns, which may have any characters.
#[derive(Default)]
struct Recent {
    text: String,
    /// A secret that was reported reaches to the end.
    told: bool,
}

impl Recent {
    fn push<'s>(&mut self, piece: &str, secrets: &'s Secrets) -> Option<Form<'s>> {
        let seam = self.text.len();
        let cut = (0..=KEPT.min(piece.len())).rev().find(|at| piece.is_char_boundary(*at)).unwrap_or(0);
        self.text.push_str(&piece[..cut]);
        let crosses = |place: &Range<usize>| place.start < seam && place.end > seam;
        let found = secrets.own(&self.text).find(|(place, _)| crosses(place)).map(|(_, form)| form);
        let found = found.filter(|_| !self.told);
        self.text.push_str(&piece[cut..]);
        keep_end(&mut self.text);
        let end = self.text.len();
        self.told = secrets.own(&self.text).any(|(place, _)| place.end == end);
        found
    }
}

/// Cuts a text down to its end.
fn keep_end(text: &mut String) {
    if text.len() > KEPT {
        let from = (text.len() - KEPT..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        text.drain(..from);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::secrets::SecretPattern;

    /// Seams, and what is asked of each piece: does a secret reach into it?
    fn seams(secrets: Secrets) -> impl FnMut(u64, &str) -> bool {
        let mut seams = Seams::new(2);
        move |key, piece| seams.push(key, piece, &secrets).is_some()
    }

    fn pieces(text: &str, width: usize) -> impl Iterator<Item = &str> {
        text.as_bytes().chunks(width).map(|piece| std::str::from_utf8(piece).unwrap())
    }

    #[test]
    fn tokens_are_found_wherever_they_are_cut() {
        let token = ["ghp_", "x7Kd93jfLq0ZbV5nRw8TyUe1Aa2Ss4Dd6FfG"].concat();
        let text = format!("the key {token} of a user");
        for width in 1..token.len() {
            let mut crosses = seams(Secrets::new());
            let found = pieces(&text, width).filter(|piece| crosses(1, piece) || contains_token(piece)).count();
            assert_eq!(found, 1, "{width}");
        }
    }

    #[test]
    fn what_is_no_token_is_passed() {
        let mut crosses = seams(Secrets::new());
        let mut allowed = seams(Secrets::new().allow_values(|value| value.starts_with("ghp_")));
        let token = ["ghp_", "x7Kd93jfLq0ZbV5nRw8TyUe1Aa2Ss4Dd6FfG"].concat();
        let (one, other) = token.split_at(9);
        // Another text, a space between.
        assert!(!crosses(1, one) && !crosses(2, other));
        assert!(!crosses(1, " ") && !crosses(1, other));
        // It is whole in its piece, which is reported anyway.
        assert!(!crosses(1, &format!(" {token}")));
        assert!(pieces(&"é".repeat(4000), 2).all(|piece| !crosses(1, piece)));
        assert!(!allowed(1, one) && !allowed(1, other));
        // A text that has ended.
        let (mut seams, secrets) = (Seams::new(2), Secrets::new());
        assert_eq!(seams.push(2, one, &secrets), None);
        seams.end(2);
        assert_eq!(seams.push(2, other, &secrets), None);
    }

    #[test]
    fn own_patterns_are_found_wherever_they_are_cut() {
        let pattern = |id, regex| SecretPattern::new(id, regex).unwrap();
        for (secrets, secret) in [
            (Secrets::new().pattern(pattern("a", "acme_[a-z0-9]{8}").keyword("acme_").unwrap()), "acme_4f9xk2p7"),
            (Secrets::new().pattern(pattern("a", "acme_[a-z0-9]{8,}")), "acme_4f9xk2p7"),
            (Secrets::new().pattern(pattern("a", "pin: [0-9]{4}")), "pin: 4711"),
            (Secrets::new().pattern(pattern("a", r#"\\"pin\\": \\"[0-9]+\\""#)), r#"\"pin\": \"4711\""#),
        ] {
            let text = format!("it is {secret}, not {} so far", "é ".repeat(700));
            for width in (1..2 * secret.len()).chain([600]) {
                let mut crosses = seams(secrets.clone());
                let mut piece = String::new();
                let mut found = 0;
                for c in text.chars() {
                    piece.push(c);
                    if piece.len() >= width {
                        found += usize::from(crosses(1, &piece) || secrets.find(&piece).is_some());
                        piece.clear();
                    }
                }
                assert_eq!(found, 1, "{secret} {width}");
            }
        }
    }
}
