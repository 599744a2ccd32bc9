//! Checking: a [`Checker`] takes the events of a stream and gives findings.
//!
//! Each [`Finding`] names its [`Rule`], a place down to the byte, and a message that
//! holds no value of the payload. Which rules run is a [`Profile`]; how grave they are
//! can be changed rule by rule.

mod checker;
pub(crate) mod contract;
mod excerpt;
pub(crate) mod explain;
pub(crate) mod facts;
pub(crate) mod finding;
pub(crate) mod history;
pub(crate) mod input_rules;
pub(crate) mod js;
mod limits;
pub(crate) mod names;
mod options;
pub(crate) mod rule;
mod scan;
pub(crate) mod secret;
pub(crate) mod shape;
pub(crate) mod size;
mod template;
pub(crate) mod time;
pub(crate) mod tree;
pub(crate) mod watched;

pub use checker::{Checker, CheckerBuilder, Input, UnknownType, UnknownVersion};
pub use excerpt::Excerpt;
pub use finding::{Finding, Related};
pub use limits::Limits;
pub(crate) use options::Options;
pub use rule::{Code, Profile, Rule, Severity};

/// Every rule: those about input as such, then those of each protocol, in table order.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    let protocols = crate::Protocol::ALL.iter().flat_map(|protocol| protocol.rules());
    input_rules::RULES.iter().chain(protocols).copied()
}

/// The rule of that id, such as `lime/tool-needs-tool-call-id`.
pub fn rule(id: &str) -> Option<&'static Rule> {
    rules().find(|rule| rule.id == id)
}
