//! The name that was meant, where another was written.

/// The known name that `written` most likely stands for: the same letters in another case
/// or with other separators, else one or two letters off.
pub(crate) fn nearest<'n>(written: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let allowed = match length(written) {
        0..=2 => 0,
        // Short names resemble too many others, but for those that have lost a letter, or got one at the end.
        3 => {
            let own = fold(written);
            let known = known.filter(|name| match length(name) {
                2 => own.starts_with(&*fold(name)),
                3 => own == fold(name),
                long => long == 4,
            });
            return nearest_within(1, written, known);
        }
        4..=7 => 1,
        _ => 2,
    };
    nearest_within(allowed, written, known)
}

/// The same, at most `allowed` letters off.
pub(crate) fn nearest_within<'n>(
    allowed: usize,
    written: &str,
    known: impl Iterator<Item = &'n str>,
) -> Option<&'n str> {
    if written.len() > LONGEST {
        return None;
    }
    let (long, own) = (length(written), letters(written));
    let alike = known.filter(|name| length(name).abs_diff(long) <= allowed);
    let alike = alike.filter(|name| may_be_within(allowed, &own, &letters(name)));
    let near = alike.filter_map(|name| {
        let distance = distance(&fold(name), &fold(written));
        (distance <= allowed).then_some((distance, name))
    });
    near.min_by_key(|(distance, _)| *distance).map(|(_, name)| name)
}

/// How many letters a name has.
fn length(name: &str) -> usize {
    let is_counted = |byte: u8| byte & 0xC0 != 0x80 && is_letter(char::from(byte));
    // Small sums of many bytes at a time.
    let count = |bytes: &[u8]| bytes.iter().map(|byte| u8::from(is_counted(*byte))).sum::<u8>();
    name.as_bytes().chunks(32).map(|bytes| usize::from(count(bytes))).sum()
}

/// How often the letters of a name occur, in groups of letters; `None` if some are beyond ASCII.
type Letters = Option<[u8; 32]>;

fn letters(name: &str) -> Letters {
    let mut counts = [0; 32];
    for byte in name.bytes().filter(|byte| is_letter(char::from(*byte))) {
        // The same in both cases.
        let count = counts.get_mut(usize::from(byte & 31)).filter(|_| byte.is_ascii())?;
        *count = u8::saturating_add(*count, 1);
    }
    Some(counts)
}

/// Whether two names of these letters may be so few letters apart: one that is another is
/// missing in one group and too many in another. Most names are told apart by that already.
fn may_be_within(allowed: usize, one: &Letters, other: &Letters) -> bool {
    let (Some(one), Some(other)) = (one, other) else { return true };
    one.iter().zip(other).map(|(one, other)| usize::from(one.abs_diff(*other))).sum::<usize>() <= 2 * allowed
}

/// Longer names are not compared, since the time grows with the square of their length.
const LONGEST: usize = 64;

/// The letters of a name, without case and separators.
fn fold(name: &str) -> String {
    name.chars().filter(|c| is_letter(*c)).flat_map(char::to_lowercase).collect()
}

/// How many letters are missing, too many, others, or swapped with their neighbour, no letter
/// counted twice.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    // The distances of what has come of `one` from each beginning of `other`, for the last
    // three letters.
    let mut rows: [Vec<usize>; 3] = [Vec::new(), Vec::new(), (0..=other.len()).collect()];
    let mut before = None;
    for (at, letter) in one.chars().enumerate() {
        rows.rotate_left(1);
        let [older, last, row] = &mut rows;
        row.clear();
        row.push(at + 1);
        let mut left = (at + 1, None);
        let cells = last.iter().zip(last.iter().skip(1)).zip(&other).enumerate();
        row.extend(cells.map(|(at, ((diagonal, above), wanted))| {
            let replaced = diagonal + usize::from(letter != *wanted);
            let is_swap = Some(*wanted) == before && left.1 == Some(letter);
            let swapped = older.get(at.wrapping_sub(1)).filter(|_| is_swap).map_or(usize::MAX, |older| older + 1);
            left = (replaced.min(above + 1).min(left.0 + 1).min(swapped), Some(*wanted));
            left.0
        }));
        before = Some(letter);
    }
    rows.last().and_then(|row| row.last()).copied().unwrap_or_default()
}

/// Whether the character is no separator.
const fn is_letter(c: char) -> bool {
    !matches!(c, '_' | '-' | '.' | ' ')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn letters_rule_out_nothing_that_is_near() {
        let names =
            ["RUN_STARTED", "run-startde", "RunStart", "TEXT_MESSAGE_END", "textMessageEn", "TXET_MESSAGE_ENDS"];
        for (one, other) in names.iter().flat_map(|one| names.iter().map(move |other| (one, other))) {
            let distance = distance(&fold(one), &fold(other));
            assert!(may_be_within(distance, &letters(one), &letters(other)), "{one} {other}");
        }
        assert!(!may_be_within(2, &letters("RUN_STARTED"), &letters("TEXT_MESSAGE_END")));
        assert!(may_be_within(0, &letters("RUN_STARTED"), &letters("RÜN_STARTED")));
    }

    proptest! {
        #[test]
        fn distances_are_those_that_others_compute(one in "[abcé]{0,8}", other in "[abcé]{0,8}") {
            prop_assert_eq!(distance(&one, &other), strsim::osa_distance(&one, &other));
        }
    }

    #[test]
    fn names_that_were_meant() {
        let known = ["RUN_STARTED", "TEXT_MESSAGE_START", "TEXT_MESSAGE_END", "threadId", "role"];
        for (written, meant) in [
            ("RunStarted", Some("RUN_STARTED")),
            ("text-message-start", Some("TEXT_MESSAGE_START")),
            ("TEXT_MESSAGE_STRAT", Some("TEXT_MESSAGE_START")),
            ("thread_id", Some("threadId")),
            ("treadId", Some("threadId")),
            ("rol", Some("role")),
            ("rle", Some("role")),
            ("rob", None),
            ("ro", None),
            // Of four to seven letters, one may be wrong; of more, two.
            ("rolees", None),
            ("treadXd", None),
            ("threadXX", Some("threadId")),
            ("TEXT_MESSAG_STAT", Some("TEXT_MESSAGE_START")),
            ("TEX_MESSAG_STAT", None),
            ("rule", Some("role")),
            ("CUSTOM", None),
        ] {
            assert_eq!(nearest(written, known.into_iter()), meant, "{written}");
        }
    }
}
