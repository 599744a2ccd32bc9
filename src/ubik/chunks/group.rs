//! The fragments of one event, as far as they have come.

use std::collections::BTreeMap;

use memchr::memmem;

use super::super::events::ChunkId;
use super::error::ChunkError;
use super::fragment::Fragment;
use super::literal::{Joiner, is_same};
use super::past::{Done, part_key};
use super::rebuilt::{Origin, Part, Rebuilt};
use super::unfinished::Unfinished;
use crate::check::history::Keys;
use crate::wire::span::Location;
use crate::wire::text::Text;

/// What a fragment takes beside its data, in bytes.
const PART_BYTES: usize = 128;
/// What a group takes beside its fragments, its id and its type, in bytes.
const GROUP_BYTES: usize = 256;

#[derive(Clone)]
struct Held {
    raw: Box<str>,
    escaped: bool,
    origin: Origin,
}

impl Held {
    fn data(&self) -> Text<'_> {
        Text { raw: &self.raw, escaped: self.escaped }
    }
}

#[derive(Clone)]
pub(super) struct Group {
    pub(super) id: ChunkId,
    event_type: Box<str>,
    total: u64,
    /// By index. Only what has come takes room, whatever `total` says.
    parts: BTreeMap<u64, Held>,
    /// Where the first fragment that came stands.
    place: Option<Location>,
    /// What it takes to keep, in bytes.
    pub(super) bytes: usize,
    /// When it last grew.
    pub(super) grown: u64,
    /// The last index came with a false `is_last_chunk`, which may be right as long as the first one is missing.
    denied_end: bool,
}

impl Group {
    /// The group of a fragment, still without it.
    pub(super) fn of(fragment: &Fragment<'_>, total: u64) -> Self {
        Self {
            id: ChunkId::from(fragment.chunk_id),
            event_type: fragment.original_type.into(),
            total,
            parts: BTreeMap::new(),
            place: None,
            bytes: 0,
            grown: 0,
            denied_end: false,
        }
    }

    /// Whether the fragment came before; fails if it does not fit the group.
    pub(super) fn repeats(&self, fragment: &Fragment<'_>, index: u64) -> Result<bool, ChunkError> {
        if fragment.total != Some(self.total) || *fragment.original_type != *self.event_type {
            return Err(ChunkError::GroupDisagrees);
        }
        match self.parts.get(&index) {
            None => Ok(false),
            Some(held) if is_same(held.data(), fragment.data) => Ok(true),
            Some(_) => Err(ChunkError::IndexConflict),
        }
    }

    /// Takes in a fragment; says whether a later one came before it.
    pub(super) fn add(&mut self, fragment: &Fragment<'_>, index: u64) -> bool {
        let Text { raw, escaped } = fragment.data;
        let held = Held { raw: raw.into(), escaped, origin: fragment.source.keep(raw.len()) };
        if self.parts.is_empty() {
            self.place = held.origin.start();
            self.bytes += GROUP_BYTES + self.id.as_str().len() + self.event_type.len();
        }
        self.bytes += PART_BYTES + raw.len() + held.origin.weight();
        let out_of_order = self.parts.last_key_value().is_some_and(|(last, _)| index < *last);
        self.parts.insert(index, held);
        out_of_order
    }

    /// Whether the fragments so far are pieces of an event, one behind the other. One whose type was
    /// split off has its first member behind the type. `most` is how many pieces are looked for.
    pub(super) fn is_part_of(&self, event_type: &str, text: &str, most: &mut usize) -> bool {
        let mut rest = text.as_bytes();
        *self.event_type == *event_type
            && self.parts.values().all(|held| {
                let Some(left) = most.checked_sub(1) else { return false };
                *most = left;
                // An escape takes six bytes at most.
                let least = if held.escaped { held.raw.len() / 6 } else { held.raw.len() };
                if least > rest.len() + 1 {
                    return false;
                }
                let data = held.data().wtf8();
                let members = data.strip_prefix(b"{").unwrap_or(&data);
                let found = memmem::find(rest, members);
                rest = found.and_then(|at| rest.get(at + members.len()..)).unwrap_or_default();
                found.is_some()
            })
    }

    /// Notes that the last index came with a false `is_last_chunk`; false if index 0 has come, so that it is wrong.
    pub(super) fn deny_end(&mut self) -> bool {
        self.denied_end = !self.parts.contains_key(&0);
        self.denied_end
    }

    /// Whether that was noted and not told.
    pub(super) fn take_denied_end(&mut self) -> bool {
        std::mem::take(&mut self.denied_end)
    }

    pub(super) fn is_complete(&self) -> bool {
        self.parts.len() as u64 == self.total
    }

    /// Joins the fragments of a complete group.
    pub(super) fn rebuild(self, keys: &Keys) -> (Rebuilt, Done) {
        let mut joiner = Joiner::with_capacity(self.parts.values().map(|held| held.raw.len()).sum());
        let mut parts = Vec::with_capacity(self.parts.len());
        let mut part_keys = Vec::with_capacity(self.parts.len());
        for (index, held) in self.parts {
            let joined = joiner.push(held.data());
            part_keys.push(if joined.has_halves {
                part_key(keys, index, &held.data().wtf8())
            } else {
                part_key(keys, index, joiner.since(joined.start))
            });
            // An empty one is nowhere in the text.
            if !held.raw.is_empty() {
                parts.push(Part {
                    start: joined.start,
                    skipped: joined.skipped,
                    raw: Some(held.raw).filter(|_| held.escaped && held.origin.is_known()),
                    origin: held.origin,
                });
            }
        }
        let done = Done { total: self.total, event_type: keys.of(&*self.event_type), parts: part_keys };
        (Rebuilt { chunk_id: self.id, event_type: self.event_type, text: joiner.finish(), parts }, done)
    }

    /// What has come, as far as fragments follow each other, and where its first fragment stands.
    pub(super) fn texts(&self) -> Vec<(Option<Location>, String)> {
        let mut texts: Vec<(Option<Location>, String)> = Vec::new();
        let mut before = None;
        for (index, held) in &self.parts {
            let data = held.data().lossy();
            match texts.last_mut().filter(|_| before == index.checked_sub(1)) {
                Some((_, text)) => text.push_str(&data),
                None => texts.push((held.origin.start(), data.into_owned())),
            }
            before = Some(*index);
        }
        texts
    }

    pub(super) fn unfinished(&self) -> Unfinished {
        let in_a_row = self.parts.keys().zip(0_u64..).take_while(|(index, place)| *index == place).count();
        Unfinished {
            chunk_id: self.id.clone(),
            event_type: self.event_type.clone(),
            received: self.parts.len() as u64,
            total: self.total,
            first_missing: in_a_row as u64,
            place: self.place,
        }
    }
}
