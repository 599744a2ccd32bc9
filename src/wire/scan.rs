//! A cursor over JSON text that allocates nothing and knows where it is.
//!
//! One JSON domain for every consumer: RFC 8259 grammar over UTF-8 text, nesting
//! bounded by a given depth, lone surrogate escapes accepted as text.

use super::brackets::bracketed;
use super::bytes::{Seen, digits_at, look, plain_until, string_end};
use super::text::Text;

/// The largest nesting depth that can be asked for.
pub(crate) const MAX_DEPTH: u16 = 1024;

/// What a JSON value is, told from its first byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Null,
    Bool,
    Number,
    String,
    Array,
    Object,
}

impl Kind {
    /// The JSON name of the kind, as messages use it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool => "a boolean",
            Self::Number => "a number",
            Self::String => "a string",
            Self::Array => "an array",
            Self::Object => "an object",
        }
    }
}

/// Why text is not JSON of the stated domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SyntaxKind {
    UnexpectedEnd,
    UnexpectedByte,
    InvalidNumber,
    InvalidEscape,
    ControlCharacter,
    TooDeep,
    TrailingData,
}

impl SyntaxKind {
    pub(crate) const fn describe(self) -> &'static str {
        match self {
            Self::UnexpectedEnd => "the text ends inside a value",
            Self::UnexpectedByte => "this character cannot stand here",
            Self::InvalidNumber => "this is not a JSON number",
            Self::InvalidEscape => "this is not a JSON escape",
            Self::ControlCharacter => "a control character in a string must be escaped",
            Self::TooDeep => "the value is nested too deeply",
            Self::TrailingData => "something follows the value",
        }
    }
}

/// A syntax error and the byte at which it shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SyntaxError {
    pub(crate) kind: SyntaxKind,
    pub(crate) offset: usize,
}

type Scan<T> = Result<T, SyntaxError>;

/// A position in JSON text. Copying it is how one rewinds.
#[derive(Clone, Copy)]
pub(crate) struct Cursor<'a> {
    text: &'a str,
    pos: usize,
    /// How many more levels may be opened.
    room: u16,
}

impl std::fmt::Debug for Cursor<'_> {
    /// Shows nothing of the text.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "byte {} of {}", self.pos, self.text.len())
    }
}

impl<'a> Cursor<'a> {
    /// A cursor at the start of `text`, for values nested at most `depth` levels.
    pub(crate) fn new(text: &'a str, depth: u16) -> Self {
        Self { text, pos: 0, room: if depth > MAX_DEPTH { MAX_DEPTH } else { depth } }
    }

    /// A cursor before the value at byte `at` of `text`.
    #[cfg(feature = "cli")]
    pub(crate) fn starting_at(text: &'a str, at: usize, depth: u16) -> Self {
        Self { pos: at, ..Self::new(text, depth) }
    }

    /// Passes over a value that ends at byte `end`.
    pub(crate) const fn go_to(&mut self, end: usize) {
        self.pos = end;
    }

    pub(crate) const fn offset(&self) -> usize {
        self.pos
    }

