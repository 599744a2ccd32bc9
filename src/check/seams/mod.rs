//! Secrets that are cut between the pieces of a text.

mod recent;
mod table;
mod tail;

use super::history::ByKey;
use super::limits::Limits;
use super::order::Arrival;
use super::reporter::Reporter;
use super::rule::Rule;
use super::secrets::{Form, Secrets};
use crate::wire::path::Path;
use recent::Recent;
use std::borrow::Cow;
use std::collections::hash_map::Entry;
use tail::Tail;

pub(crate) use table::{Does, TextRow, Texts};

/// What the last pieces of open texts end with, as far as a secret could reach back.
#[derive(Clone)]
pub(crate) struct Seams {
    texts: ByKey<Text>,
    /// Those that have ended last and may go on, by their keys.
    ended: Vec<(u64, Text)>,
    /// How many texts are kept, and about how many bytes of them.
    most: usize,
    most_bytes: usize,
    bytes: usize,
    forgot: Forgot,
}

/// How many texts that have ended are kept, so that one that goes on is known again.
const ENDED: usize = 4;

/// Whether there were more texts than are kept.
#[derive(Clone, Copy, PartialEq)]
enum Forgot {
    No,
    Unsaid,
    Said,
}

#[derive(Clone, Default)]
struct Text {
    tail: Tail,
    /// A secret was found with the last piece, and is yet to be reported.
    is_found: bool,
    /// Only where the user has patterns.
    recent: Option<Box<Recent>>,
}

impl Text {
    fn bytes(&self) -> usize {
        self.tail.bytes() + self.recent.as_ref().map_or(0, |recent| recent.bytes())
    }
}

impl Seams {
    /// No texts yet, and room for what is open at a time.
    pub(crate) fn new(limits: Limits) -> Self {
        let (most, most_bytes) = (limits.history, limits.text_bytes);
        Self { texts: ByKey::default(), ended: Vec::new(), most, most_bytes, bytes: 0, forgot: Forgot::No }
    }

    /// How many texts are open.
    pub(crate) fn len(&self) -> usize {
        self.texts.len()
    }

