//! Examples. Until a file is written they are texts, so that their members stay in the order in
//! which they are sent.

use serde_json::{Map, Value};

/// Puts each event of `lines` into the definition whose tag, the member `member`, it has. Of
/// several examples the first counts.
pub(crate) fn add_examples(definitions: &mut Map<String, Value>, member: &str, lines: &str) {
    for line in lines.lines() {
        let event: Value = serde_json::from_str(line).unwrap_or_default();
        let tag = event.get(member).and_then(Value::as_str).unwrap_or_default();
        let has_tag = |definition: &&mut Value| {
            let properties = definition.get("properties");
            properties.and_then(|schemas| schemas.get(member)).is_some_and(|schema| is_tag(schema, tag))
        };
        let definition = definitions.values_mut().find(has_tag);
        if let Some(Value::Object(definition)) = definition {
            definition.entry("examples").or_insert_with(|| vec![line].into());
        }
    }
}

/// Whether the schema of a tag is that of this tag.
fn is_tag(schema: &Value, tag: &str) -> bool {
    let suffix = schema["pattern"].as_str().and_then(|pattern| pattern.strip_suffix('$'));
    schema["const"] == tag || suffix.is_some_and(|suffix| tag.ends_with(suffix))
}

/// The example of a document. `lines` are objects with one member, named after the type.
pub(super) fn of_document<'l>(lines: &'l str, name: &str) -> Option<&'l str> {
    lines.lines().find_map(|line| line.strip_prefix("{\"")?.strip_prefix(name)?.strip_prefix("\":")?.strip_suffix('}'))
}

/// A file's text in which examples are what is sent, each on its line.
pub(super) fn written(pretty: &str) -> String {
    let mut out = String::with_capacity(pretty.len());
    for line in pretty.lines() {
        let (indent, text) = line.split_at(line.len() - line.trim_start().len());
        let (text, comma) = text.strip_suffix(',').map_or((text, ""), |text| (text, ","));
        match serde_json::from_str::<String>(text) {
            Ok(example) if example.starts_with('{') => {
                out.extend([indent, example.as_str(), comma]);
            }
            _ => out.push_str(line),
        }
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_example_stands_in_the_definition_of_its_tag() {
        let tagged = |tag: Value| json!({"properties": {"type": tag}});
        let mut definitions = Map::new();
        definitions.insert("Started".into(), tagged(json!({"const": "started"})));
        definitions.insert("Delta".into(), tagged(json!({"pattern": "_delta$"})));
        definitions.insert("Part".into(), tagged(json!({"enum": ["started"]})));
        let lines = "{\"type\":\"started\",\"b\":1.0,\"a\":2}\n{\"type\":\"started\"}\n{\"type\":\"text_delta\"}\n";
        add_examples(&mut definitions, "type", lines);
        let text = written(&serde_json::to_string_pretty(&definitions).unwrap());
        let mut found: Vec<&str> = text.lines().map(str::trim).filter(|line| line.starts_with("{\"")).collect();
        found.sort_unstable();
        assert_eq!(found, [r#"{"type":"started","b":1.0,"a":2}"#, r#"{"type":"text_delta"}"#]);
        assert!(definitions["Part"].get("examples").is_none());
    }

    #[test]
    fn documents_are_found_by_name() {
        let lines = "{\"Order\":{\"b\":1,\"a\":{}}}\n{\"Orders\":{\"items\":[]}}\n";
        assert_eq!(of_document(lines, "Order"), Some(r#"{"b":1,"a":{}}"#));
        assert_eq!(of_document(lines, "Orders"), Some(r#"{"items":[]}"#));
        assert_eq!(of_document(lines, "Ord"), None);
    }
}
