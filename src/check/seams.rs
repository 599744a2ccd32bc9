//! Tokens that are cut between the pieces of a text.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::ops::Range;

use super::history::KeyHasher;
use super::secrets::{Form, Secrets};
use crate::safe::tokens::{SHORTEST, contains_token};

/// How much of a text is kept at most, in bytes.
const KEPT: usize = 512;

/// A text of this length without a break is looked at with every piece, in bytes. In a longer
/// one a sixteenth has to be new, so that pieces of a letter do not have it read over and over.
const SHORT: usize = 64;
const NEW: usize = 16;

/// What the last pieces of open texts end with, as far as a token could reach back.
#[derive(Debug)]
pub(crate) struct Seams {
    tails: HashMap<u64, Tail, BuildHasherDefault<KeyHasher>>,
    bound: usize,
}

#[derive(Default)]
struct Tail {
    text: String,
    /// How much has come since it was looked at, in bytes.
    fresh: usize,
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

    /// The text ends; the form of a secret that its last pieces have made.
    pub(crate) fn end<'s>(&mut self, key: u64, secrets: &'s Secrets) -> Option<Form<'s>> {
        let mut tail = self.tails.remove(&key)?;
        (!tail.told && tail.has_token("", true, secrets)).then_some(Form::TOKEN)
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
        if !self.told && !is_whole && !self.text.is_empty() {
            found = self.has_token(&piece[..floor(piece, head.min(KEPT))], last > 0, secrets);
        }
        self.told |= found || is_whole;
        if last > 0 {
            self.text.clear();
            (self.fresh, self.told) = (0, is_whole);
        }
        push_end(&mut self.text, &piece[last..]);
        found
    }

    /// Whether the text has a token with what comes next, if it is time to look; it is where
    /// the text ends.
    fn has_token(&mut self, next: &str, ends: bool, secrets: &Secrets) -> bool {
        self.fresh += next.len();
        let old = self.text.len();
        let enough = if old > SHORT { old / NEW } else { 0 };
        let is_due = self.fresh > enough || (ends && self.fresh > 0);
        if !is_due || old + next.len() < SHORTEST {
            return false;
        }
        self.fresh = 0;
        self.text.push_str(next);
        let found = secrets.has_token(&self.text);
        self.text.truncate(old);
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
        let cut = floor(piece, KEPT.min(piece.len()));
        self.text.push_str(&piece[..cut]);
        let crosses = |place: &Range<usize>| place.start < seam && place.end > seam;
        let found = secrets.own(&self.text).find(|(place, _)| crosses(place)).map(|(_, form)| form);
        let found = found.filter(|_| !self.told);
        push_end(&mut self.text, &piece[cut..]);
        let end = self.text.len();
        self.told = secrets.own(&self.text).any(|(place, _)| place.end == end);
        found
    }
}

/// Appends a piece to a text of which only the end is kept, and takes no room for more.
fn push_end(text: &mut String, piece: &str) {
    if piece.len() >= KEPT {
        text.clear();
    }
    text.push_str(&piece[end_of(piece)..]);
    text.drain(..end_of(text));
}

/// Where the end of a text begins that is kept.
fn end_of(text: &str) -> usize {
    let from = text.len().saturating_sub(KEPT);
    (from..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
}

/// The last place up to `at` where a character begins.
fn floor(text: &str, at: usize) -> usize {
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
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
        assert_eq!(seams.end(2, &secrets), None);
        assert_eq!(seams.push(2, other, &secrets), None);
    }

    #[test]
    fn long_texts_without_breaks_are_looked_at_now_and_then() {
        let (mut tail, secrets) = (Tail::default(), Secrets::new());
        let is_looked_at = |_: &usize| {
            tail.push("/", &secrets);
            tail.fresh == 0
        };
        let looks = (0..4096).filter(is_looked_at).count();
        assert!((100..400).contains(&looks), "{looks}");
    }

    #[test]
    fn tokens_are_found_in_long_texts_before_these_end() {
        let token = ["ghp_", "x7Kd93jfLq0ZbV5nRw8TyUe1Aa2Ss4Dd6FfG"].concat();
        for behind in ["", " ", "/"] {
            let (mut seams, secrets) = (Seams::new(2), Secrets::new());
            let text = format!("{}/{token}{behind}", "/x".repeat(200));
            let found = pieces(&text, 1).filter(|piece| seams.push(1, piece, &secrets).is_some()).count();
            assert_eq!(found + usize::from(seams.end(1, &secrets).is_some()), 1, "{behind:?}");
        }
    }

    #[test]
    fn large_pieces_leave_no_large_room() {
        let pattern = SecretPattern::new("a", "acme_[a-z0-9]{8}").unwrap();
        let (mut tail, secrets) = (Tail::default(), Secrets::new().pattern(pattern));
        let mut recent = Recent::default();
        for _ in 0..3 {
            tail.push(&"é".repeat(1 << 20), &secrets);
            recent.push(&"é".repeat(1 << 20), &secrets);
        }
        assert!(tail.text.len() <= KEPT && tail.text.capacity() <= 4 * KEPT);
        assert!(recent.text.len() <= KEPT && recent.text.capacity() <= 4 * KEPT);
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
