//! What must not travel in a payload: secrets, told by the name of their key or the shape
//! of their value, and values that are too large.

use std::ops::{ControlFlow, Range};

use super::input::Field;
use super::reporter::Reporter;
use super::rule::Rule;
use super::secrets::{Form, Secrets, is_placeholder};
use super::size::{always_fits, json_units, surely_fits};
use super::tree::{Member, Node, found_if};
use crate::safe::show;
use crate::simd::{Kind as _, Sixteen, Vector};
use crate::wire::path::{Path, Trail};
use crate::wire::scan::{Cursor, Kind, MAX_DEPTH, SyntaxError};

/// The rules of a protocol about what must not travel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LeakRules<'r> {
    pub(crate) secret_key: &'r Rule,
    pub(crate) secret_value: &'r Rule,
    pub(crate) large_value: &'r Rule,
}

impl LeakRules<'_> {
    /// Looks into the values at the given places, for keys and size, and into the whole
    /// event for tokens.
    pub(crate) fn report(self, whole: &Node<'_>, inspected: &[(Path, &Node<'_>)], report: &mut Reporter<'_>) {
        for (path, node) in inspected {
            secret_keys(node, path, self.secret_key, report);
        }
        for (path, node) in inspected {
            large_value(node, path, report.limits().inline_units, self.large_value, report);
        }
        secret_values(whole, self.secret_value, report);
    }

    /// Looks into JSON that arrived as text: all of it stands at one place.
    pub(crate) fn report_text(self, text: &Node<'_>, path: &Path, span: &Range<usize>, report: &mut Reporter<'_>) {
        let (secrets, bound) = (report.secrets, report.limits().inline_units);
        let _ = walk_exposed_keys(text, &Trail::root(), secrets, &mut |_, member| {
            report.add(self.secret_key, path, span.clone(), secret_key_in_text(&member.key));
            found_if(!report.lists(self.secret_key))
        });
        let units = json_units(text);
        if units > bound {
            report.add(self.large_value, path, span.clone(), too_large(units, bound));
        }
    }
}

/// Whether there is surely nothing to report of JSON text, by its keys and its size.
///
/// # Errors
/// When the text is not JSON.
pub(crate) fn is_clean_json(text: &str, depth: u16, bound: usize) -> Result<bool, SyntaxError> {
    let mut cursor = Cursor::new(text, depth);
    let is_clean = has_clean_keys(&mut cursor)?;
    cursor.end()?;
    Ok(is_clean && surely_fits(text, bound))
}

/// Passes over a value, and says whether its keys are harmless.
fn has_clean_keys(cursor: &mut Cursor<'_>) -> Result<bool, SyntaxError> {
    let (mut first, mut is_clean) = (true, true);
    match cursor.kind()? {
        Kind::Object => {
            cursor.open(b'{')?;
            while let Some(key) = cursor.member(&mut first)? {
                let is_harmless =
                    !is_secret_key(key.raw) || is_token_counter(key.raw, cursor.kind()?) || is_surely_harmless(*cursor);
                is_clean &= !key.escaped && is_harmless;
                is_clean &= has_clean_keys(cursor)?;
            }
        }
        Kind::Array => {
            cursor.open(b'[')?;
            while cursor.element(&mut first)? {
                is_clean &= has_clean_keys(cursor)?;
            }
        }
        _ => cursor.skip()?,
    }
    Ok(is_clean)
}

pub(crate) fn too_large(units: usize, bound: usize) -> String {
    format!("{units} UTF-16 units of JSON text, more than {bound}")
}

/// Reports a value whose compact JSON text is longer than `bound` UTF-16 units.
pub(crate) fn large_value(node: &Node<'_>, path: &Path, bound: usize, rule: &Rule, report: &mut Reporter<'_>) {
    if node.span().len() <= always_fits(bound) {
        return;
    }
    let units = json_units(node);
    if units > bound {
        report.add(rule, path, node.span(), too_large(units, bound));
    }
}

/// Reports the keys below `path` that name a secret: in `strict` those that give one away,
/// otherwise all.
pub(crate) fn secret_keys(node: &Node<'_>, path: &Path, rule: &Rule, report: &mut Reporter<'_>) {
    let (strict, secrets) = (report.strict(), report.secrets);
    let _ = each_secret_key(node, &Trail::from(path), &mut |trail, member| {
        if strict && is_exempt(member, secrets) {
            return ControlFlow::Continue(true);
        }
        report.add(rule, &trail.path(), member.key_span(), SECRET_KEY);
        // Where no more are listed, the rest of a large event need not be looked at.
        if report.lists(rule) { ControlFlow::Continue(false) } else { ControlFlow::Break(()) }
    });
}

