//! What is made of the schemas for frontends: declarations, the index, OpenAPI, the npm package.
#![cfg(feature = "published")]

use std::collections::{BTreeMap, BTreeSet};

use agent_contracts::schema::{self, File};
use serde_json::Value;

fn parsed(file: &File) -> Value {
    serde_json::from_str(&file.text).unwrap_or_else(|error| panic!("{}: {error}", file.path))
}

/// The names that a module of declarations exports by itself.
fn exported(file: &File) -> impl Iterator<Item = &str> {
    file.text.lines().filter_map(|line| {
        let line = line.strip_prefix("export interface ").or_else(|| line.strip_prefix("export type "))?;
        line.split([' ', '=']).next()
    })
}

#[test]
fn every_committed_schema_is_modelled() {
    let generated = schema::generated().unwrap();
    let paths: BTreeSet<&str> = generated.iter().map(|file| file.path.as_str()).collect();
    for file in schema::files() {
        let (directory, name) = file.path.rsplit_once('/').unwrap();
        if name == "known-event.schema.json" {
            for made in ["events.d.ts", "catalogue.md"] {
                let path = format!("{directory}/{made}");
                assert!(paths.contains(path.as_str()), "{path} is missing");
            }
        }
    }
    assert!(paths.contains("report/1/report.d.ts") && paths.contains("index.json"));
}

#[test]
fn all_declarations_can_be_exported_by_one_module() {
    let mut modules: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let generated = schema::generated().unwrap();
    for file in generated.iter().filter(|file| file.path.ends_with(".d.ts")) {
        for name in exported(file) {
            modules.entry(name).or_default().push(&file.path);
        }
    }
    assert!(modules.len() > 300, "only {} names were found", modules.len());
    let twice: Vec<_> = modules.iter().filter(|(_, files)| files.len() > 1).collect();
    assert!(twice.is_empty(), "{twice:#?}");
    for (name, file) in [
        ("AguiEvent", "agui/1.0/events.d.ts"),
        ("AguiKnownEvent", "agui/1.0/events.d.ts"),
        ("AguiRunAgentInput", "agui/1.0/events.d.ts"),
        ("LimeKnownEvent", "lime/v0.1/events.d.ts"),
        ("PollingTaskResponse", "polling/2026-10-07/events.d.ts"),
        ("CheckReport", "report/1/report.d.ts"),
        ("SocialAppKnownEvent", "social-app/2026-04-24/events.d.ts"),
        ("SocialAppV0KnownEvent", "social-app/2026-03-17/events.d.ts"),
        ("UbikToolEvent", "ubik/2026-08-21/events.d.ts"),
    ] {
        assert_eq!(modules.get(name), Some(&vec![file]), "{name}");
    }
}

#[test]
fn unions_narrow_by_their_tags() {
    let generated = schema::generated().unwrap();
    for (path, expected) in [
        ("agui/1.0/events.d.ts", "export type AguiEvent = AguiKnownEvent | AguiUnknownEvent;\n"),
        ("agui/1.0/events.d.ts", "  type: \"RUN_STARTED\";\n"),
        ("ubik/2026-08-21/events.d.ts", "  type: \"response_chunk\";\n"),
        ("ubik/2026-08-21/events.d.ts", "  type: `${string}_delta_sse`;\n"),
        ("polling/2026-10-07/events.d.ts", "  data: PollingTextChunkData;\n"),
        ("lime/v0.1/events.d.ts", "  eventClass: \"tool.started\";\n"),
        ("lime/v0.1/events.d.ts", "export type LimeKnownEvent = LimeEventBase &"),
    ] {
        let file = generated.iter().find(|file| file.path == path).unwrap();
        assert!(file.text.contains(expected), "{path} has no {expected}");
    }
}

#[test]
fn the_index_lists_every_file() {
    let generated = schema::generated().unwrap();
    let index = generated.iter().find(|file| file.path == "index.json").map(parsed).unwrap();
    let entries = index["files"].as_array().unwrap();
    let listed: Vec<&str> = entries.iter().map(|entry| entry["path"].as_str().unwrap()).collect();
    let made: Vec<&str> =
        generated.iter().map(|file| file.path.as_str()).filter(|path| *path != "index.json").collect();
    assert_eq!(listed, made);
    let mut digests = BTreeSet::new();
    for (entry, file) in entries.iter().zip(&generated) {
        let path = &file.path;
        let digest = entry["sha256"].as_str().unwrap();
        assert!(digest.len() == 64 && digest.bytes().all(|byte| byte.is_ascii_hexdigit()), "{path}: {digest}");
        assert!(digests.insert(digest), "{path} has the digest of another file");
        let directory = format!("{}/{}/", entry["protocol"].as_str().unwrap(), entry["version"].as_str().unwrap());
        assert!(path.starts_with(&directory), "{path} is not in {directory}");
        let media = entry["media"].as_str().unwrap();
        assert_eq!(media == "application/schema+json", path.ends_with(".schema.json"), "{path}: {media}");
        let id = if media == "application/schema+json" { parsed(file)["$id"].clone() } else { Value::Null };
        assert_eq!(entry["$id"], id, "{path}");
    }
}

