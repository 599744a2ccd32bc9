//! Enums of the crate's own words, such as severities, which users write and programs read.

/// Declares an enum of words: `ALL`, `as_str`, `Display`, `FromStr` and serde from one list.
macro_rules! words {
    (
        $(#[$attr:meta])*
        pub enum $name:ident, unknown $error:ident {
            $( $(#[$vattr:meta])* $variant:ident = $word:literal ),+ $(,)?
        }
    ) => {
        $(#[$attr])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $( $(#[$vattr])* #[doc = concat!("\n\nWritten `", $word, "`.")] $variant, )+
        }

        impl $name {
            /// Every one, in the order of declaration.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The words of all.
            pub(crate) const WORDS: &[&str] = &[$($word),+];

            /// The word.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $( Self::$variant => $word, )+
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        #[doc = concat!("A word that names no [`", stringify!($name), "`].")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
        #[error("expected one of {}", $name::WORDS.join(", "))]
        #[non_exhaustive]
        pub struct $error;

        impl std::str::FromStr for $name {
            type Err = $error;

            fn from_str(word: &str) -> Result<Self, $error> {
                match word {
                    $( $word => Ok(Self::$variant), )+
                    _ => Err($error),
                }
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let word = std::borrow::Cow::<str>::deserialize(deserializer)?;
                word.parse().map_err(serde::de::Error::custom)
            }
        }

        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({"type": "string", "enum": Self::WORDS})
            }
        }
    };
}

pub(crate) use words;
