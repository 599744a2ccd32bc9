//! Decoding what producers older than 1.0 send.

use std::collections::hash_map::RandomState;
use std::fmt;
use std::hash::{BuildHasher, Hasher};

use super::super::check::{retired_form, shape};
use super::super::event::{Event, EventType};
use super::super::misfit::judge;
use super::super::rules;
use super::replacement;
use super::rewrite::{Edit, Edits};
use crate::check::Rule;
use crate::check::explain::{Mismatch, Reading, mismatches};
use crate::check::rule::RuleRef;
use crate::check::tree::Node;
use crate::wire::Error;
use crate::wire::decode::DEPTH;
use crate::wire::path::Path;

/// Something that 1.0 has retired, and what replaces it.
///
/// The text holds no value of the event.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Deprecation {
    /// The rule that the checker reports for it.
    pub rule: &'static Rule,
    /// The place in the event as it came, as JSONPath in shorthand.
    pub path: String,
    /// What is retired and what replaces it, in one line.
    pub message: String,
}

impl fmt::Display for Deprecation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.message)
    }
}

/// Decodes a stream whose producer may be older than AG-UI 1.0.
///
/// [`Event::from_json`] takes 1.0 as it is: `THINKING_*` events are unknown to it, and a
/// `null` that used to stand for absence is an error. This decoder translates them as the
/// official client does: `THINKING_*` to `REASONING_*` with ids of its own, the tolerated
/// nulls to absence, `binary` parts of messages to the parts that replace them.
///
/// ```
/// use agent_contracts::agui::{EventType, LegacyDecoder};
///
/// let mut decoder = LegacyDecoder::new();
/// let mut retired = Vec::new();
/// let event = decoder.decode(r#"{"type":"THINKING_TEXT_MESSAGE_CONTENT","delta":"Hm"}"#, &mut retired)?;
/// assert_eq!(event.known_type(), Some(EventType::ReasoningMessageContent));
/// assert_eq!(
///     retired[0].to_string(),
///     "$.type: THINKING_TEXT_MESSAGE_CONTENT is retired; REASONING_MESSAGE_CONTENT replaces it",
/// );
/// # Ok::<(), agent_contracts::wire::Error>(())
/// ```
///
/// Since 0.1.0. Source: the compatibility boundary of the official client 1.0.0.
#[derive(Clone, Debug)]
pub struct LegacyDecoder {
    prefix: String,
    minted: u64,
    /// The ids that stand for the open span and message.
    span: Option<String>,
    message: Option<String>,
}

impl Default for LegacyDecoder {
    fn default() -> Self {
        Self::new()
    }
}

impl LegacyDecoder {
    /// A decoder at the beginning of a stream. Its ids differ from those of any other.
    pub fn new() -> Self {
        let random = || RandomState::new().build_hasher().finish();
        Self::with_id_prefix(format!("reasoning-{:016x}{:016x}", random(), random()))
    }

    /// A decoder whose ids are `prefix` with a number behind it, for repeatable output.
    pub fn with_id_prefix(prefix: impl Into<String>) -> Self {
        Self { prefix: prefix.into(), minted: 0, span: None, message: None }
    }

    /// Decodes the next event; what was translated is added to `retired`.
    ///
    /// # Errors
    /// As [`Event::from_json`], about the event after translation.
    pub fn decode(&mut self, text: &str, retired: &mut Vec<Deprecation>) -> Result<Event, Error> {
        if !["THINKING_", "null", "binary", "\\u"].iter().any(|sign| text.contains(sign)) {
            return Event::from_json(text);
        }
        let Ok(node) = Node::parse(text, DEPTH) else { return Event::from_json(text) };
        let edits = self.translate(&node, text, retired);
        if edits.is_empty() { Event::from_json(text) } else { Event::from_json(&edits.apply(&node, text)) }
    }

    fn translate(&mut self, node: &Node<'_>, text: &str, retired: &mut Vec<Deprecation>) -> Edits {
        let mut edits = Edits::default();
        let mut note = |rule: RuleRef, path: &Path, message: String| {
            retired.push(Deprecation { rule, path: path.to_json_path(), message });
        };
        let tag = node.get("type").and_then(Node::as_str);
        let mut form = shape().root();
        if let Some(event) = tag.as_deref().and_then(replacement) {
            let message = super::retirement(tag.as_deref().unwrap_or_default(), event);
            note(&rules::RETIRED_EVENT_TYPE, &Path::of("type"), message);
            self.reasoning(event, node, &mut edits);
            form = retired_form(event).unwrap_or(form);
        }
        for misfit in mismatches(shape(), form, node, Reading::Receive) {
            let judged = judge(&misfit, node);
            if judged.rule == &rules::NULL_TOLERATED {
                edits.push(misfit.path.clone(), Edit::Remove);
            } else if judged.rule == &rules::BINARY_PART_RETIRED {
                binary_part(&misfit, node, text, &mut edits);
            } else {
                continue;
            }
            note(judged.rule, &misfit.path, judged.message);
        }
        edits
    }

