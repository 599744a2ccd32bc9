//! A piece of an event's text around a finding, with every value masked.

use std::borrow::Cow;
use std::ops::Range;

use crate::safe::{is_harmless_key, is_obeyed};

/// How many bytes are kept on each side of the place.
const MARGIN: usize = 160;

/// How much of the place itself is kept, in bytes.
const WIDEST: usize = 1024;

/// How far the start of the masking may lie before the place, in bytes. A line that is
/// longer gets no excerpt: reading it again for each finding would take too long.
const REACH: usize = 1024 * 1024;

/// Masked source text, and the place in it.
///
/// Since 0.1.0.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Excerpt {
    /// One line of the source, possibly cut at both ends.
    pub text: String,
    /// The place of the finding in `text`, in bytes.
    pub span: Range<usize>,
}

/// Excerpts of one text. What lies before a place is read once for all places behind it.
pub(crate) struct Excerpts<'t> {
    text: &'t [u8],
    read: Read,
    /// How much was read in all, in bytes.
    work: usize,
}

/// How far a text was read, and what that says of what comes next.
#[derive(Clone, Default)]
struct Read {
    at: usize,
    /// The last byte that was no space; any quote for a string, a number or a word.
    before: u8,
    /// The open brackets.
    open: Vec<u8>,
}

impl<'t> Excerpts<'t> {
    pub(crate) fn new(text: &'t [u8]) -> Self {
        Self { text, read: Read::default(), work: 0 }
    }

    /// How much was read so far, in bytes: a place before the last one is reached from the beginning, and one in a
    /// string from where that begins.
    #[cfg(feature = "cli")]
    pub(crate) const fn work(&self) -> usize {
        self.work
    }

    /// The line around `span`: keys and punctuation as they are, every value masked at equal width, apart from tags
    /// and enum values that the protocol publishes. A key for which `hides` is true is masked as well.
    pub(crate) fn around(
        &mut self,
        span: Range<usize>,
        publishes: impl Fn(&str) -> bool,
        hides: impl Fn(&str) -> bool,
    ) -> Excerpt {
        let Some((before, behind)) = self.text.split_at_checked(span.start) else {
            return Excerpt { text: String::new(), span: 0..0 };
        };
        let line_start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
        let line_end = memchr::memchr(b'\n', behind).map_or(self.text.len(), |at| span.start + at);
        // Masking has to begin where strings can be told from what is between: at the start
        // of the text, or of a line, since no JSON string goes over a line break.
        let begin = if span.start > REACH { line_start } else { 0 };
        if span.start - begin > REACH {
            return Excerpt { text: String::new(), span: 0..0 };
        }
        let end = span.end.clamp(span.start, line_end).min(span.start + WIDEST);
        let mut read = std::mem::take(&mut self.read);
        // The window begins so far before the place, which may lie within a character.
        if read.at < begin || read.at > span.start.saturating_sub(MARGIN + 3).max(line_start) {
            read = Read { at: begin, before: if begin > 0 { b',' } else { 0 }, open: Vec::new() };
        }
        let base = std::mem::take(&mut read.at);
        // Replacement characters shift places in text that is not UTF-8; the caret is then only approximate.
        #[expect(
            clippy::indexing_slicing,
            reason = "it begins no later than the place, and ends in the text, no earlier"
        )]
        let lossy = String::from_utf8_lossy(&self.text[base..line_end.min(end + MARGIN + 4)]);
        let text: &str = &lossy;
        self.work += text.len();
        let start = floor(text, (span.start - base).min(text.len()));
        let end = floor(text, (end - base).min(text.len())).max(start);
        let from = floor(text, start.saturating_sub(MARGIN).max(line_start.saturating_sub(base)));
        let to = floor(text, (end + MARGIN).min(text.len()));
        read.up_to(from, text.as_bytes());
        if matches!(lossy, Cow::Borrowed(_)) {
            self.read = Read { at: base + read.at, ..read.clone() };
        }
        let masked = mask(text, read, from..to, publishes, hides);
        let before: usize = masked.chars().take(text[from..start].chars().count()).map(char::len_utf8).sum();
        let width: usize = masked[before..].chars().take(text[start..end].chars().count()).map(char::len_utf8).sum();
        Excerpt { text: masked, span: before..before + width }
    }
}

fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// A piece of the text: it ends before the next one.
enum Piece {
    /// A string, and where its closing quote is, if it has one.
    String(Option<usize>),
    Mark,
    Word,
}

impl Read {
    /// What comes next, and where it ends.
    fn next(&self, first: u8, bytes: &[u8]) -> (Piece, usize) {
        match first {
            b'"' => {
                let close = closing_quote(bytes, self.at);
                (Piece::String(close), close.unwrap_or(bytes.len()) + 1)
            }
            b'{' | b'}' | b'[' | b']' | b':' | b',' | b' ' | b'\t' => (Piece::Mark, self.at + 1),
            _ => {
                let is_break = |byte: &u8| {
                    matches!(byte, b'{' | b'}' | b'[' | b']' | b':' | b',' | b'"' | b' ' | b'\t' | b'\n' | b'\r')
                };
                let rest = bytes.iter().skip(self.at);
                (Piece::Word, rest.clone().position(is_break).map_or(bytes.len(), |length| self.at + length.max(1)))
            }
        }
    }

    fn pass(&mut self, first: u8, end: usize) {
        match first {
            b'{' | b'[' => self.open.push(first),
            b'}' | b']' => drop(self.open.pop()),
            _ => {}
        }
        if !first.is_ascii_whitespace() {
            let is_mark = matches!(first, b'{' | b'}' | b'[' | b']' | b':' | b',');
            self.before = if is_mark { first } else { b'"' };
        }
        self.at = end;
    }

    /// Passes over the pieces that end before a place.
    fn up_to(&mut self, place: usize, bytes: &[u8]) {
        while let Some(first) = bytes.get(self.at).copied()
            && let (_, end) = self.next(first, bytes)
            && end <= place
        {
            self.pass(first, end);
        }
    }

    /// Whether a string that comes next may be a key: it stands behind a brace or, in an object, behind a comma.
    fn may_be_key(&self) -> bool {
        self.before == b'{' || (self.before == b',' && self.open.last() != Some(&b'['))
    }
}

/// The characters in `window`, values masked; copes with text that is not JSON, and with
/// what lies inside of more.
fn mask(
    text: &str,
    mut read: Read,
    window: Range<usize>,
    publishes: impl Fn(&str) -> bool,
    hides: impl Fn(&str) -> bool,
) -> String {
    let (from, to) = (window.start, window.end);
    let bytes = text.as_bytes();
    let mut out = String::new();
    let mut keep = |range: Range<usize>, shown: bool| {
        let range = range.start.max(from)..range.end.min(to);
        if range.start >= range.end {
            return;
        }
        let (start, end) = (floor(text, range.start), floor(text, range.end));
        if shown {
            out.extend(text[start..end].chars().map(|c| if is_obeyed(c) { ' ' } else { c }));
        } else {
            out.extend(text[start..end].chars().map(|_| '*'));
        }
    };
    while let Some(first) = bytes.get(read.at).copied().filter(|_| read.at < to) {
        let at = read.at;
        let (piece, end) = read.next(first, bytes);
        match piece {
            Piece::String(close) => {
                let inner = at + 1..end - 1;
                let content = &text[inner.clone()];
                let is_key = read.may_be_key() && close.is_some_and(|close| next_is_colon(bytes, close + 1));
                // An escape could hide how a token begins.
                let is_harmless = || !content.contains('\\') && is_harmless_key(content) && !hides(content);
                let shown = if is_key { is_harmless() } else { publishes(content) };
                keep(at..at + 1, true);
                keep(inner.clone(), shown);
                keep(inner.end..end, true);
            }
            Piece::Mark => keep(at..end, true),
            Piece::Word => keep(at..end, bytes.get(at..end).is_some_and(|word| word == b"null")),
        }
        read.pass(first, end);
    }
    out
}

fn closing_quote(bytes: &[u8], open: usize) -> Option<usize> {
    let mut at = open + 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return Some(at),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    None
}

