//! Forms of secrets that users add.

use std::fmt;
use std::ops::Range;

use memchr::memmem::Finder;
use regex_automata::meta::Regex;

use crate::safe::tokens::of_bytes;

/// The longest regular expression, in bytes.
const LONGEST: usize = 1024;

/// The most memory that a compiled one may take, and a search in it, in bytes.
const SIZE: usize = 1024 * 1024;
const CACHE: usize = 256 * 1024;

/// A form of secret, as a regular expression.
///
/// The secret is what the first group matches; without a group, or where it matches the empty text, it is the whole
/// match. `.`, `\w`, `\d`, `\s`, `\b` and `(?i)` go by bytes and ASCII. `^` and `$` are the ends of a
/// string or key, not of an event. There is no look-ahead, and the time is linear in the text.
///
/// Since 0.1.0.
#[derive(Clone)]
#[must_use]
pub struct SecretPattern {
    id: Box<str>,
    /// In lower case.
    keywords: Vec<Finder<'static>>,
    regex: Regex,
}

/// Why a pattern cannot be used.
///
/// Since 0.1.0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidPattern {
    /// The id cannot be shown in findings.
    #[error("an id has 1 to 64 letters, digits, `-`, `_` and `.`")]
    Id,
    /// The regular expression is too long.
    #[error("a regular expression has at most {} bytes", LONGEST)]
    TooLong,
    /// The regular expression has a mistake; the text says where.
    #[error("{0}")]
    Syntax(String),
    /// The regular expression takes too much memory.
    #[error("the regular expression is too large when it is compiled; repeat less in it")]
    TooLarge,
    /// The regular expression matches everywhere.
    #[error("the regular expression matches the empty text, so it would match everywhere")]
    Empty,
    /// A keyword cannot be looked for.
    #[error("a keyword has 3 to 64 characters of printable ASCII, without quotes and backslashes")]
    Keyword,
}

/// A match of a pattern.
pub(super) struct Found<'t> {
    pub(super) place: Range<usize>,
    pub(super) secret: &'t [u8],
}

impl SecretPattern {
    /// A form with an id, which findings show, and a regular expression.
    ///
    /// # Errors
    /// When the id or the expression cannot be used; [`InvalidPattern`] says why.
    pub fn new(id: &str, regex: &str) -> Result<Self, InvalidPattern> {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
        if !(1..=64).contains(&id.len()) || !id.bytes().all(is_plain) {
            return Err(InvalidPattern::Id);
        }
        if regex.len() > LONGEST {
            return Err(InvalidPattern::TooLong);
        }
        let config = Regex::config().nfa_size_limit(Some(SIZE)).hybrid_cache_capacity(CACHE);
        let built = Regex::builder().configure(config).syntax(of_bytes()).build(regex);
        let regex = built.map_err(|error| match error.syntax_error() {
            Some(error) => InvalidPattern::Syntax(error.to_string()),
            None => InvalidPattern::TooLarge,
        })?;
        if regex.is_match("") {
            return Err(InvalidPattern::Empty);
        }
        Ok(Self { id: id.into(), keywords: Vec::new(), regex })
    }

    /// Adds a keyword; every secret of the form has at least one of them.
    ///
    /// Upper and lower case are the same. A match without any keyword does not count. Events
    /// without any cost next to nothing.
    ///
    /// # Errors
    /// [`InvalidPattern::Keyword`], which says what a keyword may be.
    pub fn keyword(mut self, keyword: &str) -> Result<Self, InvalidPattern> {
        self.add_keyword(keyword)?;
        Ok(self)
    }

    /// The same, for one that stays where it is.
    pub(crate) fn add_keyword(&mut self, keyword: &str) -> Result<(), InvalidPattern> {
        let is_plain = |byte: u8| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\');
        if !(3..=64).contains(&keyword.len()) || !keyword.bytes().all(is_plain) {
            return Err(InvalidPattern::Keyword);
        }
        self.keywords.push(Finder::new(&keyword.to_ascii_lowercase()).into_owned());
        Ok(())
    }

    /// The id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Its keywords, in lower case.
    pub(super) fn keywords(&self) -> impl Iterator<Item = &str> {
        self.keywords.iter().filter_map(|keyword| str::from_utf8(keyword.needle()).ok())
    }

    /// Whether a text in lower case may have a secret of the form.
    pub(super) fn may_be_in(&self, text: &[u8]) -> bool {
        self.keywords.is_empty() || self.keywords.iter().any(|keyword| keyword.find(text).is_some())
    }

    /// The matches in a text, from its beginning.
    #[expect(clippy::indexing_slicing, reason = "the places are those that the regex found in this very text")]
    pub(super) fn find<'p, 't>(&'p self, text: &'t str) -> impl Iterator<Item = Found<'t>> + use<'p, 't> {
        let text = text.as_bytes();
        // Room for groups is made where something matches.
        let matches = self.regex.is_match(text).then(|| self.regex.captures_iter(text));
        matches.into_iter().flatten().filter_map(move |captures| {
            let place = captures.get_match()?.range();
            let group = captures.get_group(1).filter(|group| !group.is_empty());
            let secret = group.map_or_else(|| place.clone(), |group| group.range());
            let is_whole = self.may_be_in(&text[place.clone()].to_ascii_lowercase());
            is_whole.then(|| Found { place, secret: &text[secret] })
        })
    }
}

impl fmt::Debug for SecretPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SecretPattern")
            .field("id", &self.id)
            .field("keywords", &self.keywords().collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_pattern() {
        let long = "a".repeat(LONGEST + 1);
        for (id, regex, problem) in [
            ("", "a", InvalidPattern::Id),
            ("an id", "a", InvalidPattern::Id),
            ("a", &long, InvalidPattern::TooLong),
            ("a", r"(?:[\w-]{500}){500}", InvalidPattern::TooLarge),
            ("a", "a*", InvalidPattern::Empty),
        ] {
            assert_eq!(SecretPattern::new(id, regex).err(), Some(problem), "{id} {regex}");
        }
        let Err(InvalidPattern::Syntax(text)) = SecretPattern::new("a", "acme_[") else { panic!("it is no pattern") };
        assert!(text.contains("acme_[\n") && text.contains('^'), "{text}");
        for keyword in ["ab", "a\"bc", r"a\bc", "äbc", "a\nbc"] {
            let pattern = SecretPattern::new("a", "abc").unwrap();
            assert_eq!(pattern.keyword(keyword).err(), Some(InvalidPattern::Keyword), "{keyword}");
        }
    }

    #[test]
    fn the_group_is_the_secret() {
        let plain = SecretPattern::new("a", "pass=[a-z]+").unwrap();
        let grouped = SecretPattern::new("a", "(?i)pass=([a-z]+)").unwrap().keyword("pass=").unwrap();
        let without = SecretPattern::new("a", "pass=[a-z]+").unwrap().keyword("word").unwrap();
        let secrets = |pattern: &SecretPattern| {
            pattern.find("x PASS=one pass=two").map(|found| found.secret.to_vec()).collect::<Vec<_>>()
        };
        assert_eq!(secrets(&plain), [b"pass=two"]);
        assert_eq!(secrets(&grouped), [b"one", b"two"]);
        let empty = SecretPattern::new("a", "pass=([a-z]*?)").unwrap();
        assert_eq!(secrets(&empty), [b"pass="]);
        assert!(secrets(&without).is_empty());
    }
}
