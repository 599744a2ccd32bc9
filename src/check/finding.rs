//! What a rule reports.

use std::fmt;
use std::ops::Range;

use super::excerpt::Excerpts;
use super::protocol::Protocol;
use super::rule::{Code, Rule, Severity};
use super::secrets::Masks;
use crate::wire::span::Location;

/// Another place that a finding is about, such as where something was opened.
///
/// Since 0.1.0.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub struct Related {
    /// What is there.
    pub message: String,
    /// The event, counted from 0 in its stream.
    pub event: Option<u64>,
    /// Where it is.
    pub location: Location,
}

impl Related {
    /// A place that is of no event.
    pub(crate) fn at(location: Location, message: &str) -> Self {
        Self { message: message.into(), event: None, location }
    }
}

/// Something that a rule reports.
///
/// No text of a finding holds a value of the payload, apart from short ids, tags and
/// enum values that look harmless.
///
/// Serde writes the rule and the protocol as their ids, and reads only ids of built-in ones.
/// What is meant for users is a [`Report`](crate::report::Report).
///
/// Since 0.1.0.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub struct Finding {
    /// The rule.
    pub rule: Rule,
    /// The severity: the rule's own, unless a user has changed it.
    pub severity: Severity,
    /// The protocol, if the finding is about an event of one.
    pub protocol: Option<Protocol>,
    /// The event, counted from 0 in its stream; `None` if the finding is about no single event: a
    /// document, what an answer says beside its events, the connection, or the end of the stream.
    pub event: Option<u64>,
    /// Where it is; `None` for the end of the stream.
    pub location: Option<Location>,
    /// The bytes of the stream that it is about, half open.
    pub bytes: Option<Range<u64>>,
    /// The place as JSONPath in shorthand, from the root of the event or document.
    pub path: String,
    /// The same place as JSON Pointer.
    pub pointer: String,
    /// What is wrong here, in one line.
    pub message: String,
    /// What to do in this case, where that is more than the rule's own advice.
    pub hint: Option<String>,
    /// Other places.
    pub related: Vec<Related>,
    /// The bytes of the event's text that it is about, half open. If the finding is about
    /// another line of the frame, the range begins behind the text.
    pub span: Range<usize>,
    #[serde(skip)]
    pub(crate) masks: Masks,
}

impl Finding {
    /// The class of the finding.
    pub fn code(&self) -> Code {
        self.rule.code()
    }

    /// The source around the finding, values masked.
    ///
    /// `text` is the text of the input for which the finding was given. The excerpt is empty if
    /// the finding is not about that text.
    pub fn excerpt(&self, text: &[u8]) -> super::Excerpt {
        self.excerpt_in(&mut Excerpts::new(text))
    }

    /// The same, where other findings are about the text as well.
    pub(crate) fn excerpt_in(&self, text: &mut Excerpts<'_>) -> super::Excerpt {
        let publishes =
            |text: &str| self.protocol.as_ref().is_some_and(|protocol| protocol.described().publishes(text));
        text.around(self.span.clone(), publishes, |key| self.masks.hide(key))
    }

    /// What the producer should do.
    pub fn help(&self) -> &str {
        self.hint.as_deref().unwrap_or(self.rule.help())
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]: {}", self.severity, self.rule.id(), self.message)
    }
}
