//! Secrets beyond the formats that are built in, and secrets that are allowed.

mod pattern;
mod place;
mod placeholder;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use regex_automata::Input;
use regex_automata::meta::Regex;

use super::rule::Rule;
use super::tree::{Node, Value};
use crate::safe::tokens::{Known, any_of, contains_token, contains_token_but, in_plain, is_across, of_bytes};
use crate::wire::path::{Path, Step};

pub use pattern::{InvalidPattern, SecretPattern};
pub use place::InvalidPlace;
use place::Place;
pub(super) use placeholder::is_placeholder;

/// The user's own forms of secrets, and secrets that are allowed. Made once, and shared by
/// checkers.
///
/// ```
/// use agent_contracts::Protocol;
/// use agent_contracts::check::{Checker, Input, SecretPattern, Secrets};
///
/// let secrets = Secrets::new()
///     .pattern(SecretPattern::new("acme-key", "acme_[a-z0-9]{8}")?.keyword("acme_")?)
///     .allow_at("$.rawEvent..*", None)?
///     .allow_values(|value| value == "acme_00000000");
/// let mut checker = Checker::builder(Protocol::AGUI).secrets(secrets).build();
/// let event = r#"{"type":"CUSTOM","name":"key","value":"it is acme_4f9xk2p7"}"#;
/// let found: Vec<String> = checker.push(Input::event(event)).iter().map(ToString::to_string).collect();
/// assert!(found.contains(&"error[agui/secret-value]: the text has the shape of a secret (acme-key)".to_owned()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Since 0.1.0.
#[derive(Clone, Default)]
#[must_use]
pub struct Secrets {
    patterns: Vec<SecretPattern>,
    hints: Hints,
    places: Vec<(Place, Option<Rule>)>,
    values: Vec<Arc<IsAllowed>>,
}

/// The most memory that the search for the keywords of all patterns may take in a thread, in bytes.
const MOST_OF_SEARCH: usize = 64 << 20;

type IsAllowed = dyn Fn(&str) -> bool + Send + Sync;

/// What a text must have before a pattern can match it.
#[derive(Clone, Default)]
enum Hints {
    /// There are no patterns.
    #[default]
    Nothing,
    /// One of some words.
    Keywords(Arc<Words>),
    /// A pattern has no keywords.
    Anything,
}

/// The keywords of all patterns.
struct Words {
    search: Regex,
    /// A slash is in one.
    have_slash: bool,
    /// The keywords in order, each with the place of a pattern that has it.
    keywords: Vec<(Box<[u8]>, usize)>,
    patterns: usize,
}

impl Words {
    /// The places of the patterns of which a keyword is in a text in lower case, in order.
    fn patterns_of(&self, text: &[u8]) -> BTreeSet<usize> {
        let (mut found, mut from) = (BTreeSet::new(), 0);
        while found.len() < self.patterns
            && let Some(word) = self.search.search(&Input::new(text).range(from..))
        {
            from = word.start() + 1;
            let mut alike = self.keywords.as_slice();
            for (at, byte) in text.iter().skip(word.start()).enumerate() {
                let byte_of = |(keyword, _): &(Box<[u8]>, usize)| keyword.get(at).copied();
                let first = alike.partition_point(|keyword| byte_of(keyword) < Some(*byte));
                let end = alike.partition_point(|keyword| byte_of(keyword) <= Some(*byte));
                alike = alike.get(first..end).unwrap_or_default();
                if alike.is_empty() {
                    break;
                }
                let whole = alike.iter().take_while(|(keyword, _)| keyword.len() == at + 1);
                found.extend(whole.map(|(_, place)| *place));
            }
        }
        found
    }
}

impl Secrets {
    /// Only what is built in.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a form of secret. The rules about secret values look for it in every string and
    /// key, and in the joined deltas of each message and call.
    pub fn pattern(mut self, pattern: SecretPattern) -> Self {
        self.add_patterns([pattern]);
        self
    }

    /// Adds several at once.
    pub(crate) fn add_patterns(&mut self, patterns: impl IntoIterator<Item = SecretPattern>) {
        self.patterns.extend(patterns);
        self.hints = Hints::of(&self.patterns);
    }

