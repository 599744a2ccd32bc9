//! Whether a text that grows holds a complete `show_html` element.

use memchr::memmem::find;

const OPENING: &[u8] = b"<show_html";
const CLOSING: &[u8] = b"</show_html>";

/// How far a text has been looked at.
#[derive(Clone, Default, PartialEq, Eq)]
pub(in crate::polling) struct ShowHtml {
    from: usize,
    is_open: bool,
    is_complete: bool,
}

impl ShowHtml {
    pub(in crate::polling) const fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Looks at what has come since the last time; `text` is the whole.
    pub(in crate::polling) fn look(&mut self, text: &str) {
        while let Some(rest) = text.as_bytes().get(self.from..).filter(|_| !self.is_complete) {
            let tag = if self.is_open { CLOSING } else { OPENING };
            let Some(at) = find(rest, tag) else {
                // The beginning of a tag may stand at the end.
                self.from += (rest.len() + 1).saturating_sub(tag.len());
                return;
            };
            let behind = at + tag.len();
            if self.is_open {
                self.is_complete = true;
            } else if let Some(&next) = rest.get(behind) {
                self.is_open = matches!(next, b'>' | b' ' | b'\t' | b'\r' | b'\n');
            } else {
                self.from += at;
                return;
            }
            self.from += behind;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_found_however_the_text_is_cut() {
        for (text, complete) in [
            ("<show_html>a</show_html>", true),
            ("é<show_html ratio=\"1\">é</show_html>é", true),
            ("<show_html\n></show_html>", true),
            ("<show_htmlx>a</show_html>", false),
            ("<show_htmlx><show_html>a</show_html>", true),
            ("<show_html>a", false),
            ("</show_html><show_html>", false),
            ("<show_html>a</show_html", false),
            ("", false),
        ] {
            for size in 1..=text.len().max(1) {
                let (mut html, mut whole) = (ShowHtml::default(), String::new());
                for (at, c) in text.chars().enumerate() {
                    whole.push(c);
                    if at % size == 0 {
                        html.look(&whole);
                    }
                }
                html.look(&whole);
                assert_eq!(html.is_complete(), complete, "{text} by {size}");
            }
        }
    }
}
