//! What is wrong with the tags of a whole text: of an event, or of a stored message.

use std::collections::HashMap;

use super::markup::{Fault, FaultKind, Markup, Span, TagKind};
use super::rules;
use crate::check::reporter::Reporter;
use crate::check::tree::{Node, Value};
use crate::safe::show;
use crate::wire::path::Path;
use crate::wire::scan::MAX_DEPTH;
use crate::wire::text::Written;

/// Whether something may be wrong with the tags of a text.
pub(super) fn may_be_wrong(text: &str) -> bool {
    text.contains("<<") && (Markup::has_faults(text) || has_traceback(text))
}

/// Reports what is wrong with the tags of a text, which stands at `path`.
pub(super) fn check(content: &Node<'_>, path: &Path, report: &mut Reporter<'_>) {
    let (Value::String(written), Some(text)) = (&content.value, content.as_str()) else { return };
    let (mut starts, mut ends, mut late) = (Written::of(*written), Written::of(*written), Ends::default());
    for fault in Markup::parse(&text).faults() {
        let (rule, what) = match fault.kind {
            FaultKind::Unclosed if late.come_late(&text, fault.span) => {
                (&rules::TAG_UNCLOSED, "is closed too late, behind where another block begins or ends")
            }
            FaultKind::Unclosed => (&rules::TAG_UNCLOSED, "has no end tag"),
            FaultKind::EndWithoutStart => (&rules::TAG_END_WITHOUT_START, "closes a block that is not open"),
            FaultKind::ToolMismatch => (&rules::TAG_TOOL_NAME_ID_MISMATCH, "names another tool or id than the start"),
            FaultKind::BodyNotJson => (&rules::TAG_BODY_NOT_JSON, "has a body that is not JSON"),
            FaultKind::Misplaced => (&rules::TAG_MISPLACED, misplaced(fault.tag)),
            FaultKind::TemporaryStored => (&rules::TAG_TEMPORARY_STORED, "is a mark of clients, not for stored text"),
        };
        let first = content.span().start + 1;
        let place = first + starts.place(fault.span.start)..first + ends.place(fault.span.end);
        report.add(rule, path, place, format!("<<{}>>{} {what}", fault.tag, label(&text, fault)));
    }
    if has_traceback(&text) {
        let message = "the ERROR_JSON block has the server's traceback";
        report.add(&rules::TRACEBACK_ON_WIRE, path, content.span(), message);
    }
}

/// Which call the tag of a tool is of, as messages say it.
fn label(text: &str, fault: &Fault) -> String {
    let tag = text.get(fault.span.start..fault.span.end).and_then(|tag| tag.strip_suffix(">>"));
    let label = tag.and_then(|tag| tag.strip_prefix("<<")?.split_once('/')).filter(|(name, _)| !name.is_empty());
    label.map_or_else(String::new, |(_, label)| format!(" of {}", show(label)))
}

/// What is wrong with the place of a tag.
const fn misplaced(tag: TagKind) -> &'static str {
    match tag {
        TagKind::SingleStepFlag => "stands outside a step",
        TagKind::UserInputProvidedStart => "stands outside an INPUT_REQUIRED block",
        TagKind::ToolStepResultStart => "stands outside a tool block, or before the input",
        _ => "stands outside a tool block",
    }
}

/// Where the last end of each tag stands that was asked about.
#[derive(Default)]
struct Ends(HashMap<String, Option<usize>>);

impl Ends {
    /// Each of them is looked for in the whole text, so only so many are.
    const MOST: usize = 64;

    /// Whether the end of a tag comes all the same, where it is none any more.
    fn come_late(&mut self, content: &str, tag: Span) -> bool {
        let start = content.get(tag.start..tag.end).unwrap_or_default();
        let is_word = start.contains("START");
        let end = if is_word { start.replacen("START", "END", 1) } else { start.replacen("<<", "<</", 1) };
        if self.0.len() == Self::MOST && !self.0.contains_key(&end) {
            return false;
        }
        let last = *self.0.entry(end).or_insert_with_key(|end| content.rfind(end));
        last.is_some_and(|last| last >= tag.end)
    }
}

/// Whether stored text has the server's traceback in it.
fn has_traceback(content: &str) -> bool {
    let [start, end] = [TagKind::ErrorJsonStart, TagKind::ErrorJsonEnd].map(|tag| format!("<<{tag}>>"));
    content.split(&start).skip(1).any(|behind| {
        let body = behind.split(&end).next().unwrap_or_default();
        let node = Node::parse(body, MAX_DEPTH).ok();
        node.is_some_and(|node| node.get("traceback").and_then(Node::as_str).is_some_and(|text| !text.is_empty()))
    })
}
