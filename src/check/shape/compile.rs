//! From the text of a published schema to its forms.

use std::collections::HashMap;

use serde_json::Value as Json;

use super::keywords::{ANNOTATIONS, any, merge, open_list, reference, strings, suffix};
use super::{
    ArrayForm, Form, FormId, JSON_POINTER, MemberForm, MembersForm, NumberForm, ObjectForm, Shape, StringForm, Unknown,
    Variant, Watch, WatchRow, Watches,
};
use crate::check::names::NameTable;
use crate::wire::path::Path;

impl Shape {
    /// Compiles a published schema. Fails on a keyword that it does not know.
    pub(crate) fn compile(schema: &str, rows: &[WatchRow<'_>], unknown: Unknown) -> Result<Self, String> {
        Self::of(schema, rows, unknown)
            .map_err(|error| if error.starts_with(": ") { format!("the root{error}") } else { error })
    }

    /// The same; an error at the root has no name before its colon.
    fn of(schema: &str, rows: &[WatchRow<'_>], unknown: Unknown) -> Result<Self, String> {
        let schema: Json = serde_json::from_str(schema).map_err(|error| error.to_string())?;
        let mut compiler = Compiler {
            schema: &schema,
            forms: Vec::new(),
            definitions: HashMap::new(),
            begun: Vec::new(),
            rows,
            watches: Watches { paths: paths(rows), below: Vec::new(), unknown },
        };
        let root = compiler.form(&schema, "")?;
        let names: Vec<String> = schema
            .get("$defs")
            .and_then(Json::as_object)
            .map(|defs| defs.keys().cloned().collect())
            .unwrap_or_default();
        for name in names {
            compiler.definition(&name)?;
        }
        Ok(Self { forms: compiler.forms, root, definitions: compiler.definitions, watches: compiler.watches })
    }
}

/// The path of the member of each slot; of several rows the first.
#[expect(clippy::indexing_slicing, reason = "the list is made long enough before a slot is looked up")]
fn paths(rows: &[WatchRow<'_>]) -> Vec<Path> {
    let mut paths: Vec<Option<Path>> = Vec::new();
    let mut set = |slot: u8, path: Path| {
        let slot = slot as usize;
        if paths.len() <= slot {
            paths.resize(slot + 1, None);
        }
        paths[slot].get_or_insert(path);
    };
    for row in rows {
        let parent = if row.parent.is_empty() { Path::default() } else { Path::of(row.parent) };
        let path = parent.join(row.member);
        for (name, slot) in row.below {
            set(*slot, path.join(name));
        }
        set(row.slot, path);
    }
    paths.into_iter().map(Option::unwrap_or_default).collect()
}

struct Compiler<'s> {
    schema: &'s Json,
    forms: Vec<Form>,
    definitions: HashMap<Box<str>, FormId>,
    /// The definitions that are being compiled.
    begun: Vec<FormId>,
    rows: &'s [WatchRow<'s>],
    watches: Watches,
}

impl Compiler<'_> {
    fn add(&mut self, form: Form) -> FormId {
        self.forms.push(form);
        FormId(self.forms.len() as u32 - 1)
    }

    /// The form that a union or another definition is made of, which has to be known by now.
    fn known(&self, id: FormId, definition: &str) -> Result<Form, String> {
        if self.begun.contains(&id) {
            return Err(format!("{definition}: a union or a reference that leads back to itself is not supported"));
        }
        Ok(self.form_of(id).clone())
    }

    /// What was added; of a definition that is still being compiled, nothing.
    #[expect(clippy::indexing_slicing, reason = "ids are given out by `add` alone, and no form is taken away")]
    fn form_of(&self, id: FormId) -> &Form {
        &self.forms[id.0 as usize]
    }

    #[expect(clippy::indexing_slicing, reason = "the form is the one that was reserved")]
    fn definition(&mut self, name: &str) -> Result<FormId, String> {
        if let Some(id) = self.definitions.get(name) {
            return Ok(*id);
        }
        let schema =
            self.schema.get("$defs").and_then(|defs| defs.get(name)).ok_or_else(|| format!("no definition {name}"))?;
        // Reserved before it is compiled, since definitions refer to each other.
        let id = self.add(Form::default());
        self.definitions.insert(name.into(), id);
        self.begun.push(id);
        let form = self.compile(schema, name)?;
        self.begun.pop();
        self.forms[id.0 as usize] = form;
        Ok(id)
    }

