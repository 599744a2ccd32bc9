//! What a schema says, as a typed tree: what the generators of declarations, code and pages read.

use serde_json::{Number, Value};

/// A type, and what is said of it.
#[derive(Clone, Debug)]
pub(super) struct Type {
    pub(super) kind: Kind,
    /// Prose; empty where there is none.
    pub(super) description: String,
    pub(super) example: Option<Value>,
    pub(super) is_deprecated: bool,
}

/// What values there are.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Any,
    /// Any value but null.
    NotNull,
    /// No value: a member that may not be there.
    Never,
    Null,
    Boolean,
    Number(Bounds),
    Text(Text),
    /// One of these texts.
    Names(Vec<String>),
    List(List),
    Object(Object),
    Union(Vec<Type>),
    /// All of these at once.
    Intersection(Vec<Type>),
    /// A definition, by its name.
    Reference(String),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Bounds {
    pub(super) is_integer: bool,
    pub(super) minimum: Option<Number>,
    pub(super) maximum: Option<Number>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Text {
    /// Texts that are named, beside which any other may stand.
    pub(super) known: Vec<String>,
    /// In code points.
    pub(super) min_length: u64,
    pub(super) form: Form,
    /// Some texts are excluded.
    pub(super) is_narrowed: bool,
}

/// What a text looks like.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum Form {
    #[default]
    Free,
    /// Anything, and this at the end.
    Ending(String),
    /// A regular expression.
    Pattern(String),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct List {
    pub(super) item: Box<Type>,
    pub(super) min: u64,
    pub(super) max: Option<u64>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Object {
    /// The required ones first, in the order in which they are declared: the tag leads.
    pub(super) members: Vec<Member>,
    /// What other members may be; `None` if there may be none.
    pub(super) rest: Option<Box<Type>>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Member {
    pub(super) name: String,
    pub(super) is_required: bool,
    pub(super) value: Type,
}

impl From<Kind> for Type {
    fn from(kind: Kind) -> Self {
        Self { kind, description: String::new(), example: None, is_deprecated: false }
    }
}

/// Prose is no part of what a type is.
impl PartialEq for Type {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

impl Type {
    pub(super) fn reference(name: &str) -> Self {
        Kind::Reference(name.to_owned()).into()
    }

    /// The types that this one is made of.
    pub(super) fn parts(&self) -> Vec<&Self> {
        match &self.kind {
            Kind::List(list) => vec![&*list.item],
            Kind::Object(object) => {
                object.members.iter().map(|member| &member.value).chain(object.rest.as_deref()).collect()
            }
            Kind::Union(parts) | Kind::Intersection(parts) => parts.iter().collect(),
            _ => Vec::new(),
        }
    }

    /// The definitions that it names, each as often as it does.
    pub(super) fn references(&self) -> Vec<&str> {
        match &self.kind {
            Kind::Reference(name) => vec![name.as_str()],
            _ => self.parts().into_iter().flat_map(Self::references).collect(),
        }
    }

    /// The members that are written out here, not in a definition that it names.
    pub(super) fn own_members(&self) -> Vec<&Member> {
        match &self.kind {
            Kind::Object(object) => object.members.iter().collect(),
            Kind::Intersection(parts) => parts.iter().flat_map(Self::own_members).collect(),
            _ => Vec::new(),
        }
    }

    /// The object, if it is one with members that are written out.
    pub(super) fn as_object(&self) -> Option<&Object> {
        match &self.kind {
            Kind::Object(object) if !object.members.is_empty() => Some(object),
            _ => None,
        }
    }
}

impl Member {
    /// The values that the member tells its object by; `None` is its absence.
    pub(super) fn tags(&self) -> Vec<Option<&str>> {
        let absence = (!self.is_required).then_some(None);
        match &self.value.kind {
            Kind::Names(names) => names.iter().map(|name| Some(name.as_str())).chain(absence).collect(),
            Kind::Never => absence.into_iter().collect(),
            _ => Vec::new(),
        }
    }
}

impl Object {
    /// Whether other members may be there, and be anything.
    pub(super) fn is_open(&self) -> bool {
        self.rest.as_ref().is_some_and(|rest| rest.kind == Kind::Any)
    }
}