    /// Allows secrets at a place; with `rule`, only those that this rule reports.
    ///
    /// The place is a path as findings have it, in which `*` stands for any one key or index,
    /// and `..` for any number of them.
    ///
    /// # Errors
    /// When `path` is not such a path.
    pub fn allow_at(mut self, path: &str, rule: Option<&Rule>) -> Result<Self, InvalidPlace> {
        self.add_place(path, rule)?;
        Ok(self)
    }

    /// The same, for what stays where it is.
    pub(crate) fn add_place(&mut self, path: &str, rule: Option<&Rule>) -> Result<(), InvalidPlace> {
        self.places.push((path.parse()?, rule.cloned()));
        Ok(())
    }

    /// Allows secrets by their value.
    ///
    /// `is_allowed` is asked about the secret, about the whole text that has it, and about the
    /// value of a key that names a secret. True for one of them allows the secret.
    pub fn allow_values(mut self, is_allowed: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        self.values.push(Arc::new(is_allowed));
        self
    }

    /// Whether an event of this text has to be looked at closely: a pattern may match there.
    #[inline]
    pub(crate) fn may_be_in(&self, text: &str) -> bool {
        match &self.hints {
            Hints::Nothing => false,
            Hints::Anything => true,
            Hints::Keywords(words) => {
                let has = |escape: &[u8]| memchr::memmem::find(text.as_bytes(), escape).is_some();
                // Keywords are ASCII, so only these escapes can hide one.
                words.search.is_match(text) || has(br"\u00") || (words.have_slash && has(br"\/"))
            }
        }
    }

    /// The form of the first secret in the text that is not allowed.
    pub(crate) fn find(&self, text: &str) -> Option<Form<'_>> {
        let form = if self.has_token(text) { Some(Form::TOKEN) } else { self.find_own(text) };
        form.filter(|_| !self.allows(text))
    }

    /// Whether there is a secret of a form that is built in.
    fn has_token(&self, text: &str) -> bool {
        if self.values.is_empty() {
            contains_token(text)
        } else {
            contains_token_but(text, &|secret| self.allows(secret))
        }
    }

    /// Whether a new secret of such a form begins before `seam` and ends behind what is known.
    pub(super) fn has_across(&self, text: &str, known: &mut Known, seam: usize) -> bool {
        is_across(text, known, seam, &|secret| self.allows(secret))
    }

    fn find_own(&self, text: &str) -> Option<Form<'_>> {
        if self.patterns.is_empty() {
            return None;
        }
        if let Some((_, form)) = self.own(text).next() {
            return Some(form);
        }
        if !text.contains('\\') {
            return None;
        }
        // Some writers of JSON, which the text may be, escape what they need not.
        self.own(&in_plain(text)).next().map(|(_, form)| form)
    }

    /// Where the patterns match, apart from what is allowed.
    pub(super) fn own<'s, 't>(&'s self, text: &'t str) -> impl Iterator<Item = (Range<usize>, Form<'s>)> + use<'s, 't> {
        self.candidates(text).flat_map(move |pattern| {
            let found = pattern.find(text).filter(move |found| {
                let secret = String::from_utf8_lossy(found.secret);
                !is_placeholder(&secret) && !self.allows(&secret)
            });
            found.map(move |found| (found.place, Form(Some(pattern.id()))))
        })
    }

    /// The patterns that may match in a text.
    fn candidates(&self, text: &str) -> impl Iterator<Item = &SecretPattern> + use<'_> {
        let text = if self.may_be_in(text) { text.to_ascii_lowercase() } else { String::new() };
        let places: Vec<usize> = match &self.hints {
            Hints::Nothing => Vec::new(),
            Hints::Keywords(words) => words.patterns_of(text.as_bytes()).into_iter().collect(),
            Hints::Anything => {
                let patterns = self.patterns.iter().enumerate();
                patterns.filter(|(_, pattern)| pattern.may_be_in(text.as_bytes())).map(|(place, _)| place).collect()
            }
        };
        places.into_iter().filter_map(|place| self.patterns.get(place))
    }

    /// Whether there are patterns.
    pub(super) fn has_patterns(&self) -> bool {
        !self.patterns.is_empty()
    }

    /// Whether a value is one that is allowed.
    fn allows(&self, value: &str) -> bool {
        self.values.iter().any(|is_allowed| is_allowed(value))
    }

    /// Whether the value of a key that names a secret gives none away: there is none, or
    /// something stands in its place, or it is allowed.
    pub(crate) fn is_harmless(&self, value: &Node<'_>) -> bool {
        match &value.value {
            Value::Null | Value::Bool(_) => true,
            Value::Number(digits) => self.allows(digits),
            Value::String(text) => {
                let text = text.lossy();
                is_placeholder(&text) || self.allows(&text)
            }
            Value::Array(elements) => elements.is_empty(),
            Value::Object(members) => members.is_empty(),
        }
    }

    /// Whether what the rule reports at a place is allowed.
    pub(crate) fn allows_at(&self, rule: &Rule, path: &Path) -> bool {
        self.places.iter().any(|(place, of)| of.as_ref().is_none_or(|of| of == rule) && place.covers(path))
    }

    /// Whether a text must not be shown.
    pub(super) fn hides(&self, text: &str) -> bool {
        let is_in = |text: &str| self.candidates(text).any(|pattern| pattern.find(text).next().is_some());
        is_in(text) || (!self.patterns.is_empty() && text.contains('\\') && is_in(&in_plain(text)))
    }

    /// A message without what must not be shown: messages have words of the payload only if
    /// they are made of letters, digits and such, so those are looked at one by one.
    pub(super) fn hide_in(&self, message: String) -> String {
        if self.patterns.is_empty() {
            return message;
        }
        let is_shown = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | ':' | '/' | '-');
        let mut out = String::with_capacity(message.len());
        let mut rest = &*message;
        while !rest.is_empty() {
            let (word, tail) = rest.split_at(rest.find(|c: char| !is_shown(c)).unwrap_or(rest.len()));
            let (gap, tail) = tail.split_at(tail.find(is_shown).unwrap_or(tail.len()));
            let bare = word.trim_end_matches(['.', ':']);
            if self.hides(word) || bare.split('/').chain([bare]).any(|part| self.hides(part)) {
                out.push_str(&format!("<{} bytes>{}", bare.len(), &word[bare.len()..]));
            } else {
                out.push_str(word);
            }
            out.push_str(gap);
            rest = tail;
        }
        out
    }

    /// A path without keys that must not be shown.
    pub(super) fn hide_in_path<'p>(&self, path: &'p Path) -> Cow<'p, Path> {
        let hides = |step: &Step| matches!(step, Step::Key(key) if self.hides(key));
        if self.patterns.is_empty() || !path.steps().iter().any(hides) {
            return Cow::Borrowed(path);
        }
        let mut shown = Path::default();
        for step in path.steps() {
            match step {
                Step::Key(key) if self.hides(key) => shown.push_key(&format!("<{} bytes>", key.len())),
                Step::Key(key) => shown.push_key(key),
                Step::Index(index) => shown.push_index(*index),
            }
        }
        Cow::Owned(shown)
    }
}

