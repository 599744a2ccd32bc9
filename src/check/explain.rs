//! Phase 2: what exactly does not fit the shape, in document order, with places.

use std::fmt;
use std::ops::Range;

use super::misspelt::Misspelt;
use super::names::NameTable;
use super::rule::Profile;
use super::shape::{
    ArrayForm, Form, FormId, MembersForm, NumberForm, ObjectForm, Shape, StringForm, is_json_pointer, select,
};
use super::tree::{Member, Node, Value};
use crate::wire::number::{is_integer, to_f64};
use crate::wire::path::{Path, Trail};
use crate::wire::scan::Kind;

/// The keyword of the schema that a value fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keyword {
    /// The JSON type.
    Type,
    /// A required member is absent.
    Required,
    /// A member that a closed object does not name.
    Closed,
    /// A value outside a list, or in a list of forbidden ones.
    Enum,
    /// The tag of a union is absent, no string, or not in its table.
    Tag,
    /// A number out of range or not an integer.
    Number,
    /// A pattern.
    Pattern,
    /// A string or array too short.
    Length,
}

/// One thing that does not fit.
#[derive(Clone)]
pub(crate) struct Mismatch<'s> {
    pub(crate) keyword: Keyword,
    pub(crate) path: Path,
    pub(crate) span: Range<usize>,
    /// The definition that the value, or the object it is a member of, was held against.
    pub(crate) definition: &'s str,
    /// The member, empty for the root and for array elements.
    pub(crate) member: String,
    /// What stands there; the object for a missing member.
    pub(crate) actual: Kind,
    /// It is a member that could be left out.
    pub(crate) is_optional: bool,
    /// What the contract says.
    pub(crate) expected: Expected<'s>,
    /// A number that is an integer as asked for, and too small or too large.
    pub(crate) out_of_range: bool,
    /// The name that was meant, where a member stands under one that is nearly it.
    pub(crate) meant: Option<String>,
    /// The object that lacks the member lacks all that it has to have, which is more than one.
    pub(crate) lacks_all: bool,
    /// The others that an object lacks, if it lacks all; the mismatch is about the object then.
    pub(crate) others: Vec<String>,
}

/// What the contract says of a value; in words, such as `a string`, for whoever prints it.
#[derive(Clone, Copy)]
pub(crate) enum Expected<'s> {
    Form(&'s Form),
    Number(&'s NumberForm),
    String(&'s StringForm),
    Tag(&'s NameTable),
    Ending(&'s str),
    Said(&'static str),
}

impl fmt::Display for Expected<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Form(form) => f.write_str(&describe(form)),
            Self::Number(form) => f.write_str(&describe_number(form)),
            Self::String(form) => f.write_str(&describe_string(form)),
            Self::Tag(tags) => f.write_str(&list(tags.names())),
            Self::Ending(suffix) => write!(f, "a string that ends in {suffix}"),
            Self::Said(said) => f.write_str(said),
        }
    }
}

/// How unknown things are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// As the schema has it: everything that does not fit is reported.
    Schema,
    /// As a receiver has it: what it removes is reported once, and nothing below it; a
    /// member under a misspelt name is one fault.
    Receive,
}

impl Reading {
    /// How the profile reads.
    pub(crate) fn of(profile: Profile) -> Self {
        if profile == Profile::Schema { Self::Schema } else { Self::Receive }
    }
}

/// What is worth looking for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Worth {
    /// So many mismatches.
    pub(crate) most: usize,
    /// The name that was meant by a member that is not known.
    pub(crate) hints: bool,
}

impl Worth {
    pub(crate) const ALL: Self = Self { most: usize::MAX, hints: true };
}

/// Whether a value stays when a receiver has removed what it does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Kept,
    Removed,
}

/// Lists what does not fit, in document order, as far as it is worth listing.
pub(crate) fn mismatches<'s>(
    shape: &'s Shape,
    root: FormId,
    node: &Node<'_>,
    reading: Reading,
    worth: Worth,
) -> Vec<Mismatch<'s>> {
    let mut explainer = Explainer { shape, reading, found: Vec::new(), worth, definition: "", is_optional: false };
    explainer.value(root, node, None, &Trail::root());
    explainer.found
}

struct Explainer<'s> {
    shape: &'s Shape,
    reading: Reading,
    found: Vec<Mismatch<'s>>,
    worth: Worth,
    definition: &'s str,
    is_optional: bool,
}

impl<'s> Explainer<'s> {
    fn report(
        &mut self,
        trail: &Trail<'_>,
        keyword: Keyword,
        span: Range<usize>,
        actual: Kind,
        expected: Expected<'s>,
    ) {
        if self.found.len() >= self.worth.most {
            return;
        }
        self.found.push(Mismatch {
            keyword,
            path: trail.path(),
            span,
            definition: self.definition,
            member: trail.member().into(),
            actual,
            is_optional: self.is_optional,
            expected,
            out_of_range: false,
            meant: None,
            lacks_all: false,
            others: Vec::new(),
        });
    }

