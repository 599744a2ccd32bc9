//! A published schema, compiled into what the checker executes.
//!
//! A schema is brought into one form: for each JSON type, whether it is allowed and
//! under which conditions. What the compiler does not know it refuses, so that no
//! published keyword is silently without effect.

use std::collections::HashMap;

use serde_json::Value as Json;

use super::names::NameTable;

/// A compiled schema.
#[derive(Debug)]
pub(crate) struct Shape {
    rules: Vec<Form>,
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
    /// What that string must be, next to the member for those who are in a hurry.
    pub(crate) judge: Option<Box<Judge>>,
}

/// What is to be known of a member, besides whether it fits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Watch {
    /// The slot that takes its place and kind; 0 is none.
    pub(crate) slot: u8,
    /// Look for secret keys in it, and at its size.
    pub(crate) inspect: bool,
    /// An empty string is worth a closer look.
    pub(crate) no_empty: bool,
    /// Slots for members below it, an index into [`Watches::below`] plus 1.
    pub(crate) below: u8,
}

/// Where the members stand whose facts a protocol wants.
#[derive(Debug, Default)]
pub(crate) struct Watches {
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

/// A row of a protocol's watch table: definition (`*` for every one), member, what to do.
pub(crate) struct WatchRow {
    pub(crate) definition: &'static str,
    pub(crate) member: &'static str,
    pub(crate) slot: u8,
    pub(crate) inspect: bool,
    pub(crate) no_empty: bool,
    /// Members below and their slots.
    pub(crate) below: &'static [(&'static str, u8)],
}

impl WatchRow {
    /// Takes the member's facts into `slot`.
    pub(crate) const fn slot(definition: &'static str, member: &'static str, slot: u8) -> Self {
        Self { definition, member, slot, inspect: false, no_empty: false, below: &[] }
    }

    /// Looks for secrets and size in the member.
    pub(crate) const fn inspect(definition: &'static str, member: &'static str) -> Self {
        Self { definition, member, slot: 0, inspect: true, no_empty: false, below: &[] }
    }

    pub(crate) const fn no_empty(mut self) -> Self {
        self.no_empty = true;
        self
    }
}

/// Numbers the slots of a protocol, from 1: slot 0 is a bin.
macro_rules! slots {
    ($($name:ident),+ $(,)?) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms, reason = "the names of the slots below")]
        #[repr(u8)]
        enum Number { Bin, $($name),+ }
        const _: Number = Number::Bin;
        $( pub(crate) const $name: u8 = Number::$name as u8; )+
    };
}
pub(crate) use slots;

impl Shape {
    /// Compiles a published schema. Fails on a keyword that it does not know.
    pub(crate) fn compile(schema: &str, rows: &[WatchRow], unknown: Unknown) -> Result<Self, String> {
        let schema: Json = serde_json::from_str(schema).map_err(|error| error.to_string())?;
        let mut compiler = Compiler {
            schema: &schema,
            forms: Vec::new(),
            definitions: HashMap::new(),
            rows,
            watches: Watches { below: Vec::new(), unknown },
        };
        let root = compiler.form(&schema, "")?;
        let names: Vec<String> =
            schema["$defs"].as_object().map(|defs| defs.keys().cloned().collect()).unwrap_or_default();
        for name in names {
            compiler.definition(&name)?;
        }
        Ok(Self { rules: compiler.forms, root, definitions: compiler.definitions, watches: compiler.watches })
    }

    pub(crate) const fn root(&self) -> FormId {
        self.root
    }

    pub(crate) fn definition(&self, name: &str) -> Option<FormId> {
        self.definitions.get(name).copied()
    }

    /// The form of a member of a definition.
    pub(crate) fn member(&self, definition: &str, member: &str) -> Option<FormId> {
        match self.form(self.definition(definition)?).object.as_ref()? {
            ObjectForm::Members(members) => Some(members.members[members.names.find(member)?].form),
            _ => None,
        }
    }