/// Every reference in a document.
fn references<'v>(value: &'v Value, found: &mut Vec<&'v str>) {
    match value {
        Value::Object(members) => {
            found.extend(members.get("$ref").and_then(Value::as_str));
            members.values().for_each(|value| references(value, found));
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        _ => {}
    }
}

#[test]
fn openapi_documents_describe_what_goes_over_http() {
    let documents = schema::openapi().unwrap();
    let paths: Vec<&str> = documents.iter().map(|file| file.path.as_str()).collect();
    let expected = [
        "agui/1.0/openapi.json",
        "lime/v0.1/openapi.json",
        "polling/2026-10-07/openapi.json",
        "social-app/2026-04-24/openapi.json",
        "ubik/2026-08-21/openapi.json",
    ];
    assert_eq!(paths, expected);
    let documents: BTreeMap<&str, Value> = documents.iter().map(|file| (file.path.as_str(), parsed(file))).collect();
    for (path, document) in &documents {
        assert_eq!(document["openapi"], "3.2.0", "{path}");
        let mut found = Vec::new();
        references(document, &mut found);
        assert!(!found.is_empty(), "{path}");
        for reference in found {
            let target = document.pointer(reference.trim_start_matches('#'));
            assert!(target.is_some(), "{path}: {reference} leads nowhere");
        }
    }
    for (path, place, expected) in [
        (
            "agui/1.0/openapi.json",
            "/paths/~1/post/requestBody/content/application~1json/schema/$ref",
            "#/components/schemas/AguiRunAgentInput",
        ),
        (
            "agui/1.0/openapi.json",
            "/paths/~1/post/responses/200/content/text~1event-stream/itemSchema/properties/data/contentSchema/$ref",
            "#/components/schemas/AguiEvent",
        ),
        (
            "lime/v0.1/openapi.json",
            "/components/responses/Events/content/text~1event-stream/itemSchema/properties/data/contentMediaType",
            "application/json",
        ),
        (
            "polling/2026-10-07/openapi.json",
            "/paths/~1api~1v1~1tasks~1{task_id}/get/responses/200/content/application~1json/schema/$ref",
            "#/components/schemas/PollingTaskResponse",
        ),
        (
            "ubik/2026-08-21/openapi.json",
            "/paths/~1tool-executions~1{execution_id}~1stream/get/responses/200/content/text~1event-stream/itemSchema/oneOf/0/properties/event/const",
            "tool_update",
        ),
    ] {
        let found = documents[path].pointer(place).and_then(Value::as_str);
        assert_eq!(found, Some(expected), "{path}{place}");
    }
}

#[test]
fn the_package_is_complete() {
    let files = schema::npm().unwrap();
    let package: BTreeMap<&str, &str> = files.iter().map(|file| (file.path.as_str(), file.text.as_str())).collect();
    assert_eq!(package.len(), files.len(), "a path is there twice");

    let manifest: Value = serde_json::from_str(package["package.json"]).unwrap();
    assert_eq!(manifest["dependencies"], Value::Null);
    assert_eq!(manifest["sideEffects"], false);
    let exports = manifest["exports"].as_object().unwrap();
    for entry in [".", "./zod", "./agui", "./agui/zod", "./lime", "./polling", "./social-app", "./ubik"] {
        assert!(exports.contains_key(entry), "{entry} is not exported");
    }
    for (entry, target) in exports.iter().filter(|(_, target)| target.is_object()) {
        for condition in ["types", "default"] {
            let path = target[condition].as_str().unwrap().trim_start_matches("./");
            assert!(package.contains_key(path), "{entry} leads to {path}, which is missing");
        }
    }

    let is_module = |path: &str| [".js", ".d.ts"].iter().any(|end| path.ends_with(end));
    for (path, text) in package.iter().filter(|(path, _)| is_module(path)) {
        for line in text.lines().filter(|line| line.starts_with("import ") || line.starts_with("export ")) {
            let Some((_, module)) = line.rsplit_once(" from \"") else { continue };
            let module = module.trim_end_matches("\";");
            if module == "zod" {
                continue;
            }
            let up = path.split('/').count() - 1;
            let below = module.trim_start_matches("./").trim_start_matches("../");
            let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
            let target =
                if module.starts_with("../") || up == 0 { below.to_owned() } else { format!("{folder}/{below}") };
            let declared = target.replace(".js", ".d.ts");
            assert!(
                package.contains_key(declared.as_str()) || package.contains_key(target.as_str()),
                "{path} takes {module}, which is missing"
            );
        }
        for code in ["require(", "eval(", "new Function"] {
            assert!(!text.contains(code), "{path} has {code}");
        }
    }
}