    /// `tag` is where the caret of a missing member stands, if the object has a tag.
    fn value(&mut self, form: FormId, node: &Node<'_>, tag: Option<Range<usize>>, trail: &Trail<'_>) -> Fate {
        if self.found.len() >= self.worth.most {
            return Fate::Kept;
        }
        let shape: &'s Shape = self.shape;
        let form = shape.form(form);
        let span = node.span();
        match (&node.value, form) {
            (Value::Null, Form { null: true, .. }) | (Value::Bool(_), Form { boolean: true, .. }) => {}
            (Value::Number(text), Form { number: Some(form), .. }) => self.number(form, text, span, trail),
            (Value::String(_), Form { string: Some(form), .. }) => self.string(form, node, trail),
            (Value::Array(_), Form { array: Some(form), .. }) => self.array(form, node, span, trail),
            (Value::Object(_), Form { object: Some(form), .. }) => return self.object(form, node, tag, trail),
            _ => self.report(trail, Keyword::Type, span, node.kind(), Expected::Form(form)),
        }
        Fate::Kept
    }

    fn number(&mut self, form: &'s NumberForm, text: &str, span: Range<usize>, trail: &Trail<'_>) {
        let value = to_f64(text);
        let out = form.min.is_some_and(|min| value < min) || form.max.is_some_and(|max| value > max);
        let fractional = form.integer && !is_integer(text);
        if out || fractional {
            self.report(trail, Keyword::Number, span, Kind::Number, Expected::Number(form));
            if let Some(mismatch) = self.found.last_mut() {
                mismatch.out_of_range = !fractional;
            }
        }
    }

    fn string(&mut self, form: &'s StringForm, node: &Node<'_>, trail: &Trail<'_>) {
        let Some(text) = node.as_str() else { return };
        let span = node.span();
        if form.non_empty && text.is_empty() {
            self.report(trail, Keyword::Length, span, Kind::String, Expected::Said("a non-empty string"));
            return;
        }
        let Some(judge) = &form.judge else { return };
        if judge.allowed.as_ref().is_some_and(|allowed| allowed.find(&text).is_none()) {
            self.report(trail, Keyword::Enum, span, Kind::String, Expected::String(form));
        } else if judge.forbidden.as_ref().is_some_and(|forbidden| forbidden.find(&text).is_some()) {
            self.report(trail, Keyword::Enum, span, Kind::String, Expected::Said("a value that is allowed"));
        } else if let Some(suffix) = judge.suffix.as_ref().filter(|suffix| !text.ends_with(&***suffix)) {
            self.report(trail, Keyword::Pattern, span, Kind::String, Expected::Ending(suffix));
        } else if judge.forbidden_suffix.as_ref().is_some_and(|suffix| text.ends_with(&**suffix)) {
            self.report(trail, Keyword::Pattern, span, Kind::String, Expected::Said("a string with another ending"));
        } else if judge.json_pointer && !is_json_pointer(&text) {
            self.report(trail, Keyword::Pattern, span, Kind::String, Expected::Said("a JSON Pointer"));
        }
    }

    fn array(&mut self, form: &'s ArrayForm, node: &Node<'_>, span: Range<usize>, trail: &Trail<'_>) {
        if let Some(items) = form.items {
            self.is_optional = false;
            for (index, element) in node.elements().iter().enumerate() {
                if self.found.len() >= self.worth.most {
                    break;
                }
                // A receiver removes the element alone.
                self.value(items, element, None, &trail.index(index));
            }
        }
        if form.min_items > 0 && node.elements().len() < form.min_items {
            self.report(trail, Keyword::Length, span, Kind::Array, Expected::Said("a non-empty array"));
        }
    }

    fn object(&mut self, form: &'s ObjectForm, node: &Node<'_>, tag: Option<Range<usize>>, trail: &Trail<'_>) -> Fate {
        match form {
            ObjectForm::Any => Fate::Kept,
            ObjectForm::Members(members) => self.members(members, node, tag, trail),
            ObjectForm::Tagged { member, tags, variants, suffixed, otherwise } => {
                let found = node.get(member);
                let name = found.and_then(Node::as_str);
                let select = |name| select(tags, variants, suffixed.as_ref(), name);
                if let Some((_, variant)) = name.as_deref().and_then(select) {
                    return self.value(variant.form, node, found.map(Node::span), trail);
                }
                if let Some(otherwise) = otherwise {
                    return self.value(*otherwise, node, found.map(Node::span), trail);
                }
                let (span, actual) = found.map_or((node.caret(), Kind::Object), |tag| (tag.span(), tag.kind()));
                self.report(&trail.key(member), Keyword::Tag, span, actual, Expected::Tag(tags));
                Fate::Removed
            }
        }
    }

