//! Whether a text holds a credential: an API key, an access token, a private key.
//!
//! Nearly no text has a long run of letters and digits, so that is what is looked for
//! first. The keywords of all formats are searched for around such a run, and the pattern
//! of a format is tried where one of its keywords stands.

mod across;
mod encoded;
mod escapes;
mod formats;
mod keywords;
#[cfg(test)]
mod published;
mod runs;
mod words;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::Finder;
use regex_automata::meta::Regex;
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input};

use super::obeyed::is_unseen;
use encoded::{is_base64, is_behind};
use formats::{Compiled, Format, PEM, URL};
use keywords::any_keyword;
use runs::next_run;
use words::is_harmless;

#[cfg(test)]
use across::ends_token;
pub(crate) use across::{Known, Marks, is_across, marks, may_begin_name, may_name_spaced, spaced_from};
pub(crate) use encoded::{BLOCKS_BEFORE, encoded_until, is_encoded};
pub(crate) use escapes::{escaped_at, hides, in_plain, without_escapes};
pub(crate) use keywords::ESCAPE;
pub(crate) use runs::{RUN, in_run};
pub(crate) use words::{UUID, is_uuid};

/// No text that is shorter holds a token.
pub(crate) const SHORTEST: usize = 16;

/// How far before a run its keyword may begin, in bytes, and how far in a URL.
const BEFORE: usize = 32;
const BEFORE_IN_URL: usize = 120;

/// How far behind a run its keyword may begin, in bytes: base64 has signs that end a run, and keys have up to 76 bytes
/// before their keyword.
const BEHIND: usize = 64;

/// How much of a token is looked at, in bytes.
pub(crate) const LONGEST: usize = 512;

/// Whether the text, as it is or as JSON that has it as a string, holds something of the shape of a token.
#[inline]
pub(crate) fn contains_token(text: &str) -> bool {
    contains(text, Passed::HARMLESS)
}

/// The same of what is to be shown. Placeholders, and what is not random, are hidden too; and a token may be glued to
/// other letters, which in most texts it is by chance.
pub(crate) fn may_show_token(text: &str) -> bool {
    // What cannot be seen may stand between the letters of a token.
    let is_unseen = |c: char| (is_unseen(c) && !c.is_ascii_whitespace()) || c == char::REPLACEMENT_CHARACTER;
    let mut text = Cow::Borrowed(text);
    // Escapes may be escaped again, and once more in the name of a file.
    for _ in 0..4 {
        let shows_seen = || text.contains(is_unseen) && may_show_plainly(&text.replace(is_unseen, ""));
        if may_show_plainly(&text) || shows_seen() {
            return true;
        }
        if !text.contains(['%', '~']) {
            break;
        }
        text = Cow::Owned(escapes::without_url_escapes(&text));
    }
    false
}

fn may_show_plainly(text: &str) -> bool {
    let is_at = |at: usize, is_telling| {
        let passed = if is_telling { Passed::Nothing } else { Passed::HARMLESS };
        text.get(at..).is_some_and(|rest| contains(rest, passed))
    };
    contains(text, Passed::Nothing) || (text.len() >= SHORTEST && keywords::any_within(text.as_bytes(), is_at))
}

/// As [`contains_token`], apart from tokens that are allowed.
pub(crate) fn contains_token_but(text: &str, is_allowed: &dyn Fn(&str) -> bool) -> bool {
    contains(text, Passed::Harmless(is_allowed))
}

#[inline]
fn contains(text: &str, passed: Passed<'_>) -> bool {
    let bytes = text.as_bytes();
    text.len() >= SHORTEST && is_worth_a_search(bytes) && has_token(bytes, passed)
}

/// What has the form of a token, and is passed over.
#[derive(Clone, Copy)]
pub(crate) enum Passed<'a> {
    /// Nothing: the form alone counts.
    Nothing,
    /// Placeholders, what is not random, and what the user allows.
    Harmless(&'a dyn Fn(&str) -> bool),
}

impl Passed<'_> {
    /// The same where the user allows nothing.
    pub(crate) const HARMLESS: Self = Self::Harmless(&|_| false);
}

/// Whether the run from `start` to `end` may be a token: one may begin before it, or in it. In a
/// text with escapes its keyword may be farther away, and if some of them hide slashes or
/// characters, any run will do. What is still open is said when the next run comes that is
/// farther away, or by [`Windows::may_have_token`] at the end.
pub(crate) fn may_be_token(
    text: &[u8],
    Range { start, end }: Range<usize>,
    is_escaped: bool,
    hides: bool,
    windows: &mut Windows,
) -> bool {
    if hides {
        return !is_harmless(text, start..end);
    }
    // Close behind another run, it costs less to look for a keyword.
    let is_near = windows.0.end > 0 && start < windows.0.end + BEFORE;
    if !is_near && is_harmless(text, start..end) {
        return false;
    }
    // An escape that hides nothing takes twice the room of what it stands for.
    let window = start.saturating_sub(before(text, start) << u32::from(is_escaped));
    windows.add(window..end + BEHIND).may_have_token(text)
}

/// Where keywords have to be looked for, as far as one place touches the next.
#[derive(Default)]
pub(crate) struct Windows(Range<usize>);

