//! The npm package: types, validators, schemas of zod and JSON Schemas, ready to be published.

use std::collections::BTreeMap;

use super::bundle::Bundle;
use super::file::File;
use super::read::Unmodelled;
use super::script::HEADER;
use super::zod;
use crate::embedded;

/// Files that go into the package as they are.
const FILES: &[(&str, &str)] = &[
    ("README.md", include_str!("readme.md")),
    ("validator.d.ts", include_str!("validator.d.ts")),
    ("LICENSE-APACHE", include_str!("../../../LICENSE-APACHE")),
    ("LICENSE-MIT", include_str!("../../../LICENSE-MIT")),
];

/// The files of the package. `generated` are those below `schemas/`.
pub(super) fn package(bundles: &[Bundle], generated: &[File]) -> Result<Vec<File>, Unmodelled> {
    let mut files: Vec<File> = FILES.iter().map(|(path, text)| File::new(*path, *text)).collect();
    files.extend(generated.iter().map(|file| File::new(format!("schemas/{}", file.path), &file.text)));

    let mut versions: BTreeMap<&str, Vec<&Bundle>> = BTreeMap::new();
    for bundle in bundles.iter().filter(|bundle| bundle.closed().next().is_some()) {
        versions.entry(&bundle.protocol).or_default().push(bundle);
    }
    for (protocol, versions) in &versions {
        let validators = embedded::text(&format!("frontends/validators/{protocol}.mjs"));
        let validators = validators.ok_or_else(|| Unmodelled::new(*protocol, "there are no validators of it"))?;
        files.push(File::new(format!("{protocol}/index.js"), validators));
        files.push(File::new(format!("{protocol}/index.d.ts"), declarations(versions)));
        for bundle in versions.iter().filter(|bundle| bundle.is_newest) {
            let (code, types) = zod::module(bundle, &module_of(bundle, ".."))?;
            files.push(File::new(format!("{protocol}/zod.js"), code));
            files.push(File::new(format!("{protocol}/zod.d.ts"), types));
        }
    }

    let protocols: Vec<&str> = versions.keys().copied().collect();
    let others = bundles.iter().filter(|bundle| !versions.contains_key(bundle.protocol.as_str()));
    let others: String = others.map(|bundle| format!("export * from \"{}\";\n", module_of(bundle, "."))).collect();
    let index = barrel(&protocols, "index");
    let shared = "export type { ValidationError, Validator } from \"./validator.js\";\n";
    let types = format!("{HEADER}{shared}{}{others}", index.trim_start_matches(HEADER));
    files.push(File::new("index.d.ts", types));
    files.push(File::new("index.js", index));
    for path in ["zod.js", "zod.d.ts"] {
        files.push(File::new(path, barrel(&protocols, "zod")));
    }
    files.push(File::new("package.json", manifest(&protocols)));
    files.sort_unstable_by(|one, other| one.path.cmp(&other.path));
    Ok(files)
}

/// The module of a bundle's types, seen from a folder that `up` leads out of.
fn module_of(bundle: &Bundle, up: &str) -> String {
    format!("{up}/schemas/{}/{}.js", bundle.directory(), bundle.module())
}

/// A module with what the modules of all protocols have.
fn barrel(protocols: &[&str], module: &str) -> String {
    let exports = protocols.iter().map(|protocol| format!("export * from \"./{protocol}/{module}.js\";\n"));
    HEADER.to_owned() + &exports.collect::<String>()
}

/// The declarations of a protocol's validators, and its types in every version.
fn declarations(versions: &[&Bundle]) -> String {
    let mut out = format!("{HEADER}import type {{ Validator }} from \"../validator.js\";\n");
    for bundle in versions.iter().filter(|bundle| bundle.is_newest) {
        let validators = validators(bundle);
        let types: Vec<&str> = validators.iter().map(|(_, name)| *name).collect();
        out += &format!("import type {{ {} }} from \"{}\";\n\n", types.join(", "), module_of(bundle, ".."));
        for (function, name) in validators {
            out += &format!("export declare const {function}: Validator<{name}>;\n");
        }
    }
    out += "\n";
    for bundle in versions {
        out += &format!("export * from \"{}\";\n", module_of(bundle, ".."));
    }
    out
}

/// The functions of a protocol's module of validators, and the types that they narrow to.
pub(super) fn validators(bundle: &Bundle) -> Vec<(String, &str)> {
    let roots = bundle.roots.iter().filter(|(stem, _)| stem == "event" || stem.ends_with("-event"));
    let validators = roots.map(|(stem, name)| {
        let function = match stem.as_str() {
            "known-event" => format!("isKnown{}Event", bundle.prefix()),
            _ => format!("validate{name}"),
        };
        (function, name.as_str())
    });
    validators.collect()
}

/// `package.json`. It is text, since the order of conditions counts.
fn manifest(protocols: &[&str]) -> String {
    let entry = |path: &str, module: &str| {
        format!("    \"{path}\": {{ \"types\": \"./{module}.d.ts\", \"default\": \"./{module}.js\" }},\n")
    };
    let mut exports = entry(".", "index") + &entry("./zod", "zod");
    for protocol in protocols {
        exports += &entry(&format!("./{protocol}"), &format!("{protocol}/index"));
        exports += &entry(&format!("./{protocol}/zod"), &format!("{protocol}/zod"));
    }
    format!(
        r#"{{
  "name": "{}",
  "version": "{}",
  "description": "Types, validators and JSON Schemas of agent event streams: AG-UI, social-app, Ubik, polling, Lime.",
  "license": "MIT OR Apache-2.0",
  "keywords": ["agent", "ag-ui", "sse", "json-schema", "validation"],
  "type": "module",
  "sideEffects": false,
  "types": "./index.d.ts",
  "exports": {{
{exports}    "./schemas/*": "./schemas/*",
    "./package.json": "./package.json"
  }},
  "peerDependencies": {{ "zod": "^4.0.0" }},
  "peerDependenciesMeta": {{ "zod": {{ "optional": true }} }}
}}
"#,
        env!("CARGO_PKG_NAME"),
        env!("CARGO_PKG_VERSION")
    )
}
