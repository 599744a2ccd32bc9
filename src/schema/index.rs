//! The list of the generated files, for programs that take some of them.

use hmac_sha256::Hash;
use serde::Serialize;
use serde_json::Value;

use super::file::File;

#[derive(Serialize)]
struct Index<'f> {
    files: Vec<Entry<'f>>,
}

#[derive(Serialize)]
struct Entry<'f> {
    path: &'f str,
    #[serde(rename = "$id", skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    protocol: &'f str,
    version: &'f str,
    media: &'static str,
    sha256: String,
}

/// The media types of generated files, by the ends of their names.
const MEDIA: &[(&str, &str)] =
    &[(".schema.json", "application/schema+json"), (".d.ts", "text/typescript"), (".md", "text/markdown")];

/// `index.json`, which lists the files.
pub(super) fn index(files: &[File]) -> File {
    let index = Index { files: files.iter().map(entry).collect() };
    let text = serde_json::to_string_pretty(&index).unwrap_or_default();
    File::new("index.json", text + "\n")
}

fn entry(file: &File) -> Entry<'_> {
    let mut parts = file.path.split('/');
    let media = MEDIA.iter().find(|(end, _)| file.path.ends_with(end));
    let schema = serde_json::from_str::<Value>(&file.text).ok();
    Entry {
        path: &file.path,
        id: schema.and_then(|schema| Some(schema.get("$id")?.as_str()?.to_owned())),
        protocol: parts.next().unwrap_or_default(),
        version: parts.next().unwrap_or_default(),
        media: media.map_or("text/plain", |(_, media)| *media),
        sha256: Hash::hash(file.text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect(),
    }
}