impl Windows {
    /// Adds one that ends behind the others. Those that it does not touch are given back.
    fn add(&mut self, window: Range<usize>) -> Self {
        if window.start <= self.0.end {
            self.0 = self.0.start.min(window.start)..window.end;
            return Self::default();
        }
        Self(std::mem::replace(&mut self.0, window))
    }

    /// Whether a token may begin there. What it is where there is an escape is not known here.
    #[expect(clippy::indexing_slicing, reason = "the windows lie in the text")]
    pub(crate) fn may_have_token(self, text: &[u8]) -> bool {
        any_keyword(text, self.0, |at, (keyword, format)| {
            let Some(start) = at.checked_sub(format.at.into()) else { return false };
            let end = text.len().min(start + LONGEST);
            memchr::memchr(b'\\', &text[start..end]).is_some()
                || matches!(
                    tried(format, text, start, keyword.len(), Passed::HARMLESS),
                    Tried::Token(_) | Tried::Vain(_)
                )
        })
    }
}

/// Whether the text has the header of a private key.
pub(crate) fn has_key_header(bytes: &[u8]) -> bool {
    PEM_HEADER.find(bytes).is_some()
}

/// Whether a text that may hold a token does, escapes resolved.
#[inline]
pub(crate) fn dense_contains_token(text: &[u8]) -> bool {
    text.len() >= SHORTEST && has_token(text, Passed::HARMLESS)
}

static PEM_HEADER: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(PEM.keyword()));
static AUTHORITY: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(URL.keyword()));

/// Whether there is something in the text that every token has, within as many bytes as [`SHORTEST`].
#[inline]
pub(crate) fn may_have_token(bytes: &[u8]) -> bool {
    next_run(bytes, 0).is_some()
        || memchr::memchr(b'@', bytes).is_some()
        || PEM_HEADER.find(bytes).is_some()
        || escapes::hides_any(bytes)
}

/// Whether a text that is whole may hold a token: some of its runs are no words, or some of it is escaped.
fn is_worth_a_search(bytes: &[u8]) -> bool {
    let mut from = 0;
    while let Some((start, end)) = next_run(bytes, from) {
        if !is_harmless(bytes, start..end) {
            return true;
        }
        from = end;
    }
    memchr::memchr_iter(b'@', bytes).any(|at| may_end_password(bytes, at))
        || (bytes.len() >= SHORTEST_HEADER && PEM_HEADER.find(bytes).is_some())
        || escapes::has_any(bytes)
}

/// How long the header of a private key is at least.
const SHORTEST_HEADER: usize = "-----BEGIN PRIVATE KEY-----".len();

/// What stands before the `@` of a URL, from its slashes on: a name of up to 64 bytes, a colon, and up to 180.
const LONGEST_AUTHORITY: usize = 256;

/// Whether the `@` at `at` may stand behind a password of a URL, as [`URL`] has it; slashes may be escaped in any way,
/// and what is escaped by number may be anything.
#[expect(clippy::indexing_slicing, reason = "the sign stands in the text")]
#[inline(never)]
pub(crate) fn may_end_password(text: &[u8], at: usize) -> bool {
    let mut has_colon = false;
    for (length, byte) in text[..at].iter().rev().take(LONGEST_AUTHORITY).enumerate() {
        match byte {
            b':' => has_colon |= length >= 5,
            b'/' => return has_colon,
            b'\\' => return text[at - length] == b'u',
            byte if byte.is_ascii_alphanumeric() || b"_.~!^+=,;*&$%-".contains(byte) => {}
            _ => return false,
        }
    }
    false
}

#[cold]
fn has_token(bytes: &[u8], passed: Passed<'_>) -> bool {
    let found: &mut Found<'_> = &mut |_| true;
    if escapes::has_any(bytes) {
        search(&without_escapes(bytes, bytes.len()), usize::MAX, passed, found)
    } else {
        search(bytes, usize::MAX, passed, found)
    }
}

/// Takes the place of a token; true if that is enough.
type Found<'f> = dyn FnMut(Range<usize>) -> bool + 'f;

/// Hands on the places of tokens that begin before `until`, until it is said that it is enough; whether it was said.
fn search(bytes: &[u8], until: usize, passed: Passed<'_>, found: &mut Found<'_>) -> bool {
    if at_each(&PEM_HEADER, &PEM, bytes, until, passed, found)
        || (memchr::memchr(b'@', bytes).is_some() && at_each(&AUTHORITY, &URL, bytes, until, passed, found))
    {
        return true;
    }
    // Where formats were tried, so that a text of nothing but beginnings is not read over and
    // over.
    let mut over: Vec<(&str, usize)> = Vec::new();
    let mut any_in = |window: Windows| {
        any_keyword(bytes, window.0, |at, (keyword, format)| {
            let Some(start) = at.checked_sub(format.at.into()).filter(|start| *start < until) else { return false };
            let tried_to = over.iter_mut().find(|(id, _)| *id == format.id);
            if tried_to.as_deref().is_some_and(|(_, to)| start < *to) {
                return false;
            }
            let (end, is_token) = match tried(format, bytes, start, keyword.len(), passed) {
                Tried::Token(end) => (end, true),
                Tried::Vain(end) | Tried::Never(end) => (end, false),
                Tried::Nothing => return false,
            };
            match tried_to {
                Some((_, to)) => *to = end,
                None => over.push((format.id, end)),
            }
            is_token && found(start..end)
        })
    };
    let mut windows = Windows::default();
    let mut from = 0;
    while let Some((start, end)) = next_run(bytes, from) {
        from = end;
        let window = || start.saturating_sub(before(bytes, start))..end + BEHIND;
        if !is_harmless(bytes, start..end) && any_in(windows.add(window())) {
            return true;
        }
    }
    any_in(windows)
}

