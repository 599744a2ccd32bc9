//! What may be printed: nothing that could be a secret.

use std::borrow::Cow;

mod obeyed;
pub(crate) mod tokens;

pub(crate) use obeyed::is_obeyed;

/// The longest tag, enum value or id that is shown.
const SHOWN: usize = 64;

/// Whether a tag, enum value or id may be shown as it is.
fn is_showable(text: &str) -> bool {
    text.len() <= SHOWN
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b':' | b'/' | b'-'))
        && !tokens::may_show_token(text)
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

/// A number for a message: itself if it is short, else its size.
pub(crate) fn show_number(digits: &str) -> Cow<'_, str> {
    if digits.len() <= DIGITS { Cow::Borrowed(digits) } else { Cow::Owned(format!("<{} digits>", digits.len())) }
}

/// The same, of a count.
pub(crate) fn show_count(count: u64) -> String {
    show_number(&count.to_string()).into_owned()
}

/// The longest number that is shown: one of ten digits may be that of a person.
const DIGITS: usize = 9;

/// The longest key that is shown, in bytes.
const LONGEST_KEY: usize = 128;

/// Whether a key may be shown as it is.
pub(crate) fn is_harmless_key(text: &str) -> bool {
    text.len() <= LONGEST_KEY && !tokens::may_show_token(text)
}

/// A key for a path: itself unless it is very long, or looks like a secret value.
pub(crate) fn key(text: &str) -> Cow<'_, str> {
    if is_harmless_key(text) { Cow::Borrowed(text) } else { Cow::Owned(format!("<{} bytes>", text.len())) }
}

/// Text from outside, such as a path or what is said of one, without words that look like
/// secrets. Where only the whole looks like one, only its size is left.
#[cfg(feature = "cli")]
pub(crate) fn without_tokens(text: &str) -> Cow<'_, str> {
    // Of a path, the system makes one slash of two.
    let is_url = || text.contains(":/") && tokens::may_show_token(&text.replace(":/", "://"));
    if !tokens::may_show_token(text) && !is_url() {
        return Cow::Borrowed(text);
    }
    let is_between = |c: char| c.is_whitespace() || matches!(c, '/' | '\\' | ':' | ',' | ';');
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let (word, after) = rest.split_at(rest.find(is_between).unwrap_or(rest.len()));
        let is_shown = !tokens::may_show_token(word);
        let end = if is_shown { word.len() } else { word.len() + rest_of_token(after) };
        let (word, after) = rest.split_at(end);
        out += &if is_shown { Cow::Borrowed(word) } else { Cow::Owned(format!("<{} bytes>", word.len())) };
        let (gap, next) = after.split_at(after.find(|c| !is_between(c)).unwrap_or(after.len()));
        out += gap;
        rest = next;
    }
    if tokens::may_show_token(&out) || is_url() {
        Cow::Owned(format!("<{} bytes>", text.len()))
    } else {
        Cow::Owned(out)
    }
}

/// How much of what stands behind a token may go on with it: tokens may have slashes, and the name of a
/// file at the end of a path has a point.
#[cfg(feature = "cli")]
fn rest_of_token(after: &str) -> usize {
    let is_outside = |c: char| !(c.is_ascii_alphanumeric() || "/+=-_".contains(c));
    let (word, behind) = after.split_at(after.find(is_outside).unwrap_or(after.len()));
    let word = if behind.starts_with('.') { word.rsplit_once('/').map_or("", |(folder, _)| folder) } else { word };
    word.trim_end_matches('/').len()
}

/// An id as messages show it, of fixed size. Whether its text may be shown is decided when it is.
#[derive(Clone, Copy)]
pub(crate) struct Label {
    /// The id, and the name behind it.
    bytes: [u8; LABEL],
    id: Part,
    name: Part,
}

#[derive(Clone, Copy, Default)]
struct Part {
    length: u8,
    /// The text was too long to be kept: this is what is shown of it.
    is_shown: bool,
}

/// The longest label, in bytes.
const LABEL: usize = 79;

impl Label {
    /// The id, and the name behind it where there is one: `call_1 (search)`.
    pub(crate) fn of(id: &str, name: Option<&str>) -> Self {
        let mut label = Self { bytes: [0; LABEL], id: Part::default(), name: Part::default() };
        label.id = label.push(id, 0);
        name.map_or(label, |name| label.named(name))
    }

    /// The same id with this name behind it; an empty one is none.
    pub(crate) fn named(mut self, name: &str) -> Self {
        self.name = self.push(name, "() ".len());
        self
    }

    fn push(&mut self, text: &str, around: usize) -> Part {
        let is_shown = text.len() > SHOWN;
        let text = if is_shown { show(text) } else { Cow::Borrowed(text) };
        let from = usize::from(self.id.length);
        match self.bytes.get_mut(from..from + text.len()) {
            Some(place) if from + text.len() + around <= LABEL => {
                place.copy_from_slice(text.as_bytes());
                Part { length: text.len() as u8, is_shown }
            }
            _ => Part::default(),
        }
    }

    /// The text of the id as it came, not to be shown; of a long one, its size.
    pub(crate) fn id(&self) -> &str {
        self.text(0, self.id)
    }

    fn text(&self, from: usize, part: Part) -> &str {
        let text = self.bytes.get(from..from + usize::from(part.length)).unwrap_or_default();
        std::str::from_utf8(text).unwrap_or_default()
    }
}

