//! Which frames have come before: a connection that is made again may repeat the last ones.

use std::collections::VecDeque;

use super::stream_id::StreamId;
use crate::check::history::Keys;

/// How many frames are known again.
const KEPT: usize = 256;

/// What the id and the content of a frame say of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Freshness {
    /// The id is greater than all before.
    New,
    /// The frame has come before, with the same content.
    Repeated,
    /// The id has come before, with other content.
    Changed,
    /// The id is not greater than that before, and not that of one of the last frames.
    Late,
}

impl Freshness {
    /// Whether the content is new although the id is not greater than all before.
    pub(super) const fn is_out_of_order(self) -> bool {
        matches!(self, Self::Changed | Self::Late)
    }
}

/// The last frames of a stream, by their ids and the keys of their contents.
#[derive(Clone, Debug, Default)]
pub(super) struct Frames {
    keys: Keys,
    last: VecDeque<(StreamId, u64)>,
    highest: Option<StreamId>,
    /// The highest id before that.
    before: Option<StreamId>,
}

impl Frames {
    /// The frames of a stream that goes on behind `id`.
    pub(super) fn behind(id: Option<StreamId>) -> Self {
        Self { highest: id, ..Self::default() }
    }

    /// Takes in a frame.
    pub(super) fn take(&mut self, id: StreamId, content: &[u8]) -> Freshness {
        let content = self.keys.of(content);
        if self.highest.is_none_or(|highest| highest < id) {
            self.before = self.highest.replace(id);
            self.keep(id, content);
            return Freshness::New;
        }
        let mut freshness = Freshness::Late;
        for (_, known) in self.last.iter().filter(|(known, _)| *known == id) {
            if *known == content {
                return Freshness::Repeated;
            }
            freshness = Freshness::Changed;
        }
        // The stream goes on from where it was before one id that was too high.
        if freshness == Freshness::Late && self.before.is_some_and(|before| before < id) {
            self.highest = Some(id);
        }
        self.keep(id, content);
        freshness
    }

    fn keep(&mut self, id: StreamId, content: u64) {
        if self.last.len() == KEPT {
            self.last.pop_front();
        }
        self.last.push_back((id, content));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_known_again() {
        let mut frames = Frames::behind(Some(StreamId::new(1, 0)));
        for (seq, content, freshness) in [
            (1, "a", Freshness::New),
            (2, "b", Freshness::New),
            (1, "a", Freshness::Repeated),
            (2, "b", Freshness::Repeated),
            (2, "c", Freshness::Changed),
            (2, "c", Freshness::Repeated),
            (0, "d", Freshness::Late),
            (3, "a", Freshness::New),
            (9, "e", Freshness::New),
            (4, "f", Freshness::Late),
            (5, "g", Freshness::New),
        ] {
            assert_eq!(frames.take(StreamId::new(1, seq), content.as_bytes()), freshness, "{seq} {content}");
        }
        for seq in 10..1000 {
            assert_eq!(frames.take(StreamId::new(1, seq), b"x"), Freshness::New);
        }
        assert_eq!(frames.take(StreamId::new(1, 3), b"a"), Freshness::Late, "forgotten by now");
        assert_eq!(frames.last.len(), KEPT);
    }
}
