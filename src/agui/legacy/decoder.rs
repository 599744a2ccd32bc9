//! Decoding what producers older than 1.0 send.

use std::borrow::Cow;
use std::collections::hash_map::RandomState;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::hash::{BuildHasher, Hasher};

use super::super::events::event::{Event, EventType};
use super::super::judge::retired_form;
use super::super::overlay::judge;
use super::super::retired::{replacement, retirement};
use super::super::rules;
use super::super::spec::PROTOCOL;
use super::rewrite::Edits;
use crate::check::Rule;
use crate::check::explain::{Reading, Worth, mismatches};
use crate::check::spec::SpecRef;
use crate::check::tree::Node;
use crate::wire::Error;
use crate::wire::decode::DEPTH;
use crate::wire::path::Path;

/// Something that 1.0 has retired, and what replaces it.
///
/// The text holds no value of the event.
///
/// Since 0.1.0.
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
        let mut note = |rule: &'static Rule, path: &Path, message: String| {
            retired.push(Deprecation { rule, path: path.to_json_path(), message });
        };
        let tag = node.get("type").and_then(Node::as_str);
        let spec = SpecRef::of(&PROTOCOL);
        let shape = spec.shape(0);
        let mut form = shape.root();
        if let Some(event) = tag.as_deref().and_then(replacement) {
            let message = retirement(tag.as_deref().unwrap_or_default(), event);
            note(&rules::RETIRED_EVENT_TYPE, &Path::of("type"), message);
            self.reasoning(event, node, &mut edits);
            form = retired_form(shape, event);
        }
        let mut parts = Parts { root: node, text, modern: HashMap::new() };
        for misfit in mismatches(shape, form, node, Reading::Receive, Worth::ALL) {
            let judged = judge(&misfit, node, |_| true);
            // A null state is one that the client takes as well.
            if judged.rule == &rules::NULL_TOLERATED || (judged.rule == &rules::NULL_NOT_ALLOWED && !judged.fatal) {
                if let Some(null) = node.at(&misfit.path) {
                    edits.remove(null);
                }
            } else if judged.rule == &rules::BINARY_PART_RETIRED {
                parts.modernize(&misfit.path.parent(), &mut edits);
            } else {
                continue;
            }
            note(judged.rule, &misfit.path, judged.message.into_owned());
        }
        edits
    }

    /// Makes a `THINKING_*` event the event that replaces it.
    fn reasoning(&mut self, event: EventType, node: &Node<'_>, edits: &mut Edits) {
        let mut set = |name, value: &str| edits.set(node, name, serde_json::Value::from(value).to_string());
        set("type", event.as_str());
        let opens = matches!(event, EventType::ReasoningStart | EventType::ReasoningMessageStart);
        let of_span = matches!(event, EventType::ReasoningStart | EventType::ReasoningEnd);
        let stored = if of_span { &mut self.span } else { &mut self.message };
        if opens || stored.is_none() {
            self.minted += 1;
            let id = format!("{}-{}", self.prefix, self.minted);
            set("messageId", &id);
            if opens {
                *stored = Some(id);
            }
        } else if let Some(id) = stored {
            set("messageId", id);
        }
        if event == EventType::ReasoningMessageStart {
            set("role", "reasoning");
        }
        if let Some(title) = node.get("title").filter(|_| event == EventType::ReasoningStart) {
            edits.remove(title);
        }
    }
}

/// The kind of a part, where its content is, and the content: what makes a part the same.
type Identity = (String, String, String);

/// The parts of messages, and the modern ones among them.
struct Parts<'n, 'a> {
    root: &'n Node<'a>,
    text: &'n str,
    /// By where the array of parts begins.
    modern: HashMap<usize, HashSet<Identity>>,
}

impl Parts<'_, '_> {
    /// Makes a `binary` part the part that replaces it, or removes it if there is none, or
    /// the modern one is there already.
    fn modernize(&mut self, place: &Path, edits: &mut Edits) {
        let (Some(part), Some(siblings)) = (self.root.at(place), self.root.at(&place.parent())) else { return };
        let modern = self
            .modern
            .entry(siblings.span().start)
            .or_insert_with(|| siblings.elements().iter().filter_map(identity).collect());
        let Some((kind, source_kind, source)) = source_of(part) else { return edits.remove(part) };
        let identity = (kind.to_owned(), source_kind.to_owned(), source.as_str().unwrap_or_default().into_owned());
        if modern.contains(&identity) {
            return edits.remove(part);
        }
        let raw = |node: &Node<'_>| &self.text[node.span()];
        let mut text = format!("{{\"type\":\"{kind}\"");
        if let Some(id) = part.get("id") {
            text.extend([",\"id\":", raw(id)]);
        }
        text.extend([",\"source\":{\"type\":\"", source_kind, "\",\"value\":", raw(source)]);
        if let Some(media_type) = part.get("mimeType") {
            text.extend([",\"mimeType\":", raw(media_type)]);
        }
        text.push('}');
        if let Some(filename) = part.get("filename") {
            text.extend([",\"metadata\":{\"filename\":", raw(filename), "}"]);
        }
        text.push('}');
        edits.replace(part, text);
    }
}

/// Which part replaces a binary one: its kind, `data` or `url`, and the value.
fn source_of<'n, 'a>(part: &'n Node<'a>) -> Option<(&'static str, &'static str, &'n Node<'a>)> {
    let media_type = part.get("mimeType")?.as_str()?;
    let is = |prefix: &&str| media_type.strip_prefix(*prefix).is_some_and(|rest| rest.starts_with('/'));
    let kind = ["image", "audio", "video"].into_iter().find(is).unwrap_or("document");
    let filled = |name| part.get(name).filter(|node| node.as_str().is_some_and(|text| !text.is_empty()));
    match filled("data") {
        Some(data) => Some((kind, "data", data)),
        None => Some((kind, "url", filled("url")?)),
    }
}

/// What makes a modern part the same as another.
fn identity(part: &Node<'_>) -> Option<Identity> {
    let text = |node: &Node<'_>, name| node.get(name).and_then(Node::as_str).map(Cow::into_owned);
    let source = part.get("source")?;
    Some((text(part, "type")?, text(source, "type")?, text(source, "value")?))
}
