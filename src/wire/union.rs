//! The macro that declares a tagged union once: the event table of a protocol.

use super::decode::{Outcome, text, wrong_type};
use super::error::Fault;
use super::extra::Extra;
use super::json::Json;
use super::payload::Members;
use super::scan::{Cursor, Kind};
use super::tag::{self, TAG_CONFLICT, Tag, TagValue};
use super::text::Text;

/// An event or union member whose tag this version does not know, kept whole.
///
/// Since 0.1.0.
#[derive(Clone, PartialEq, Eq)]
pub struct Unknown {
    tag: Box<str>,
    /// All members but the tag, in the order in which they came.
    pub members: Extra,
    content: Option<Json>,
}

impl Unknown {
    /// An unknown event of type `tag`.
    pub fn new(tag: impl Into<Box<str>>, members: Extra) -> Self {
        Self { tag: tag.into(), members, content: None }
    }

    /// The content beside the tag, where it is no object; there are no members then.
    pub const fn content(&self) -> Option<&Json> {
        self.content.as_ref()
    }

    /// The tag on the wire.
    pub fn tag(&self) -> &str {
        &self.tag
    }
}

impl std::fmt::Debug for Unknown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Unknown")
            .field("tag", &crate::safe::show(&self.tag))
            .field("members", &self.members)
            .field("content", &self.content)
            .finish()
    }
}

/// A payload whose tag is open at its beginning: any name with the suffix of its row.
///
/// Since 0.1.0.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Named<T> {
    /// The whole tag on the wire.
    pub tag: Box<str>,
    /// The content.
    pub content: T,
}

impl<T> Named<T> {
    /// A payload under `tag`.
    pub fn new(tag: impl Into<Box<str>>, content: T) -> Self {
        Self { tag: tag.into(), content }
    }
}

/// Decodes an object by its tag member. `dispatch` reads the body of the given tag.
pub(crate) fn decode_tagged<'a, T>(
    cursor: &mut Cursor<'a>,
    member: &'static str,
    dispatch: impl Fn(&str, &mut Cursor<'a>, Option<(&str, TagValue<'_>)>) -> Outcome<T>,
) -> Outcome<T> {
    let before = *cursor;
    let start = cursor.kind().map(|_| cursor.offset())?;
    let text = cursor.text();
    let leading = tag::leading(&text[start..], member);
    if leading.is_none()
        && start == 0
        && let Some(name) = tag::trailing(text, member)
    {
        return dispatch(name, cursor, Some((member, TagValue::Last)));
    }
    if let Some(name) = leading.or_else(|| tag::first(cursor, member)) {
        let end = cursor.place_of(Text { raw: name, escaped: false }) + name.len() + 1;
        match dispatch(name, cursor, Some((member, TagValue::First { name, end }))) {
            Err(fault) if fault.kind == TAG_CONFLICT => *cursor = before,
            outcome => return outcome,
        }
    }
    let found: Option<Tag<'a>> = match tag::skim(cursor, member) {
        Some(tag) => Some(tag),
        None => tag::search(cursor, member, true)?,
    };
    let tag = found.ok_or(Fault::missing(member, start))?;
    dispatch(&tag.name()?, cursor, Some((member, TagValue::Last)))
}

