//! What was asked for, and the checkers that go with it.

use std::sync::Arc;

use super::args::How;
use super::choice::Choice;
use super::config::Config;
use super::console::{Failure, Outcome};
use super::names::{Override, no_reference};
use crate::check::{Checker, Profile, Protocol};

/// What was asked for.
pub(super) struct Setup<'a> {
    pub(super) args: &'a How,
    pub(super) config: Config,
    /// Say nothing but findings and errors.
    pub(super) quiet: bool,
}

impl<'a> Setup<'a> {
    pub(super) fn new(args: &'a How, config: Config, quiet: bool) -> Outcome<Self> {
        let Choice { profile, as_type, protocol, .. } = config.choice(None);
        let asked = as_type.map(|of| of.protocol).or(protocol);
        if let Some(protocol) =
            asked.as_ref().filter(|protocol| profile == Profile::Reference && !protocol.has_reference())
        {
            return Err(Failure::new(no_reference(protocol)));
        }
        if let Some(protocol) = asked.as_ref().filter(|protocol| args.subscribes() && !protocol.has_subscriptions()) {
            return Err(Failure::new(format!("{protocol} has no subscriptions; leave out --run-id and --resumed")));
        }
        Ok(Self { args, config, quiet })
    }

    /// A checker for findings that are about no event.
    pub(super) fn checker_of_input(&self, choice: &Choice) -> Outcome<Checker> {
        let asked = choice.as_type.as_ref().map(|of| of.protocol.clone()).or_else(|| choice.protocol.clone());
        self.checker(asked.unwrap_or(Protocol::AGUI), choice)
    }

    pub(super) fn checker(&self, protocol: Protocol, choice: &Choice) -> Outcome<Checker> {
        let config = &self.config;
        let mut builder = Checker::builder(protocol)
            .profile(choice.profile)
            .limits(config.limits)
            .secrets(Arc::clone(&config.secrets))
            .resumed(self.args.resumed);
        if let Some(run) = &self.args.run_id {
            builder = builder.run_id(run.as_str());
        }
        if let Some(version) = choice.as_type.as_ref().map_or(choice.version, |of| of.version) {
            builder = builder.version(version).map_err(|error| Failure::new(error.to_string()))?;
        }
        for change in config.overrides() {
            builder = match change {
                Override::Rule(rule, severity) => builder.rule(rule, severity),
                Override::Code(code, severity) => builder.code(code, severity),
            };
        }
        Ok(builder.build())
    }
}
