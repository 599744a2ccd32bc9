//! Finding the tag of an object without reading all of it.

use std::borrow::Cow;

use super::bytes::{plain_until, stands_at};
use super::decode::{Outcome, wrong_type};
use super::error::{ErrorKind, Fault};
use super::scan::{Cursor, Kind, MAX_DEPTH, SyntaxError};
use super::text::Text;

/// Longer tags are searched for.
const LONGEST: usize = 64;

/// The tag of an object that begins with `{"member":"tag"`, written without space.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn leading<'a>(object: &'a str, member: &str) -> Option<&'a str> {
    let bytes = object.as_bytes();
    let (name, start) = (2 + member.len(), 5 + member.len());
    let begins = bytes.starts_with(b"{\"")
        && stands_at(bytes, 2, member.as_bytes())
        && bytes.get(name..start).is_some_and(|between| between == b"\":\"");
    if !begins {
        return None;
    }
    let end = plain_until(bytes, start);
    (bytes.get(end) == Some(&b'"')).then(|| &object[start..end])
}

/// The same with space wherever JSON may have it.
pub(crate) fn first<'a>(cursor: &Cursor<'a>, member: &str) -> Option<&'a str> {
    let mut ahead = *cursor;
    ahead.open(b'{').ok()?;
    let key = ahead.member(&mut true).ok()??;
    if key.escaped || key.raw != member || ahead.kind() != Ok(Kind::String) {
        return None;
    }
    ahead.string().ok().filter(|tag| !tag.escaped).map(|tag| tag.raw)
}

/// The tag of a text that ends with `,"member":"tag"}`, written without space.
///
/// If the text is JSON, this is the last member of the outermost object: the quote after
/// the comma is not escaped, so it opens a string, which the colon makes a key.
#[expect(clippy::indexing_slicing, reason = "the text is at least as long as `from`, and the quote was found in it")]
#[inline]
pub(crate) fn trailing<'a>(text: &'a str, member: &str) -> Option<&'a str> {
    let rest = text.strip_suffix("\"}")?;
    let from = rest.len().saturating_sub(LONGEST);
    let quote = rest.as_bytes()[from..].iter().rposition(|byte| matches!(byte, b'"' | b'\\'))? + from;
    let before = rest[..quote].strip_suffix("\":")?.strip_suffix(member)?;
    (rest.as_bytes()[quote] == b'"' && before.ends_with(",\"")).then(|| &rest[quote + 1..])
}

/// A tag and where it stands.
#[derive(Clone, Copy)]
pub(crate) struct Tag<'a> {
    pub(crate) offset: usize,
    pub(crate) text: Text<'a>,
}

/// The value of the first, or the last, member named `tag` of the object that comes next.
/// The others of that name may be of any kind.
pub(crate) fn search<'a>(cursor: &Cursor<'a>, tag: &str, last: bool) -> Outcome<Option<Tag<'a>>> {
    search_by(cursor, tag, last, Cursor::skip)
}

/// The tag of an object: the first member, or else the last of this name.
pub(crate) fn of<'a>(object: &'a str, member: &str) -> Option<Cow<'a, str>> {
    leading(object, member).map(Cow::Borrowed).or_else(|| string_of(object, member).map(Cow::Owned))
}

/// The string that the last member of this name has, in text that typed decoding may refuse.
pub(crate) fn string_of(text: &str, member: &str) -> Option<String> {
    let found = search(&Cursor::new(text, MAX_DEPTH), member, true).ok()??;
    found.name().ok().map(Cow::into_owned)
}

/// The last member named `tag`, if there is one, of an object that will be read again: if it is
/// no JSON, that shows then.
pub(crate) fn skim<'a>(cursor: &Cursor<'a>, tag: &str) -> Option<Tag<'a>> {
    search_by(cursor, tag, true, |cursor| cursor.skimmed().map(drop)).ok().flatten()
}

#[inline]
fn search_by<'a>(
    cursor: &Cursor<'a>,
    tag: &str,
    last: bool,
    skip: impl Fn(&mut Cursor<'a>) -> Result<(), SyntaxError>,
) -> Outcome<Option<Tag<'a>>> {
    let mut ahead = *cursor;
    if ahead.kind()? != Kind::Object {
        return wrong_type(&mut ahead, "an object");
    }
    ahead.open(b'{')?;
    let mut first = true;
    let mut found = None;
    while let Some(key) = ahead.member(&mut first)? {
        if key.lossy() != tag {
            skip(&mut ahead)?;
            continue;
        }
        ahead.kind()?;
        found = Some(ahead);
        if !last {
            break;
        }
        skip(&mut ahead)?;
    }
    let Some(mut value) = found else { return Ok(None) };
    if value.kind()? != Kind::String {
        return wrong_type(&mut value, "a string");
    }
    Ok(Some(Tag { offset: value.offset(), text: value.string()? }))
}