impl std::fmt::Debug for Label {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

impl std::fmt::Display for Label {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let shown = |text, part: Part| if part.is_shown { Cow::Borrowed(text) } else { show(text) };
        f.write_str(&shown(self.id(), self.id))?;
        if self.name.length > 0 {
            write!(f, " ({})", shown(self.text(usize::from(self.id.length), self.name), self.name))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Text of the shape of a provider token, in two parts so that nobody takes it for a real one.
    const TOKEN: &str = concat!("ghp", "_F4k3V9mQ2xT7bLz0RwE5sYh8NcJ1uKpDaG6i");

    #[test]
    fn what_may_be_shown() {
        let (longest, longer) = ("a".repeat(64), "a".repeat(65));
        for text in ["a", "run.status", "a_b:c/d-9", longest.as_str()] {
            assert_eq!(show(text), text);
        }
        for (text, shown) in [
            ("", "\"\""),
            ("a b", "<3 bytes>"),
            ("é", "<2 bytes>"),
            ("a@b", "<3 bytes>"),
            ("a\n", "<2 bytes>"),
            (longer.as_str(), "<65 bytes>"),
            (TOKEN, "<40 bytes>"),
        ] {
            assert_eq!(show(text), shown);
        }
        let openai = ["sk-", "x7Kd93jfLq0ZbV5nRw8T", "T3BlbkFJ", "yUe1Aa2Ss4Dd6FfGh8Jk"].concat();
        let glued = ["6f1d", "x", "a_", "run-"].into_iter().zip([TOKEN, &openai].into_iter().cycle());
        for glued in glued.map(|(before, token)| [before, token].concat()) {
            assert_eq!(
                (show(&glued), key(&glued)),
                (format!("<{0} bytes>", glued.len()).into(), show(&glued)),
                "{glued}"
            );
        }
        for id in ["task-0123456789abcdef01234567", "disk-7f3a9c2e41b84d6f90ab", "call_ghp_1", "user.patch.MTEy.1"] {
            assert_eq!(show(id), id);
        }
        assert_eq!((show_count(999_999_999), show_count(1_000_000_000)), ("999999999".into(), "<10 digits>".into()));
    }

    #[test]
    fn keys_are_shown_up_to_a_length() {
        let longest = "k ".repeat(64);
        assert_eq!(key(&longest), longest);
        assert_eq!(key(&format!("{longest}k")), "<129 bytes>");
        assert_eq!(key(TOKEN), "<40 bytes>");
    }

    #[test]
    fn labels_have_room_for_an_id_and_a_short_name() {
        let long = "a".repeat(64);
        let both = format!("{long} (twelve-bytes)");
        let id = long.as_str();
        for (id, name, label) in [
            ("call_1", Some("search"), "call_1 (search)"),
            ("call_1", Some(""), "call_1"),
            ("call_1", None, "call_1"),
            ("call 1", Some("two words"), "<6 bytes> (<9 bytes>)"),
            (id, Some("twelve-bytes"), both.as_str()),
            (id, Some("13-bytes-long"), id),
            (&format!("{long}a"), Some(&format!("{long}ab")), "<65 bytes> (<66 bytes>)"),
            (TOKEN, Some("search"), "<40 bytes> (search)"),
        ] {
            assert_eq!(Label::of(id, name).to_string(), label);
        }
    }

    #[test]
    fn characters_that_are_obeyed() {
        let obeyed = ['\u{1b}', '\u{7f}', '\u{85}', '\n', '\u{ad}', '\u{61c}', '\u{200b}', '\u{200f}', '\u{2028}'];
        let others = ['\u{202e}', '\u{2060}', '\u{206f}', '\u{feff}', '\u{fff9}', '\u{fffb}', '\u{e0000}', '\u{e007f}'];
        assert!(obeyed.into_iter().chain(others).chain(['\u{180e}']).all(is_obeyed));
        let shown =
            [' ', 'a', '~', 'é', '\u{a0}', '\u{200a}', '\u{2010}', '\u{2027}', '\u{202f}', '\u{205f}', '\u{2070}'];
        assert!(!shown.into_iter().chain(['界', '🏔', '\u{fffc}', '\u{e0080}']).any(is_obeyed));
    }

    #[test]
    #[cfg(feature = "cli")]
    fn words_that_look_like_secrets_are_not_shown() {
        let token = ["ghp_", "x7Kd93jfLq0ZbV5nRw8TyUe1Aa2Ss4Dd6FfG"].concat();
        let url = ["postgres:", "//app:", "cSmhueLW3Ga2tZc17q", "@db.internal/x"].concat();
        for (text, shown) in [
            ("runs/poll 1.jsonl".to_owned(), "runs/poll 1.jsonl".to_owned()),
            (format!("runs/{token}/a.jsonl"), "runs/<40 bytes>/a.jsonl".to_owned()),
            (format!("{token}: cannot be read: no, {token}"), "<40 bytes>: cannot be read: no, <40 bytes>".to_owned()),
            (format!("run-{token}.jsonl"), "<50 bytes>".to_owned()),
            (format!("no rule {token}/x+J9/Kd8= here"), "no rule <50 bytes> here".to_owned()),
            (format!("{token}/x+J9/a.jsonl"), "<45 bytes>/a.jsonl".to_owned()),
            (url.clone(), format!("<{} bytes>", url.len())),
            (url.replace("//", "/"), format!("<{} bytes>", url.len() - 1)),
        ] {
            assert_eq!(without_tokens(&text), shown, "{text}");
        }
    }
}
