//! The end of a text for patterns of the user's own, which may have any characters.

use std::ops::Range;

use super::tail::{KEPT, back, front, keep_end};
use crate::check::secrets::{Form, Secrets};

/// The end of a text, with everything in it.
#[derive(Clone, Default)]
pub(super) struct Recent {
    text: String,
    /// A secret that was reported reaches to the end.
    told: bool,
}

impl Recent {
    /// About what is held, in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>() + self.text.capacity()
    }

    /// Takes the next piece; the form of a secret that begins before it and reaches into it.
    pub(super) fn push<'s>(&mut self, piece: &str, secrets: &'s Secrets) -> Option<Form<'s>> {
        let seam = self.text.len();
        let beginning = front(piece, KEPT);
        self.text.push_str(beginning);
        let crosses = |place: &Range<usize>| place.start < seam && place.end > seam;
        let found = secrets.own(&self.text).find(|(place, _)| crosses(place)).map(|(_, form)| form);
        let found = found.filter(|_| !self.told);
        let rest = &piece[beginning.len()..];
        if rest.len() >= KEPT {
            self.text.clear();
        }
        // A long piece is not taken whole, since what it takes is kept.
        self.text.push_str(back(rest, KEPT));
        keep_end(&mut self.text);
        let end = self.text.len();
        self.told = secrets.own(&self.text).any(|(place, _)| place.end == end);
        found
    }
}