    /// The next piece of a text; the form of a secret that begins before it and was found with
    /// it.
    fn push<'s>(&mut self, key: u64, piece: &str, secrets: &'s Secrets) -> Option<Form<'s>> {
        let is_full = self.texts.len() >= self.most || self.bytes > self.most_bytes;
        if is_full && !self.texts.contains_key(&key) {
            // A stream that opens so many texts does not end them.
            self.clear();
            if self.forgot == Forgot::No {
                self.forgot = Forgot::Unsaid;
            }
        }
        let (text, before) = match self.texts.entry(key) {
            Entry::Occupied(known) => {
                let text = known.into_mut();
                let before = text.bytes();
                (text, before)
            }
            Entry::Vacant(new) => {
                let ended = self.ended.iter().position(|(ended, _)| *ended == key);
                let again = ended.map(|at| self.ended.remove(at));
                (new.insert(again.map(|(_, text)| text).unwrap_or_default()), 0)
            }
        };
        let own = if secrets.has_patterns() { text.recent.get_or_insert_default().push(piece, secrets) } else { None };
        let found = std::mem::take(&mut text.is_found) || text.tail.push(piece, secrets);
        self.bytes = self.bytes + text.bytes() - before;
        if found { Some(Form::TOKEN) } else { own }
    }

    /// Takes the next piece of a text that is known. False if the event has to be [looked at](Self::look):
    /// a secret that begins before it was found with it.
    pub(crate) fn go_on(&mut self, key: u64, piece: &str, secrets: &Secrets) -> bool {
        let Some(text) = self.texts.get_mut(&key).filter(|text| text.recent.is_none()) else { return false };
        let before = text.tail.bytes();
        text.is_found = text.tail.push(piece, secrets);
        self.bytes = self.bytes + text.tail.bytes() - before;
        !text.is_found
    }

    /// Takes the piece that a slot of the event holds, and gives it. A secret is reported whatever
    /// else is wrong with the event.
    pub(crate) fn look<'a>(
        &mut self,
        key: u64,
        slot: u8,
        rule: &Rule,
        arrival: &mut Arrival<'_, 'a, '_>,
    ) -> Option<Cow<'a, str>> {
        let piece = arrival.facts.string(slot)?;
        let found = self.push(key, &piece, arrival.report.secrets);
        if self.forgot == Forgot::Unsaid {
            self.forgot = Forgot::Said;
            arrival.report.forgotten("the texts that were open", &format!("{rule} across their pieces"));
        }
        if let Some(form) = found {
            arrival.fault_of(rule, slot, format!("with the pieces before, the text has the shape of {form}"));
        }
        Some(piece)
    }

    /// The event ends the text, which may go on under its key if that `stays`.
    pub(crate) fn end(&mut self, key: u64, stays: bool, rule: &Rule, arrival: &mut Arrival<'_, '_, '_>) {
        if let Some(mut text) = self.texts.remove(&key) {
            self.bytes -= text.bytes();
            if text.tail.ends_in_token(arrival.report.secrets) {
                let span = arrival.facts.tag_span(arrival.tag);
                arrival.report.add(rule, &Path::default(), span, at_end());
            } else if stays && (text.recent.is_some() || text.tail.may_go_on()) {
                self.ended.truncate(ENDED - 1);
                self.ended.insert(0, (key, text));
            }
        }
    }

    /// The event ends all texts.
    pub(crate) fn end_all(&mut self, rule: &Rule, arrival: &mut Arrival<'_, '_, '_>) {
        if self.end_in_token(arrival.report.secrets) {
            let span = arrival.facts.tag_span(arrival.tag);
            arrival.report.add(rule, &Path::default(), span, at_end());
        }
        self.clear();
    }

    /// The stream ends.
    pub(crate) fn finish(&self, rule: &Rule, report: &mut Reporter<'_>) {
        if self.end_in_token(report.secrets) {
            report.add_at_end(rule, at_end(), None);
        }
    }

    fn end_in_token(&self, secrets: &Secrets) -> bool {
        self.texts.values().any(|text| text.tail.ends_in_token(secrets))
    }

    /// No text goes on.
    fn clear(&mut self) {
        (self.texts, self.bytes) = (ByKey::default(), 0);
        self.ended.clear();
    }
}

