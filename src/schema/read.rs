//! From JSON Schema to the tree. What is not known here is an error, so that nothing is left out in silence.

use serde_json::{Map, Value};

use super::model::{Bounds, Form, Kind, List, Member, Object, Text, Type};

/// A construct of a schema that the generators do not know.
///
/// Since 0.1.0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {problem}")]
#[non_exhaustive]
pub struct Unmodelled {
    /// The file, and where in it, such as `lime/v0.1/event.schema.json#/properties/kind`.
    pub place: String,
    /// What is not known.
    pub problem: String,
}

impl Unmodelled {
    pub(super) fn new(place: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { place: place.into(), problem: problem.into() }
    }
}

type Keywords = Map<String, Value>;
type Outcome<T> = Result<T, Unmodelled>;

/// Keywords that say nothing about values.
const ANNOTATIONS: &[&str] = &["$schema", "$id", "$comment", "$defs", "title", "default", "format"];

/// Keywords that say something about the values of one type, and nothing about others.
const LIMITS: &[&str] = &[
    "minimum",
    "maximum",
    "minLength",
    "pattern",
    "not",
    "items",
    "minItems",
    "maxItems",
    "properties",
    "required",
    "additionalProperties",
];

/// Every type but null.
const NOT_NULL: &[&str] = &["array", "boolean", "number", "object", "string"];

/// Reads a schema that stands at `place`.
pub(super) fn read(schema: &Value, place: &str) -> Outcome<Type> {
    let mut keywords = match schema {
        Value::Bool(true) => return Ok(Kind::Any.into()),
        Value::Bool(false) => return Ok(Kind::Never.into()),
        Value::Object(keywords) => keywords.clone(),
        _ => return Err(Unmodelled::new(place, "a schema is an object or a boolean")),
    };
    take(&mut keywords, ANNOTATIONS);
    let description = match keywords.remove("description") {
        Some(Value::String(text)) => text,
        _ => String::new(),
    };
    let example = match keywords.remove("examples") {
        // Sorted, whatever the order of serde_json's maps is.
        Some(Value::Array(examples)) => examples.into_iter().next().map(|mut example| {
            example.sort_all_objects();
            example
        }),
        _ => None,
    };
    let is_deprecated = keywords.remove("deprecated") == Some(Value::Bool(true));
    let kind = kind(&mut keywords, place)?;
    match keywords.keys().next() {
        Some(left) => Err(Unmodelled::new(place, format!("the keyword `{left}` is not modelled"))),
        None => Ok(Type { kind, description, example, is_deprecated }),
    }
}

/// Takes the keywords of a list out of a schema.
fn take(keywords: &mut Keywords, names: &[&str]) -> Keywords {
    names.iter().filter_map(|name| keywords.remove_entry(*name)).collect()
}

/// Takes out what it understands.
fn kind(keywords: &mut Keywords, place: &str) -> Outcome<Kind> {
    if let Some(reference) = keywords.remove("$ref") {
        let name = reference.as_str().and_then(|text| text.strip_prefix("#/$defs/"));
        let name = name.ok_or_else(|| Unmodelled::new(place, "a reference leads to no definition of the file"))?;
        return Ok(Kind::Reference(name.to_owned()));
    }
    if let Some(constant) = keywords.remove("const") {
        return closed(keywords, &[constant], place);
    }
    if let Some(values) = keywords.remove("enum") {
        return closed(keywords, list(&values, place)?, place);
    }
    if let Some(parts) = keywords.remove("allOf") {
        return intersection(keywords, list(&parts, place)?, place);
    }
    for keyword in ["anyOf", "oneOf"] {
        if let Some(branches) = keywords.remove(keyword) {
            return union(keywords, list(&branches, place)?, &format!("{place}/{keyword}"));
        }
    }
    match keywords.remove("type") {
        None => Ok(Kind::Any),
        Some(Value::String(name)) => typed(&name, Vec::new(), &take(keywords, LIMITS), place),
        Some(types) => {
            let names = texts(list(&types, place)?, place)?;
            let limits = take(keywords, LIMITS);
            if limits.is_empty() && is_not_null(names.iter().map(String::as_str).collect()) {
                return Ok(Kind::NotNull);
            }
            let kinds = names.iter().map(|name| typed(name, Vec::new(), &limits, place).map(Type::from));
            kinds.collect::<Outcome<_>>().map(Kind::Union)
        }
    }
}