/// The same, of one format wherever its keyword stands.
fn at_each(
    keyword: &Finder<'_>,
    format: &Format,
    bytes: &[u8],
    until: usize,
    passed: Passed<'_>,
    found: &mut Found<'_>,
) -> bool {
    keyword.find_iter(bytes).take_while(|start| *start < until).any(|start| {
        match tried(format, bytes, start, 0, passed) {
            Tried::Token(end) => found(start..end),
            Tried::Vain(_) | Tried::Never(_) | Tried::Nothing => false,
        }
    })
}

/// How far before a run a keyword may begin.
fn before(bytes: &[u8], start: usize) -> usize {
    let text = bytes.get(..start).unwrap_or_default();
    match text.last() {
        Some(b'/') => BEFORE_IN_URL,
        // In JSON that is a string, and that in a string again, quotes are long.
        Some(b' ') if SCHEMES.iter().any(|word| ends_with(text, word)) => BEFORE_IN_URL,
        Some(b'"' | b'\'') => {
            // The value of a member: those of interest end in `key` and `id`, and any may be behind `=`.
            let is_quote = |byte: &&u8| matches!(byte, b'"' | b'\'' | b'\\');
            let is_punctuation = |byte: &&u8| is_quote(byte) || matches!(byte, b':' | b'>' | b' ');
            let name = text.iter().rev().find(|byte| !is_punctuation(byte));
            if name.is_some_and(|byte| matches!(byte | 0x20, b'y' | b'd' | b'=')) { BEFORE } else { 0 }
        }
        None | Some(b'(' | b'[' | b',' | b'?' | b'#') => 0,
        _ => BEFORE,
    }
}

/// How schemes of `Authorization` end, with the space behind them.
const SCHEMES: [&[u8]; 5] = [b"bearer ", b"basic ", b"token ", b"key ", b"bot "];

/// Whether a text ends with a word in lower case, in whatever case it has it.
fn ends_with(text: &[u8], word: &[u8]) -> bool {
    let end = text.len().checked_sub(word.len()).and_then(|at| text.get(at..));
    end.is_some_and(|end| end.eq_ignore_ascii_case(word))
}

/// What stands where a keyword was found.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tried {
    /// A token up to this byte.
    Token(usize),
    /// It has the form of a token up to this byte, and is none.
    Vain(usize),
    /// Nothing, and none of the format begins before this byte.
    Never(usize),
    Nothing,
}

/// How patterns begin that take any number of characters.
const OPEN: &str = "[A-Za-z0-9_-]{";

/// Whether all of a text are such characters.
fn is_open(text: &[u8]) -> bool {
    text.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

/// Whether a token of the format begins at `start`, with a keyword of so many bytes.
#[expect(
    clippy::indexing_slicing,
    reason = "matches lie in the text, and the pattern of a format takes no less than its keyword"
)]
fn tried(format: &Format, bytes: &[u8], start: usize, keyword: usize, passed: Passed<'_>) -> Tried {
    let Compiled { regex, needs, is_open: has_open } = format.compiled();
    let mut end = bytes.len().min(start + LONGEST);
    // Looking for one byte is cheap, and a text may consist of beginnings of tokens alone.
    let mut needed = start;
    if let Some(byte) = needs {
        let Some(at) = memchr::memchr(*byte, &bytes[start..end]) else { return Tried::Nothing };
        needed += at;
    }
    // What follows that byte is the same for every beginning before it.
    let is_same = *has_open && is_open(&bytes[start..needed]);
    if is_same {
        end = bytes.len().min(needed + LONGEST);
    }
    let input = Input::new(bytes).range(start..end).anchored(Anchored::Yes);
    let Some(token) = regex.search(&input) else {
        return if is_same { Tried::Never(needed) } else { Tried::Nothing };
    };
    // A keyword is not random, but it is a part of the token that may be allowed.
    let (mut secret, mut whole) = (token.start() + keyword..token.end(), token.range());
    if regex.captures_len() > 1 {
        let mut groups = regex.create_captures();
        regex.search_captures(&input, &mut groups);
        if let Some(group) = (1..regex.captures_len()).find_map(|group| groups.get_group(group)) {
            (secret, whole) = (group.range(), group.range());
        }
    }
    // A token of one length is part of something else if it goes on. What is shown has no part of one either.
    let is_shown = matches!(passed, Passed::Nothing);
    let goes_on = !is_shown && token.end() < end && bytes[token.end()].is_ascii_alphanumeric();
    let is_chance = || is_base64(without_padding(&bytes[token.range()])) && is_behind(bytes, start);
    let is_passed = || match passed {
        Passed::Nothing => false,
        Passed::Harmless(is_allowed) => {
            let secret = &bytes[secret];
            let is_words = || format.has_words && WORDS.is_match(secret);
            let is_known = || std::str::from_utf8(&bytes[whole]).is_ok_and(is_allowed);
            entropy(secret) < format.entropy.into() || is_placeholder(secret) || is_words() || is_known()
        }
    };
    if goes_on || is_chance() || is_passed() {
        return Tried::Vain(token.end());
    }
    Tried::Token(token.end())
}

