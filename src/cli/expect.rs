//! Where a fixture says what it expects, and how that is rewritten.

use std::ops::Range;

use crate::check::Finding;
use crate::wire::scan::{Cursor, MAX_DEPTH};

/// The text without a byte order mark.
pub(super) fn unmarked(text: &str) -> &str {
    text.strip_prefix('\u{FEFF}').unwrap_or(text)
}

/// Where `expect` stands in the text of a fixture.
#[derive(Debug)]
pub(super) struct Expect {
    pub(super) whole: Range<usize>,
    /// Each of its entries.
    pub(super) entries: Vec<Range<usize>>,
}

impl Expect {
    pub(super) fn find(text: &str) -> Option<Self> {
        let mut cursor = Cursor::starting_at(text, text.len() - unmarked(text).len(), MAX_DEPTH);
        cursor.open(b'{').ok()?;
        let mut first = true;
        let mut found = None;
        while let Some(key) = cursor.member(&mut first).ok()? {
            cursor.kind().ok()?;
            let start = cursor.offset();
            cursor.skip().ok()?;
            if key.raw == "expect" {
                found = Some(start..cursor.offset());
            }
        }
        let whole = found?;
        let entries = entries(text, whole.start).unwrap_or_default();
        Some(Self { whole, entries })
    }
}

/// The elements of the array at `start`.
fn entries(text: &str, start: usize) -> Option<Vec<Range<usize>>> {
    let mut cursor = Cursor::starting_at(text, start, MAX_DEPTH);
    cursor.open(b'[').ok()?;
    let (mut first, mut found) = (true, Vec::new());
    while cursor.element(&mut first).ok()? {
        cursor.kind().ok()?;
        let start = cursor.offset();
        cursor.skip().ok()?;
        found.push(start..cursor.offset());
    }
    Some(found)
}

/// How the first line of a text ends.
fn line_end(text: &str) -> &'static str {
    let first = text.split('\n').next().unwrap_or_default();
    if first.len() < text.len() && first.ends_with('\r') { "\r\n" } else { "\n" }
}

/// The text of a fixture with its `expect` replaced, everything else left as it is.
pub(super) fn with_expectation(text: &str, found: &[Finding]) -> Option<String> {
    let place = Expect::find(text)?.whole;
    let rows: Vec<String> = found
        .iter()
        .map(|finding| {
            let event = finding.event.map_or("null".into(), |event| event.to_string());
            let path = serde_json::Value::from(finding.path.as_str());
            format!(
                "\n    {{\"rule\":\"{}\",\"code\":\"{}\",\"severity\":\"{}\",\"path\":{path},\"event\":{event}}}",
                finding.rule.id(),
                finding.code(),
                finding.severity
            )
        })
        .collect();
    let expect = if rows.is_empty() { "[]".to_owned() } else { format!("[{}\n  ]", rows.join(",")) };
    let expect = expect.replace('\n', line_end(text));
    Some(format!("{}{expect}{}", &text[..place.start], &text[place.end..]))
}
