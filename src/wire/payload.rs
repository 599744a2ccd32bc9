//! The macro that declares a payload once: struct, constructor, decoding, encoding, schema.

use serde::ser::SerializeMap;

use super::decode::Outcome;
use super::scan::Cursor;
use super::tag::TagValue;

/// The members of an object, apart from a tag that the enclosing union owns.
pub(crate) trait Members: Sized {
    /// Reads the object that comes next. `tag` is a member to pass over, with the
    /// value that it must have.
    fn decode_members(cursor: &mut Cursor<'_>, tag: Option<(&str, TagValue<'_>)>) -> Outcome<Self>;

    /// Writes the members into a map that is being serialised.
    fn serialize_members<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error>;
}

/// Declares an object of the contract.
///
/// ```text
/// payload! {
///     /// What it is.
///     pub struct Name = "SchemaName", closed {
///         /// What the member is.
///         required id: MessageId = "id",
///         expected version: String = "version",
///         optional name: String = "name" where {"minLength": 1},
///     }
/// }
/// ```
/// `required`: absence is a decoding error. `expected`: the schema and the constructor
/// demand it, decoding does not. `optional`: may be absent; `null` is refused unless the
/// type takes it. `closed` or `open` says whether the schema admits unknown members;
/// decoding keeps them in `extra` either way. `where` adds keywords to the member's
/// schema: the checker executes them, decoding does not.
///
/// Members that several payloads have in common are declared once, by [`common_members!`],
/// and included by name: `closed with base {…}`. On the wire and in the struct they lie
/// flat, behind the payload's own.
macro_rules! payload {
    (
        $(#[doc = $doc:literal])*
        pub struct $name:ident = $schema:literal, $openness:ident with $common:ident { $($members:tt)* }
    ) => {
        $common! {
            { $(#[doc = $doc])* pub struct $name = $schema, $openness }
            { $($members)* }
        }
    };

    (
        $(#[doc = $doc:literal])*
        pub struct $name:ident = $schema:literal, $openness:ident {
            $( $(#[doc = $fdoc:literal])* $presence:ident $field:ident : $type:ty = $wire:literal
               $(where $constraint:tt)? ),* $(,)?
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct $name {
            $( $(#[doc = $fdoc])* #[doc = concat!("\n\n`", $wire, "` on the wire.")]
               pub $field: $crate::wire::payload::payload!(@type $presence $type), )*
            /// Members that the contract does not name, kept as they came.
            pub extra: $crate::wire::Extra,
        }

        impl $name {
            $crate::wire::payload::payload!(@new $name [] [] $($presence $field: $type,)*);
            $crate::wire::payload::payload!(@with $($presence $field: $type,)*);

            /// Decodes JSON text; a tag that a union would own is kept in `extra`.
            ///
            /// # Errors
            /// When the text is not JSON or not of this shape.
            pub fn from_json(text: &str) -> Result<Self, $crate::wire::Error> {
                $crate::wire::decode::from_json(text)
            }
        }

        impl $crate::wire::payload::Members for $name {
            fn decode_members(
                cursor: &mut $crate::wire::scan::Cursor<'_>,
                tag: Option<(&str, $crate::wire::tag::TagValue<'_>)>,
            ) -> $crate::wire::decode::Outcome<Self> {
                if cursor.kind()? != $crate::wire::scan::Kind::Object {
                    return $crate::wire::decode::wrong_type(cursor, "an object");
                }
                let start = cursor.offset();
                let mut first = $crate::wire::tag::enter(cursor, tag)?;
                let mut extra = $crate::wire::Extra::new();
                $( let mut $field: Option<$crate::wire::decode::Outcome<$type>> = None; )*
                while let Some(key) = cursor.member(&mut first)? {
                    let name = $crate::wire::extra::member_name(key, start)?;
                    match &*name {
                        $( $wire => $field = Some($crate::wire::payload::attempt::<$type>(cursor)?), )*
                        other => $crate::wire::extra::other_member(cursor, other, tag, &mut extra)?,
                    }
                }
                extra.settle();
                Ok(Self {
                    $( $field: $crate::wire::payload::payload!(@take $presence $field $wire start), )*
                    extra,
                })
            }

            fn serialize_members<M: serde::ser::SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
                $( $crate::wire::payload::payload!(@write $presence self $field $wire map); )*
                for (name, value) in self.extra.iter() {
                    map.serialize_entry(name, value)?;
                }
                Ok(())
            }
        }

        impl $crate::wire::decode::Decode for $name {
            fn decode(cursor: &mut $crate::wire::scan::Cursor<'_>) -> $crate::wire::decode::Outcome<Self> {
                <Self as $crate::wire::payload::Members>::decode_members(cursor, None)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use serde::ser::SerializeMap;
                let mut map = serializer.serialize_map(None)?;
                $crate::wire::payload::Members::serialize_members(self, &mut map)?;
                map.end()
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::wire::capture::deserialize(deserializer)
            }
        }

        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                $schema.into()
            }

            #[allow(unused_variables, unused_mut, reason = "an object may have no members")]
            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let mut object = $crate::wire::schema::ObjectSchema::new(
                    concat!($($doc, "\n"),*),
                    stringify!($openness) == "closed",
                );
                $( object.member(
                    $wire,
                    stringify!($presence) != "optional",
                    generator.subschema_for::<$type>(),
                    concat!($($fdoc, "\n"),*),
                    $crate::wire::payload::payload!(@constraint $($constraint)?),
                ); )*
                object.finish()
            }
        }
    };

    (@constraint) => { None };
    (@constraint $constraint:tt) => { Some(serde_json::json!($constraint)) };

    (@type required $type:ty) => { $type };
    (@type $presence:ident $type:ty) => { Option<$type> };

    (@take required $field:ident $wire:literal $start:ident) => {
        $field.ok_or_else(|| $crate::wire::error::Fault::missing($wire, $start))??
    };
    (@take $presence:ident $field:ident $wire:literal $start:ident) => { $field.transpose()? };

    (@write required $self:ident $field:ident $wire:literal $map:ident) => {
        $map.serialize_entry($wire, &$self.$field)?
    };
    (@write $presence:ident $self:ident $field:ident $wire:literal $map:ident) => {
        if let Some(value) = &$self.$field {
            $map.serialize_entry($wire, value)?;
        }
    };

    (@new $name:ident [$($param:tt)*] [$($init:tt)*] required $field:ident: $type:ty, $($rest:tt)*) => {
        $crate::wire::payload::payload!(@new $name
            [$($param)* $field: impl Into<$type>,] [$($init)* $field: $field.into(),] $($rest)*);
    };
    (@new $name:ident [$($param:tt)*] [$($init:tt)*] expected $field:ident: $type:ty, $($rest:tt)*) => {
        $crate::wire::payload::payload!(@new $name
            [$($param)* $field: impl Into<$type>,] [$($init)* $field: Some($field.into()),] $($rest)*);
    };
    (@new $name:ident [$($param:tt)*] [$($init:tt)*] optional $field:ident: $type:ty, $($rest:tt)*) => {
        $crate::wire::payload::payload!(@new $name [$($param)*] [$($init)* $field: None,] $($rest)*);
    };
    (@new $name:ident [$($param:tt)*] [$($init:tt)*]) => {
        #[doc = concat!("A `", stringify!($name), "` of its required members.")]
        #[allow(clippy::too_many_arguments, clippy::new_without_default, reason = "the contract decides how many there are")]
        pub fn new($($param)*) -> Self {
            Self { $($init)* extra: $crate::wire::Extra::new() }
        }
    };

    (@with required $field:ident: $type:ty, $($rest:tt)*) => {
        $crate::wire::payload::payload!(@with $($rest)*);
    };
    (@with expected $field:ident: $type:ty, $($rest:tt)*) => {
        $crate::wire::payload::payload!(@with $($rest)*);
    };
    (@with optional $field:ident: $type:ty, $($rest:tt)*) => {
        pastey::paste! {
            #[doc = concat!("Sets `", stringify!($field), "`.")]
            #[must_use]
            pub fn [<with_ $field>](mut self, $field: impl Into<$type>) -> Self {
                self.$field = Some($field.into());
                self
            }
        }
        $crate::wire::payload::payload!(@with $($rest)*);
    };
    (@with) => {};
}

pub(crate) use payload;

/// Declares members that several payloads have in common, under a name that
/// [`payload!`] takes behind `with`.
macro_rules! common_members {
    ($d:tt $name:ident with [$($next:tt)+] { $($members:tt)* }) => {
        macro_rules! $name {
            ({ $d($d head:tt)* } { $d($d own:tt)* }) => {
                $($next)+! { { $d($d head)* } { $d($d own)* $($members)* } }
            };
        }
        pub(in super::super) use $name;
    };
    ($d:tt $name:ident { $($members:tt)* }) => {
        macro_rules! $name {
            ({ $d($d head:tt)* } { $d($d own:tt)* }) => {
                $crate::wire::payload::payload! { $d($d head)* { $d($d own)* $($members)* } }
            };
        }
        pub(in super::super) use $name;
    };
}

pub(crate) use common_members;

/// Decodes a member. What is wrong with it is said later, since of repeated members only
/// the last counts; text that is not JSON is an error at once.
#[inline]
pub(crate) fn attempt<T: super::decode::Decode>(cursor: &mut Cursor<'_>) -> Outcome<Outcome<T>> {
    let before = *cursor;
    let decoded = T::decode(cursor);
    if decoded.is_err() {
        *cursor = before;
        cursor.skip()?;
    }
    Ok(decoded)
}