    /// The form of the event whose tag is `tag`.
    fn members_of(&self, tag: &str) -> Option<&MembersForm> {
        let Some(ObjectForm::Tagged { tags, variants, .. }) = &self.form(self.root).object else { return None };
        match self.form(variants[tags.find(tag)?].form).object.as_ref()? {
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
    pub(crate) fn form(&self, id: FormId) -> &Form {
        &self.rules[id.0 as usize]
    }
}

struct Compiler<'s> {
    schema: &'s Json,
    forms: Vec<Form>,
    definitions: HashMap<Box<str>, FormId>,
    rows: &'s [WatchRow],
    watches: Watches,
}

/// Keywords that say nothing about validity.
const ANNOTATIONS: &[&str] = &[
    "$schema",
    "$id",
    "$defs",
    "$comment",
    "$anchor",
    "title",
    "description",
    "default",
    "examples",
    "deprecated",
    "contentEncoding",
];

impl Compiler<'_> {
    fn add(&mut self, form: Form) -> FormId {
        self.forms.push(form);
        FormId(self.forms.len() as u32 - 1)
    }

    fn definition(&mut self, name: &str) -> Result<FormId, String> {
        if let Some(id) = self.definitions.get(name) {
            return Ok(*id);
        }
        let schema = self.schema["$defs"].get(name).ok_or_else(|| format!("no definition {name}"))?;
        // Reserved before it is compiled, since definitions refer to each other.
        let id = self.add(Form::default());
        self.definitions.insert(name.into(), id);
        let form = self.compile(schema, name)?;
        self.forms[id.0 as usize] = form;
        Ok(id)
    }

    fn form(&mut self, schema: &Json, definition: &str) -> Result<FormId, String> {
        if let Some(name) = reference(schema) {
            return self.definition(name);
        }
        let form = self.compile(schema, definition)?;
        Ok(self.add(form))
    }

    fn compile(&mut self, schema: &Json, definition: &str) -> Result<Form, String> {
        let members = match schema {
            Json::Bool(true) => return Ok(any()),
            Json::Bool(false) => return Ok(Form::default()),
            Json::Object(members) => members,
            _ => return Err(format!("{definition}: not a schema")),
        };
        if let Some(name) = reference(schema) {
            let id = self.definition(name)?;
            return Ok(self.forms[id.0 as usize].clone());
        }
        let known = [
            "type",
            "const",
            "enum",
            "not",
            "minLength",
            "pattern",
            "minimum",
            "maximum",
            "items",
            "minItems",
            "properties",
            "required",
            "additionalProperties",
            "oneOf",
            "anyOf",
            "$ref",
        ];
        if let Some(keyword) =
            members.keys().find(|key| !known.contains(&key.as_str()) && !ANNOTATIONS.contains(&key.as_str()))
        {
            return Err(format!("{definition}: keyword {keyword} is not supported"));
        }
        let mut form = any();
        if let Some(types) = schema.get("type") {
            form = self.types(types, definition)?;
        }
        for value in schema
            .get("const")
            .into_iter()
            .map(std::slice::from_ref)
            .chain(schema.get("enum").and_then(Json::as_array).map(Vec::as_slice))
        {
            form = Form { string: form.string, ..Form::default() };
            let string =
                form.string.as_mut().ok_or_else(|| format!("{definition}: const of a type that is not allowed"))?;
            string.judge.get_or_insert_default().allowed =
                Some(strings(value).ok_or_else(|| format!("{definition}: const and enum of strings only"))?);
        }
        if let Some(not) = schema.get("not") {
            let values = not.get("enum").and_then(Json::as_array).and_then(|values| strings(values));
            let values = values.ok_or_else(|| format!("{definition}: not of anything but a list of strings"))?;
            form.string.get_or_insert_default().judge.get_or_insert_default().forbidden = Some(values);
        }
        if form.array.is_some() && (schema.get("items").is_some() || schema.get("minItems").is_some()) {
            let items = schema.get("items").map(|items| self.form(items, definition)).transpose()?;
            let min_items = schema.get("minItems").and_then(Json::as_u64).unwrap_or(0) as usize;
            form.array = Some(ArrayForm { items, min_items });
        }
        if form.object.is_some() && (schema.get("properties").is_some() || schema.get("required").is_some()) {
            form.object = Some(ObjectForm::Members(self.members(schema, definition)?));
        }
        for list in [schema.get("oneOf"), schema.get("anyOf")].into_iter().flatten() {
            let branches = list.as_array().ok_or_else(|| format!("{definition}: oneOf must be a list"))?;
            if let Some(known) = open_list(branches) {
                if let Some(string) = &mut form.string {
                    string.judge.get_or_insert_default().known = Some(known);
                }
            } else {
                form = self.union(branches, definition)?;
            }
        }
        self.constraints(schema, definition, &mut form)?;
        Ok(form)
    }

