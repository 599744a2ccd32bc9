//! How bytes are cut into events, and how a stream shows it.

use std::borrow::Cow;

use crate::wire::scan::{Cursor, MAX_DEPTH, SyntaxKind};
use crate::words::words;

words! {
    /// How a stream of bytes is cut into events.
    ///
    /// Since 0.1.0.
    pub enum Framing, unknown UnknownFraming {
        /// Server-sent events.
        Sse = "sse",
        /// One JSON value a line.
        Ndjson = "ndjson",
        /// One JSON document: an array of events, an object with the member `events`, one
        /// event, or a document of the protocol.
        Json = "json",
    }
}

impl Framing {
    /// The framing of a stream that begins with `head`. HTTP headers before it, as
    /// `curl -i` writes them, are passed over.
    pub fn detect(head: &[u8]) -> Self {
        let text = lossy(without_headers(head));
        let text = text.trim_start_matches('\u{FEFF}');
        let start = text.trim_start();
        if !start.starts_with(['{', '[']) {
            return if looks_like_sse(text) { Self::Sse } else { Self::Ndjson };
        }
        // Lines if another value follows, or if the head ends inside the value.
        let mut cursor = Cursor::new(start, MAX_DEPTH);
        match cursor.skip() {
            Ok(()) => {
                let (value, rest) = start.split_at(cursor.offset());
                // Anything on a new line after a value that is on one line.
                let lines = !value.contains('\n') && rest.trim_start_matches([' ', '\t', '\r']).starts_with('\n');
                let more = rest.trim_start();
                let is_followed = more.starts_with(['{', '[']);
                // A document ends with a few blank lines at most.
                let goes_on = lines && (!more.is_empty() || rest.len() > MOST_BLANK);
                // A list is a document, unless it is one of several lines.
                let is_lines = if start.starts_with('[') { lines && is_followed } else { is_followed || goes_on };
                if is_lines { Self::Ndjson } else { Self::Json }
            }
            Err(_) if start.starts_with('[') => Self::Json,
            // The value ends too early with its line, and the next line is a whole value.
            Err(error) if error.kind != SyntaxKind::UnexpectedEnd && is_value(start.lines().nth(1)) => Self::Ndjson,
            Err(_) => {
                let first = start.lines().next().unwrap_or_default().trim_end();
                let spans_lines = first.len() < start.trim_end().len() && is_cut_off(first);
                if spans_lines { Self::Json } else { Self::Ndjson }
            }
        }
    }
}

/// The byte order mark, with which a text may begin.
pub(super) const MARK: &[u8] = b"\xEF\xBB\xBF";

/// How many blank bytes may stand behind a document. More of them keep a stream of lines alive.
const MOST_BLANK: usize = 256;

/// How far the HTTP header blocks at the beginning of a stream were read, whose bytes come in pieces.
#[derive(Clone, Copy, Default)]
pub(crate) struct Headers {
    /// Where the last whole block ends.
    end: usize,
    /// Where the line begins that was not read yet.
    line: usize,
}

impl Headers {
    /// The length of the blocks; `None` where the last one has not ended yet. `bytes` is all that has come.
    pub(crate) fn read(&mut self, bytes: &[u8]) -> Option<usize> {
        // A beginning of the name may be all that has come of it.
        while let Some(rest) = bytes.get(self.end..).filter(|rest| !rest.is_empty())
            && rest.iter().zip(b"HTTP/").all(|(byte, wanted)| byte == wanted)
        {
            while !self.is_behind_blank_line(bytes)? {}
            self.end = self.line;
        }
        Some(self.end)
    }

    /// Reads the next line; true if it is the blank one that ends a block, `None` if it is not whole.
    fn is_behind_blank_line(&mut self, bytes: &[u8]) -> Option<bool> {
        let rest = bytes.get(self.line..)?;
        let end = memchr::memchr(b'\n', rest)?;
        self.line += end + 1;
        Some(matches!(rest.get(..end), Some(b"" | b"\r")))
    }
}

/// The bytes behind the HTTP header blocks at the beginning; all of them where the last block
/// has not ended yet.
pub(crate) fn without_headers(bytes: &[u8]) -> &[u8] {
    Headers::default().read(bytes).and_then(|length| bytes.get(length..)).unwrap_or(bytes)
}

/// Whether the line is a whole object.
fn is_value(line: Option<&str>) -> bool {
    let Some(line) = line.filter(|line| line.starts_with('{')) else { return false };
    let mut cursor = Cursor::new(line, MAX_DEPTH);
    cursor.skip().is_ok() && cursor.end().is_ok()
}

/// Whether the text is the beginning of a JSON value and not all of it.
fn is_cut_off(text: &str) -> bool {
    Cursor::new(text, MAX_DEPTH).skip().is_err_and(|error| error.kind == SyntaxKind::UnexpectedEnd)
}

/// Whether one of the first lines is a field of a frame, or a comment: the very first may be misspelt.
fn looks_like_sse(text: &str) -> bool {
    text.lines().filter(|line| !line.is_empty()).take(2).any(|line| {
        let name = line.trim_start().split(':').next().unwrap_or_default();
        line.contains(':') && matches!(name, "data" | "event" | "id" | "retry" | "")
    })
}

pub(crate) fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn framings() {
        for (head, framing) in [
            ("data: {}\n\n", Framing::Sse),
            ("ID: 7\nevent: x\ndata: {}\n\n", Framing::Sse),
            (": keep-alive\n\ndata: {}\n", Framing::Sse),
            ("\u{feff}id: 1\r\ndata: {}\r\n\r\n", Framing::Sse),
            ("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\ndata: {}\n\n", Framing::Sse),
            ("HTTP/2 200\nx: y\n\n{\"a\":1}\n{\"a\":2}\n", Framing::Ndjson),
            ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n[{}]", Framing::Json),
            ("{\"a\":1}\n{\"a\":2}\n", Framing::Ndjson),
            ("{\"a\":1}\n{\"a\":", Framing::Ndjson),
            ("{\"a\":\"long line that the head cuts", Framing::Ndjson),
            ("{\"a\":1}\n", Framing::Json),
            ("{\"a\":1}\n\n \n", Framing::Json),
            ("[{}]\nDone.\n", Framing::Json),
            ("[{}]{}", Framing::Json),
            ("[\n{}\n]\n{}\n", Framing::Json),
            ("[{}]\n[{}]\n", Framing::Ndjson),
            (&format!("[{{}}]{}", "\n".repeat(1000)), Framing::Json),
            (&format!("{{\"a\":1}}{}", "\n".repeat(1000)), Framing::Ndjson),
            ("[{\"a\":1},\n", Framing::Json),
            ("{\n  \"a\": 1,\n", Framing::Json),
            ("[1]\n[2]\n", Framing::Ndjson),
            ("{\"a\":1}\nnull\n{\"a\":2}\n", Framing::Ndjson),
            ("{\"a\":1}\r\noops\n", Framing::Ndjson),
            ("{\"a\":1} oops\n", Framing::Json),
            ("{\n  \"a\": 1\n}\noops\n", Framing::Json),
            ("{\"a\":\"cut\n{\"a\":2}\n{\"a\":3}\n", Framing::Ndjson),
            ("{\"a\":[\n{\"a\":1}\n]}\n", Framing::Json),
        ] {
            assert_eq!(Framing::detect(head.as_bytes()), framing, "{head:?}");
        }
    }
}