    fn form(&mut self, schema: &Json, definition: &str) -> Result<FormId, String> {
        if let Some(name) = reference(schema, definition)? {
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
            _ if definition.is_empty() => return Err("the root is not a schema".to_owned()),
            _ => return Err(format!("{definition}: not a schema")),
        };
        if let Some(name) = reference(schema, definition)? {
            let id = self.definition(name)?;
            return self.known(id, definition);
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
        ];
        if let Some(keyword) =
            members.keys().find(|key| !known.contains(&key.as_str()) && !ANNOTATIONS.contains(&key.as_str()))
        {
            return Err(format!("{definition}: keyword {keyword} is not supported"));
        }
        let mut form = any();
        if let Some(types) = schema.get("type") {
            form = Self::types(types, definition)?;
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
                Some(strings(value).ok_or_else(|| {
                    format!("{definition}: const and enum of strings only, and of fewer than 65 535")
                })?);
        }
        if let Some(not) = schema.get("not") {
            let judge = form.string.get_or_insert_default().judge.get_or_insert_default();
            for not in not.get("anyOf").and_then(Json::as_array).map_or(std::slice::from_ref(not), Vec::as_slice) {
                let values = not.get("enum").and_then(Json::as_array).and_then(|values| strings(values));
                match (values, not.get("pattern").and_then(suffix)) {
                    (Some(values), None) => judge.forbidden = Some(values),
                    (None, Some(suffix)) => judge.forbidden_suffix = Some(suffix.into()),
                    _ => return Err(format!("{definition}: not of anything but a list of strings or an ending")),
                }
            }
        }
        if form.array.is_some() && (schema.get("items").is_some() || schema.get("minItems").is_some()) {
            let items = schema.get("items").map(|items| self.form(items, definition)).transpose()?;
            let min_items = schema.get("minItems").map_or(Some(0), Json::as_u64);
            let min_items = min_items.ok_or_else(|| format!("{definition}: minItems must be a whole number"))? as usize;
            form.array = Some(ArrayForm { items, min_items });
        }
        let is_closed = schema.get("additionalProperties").is_some_and(|others| *others != true);
        let names_members = is_closed || schema.get("properties").is_some() || schema.get("required").is_some();
        if form.object.is_some() && names_members {
            form.object = Some(ObjectForm::Members(self.members(schema, definition)?));
        }
        for (name, list) in ["oneOf", "anyOf"].iter().filter_map(|name| Some((name, schema.get(name)?))) {
            let branches = list.as_array().ok_or_else(|| format!("{definition}: {name} must be a list"))?;
            if let Some(known) = open_list(branches) {
                if let Some(string) = &mut form.string {
                    string.judge.get_or_insert_default().known = Some(known);
                }
            } else {
                form = self.union(branches, definition)?;
            }
        }
        Self::constraints(schema, definition, &mut form)?;
        Ok(form)
    }

    /// Keywords that narrow strings and numbers, beside a union as well.
    fn constraints(schema: &Json, definition: &str, form: &mut Form) -> Result<(), String> {
        if let Some(string) = &mut form.string {
            match schema.get("minLength").map_or(Some(0), Json::as_u64) {
                Some(0) => {}
                Some(1) => string.non_empty = true,
                _ => return Err(format!("{definition}: minLength other than 0 and 1 is not supported")),
            }
            match schema.get("pattern") {
                None => {}
                Some(pattern) if pattern == JSON_POINTER => string.judge.get_or_insert_default().json_pointer = true,
                Some(pattern) => {
                    let suffix = suffix(pattern).ok_or_else(|| format!("{definition}: pattern is not supported"))?;
                    string.judge.get_or_insert_default().suffix = Some(suffix.into());
                }
            }
        }
        if let Some(number) = &mut form.number {
            for (name, bound) in [("minimum", &mut number.min), ("maximum", &mut number.max)] {
                let Some(given) = schema.get(name) else { continue };
                *bound = Some(given.as_f64().ok_or_else(|| format!("{definition}: {name} must be a number"))?);
            }
        }
        Ok(())
    }

