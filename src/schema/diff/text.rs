//! Pieces of schemas as messages show them.

use serde_json::Value;

use crate::safe::tokens::may_show_token;

/// The longest text that is shown, in characters.
const LONGEST: usize = 120;

/// The text, without what is too long. One that has a token is hidden, before it is cut: a token that is cut is no longer
/// recognised.
pub(super) fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        _ if may_show_token(text) => format!("<{} bytes>", text.len()),
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A value as JSON.
pub(super) fn json(value: &Value) -> String {
    cut(&value.to_string())
}

/// Values as JSON, joined by commas.
pub(super) fn list<'v>(values: impl IntoIterator<Item = &'v Value>) -> String {
    cut(&values.into_iter().map(json).collect::<Vec<_>>().join(", "))
}

/// What has become of a piece that both versions may have.
pub(super) fn turned<T>(piece: &str, old: Option<&T>, new: Option<&T>) -> String {
    match (old, new) {
        (None, Some(_)) => format!("{piece} is new"),
        (Some(_), None) => format!("{piece} is gone"),
        _ => format!("{piece} is another"),
    }
}