/// `const` and `enum`.
fn closed(keywords: &mut Keywords, values: &[Value], place: &str) -> Outcome<Kind> {
    if keywords.get("type").is_some_and(|name| name == "string") {
        keywords.remove("type");
    }
    texts(values, place).map(Kind::Names)
}

/// `allOf`: what stands beside it is one part more. One part alone is how a reference takes a description.
fn intersection(keywords: &mut Keywords, parts: &[Value], place: &str) -> Outcome<Kind> {
    let parts = parts.iter().enumerate().map(|(number, part)| read(part, &format!("{place}/allOf/{number}")));
    let mut parts: Vec<Type> = parts.collect::<Outcome<_>>()?;
    if !keywords.is_empty() {
        parts.push(kind(keywords, place)?.into());
    }
    match parts.pop() {
        None => Ok(Kind::Any),
        Some(only) if parts.is_empty() => Ok(only.kind),
        Some(last) => {
            parts.push(last);
            Ok(Kind::Intersection(parts))
        }
    }
}

/// Whether these are all types but null, each once.
fn is_not_null(mut names: Vec<&str>) -> bool {
    names.sort_unstable();
    names == NOT_NULL
}

/// The types of branches that say nothing else.
fn bare_types(branches: &[Value]) -> Option<Vec<&str>> {
    let bare = |branch: &Value| branch.as_object().is_some_and(|keywords| keywords.len() == 1);
    branches.iter().map(|branch| branch.get("type").filter(|_| bare(branch))?.as_str()).collect()
}

fn union(keywords: &mut Keywords, branches: &[Value], place: &str) -> Outcome<Kind> {
    if let Some(known) = open_names(branches)
        && keywords.get("type").is_some_and(|name| name == "string")
    {
        keywords.remove("type");
        return typed("string", texts(known, place)?, &take(keywords, LIMITS), place);
    }
    // What stands beside the branches is said of each of them.
    let limits = take(keywords, LIMITS);
    if limits.is_empty() && bare_types(branches).is_some_and(is_not_null) {
        return Ok(Kind::NotNull);
    }
    let branches = branches.iter().enumerate().map(|(number, branch)| {
        let place = format!("{place}/{number}");
        let mut branch = branch.clone();
        for (keyword, limit) in &limits {
            match branch.as_object_mut() {
                Some(own) if own.contains_key("type") && !own.contains_key(keyword) => {
                    own.insert(keyword.clone(), limit.clone());
                }
                _ => {
                    return Err(Unmodelled::new(
                        place,
                        format!("the keyword `{keyword}` beside a union is not modelled"),
                    ));
                }
            }
        }
        read(&branch, &place)
    });
    branches.collect::<Outcome<_>>().map(Kind::Union)
}

/// The names of `[{"enum": names}, {}]`, which is how an open list of names is written.
fn open_names(branches: &[Value]) -> Option<&[Value]> {
    let [Value::Object(names), Value::Object(others)] = branches else { return None };
    let known = names.get("enum")?.as_array()?;
    (names.len() == 1 && others.is_empty()).then_some(known)
}