/// The message about a key that names a secret.
pub(crate) const SECRET_KEY: &str = "the key names a secret";

/// The message about such a key in JSON that came as text.
pub(crate) fn secret_key_in_text(key: &str) -> String {
    format!("the key {} in the JSON text names a secret", show(key))
}

/// The message about a value that is a secret.
pub(crate) fn secret_value(form: Form<'_>) -> String {
    format!("the text has the shape of {form}")
}

/// Reports each string and key that looks like a secret.
pub(crate) fn secret_values(node: &Node<'_>, rule: &Rule, report: &mut Reporter<'_>) {
    secret_values_below(node, &Trail::root(), rule, report);
}

fn secret_values_below(node: &Node<'_>, trail: &Trail<'_>, rule: &Rule, report: &mut Reporter<'_>) {
    let secrets = report.secrets;
    if !has_secret_value(node, secrets) {
        return;
    }
    let _ = walk_values(node, trail, secrets, &mut |trail, span, form| {
        report.add(rule, &trail.path(), span, secret_value(form));
        found_if(!report.lists(rule))
    });
}

/// The same in an object, but for its member at `list`. The text may be long, so that it is read member by member.
///
/// # Errors
/// Where the text is no JSON. What stands before is reported.
pub(crate) fn secrets_around(
    text: &str,
    list: &Range<usize>,
    rule: &Rule,
    report: &mut Reporter<'_>,
) -> Result<(), SyntaxError> {
    let mut cursor = Cursor::new(text, MAX_DEPTH);
    let mut first = true;
    cursor.open(b'{')?;
    while let Some(key) = cursor.member(&mut first)? {
        let (at, name) = (cursor.place_of(key), key.lossy());
        let (root, path) = (Trail::root(), &*name);
        let trail = root.key(path);
        if let Some(form) = report.secrets.find(&name) {
            report.add(rule, &trail.path(), at - 1..at + key.raw.len() + 1, secret_value(form));
        }
        cursor.kind()?;
        if cursor.offset() == list.start {
            cursor.go_to(list.end);
        } else {
            secret_values_below(&Node::unread_next(&mut cursor)?, &trail, rule, report);
        }
    }
    Ok(())
}

/// Reports a text that is no event, and looks like a secret.
pub(crate) fn secret_text(text: &str, rule: Option<&Rule>, report: &mut Reporter<'_>) {
    let form = if report.strict() { report.secrets.find(text) } else { None };
    if let (Some(form), Some(rule)) = (form, rule) {
        report.add(rule, &Path::default(), 0..1, secret_value(form));
    }
}

/// The same of another line of a frame.
pub(crate) fn secret_field(field: Field<'_>, rule: Option<&Rule>, report: &mut Reporter<'_>) {
    let form = if report.strict() { report.secrets.find(&String::from_utf8_lossy(field.value)) } else { None };
    if let (Some(form), Some(rule)) = (form, rule) {
        report.add_at_field(rule, rule.severity(), field, secret_value(form));
    }
}

/// Whether a key names a secret: `/(api[-_]?key|authorization|password|secret|token)/i`,
/// letters folded in ASCII only, as a JavaScript regex without the `u` flag does.
#[inline]
pub(crate) fn is_secret_key(key: &str) -> bool {
    names_secret(key.as_bytes())
}

/// The same of the bytes of a key.
#[inline]
pub(crate) fn names_secret(bytes: &[u8]) -> bool {
    let may_have_word = match bytes.last_chunk() {
        None => may_name_secret(Sixteen::of_short(bytes)),
        Some(last) => bytes.as_chunks().0.iter().chain([last]).any(|part| may_name_secret(Sixteen::of(part))),
    };
    may_have_word && has_word(bytes)
}

/// Each word has a `k`, `w` or `z`, or an `r` behind a `c`, and most keys have none of these.
#[inline(always)]
fn may_name_secret(bytes: Sixteen) -> bool {
    let is = |letter: u8| bytes.with(0x20).is(letter);
    let behind = is(b'r').bits() >> 1 | 1 << 15;
    is(b'k').or(is(b'w')).or(is(b'z')).bits() | is(b'c').bits() & behind != 0
}

fn has_word(bytes: &[u8]) -> bool {
    bytes.windows(2).enumerate().any(|(at, pair)| {
        let &[first, second] = pair else { return false };
        let words: &[&[u8]] = match [first | 0x20, second | 0x20] {
            [b't', b'o'] => &[b"token"],
            [b's', b'e'] => &[b"secret"],
            [b'p', b'a'] => &[b"password"],
            [b'a', b'p'] => &[b"apikey", b"api-key", b"api_key"],
            [b'a', b'u'] => &[b"authorization"],
            _ => return false,
        };
        words.iter().any(|word| bytes.get(at..at + word.len()).is_some_and(|here| here.eq_ignore_ascii_case(word)))
    })
}

