//! The definitions of one version of a protocol, by names that no other version or protocol has.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::model::{Kind, Object, Type};
use super::read::{Unmodelled, read};
use crate::check::Protocol;
use crate::wire::schema::SchemaFile;

/// What the files of a directory say. The same name means the same in all of them.
#[derive(Debug)]
pub(super) struct Bundle {
    /// The protocol, or `report`.
    pub(super) protocol: String,
    pub(super) version: String,
    /// What every name begins with, such as `SocialApp`; of an older version `SocialAppV0`.
    pub(super) prefix: String,
    /// Whether the protocol has no newer version.
    pub(super) is_newest: bool,
    /// The files without their ending, such as `known-event`, and the names of their roots.
    pub(super) roots: Vec<(String, String)>,
    pub(super) definitions: BTreeMap<String, Definition>,
}

#[derive(Debug)]
pub(super) struct Definition {
    pub(super) shape: Type,
    /// The same as JSON Schema.
    pub(super) schema: Value,
}

/// What the root of a file has and other definitions have not.
const OF_FILES: &[&str] = &["$schema", "$id", "$comment", "$defs", "title"];

const REFERENCE: &str = "#/$defs/";

/// The bundles of the published files, by protocol, the oldest version first.
pub(super) fn bundles(files: &[SchemaFile]) -> Result<Vec<Bundle>, Unmodelled> {
    let mut directories: BTreeMap<(&str, Vec<u64>, &str), Vec<(&str, &SchemaFile)>> = BTreeMap::new();
    for file in files {
        let parts: Vec<&str> = file.path.split('/').collect();
        let [protocol, version, name] = parts[..] else {
            return Err(Unmodelled::new(file.path, "the path is not protocol, version and name"));
        };
        let key = (protocol, numbers(version), version);
        directories.entry(key).or_default().push((name.trim_end_matches(".schema.json"), file));
    }
    let versions: Vec<(&str, &str)> = directories.keys().map(|(protocol, _, version)| (*protocol, *version)).collect();
    let bundles = directories.into_iter().map(|((protocol, _, version), files)| {
        let siblings = versions.iter().filter(|(other, _)| *other == protocol).map(|(_, version)| *version);
        let mut bundle = Bundle::new(protocol, version, &siblings.collect::<Vec<_>>());
        for (stem, file) in files {
            bundle.read(stem, file)?;
        }
        bundle.finish()
    });
    bundles.collect()
}

/// The numbers of a version, by which versions are ordered: `1.10` comes after `1.9`.
fn numbers(version: &str) -> Vec<u64> {
    version.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect()
}

/// `social-app` as `SocialApp`.
fn pascal(name: &str) -> String {
    let capital = |word: &str| word[..1].to_ascii_uppercase() + &word[1..];
    name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).map(capital).collect()
}

impl Bundle {
    fn new(protocol: &str, version: &str, versions: &[&str]) -> Self {
        let base = pascal(protocol);
        let is_newest = versions.last() == Some(&version);
        let prefix = if is_newest { base } else { base + &pascal(said(protocol, version, versions)) };
        Self {
            protocol: protocol.to_owned(),
            version: version.to_owned(),
            prefix,
            is_newest,
            roots: Vec::new(),
            definitions: BTreeMap::new(),
        }
    }

    /// The directory below `schemas/`.
    pub(super) fn directory(&self) -> String {
        format!("{}/{}", self.protocol, self.version)
    }

    fn read(&mut self, stem: &str, file: &SchemaFile) -> Result<(), Unmodelled> {
        let problem = |error: serde_json::Error| Unmodelled::new(file.path, error.to_string());
        let mut schema: Value = serde_json::from_str(&file.text).map_err(problem)?;
        let base = pascal(&self.protocol);
        let own = |name: &str| format!("{}{}", self.prefix, name.strip_prefix(&base).unwrap_or(name));
        refer(&mut schema, &|name| format!("{REFERENCE}{}", own(name.trim_start_matches(REFERENCE))));
        let Value::Object(mut root) = schema else { return Err(Unmodelled::new(file.path, "the file is no object")) };
        let title = root.get("title").and_then(Value::as_str).filter(|title| title.starts_with(&base));
        let name = own(&title.map_or_else(|| pascal(stem), str::to_owned));
        let definitions = match root.remove("$defs") {
            Some(Value::Object(definitions)) => definitions,
            _ => serde_json::Map::new(),
        };
        root.retain(|keyword, _| !OF_FILES.contains(&keyword.as_str()));
        let definitions: Vec<_> = definitions.into_iter().map(|(name, schema)| (own(&name), schema)).collect();
        self.roots.push((stem.to_owned(), name.clone()));
        self.add(name, root.into(), file.path)?;
        for (name, schema) in definitions {
            let place = format!("{}{REFERENCE}{name}", file.path);
            self.add(name, schema, &place)?;
        }
        Ok(())
    }

    fn add(&mut self, name: String, schema: Value, place: &str) -> Result<(), Unmodelled> {
        let is_name = name.chars().all(|c| c.is_ascii_alphanumeric());
        if !is_name {
            return Err(Unmodelled::new(place, format!("`{name}` is no name of a type")));
        }
        let definition = Definition { shape: read(&schema, place)?, schema };
        match self.definitions.entry(name) {
            Entry::Vacant(free) => {
                free.insert(definition);
            }
            Entry::Occupied(taken) if taken.get().shape != definition.shape => {
                let problem = format!("`{}` is something else in another file", taken.key());
                return Err(Unmodelled::new(place, problem));
            }
            Entry::Occupied(mut taken) => {
                let prose = |shape: &Type| (!shape.description.is_empty(), shape.example.is_some());
                if prose(&taken.get().shape) < prose(&definition.shape) {
                    taken.insert(definition);
                }
            }
        }
        Ok(())
    }