/// A type by its name. `known` are names of an open list.
fn typed(name: &str, known: Vec<String>, limits: &Keywords, place: &str) -> Outcome<Kind> {
    let number = |keyword: &str| match limits.get(keyword) {
        None => Ok(None),
        Some(Value::Number(number)) => Ok(Some(number.clone())),
        Some(_) => Err(Unmodelled::new(place, format!("`{keyword}` is no number"))),
    };
    let count = |keyword: &str| number(keyword).map(|number| number.and_then(|number| number.as_u64()));
    match name {
        "null" => Ok(Kind::Null),
        "boolean" => Ok(Kind::Boolean),
        "integer" | "number" => Ok(Kind::Number(Bounds {
            is_integer: name == "integer",
            minimum: number("minimum")?,
            maximum: number("maximum")?,
        })),
        "string" => Ok(Kind::Text(Text {
            known,
            min_length: count("minLength")?.unwrap_or_default(),
            form: form(limits.get("pattern"), place)?,
            is_narrowed: limits.get("not").map(|not| exclusion(not, place)).transpose()?.is_some(),
        })),
        "array" => Ok(Kind::List(List {
            item: Box::new(match limits.get("items") {
                Some(item) => read(item, &format!("{place}/items"))?,
                None => Kind::Any.into(),
            }),
            min: count("minItems")?.unwrap_or_default(),
            max: count("maxItems")?,
        })),
        "object" => object(limits, place).map(Kind::Object),
        _ => Err(Unmodelled::new(place, format!("the type `{name}` is not modelled"))),
    }
}

/// What a `pattern` asks for.
fn form(pattern: Option<&Value>, place: &str) -> Outcome<Form> {
    let Some(pattern) = pattern else { return Ok(Form::Free) };
    let pattern = pattern.as_str().ok_or_else(|| Unmodelled::new(place, "`pattern` is no text"))?;
    let is_plain = |text: &&str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    Ok(match pattern.strip_suffix('$').filter(is_plain) {
        Some(ending) => Form::Ending(ending.to_owned()),
        None => Form::Pattern(pattern.to_owned()),
    })
}

/// Texts can be excluded by name or pattern. Generators leave it at that, if it is nothing else.
fn exclusion(not: &Value, place: &str) -> Outcome<()> {
    let excluded = match not.get("anyOf").and_then(Value::as_array) {
        Some(several) => several.iter().collect(),
        None => vec![not],
    };
    let is_known = |schema: &Value| {
        schema.as_object().is_some_and(|keywords| keywords.keys().all(|name| name == "enum" || name == "pattern"))
    };
    if excluded.into_iter().all(is_known) {
        return Ok(());
    }
    Err(Unmodelled::new(place, "what `not` excludes is not modelled"))
}

fn object(limits: &Keywords, place: &str) -> Outcome<Object> {
    let none = Map::new();
    let properties = match limits.get("properties") {
        None => &none,
        Some(Value::Object(properties)) => properties,
        Some(_) => return Err(Unmodelled::new(place, "`properties` is no object")),
    };
    let required = match limits.get("required") {
        None => Vec::new(),
        Some(names) => texts(list(names, place)?, place)?,
    };
    let optional = properties.keys().filter(|name| !required.contains(name));
    let names = required.iter().map(|name| (name, true)).chain(optional.map(|name| (name, false)));
    let members = names.map(|(name, is_required)| -> Outcome<Member> {
        let schema = properties
            .get(name)
            .ok_or_else(|| Unmodelled::new(place, format!("`{name}` is required, and no member")))?;
        Ok(Member { name: name.clone(), is_required, value: read(schema, &format!("{place}/properties/{name}"))? })
    });
    let rest = match limits.get("additionalProperties") {
        None => Some(Kind::Any.into()),
        Some(Value::Bool(false)) => None,
        Some(schema) => Some(read(schema, &format!("{place}/additionalProperties"))?),
    };
    Ok(Object { members: members.collect::<Outcome<_>>()?, rest: rest.map(Box::new) })
}

fn list<'v>(value: &'v Value, place: &str) -> Outcome<&'v [Value]> {
    value.as_array().map(Vec::as_slice).ok_or_else(|| Unmodelled::new(place, "a list was expected"))
}

fn texts(values: &[Value], place: &str) -> Outcome<Vec<String>> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let texts: Option<Vec<String>> = values.iter().map(text).collect();
    texts.ok_or_else(|| Unmodelled::new(place, "a value that is no text is not modelled"))
}
