//! JavaScript's idea of white space, which is not Rust's.

/// What `String.prototype.trim` removes: U+FEFF is white space, U+0085 is not.
fn is_space(c: char) -> bool {
    (c.is_whitespace() && c != '\u{85}') || c == '\u{FEFF}'
}

/// `text.trim()`.
pub(crate) fn trim(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// Whether `text.trim()` is empty.
pub(crate) fn is_blank(text: &str) -> bool {
    text.chars().all(is_space)
}
