//! The places inside of a JSON value.

use serde_json::Value;

/// The JSON Pointers of everything that lies in `value`, at any depth.
pub fn places(value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    collect(value, "", &mut found);
    found
}

fn collect(value: &Value, path: &str, found: &mut Vec<String>) {
    let mut below = |name: &str, value: &Value| {
        let path = format!("{path}/{}", escaped(name));
        found.push(path.clone());
        collect(value, &path, found);
    };
    match value {
        Value::Object(members) => members.iter().for_each(|(name, value)| below(name, value)),
        Value::Array(items) => items.iter().enumerate().for_each(|(at, value)| below(&at.to_string(), value)),
        _ => {}
    }
}

/// A name as JSON Pointers write it.
pub fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
