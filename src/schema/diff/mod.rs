//! What a change of a schema breaks, and for whom.
//!
//! A schema describes what producers send and consumers read. Two versions meet in two ways:
//! a consumer of the new one reads what a producer of the old one has sent, and the other way
//! round. A change is *wire-breaking* if one of the two is refused, or misunderstood:
//!
//! | change | old producers, new consumers | new producers, old consumers |
//! | --- | --- | --- |
//! | fewer documents are valid: a member becomes required, a type is narrower | break | |
//! | more documents are valid: a member may be absent, a type is wider, a closed list has another value | | break |
//! | an open object or list names something more, a limit is looser | | |
//! | the union of all events has another type | | |
//!
//! More documents break consumers since these rely on what the old schema has promised. Two
//! additions do not: consumers pass over members and values that an open schema does not name,
//! and over whole events of an unknown type. They cannot pass over a part of a document, so
//! another variant of a union inside of one breaks. Limits and patterns are no promise that
//! types or decoders know, so loosening them breaks nobody but a validator with the old schema.
//!
//! A change is *source-breaking* if documents stay as they are but generated code does not:
//! another event type in a closed union makes an exhaustive match incomplete (a TypeScript
//! `switch` that ends in `never`, a Rust `match`), another name of a definition renames a type.
//! Everything else is *compatible*. The order of members, of branches and of values means
//! nothing.
//!
//! Each change is reported once, at the definition where it is. A definition is the same if it
//! has the same tag in a union, or else the same name, or else stands alone in the same place.
//! What the comparison does not know is never passed over: `schema/keyword-changed`.
//!
//! ```
//! use agent_contracts::schema::diff::{Impact, Schema, compare};
//!
//! let old = Schema::parse(r#"{"title": "Run", "properties": {"id": {"type": "string"}}, "required": ["id"]}"#)?;
//! let new = Schema::parse(r#"{"title": "Run", "properties": {"id": {"type": "integer"}}, "required": ["id"]}"#)?;
//! let changes = compare(&old, &new);
//! assert_eq!(changes[0].impact(), Impact::WireBreaking);
//! assert_eq!(
//!     changes[0].to_string(),
//!     "wire-breaking[schema/type-changed] Run.id: the type is another: string → integer"
//! );
//! # Ok::<(), agent_contracts::schema::diff::SchemaError>(())
//! ```

mod alternatives;
mod branch;
mod change;
mod comparison;
mod document;
mod events;
mod keywords;
mod kinds;
mod members;
mod notation;
mod notes;
mod pairs;
mod reach;
mod report;
mod rule;
pub mod rules;
mod side;
mod tags;
mod text;
mod unions;
mod values;

pub use change::Change;
pub use document::{Schema, SchemaError};
pub use report::{DiffChange, DiffReport, DiffSummary, VERSION};
pub use rule::{Breaks, ChangeRule, Impact, UnknownBreaks, UnknownImpact};
pub use rules::{change_rule, change_rules};

use comparison::Comparison;

/// What has changed from one schema to another: first at the root, then definition by
/// definition.
///
/// Since 0.1.0.
pub fn compare(old: &Schema, new: &Schema) -> Vec<Change> {
    Comparison::new(old, new).run()
}

/// The same for a file that one of the versions may not have.
///
/// Since 0.1.0.
pub fn compare_file(old: Option<&Schema>, new: Option<&Schema>) -> Vec<Change> {
    match (old, new) {
        (Some(old), Some(new)) => compare(old, new),
        (Some(_), None) => vec![Change::of_file(&rules::FILE_REMOVED)],
        (None, Some(_)) => vec![Change::of_file(&rules::FILE_ADDED)],
        (None, None) => Vec::new(),
    }
}