impl Hints {
    fn of(patterns: &[SecretPattern]) -> Self {
        if patterns.iter().any(|pattern| pattern.keywords().next().is_none()) {
            return Self::Anything;
        }
        let keywords = || patterns.iter().flat_map(SecretPattern::keywords);
        let have_slash = keywords().any(|keyword| keyword.contains('/'));
        let of_pattern = |(place, pattern): (usize, &SecretPattern)| {
            pattern.keywords().map(|keyword| (keyword.as_bytes().into(), place)).collect::<Vec<_>>()
        };
        let mut sorted: Vec<(Box<[u8]>, usize)> = patterns.iter().enumerate().flat_map(of_pattern).collect();
        sorted.sort_unstable();
        let search = Regex::builder()
            .syntax(of_bytes().case_insensitive(true))
            .configure(Regex::config().nfa_size_limit(None).hybrid_cache_capacity(MOST_OF_SEARCH))
            .build(&any_of(keywords()));
        search.map_or(Self::Anything, |search| {
            Self::Keywords(Arc::new(Words { search, have_slash, keywords: sorted, patterns: patterns.len() }))
        })
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Secrets").field("patterns", &self.patterns).finish_non_exhaustive()
    }
}

/// What a secret looks like: built in, or a pattern of the user by its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Form<'s>(Option<&'s str>);

impl Form<'_> {
    pub(super) const TOKEN: Self = Self(None);
}

impl fmt::Display for Form<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            None => f.write_str("a provider token"),
            Some(id) => write!(f, "a secret ({id})"),
        }
    }
}

