//! How grave findings are to a user.

use super::rule::{Code, Rule, Severity};

/// Severities as a user wants them, by rule or code; `None` is silence.
#[derive(Clone, Debug, Default)]
pub(crate) struct Policy {
    rules: Vec<(Rule, Option<Severity>)>,
    codes: Vec<(Code, Option<Severity>)>,
}

impl Policy {
    pub(crate) fn set_rule(&mut self, rule: &Rule, severity: Option<Severity>) {
        self.rules.push((rule.clone(), severity));
    }

    pub(crate) fn set_code(&mut self, code: Code, severity: Option<Severity>) {
        self.codes.push((code, severity));
    }

    /// A rule's own word counts before its code's; of several the last.
    pub(super) fn severity(&self, rule: &Rule, default: Severity) -> Option<Severity> {
        let by_rule = self.rules.iter().rev().find(|(own, _)| own == rule).map(|(_, severity)| *severity);
        let by_code = || self.codes.iter().rev().find(|(code, _)| *code == rule.code()).map(|(_, severity)| *severity);
        by_rule.or_else(by_code).unwrap_or(Some(default))
    }
}

#[cfg(test)]
mod tests {
    use super::super::input_rules::{EMPTY, NOT_JSON};
    use super::*;

    #[test]
    fn the_last_word_counts_and_that_of_a_rule_before_that_of_its_code() {
        let mut policy = Policy::default();
        let both = |policy: &Policy| [&EMPTY, &NOT_JSON].map(|rule| policy.severity(rule, Severity::Warning));
        assert_eq!(both(&policy), [Some(Severity::Warning); 2]);
        policy.set_code(Code::FramingError, None);
        assert_eq!(both(&policy), [None; 2]);
        policy.set_code(Code::FramingError, Some(Severity::Note));
        policy.set_code(Code::LimitReached, None);
        assert_eq!(both(&policy), [Some(Severity::Note); 2]);
        policy.set_rule(&NOT_JSON, None);
        policy.set_code(Code::FramingError, Some(Severity::Warning));
        assert_eq!(both(&policy), [Some(Severity::Warning), None]);
        policy.set_rule(&NOT_JSON, Some(Severity::Error));
        assert_eq!(both(&policy), [Some(Severity::Warning), Some(Severity::Error)]);
    }
}