    /// Keywords that narrow strings and numbers, beside a union as well.
    fn constraints(&self, schema: &Json, definition: &str, form: &mut Form) -> Result<(), String> {
        if let Some(string) = &mut form.string {
            string.non_empty |= schema.get("minLength").is_some_and(|least| least == 1);
            match schema.get("pattern").map(Json::as_str) {
                None => {}
                Some(Some(JSON_POINTER)) => string.judge.get_or_insert_default().json_pointer = true,
                _ => return Err(format!("{definition}: pattern is not supported")),
            }
        }
        if let Some(number) = &mut form.number {
            number.min = schema.get("minimum").and_then(Json::as_f64).or(number.min);
            number.max = schema.get("maximum").and_then(Json::as_f64).or(number.max);
        }
        Ok(())
    }

    fn types(&mut self, types: &Json, definition: &str) -> Result<Form, String> {
        let list = match types {
            Json::String(_) => std::slice::from_ref(types),
            Json::Array(list) => list,
            _ => return Err(format!("{definition}: type must be a name or a list")),
        };
        let mut form = Form::default();
        for name in list {
            match name.as_str() {
                Some("null") => form.null = true,
                Some("boolean") => form.boolean = true,
                Some("number") => form.number = Some(NumberForm::default()),
                Some("integer") => form.number = Some(NumberForm { integer: true, ..NumberForm::default() }),
                Some("string") => form.string = Some(StringForm::default()),
                Some("array") => form.array = Some(ArrayForm::default()),
                Some("object") => form.object = Some(ObjectForm::Any),
                _ => return Err(format!("{definition}: no such type")),
            }
        }
        Ok(form)
    }

    fn members(&mut self, schema: &Json, definition: &str) -> Result<MembersForm, String> {
        let empty = serde_json::Map::new();
        let properties = schema.get("properties").and_then(Json::as_object).unwrap_or(&empty);
        if properties.len() > 64 {
            return Err(format!("{definition}: more than 64 members"));
        }
        let names = NameTable::new(properties.keys());
        let mut required = 0;
        for name in schema.get("required").and_then(Json::as_array).into_iter().flatten() {
            let name = name.as_str().unwrap_or_default();
            let at = names.find(name).ok_or_else(|| format!("{definition}: required {name} has no schema"))?;
            required |= 1 << at;
        }
        let mut members = Vec::new();
        for (name, member) in properties {
            let form = self.form(member, definition)?;
            let mut watch = self.watch(definition, name);
            let string = self.forms[form.0 as usize].string.as_ref();
            let plain = !watch.inspect && string.is_some();
            watch.no_empty |= string.is_some_and(|string| string.non_empty);
            let judge = string.and_then(|string| string.judge.clone());
            members.push(MemberForm { form, watch, plain, judge });
        }
        let closed = match schema.get("additionalProperties") {
            None | Some(Json::Bool(true)) => false,
            Some(Json::Bool(false)) => true,
            _ => return Err(format!("{definition}: additionalProperties must be true or false")),
        };
        Ok(MembersForm { definition: definition.into(), names, members, required, closed })
    }

    fn watch(&mut self, definition: &str, member: &str) -> Watch {
        let mut watch = Watch::default();
        for row in self.rows {
            if (row.definition == "*" || row.definition == definition) && row.member == member {
                watch.inspect |= row.inspect;
                watch.no_empty |= row.no_empty;
                if row.slot != 0 {
                    watch.slot = row.slot;
                }
                if !row.below.is_empty() {
                    let names = NameTable::new(row.below.iter().map(|(name, _)| name));
                    self.watches.below.push((names, row.below.iter().map(|(_, slot)| *slot).collect()));
                    watch.below = self.watches.below.len() as u8;
                }
            }
        }
        watch
    }

    /// Alternatives: at most one per JSON type, or objects told apart by a member.
    fn union(&mut self, branches: &[Json], definition: &str) -> Result<Form, String> {
        let ids: Vec<FormId> = branches.iter().map(|branch| self.form(branch, definition)).collect::<Result<_, _>>()?;
        let forms: Vec<Form> = ids.iter().map(|id| self.forms[id.0 as usize].clone()).collect();
        let mut union = Form::default();
        let mut objects = Vec::new();
        for (id, form) in ids.into_iter().zip(forms) {
            union.null |= form.null;
            union.boolean |= form.boolean;
            {
                let (mine, theirs) = (&mut union.number, form.number);
                merge(mine, theirs, definition)?;
            }
            merge(&mut union.string, form.string, definition)?;
            merge(&mut union.array, form.array, definition)?;
            if form.object.is_some() {
                objects.push(id);
            }
        }
        union.object = match objects[..] {
            [] => None,
            [only] => self.forms[only.0 as usize].object.clone(),
            _ => Some(self.tagged(&objects, definition)?),
        };
        Ok(union)
    }