/// What came with a tag that is not known. Content beside its tag need not be an object.
pub(crate) fn decode_unknown(
    name: &str,
    cursor: &mut Cursor<'_>,
    tag: Option<(&str, TagValue<'_>)>,
) -> Outcome<Unknown> {
    if tag.is_none() && cursor.kind()? != Kind::Object {
        let content = Some(Json::from_valid(cursor.raw()?));
        return Ok(Unknown { content, ..Unknown::new(name, Extra::new()) });
    }
    Ok(Unknown::new(name, super::extra::decode_extra(cursor, tag)?))
}

/// Reads an object whose tag and content are two of its members, such as
/// `{"idx":3,"type":"tool_start","data":{…}}`. `dispatch` reads the content of the given tag,
/// `other` takes the members beside the two. What is wrong with the content is said by the
/// inner outcome.
pub(crate) fn decode_beside<'a, T>(
    cursor: &mut Cursor<'a>,
    [tag, content]: [&'static str; 2],
    dispatch: impl Fn(&str, &mut Cursor<'a>) -> Outcome<T>,
    mut other: impl FnMut(&str, &mut Cursor<'a>) -> Outcome<()>,
) -> Outcome<Outcome<T>> {
    if cursor.kind()? != Kind::Object {
        return wrong_type(cursor, "an object");
    }
    let start = cursor.offset();
    cursor.open(b'{')?;
    let (mut name, mut body) = (None::<Cursor<'a>>, None::<Cursor<'a>>);
    // Of several, the last ones count: what was read with others is read again.
    let mut decoded = None;
    let mut first = true;
    while let Some(key) = cursor.member(&mut first)? {
        let key = super::extra::member_name(key, start)?;
        if key == tag {
            cursor.kind()?;
            (name, decoded) = (Some(*cursor), None);
            cursor.skip()?;
        } else if key == content {
            cursor.kind()?;
            if let Some(mut earlier) = body.replace(*cursor) {
                earlier.skip()?;
            }
            let before = *cursor;
            decoded = name.and_then(|mut name| text(&mut name).ok()).map(|name| dispatch(&name, cursor));
            if !matches!(decoded, Some(Ok(_))) {
                *cursor = before;
                cursor.skimmed()?;
            }
        } else {
            other(&key, cursor)?;
        }
    }
    let name = text(&mut name.ok_or(Fault::missing(tag, start))?)?;
    let mut body = body.ok_or(Fault::missing(content, start))?;
    Ok(decoded.unwrap_or_else(|| dispatch(&name, &mut body)))
}

impl<T: Members> Members for Box<T> {
    fn decode_members(cursor: &mut Cursor<'_>, tag: Option<(&str, TagValue<'_>)>) -> Outcome<Self> {
        T::decode_members(cursor, tag).map(Box::new)
    }

    fn serialize_members<M: serde::ser::SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        (**self).serialize_members(map)
    }
}

/// Declares a union: one row a member.
///
/// ```text
/// tagged_union! {
///     /// What it is.
///     pub enum Event, EventType = "Event", tag member "type" {
///         /// What the row is.
///         TextMessageEnd(TextMessageEnd) = "TEXT_MESSAGE_END" since "0.0.27",
///         ToolStart(ToolStart) = "tool_start" | OldToolStart = "toolStart",
///     }
///     suffix { Delta(DeltaPart) = "_delta_sse" }
/// }
/// ```
/// `tag member "type"`: the tag is a member of the object that holds the content.
/// `tag frame`: the tag is the SSE frame's event name, the data is the content.
/// A name after `|` is an alias: a variant of its own with the same content, so that encoding
/// writes the name that came.
/// A tag with the suffix of a `suffix` row decodes to that row and is kept whole.
/// `, each $ of_every` behind the tag declares a macro of that name, which takes something of
/// whatever event it is.
macro_rules! tagged_union {
    (
        $(#[doc = $doc:literal])*
        pub enum $name:ident, $type_name:ident = $schema:literal, tag $source:ident $($member:literal)? $(, each $d:tt $each:ident)? {
            $( $(#[doc = $vdoc:literal])*
               $variant:ident($payload:ty) = $tag:literal $(| $avariant:ident = $alias:literal)* $(since $since:literal)? ),+ $(,)?
        }
        $( suffix { $( $(#[doc = $sdoc:literal])* $svariant:ident($spayload:ty) = $suffix:literal ),+ $(,)? } )?
    ) => {
        $crate::wire::union::tagged_union!(@each [$($d $each)?] $name [$($variant $($avariant)*)+]);

        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum $name {
            $(
                $(#[doc = $vdoc])* #[doc = concat!("\n\n`", $tag, "` on the wire.")] $variant($payload),
                $( #[doc = concat!("Another name of `", $tag, "`.\n\n`", $alias, "` on the wire.")] $avariant($payload), )*
            )+
            $($( $(#[doc = $sdoc])* #[doc = concat!("\n\n`…", $suffix, "` on the wire.")] $svariant($crate::wire::Named<$spayload>), )+)?
            /// A tag that this version does not know, with everything that came with it.
            Unknown($crate::wire::Unknown),
        }

        #[doc = concat!("The known tags of [`", stringify!($name), "`].")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum $type_name {
            $(
                $(#[doc = $vdoc])* #[doc = concat!("\n\n`", $tag, "` on the wire.")] $variant,
                $( #[doc = concat!("Another name of `", $tag, "`.\n\n`", $alias, "` on the wire.")] $avariant, )*
            )+
        }

        impl $type_name {
            /// Every known tag, in the order of the contract.
            pub const ALL: &[Self] = &[$(Self::$variant $(, Self::$avariant)*),+];

            /// The tag on the wire.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $( Self::$variant => $tag, $(Self::$avariant => $alias,)* )+
                }
            }

            /// The known tag that `tag` names.
            pub fn from_tag(tag: &str) -> Option<Self> {
                match tag {
                    $( $tag => Some(Self::$variant), $($alias => Some(Self::$avariant),)* )+
                    _ => None,
                }
            }

            /// The first version of the contract that has the tag, where it is known.
            pub const fn since(self) -> Option<&'static str> {
                match self {
                    $( Self::$variant $(| Self::$avariant)* => $crate::wire::union::tagged_union!(@since $($since)?), )+
                }
            }
        }

        impl std::fmt::Display for $type_name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl $name {
            /// The known tag of this value; `None` for an unknown one.
            pub fn known_type(&self) -> Option<$type_name> {
                match self {
                    $( Self::$variant(_) => Some($type_name::$variant), $(Self::$avariant(_) => Some($type_name::$avariant),)* )+
                    _ => None,
                }
            }

            /// The tag on the wire.
            pub fn tag(&self) -> &str {
                match self {
                    $( Self::$variant(_) => $tag, $(Self::$avariant(_) => $alias,)* )+
                    $($( Self::$svariant(named) => &named.tag, )+)?
                    Self::Unknown(unknown) => unknown.tag(),
                }
            }

            /// Reads the body of `tag` from an object that may hold the tag as well.
            fn decode_body(
                name: &str,
                cursor: &mut $crate::wire::scan::Cursor<'_>,
                tag: Option<(&str, $crate::wire::tag::TagValue<'_>)>,
            ) -> $crate::wire::decode::Outcome<Self> {
                use $crate::wire::payload::Members;
                match $type_name::from_tag(name) {
                    $( Some($type_name::$variant) => {
                        <$payload as Members>::decode_members(cursor, tag).map(Self::$variant)
                    }
                    $( Some($type_name::$avariant) => {
                        <$payload as Members>::decode_members(cursor, tag).map(Self::$avariant)
                    } )* )+
                    $($( None if name.ends_with($suffix) => {
                        let content = <$spayload as Members>::decode_members(cursor, tag)?;
                        Ok(Self::$svariant($crate::wire::Named::new(name, content)))
                    } )+)?
                    None => $crate::wire::union::decode_unknown(name, cursor, tag).map(Self::Unknown),
                }
            }

            fn serialize_body<M: serde::ser::SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
                use $crate::wire::payload::Members;
                match self {
                    $( Self::$variant(body) $(| Self::$avariant(body))* => body.serialize_members(map), )+
                    $($( Self::$svariant(named) => named.content.serialize_members(map), )+)?
                    Self::Unknown(unknown) => {
                        for (name, value) in unknown.members.iter() {
                            map.serialize_entry(name, value)?;
                        }
                        Ok(())
                    }
                }
            }

            /// The members of the union in the order of the table, each with its definition.
            #[cfg(feature = "schema")]
            pub(crate) fn branches(generator: &mut schemars::SchemaGenerator) -> Vec<$crate::wire::schema::Branch> {
                use $crate::wire::schema::Branch;
                let member = $crate::wire::union::tagged_union!(@member $($member)?);
                vec![$(
                    Branch::new::<$payload>(generator, member, $tag, concat!($($vdoc, "\n"),*)),
                    $( Branch::alias::<$payload>(
                        generator, member, $alias, $tag, concat!("Another name of `", $tag, "`."),
                    ), )*
                )+]
            }
        }

        $( impl From<$payload> for $name {
            fn from(body: $payload) -> Self {
                Self::$variant(body)
            }
        } )+

        $crate::wire::union::tagged_union!(@serde $source $name $schema $($member)? [$($doc)*]);
    };

    (@each [] $($rest:tt)*) => {};
    (@each [$d:tt $each:ident] $name:ident [$($variant:ident)+]) => {
        /// Gives a value of whatever event it is; `None` for an unknown one.
        macro_rules! $each {
            ($d event:expr, $d body:ident => $d value:expr) => {
                match $d event {
                    $( $name::$variant($d body) => Some($d value), )+
                    _ => None,
                }
            };
        }
    };
    (@since) => { None };
    (@since $since:literal) => { Some($since) };
    (@member) => { None };
    (@member $member:literal) => { Some($member) };

    (@serde member $name:ident $schema:literal $member:literal [$($doc:literal)*]) => {
        impl $name {
            /// Decodes JSON text.
            ///
            /// # Errors
            /// When the text is not JSON, has no tag, or has a known tag with a body
            /// that is not of its shape. An unknown tag is not an error.
            pub fn from_json(text: &str) -> Result<Self, $crate::wire::Error> {
                $crate::wire::decode::from_json(text)
            }

            /// Encodes as JSON text on one line, the tag first.
            pub fn to_json(&self) -> String {
                serde_json::to_string(self).unwrap_or_default()
            }
        }

        impl $crate::wire::decode::Decode for $name {
            fn decode(cursor: &mut $crate::wire::scan::Cursor<'_>) -> $crate::wire::decode::Outcome<Self> {
                $crate::wire::union::decode_tagged(cursor, $member, Self::decode_body)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use serde::ser::SerializeMap;
                let mut map = serializer.serialize_map(None)?;
                map.serialize_entry($member, self.tag())?;
                self.serialize_body(&mut map)?;
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

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let branches = Self::branches(generator).into_iter().map(|branch| branch.reference);
                $crate::wire::schema::union_of(concat!($($doc, "\n"),*), branches)
            }
        }
    };
    (@serde frame $name:ident $schema:literal [$($doc:literal)*]) => {
        impl $name {
            /// Decodes the data of a frame, or the content of an envelope, of type `tag`.
            ///
            /// # Errors
            /// When the text is not JSON, or `tag` is known and the text is not of its shape.
            pub fn from_tagged_json(tag: &str, data: &str) -> Result<Self, $crate::wire::Error> {
                use $crate::wire::{decode::DEPTH, scan::Cursor};
                let mut cursor = Cursor::new(data, DEPTH);
                let decoded = Self::decode_body(tag, &mut cursor, None).and_then(|event| {
                    cursor.end()?;
                    Ok(event)
                });
                decoded.map_err(|fault| $crate::wire::Error::locate(fault, data))
            }
        }

        impl serde::Serialize for $name {
            /// Writes the content; the tag travels outside of it.
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use serde::ser::SerializeMap;
                if let Self::Unknown(unknown) = self
                    && let Some(content) = unknown.content()
                {
                    return content.serialize(serializer);
                }
                let mut map = serializer.serialize_map(None)?;
                self.serialize_body(&mut map)?;
                map.end()
            }
        }
    };
}

pub(crate) use tagged_union;
