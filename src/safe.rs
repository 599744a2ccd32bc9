//! What may be printed: nothing that could be a secret.

use std::borrow::Cow;

pub(crate) mod tokens;

/// The longest tag, enum value or id that is shown.
const SHOWN: usize = 64;

/// Whether a tag, enum value or id may be shown as it is.
fn is_showable(text: &str) -> bool {
    text.len() <= SHOWN
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b':' | b'/' | b'-'))
        && !tokens::contains_token(text)
}

/// A tag, enum value or id for a message: itself if harmless, else its size.
pub(crate) fn show(text: &str) -> Cow<'_, str> {
    if is_showable(text) && !text.is_empty() {
        Cow::Borrowed(text)
    } else if text.is_empty() {
        Cow::Borrowed("\"\"")
    } else {
        Cow::Owned(format!("<{} bytes>", text.len()))
    }
}

/// A key for a path: itself unless it looks like a secret value.
pub(crate) fn key(text: &str) -> Cow<'_, str> {
    if tokens::contains_token(text) { Cow::Owned(format!("<{} bytes>", text.len())) } else { Cow::Borrowed(text) }
}