    pub(crate) const fn text(&self) -> &'a str {
        self.text
    }

    /// Where the characters of a string begin that it gave.
    pub(crate) fn place_of(&self, text: Text<'a>) -> usize {
        text.raw.as_ptr() as usize - self.text.as_ptr() as usize
    }

    /// The raw text from `start` up to here.
    pub(crate) fn since(&self, start: usize) -> &'a str {
        &self.text[start..self.pos]
    }

    #[cold]
    const fn fail<T>(&self, kind: SyntaxKind) -> Scan<T> {
        Err(SyntaxError { kind, offset: self.pos })
    }

    #[cold]
    fn unexpected<T>(&self) -> Scan<T> {
        self.fail(if self.pos >= self.text.len() { SyntaxKind::UnexpectedEnd } else { SyntaxKind::UnexpectedByte })
    }

    #[inline]
    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.pos).copied()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn skip_space(&mut self) {
        while let Some(b' ' | b'\n' | b'\t' | b'\r') = self.byte() {
            self.pos += 1;
        }
    }

    /// The kind of the next value; the cursor stands at its first byte afterwards.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn kind(&mut self) -> Scan<Kind> {
        self.skip_space();
        match self.byte() {
            Some(b'"') => Ok(Kind::String),
            Some(b'{') => Ok(Kind::Object),
            Some(b'[') => Ok(Kind::Array),
            Some(b't' | b'f') => Ok(Kind::Bool),
            Some(b'n') => Ok(Kind::Null),
            Some(b'-' | b'0'..=b'9') => Ok(Kind::Number),
            _ => self.unexpected(),
        }
    }

    /// Fails unless only white space is left.
    pub(crate) fn end(&mut self) -> Scan<()> {
        self.skip_space();
        if self.pos == self.text.len() { Ok(()) } else { self.fail(SyntaxKind::TrailingData) }
    }

    /// Reads a string; the cursor must stand at its quote or at space before it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn string(&mut self) -> Scan<Text<'a>> {
        self.string_with_escapes().map(|(text, _)| text)
    }

    /// The same, and which escapes it has.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn string_with_escapes(&mut self) -> Scan<(Text<'a>, Seen)> {
        self.skip_space();
        let start = self.pos + 1;
        let escapes = self.skip_string()?;
        Ok((Text { raw: &self.text[start..self.pos - 1], escaped: escapes.has(Seen::ESCAPED) }, escapes))
    }

    /// Passes over the string that begins here; which escapes there are.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn skip_string(&mut self) -> Scan<Seen> {
        if self.byte() != Some(b'"') {
            return self.unexpected();
        }
        let mut escapes = Seen::default();
        self.pos = plain_until(self.text.as_bytes(), self.pos + 1);
        if self.byte() == Some(b'\\') {
            (self.pos, escapes) = string_end(self.text.as_bytes(), self.pos);
        }
        if self.byte() != Some(b'"') {
            return self.broken_string();
        }
        self.pos += 1;
        Ok(escapes)
    }

    /// Reads a string, and what was seen of it on the way: see [`look`].
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn string_seen(&mut self, named: impl FnMut(&[u8]) -> bool) -> Scan<(Text<'a>, Seen)> {
        self.skip_space();
        if self.byte() != Some(b'"') {
            return self.unexpected();
        }
        let start = self.pos + 1;
        let (end, seen) = look(self.text.as_bytes(), start, named);
        self.pos = end;
        if self.byte() != Some(b'"') {
            return self.broken_string();
        }
        self.pos += 1;
        Ok((Text { raw: &self.text[start..end], escaped: seen.has(Seen::ESCAPED) }, seen))
    }

    #[cold]
    fn broken_string<T>(&mut self) -> Scan<T> {
        match self.byte() {
            Some(b'\\') => self.escape().and_then(|()| self.unexpected()),
            Some(_) => self.fail(SyntaxKind::ControlCharacter),
            None => self.fail(SyntaxKind::UnexpectedEnd),
        }
    }

    #[cold]
    fn escape(&mut self) -> Scan<()> {
        let bytes = self.text.as_bytes();
        match bytes.get(self.pos + 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.pos += 2,
            Some(b'u') => {
                for at in self.pos + 2..self.pos + 6 {
                    match bytes.get(at) {
                        Some(digit) if digit.is_ascii_hexdigit() => {}
                        Some(_) => return self.fail(SyntaxKind::InvalidEscape),
                        None => return Err(SyntaxError { kind: SyntaxKind::UnexpectedEnd, offset: bytes.len() }),
                    }
                }
                self.pos += 6;
            }
            Some(_) => return self.fail(SyntaxKind::InvalidEscape),
            None => return Err(SyntaxError { kind: SyntaxKind::UnexpectedEnd, offset: bytes.len() }),
        }
        Ok(())
    }

    /// Reads a number and gives its text.
    #[inline]
    pub(crate) fn number(&mut self) -> Scan<&'a str> {
        self.skip_space();
        let start = self.pos;
        if self.byte() == Some(b'-') {
            self.pos += 1;
        }
        match self.byte() {
            Some(b'0') => self.pos += 1,
            Some(b'1'..=b'9') => {
                self.pos += 1;
                if let Some(b'0'..=b'9') = self.byte() {
                    self.digits();
                }
            }
            None => return self.fail(SyntaxKind::UnexpectedEnd),
            Some(_) => return self.fail(SyntaxKind::InvalidNumber),
        }
        if self.byte() == Some(b'.') {
            self.pos += 1;
            self.some_digits()?;
        }
        if let Some(b'e' | b'E') = self.byte() {
            self.pos += 1;
            if let Some(b'+' | b'-') = self.byte() {
                self.pos += 1;
            }
            self.some_digits()?;
        }
        if let Some(b'0'..=b'9') = self.byte() {
            return self.fail(SyntaxKind::InvalidNumber);
        }
        Ok(&self.text[start..self.pos])
    }

    #[inline]
    fn digits(&mut self) {
        loop {
            let count = digits_at(self.text.as_bytes(), self.pos);
            self.pos += count;
            if count < 16 {
                return;
            }
        }
    }

    fn some_digits(&mut self) -> Scan<()> {
        let start = self.pos;
        self.digits();
        match self.byte() {
            _ if self.pos > start => Ok(()),
            None => self.fail(SyntaxKind::UnexpectedEnd),
            Some(_) => self.fail(SyntaxKind::InvalidNumber),
        }
    }

    /// Reads `true`, `false` or `null` and gives its text.
    #[expect(clippy::indexing_slicing, reason = "the cursor does not pass the end of its text")]
    #[inline]
    pub(crate) fn literal(&mut self) -> Scan<&'a str> {
        self.skip_space();
        let rest = &self.text.as_bytes()[self.pos..];
        let word = match rest.first() {
            Some(b't') => "true",
            Some(b'f') => "false",
            _ => "null",
        };
        if rest.starts_with(word.as_bytes()) {
            self.pos += word.len();
            return Ok(word);
        }
        let same = rest.iter().zip(word.as_bytes()).take_while(|(a, b)| a == b).count();
        self.pos += same;
        self.unexpected()
    }

    /// Enters the object or array whose bracket comes next.
    #[inline]
    pub(crate) fn open(&mut self, bracket: u8) -> Scan<()> {
        self.skip_space();
        if self.byte() != Some(bracket) {
            return self.unexpected();
        }
        if self.room == 0 {
            return self.fail(SyntaxKind::TooDeep);
        }
        self.room -= 1;
        self.pos += 1;
        Ok(())
    }

    /// Enters the object that comes next and passes over its first `length` bytes, which
    /// the caller has read.
    #[inline]
    pub(crate) fn open_past(&mut self, length: usize) -> Scan<()> {
        self.open(b'{')?;
        self.pos += length - 1;
        Ok(())
    }

    /// Whether another item follows in an open object or array; leaves it if not.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn more(&mut self, first: &mut bool, close: u8) -> Scan<bool> {
        self.skip_space();
        match self.byte() {
            Some(byte) if byte == close => {
                self.pos += 1;
                self.room += 1;
                Ok(false)
            }
            Some(b',') if !*first => {
                self.pos += 1;
                Ok(true)
            }
            Some(_) if *first => {
                *first = false;
                Ok(true)
            }
            _ => self.unexpected(),
        }
    }

    /// The next key of an open object, the cursor then before its value;
    /// `None` when the object has ended. Start with `first` true.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn member(&mut self, first: &mut bool) -> Scan<Option<Text<'a>>> {
        if !self.more(first, b'}')? {
            return Ok(None);
        }
        let key = self.string()?;
        self.colon()?;
        Ok(Some(key))
    }

    /// Passes over the colon behind a key.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn colon(&mut self) -> Scan<()> {
        self.skip_space();
        if self.byte() != Some(b':') {
            return self.unexpected();
        }
        self.pos += 1;
        Ok(())
    }

    /// Whether an open array has another element. Start with `first` true.
    #[inline]
    pub(crate) fn element(&mut self, first: &mut bool) -> Scan<bool> {
        self.more(first, b']')
    }

    /// Passes over one value of any kind, checking its grammar.
    pub(crate) fn skip(&mut self) -> Scan<()> {
        self.skip_value()
    }

    /// The same, within the functions for what is nested.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn skip_value(&mut self) -> Scan<()> {
        match self.kind()? {
            Kind::Object => self.skip_members(),
            Kind::Array => self.skip_elements(),
            scalar => self.skip_scalar(scalar),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn skip_scalar(&mut self, kind: Kind) -> Scan<()> {
        match kind {
            Kind::String => self.skip_string().map(drop),
            Kind::Number => self.number().map(drop),
            _ => self.literal().map(drop),
        }
    }

    fn skip_members(&mut self) -> Scan<()> {
        self.open(b'{')?;
        let mut first = true;
        while self.more(&mut first, b'}')? {
            self.skip_space();
            self.skip_string()?;
            self.colon()?;
            self.skip_value()?;
        }
        Ok(())
    }

    fn skip_elements(&mut self) -> Scan<()> {
        self.open(b'[')?;
        let mut first = true;
        while self.more(&mut first, b']')? {
            self.skip_value()?;
        }
        Ok(())
    }

    /// Passes over one value of text that is known to be JSON, counting its brackets, and
    /// gives its raw text.
    pub(crate) fn passed(&mut self) -> Scan<&'a str> {
        let kind = self.kind()?;
        let start = self.pos;
        if matches!(kind, Kind::Object | Kind::Array) {
            let end = bracketed(self.text.as_bytes(), start);
            self.pos = end.map_or(self.text.len(), |(end, _)| end);
            if end.is_none() {
                return self.fail(SyntaxKind::UnexpectedEnd);
            }
        } else {
            self.skip_scalar(kind)?;
        }
        Ok(self.since(start))
    }

    /// The same of text that will be read again: if it is no JSON, that shows then.
    pub(crate) fn skimmed(&mut self) -> Scan<&'a str> {
        let before = *self;
        self.passed().or_else(|_| {
            *self = before;
            self.raw()
        })
    }

    /// Passes over one value and gives its raw text without surrounding space.
    pub(crate) fn raw(&mut self) -> Scan<&'a str> {
        self.kind()?;
        let start = self.pos;
        self.skip()?;
        Ok(self.since(start))
    }
}