    /// Checks references, and says of an open union that it is the closed one and something more.
    fn finish(mut self) -> Result<Self, Unmodelled> {
        for (name, definition) in &self.definitions {
            let lost = definition.shape.references().into_iter().find(|name| !self.definitions.contains_key(*name));
            if let Some(lost) = lost {
                return Err(Unmodelled::new(format!("{}#{name}", self.directory()), format!("there is no `{lost}`")));
            }
        }
        let unions: Vec<(String, Vec<Type>)> = self
            .roots
            .iter()
            .filter_map(|(_, name)| match &self.definition(name)?.kind {
                Kind::Union(branches) => Some((name.clone(), branches.clone())),
                _ => None,
            })
            .collect();
        for (closed, known) in &unions {
            for (open, branches) in &unions {
                let more: Vec<Type> = branches.iter().filter(|branch| !known.contains(branch)).cloned().collect();
                let is_open = !more.is_empty() && branches.len() == known.len() + more.len();
                if let Some(definition) = self.definitions.get_mut(open).filter(|_| is_open) {
                    let branches = std::iter::once(Type::reference(closed)).chain(more).collect();
                    definition.shape.kind = Kind::Union(branches);
                }
            }
        }
        Ok(self)
    }

    pub(super) fn definition(&self, name: &str) -> Option<&Type> {
        self.definitions.get(name).map(|definition| &definition.shape)
    }

    /// The name of the root of a file.
    pub(super) fn root(&self, stem: &str) -> Option<&str> {
        self.roots.iter().find(|(other, _)| other == stem).map(|(_, name)| name.as_str())
    }

    /// The closed unions of events, whose files are named `…-event`.
    pub(super) fn closed(&self) -> impl Iterator<Item = &str> {
        self.roots.iter().filter(|(stem, _)| stem.ends_with("-event")).map(|(_, name)| name.as_str())
    }

    /// What the module of declarations is called: `events`, unless there are none.
    pub(super) fn module(&self) -> &str {
        if self.closed().next().is_some() { "events" } else { &self.protocol }
    }

    /// Every definition, the roots first.
    pub(super) fn ordered(&self) -> impl Iterator<Item = (&str, &Type)> {
        let roots = self.roots.iter().map(|(_, name)| name.as_str());
        let is_root = |name: &str| self.roots.iter().any(|(_, root)| root == name);
        let others = self.definitions.keys().map(String::as_str).filter(move |name| !is_root(name));
        roots.chain(others).filter_map(|name| Some((name, self.definition(name)?)))
    }

    /// What a reference leads to in the end.
    pub(super) fn resolve<'b>(&'b self, shape: &'b Type) -> &'b Type {
        let mut found = shape;
        // A chain of references that is longer than this is a circle.
        for _ in 0..self.definitions.len() {
            match &found.kind {
                Kind::Reference(name) => match self.definition(name) {
                    Some(next) => found = next,
                    None => break,
                },
                _ => break,
            }
        }
        found
    }

    fn object<'b>(&'b self, shape: &'b Type) -> Option<&'b Object> {
        self.resolve(shape).as_object()
    }

    /// Whether null is among the values.
    pub(super) fn admits_null(&self, shape: &Type) -> bool {
        match &self.resolve(shape).kind {
            Kind::Any | Kind::Null => true,
            Kind::Union(branches) => branches.iter().any(|branch| self.admits_null(branch)),
            _ => false,
        }
    }

    /// The member that tells the most branches of a union apart; at least two.
    pub(super) fn tag<'b>(&'b self, branches: &'b [Type]) -> Option<&'b str> {
        let objects: Vec<&'b Object> = branches.iter().map(|branch| self.object(branch)).collect::<Option<_>>()?;
        let names: BTreeSet<&'b str> = objects.iter().copied().flat_map(Object::names).collect();
        let mut best: Option<(usize, &'b str)> = None;
        for name in names {
            let mut values: Vec<_> = objects.iter().map(|object| object.tags(name)).collect();
            values.retain(|values| !values.is_empty());
            let told = values.len();
            let mut values = values.concat();
            let all = values.len();
            values.sort_unstable();
            values.dedup();
            if told > 1 && values.len() == all && best.is_none_or(|(most, _)| told > most) {
                best = Some((told, name));
            }
        }
        best.map(|(_, name)| name)
    }

    /// The values of the tag that a branch is told by; none if it is not.
    pub(super) fn tags<'b>(&'b self, branch: &'b Type, tag: &str) -> Vec<Option<&'b str>> {
        self.object(branch).map(|object| object.tags(tag)).unwrap_or_default()
    }
}

/// What a version is called by those who tell it apart, such as `v0`.
fn said<'v>(protocol: &str, version: &'v str, versions: &[&str]) -> &'v str {
    let place = versions.iter().position(|other| *other == version);
    let names = Protocol::ALL.iter().find(|known| known.id() == protocol).map(Protocol::versions);
    match (place, names) {
        (Some(place), Some(names)) if names.len() == versions.len() => names.get(place).copied().unwrap_or(version),
        _ => version,
    }
}

/// Gives every reference another target.
pub(super) fn refer(schema: &mut Value, target: &dyn Fn(&str) -> String) {
    match schema {
        Value::Object(keywords) => {
            for (keyword, value) in keywords {
                match value {
                    Value::String(reference) if keyword == "$ref" => *reference = target(reference),
                    value => refer(value, target),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| refer(item, target)),
        _ => {}
    }
}
