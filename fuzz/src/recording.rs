//! An input as a recording: the events in it, and writing them again.

use std::collections::BTreeMap;
use std::path::Path;

use agent_contracts::stream::Framing;
use agent_contracts::stream::sse::{Item, Parser, write_frame};
use serde_json::value::RawValue;

/// A recording; that of a fixture, where the input is one.
#[derive(Clone, Debug)]
pub struct Recording {
    pub framing: Framing,
    pub bytes: Vec<u8>,
    /// The type that a fixture says its document has, such as `Fixture`.
    pub kind: Option<String>,
}

/// An event as it stands in a recording.
#[derive(Clone, Debug, Default)]
pub struct Sample {
    pub name: Option<String>,
    pub id: Option<String>,
    pub text: String,
}

impl Sample {
    fn of(text: &str) -> Self {
        Self { text: text.to_owned(), ..Self::default() }
    }
}

/// The members of a JSON object as they are written; none of anything else.
fn members(text: &str) -> BTreeMap<String, &RawValue> {
    serde_json::from_str(text).unwrap_or_default()
}

impl Recording {
    /// The recording that the input is, or has in the member `sse`, `ndjson` or `document`.
    pub fn of(data: &[u8]) -> Self {
        let members = members(std::str::from_utf8(data).unwrap_or_default());
        let string = |name: &str| members.get(name).and_then(|raw| serde_json::from_str::<String>(raw.get()).ok());
        let (framing, bytes) = if let Some(frames) = string("sse") {
            (Framing::Sse, frames.into_bytes())
        } else if let Some(lines) = string("ndjson") {
            (Framing::Ndjson, lines.into_bytes())
        } else if let Some(document) = members.get("document") {
            (Framing::Json, document.get().as_bytes().to_vec())
        } else {
            (Framing::detect(data), data.to_vec())
        };
        let kind = string("as").and_then(|name| name.split_once('/').map(|(_, kind)| kind.to_owned()));
        Self { framing, bytes, kind }
    }

    /// The events, cut as far as the framing shows them.
    pub fn samples(&self) -> Vec<Sample> {
        let text = String::from_utf8_lossy(&self.bytes);
        let mut found = match self.framing {
            Framing::Sse => frames(&self.bytes),
            Framing::Ndjson => text.lines().map(Sample::of).collect(),
            _ => elements(text.trim_start_matches('\u{FEFF}')),
        };
        found.retain(|sample| !sample.text.trim().is_empty());
        found
    }

    /// Events as a recording.
    pub fn write(framing: Framing, samples: &[Sample]) -> Self {
        let mut out = String::new();
        match framing {
            Framing::Sse => {
                for Sample { name, id, text } in samples {
                    write_frame(&mut out, id.as_deref(), name.as_deref(), text);
                }
            }
            // In JSON, line breaks are but white space.
            Framing::Ndjson => samples.iter().for_each(|sample| out += &(sample.text.replace('\n', " ") + "\n")),
            _ => {
                let texts: Vec<&str> = samples.iter().map(|sample| sample.text.as_str()).collect();
                out = format!("[{}]", texts.join(",\n"));
            }
        }
        Self { framing, bytes: out.into_bytes(), kind: None }
    }
}

/// The frames of an event stream, the last one also if it has no end.
fn frames(bytes: &[u8]) -> Vec<Sample> {
    let lossy = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut found = Vec::new();
    let mut take = |item: Item<'_>| {
        if let Item::Frame(frame) = item {
            let (name, id) = (frame.event.map(|field| lossy(field.value)), frame.id.map(|field| lossy(field.value)));
            found.push(Sample { name, id, text: lossy(frame.data) });
        }
    };
    let mut parser = Parser::new();
    parser.push(bytes, &mut take);
    parser.finish(&mut take);
    found
}

/// The elements of an array, or of the member `events`; else the whole text.
fn elements(text: &str) -> Vec<Sample> {
    let list = members(text).get("events").map_or(text, |events| events.get());
    match serde_json::from_str::<Vec<&RawValue>>(list) {
        Ok(items) => items.into_iter().map(|item| Sample::of(item.get())).collect(),
        Err(_) => vec![Sample::of(text)],
    }
}

/// Longer events say no more than short ones.
const LONGEST: usize = 2000;

/// The events of the fixtures and recordings below `fixtures/<folder>`, each once.
pub fn known(folder: &str) -> Vec<Sample> {
    let mut pending = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures").join(folder)];
    let mut found = Vec::new();
    while let Some(path) = pending.pop() {
        if let Ok(entries) = std::fs::read_dir(&path) {
            pending.extend(entries.flatten().map(|entry| entry.path()));
        } else if let Ok(bytes) = std::fs::read(&path) {
            found.extend(Recording::of(&bytes).samples());
        }
    }
    found.retain(|sample| sample.text.len() <= LONGEST);
    found.sort_by(|a, b| a.text.cmp(&b.text));
    found.dedup_by(|a, b| a.text == b.text);
    found
}
