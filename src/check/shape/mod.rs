//! A published schema, compiled into what the checker executes.
//!
//! A schema is brought into one form: for each JSON type, whether it is allowed and
//! under which conditions. What the compiler does not know it refuses, so that no
//! published keyword is silently without effect.

mod compile;
mod keywords;

use std::collections::HashMap;

use super::names::NameTable;
use crate::wire::path::Path;

/// A compiled schema.
#[derive(Debug)]
pub(crate) struct Shape {
    forms: Vec<Form>,
    root: FormId,
    definitions: HashMap<Box<str>, FormId>,
    /// What the protocol wants to know of an event, see [`Watches`].
    pub(crate) watches: Watches,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FormId(u32);

/// What values of each JSON type are allowed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Form {
    pub(crate) null: bool,
    pub(crate) boolean: bool,
    pub(crate) number: Option<NumberForm>,
    pub(crate) string: Option<StringForm>,
    pub(crate) array: Option<ArrayForm>,
    pub(crate) object: Option<ObjectForm>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct NumberForm {
    pub(crate) integer: bool,
    pub(crate) min: Option<f64>,
    pub(crate) max: Option<f64>,
}

impl NumberForm {
    /// Whether any number of up to fifteen digits, with a point or not, fits.
    pub(crate) fn takes_any_digits(&self) -> bool {
        self.min.is_none_or(|min| min <= 0.0) && self.max.is_none_or(|max| max >= 1e15)
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct StringForm {
    pub(crate) non_empty: bool,
    /// What the characters must be; most strings may be anything.
    pub(crate) judge: Option<Box<Judge>>,
}

/// Conditions on the characters of a string.
#[derive(Clone, Debug, Default)]
pub(crate) struct Judge {
    /// The only values allowed.
    pub(crate) allowed: Option<NameTable>,
    /// Values not allowed.
    pub(crate) forbidden: Option<NameTable>,
    /// The published values of an open list: others are allowed and worth a note.
    pub(crate) known: Option<NameTable>,
    pub(crate) json_pointer: bool,
    /// How every value ends.
    pub(crate) suffix: Option<Box<str>>,
    /// How no value ends.
    pub(crate) forbidden_suffix: Option<Box<str>>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct ArrayForm {
    pub(crate) items: Option<FormId>,
    pub(crate) min_items: usize,
}

#[derive(Clone, Debug)]
pub(crate) enum ObjectForm {
    /// Any members.
    Any,
    Members(MembersForm),
    /// One of several, told apart by a member.
    Tagged {
        member: Box<str>,
        tags: NameTable,
        variants: Vec<Variant>,
        /// What a tag outside the list leads to if it ends so.
        suffixed: Option<(Box<str>, Variant)>,
        /// What a tag outside the list, or no tag, leads to.
        otherwise: Option<FormId>,
    },
}

/// What a tag leads to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Variant {
    pub(crate) form: FormId,
    /// The position of the tag among the members of that form.
    pub(crate) tag: u8,
}

#[derive(Clone, Debug)]
pub(crate) struct MembersForm {
    /// The name of the definition, such as `AguiTextMessageStart`.
    pub(crate) definition: Box<str>,
    pub(crate) names: NameTable,
    pub(crate) members: Vec<MemberForm>,
    /// Bits of the members that must be there.
    pub(crate) required: u64,
    pub(crate) closed: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct MemberForm {
    pub(crate) form: FormId,
    pub(crate) watch: Watch,
    /// A string may stand there, and nobody looks into it.
    pub(crate) plain: bool,
    /// What that string must be: kept here as well, so that phase 1 need not follow `form`.
    pub(crate) judge: Option<Box<Judge>>,
}

impl MembersForm {
    /// The position of a member, which is its bit of `required`, and its form.
    pub(crate) fn find(&self, name: &str) -> Option<(usize, &MemberForm)> {
        let at = self.names.find(name)?;
        Some((at, self.members.get(at)?))
    }
}

impl Judge {
    /// Whether every value that fits is a published one.
    pub(crate) const fn has_list(&self) -> bool {
        self.allowed.is_some() || self.known.is_some()
    }

    /// Whether all that is asked is a JSON Pointer.
    pub(crate) fn is_pointer(&self) -> bool {
        let Self { allowed, forbidden, known, json_pointer, suffix, forbidden_suffix } = self;
        let lists = [allowed, forbidden, known];
        *json_pointer && lists.iter().all(|list| list.is_none()) && suffix.is_none() && forbidden_suffix.is_none()
    }
}

/// What is to be known of a member, besides whether it fits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Watch {
    /// The slot that takes its place and kind; 0 is none.
    pub(crate) slot: u8,
    /// How deep the objects of the contract lie that the slot is taken from; the event is 1.
    pub(crate) level: u8,
    /// Look for secret keys in it, and at its size.
    pub(crate) inspect: bool,
    /// An empty string is worth a closer look.
    pub(crate) no_empty: bool,
    /// The string is a piece of an event, which is looked at when it is whole.
    pub(crate) piece: bool,
    /// Slots for members below it, an index into [`Watches::below`] plus 1.
    pub(crate) below: u8,
}

/// Where the members stand whose facts a protocol wants.
#[derive(Debug, Default)]
pub(crate) struct Watches {
    /// The path of the member that each slot is taken from.
    paths: Vec<Path>,
    below: Vec<(NameTable, Vec<u8>)>,
    pub(crate) unknown: Unknown,
}

/// What to do about members that an open object does not name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Unknown {
    /// Nothing.
    #[default]
    Pass,
    /// Look at their keys.
    Inspect,
    /// Phase 2 reports them.
    Report,
}

#[expect(
    clippy::indexing_slicing,
    reason = "`below` counts these lists from 1, and a list has a slot for each of its names"
)]
impl Watches {
    /// The slot of member `name` below the value watched as `below`.
    #[inline]
    pub(crate) fn slot_below(&self, below: u8, name: &str) -> u8 {
        let (names, slots) = &self.below[below as usize - 1];
        names.find(name).map_or(0, |at| slots[at])
    }