    fn tagged(&self, objects: &[FormId], definition: &str) -> Result<ObjectForm, String> {
        let mut flat: Vec<FormId> = Vec::new();
        let mut otherwise = None;
        for id in objects {
            match &self.forms[id.0 as usize].object {
                Some(ObjectForm::Tagged { variants, otherwise: other, .. }) => {
                    flat.extend(variants.iter().map(|variant| variant.form));
                    otherwise = otherwise.or(*other);
                }
                _ => flat.push(*id),
            }
        }
        let tag_of = |id: FormId, member: &str| -> Option<&NameTable> {
            let Some(ObjectForm::Members(members)) = &self.forms[id.0 as usize].object else { return None };
            let at = members.names.find(member)?;
            (members.required & (1 << at) != 0).then(|| {
                self.forms[members.members[at].form.0 as usize].string.as_ref()?.judge.as_ref()?.allowed.as_ref()
            })?
        };
        let Some(ObjectForm::Members(first)) = &self.forms[flat[0].0 as usize].object else {
            return Err(format!("{definition}: a union of objects needs a tag"));
        };
        let member = first
            .names
            .names()
            .find(|name| flat.iter().filter(|id| tag_of(**id, name).is_some()).count() + 1 >= flat.len())
            .ok_or_else(|| format!("{definition}: a union of objects needs a tag"))?;
        let (mut tags, mut variants) = (Vec::new(), Vec::new());
        for id in &flat {
            match tag_of(*id, member) {
                Some(names) => {
                    let place = match &self.forms[id.0 as usize].object {
                        Some(ObjectForm::Members(members)) => members.names.find(member).unwrap_or(0),
                        _ => 0,
                    };
                    for name in names.names() {
                        tags.push(name.to_owned());
                        variants.push(Variant { form: *id, tag: place as u8 });
                    }
                }
                None if otherwise.is_none() => otherwise = Some(*id),
                None => return Err(format!("{definition}: two branches without a tag")),
            }
        }
        Ok(ObjectForm::Tagged { member: member.into(), tags: NameTable::new(&tags), variants, otherwise })
    }
}

/// The pattern of RFC 6901, the only one that contracts use.
pub(crate) const JSON_POINTER: &str = "^(/([^/~]|~[01])*)*$";

fn any() -> Form {
    Form {
        null: true,
        boolean: true,
        number: Some(NumberForm::default()),
        string: Some(StringForm::default()),
        array: Some(ArrayForm::default()),
        object: Some(ObjectForm::Any),
    }
}

fn merge<T>(mine: &mut Option<T>, theirs: Option<T>, definition: &str) -> Result<(), String> {
    match (&mine, theirs) {
        (_, None) => Ok(()),
        (None, theirs) => {
            *mine = theirs;
            Ok(())
        }
        _ => Err(format!("{definition}: two alternatives of one JSON type")),
    }
}

fn reference(schema: &Json) -> Option<&str> {
    schema.get("$ref")?.as_str()?.strip_prefix("#/$defs/")
}

fn strings(values: &[Json]) -> Option<NameTable> {
    let names: Option<Vec<&str>> = values.iter().map(Json::as_str).collect();
    names.map(NameTable::new)
}

/// `anyOf: [{enum: […]}, {}]`: a list that is open.
fn open_list(branches: &[Json]) -> Option<NameTable> {
    match branches {
        [known, Json::Object(rest)] if rest.is_empty() => strings(known.get("enum")?.as_array()?),
        _ => None,
    }
}

/// Whether the text is a JSON Pointer.
pub(crate) fn is_json_pointer(text: &str) -> bool {
    let bytes = text.as_bytes();
    (text.is_empty() || bytes[0] == b'/')
        && bytes.iter().enumerate().all(|(at, byte)| *byte != b'~' || matches!(bytes.get(at + 1), Some(b'0' | b'1')))
}
