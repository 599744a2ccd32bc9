//! Checking: a [`Checker`] takes the events of a stream and gives findings.
//!
//! Each [`Finding`] names its [`Rule`], a place down to the byte, and a message that holds no
//! value of the payload, apart from short ids and published words. Which rules run is a [`Profile`]; how grave they are
//! can be changed rule by rule. The engine knows no protocol: it executes the tables of
//! a [`Spec`].

mod checker;
pub(crate) mod excerpt;
pub(crate) mod explain;
pub(crate) mod facts;
mod finding;
pub(crate) mod history;
pub(crate) mod holds;
pub(crate) mod http_rules;
mod input;
pub(crate) mod input_rules;
pub(crate) mod js;
mod judging;
pub(crate) mod leaks;
mod leaves;
pub(crate) mod limits;
pub(crate) mod misspelt;
pub(crate) mod names;
pub(crate) mod near;
pub(crate) mod order;
pub(crate) mod overlay;
mod passed;
mod policy;
pub(crate) mod protocol;
pub(crate) mod recognise;
pub(crate) mod reporter;
pub(crate) mod rule;
mod scan;
pub(crate) mod scopes;
pub(crate) mod seams;
pub(crate) mod secrets;
pub(crate) mod sequence;
pub(crate) mod setup;
pub(crate) mod shape;
pub(crate) mod size;
pub(crate) mod spec;
mod steady;
pub(crate) mod tables;
mod template;
pub(crate) mod time;
pub(crate) mod tree;
pub(crate) mod watched;

pub(crate) use checker::Oversize;
pub use checker::{Checker, CheckerBuilder, UnknownType, UnknownVersion};
pub use excerpt::Excerpt;
pub use finding::{Finding, Related};
pub use input::{Field, FrameFields, Input, LineEnding};
pub use limits::Limits;
pub use protocol::Protocol;
pub use rule::{Code, Profile, Rule, Severity, UnknownCode, UnknownProfile, UnknownSeverity};
pub use secrets::{InvalidPattern, InvalidPlace, SecretPattern, Secrets};
pub use spec::Spec;
pub use tables::{Scope, SpecBuilder, SpecError};
