//! Lists of messages, read as text: of each only what the order rules ask about.

use crate::wire::scan::{Cursor, Kind, MAX_DEPTH, SyntaxError};
use crate::wire::text::Text;

/// A message of a list, or one of its tool calls.
#[derive(Default)]
pub(super) struct Listed<'a> {
    pub(super) id: Option<Text<'a>>,
    /// Where the id begins in the text of the list.
    pub(super) id_at: usize,
    pub(super) role: Option<Text<'a>>,
    /// Its `subagentRunId`.
    pub(super) owner: Option<Text<'a>>,
    /// The text of its tool calls, empty if it has none.
    pub(super) calls: &'a str,
    /// The text of its content.
    pub(super) content: Option<&'a str>,
}

/// The elements of a list that is known to be JSON; none of anything else.
pub(super) fn listed(list: &str) -> impl Iterator<Item = Listed<'_>> {
    let mut cursor = Cursor::new(list, MAX_DEPTH);
    let is_list = cursor.open(b'[').is_ok();
    let mut first = true;
    std::iter::from_fn(move || {
        let more = is_list && cursor.element(&mut first).ok()?;
        more.then(|| Listed::read(&mut cursor).ok())?
    })
}

impl<'a> Listed<'a> {
    /// Of members of the same name the last counts, as `JSON.parse` has it.
    fn read(cursor: &mut Cursor<'a>) -> Result<Self, SyntaxError> {
        let mut listed = Self::default();
        if cursor.kind()? != Kind::Object {
            cursor.passed()?;
            return Ok(listed);
        }
        cursor.open(b'{')?;
        let mut first = true;
        while let Some(key) = cursor.member(&mut first)? {
            match &*key.lossy() {
                "id" => {
                    cursor.kind()?;
                    listed.id_at = cursor.offset();
                    listed.id = string(cursor)?;
                }
                "role" => listed.role = string(cursor)?,
                "subagentRunId" => listed.owner = string(cursor)?,
                "toolCalls" => listed.calls = cursor.passed()?,
                "content" => listed.content = Some(cursor.passed()?),
                _ => drop(cursor.passed()?),
            }
        }
        Ok(listed)
    }
}

/// Passes over a value; gives it if it is a string.
fn string<'a>(cursor: &mut Cursor<'a>) -> Result<Option<Text<'a>>, SyntaxError> {
    if cursor.kind()? == Kind::String { cursor.string().map(Some) } else { cursor.passed().map(|_| None) }
}

/// The texts of some members of an object that is known to be JSON, and where they begin in it.
pub(super) fn values<'a, const N: usize>(object: &'a str, names: [&str; N]) -> [Option<(&'a str, usize)>; N] {
    let mut found = [None; N];
    let mut cursor = Cursor::new(object, MAX_DEPTH);
    if cursor.open(b'{').is_err() {
        return found;
    }
    let mut first = true;
    while let Ok(Some(key)) = cursor.member(&mut first) {
        let Ok(value) = cursor.passed() else { break };
        if let Some((_, found)) = names.iter().zip(&mut found).find(|(name, _)| **name == key.lossy()) {
            *found = Some((value, cursor.offset() - value.len()));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_each_message_what_is_asked_about() {
        let list = r#" [ 7, {"id":"a","role":"user","content":{"id":"b"}}, {"\u0069d":1,"id":"c","role":null,"id": "d\n",
            "subagentRunId":"s","toolCalls":[{"id":"t","function":{"id":"f"}},{}]} ]"#;
        let plain = |text: Option<Text<'_>>| text.map(|text| text.lossy().into_owned());
        let seen: Vec<_> = listed(list)
            .map(|message| {
                let calls: Vec<_> = listed(message.calls).map(|call| plain(call.id)).collect();
                (plain(message.id), plain(message.role), plain(message.owner), calls)
            })
            .collect();
        let text = |text: &str| Some(text.to_owned());
        let expected = [
            (None, None, None, Vec::new()),
            (text("a"), text("user"), None, Vec::new()),
            (text("d\n"), None, text("s"), vec![text("t"), None]),
        ];
        assert_eq!(seen, expected);
        let last = listed(list).last().unwrap();
        assert!(list[last.id_at..].starts_with(r#""d\n""#));
        assert_eq!(listed("{}").count() + listed("").count() + listed("null").count(), 0);
    }

    #[test]
    fn values_and_their_places() {
        let object = r#"{"a":1,"b": [2] ,"\u0061": 3}"#;
        assert_eq!(values(object, ["a", "b", "c"]), [Some(("3", 27)), Some(("[2]", 12)), None]);
        assert_eq!(values("[]", ["a"]), [None]);
    }
}