/// Whether a key with this value counts tokens of a language model and hides none.
pub(crate) fn is_token_counter(key: &str, value: Kind) -> bool {
    // Providers of models count kinds of tokens apart, such as in `prompt_tokens_details`.
    const SNAKE: [&str; 5] = ["tokens", "token_count", "token_usage", "token_details", "tokens_details"];
    const CAMEL: [&str; 4] = ["TokenCount", "TokenUsage", "TokenDetails", "TokensDetails"];
    let ends = |end: &str| {
        let last = key.len().checked_sub(end.len()).and_then(|at| key.as_bytes().get(at..));
        last.is_some_and(|last| last.eq_ignore_ascii_case(end.as_bytes()))
    };
    let is_camel = |end: &&str| key.ends_with(*end) || (key.len() == end.len() && key.starts_with('t') && ends(end));
    matches!(value, Kind::Number | Kind::Null | Kind::Object)
        && (SNAKE.iter().any(|end| ends(end)) || CAMEL.iter().any(is_camel))
}

/// Whether the value that comes next, of a key that names a secret, surely gives none away.
#[cold]
pub(crate) fn is_surely_harmless(mut cursor: Cursor<'_>) -> bool {
    match cursor.kind() {
        Ok(Kind::Null | Kind::Bool) => true,
        Ok(Kind::String) => cursor.string().is_ok_and(|text| !text.escaped && is_placeholder(text.raw)),
        Ok(Kind::Array) => cursor.open(b'[').is_ok() && cursor.element(&mut true) == Ok(false),
        Ok(Kind::Object) => cursor.open(b'{').is_ok() && matches!(cursor.member(&mut true), Ok(None)),
        Ok(Kind::Number) | Err(_) => false,
    }
}

/// Whether a key that names a secret gives none away: it counts tokens, or its value is none.
pub(crate) fn is_exempt(member: &Member<'_>, secrets: &Secrets) -> bool {
    is_token_counter(&member.key, member.node.kind()) || secrets.is_harmless(&member.node)
}

/// The members of `node` in the order of JavaScript's own keys: array indexes
/// ascending, then the rest as they came.
fn in_js_order<'t, 'a>(node: &'t Node<'a>) -> impl Iterator<Item = &'t Member<'a>> {
    let index = |key: &str| key.parse::<u32>().ok().filter(|index| *index != u32::MAX && index.to_string() == key);
    let members = || node.members().iter();
    let mut indexed: Vec<_> = members().filter_map(|member| Some((index(&member.key)?, member))).collect();
    indexed.sort_by_key(|(index, _)| *index);
    let rest = members().filter(move |member| index(&member.key).is_none());
    indexed.into_iter().map(|(_, member)| member).chain(rest)
}

/// Calls `found` for each key that names a secret below `node`, parents first. `found` says whether to look at
/// what the key holds.
fn walk_keys<'a>(
    node: &Node<'a>,
    trail: &Trail<'_>,
    found: &mut impl FnMut(&Trail<'_>, &Member<'a>) -> ControlFlow<(), bool>,
) -> ControlFlow<()> {
    node.each_element(&mut |index, element| walk_keys(element, &trail.index(index), found))?;
    for member in in_js_order(&node.in_passing()) {
        let trail = trail.key(&member.key);
        if !is_secret_key(&member.key) || found(&trail, member)? {
            walk_keys(&member.node, &trail, found)?;
        }
    }
    ControlFlow::Continue(())
}

/// Whether a key below `node` names a secret, wherever it stands.
fn has_secret_key(node: &Node<'_>) -> bool {
    node.any_text(&mut |text, is_key| is_key && is_secret_key(text))
}

/// Calls `found` as [`walk_keys`] does, if there is such a key at all.
fn each_secret_key<'a>(
    node: &Node<'a>,
    trail: &Trail<'_>,
    found: &mut impl FnMut(&Trail<'_>, &Member<'a>) -> ControlFlow<(), bool>,
) -> ControlFlow<()> {
    if has_secret_key(node) { walk_keys(node, trail, found) } else { ControlFlow::Continue(()) }
}

/// Calls `found` for each key below `node` that names a secret and is no counter of tokens, until it breaks off.
fn walk_secret_keys<'a>(
    node: &Node<'a>,
    trail: &Trail<'_>,
    found: &mut impl FnMut(&Trail<'_>, &Member<'a>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    each_secret_key(node, trail, &mut |trail, member| {
        if is_token_counter(&member.key, member.node.kind()) {
            return ControlFlow::Continue(true);
        }
        found(trail, member).map_continue(|()| false)
    })
}