fn at_end() -> String {
    format!("the last pieces of a text have the shape of {}", Form::TOKEN)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::check::secrets::SecretPattern;
    use crate::safe::tokens::contains_token;

    /// Put together, so that scanners do not take this file for a leak.
    fn token() -> String {
        ["ghp_", "x7Kd93jfLq0ZbV5nRw8TyUe1Aa2Ss4Dd6FfG"].concat()
    }

    /// Texts with one secret each.
    fn texts() -> Vec<String> {
        let header = ["-----BEGIN RSA ", "PRIVATE KEY-----\n"].concat();
        let lines =
            "MIIEpAIBAAKCAQEA3Tz2mr7SZiAMfQyuvBjM9Oi8xZ1b5Gk7Ch2wLq0VtYpXsNaR\nc4Jd6Hf8Lm1Qw3Er5Ty7Ui9Op2As4Df6\n";
        let encrypted = "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,1F2E3D4C5B6A79881F2E3D4C5B6A7988\n\n";
        let jwt = [
            "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9",
            "eyJzdWIiOiIxMjM0NTY3ODkwIn0",
            "dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0",
        ];
        vec![
            format!("the key {} of a user", token()),
            format!("use\n{header}{lines}please"),
            format!("{header}{encrypted}{lines}"),
            ["curl -H \"Authorization: ", "Bearer Zt4Qm8Lx2Wc6Rk1Vb9nYp3Hs\" x"].concat(),
            ["-H 'X-Upstream-Auth: ", "Bearer 7hQ2vXk9LmPz4RtY8wBn3CdF6gHj1KsA' now"].concat(),
            ["{\"authorization\": \"", "Basic dXNlcjpodW50ZXIyIQ==\"}"].concat(),
            ["aws_secret_access_key = ", "wJalrXUtnFEMI7K9MDENG2bPxRfiCYzQ8kLm4Tv1 é"].concat(),
            ["[Interface]\nPrivateKey = ", "yAnz5TF+lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk=\n"].concat(),
            ["\"private_key_id\": \"", "3f7a9c1e5b8d2046f1a3c5e7092b4d6f8a1c3e50\", 1"].concat(),
            ["at postgres://", "app:cSm$hueLW3Ga2!tZc17q@db.internal/x, now"].concat(),
            ["at postgres:\\/\\/", "app:cSmhueLW3Ga2tZc17q@db.internal\\/x, now"].concat(),
            jwt.join("."),
            format!("{{\"a\":\"it is\\n{}\"}}", token()),
            format!("{{\"a\":\"it is\\u00e9{}\"}}", token()),
            format!("{{\"a\":\"it=\\u003d{}\"}}", token()),
            format!("it is \u{1b}[1;32m{}\u{1b}[0m, now", token()),
        ]
    }

    /// How often a secret is found in pieces of a text: across their seams, in one of them, and
    /// at the end.
    fn found<'p>(pieces: impl Iterator<Item = &'p str>) -> usize {
        let (mut seams, secrets) = (Seams::new(Limits::DEFAULT), Secrets::new());
        let in_pieces =
            pieces.filter(|piece| seams.push(1, piece, &secrets).is_some() || contains_token(piece)).count();
        in_pieces + usize::from(seams.end_in_token(&secrets))
    }

    /// The pieces of a text that is cut at some places.
    fn cut<'t>(text: &'t str, places: &[usize]) -> Vec<&'t str> {
        let ends = places.iter().copied().chain([text.len()]);
        let mut from = 0;
        ends.filter(|end| text.is_char_boundary(*end))
            .map(|end| &text[std::mem::replace(&mut from, end)..end])
            .collect()
    }

    #[test]
    fn a_secret_is_found_once_wherever_it_is_cut() {
        for text in texts() {
            assert!(contains_token(&text), "{text}");
            for before in [String::new(), "é ".repeat(50), "x/".repeat(120), format!("{} ", "é".repeat(400))] {
                let text = format!("{before}{text}");
                for width in (1..=text.len()).filter(|width| *width < 90 || width.is_multiple_of(50)) {
                    let places: Vec<usize> = (width..text.len()).step_by(width).collect();
                    assert_eq!(found(cut(&text, &places).into_iter()), 1, "{text} {width}");
                }
            }
            for first in 1..text.len() {
                for second in (first + 1..text.len()).step_by(29) {
                    assert_eq!(found(cut(&text, &[first, second]).into_iter()), 1, "{text} {first} {second}");
                }
            }
        }
    }

    #[test]
    fn a_secret_is_found_between_long_pieces() {
        let prose = " é so it is".repeat(200);
        for text in texts() {
            for seam in (1..text.len()).filter(|seam| text.is_char_boundary(*seam)) {
                let pieces = [format!("{prose} {}", &text[..seam]), format!("{}{prose}", &text[seam..])];
                assert_eq!(found(pieces.iter().map(|piece| &**piece)), 1, "{text} {seam}");
            }
        }
    }

    #[test]
    fn a_second_secret_is_another() {
        let other = ["ghp_", "Aa2Ss4Dd6FfGx7Kd93jfLq0ZbV5nRw8TyUe1"].concat();
        let (one, two) = (token(), other);
        for (pieces, expected) in [
            // The first one is whole in the piece in which the second begins.
            (vec![format!("{one} and {}", &two[..9]), two[9..].to_owned()], 2),
            (vec![one[..9].to_owned(), format!("{} and {}", &one[9..], &two[..9]), two[9..].to_owned()], 2),
            (vec![one[..9].to_owned(), format!("{} and {two}", &one[9..])], 1),
            // It goes on, and is the same.
            (vec![one.clone(), one[4..].to_owned(), one[4..].to_owned()], 1),
        ] {
            assert_eq!(found(pieces.iter().map(|piece| &**piece)), expected, "{pieces:?}");
        }
    }

    #[test]
    fn what_is_no_secret_is_passed() {
        let (one, other) = (&token()[..9], &token()[9..]);
        let secrets = Secrets::new().allow_values(|value| value.starts_with("ghp_"));
        let mut allowed = Seams::new(Limits::DEFAULT);
        assert!(allowed.push(1, one, &secrets).is_none() && allowed.push(1, other, &secrets).is_none());
        // Another text, and something between.
        let (mut seams, secrets) = (Seams::new(Limits::DEFAULT), Secrets::new());
        assert!(seams.push(1, one, &secrets).is_none() && seams.push(2, other, &secrets).is_none());
        assert!(seams.push(1, " ", &secrets).is_none() && seams.push(1, other, &secrets).is_none());
        // Harmless texts, as they are and behind words that lead to secrets.
        let names = ["authorization ", "the private_key_id is: ", "-----BEGIN CERTIFICATE-----\n"].concat();
        for text in include_str!("../../safe/tokens/harmless.txt").lines() {
            for text in [text.to_owned(), format!("{names}{text} {text}")] {
                for width in [1, 3, 7, 16, 40].into_iter().filter(|_| !contains_token(&text)) {
                    let places: Vec<usize> = (width..text.len()).step_by(width).collect();
                    let pieces = cut(&text, &places);
                    let whole = pieces.iter().filter(|piece| contains_token(piece)).count();
                    assert_eq!(found(pieces.into_iter()), whole, "{text} {width}");
                }
            }
        }
    }

    #[test]
    fn texts_are_told_apart() {
        let (mut seams, secrets) = (Seams::new(Limits::DEFAULT), Secrets::new());
        let token = token();
        let mut found = 0;
        for piece in token.as_bytes().chunks(4).map(|piece| std::str::from_utf8(piece).unwrap()) {
            found += usize::from(seams.push(1, piece, &secrets).is_some());
            // Alternating with others that have spaces, ends, and nothing.
            for (key, other) in [(2, " "), (3, "12"), (4, ""), (5, "Authorization: ")] {
                assert_eq!(seams.push(key, other, &secrets), None);
            }
        }
        assert_eq!(found, 1);
        assert_eq!(seams.texts.len(), 5);
    }

    /// However small the pieces are, each byte of a long word is looked at a few times.
    #[test]
    fn small_pieces_of_a_long_word_cost_what_they_are() {
        let word = ["/glpat-", "x7Kd93jfLq0ZbV5nRw8T"].concat().repeat(200);
        for width in [1, 2, 5, 15, 16, 40, 64] {
            let asked = Arc::new(AtomicUsize::new(0));
            let count = Arc::clone(&asked);
            // Each look asks of each token whether it is allowed.
            let secrets = Secrets::new().allow_values(move |_| count.fetch_add(1, Ordering::Relaxed) < usize::MAX);
            let mut seams = Seams::new(Limits::DEFAULT);
            for piece in word.as_bytes().chunks(width).map(|piece| std::str::from_utf8(piece).unwrap()) {
                assert_eq!(seams.push(1, piece, &secrets), None);
            }
            let asked = asked.load(Ordering::Relaxed);
            assert!((200..1500).contains(&asked), "{width}: {asked}");
        }
    }

    #[test]
    fn memory_is_bounded() {
        let secrets = Secrets::new();
        let limits = Limits::DEFAULT.with_history(1000);
        let mut seams = Seams::new(limits);
        let long = "A".repeat(100_000);
        for key in 0..3000 {
            for piece in [&*long, "-----BEGIN ", &long[..700], " ", &long[..300]] {
                seams.push(key, piece, &secrets);
            }
            let held: usize = seams.texts.values().map(Text::bytes).sum();
            assert_eq!(seams.bytes, held);
            assert!(seams.texts.len() <= limits.history && held <= limits.text_bytes + 4096, "{held}");
        }
        seams.clear();
        assert_eq!((seams.bytes, seams.texts.len()), (0, 0));
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
                let mut seams = Seams::new(Limits::DEFAULT);
                let mut piece = String::new();
                let mut found = 0;
                for c in text.chars() {
                    piece.push(c);
                    if piece.len() >= width {
                        let is_found = seams.push(1, &piece, &secrets).is_some() || secrets.find(&piece).is_some();
                        found += usize::from(is_found);
                        piece.clear();
                    }
                }
                assert_eq!(found, 1, "{secret} {width}");
            }
        }
    }
}