    pub(crate) fn below(&self, below: u8) -> impl Iterator<Item = (&str, u8)> {
        let (names, slots) = &self.below[below as usize - 1];
        names.names().zip(slots.iter().copied())
    }
}

/// A row of a protocol's watch table: definition, member, what to do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WatchRow<'r> {
    /// The name of the definition; with a leading `*`, how it ends.
    pub(crate) definition: &'r str,
    /// The member of the event that the definition describes; empty for the event itself.
    pub(crate) parent: &'r str,
    pub(crate) member: &'r str,
    pub(crate) slot: u8,
    pub(crate) inspect: bool,
    pub(crate) no_empty: bool,
    pub(crate) piece: bool,
    /// Members below and their slots.
    pub(crate) below: &'static [(&'static str, u8)],
}

impl WatchRow<'static> {
    /// Takes the member's facts into `slot`.
    pub(crate) const fn slot(definition: &'static str, member: &'static str, slot: u8) -> Self {
        Self { definition, parent: "", member, slot, inspect: false, no_empty: false, piece: false, below: &[] }
    }

    /// Looks for secrets and size in the member.
    pub(crate) const fn inspect(definition: &'static str, member: &'static str) -> Self {
        Self { definition, parent: "", member, slot: 0, inspect: true, no_empty: false, piece: false, below: &[] }
    }

    /// The row, about an object that is a member of the event.
    pub(crate) const fn within(mut self, parent: &'static str) -> Self {
        self.parent = parent;
        self
    }

    pub(crate) const fn no_empty(mut self) -> Self {
        self.no_empty = true;
        self
    }

    /// The row, about a string that is a piece of an event: no secrets are looked for in it
    /// until the event is whole.
    pub(crate) const fn piece(mut self) -> Self {
        self.piece = true;
        self
    }
}

/// Numbers the slots of a protocol from 1: slot 0 takes the members that no rule asks for.
macro_rules! slots {
    ($($name:ident),+ $(,)?) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms, dead_code, reason = "the names of the slots below")]
        #[repr(u8)]
        enum Number { Unwatched, $($name),+ }
        $( pub(crate) const $name: u8 = Number::$name as u8; )+
    };
}
pub(crate) use slots;