    fn types(types: &Json, definition: &str) -> Result<Form, String> {
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
            let string = self.form_of(form).string.as_ref();
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
            let is_meant = match row.definition.strip_prefix('*') {
                Some(end) => definition.ends_with(end),
                None => row.definition == definition,
            };
            if is_meant && row.member == member {
                watch.inspect |= row.inspect;
                watch.no_empty |= row.no_empty;
                watch.piece |= row.piece;
                if row.slot != 0 {
                    watch.slot = row.slot;
                    watch.level = if row.parent.is_empty() { 1 } else { 2 };
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
        let forms: Vec<Form> = ids.iter().map(|id| self.known(*id, definition)).collect::<Result<_, _>>()?;
        let mut union = Form::default();
        let mut objects = Vec::new();
        for (id, form) in ids.into_iter().zip(forms) {
            union.null |= form.null;
            union.boolean |= form.boolean;
            merge(&mut union.number, form.number, definition)?;
            merge(&mut union.string, form.string, definition)?;
            merge(&mut union.array, form.array, definition)?;
            if form.object.is_some() {
                objects.push(id);
            }
        }
        union.object = match objects[..] {
            [] => None,
            [only] => self.form_of(only).object.clone(),
            _ => Some(self.tagged(&objects, definition)?),
        };
        Ok(union)
    }

    fn tagged(&self, objects: &[FormId], definition: &str) -> Result<ObjectForm, String> {
        let mut flat: Vec<FormId> = Vec::new();
        let mut otherwise = None;
        for id in objects {
            match &self.form_of(*id).object {
                Some(ObjectForm::Tagged { variants, suffixed, otherwise: other, .. }) => {
                    flat.extend(
                        variants.iter().chain(suffixed.iter().map(|(_, variant)| variant)).map(|variant| variant.form),
                    );
                    otherwise = otherwise.or(*other);
                }
                _ => flat.push(*id),
            }
        }
        let tag_of = |id: FormId, member: &str| -> Option<&NameTable> {
            let Some(ObjectForm::Members(members)) = &self.form_of(id).object else { return None };
            let (at, found) = members.find(member)?;
            (members.required & (1 << at) != 0)
                .then(|| self.form_of(found.form).string.as_ref()?.judge.as_ref()?.allowed.as_ref())?
        };
        // Where no tag of the unions below has a value, there is nothing to tell apart.
        let Some(ObjectForm::Members(first)) = flat.first().and_then(|id| self.form_of(*id).object.as_ref()) else {
            return Err(format!("{definition}: a union of objects needs a tag"));
        };
        let member = first
            .names
            .names()
            .find(|name| {
                flat.iter().filter(|id| tag_of(**id, name).is_none() && self.suffix_of(**id, name).is_none()).count()
                    <= 1
            })
            .ok_or_else(|| format!("{definition}: a union of objects needs a tag"))?;
        let (mut tags, mut variants) = (Vec::new(), Vec::new());
        let mut suffixed = None;
        for id in &flat {
            match tag_of(*id, member) {
                Some(names) => {
                    let place = match &self.form_of(*id).object {
                        Some(ObjectForm::Members(members)) => members.names.find(member).unwrap_or(0),
                        _ => 0,
                    };
                    for name in names.names() {
                        tags.push(name.to_owned());
                        variants.push(Variant { form: *id, tag: place as u8 });
                    }
                }
                None => match self.suffix_of(*id, member) {
                    Some((suffix, tag)) => suffixed = Some((suffix, Variant { form: *id, tag })),
                    None if otherwise.is_none() => otherwise = Some(*id),
                    None => return Err(format!("{definition}: two branches without a tag")),
                },
            }
        }
        if tags.len() > NameTable::MOST {
            return Err(format!("{definition}: more than 65 534 tags"));
        }
        Ok(ObjectForm::Tagged { member: member.into(), tags: NameTable::new(&tags), variants, suffixed, otherwise })
    }
}

impl Compiler<'_> {
    /// How the tag of a branch ends that is told by that, and its position.
    fn suffix_of(&self, branch: FormId, member: &str) -> Option<(Box<str>, u8)> {
        let ObjectForm::Members(members) = self.form_of(branch).object.as_ref()? else { return None };
        let (at, found) = members.find(member)?;
        let string = self.form_of(found.form).string.as_ref()?;
        Some((string.judge.as_ref()?.suffix.clone()?, at as u8))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_union_of_unions_without_any_event_is_refused() {
        let union = |tags: Json| {
            let event = json!({"type": "object", "required": ["type"], "properties": {"type": {"enum": tags}}});
            json!({"oneOf": [event, event]})
        };
        let compile = |schema: Json| Shape::compile(&schema.to_string(), &[], Unknown::Pass);
        let of = |tags: Json| json!({"oneOf": [union(tags), union(json!([]))]});
        assert_eq!(compile(of(json!([]))).err(), Some("the root: a union of objects needs a tag".to_owned()));
        assert!(compile(of(json!(["a"]))).is_ok());
    }

    /// No keyword is without effect.
    #[test]
    fn what_is_not_supported_is_refused() {
        for (schema, expected) in [
            (json!({"type": "string", "minLength": 2}), "the root: minLength other than 0 and 1 is not supported"),
            (json!({"type": "number", "minimum": "1"}), "the root: minimum must be a number"),
            (json!({"type": "array", "minItems": 1.5}), "the root: minItems must be a whole number"),
            (json!({"anyOf": {}}), "the root: anyOf must be a list"),
            (
                json!({"type": "object", "additionalProperties": {}}),
                "the root: additionalProperties must be true or false",
            ),
            (json!({"uniqueItems": true}), "the root: keyword uniqueItems is not supported"),
            (
                json!({"$defs": {"Node": {"properties": {"child": {"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}]}}}}}),
                "Node: a union or a reference that leads back to itself is not supported",
            ),
            (
                json!({"$defs": {"A": {"$ref": "#/$defs/A"}}}),
                "A: a union or a reference that leads back to itself is not supported",
            ),
        ] {
            assert_eq!(
                Shape::compile(&schema.to_string(), &[], Unknown::Pass).err().as_deref(),
                Some(expected),
                "{schema}"
            );
        }
        for schema in
            [json!({"type": "string", "minLength": 0}), json!({"type": "object", "additionalProperties": false})]
        {
            assert!(Shape::compile(&schema.to_string(), &[], Unknown::Pass).is_ok(), "{schema}");
        }
    }
}
