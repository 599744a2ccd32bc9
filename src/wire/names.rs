//! Macros for the strings of a contract: enums, open or closed, and ids.

/// Declares a string enum.
///
/// `open`: a value outside the list is kept as `Other`. `closed`: it is an error.
macro_rules! string_enum {
    (
        open
        $(#[doc = $doc:literal])*
        pub enum $name:ident {
            $( $(#[doc = $vdoc:literal])* $variant:ident = $wire:literal ),+ $(,)?
        }
    ) => {
        $(#[doc = $doc])*
        ///
        /// Open: a value that this version does not know is kept as `Other`.
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $( $(#[doc = $vdoc])* #[doc = concat!("`", $wire, "` on the wire.")] $variant, )+
            /// A value outside the published list, as it came.
            Other($crate::wire::OtherValue),
        }

        impl $name {
            /// The published values, in the order of the contract.
            pub const KNOWN: &[&str] = &[$($wire),+];

            /// What they mean.
            #[cfg(feature = "schema")]
            #[allow(dead_code, reason = "few enums have a definition for each of their values")]
            pub(crate) const DOCS: &[&str] = &[$(concat!($($vdoc, "\n"),*)),+];

            /// The value on the wire.
            pub fn as_str(&self) -> &str {
                match self {
                    $( Self::$variant => $wire, )+
                    Self::Other(other) => other.as_str(),
                }
            }

            /// Whether the value is in the published list.
            pub fn is_known(&self) -> bool {
                !matches!(self, Self::Other(_))
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                match text {
                    $( $wire => Self::$variant, )+
                    other => Self::Other($crate::wire::OtherValue::new(other)),
                }
            }
        }

        impl $crate::wire::decode::Decode for $name {
            fn decode(cursor: &mut $crate::wire::scan::Cursor<'_>) -> $crate::wire::decode::Outcome<Self> {
                $crate::wire::decode::text(cursor).map(|text| Self::from(&*text))
            }
        }

        #[cfg(feature = "schema")]
        $crate::wire::names::string_schema!($name, {"type": "string", "anyOf": [{"enum": Self::KNOWN}, {}]});

        $crate::wire::names::string_impls!($name);
    };
    (
        closed
        $(#[doc = $doc:literal])*
        pub enum $name:ident {
            $( $(#[doc = $vdoc:literal])* $variant:ident = $wire:literal ),+ $(,)?
        }
    ) => {
        $(#[doc = $doc])*
        ///
        /// Closed: another value is a contract violation, not an extension.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $( $(#[doc = $vdoc])* #[doc = concat!("`", $wire, "` on the wire.")] $variant, )+
        }

        impl $name {
            /// The values, in the order of the contract.
            pub const KNOWN: &[&str] = &[$($wire),+];

            /// The value on the wire.
            pub fn as_str(&self) -> &'static str {
                match self {
                    $( Self::$variant => $wire, )+
                }
            }
        }

        impl $crate::wire::decode::Decode for $name {
            fn decode(cursor: &mut $crate::wire::scan::Cursor<'_>) -> $crate::wire::decode::Outcome<Self> {
                use $crate::wire::error::{ErrorKind, Fault};
                let start = cursor.kind().map(|_| cursor.offset())?;
                match &*$crate::wire::decode::text(cursor)? {
                    $( $wire => Ok(Self::$variant), )+
                    _ => Err(Fault::new(ErrorKind::Value($crate::wire::names::one_of!($($wire),+)), start)),
                }
            }
        }

        #[cfg(feature = "schema")]
        $crate::wire::names::string_schema!($name, {"type": "string", "enum": Self::KNOWN});

        $crate::wire::names::string_impls!($name);
    };
}

/// The words of a list, as messages show them.
macro_rules! one_of {
    ($first:literal $(, $rest:literal)*) => {
        concat!("`", $first, "`" $(, ", `", $rest, "`")*)
    };
}

/// `Display`, `Serialize` and `Deserialize` of a type that has `as_str` and `Decode`.
macro_rules! string_impls {
    ($name:ident) => {
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::wire::capture::deserialize(deserializer)
            }
        }
    };
}

/// Declares transparent id types over a shared string. Ids are opaque: any string,
/// the empty one included, is a legal id on the wire.
macro_rules! ids {
    ($( $(#[doc = $doc:literal])* $name:ident ),+ $(,)?) => { $(
        $(#[doc = $doc])*
        ///
        /// Opaque: any string is a legal value. Cheap to clone.
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(std::sync::Arc<str>);

        impl $name {
            /// The id on the wire.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl<T: AsRef<str> + ?Sized> From<&T> for $name {
            fn from(id: &T) -> Self {
                Self(id.as_ref().into())
            }
        }

        impl From<String> for $name {
            fn from(id: String) -> Self {
                Self(id.into())
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        /// So a map with ids as keys is searched by text.
        impl std::borrow::Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl $crate::wire::decode::Decode for $name {
            fn decode(cursor: &mut $crate::wire::scan::Cursor<'_>) -> $crate::wire::decode::Outcome<Self> {
                $crate::wire::decode::text(cursor).map(|text| Self(text.as_ref().into()))
            }
        }

        #[cfg(feature = "schema")]
        $crate::wire::names::string_schema!($name, {"type": "string"});

        $crate::wire::names::string_impls!($name);
    )+ };
}

#[cfg(feature = "schema")]
macro_rules! string_schema {
    ($name:ident, $schema:tt) => {
        impl schemars::JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!($schema)
            }
        }
    };
}

#[cfg(feature = "schema")]
pub(crate) use string_schema;
pub(crate) use {ids, one_of, string_enum, string_impls};

/// A value that an open enum does not list.
///
/// Since 0.1.0.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct OtherValue(Box<str>);

impl OtherValue {
    pub(crate) fn new(text: &str) -> Self {
        Self(text.into())
    }

    /// The value on the wire.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for OtherValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&crate::safe::show(&self.0))
    }
}