fn next_is_colon(bytes: &[u8], from: usize) -> bool {
    bytes.iter().skip(from).find(|byte| !byte.is_ascii_whitespace()) == Some(&b':')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn published(text: &str) -> bool {
        text == "tool.started"
    }

    fn shown(text: &str, needle: &str) -> (String, String) {
        let start = text.find(needle).unwrap();
        let excerpt = Excerpts::new(text.as_bytes()).around(start..start + needle.len(), published, |_| false);
        (excerpt.text.clone(), excerpt.text[excerpt.span].to_owned())
    }

    #[test]
    fn values_are_masked_at_equal_width() {
        let text = r#"{"eventClass":"tool.started","title":"pässword","n":12.5,"x":null,"ok":true}"#;
        let masked = r#"{"eventClass":"tool.started","title":"********","n":****,"x":null,"ok":****}"#;
        assert_eq!(shown(text, "\"tool.started\""), (masked.to_owned(), "\"tool.started\"".to_owned()));
        assert_eq!(shown(text, "12.5").1, "****");
    }

    #[test]
    fn broken_text_shows_nothing_either() {
        for text in [
            "{\"a\": \"hunter2",
            "hunter2",
            "{\"a\":\"hunter2\":1}",
            "[\"hunter2\":1]",
            "\"hunter2\":1",
            "{\"a\": hunter2 hunter2}",
            "{\"a\" \"hunter2\"}",
            "\u{1}hunter2\n",
        ] {
            let excerpt = Excerpts::new(text.as_bytes()).around(0..1, published, |_| false);
            assert!(!excerpt.text.contains("hunter2"), "{text:?}: {excerpt:?}");
        }
    }

    #[test]
    fn long_lines_are_cut_around_the_place() {
        let text = format!("{{\"a\":\"{}\",\"b\":1,\"c\":\"{}\"}}", "x".repeat(5000), "é".repeat(5000));
        let at = text.find("\"b\"").unwrap();
        let excerpt = Excerpts::new(text.as_bytes()).around(at..at + 3, published, |_| false);
        assert!(excerpt.text.len() < 400);
        assert_eq!(&excerpt.text[excerpt.span], "\"b\"");
    }

    #[test]
    fn long_places_are_cut_at_their_end() {
        let text = format!("{{\"a\":\"{}\"}}", "é".repeat(500_000));
        let excerpt = Excerpts::new(text.as_bytes()).around(5..text.len() - 1, published, |_| false);
        assert!(excerpt.text.starts_with("{\"a\":\"***") && excerpt.text.len() <= WIDEST + 2 * MARGIN);
        assert!((WIDEST / 2 - 2..=WIDEST).contains(&excerpt.span.len()));
    }

    #[test]
    fn keys_that_the_user_hides_are_masked() {
        let text = r#"{"acme_1":{"b":1}}"#;
        let excerpt = Excerpts::new(text.as_bytes()).around(11..14, published, |key| key.starts_with("acme"));
        assert_eq!(excerpt.text, r#"{"******":{"b":*}}"#);
    }

    #[test]
    fn an_excerpt_is_the_same_whatever_was_read_before() {
        let line = r#"{"a":"pässword","b":[1,"x\"y",{"c":true,"tool.started":null}],"d":"tool.started"}"#;
        let long = format!("[{}]", vec![line; 20].join(","));
        for text in [long.clone(), long.replace(',', ",\n "), long.replace("\":", "\" : "), long.replace('}', "\"")] {
            let ends = |start: usize| [start, start + 3, start + 700].map(|end| start..end);
            let spans = (0..text.len()).flat_map(ends).chain((0..text.len()).rev().flat_map(ends));
            let mut excerpts = Excerpts::new(text.as_bytes());
            for span in spans {
                let fresh = Excerpts::new(text.as_bytes()).around(span.clone(), published, |_| false);
                assert_eq!(excerpts.around(span.clone(), published, |_| false), fresh, "{span:?}");
            }
        }
    }

    #[test]
    fn only_the_line_of_the_place_is_shown() {
        let text = "[\n  {\"a\": 1},\n  {\"b\": 2}\n]";
        assert_eq!(shown(text, "\"b\""), ("  {\"b\": *}".to_owned(), "\"b\"".to_owned()));
    }
}
