//! The rules, by what they are about.

mod definitions;
mod members;
mod types;
mod unions;
mod values;

pub use definitions::{
    DEFAULT_CHANGED, DEFINITION_ADDED, DEFINITION_REMOVED, DEFINITION_RENAMED, DEPRECATION_CHANGED,
    DOCUMENTATION_CHANGED, FILE_ADDED, FILE_REMOVED, ID_CHANGED, KEYWORD_CHANGED, TITLE_CHANGED,
};
pub use members::{
    CLOSED_MEMBER_ADDED, MEMBER_NO_LONGER_REQUIRED, MEMBER_NOW_REQUIRED, MEMBER_REMOVED, OBJECT_CLOSED, OBJECT_OPENED,
    OPTIONAL_MEMBER_ADDED, OPTIONAL_MEMBER_REMOVED, REQUIRED_MEMBER_ADDED,
};
pub use types::{
    ALTERNATIVE_ADDED, ALTERNATIVE_REMOVED, FORM_CHANGED, NULL_ALLOWED, NULL_REFUSED, REFERENCE_CHANGED, TYPE_CHANGED,
    TYPE_NARROWED, TYPE_WIDENED,
};
pub use unions::{EVENT_ADDED, EVENT_REMOVED, OPEN_VARIANT_ADDED, VARIANT_ADDED, VARIANT_REMOVED};
pub use values::{
    LIMIT_LOOSENED, LIMIT_TIGHTENED, OPEN_VALUE_ADDED, OPEN_VALUE_REMOVED, PATTERN_ADDED, PATTERN_CHANGED,
    PATTERN_REMOVED, REFUSED_VALUE_ADDED, REFUSED_VALUE_REMOVED, VALUE_ADDED, VALUE_CHANGED, VALUE_REMOVED,
    VALUES_CLOSED, VALUES_OPENED,
};

use super::rule::ChangeRule;

/// Every rule of the comparison, in the order of the tables.
///
/// Since 0.1.0.
pub fn change_rules() -> impl Iterator<Item = &'static ChangeRule> {
    let tables = [unions::UNIONS, members::MEMBERS, types::TYPES, values::VALUES, definitions::DEFINITIONS];
    tables.into_iter().flatten().copied()
}

/// The rule of that id, such as `schema/member-removed`.
///
/// Since 0.1.0.
pub fn change_rule(id: &str) -> Option<&'static ChangeRule> {
    change_rules().find(|rule| rule.id() == id)
}
