//! A number that grows by one from event to event: what is missing, and what comes late.

use crate::safe::show_number;

/// The numbers of one sequence.
///
/// One wrong number, and one event that comes late, are one fault: what was skipped is
/// remembered, and is no new gap when it comes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sequence {
    last: f64,
    /// The numbers that were skipped last, both ends included.
    skipped: Option<(f64, f64)>,
    /// The last number came late: the stream may go on behind it.
    late: Option<f64>,
    /// Behind a wrong number: that of the next event, if no other is wrong.
    by_place: Option<f64>,
    /// The number that came before those that were skipped: the stream may go on behind it when they have come.
    early: Option<f64>,
}

/// How a number relates to the one before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Step {
    Next,
    /// It was skipped before, which was reported.
    Late,
    /// The number before was wrong, which was reported, and nothing is missing.
    Placed,
    /// It does not follow the number given. So many were skipped.
    Gap {
        before: f64,
        missing: f64,
    },
}

#[allow(clippy::float_cmp, reason = "sequences are integers, compared as the doubles that JavaScript reads")]
impl Sequence {
    pub(crate) const fn new(first: f64) -> Self {
        Self { last: first, skipped: None, late: None, by_place: None, early: None }
    }

    /// An event has come whose number cannot be read.
    pub(crate) fn skip(&mut self) {
        let number = self.last + 1.0;
        (self.last, self.skipped) = (number, Some((number, number)));
    }

    /// Whether the number is the next one.
    pub(crate) fn expects(&self, number: f64) -> bool {
        number == self.last + 1.0
    }

    /// Whether the number was skipped, and is not just the one that its place asks for.
    pub(crate) fn fills(&self, number: f64) -> bool {
        self.by_place != Some(number) && self.skipped.is_some_and(|(from, to)| (from..=to).contains(&number))
    }

    pub(crate) fn take(&mut self, number: f64) -> Step {
        let before = self.last;
        let (late, by_place) = (self.late.take(), self.by_place.take());
        // What was skipped behind a late number may still come.
        let rest = self.skipped.map(|(_, to)| (number + 1.0, to)).filter(|(from, to)| from <= to);
        if number == before + 1.0 {
            self.last = number;
            if self.fills(number) {
                self.skipped = rest;
            }
            return Step::Next;
        }
        if late.is_some_and(|late| number == late + 1.0) || by_place == Some(number) {
            let is_placed = by_place == Some(number);
            (self.last, self.skipped) = (number, rest.filter(|_| !is_placed));
            return if is_placed { Step::Placed } else { Step::Late };
        }
        if self.early.is_some_and(|early| before + 1.0 == early && number == early + 1.0) {
            (self.last, self.early) = (number, None);
            return Step::Late;
        }
        if self.skipped.is_some_and(|(from, to)| (from..=to).contains(&number)) {
            self.late = Some(number);
            return Step::Late;
        }
        if number > before {
            self.skipped = Some((before + 1.0, number - 1.0));
            (self.last, self.early) = (number, Some(number));
        } else {
            // A number that goes back: the stream goes on from it, or from where it was.
            (self.late, self.early) = (Some(number), Some(before));
        }
        self.by_place = Some(before + 2.0);
        Step::Gap { before, missing: (number - before - 1.0).max(0.0) }
    }
}

/// How a gap reads.
pub(crate) fn gap_message(before: f64, sequence: f64) -> String {
    let [number, last, expected] = [sequence, before, before + 1.0].map(|number| number.to_string());
    if [&number, &last, &expected].iter().all(|digits| show_number(digits) == **digits) {
        // One that goes back is behind the highest so far, which need not be the one before.
        let relates = if sequence > before { "follows" } else { "comes after" };
        return format!("sequence {number} {relates} {last}; {expected} was expected");
    }
    // Long numbers are not shown.
    let by = (sequence - before).abs().to_string();
    let way = if sequence < before { "goes back by" } else { "grows by" };
    format!("the sequence {way} {}; it has to grow by 1", show_number(&by))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_fault_is_one_gap() {
        for (numbers, gaps) in [
            (&[1, 2, 3][..], 0),
            (&[1, 3, 4], 1),
            (&[1, 2, 100, 4, 5, 6], 1),
            (&[1, 3, 2, 4], 1),
            (&[5, 6, 1, 7, 8], 1),
            (&[5, 6, 1, 2, 3], 1),
            (&[1, 3, 5], 2),
            (&[1, 1, 2], 1),
            (&[1, 2, 100, 4, 5, 7], 2),
            (&[1, 2, 3, 1, 5, 6], 1),
            (&[1, 2, 4, 4, 5], 1),
            (&[1, 2, 4, 4, 6], 2),
            (&[1, 4, 2, 3, 5], 1),
            (&[1, 2, 9, 3, 4, 5, 6, 7, 8, 10], 1),
            (&[3, 1, 2, 4], 1),
            (&[1, 4, 2, 3, 6], 2),
            (&[1, 5, 2, 3, 4, 6], 1),
            (&[1, 5, 2, 3, 4, 4], 2),
        ] {
            let mut sequence = Sequence::new(f64::from(numbers[0]));
            let found =
                numbers[1..].iter().filter(|number| matches!(sequence.take(f64::from(**number)), Step::Gap { .. }));
            assert_eq!(found.count(), gaps, "{numbers:?}");
        }
    }

    #[test]
    fn what_each_number_is() {
        use Step::{Gap, Late, Next};
        let gap = |before, missing| Gap { before, missing };
        for (numbers, steps) in [
            (&[1, 2, 3][..], &[Next, Next][..]),
            (&[1, 4, 2, 3, 4, 5], &[gap(1.0, 2.0), Late, Late, Next, Next]),
            // What lies on either side of those that were skipped.
            (&[1, 4, 1], &[gap(1.0, 2.0), gap(4.0, 0.0)]),
            (&[1, 4, 4], &[gap(1.0, 2.0), gap(4.0, 0.0)]),
            // A late number may be followed once.
            (&[5, 1, 6, 2], &[gap(5.0, 0.0), Next, gap(6.0, 0.0)]),
            (&[-1, 0], &[Next]),
        ] {
            let mut sequence = Sequence::new(f64::from(numbers[0]));
            let found: Vec<Step> = numbers[1..].iter().map(|number| sequence.take(f64::from(*number))).collect();
            assert_eq!(found, steps, "{numbers:?}");
        }
    }

    #[test]
    fn long_numbers_are_not_shown() {
        for (before, number, message) in [
            (1.0, 3.0, "sequence 3 follows 1; 2 was expected"),
            (1_782_000_000_000.0, 1_782_000_000_002.0, "the sequence grows by 2; it has to grow by 1"),
            (1_782_000_000_000.0, 1_782_000_000_000.0, "the sequence grows by 0; it has to grow by 1"),
            (1_782_000_000_000.0, 1_781_999_999_999.0, "the sequence goes back by 1; it has to grow by 1"),
            (1.0, 1_782_000_000_000.0, "the sequence grows by <13 digits>; it has to grow by 1"),
        ] {
            assert_eq!(gap_message(before, number), message);
        }
    }

    #[test]
    fn an_event_without_a_number_takes_one() {
        let mut sequence = Sequence::new(1.0);
        sequence.skip();
        assert!(sequence.expects(3.0) && !sequence.expects(2.0));
        let mut late = sequence;
        assert_eq!((late.take(2.0), late.take(3.0)), (Step::Late, Step::Next));
        assert_eq!(sequence.take(4.0), Step::Gap { before: 2.0, missing: 1.0 });
    }
}