    fn members(
        &mut self,
        form: &'s MembersForm,
        node: &Node<'_>,
        tag: Option<Range<usize>>,
        trail: &Trail<'_>,
    ) -> Fate {
        let shape: &'s Shape = self.shape;
        let outer = std::mem::replace(&mut self.definition, &form.definition);
        let (mark, has_tag) = (self.found.len(), tag.is_some());
        let near = match self.reading {
            Reading::Schema => Misspelt::default(),
            Reading::Receive if self.worth.hints => Misspelt::of(form, node),
            Reading::Receive => Misspelt::of_required(form, node),
        };
        let mut seen: u64 = 0;
        let mut fate = Fate::Kept;
        for member in node.members() {
            let trail = &trail.key(&member.key);
            if let Some((at, known)) = form.find(&member.key) {
                seen |= 1 << at;
                let before = self.found.len();
                self.is_optional = form.required & (1 << at) == 0;
                let removed = self.value(known.form, &member.node, None, trail) == Fate::Removed;
                if removed && self.reading == Reading::Receive && form.required & (1 << at) != 0 {
                    // The whole object goes; what else is wrong in it does not count.
                    let cause = self.found.drain(before..).next_back();
                    self.found.truncate(mark);
                    self.found.extend(cause);
                    fate = Fate::Removed;
                }
            } else if near.stands_for(&member.key).is_some() {
                // Said of the member that is missing.
            } else if form.closed {
                self.report(
                    trail,
                    Keyword::Closed,
                    member.key_span(),
                    member.node.kind(),
                    Expected::Said("no such member"),
                );
                if let Some(mismatch) = self.found.last_mut() {
                    mismatch.meant = near.meant(&member.key).map(Into::into);
                }
            }
            if fate == Fate::Removed {
                break;
            }
        }
        if fate == Fate::Kept {
            let caret = tag.unwrap_or(node.caret());
            let from = self.found.len();
            for (at, (name, known)) in form.names.names().zip(&form.members).enumerate() {
                if form.required & !seen & (1 << at) != 0 {
                    let instead = near.instead_of(name).and_then(|at| node.members().get(at));
                    let expected = Expected::Form(shape.form(known.form));
                    let span = instead.map_or(caret.clone(), Member::key_span);
                    let trail = trail.key(instead.map_or(name, |member| &member.key));
                    self.report(&trail, Keyword::Required, span, Kind::Object, expected);
                    if let Some(mismatch) = self.found.last_mut().filter(|_| instead.is_some()) {
                        (mismatch.member, mismatch.meant) = (name.into(), Some(name.into()));
                    }
                }
            }
            let lacking = self.found.get_mut(from..).unwrap_or_default();
            // The tag that has told the form is there.
            let is_bare = (form.required & seen).count_ones() == u32::from(has_tag);
            if is_bare && lacking.len() > 1 && lacking.iter().all(|misfit| misfit.meant.is_none()) {
                for misfit in lacking {
                    misfit.lacks_all = true;
                }
            }
        }
        self.definition = outer;
        fate
    }
}

fn describe(form: &Form) -> String {
    let mut kinds: Vec<String> = Vec::new();
    if let Some(string) = &form.string {
        kinds.push(describe_string(string));
    }
    if let Some(number) = &form.number {
        kinds.push(describe_number(number));
    }
    for (allowed, name) in [
        (form.boolean, Kind::Bool),
        (form.array.is_some(), Kind::Array),
        (form.object.is_some(), Kind::Object),
        (form.null, Kind::Null),
    ] {
        if allowed {
            kinds.push(name.name().into());
        }
    }
    match kinds.len() {
        6 => "any value".into(),
        5 if !form.null => "any value but null".into(),
        _ => kinds.join(" or "),
    }
}

fn describe_number(form: &NumberForm) -> String {
    let name = if form.integer { "an integer" } else { "a number" };
    match (form.min, form.max) {
        (Some(min), Some(max)) => format!("{name} from {min} to {max}"),
        (Some(min), None) => format!("{name} of at least {min}"),
        (None, Some(max)) => format!("{name} of at most {max}"),
        (None, None) => name.into(),
    }
}

fn describe_string(form: &StringForm) -> String {
    match form.judge.as_ref().and_then(|judge| judge.allowed.as_ref()) {
        Some(allowed) => list(allowed.names()),
        None if form.non_empty => "a non-empty string".into(),
        None => "a string".into(),
    }
}

/// `"a"` or one of `"a"`, `"b"`; a long list is cut.
fn list<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<String> = names.map(|name| format!("\"{name}\"")).collect();
    match &*names {
        [only] => only.clone(),
        [_, ..] if names.len() <= 8 => format!("one of {}", names.join(", ")),
        _ => format!("one of {} known values", names.len()),
    }
}
