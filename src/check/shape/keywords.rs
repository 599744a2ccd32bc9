//! What single keywords say.

use serde_json::Value as Json;

use super::{ArrayForm, Form, NumberForm, ObjectForm, StringForm};
use crate::check::names::NameTable;

/// Keywords that say nothing about validity.
pub(super) const ANNOTATIONS: &[&str] = &[
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

/// The ending that a pattern asks for: letters, digits and `_` before `$`.
pub(super) fn suffix(pattern: &Json) -> Option<&str> {
    let suffix = pattern.as_str()?.strip_suffix('$')?;
    let is_plain = suffix.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    (is_plain && !suffix.is_empty()).then_some(suffix)
}

pub(super) fn any() -> Form {
    Form {
        null: true,
        boolean: true,
        number: Some(NumberForm::default()),
        string: Some(StringForm::default()),
        array: Some(ArrayForm::default()),
        object: Some(ObjectForm::Any),
    }
}

pub(super) fn merge<T>(mine: &mut Option<T>, theirs: Option<T>, definition: &str) -> Result<(), String> {
    match (&mine, theirs) {
        (_, None) => Ok(()),
        (None, theirs) => {
            *mine = theirs;
            Ok(())
        }
        _ => Err(format!("{definition}: two alternatives of one JSON type")),
    }
}

/// The definition that a schema refers to and adds nothing to; by `allOf` where it has a
/// description of its own.
pub(super) fn reference<'s>(schema: &'s Json, definition: &str) -> Result<Option<&'s str>, String> {
    let target = match (schema.get("$ref"), schema.get("allOf").and_then(Json::as_array).map(Vec::as_slice)) {
        (Some(target), None) => Some(target),
        (None, Some([Json::Object(only)])) if only.len() == 1 => only.get("$ref"),
        (None, None) => return Ok(None),
        _ => None,
    };
    let name = target.and_then(Json::as_str).and_then(|target| target.strip_prefix("#/$defs/"));
    let name = name.ok_or_else(|| format!("{definition}: only references to definitions are supported"))?;
    let mut keywords = schema.as_object().into_iter().flat_map(serde_json::Map::keys);
    match keywords.find(|key| !["$ref", "allOf"].contains(&key.as_str()) && !ANNOTATIONS.contains(&key.as_str())) {
        Some(keyword) => Err(format!("{definition}: keyword {keyword} beside a reference is not supported")),
        None => Ok(Some(name)),
    }
}

/// A list of strings, unless it is too long for a table.
pub(super) fn strings(values: &[Json]) -> Option<NameTable> {
    let names: Option<Vec<&str>> = values.iter().map(Json::as_str).collect();
    names.filter(|names| names.len() <= NameTable::MOST).map(NameTable::new)
}

/// `anyOf: [{enum: […]}, {}]`: a list that is open.
pub(super) fn open_list(branches: &[Json]) -> Option<NameTable> {
    match branches {
        [known, Json::Object(rest)] if rest.is_empty() => strings(known.get("enum")?.as_array()?),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_reference_adds_nothing_but_a_description() {
        let only = || Err(": only references to definitions are supported".to_owned());
        let beside = |keyword: &str| Err(format!(": keyword {keyword} beside a reference is not supported"));
        for (schema, found) in [
            (json!({"type": "string"}), Ok(None)),
            (json!(true), Ok(None)),
            (json!({"$ref": "#/$defs/A"}), Ok(Some("A"))),
            (json!({"$ref": "#/$defs/A", "description": "a", "deprecated": true}), Ok(Some("A"))),
            (json!({"allOf": [{"$ref": "#/$defs/A"}], "description": "a", "examples": []}), Ok(Some("A"))),
            (json!({"$ref": "#/$defs/A", "minLength": 1}), beside("minLength")),
            (json!({"allOf": [{"$ref": "#/$defs/A"}], "required": ["b"]}), beside("required")),
            (json!({"allOf": [{"$ref": "#/$defs/A", "type": "object"}]}), only()),
            (json!({"allOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}]}), only()),
            (json!({"$ref": "other.json"}), only()),
        ] {
            assert_eq!(reference(&schema, ""), found, "{schema}");
        }
    }
}
