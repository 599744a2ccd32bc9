//! What a protocol brings to the checker.

use super::facts::Facts;
use super::finding::Report;
use super::rule::RuleRef;
use super::shape::Shape;
use super::tree::Node;
use crate::wire::sse::Frame;

/// The particulars of a protocol, with the state of one stream.
pub(crate) trait Contract: Send + std::fmt::Debug {
    /// The published schema of an event, compiled.
    fn shape(&self) -> &'static Shape;

    /// The facts of an event that phase 1 gave up.
    fn facts<'a>(&self, node: &Node<'a>, text: &'a str) -> Facts<'a> {
        let shape = self.shape();
        Facts::of_tree(shape, shape.root(), node, text)
    }

    /// Whether the end of an empty stream is reported by a rule of the protocol.
    #[cfg(feature = "cli")]
    fn reports_emptiness(&self, _report: &Report<'_>) -> bool {
        false
    }

    /// The slots of the values in which events of one message differ. Whatever these
    /// values are, as long as they are not empty, the event fits its shape.
    fn varying(&self) -> &'static [u8] {
        &[]
    }

    /// Whether an event that fits its shape leaves nothing to report but its order.
    fn is_clean(&self, facts: &Facts<'_>) -> bool;

    /// Reports what is wrong with an event by itself, in table order.
    fn explain(&mut self, node: &Node<'_>, facts: &Facts<'_>, report: &mut Report<'_>);

    /// Takes the event into the state of the stream and reports what it breaks there.
    fn order(&mut self, facts: &Facts<'_>, report: &mut Report<'_>);

    /// An event has come that could not be read: what it was is not known.
    fn lost(&mut self) {}

    /// The event that was explained takes no part in a stream.
    fn aside(&mut self) {}

    /// Reports what only the end of the stream shows.
    /// There were `events` of them.
    fn finish(&mut self, events: u64, report: &mut Report<'_>);

    /// Checks a document of type `name`; false if there is no such type.
    fn document(&self, name: &str, node: &Node<'_>, report: &mut Report<'_>) -> bool;

    /// The rule for text that is not JSON.
    fn not_json(&self) -> RuleRef {
        &super::input_rules::NOT_JSON
    }

    /// The rule for an SSE frame beyond the limit.
    fn frame_too_large(&self) -> RuleRef {
        &super::input_rules::TOO_LARGE
    }

    /// Reports what is wrong with a frame as such, before its event is looked at.
    fn frame(&mut self, _frame: &Frame<'_>, _report: &mut Report<'_>) {}

    /// Reports what is wrong with a line of an SSE stream whose field has no meaning.
    fn stray_line(&mut self, _line: &[u8], _report: &mut Report<'_>) {}
}
