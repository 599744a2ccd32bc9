//! Tokens that are cut between the pieces of a text.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use super::history::KeyHasher;
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

    /// The next piece of a text; whether a token begins before it and reaches into it.
    pub(crate) fn push(&mut self, key: u64, piece: &str) -> bool {
        // No token has spaces, quotes and the like, all of which come before this in ASCII.
        let is_break = |byte: &u8| *byte <= b'*';
        let bytes = piece.as_bytes();
        let head = bytes.iter().position(is_break).unwrap_or(bytes.len());
        let last = bytes.iter().rposition(is_break).map_or(0, |at| at + 1);
        let is_full = self.tails.len() >= self.bound;
        let tail = match self.tails.get_mut(&key) {
            Some(tail) => tail,
            None if is_full => return false,
            None => self.tails.entry(key).or_default(),
        };
        // What is whole in a piece is reported there.
        let is_whole = contains_token(piece);
        let mut found = false;
        if !tail.told && !is_whole && head > 0 && !tail.text.is_empty() && tail.text.len() + head >= SHORTEST {
            let before = tail.text.len();
            tail.text.push_str(&piece[..head]);
            found = contains_token(&tail.text);
            tail.text.truncate(before);
        }
        tail.told |= found || is_whole;
        if last > 0 {
            tail.text.clear();
            tail.told = is_whole;
        }
        tail.text.push_str(&piece[last..]);
        if tail.text.len() > KEPT {
            let from =
                (tail.text.len() - KEPT..tail.text.len()).find(|at| tail.text.is_char_boundary(*at)).unwrap_or(0);
            tail.text.drain(..from);
        }
        found
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_found_wherever_they_are_cut() {
        let token = ["ghp_", "x7Kd93jfLq0ZbV5nRw8TyUe1Aa2Ss4Dd6FfG"].concat();
        let text = format!("the key {token} of a user");
        for width in 1..token.len() {
            let mut seams = Seams::new(2);
            let pieces = text.as_bytes().chunks(width).map(|piece| std::str::from_utf8(piece).unwrap());
            let found = pieces.filter(|piece| seams.push(1, piece) || contains_token(piece)).count();
            assert_eq!(found, 1, "{width}");
        }
    }

    #[test]
    fn what_is_no_token_is_passed() {
        let mut seams = Seams::new(2);
        let token = ["ghp_", "x7Kd93jfLq0ZbV5nRw8TyUe1Aa2Ss4Dd6FfG"].concat();
        let (one, other) = token.split_at(9);
        // Another text, a space between, a text that has ended.
        assert!(!seams.push(1, one) && !seams.push(2, other));
        assert!(!seams.push(1, " ") && !seams.push(1, other));
        assert!(!seams.push(2, one));
        seams.end(2);
        assert!(!seams.push(2, other));
        // It is whole in its piece, which is reported anyway.
        assert!(!seams.push(1, &format!(" {token}")));
        assert!("é".repeat(4000).as_bytes().chunks(2).all(|piece| !seams.push(1, std::str::from_utf8(piece).unwrap())));
    }
}