fn without_padding(mut text: &[u8]) -> &[u8] {
    while let Some(rest) = text.strip_suffix(b"=") {
        text = rest;
    }
    text
}

/// What stands in the place of a token in examples, and the tokens of well-known ones: of RFC 6749, RFC 7617
/// and others like them, of the documents of Stripe and GitHub, and of Azure's emulator.
static PLACEHOLDER: LazyLock<Regex> = LazyLock::new(|| {
    compiled(concat!(
        r"(?i:example|placeholder|redacted|changeme)|(?:^|[^A-Za-z0-9])(?i:your)[_-]|xxxx|XXXX|\*\*\*|\.\.\.",
        r"|QWxhZGRpbjpvcGVuIHNlc2FtZQ|dXNlcm5hbWU6cGFzc3dvcmQ|dXNlcjpwYXNzd29yZA|YWxhZGRpbjpvcGVuc2VzYW1l",
        r"|4eC39HqLyjWDarjtT1zdp7dc|BQokikJOvBiI2HlWgH4olfQ2|Eby8vdM02xNOcqFlqUwJ|czZCaGRSa3F0MzpnWDFmQmF0M2JW",
        r"|16C7e42F292c6912E7710c838347Ae178B4a",
    ))
});

/// What is no secret: words, one behind another or with signs between them, of which the last may be cut off; the name
/// of a variable; and a port, with what comes behind it in a list.
static WORDS: LazyLock<Regex> = LazyLock::new(|| {
    compiled(concat!(
        r"^(?:[A-Z]?[a-z]{2,}|[A-Z]{2,}|[$%._~+/-])+[A-Z]?[a-z]?$",
        r"|^\$?[A-Z]+(?:_[A-Z0-9]+)+$|^\$[A-Za-z_][A-Za-z0-9_]*$",
        r"|^[0-9]{1,5}(?:[,;&]|%2[0Cc])",
    ))
});

fn is_placeholder(token: &[u8]) -> bool {
    let runs = token.chunk_by(|one, next| one == next).filter(|run| run.len() >= 8);
    let repeats = |run: &[u8]| match run.first() {
        // Zeros are written so, and are a part of many keys.
        Some(b'A') => run.len() > token.len() / 4,
        first => first.is_some_and(u8::is_ascii_alphanumeric),
    };
    runs.into_iter().any(repeats) || PLACEHOLDER.is_match(token)
}

impl Format {
    fn compiled(&self) -> &Compiled {
        let compile = || Compiled {
            regex: compiled(self.pattern),
            needs: match self.pattern {
                _ if self.has_point() => Some(b'.'),
                pattern if pattern.ends_with("==") => Some(b'='),
                _ => None,
            },
            is_open: self.keywords().all(|keyword| {
                let behind = self.pattern.strip_prefix(keyword).and_then(|rest| rest.strip_prefix(OPEN));
                behind.is_some_and(|rest| {
                    rest.trim_start_matches(|digit: char| digit.is_ascii_digit()).starts_with(r",}\.")
                })
            }),
        };
        self.compiled.get_or_init(|| Box::new(compile()))
    }
}

/// A pattern that matches where one of some words begins. Words with the same beginning share it: a search for
/// thousands would be slow otherwise.
pub(crate) fn any_of<'w>(words: impl Iterator<Item = &'w str>) -> String {
    let mut words: Vec<&[u8]> = words.map(str::as_bytes).collect();
    words.sort_unstable();
    any_from(&words, 0)
}

/// The same from a byte on, of sorted words that are alike up to it.
fn any_from(words: &[&[u8]], at: usize) -> String {
    // Where one ends, the others begin with it.
    if words.iter().any(|word| word.len() == at) {
        return String::new();
    }
    let branch = |words: &[&[u8]]| {
        let byte = words.first()?.get(at)?;
        Some(format!(r"\x{byte:02x}{}", any_from(words, at + 1)))
    };
    let branches: Vec<String> = words.chunk_by(|a, b| a.get(at) == b.get(at)).filter_map(branch).collect();
    if branches.len() == 1 { branches.concat() } else { format!("(?:{})", branches.join("|")) }
}

/// The syntax of all patterns: of bytes, so no Unicode tables are needed.
pub(crate) fn of_bytes() -> syntax::Config {
    syntax::Config::new().unicode(false).utf8(false)
}

fn compiled(pattern: &str) -> Regex {
    let regex = Regex::builder().syntax(of_bytes()).build(pattern);
    #[expect(clippy::expect_used, reason = "the patterns are constants, and a test compiles them all")]
    regex.expect("the pattern is a regular expression")
}