    /// Makes a `THINKING_*` event the event that replaces it.
    fn reasoning(&mut self, event: EventType, node: &Node<'_>, edits: &mut Edits) {
        let put = |edits: &mut Edits, name: &str, value: &str| {
            edits.push(Path::of(name), Edit::Put(serde_json::Value::from(value).to_string()));
        };
        put(edits, "type", event.as_str());
        let opens = matches!(event, EventType::ReasoningStart | EventType::ReasoningMessageStart);
        let of_span = matches!(event, EventType::ReasoningStart | EventType::ReasoningEnd);
        let stored = if of_span { &mut self.span } else { &mut self.message };
        if opens || stored.is_none() {
            self.minted += 1;
            let id = format!("{}-{}", self.prefix, self.minted);
            put(edits, "messageId", &id);
            if opens {
                *stored = Some(id);
            }
        } else if let Some(id) = stored {
            put(edits, "messageId", id);
        }
        if event == EventType::ReasoningMessageStart {
            put(edits, "role", "reasoning");
        }
        if event == EventType::ReasoningStart && node.get("title").is_some() {
            edits.push(Path::of("title"), Edit::Remove);
        }
    }
}

/// Makes a `binary` part the part that replaces it, or removes it if there is none.
fn binary_part(misfit: &Mismatch<'_>, node: &Node<'_>, text: &str, edits: &mut Edits) {
    let place = misfit.path.parent();
    let Some(part) = node.parent_of(&misfit.path) else { return };
    let siblings = node.parent_of(&place).map(Node::elements).unwrap_or_default();
    match replacement_part(part, text) {
        Some((kind, source)) if !siblings.iter().any(|sibling| is_part(sibling, kind, &source)) => {
            let member = |name: &str| part.get(name).map(|node| &text[node.span.clone()]);
            let mut modern = format!("{{\"type\":\"{kind}\"");
            if let Some(id) = member("id") {
                modern.extend([",\"id\":", id]);
            }
            let place_kind = if source.in_part { "data" } else { "url" };
            let (value, media) = (source.value, source.media_type);
            modern
                .push_str(&format!(",\"source\":{{\"type\":\"{place_kind}\",\"value\":{value},\"mimeType\":{media}}}"));
            if let Some(filename) = member("filename") {
                modern.push_str(&format!(",\"metadata\":{{\"filename\":{filename}}}"));
            }
            modern.push('}');
            edits.push(place, Edit::Put(modern));
        }
        _ => edits.push(place, Edit::Remove),
    }
}

/// Where the content of a part is; the texts are JSON.
struct Source<'a> {
    in_part: bool,
    value: &'a str,
    media_type: &'a str,
}

/// The kind and source of the part that replaces a binary one: its data, else its URL.
fn replacement_part<'a>(part: &Node<'_>, text: &'a str) -> Option<(&'static str, Source<'a>)> {
    let filled = |name: &str| {
        let node = part.get(name)?;
        node.as_str().filter(|text| !text.is_empty()).map(|_| &text[node.span.clone()])
    };
    let media = part.get("mimeType")?;
    let kind = media.as_str()?;
    let kind = ["image", "audio", "video"]
        .into_iter()
        .find(|prefix| kind.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('/')));
    let (in_part, value) = match filled("data") {
        Some(data) => (true, data),
        None => (false, filled("url")?),
    };
    Some((kind.unwrap_or("document"), Source { in_part, value, media_type: &text[media.span.clone()] }))
}

/// Whether a part is there already in its modern form.
fn is_part(part: &Node<'_>, kind: &str, source: &Source<'_>) -> bool {
    let is = |node: Option<&Node<'_>>, text: &str| node.and_then(Node::as_str).is_some_and(|found| found == text);
    let value: Option<String> = serde_json::from_str(source.value).ok();
    is(part.get("type"), kind)
        && part.get("source").is_some_and(|found| {
            is(found.get("type"), if source.in_part { "data" } else { "url" })
                && value.is_some_and(|value| is(found.get("value"), &value))
        })
}
