//! Who reads what a stream is cut into.

use crate::wire::span::Segment;

/// Takes events before it is known where they end.
pub(super) trait Taker {
    /// Whether it ever does.
    const TAKES: bool = false;

    /// Takes the event with which a text begins, if it can, and gives its length with the ending behind it. The event
    /// has at most `most` bytes, and `end` gives the length of the ending that comes next.
    fn take(
        &mut self,
        _rest: &str,
        _place: Segment,
        _most: usize,
        _end: impl Fn(&[u8]) -> Option<usize>,
    ) -> Option<usize> {
        None
    }
}

/// Reads items, such as lines or frames, except for the events that it has taken.
pub(super) trait Reader<I>: Taker {
    fn read(&mut self, item: I);
}

/// Reads items by handing them to a function.
pub(super) struct Told<F>(pub(super) F);

impl<F> Taker for Told<F> {}

impl<I, F: FnMut(I)> Reader<I> for Told<F> {
    fn read(&mut self, item: I) {
        (self.0)(item);
    }
}
