//! The definitions of one version of a protocol.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::model::{Kind, Member, Type};
use super::read::{Unmodelled, read};
use crate::wire::published::SchemaFile;

/// What the files of a directory say. The same name means the same in all of them.
#[derive(Debug)]
pub(super) struct Bundle {
    /// The protocol, or `report`.
    pub(super) protocol: String,
    pub(super) version: String,
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

/// A directory: its protocol, its version as numbers, and as it is written.
type Directory<'a> = (&'a str, Vec<u64>, &'a str);

/// The bundles of the published files, by protocol, the oldest version first.
pub(super) fn bundles(files: &[SchemaFile]) -> Result<Vec<Bundle>, Unmodelled> {
    let mut directories: BTreeMap<Directory<'_>, Vec<(&str, &SchemaFile)>> = BTreeMap::new();
    for file in files {
        let parts: Vec<&str> = file.path.split('/').collect();
        let [protocol, version, name] = parts[..] else {
            return Err(Unmodelled::new(file.path, "the path is not protocol, version and name"));
        };
        let key = (protocol, numbers(version), version);
        directories.entry(key).or_default().push((name.trim_end_matches(".schema.json"), file));
    }
    let mut bundles: Vec<Bundle> = Vec::new();
    for ((protocol, _, version), files) in directories {
        if let Some(older) = bundles.last_mut().filter(|older| older.protocol == protocol) {
            older.is_newest = false;
        }
        let mut bundle = Bundle::new(protocol, version);
        for (stem, file) in files {
            bundle.read(stem, file)?;
        }
        bundles.push(bundle.finish()?);
    }
    Ok(bundles)
}

/// The numbers of a version, by which versions are ordered: `1.10` comes after `1.9`.
fn numbers(version: &str) -> Vec<u64> {
    version.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect()
}

impl Bundle {
    fn new(protocol: &str, version: &str) -> Self {
        Self {
            protocol: protocol.to_owned(),
            version: version.to_owned(),
            is_newest: true,
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
        let schema: Value = serde_json::from_str(&file.text).map_err(problem)?;
        let Value::Object(mut root) = schema else { return Err(Unmodelled::new(file.path, "the file is no object")) };
        let name = root.get("title").and_then(Value::as_str).unwrap_or_default().to_owned();
        let definitions = root.remove("$defs").unwrap_or_default();
        root.retain(|keyword, _| !OF_FILES.contains(&keyword.as_str()));
        self.roots.push((stem.to_owned(), name.clone()));
        // A type that is made of itself is a definition, and the root is a reference to it.
        if root.get("$ref").is_none_or(|target| *target != format!("#/$defs/{name}")) {
            self.add(name, root.into(), file.path)?;
        }
        for (name, schema) in definitions.as_object().into_iter().flatten() {
            self.add(name.clone(), schema.clone(), &format!("{}#/$defs/{name}", file.path))?;
        }
        Ok(())
    }

    fn add(&mut self, name: String, schema: Value, place: &str) -> Result<(), Unmodelled> {
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric()) {
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

    pub(super) fn is_root(&self, name: &str) -> bool {
        self.roots.iter().any(|(_, root)| root == name)
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
        let others = self.definitions.keys().map(String::as_str).filter(|name| !self.is_root(name));
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

    /// The members of an object, those of its parts first; none if it is no object.
    pub(super) fn members<'b>(&'b self, shape: &'b Type) -> Vec<&'b Member> {
        match &self.resolve(shape).kind {
            Kind::Object(object) => object.members.iter().collect(),
            Kind::Intersection(parts) => parts.iter().flat_map(|part| self.members(part)).collect(),
            _ => Vec::new(),
        }
    }

    /// The branches of a union, beside which there may be what all of them share.
    pub(super) fn branches<'b>(&'b self, shape: &'b Type) -> Option<&'b [Type]> {
        match &self.resolve(shape).kind {
            Kind::Union(branches) => Some(branches),
            Kind::Intersection(parts) => parts.iter().find_map(|part| self.branches(part)),
            _ => None,
        }
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
        let objects: Vec<Vec<&Member>> = branches.iter().map(|branch| self.members(branch)).collect();
        let names: BTreeSet<&'b str> = objects.iter().flatten().map(|member| member.name.as_str()).collect();
        let mut best: Option<(usize, &'b str)> = None;
        for name in names {
            let mut values: Vec<_> = objects.iter().map(|members| tags(members, name)).collect();
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
        tags(&self.members(branch), tag)
    }

    /// What the names of the protocol's types begin with, such as `Agui`.
    pub(super) fn prefix(&self) -> &str {
        self.root("known-event").map(|name| name.trim_end_matches("KnownEvent")).unwrap_or_default()
    }
}

/// The values of the tag among members, of which the last of a name says the most.
fn tags<'b>(members: &[&'b Member], tag: &str) -> Vec<Option<&'b str>> {
    let named = members.iter().rev().filter(|member| member.name == tag);
    named.map(|member| member.tags()).find(|tags| !tags.is_empty()).unwrap_or_default()
}