/// The patterns that a finding's excerpt is masked by. No part of what the finding says.
#[derive(Clone, Default)]
pub(crate) struct Masks(Option<Arc<Secrets>>);

impl Masks {
    pub(super) fn of(secrets: &Arc<Secrets>) -> Self {
        Self(secrets.has_patterns().then(|| Arc::clone(secrets)))
    }

    pub(super) fn hide(&self, text: &str) -> bool {
        self.0.as_ref().is_some_and(|secrets| secrets.hides(text))
    }
}

impl fmt::Debug for Masks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Masks")
    }
}

impl PartialEq for Masks {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Masks {}

#[cfg(test)]
mod tests {
    use super::*;

    fn acme() -> Secrets {
        let pattern = SecretPattern::new("acme-key", "^acme_[a-z0-9]{4,}$").unwrap();
        Secrets::new().pattern(pattern.keyword("acme_").unwrap())
    }

    #[test]
    fn what_may_have_a_secret() {
        let slashed = SecretPattern::new("hook", "https://hooks[.]acme/[a-z]+").unwrap();
        let slashed = acme().pattern(slashed.keyword("hooks.acme/").unwrap());
        let any = acme().pattern(SecretPattern::new("pin", "^[0-9]{6}$").unwrap());
        for (secrets, text, may) in [
            (Secrets::new(), r#"{"a":"acme_1"}"#, false),
            (acme(), r#"{"a":"ACME_1"}"#, true),
            (acme(), r#"{"a":"acne_1"}"#, false),
            (acme(), r#"{"a":"\u0061cme_1"}"#, true),
            (acme(), r#"{"a":"\ud83d\ude00 \/ \n"}"#, false),
            (slashed.clone(), r#"{"a":"hooks.acme\/"}"#, true),
            (slashed, r#"{"a":"hooks.acme"}"#, false),
            (any, "{}", true),
        ] {
            assert_eq!(secrets.may_be_in(text), may, "{text}");
        }
    }

    #[test]
    fn thousands_of_patterns_have_one_search() {
        let pattern = |n: usize| {
            let keyword = format!("{:-<60}{n:04}", "acme");
            SecretPattern::new(&keyword, &format!("{keyword}[0-9]{{6}}")).unwrap().keyword(&keyword).unwrap()
        };
        let mut secrets = Secrets::new();
        secrets.add_patterns((0..2_000).map(pattern));
        assert!(!secrets.may_be_in(&"acme--- 1999 ".repeat(20)));
        assert!(secrets.may_be_in(&format!("{:-<60}1999", "ACME")));
    }

    #[test]
    fn nothing_of_a_secret_is_shown() {
        let secrets = acme();
        for (message, shown) in [
            ("no tool call acme_4711 is open", "no tool call <9 bytes> is open"),
            ("acme_4711: open, (acme_4712)", "<9 bytes>: open, (<9 bytes>)"),
            ("acme_1 is open, <20 bytes>", "acme_1 is open, <20 bytes>"),
            ("ends with acme_4711.", "ends with <9 bytes>."),
            ("delta[0] (remove /a/acme_4711)", "delta[0] (remove <12 bytes>)"),
        ] {
            assert_eq!(secrets.hide_in(message.to_owned()), shown);
        }
        assert!(secrets.hides("acme_4711") && secrets.hides(r"acm\u0065_4711") && !secrets.hides(r"acm\u0066_4711"));
        let path = Path::of("acme_4711").join("value").element(1);
        assert_eq!(secrets.hide_in_path(&path).to_json_path(), "$['<9 bytes>'].value[1]");
        assert!(matches!(Secrets::new().hide_in_path(&path), Cow::Borrowed(_)));
    }

    #[test]
    fn values_of_keys_that_give_nothing_away() {
        let secrets = Secrets::new().allow_values(|value| value == "1234" || value == "known");
        for (value, harmless) in [
            ("null", true),
            ("false", true),
            ("[]", true),
            ("{}", true),
            (r#""""#, true),
            (r#""<redacted>""#, true),
            (r#""known""#, true),
            ("1234", true),
            ("12345", false),
            (r#""hunter2""#, false),
            (r#"["a"]"#, false),
        ] {
            assert_eq!(secrets.is_harmless(&Node::parse(value, 8).unwrap()), harmless, "{value}");
        }
    }
}