/// Whether a key below `node` names a secret and is no counter of tokens.
pub(crate) fn names_a_secret(node: &Node<'_>) -> bool {
    walk_secret_keys(node, &Trail::root(), &mut |_, _| ControlFlow::Break(())).is_break()
}

/// Calls `found` for each key below `node` that names a secret and gives it away, until it breaks off.
pub(crate) fn walk_exposed_keys<'a>(
    node: &Node<'a>,
    trail: &Trail<'_>,
    secrets: &Secrets,
    found: &mut impl FnMut(&Trail<'_>, &Member<'a>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    walk_secret_keys(node, trail, &mut |trail, member| {
        if secrets.is_harmless(&member.node) { ControlFlow::Continue(()) } else { found(trail, member) }
    })
}

/// Whether a string or a key below `node` looks like a secret, wherever it stands.
fn has_secret_value(node: &Node<'_>, secrets: &Secrets) -> bool {
    node.any_text(&mut |text, _| secrets.find(text).is_some())
}

/// Calls `found` for each string and each key below `node` that looks like a secret, with
/// the place of its text, until it breaks off.
pub(crate) fn walk_values<'s>(
    node: &Node<'_>,
    trail: &Trail<'_>,
    secrets: &'s Secrets,
    found: &mut impl FnMut(&Trail<'_>, Range<usize>, Form<'s>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    if let Some(form) = node.as_str().and_then(|text| secrets.find(&text)) {
        found(trail, node.span(), form)?;
    }
    node.each_element(&mut |index, element| walk_values(element, &trail.index(index), secrets, found))?;
    for member in node.in_passing().members() {
        let trail = trail.key(&member.key);
        if let Some(form) = secrets.find(&member.key) {
            found(&trail, member.key_span(), form)?;
        }
        member.values().try_for_each(|value| walk_values(value, &trail, secrets, found))?;
    }
    ControlFlow::Continue(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys() {
        for key in [
            "token",
            "Max_Tokens",
            "tokenizer",
            "secretary",
            "xApiKeyHash",
            "api-key",
            "API_KEY",
            "passwords",
            "Authorization",
        ] {
            assert!(is_secret_key(key), "{key}");
        }
        for key in [
            "auth",
            "credential",
            "bearer",
            "cookie",
            "passwd",
            "api key",
            "api__key",
            "to\u{212A}en",
            "\u{17F}ecret",
            "t",
            "",
        ] {
            assert!(!is_secret_key(key), "{key}");
        }
    }

    #[test]
    fn words_are_found_wherever_they_stand_in_a_key() {
        for word in ["token", "Secret", "PASSWORD", "apiKey", "api_key", "authorization"] {
            for (before, behind) in (0..40).flat_map(|before| [0, 1, 20].map(|behind| (before, behind))) {
                for around in ["k", "x", "c"] {
                    let key = [&around.repeat(before), word, &around.repeat(behind)].concat();
                    assert!(names_secret(key.as_bytes()), "{key}");
                    let other = key.replace(['e', 'E', 'o', 'O'], "0");
                    assert!(!names_secret(other.as_bytes()), "{other}");
                }
            }
        }
    }

    #[test]
    fn javascript_key_order() {
        let node = Node::parse(r#"{"zToken":1,"10":{"token":1},"2":{"token":1},"01":{"token":1}}"#, 8).unwrap();
        let mut paths = Vec::new();
        let walked = walk_keys(&node, &Trail::root(), &mut |trail, _| {
            paths.push(trail.path().to_plain_path());
            ControlFlow::Continue(false)
        });
        assert!(walked.is_continue());
        assert_eq!(paths, ["$.2.token", "$.10.token", "$.zToken", "$.01.token"]);
    }

    #[test]
    fn counters_are_no_secrets() {
        assert!(is_token_counter("max_tokens", Kind::Number));
        assert!(is_token_counter("promptTokenCount", Kind::Null));
        assert!(is_token_counter("Token_Count", Kind::Object) && is_token_counter("token_usage", Kind::Number));
        for key in
            ["completion_tokens_details", "input_token_details", "promptTokensDetails", "tokenUsage", "tokenCount"]
        {
            assert!(is_token_counter(key, Kind::Object), "{key}");
        }
        for kind in [Kind::String, Kind::Bool, Kind::Array] {
            assert!(!is_token_counter("tokens", kind), "{kind:?}");
        }
        for key in ["accessToken", "prompttokencount", "tokens_left", "token"] {
            assert!(!is_token_counter(key, Kind::Number), "{key}");
        }
    }
}