/// Declares the slots of a protocol, and the rows that fill them: those of a group are made by the function of its name.
/// Behind them stand rows without a slot of their own.
macro_rules! watches {
    ($vis:vis $table:ident: $($row:ident { $($slot:ident = $member:expr),+ $(,)? })+ [ $($more:expr),* $(,)? ]) => {
        $crate::check::shape::slots!($($($slot),+),+);
        $vis const $table: &[$crate::check::shape::WatchRow<'static>] = &[$($($row($member, $slot),)+)+ $($more),*];
    };
}
pub(crate) use watches;

impl Shape {
    /// The path of the member that a slot is taken from.
    pub(crate) fn path_of(&self, slot: u8) -> Path {
        self.watches.paths.get(slot as usize).cloned().unwrap_or_default()
    }

    /// The tags of the events, in the order of the schema, if member `by` tells them apart.
    pub(crate) fn tags(&self, by: &str) -> Option<&NameTable> {
        match &self.form(self.root).object {
            Some(ObjectForm::Tagged { member, tags, .. }) if **member == *by => Some(tags),
            _ => None,
        }
    }

    /// Whether the schema names the text as a value or as a tag.
    pub(crate) fn publishes(&self, text: &str) -> bool {
        self.forms.iter().any(|form| {
            let judge = form.string.as_ref().and_then(|string| string.judge.as_deref());
            let lists = judge.map(|judge| [&judge.allowed, &judge.known]);
            let is_value = lists.into_iter().flatten().flatten().any(|list| list.find(text).is_some());
            let is_tag = match &form.object {
                Some(ObjectForm::Tagged { tags, variants, suffixed, .. }) => {
                    let of = suffixed.as_ref().map_or(text, |(suffix, _)| text.trim_end_matches(&**suffix));
                    select(tags, variants, None, of).is_some()
                }
                _ => false,
            };
            is_value || is_tag
        })
    }

    /// The position of the event whose tag is `tag`, and its form.
    pub(crate) fn variant(&self, tag: &str) -> Option<(usize, FormId)> {
        match &self.form(self.root).object {
            Some(ObjectForm::Tagged { tags, variants, suffixed, .. }) => {
                let (at, variant) = select(tags, variants, suffixed.as_ref(), tag)?;
                Some((at, variant.form))
            }
            _ => None,
        }
    }

    pub(crate) const fn root(&self) -> FormId {
        self.root
    }

    pub(crate) fn definition(&self, name: &str) -> Option<FormId> {
        self.definitions.get(name).copied()
    }

    /// The form of a member of a definition.
    pub(crate) fn member(&self, definition: &str, member: &str) -> Option<FormId> {
        self.member_of(self.definition(definition)?, member)
    }

    /// The form of a member of an object.
    pub(crate) fn member_of(&self, object: FormId, member: &str) -> Option<FormId> {
        match self.form(object).object.as_ref()? {
            ObjectForm::Members(members) => members.find(member).map(|(_, known)| known.form),
            _ => None,
        }
    }

    /// The form of the event whose tag is `tag`.
    fn members_of(&self, tag: &str) -> Option<&MembersForm> {
        match self.form(self.variant(tag)?.1).object.as_ref()? {
            ObjectForm::Members(members) => Some(members),
            _ => None,
        }
    }

    /// The members of the event whose tag is `tag`.
    pub(crate) fn names(&self, tag: &str) -> Option<&NameTable> {
        self.members_of(tag).map(|members| &members.names)
    }

    /// Whether an event must have a member.
    pub(crate) fn requires(&self, tag: &str, name: &str) -> bool {
        self.members_of(tag)
            .is_some_and(|members| members.names.find(name).is_some_and(|at| members.required & (1 << at) != 0))
    }

    pub(crate) fn definition_names(&self) -> impl Iterator<Item = &str> {
        self.definitions.keys().map(|name| &**name)
    }

    #[inline]
    #[expect(clippy::indexing_slicing, reason = "ids are given out with the forms of this very shape")]
    pub(crate) fn form(&self, id: FormId) -> &Form {
        &self.forms[id.0 as usize]
    }
}

/// The event that a tag means; one that is told by its end comes behind all others.
#[inline]
#[expect(clippy::indexing_slicing, reason = "each tag has its variant, at the same position")]
pub(crate) fn select(
    tags: &NameTable,
    variants: &[Variant],
    suffixed: Option<&(Box<str>, Variant)>,
    tag: &str,
) -> Option<(usize, Variant)> {
    if let Some(at) = tags.find(tag) {
        return Some((at, variants[at]));
    }
    let (suffix, variant) = suffixed?;
    tag.ends_with(&**suffix).then_some((variants.len(), *variant))
}

/// The pattern of RFC 6901, the only one that contracts use.
pub(crate) const JSON_POINTER: &str = "^(/([^/~]|~[01])*)*$";

/// Whether the text is a JSON Pointer.
pub(crate) fn is_json_pointer(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.first().is_none_or(|byte| *byte == b'/')
        && memchr::memchr_iter(b'~', bytes).all(|at| matches!(bytes.get(at + 1), Some(b'0' | b'1')))
}
