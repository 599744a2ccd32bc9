//! What every protocol shares: opaque values, open enums, ids, tagged unions, places in text.

pub(crate) mod brackets;
pub(crate) mod bytes;
pub(crate) mod capture;
pub(crate) mod decode;
pub(crate) mod error;
mod escapes;
pub(crate) mod extra;
mod integer;
pub(crate) mod json;
pub(crate) mod names;
pub(crate) mod number;
pub(crate) mod path;
pub(crate) mod payload;
#[cfg(feature = "published")]
pub(crate) mod published;
pub(crate) mod scan;
#[cfg(feature = "schema")]
pub(crate) mod schema;
pub(crate) mod tag;
pub(crate) mod text;
#[cfg(test)]
mod toys;
pub(crate) mod union;

pub mod span;

pub use decode::Nullable;
pub use error::{Error, ErrorKind};
pub use extra::Extra;
pub use integer::{Count, Integer, MAX_SAFE_INTEGER, Number, SafeInteger};
pub use json::{Json, JsonObject, NonNullJson};
pub use names::OtherValue;
pub use union::{Named, Unknown};