impl<'a> Tag<'a> {
    /// The characters of the tag.
    pub(crate) fn name(&self) -> Outcome<Cow<'a, str>> {
        self.text.exact().ok_or(Fault::new(ErrorKind::LoneSurrogate, self.offset))
    }
}

/// What is known of the tag while the members are read.
#[derive(Clone, Copy)]
pub(crate) enum TagValue<'a> {
    /// The first member, without escapes, up to byte `end`: another value later means that this
    /// was not the last.
    First { name: &'a str, end: usize },
    /// Found at its last place: earlier ones do not count.
    Last,
}

/// Enters the object that comes next, and passes over a tag that was read as its first member;
/// whether the next member is the first.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn enter(cursor: &mut Cursor<'_>, tag: Option<(&str, TagValue<'_>)>) -> Outcome<bool> {
    cursor.open(b'{')?;
    let Some((_, TagValue::First { end, .. })) = tag else { return Ok(true) };
    cursor.go_to(end);
    Ok(false)
}

/// Passes over a tag member; fails if it is not the one that decoding relies on.
pub(crate) fn pass_tag(cursor: &mut Cursor<'_>, expected: TagValue<'_>) -> Outcome<()> {
    let kind = cursor.kind()?;
    let offset = cursor.offset();
    match expected {
        TagValue::Last => cursor.skip()?,
        TagValue::First { name, .. } => {
            let same = kind == Kind::String && cursor.string()?.exact().is_some_and(|other| other == name);
            if !same {
                return Err(Fault::new(TAG_CONFLICT, offset));
            }
        }
    }
    Ok(())
}

/// A second tag member with another value: the last one counts.
pub(super) const TAG_CONFLICT: ErrorKind = ErrorKind::Value("one tag only");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_at_both_ends() {
        for (text, tag) in [
            (r#"{"type":"A","x":1}"#, Some("A")),
            (r#"{ "type":"A"}"#, None),
            (r#"{"type":"A\"b"}"#, None),
            (r#"{"typed":"A"}"#, None),
        ] {
            assert_eq!(leading(text, "type"), tag, "{text}");
        }
        for (text, tag) in [
            (r#" { "type" : "A" , "x" : 1 }"#, Some("A")),
            ("{\n  \"type\": \"A\"\n}", Some("A")),
            (r#"{"type":"A"}"#, Some("A")),
            (r#"{"type": "A\"b"}"#, None),
            (r#"{"t\u0079pe": "A"}"#, None),
            (r#"{"x":1, "type": "A"}"#, None),
            (r#"{"type": 1}"#, None),
            (r#"["type", "A"]"#, None),
            ("{}", None),
            (r#"{"type": "A"#, None),
        ] {
            assert_eq!(first(&Cursor::new(text, 8), "type"), tag, "{text}");
        }
        for (text, tag) in [
            (r#"{"x":1,"type":"A"}"#, Some("A")),
            (r#"{"x":{"y":1,"type":"A"}}"#, None),
            (r#"{"x":"\",\"type\":\"A"}"#, None),
            (r#"{"x":1,"type":"A\""}"#, None),
            (r#"{"x":1,"mytype":"A"}"#, None),
        ] {
            assert_eq!(trailing(text, "type"), tag, "{text}");
        }
    }

    #[test]
    fn only_the_tag_that_counts_is_judged() {
        let found = |text: &'static str, last: bool| {
            search(&Cursor::new(text, 8), "type", last)
                .map(|tag| tag.map(|tag| (tag.text.raw, tag.offset)))
                .map_err(|fault| (fault.kind, fault.offset))
        };
        let no_string = ErrorKind::Type("a string");
        let (late, early) = (r#"{"type":5,"type":"A"}"#, r#"{"type":"A","type":5}"#);
        assert_eq!(found(late, true), Ok(Some(("A", 17))));
        assert_eq!(found(late, false), Err((no_string, 8)));
        assert_eq!(found(early, true), Err((no_string, 19)));
        assert_eq!(found(early, false), Ok(Some(("A", 8))));
        assert_eq!(found(r#"{"type":{"type":1},"x":[],"\u0074ype":"B"}"#, true), Ok(Some(("B", 38))));
        assert_eq!(found(r#"{"types":"A"}"#, true), Ok(None));
    }
}