/// Whether `text` is one JSON value of the domain, nested at most `depth` levels.
#[cfg(test)]
fn validate(text: &str, depth: u16) -> Scan<()> {
    let mut cursor = Cursor::new(text, depth);
    cursor.skip()?;
    cursor.end()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn verdict(text: &str) -> Result<(), SyntaxKind> {
        validate(text, 128).map_err(|error| error.kind)
    }

    #[test]
    fn grammar() {
        let good =
            ["0", "-0", "1e5", "1.5E-3", " [ ] ", "{}", r#"{"a":[1,{"b":null}]}"#, r#""\ud800""#, r#""\/é""#, "true"];
        for text in good {
            assert_eq!(verdict(text), Ok(()), "{text}");
        }
        let bad = [
            ("", SyntaxKind::UnexpectedEnd),
            ("01", SyntaxKind::InvalidNumber),
            ("1.", SyntaxKind::UnexpectedEnd),
            ("-a", SyntaxKind::InvalidNumber),
            ("[1,]", SyntaxKind::UnexpectedByte),
            ("{\"a\" 1}", SyntaxKind::UnexpectedByte),
            ("{,}", SyntaxKind::UnexpectedByte),
            ("\"\\x\"", SyntaxKind::InvalidEscape),
            ("\"a\nb\"", SyntaxKind::ControlCharacter),
            ("\"abc", SyntaxKind::UnexpectedEnd),
            ("tru", SyntaxKind::UnexpectedEnd),
            ("nul1", SyntaxKind::UnexpectedByte),
            ("1 2", SyntaxKind::TrailingData),
        ];
        for (text, kind) in bad {
            assert_eq!(verdict(text), Err(kind), "{text}");
        }
    }

    #[test]
    fn depth_is_bounded() {
        let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        assert_eq!(verdict(&nested(128)), Ok(()));
        assert_eq!(verdict(&nested(129)), Err(SyntaxKind::TooDeep));
    }

    #[test]
    fn escapes_resolve() {
        let mut cursor = Cursor::new(r#""a\n\u00e9\ud83d\ude00\ud800x""#, 1);
        let text = cursor.string().unwrap();
        assert_eq!(text.lossy(), "a\n\u{e9}\u{1F600}\u{FFFD}x");
        assert!(text.exact().is_none());
    }

    #[test]
    fn lone_surrogates_stay_apart() {
        let bytes = |raw| Text { raw, escaped: true }.wtf8().into_owned();
        assert_eq!(bytes(r"a\ud800\n\ud83d\ude00"), [&b"a\xED\xA0\x80\n"[..], "\u{1F600}".as_bytes()].concat());
        assert_ne!(bytes(r"\ud800"), bytes(r"\ud801"));
        assert_eq!(bytes(r"\\ud800"), br"\ud800");
    }

    /// JSON text, mostly valid, with some of its bytes disturbed.
    fn json_text() -> impl Strategy<Value = String> {
        let leaf = prop_oneof![
            Just("null".to_owned()),
            Just("true".to_owned()),
            "-?(0|[1-9][0-9]{0,6})(\\.[0-9]{1,3})?([eE][+-]?[0-9]{1,2})?",
            "\"([a-zé😀 ]|\\\\[\"\\\\/bfnrt]|\\\\u00[0-9a-fA-F]{2}){0,20}\"",
        ];
        let value = leaf.prop_recursive(4, 40, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(|items| format!("[{}]", items.join(" , "))),
                prop::collection::vec(("[a-z]{0,9}", inner), 0..5).prop_map(|members| {
                    let members: Vec<_> = members.into_iter().map(|(k, v)| format!("\"{k}\" :{v}")).collect();
                    format!("{{{}}}", members.join(","))
                }),
            ]
        });
        let noise = prop::collection::vec((any::<prop::sample::Index>(), "[\\x00-\\x7f]"), 0..3);
        (value, noise).prop_map(|(mut text, noise)| {
            for (at, piece) in noise {
                let mut at = at.index(text.len() + 1);
                while !text.is_char_boundary(at) {
                    at -= 1;
                }
                text.insert_str(at, &piece);
            }
            text
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 4 } else { 2000 }))]

        /// The stated differences: serde_json refuses lone surrogates and numbers
        /// beyond the range of f64, which this cursor accepts as text.
        #[test]
        fn agrees_with_serde_json(text in json_text()) {
            let theirs = serde_json::from_str::<serde_json::Value>(&text);
            match (validate(&text, 127), theirs) {
                (Ok(()), Err(error)) => {
                    let error = error.to_string();
                    prop_assert!(error.contains("surrogate") || error.contains("number out of range"), "{text}: {error}");
                }
                (ours, theirs) => prop_assert_eq!(ours.is_ok(), theirs.is_ok(), "{}", text),
            }
        }

        #[test]
        fn strings_are_read_alike(text in "\"([a-zé ]{1,40}|\\\\[\"\\\\/bfnrtx]|\\\\u[0-9a-g]{4}|[\\x00-\\x1f]|\"){0,9}\"?") {
            let (mut one, mut other) = (Cursor::new(&text, 1), Cursor::new(&text, 1));
            let read = one.string_with_escapes().map(|(text, escapes)| (text.raw, escapes));
            let seen = other.string_seen(|_| false).map(|(text, seen)| (text.raw, seen));
            prop_assert_eq!(read.map(|(raw, _)| raw), seen.map(|(raw, _)| raw), "{}", text);
            if let (Ok((raw, one)), Ok((_, other))) = (read, seen) {
                prop_assert_eq!(one.has(Seen::ESCAPED), other.has(Seen::ESCAPED), "{}", text);
                prop_assert_eq!(one.has(Seen::NUMBERED), other.has(Seen::NUMBERED), "{}", text);
                let is_disguised = Text { raw, escaped: one.has(Seen::ESCAPED) }.is_disguised();
                prop_assert!(!is_disguised || one.has(Seen::NUMBERED), "{}", text);
            }
            prop_assert_eq!(one.offset(), other.offset(), "{}", text);
        }

        #[test]
        fn strings_resolve_as_serde_json_does(text in "\"([a-zé😀 ]|\\\\[\"\\\\/bfnrt]|\\\\u00[0-9a-fA-F]{2}){0,40}\"") {
            let ours = Cursor::new(&text, 1).string().unwrap().lossy().into_owned();
            prop_assert_eq!(ours, serde_json::from_str::<String>(&text).unwrap());
        }
    }
}
