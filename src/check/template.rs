//! Events that repeat the one before them but for one text.
//!
//! Most of a stream are deltas of one message: the same bytes around another piece of
//! text. What was found out about those bytes holds again, so only the text is read.

use super::facts::{FactKind, Facts, SavedFacts};
use crate::safe::tokens;
use crate::wire::scan::plain_until;

/// The last clean event that had the repeating text.
#[derive(Debug, Default)]
pub(crate) struct Template {
    before: String,
    after: String,
    length: usize,
    facts: SavedFacts,
}

impl Template {
    /// Remembers a clean event, if it has the text that `slot` watches.
    pub(crate) fn set(&mut self, facts: &Facts<'_>, slot: u8) {
        if facts.kind(slot) != FactKind::String {
            return;
        }
        let span = facts.span(slot);
        let text = facts.text();
        self.before.clear();
        self.before.push_str(&text[..=span.start]);
        self.after.clear();
        self.after.push_str(&text[span.end - 1..]);
        self.length = span.len() - 2;
        facts.save(&mut self.facts);
    }

    /// The facts of an event that differs from the remembered one in that text alone.
    /// `None` where it differs otherwise, or the text needs a closer look.
    #[inline]
    pub(crate) fn fill<'a>(&self, text: &'a str, slot: u8, strict: bool) -> Option<Facts<'a>> {
        let rest = text.strip_prefix(self.before.as_str()).filter(|_| !self.before.is_empty())?;
        let end = plain_until(rest.as_bytes(), 0);
        let (content, after) = rest.split_at_checked(end)?;
        if after != self.after || content.is_empty() || (strict && tokens::contains_token(content)) {
            return None;
        }
        Some(Facts::restore(&self.facts, text, slot, self.length, end))
    }
}

#[cfg(test)]
mod tests {
    use crate::Protocol;
    use crate::check::{Checker, Input};

    #[test]
    fn a_repeated_event_is_judged_by_its_text() {
        let mut checker = Checker::new(Protocol::AgUi);
        let mut findings = |text: &str| checker.push(Input::event(text)).iter().map(|found| found.rule.id).collect::<Vec<_>>();
        for (text, rules) in [
            (r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#, &[][..]),
            (r#"{"type":"TEXT_MESSAGE_START","messageId":"m"}"#, &[]),
            (r#"{"type":"TEXT_MESSAGE_CONTENT","delta":"a","messageId":"m"}"#, &[]),
            (r#"{"type":"TEXT_MESSAGE_CONTENT","delta":"other","messageId":"m"}"#, &[]),
            (r#"{"type":"TEXT_MESSAGE_CONTENT","delta":"o\u0041","messageId":"m"}"#, &[]),
            (r#"{"type":"TEXT_MESSAGE_CONTENT","delta":"","messageId":"m"}"#, &["agui/empty-delta"]),
            (r#"{"type":"TEXT_MESSAGE_CONTENT","delta":"\ud800","messageId":"m"}"#, &["input/lone-surrogate"]),
            (r#"{"type":"TEXT_MESSAGE_CONTENT","delta":"x","messageId":"n"}"#, &["agui/text-content-without-start"]),
            (r#"{"type":"TEXT_MESSAGE_CONTENT","delta":"x","messageId":"m"} "#, &[]),
            (r#"{"type":"TEXT_MESSAGE_CONTENT","delta":"x","messageId":"m"}}"#, &["agui/frame-not-json"]),
        ] {
            assert_eq!(findings(text), rules, "{text}");
        }
    }
}
