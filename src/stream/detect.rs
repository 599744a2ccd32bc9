//! Telling from the first bytes which protocol a stream has.

use super::document::{Piece, pieces};
use super::framing::{Framing, lossy, without_headers};
use super::lines::{Line, LineSplitter};
use super::reader::Told;
use super::sse::{Item, Parser};
use crate::check::Protocol;
use crate::check::recognise::Head;
use crate::check::spec::SpecRef;
use crate::wire::span::Segment;

/// How many bytes of a stream detection looks at.
///
/// Since 0.1.0.
pub const HEAD_BYTES: usize = 64 * 1024;

/// How many events it looks at.
const HEAD_EVENTS: usize = 32;

/// What detection made of the beginning of a stream.
///
/// Since 0.1.0.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Detected {
    /// The protocol.
    pub protocol: Protocol,
    /// Another protocol that fits as well.
    pub tied_with: Option<Protocol>,
    /// The type of document, if it is not a stream of events.
    pub document: Option<&'static str>,
}

/// The one of `protocols` that most of the first events fit; of several, the first.
///
/// `head` is the beginning of the stream, of which up to [`HEAD_BYTES`] bytes count. `framing`
/// says how it is cut into events. `None` if no event fits any of the protocols.
///
/// Since 0.1.0.
pub fn detect(head: &[u8], framing: Framing, protocols: &[Protocol]) -> Option<Detected> {
    settled(head, framing, protocols).0
}

/// The same, and whether it is settled, as far as can be told before more events come: no other protocol fits as well,
/// and none of them is in question as a dialect of the other.
pub(crate) fn settled(head: &[u8], framing: Framing, protocols: &[Protocol]) -> (Option<Detected>, bool) {
    let head = without_headers(whole_characters(head.get(..HEAD_BYTES).unwrap_or(head)));
    if framing == Framing::Json
        && let Some(found) = document(head, protocols)
    {
        return (Some(found), true);
    }
    let events = events(head, framing);
    let heads: Vec<Head<'_>> = events.iter().map(|(text, name)| Head::of(text, name.as_deref())).collect();
    let mut best: Option<(usize, Detected)> = None;
    for protocol in protocols {
        let spec = SpecRef::of(protocol);
        let score = (spec.recognise)(&spec, &heads);
        match &mut best {
            _ if score == 0 => {}
            Some((most, found)) if *most == score => {
                // A dialect is not reported as tied with the protocol that it derives from.
                let related = found.protocol.about().dialect_of == Some(protocol.id());
                if found.tied_with.is_none() && !related {
                    found.tied_with = Some(protocol.clone());
                }
            }
            Some((most, _)) if *most > score => {}
            _ => best = Some((score, Detected { protocol: protocol.clone(), tied_with: None, document: None })),
        }
    }
    let found = best.map(|(_, found)| found);
    let is_in_question = |found: &Detected| {
        let is_open = |other: &Protocol| {
            let is_dialect = other.about().dialect_of == Some(found.protocol.id());
            (is_dialect || *other == found.protocol) && (SpecRef::of(other).is_open)(&heads)
        };
        found.tied_with.is_some() || protocols.iter().any(is_open)
    };
    let is_settled = heads.len() == HEAD_EVENTS || found.as_ref().is_some_and(|found| !is_in_question(found));
    (found, is_settled)
}

/// The bytes without a character at their end that is cut in two.
fn whole_characters(bytes: &[u8]) -> &[u8] {
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => bytes.get(..error.valid_up_to()).unwrap_or(bytes),
        _ => bytes,
    }
}

/// The texts and frame names of the first events.
fn events(head: &[u8], framing: Framing) -> Vec<(String, Option<Vec<u8>>)> {
    let mut found = Vec::new();
    let mut look = |text: &[u8], name: Option<&[u8]>| {
        if found.len() < HEAD_EVENTS {
            found.push((lossy(text).into_owned(), name.map(<[u8]>::to_vec)));
        }
    };
    match framing {
        Framing::Sse => {
            let mut parser = Parser::new();
            let mut take = |item: Item<'_>| {
                if let Item::Frame(frame) = item {
                    look(frame.data, frame.event.map(|field| field.value));
                }
            };
            parser.push(head, &mut take);
            parser.finish(&mut take);
        }
        Framing::Ndjson => {
            let mut splitter = LineSplitter::with_limit(HEAD_BYTES);
            let mut take = |line: Line<'_>| {
                if let Line::Text { bytes, .. } = line {
                    look(bytes, None);
                }
            };
            splitter.push(head, &mut take);
            splitter.finish(&mut take);
        }
        Framing::Json => pieces(
            head,
            Segment::WHOLE,
            &mut Told(|piece: Piece<'_>| {
                if !matches!(piece, Piece::Around(..)) {
                    look(piece.bytes(), None);
                }
            }),
        ),
    }
    found
}

/// A document that is recognised by what it says of itself.
fn document(head: &[u8], protocols: &[Protocol]) -> Option<Detected> {
    let text = lossy(head);
    let head = Head::of(&text, None);
    protocols.iter().find_map(|protocol| {
        let document = (SpecRef::of(protocol).recognise_document)(&head)?;
        Some(Detected { protocol: protocol.clone(), tied_with: None, document: Some(document) })
    })
}