/// Shannon entropy in bits a character.
#[expect(clippy::indexing_slicing, reason = "the table has a place for each byte")]
fn entropy(bytes: &[u8]) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in bytes {
        counts[usize::from(*byte)] += 1;
    }
    let total = bytes.len() as f64;
    counts.iter().filter(|count| **count > 0).map(|count| f64::from(*count) / total).map(|p| -p * p.log2()).sum()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::formats::FORMATS;
    use super::*;
    use proptest::strategy::{Strategy as _, ValueTree as _};
    use proptest::string::string_regex;
    use proptest::test_runner::TestRunner;

    /// Some tokens of each format that are found by themselves.
    pub(crate) fn samples() -> impl Iterator<Item = String> {
        let mut runner = TestRunner::deterministic();
        FORMATS.iter().chain([&PEM, &URL]).flat_map(move |format| {
            let tokens = string_regex(&pattern_of(format)).unwrap();
            let made = (0..100).map(|_| tokens.new_tree(&mut runner).unwrap().current());
            made.filter(|token| contains_token(&format!(" {token} "))).take(3).collect::<Vec<_>>()
        })
    }

    #[test]
    fn words_with_the_same_beginning_share_it() {
        for (words, pattern) in [
            (&["ab"][..], r"\x61\x62"),
            (&["ab", "cd"], r"(?:\x61\x62|\x63\x64)"),
            (&["abd", "abc", "ab+"], r"\x61\x62(?:\x2b|\x63|\x64)"),
            (&["abc", "ab", "b"], r"(?:\x61\x62|\x62)"),
        ] {
            assert_eq!(any_of(words.iter().copied()), pattern, "{words:?}");
        }
    }

    #[test]
    fn tokens_have_the_byte_that_their_format_needs() {
        let mut runner = TestRunner::deterministic();
        let needs = |format: &'static Format| Some((format, format.compiled().needs?));
        let formats: Vec<_> = FORMATS.iter().filter_map(needs).collect();
        assert!(formats.len() > 10);
        for (format, byte) in formats {
            let tokens = string_regex(&pattern_of(format)).unwrap();
            let mut made = (0..100).map(|_| tokens.new_tree(&mut runner).unwrap().current());
            assert!(made.all(|token| token.contains(char::from(byte))), "{}", format.id);
        }
    }

    /// Where one beginning is in vain, the next ones are not tried: those of which that is sure.
    #[test]
    fn open_formats_are_known() {
        let open: Vec<_> = FORMATS.iter().filter(|format| format.compiled().is_open).map(|format| format.id).collect();
        assert_eq!(open, ["jwe", "jwt", "jwt-of-crlf-lines", "jwt-of-lines", "jwt-spaced"]);
        let jwt = ["eyJhbGciOiJIUzI1NiJ9.", "eyJzdWIiOiJ1LTk4MjM0NzEifQ", ".q8Zr3Kx5Vt1Np7Lw9Md2Hs4Jf6Gb8"].concat();
        for before in ["eyJ-", "eyJ-eyJ_eyJ-", "eyJ-eyJ-eyJhbGciOiJI.", "eyJ-eyJhbGciOiJIUzI1NiJ9.x.eyJ-eyJ "] {
            let text = [&before.repeat(9), &jwt, " "].concat();
            assert!(contains_token(&text), "{before}");
        }
    }

    /// Lines between the header of a key and the key, with line breaks of any kind or without.
    #[test]
    fn lines_before_a_key_hide_nothing() {
        let header = |name: &str| ["-----", "BEGIN ", name, "-----"].concat();
        let key = "MIIEpAIBAAKCAQEA7bq2ZxT9sVw3";
        for lines in [
            "\nVersion: GnuPG v2.2.1\nComment: https://gnupg.org -- a key\n\n",
            "\r\nProc-Type: 4,ENCRYPTED\r\nDEK-Info: AES-256-CBC,0123456789ABCDEF\r\n\r\n",
            r"\nComment: a - b --- c\n\n",
            " Proc-Type: 4,ENCRYPTED DEK-Info: AES-256-CBC,0123456789ABCDEF ",
            "\n     2\t",
            "\n2:",
            "\n13-",
            "\n 2→",
            "\n   8 │ ",
            "\n00002| ",
            r"\n2\t",
            "\n# ",
            "\r\n// ",
            "\n * ",
            "\n; ",
            "\n-- ",
            r"\n2:Proc-Type: 4,ENCRYPTED\n3:DEK-Info: AES-256-CBC,0123456789ABCDEF\n4:\n5:",
        ] {
            for name in ["RSA PRIVATE KEY", "PGP PRIVATE KEY BLOCK"] {
                assert!(contains_token(&[&header(name), lines, key].concat()), "{name} {lines}");
            }
        }
    }

    #[test]
    fn every_format_is_well_formed() {
        let mut ids = std::collections::HashSet::new();
        for format in FORMATS.iter().chain([&PEM, &URL]) {
            assert!(ids.insert(format.id), "{} is there twice", format.id);
            assert!(format.keywords().all(|keyword| keyword.len() > 1) && !format.source.is_empty());
            assert!(
                format.compiled().regex.group_info().group_len(regex_automata::PatternID::ZERO) <= 3,
                "{}",
                format.id
            );
        }
        assert!(FORMATS.is_sorted_by_key(|format| format.id));
    }

    /// The pattern of a format as tokens can be made of it.
    fn pattern_of(format: &Format) -> String {
        format
            .pattern
            .replace("(?i:authorization)", "Authorization")
            .replace("(?i:basic)", "Basic")
            .replace("(?i:bearer)", "Bearer")
            .replace("(?i:token|api-?key|bot)", "(Token|ApiKey)")
            .replace(r"\s", " ")
            .replace(r"\\*", "")
    }

    #[test]
    fn forms_with_spaces_are_marked() {
        let mut runner = TestRunner::deterministic();
        for format in FORMATS.iter().chain([&PEM, &URL]) {
            let tokens = string_regex(&pattern_of(format)).unwrap();
            let mut has_spaces = || {
                tokens.new_tree(&mut runner).unwrap().current().bytes().any(|byte| ends_token(byte) || byte == b'\\')
            };
            assert_eq!((0..100).any(|_| has_spaces()), format.spaced, "{}", format.id);
        }
    }

    /// A token is found by its parts wherever it is cut, unless one part is a token by itself.
    #[test]
    fn every_format_is_found_across_a_seam() {
        let mut runner = TestRunner::deterministic();
        for format in FORMATS.iter().chain([&PEM, &URL]) {
            let tokens = string_regex(&pattern_of(format)).unwrap();
            let made = (0..100).map(|_| tokens.new_tree(&mut runner).unwrap().current());
            // Long ones are looked at in part.
            let mut whole = made.filter(|token| token.len() < LONGEST && contains_token(&format!(" {token} ")));
            let token = whole.next().unwrap_or_else(|| panic!("{}", format.id));
            let text = format!(" {token} ");
            for seam in (2..=token.len()).filter(|seam| text.is_char_boundary(*seam)) {
                let parts = [&text[..seam], &text[seam..]];
                let known = &mut Known { bytes: seam, ..Known::default() };
                let found = is_across(&text, known, seam, &|_| false) || parts.into_iter().any(contains_token);
                assert!(found, "{} {seam}", format.id);
            }
        }
    }

    /// Tokens made of the patterns are found wherever texts have them.
    #[test]
    fn every_format_is_found() {
        let mut runner = TestRunner::deterministic();
        for format in FORMATS.iter().chain([&PEM, &URL]) {
            let tokens = string_regex(&pattern_of(format)).unwrap();
            let mut tried = 0;
            for _ in 0..300 {
                let token = tokens.new_tree(&mut runner).unwrap().current();
                let is_shorter = format.keywords().any(|keyword| token.len() < keyword.len());
                assert!(!is_shorter, "{}: the pattern takes less than a keyword", format.id);
                let alone = contains_token(&format!("    {token}    "));
                if !alone {
                    // Of low entropy.
                    continue;
                }
                tried += 1;
                for (before, after) in [
                    ("", "     "),
                    ("key: ", ";"),
                    ("\\n", "\\nnext"),
                    ("(", ")"),
                    ("a=1&key=", "&b=2"),
                    ("\\\"", "\\\","),
                ] {
                    let url = if format.id == URL.id && !before.ends_with(' ') { "https" } else { "" };
                    assert!(
                        contains_token(&format!("{before}{url}{token}{after}    ")),
                        "{}: {before}…{after}",
                        format.id
                    );
                }
            }
            assert!(tried >= 3, "{}: {tried}", format.id);
        }
    }

    /// Around a credential stands what the tool that prints it writes there.
    #[test]
    fn credentials_are_found_as_tools_print_them() {
        let key = "Qz7aVt/Np7Lw9Md2q8ZrKx5VtUb3Hc6Jf1Gs4Ye0";
        let basic = "c3ZjLWRlcGxveTpYazl3UTJtVmI3THA0Wg==";
        let pem = ["-----BEGIN RSA PRIV", "ATE KEY-----"].concat();
        let line = ["MIIE", &key.replace('/', "+").repeat(2)].concat();
        let token = ["ghp_", "x7Kd93jfLq0ZbV5nRw8TyUe1Qs4Hm2Pa6Cxz"].concat();
        for text in [
            format!("//registry.example.org/:_authToken=\"{}\"", key.replace('/', "A")),
            format!("//registry.example.org/:_auth='{}'", key.replace('/', "A")),
            format!("+ AWS_SECRET_ACCESS_KEY     = \"{key}\""),
            format!("<SecretAccessKey>{key}</SecretAccessKey>"),
            format!("|  SecretAccessKey|  {key}  |"),
            format!("aws configure set aws_secret_access_key {key}"),
            format!("('AWS_SECRET_ACCESS_KEY', '{key}')"),
            format!("map[Authorization:[Basic {basic}]]"),
            format!("Authorization: [ 'Basic {basic}' ]"),
            format!("(b'Authorization', b'Basic {basic}')"),
            format!("\"Authorization\" => \"Basic {basic}\""),
            format!("{{\n          \"name\": \"Authorization\",\n          \"value\": \"Basic {basic}\"\n        }}"),
            format!("Authorization: Bearer 12|{}", key.replace('/', "B")),
            format!("web_1  | {pem}\nweb_1  | {line}"),
            format!("2026-03-04T09:15:00Z {pem}\n2026-03-04T09:15:00Z {line}"),
            format!("{pem}$\n{line}$"),
            format!("\u{1b}[32m{pem}\u{1b}[0m\n\u{1b}[32m{line}\u{1b}[0m"),
            format!("{pem}<br>{line}"),
            format!(r"b'\x00{token}'"),
            format!(r"\x22{token}\x22"),
            format!("{};Pwd=Xk9wQ2mVb7Lp-4Zt;", "Server=db"),
        ] {
            assert!(contains_token(&text), "{text}");
            let json = serde_json::to_string(&text).unwrap();
            assert!(contains_token(json.trim_matches('"')), "{json}");
        }
    }

    /// Letters that happen to look like words are a token behind a keyword, and nothing in the name of a member.
    #[test]
    fn names_are_no_random_letters() {
        for token in ["rzp_live_KjhdfrTpqzxmwb", "glpat-kqzVmxwrtBnhplsdfgcyu"] {
            assert!(contains_token(&format!("use {token} there")), "{token}");
        }
        for (text, run) in [("estimatedDeliveryDay", 0), ("a TotalGrossAmountEur", 2), ("is_a_long_name_of_it", 0)] {
            assert!(is_harmless(text.as_bytes(), run..text.len()), "{text}");
        }
        for (text, run) in [("x.abcDefghIjklmnOpqr", 2), ("getHTMLOfTheWholePage", 0), ("kqz-VmxwrtBnhplsdfg", 0)] {
            assert!(!is_harmless(text.as_bytes(), run..text.len()), "{text}");
        }
    }

    /// What a URL may have before its password's end is what is passed over.
    #[test]
    fn every_sign_of_a_password_is_passed_over() {
        let class = |class: &str| {
            let regex = Regex::builder().syntax(of_bytes()).build(class).unwrap();
            (0..0x80_u8).filter(move |byte| regex.is_match(&[*byte][..])).collect::<Vec<u8>>()
        };
        for (before, pattern, behind) in [
            ("https://user:", "[A-Za-z0-9_.~!^+=,;*&$%-]", "Xk9wQ2mVb7Lp"),
            ("https://", "[A-Za-z0-9_.~!$*+,;=%-]", ":Xk9wQ2mVb7Lp"),
        ] {
            assert!(URL.pattern.contains(pattern));
            for byte in class(pattern) {
                let text = [before.as_bytes(), &[byte], behind.as_bytes()].concat();
                assert!(may_end_password(&[&text, &b"@host"[..]].concat(), text.len()), "{byte}");
            }
        }
        let longest = format!("://{}:{}", "u".repeat(64), "p".repeat(180));
        assert!(may_end_password(format!("{longest}@h").as_bytes(), longest.len()));
        for text in ["mail anna", "a @", "\\n@", "src/", "see https://host/path", "x: abc"] {
            assert!(!may_end_password(format!("{text}@x").as_bytes(), text.len()), "{text}");
        }
    }

    #[test]
    fn encoded_bytes_are_no_token_by_chance() {
        let image = encoded::tests::image(300);
        let paths = [
            "/home/ubuntu/GitHub/MyCompany/Platform-API_v2/Keys/Zurich-Q4_2025".repeat(5),
            "https://script.google.com/macros/s/AKfycbxT7QmZ4pVwN2kRj9HsLdY8eGuC1oXfB5aWi3nKv6tMqJzP0yUbEhSrDg"
                .to_owned(),
        ];
        for token in samples() {
            let is_chance = is_base64(without_padding(token.as_bytes()));
            for joint in ["/", "+", "-", "_"] {
                let found = contains_token(&[&image, joint, &token, " "].concat());
                assert!(!(found && is_chance), "{token}");
            }
            assert!(is_chance || contains_token(&[&image, "/", &token].concat()), "{token}");
            for end in [" ", "==", "\n"] {
                assert!(contains_token(&[&image, end, &token].concat()), "{token}");
            }
            assert!(paths.iter().all(|path| contains_token(&[path, "/", &token].concat())), "{token}");
        }
    }

    /// A token in JSON that is a string, however the writer of that JSON escapes it.
    #[test]
    fn characters_may_be_escaped() {
        let url = ["https:", "//app:", "cSmhueLW3Ga2tZc17q", "@db.internal/x"].concat();
        let key = ["AccountKey=", &"q8Zr+Kx5Vt/Np7Lw9Md2".repeat(5)[..86], "=="].concat();
        for token in [url, key] {
            let all: String = token.bytes().map(|byte| format!("\\u00{byte:02x}")).collect();
            let signs = token.replace('+', r"\u002B").replace('=', r"\u003d").replace('@', r"\u0040");
            for text in [&token, &token.replace('/', r"\/"), &signs, &all] {
                assert!(contains_token(text) && dense_contains_token(text.as_bytes()), "{text}");
            }
        }
        let many = format!("{}/{}", "\\".repeat(100_001), "a".repeat(RUN));
        assert!(!contains_token(&many));
    }

    /// What has the form of a token is not shown, be it a placeholder or as good as one.
    #[test]
    fn what_is_shown_is_judged_by_its_form() {
        let token = ["gsk_", "cS648nJ24EkT3tpuFVohXXXXgQMs3uaabBFeNEiK8r3Y6QAFEtU5"].concat();
        let plain = ["AKIA", "CB7BSBSTX447SSEW"].concat();
        for text in [&token, &plain, &format!("x{token}"), &format!("{plain}2")] {
            assert!(!contains_token(text) && may_show_token(text), "{text}");
        }
        // What cannot be seen is left out when it is copied, or taken for a space.
        for unseen in ["\u{200b}", "\u{ad}", "\u{34f}", "\u{fe0f}", "\u{fffd}", "\u{1b}", "%E2%80%8B"] {
            let (begin, end) = plain.split_at(9);
            assert!(may_show_token(&[begin, end].join(unseen)) && !may_show_token(&["a", "b"].join(unseen)));
        }
        // Behind a sign, a short beginning counts where the rest is random.
        let random = "788fbf742b65b754e51acbd3d48c3bb9e28c9e3ef5404bf7";
        assert!(may_show_token(&["key-sk", random].join("_")));
        for id in [["task-sk", &"0".repeat(48)].join("_"), ["disk", random].join("_")] {
            assert!(!may_show_token(&id), "{id}");
        }
    }

    #[test]
    fn what_stands_around_a_secret_says_nothing_of_it() {
        for token in [
            ["postgres:", "//app:", "Xk9wQ2mVb7Lp", "@db.example.com/x"],
            ["postgres:", "//example:", "Xk9wQ2mVb7Lp", "@db.internal/x"],
            ["https:", "//robot$ci:", "Zk9wQ2mVb7LpXr4T", "@harbor.example.com"],
            [r#"{"awsSecretAccessKey":""#, "aDoOwBjA2ic5lcfHQSB0", "luk5CEpyZZ9DFH3WSYT4", r#""}"#],
            ["secret_access_key", " = ", "aDoOwBjA2ic5lcfHQSB0", "luk5CEpyZZ9DFH3WSYT4"],
            ["postgres:", "//app:", "Xy%24kLmQ7vRt", "@db.internal/x"],
            ["postgres:", "//app:", "KwJqPzLmXvTbNcRd", "@[::1]:5432/x"],
            ["https:", "//hooks.slack.com/services/T0AB12CD3/B0AB12CD3/", "k8JdmXxXx0PqLsT2VbNc4RfG", ""],
            ["Authorization: ", "Bearer ", "9Xk9wQ2mVb7LpZyour-8sJdKq2", ""],
            ["authorization: ", "bearer  ", "9Xk9wQ2mVb7LpZyr8sJdKq2", ""],
            [r#"{"k":"postgres:\/\/app:"#, "Xk9wQ2mVb7Lp", r#"\u0040db.internal\/x"}"#, ""],
            ["Authorization: ", "Bearer ", "DOOvnKZkWhRIOjSVPFVVXXxlundaGtpes32zCwQ8", ""],
            ["jdbc:postgresql://db/x?user=a", "&password=", "Xk9wQ2mVb7Lp", "&ssl=true"],
            ["Server=db;User ID=sa", ";Password=", "Xk9wQ2mVb7Lp!", ";"],
            [r#"{"name":"Authorization","value":""#, "Basic ", "ZGVwbG95OjlYazl3UTJtVmI3THBaeXI4c0pkS3Ey", r#""}"#],
            [r#"\\\\\\\"Authorization\\\\\\\":\\\\\\\""#, "Bearer ", "9Xk9wQ2mVb7LpZyr8sJdKq2", r#"\\\\\\\""#],
            ["https://example.org/?next=a%3Ftoken%3D", "ghp_", "x7Kd93jfLq0ZbV5nRw8TyUe1Aa2Ss4Dd6FfG", "%26b"],
            ["Authorization: ", "Bearer ", "1a2b3c4d1a2b3c4d1a2b3c4d1a2b9f8e", ""],
            ["key = ", "sk-", "qwhzkcmbtrplxvunwoyjdgsafeiqkzmcxhbtvrnplwouydgs", ""],
            ["AWS_SESSION_TOKEN=", "IQoJb3JpZ2luX2VjE", &"Kx5Vt1Np7Lw9Md2Hs4Jf6Gb8Q/zR+".repeat(12), "=="],
        ] {
            let token = token.concat();
            assert!(contains_token(&token), "{token}");
        }
    }

    /// However long the rest of a token is, and what its bytes are.
    #[test]
    fn long_tokens_are_told_by_their_beginnings() {
        let header = ["eyJ", "hbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9"].concat();
        let random = "Kx5Vt1Np7Lw9Md2Hs4Jf6Gb8Q-zR_q3Yc0".repeat(60);
        let key = [
            "-----",
            "BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW",
        ]
        .concat();
        assert!(contains_token(&key));
        for length in (14..1600).step_by(37) {
            let (payload, cipher) = (&random[..length], &random[..length.max(20)]);
            let jwt = [&header, ".eyJ", payload, ".", &random[7..50]].concat();
            let jwe = [&header, "..", &random[..16], ".", cipher, ".", &random[3..25]].concat();
            for token in [jwt, jwe] {
                assert!(contains_token(&format!("a {token} b")), "{length}");
                for seam in (2..token.len() + 3).step_by(5) {
                    let text = format!("a {token} b");
                    let known = &mut Known { bytes: seam, ..Known::default() };
                    let found = is_across(&text, known, seam, &|_| false);
                    assert!(found || [&text[..seam], &text[seam..]].into_iter().any(contains_token), "{length} {seam}");
                }
            }
        }
    }

    #[test]
    fn harmless_texts_are_passed() {
        let found: Vec<&str> = include_str!("harmless.txt").lines().filter(|text| contains_token(text)).collect();
        assert_eq!(found, [""; 0]);
    }
}
