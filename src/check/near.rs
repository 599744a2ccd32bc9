//! The name that was meant, where another was written.

/// The known name that `written` most likely stands for: the same letters in another case
/// or with other separators, else one or two letters off.
pub(crate) fn nearest<'n>(written: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    // Short names resemble too many others.
    let allowed = match fold(written).len() {
        0..=3 => 0,
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
    let folded = fold(written);
    let length = |name: &str| name.chars().filter(|c| is_letter(*c)).count();
    let alike = known.filter(|name| length(name).abs_diff(length(written)) <= allowed);
    let near = alike.filter_map(|name| {
        let distance = if fold(name) == folded { 0 } else { strsim::osa_distance(&fold(name), &folded) };
        (distance <= allowed).then_some((distance, name))
    });
    near.min_by_key(|(distance, _)| *distance).map(|(_, name)| name)
}

/// Longer names are not compared, since the time grows with the square of their length.
const LONGEST: usize = 64;

/// The letters of a name, without case and separators.
fn fold(name: &str) -> String {
    name.chars().filter(|c| is_letter(*c)).flat_map(char::to_lowercase).collect()
}

/// Whether the character is no separator.
const fn is_letter(c: char) -> bool {
    !matches!(c, '_' | '-' | '.' | ' ')
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn names_that_were_meant() {
        let known = ["RUN_STARTED", "TEXT_MESSAGE_START", "TEXT_MESSAGE_END", "threadId", "role"];
        for (written, meant) in [
            ("RunStarted", Some("RUN_STARTED")),
            ("text-message-start", Some("TEXT_MESSAGE_START")),
            ("TEXT_MESSAGE_STRAT", Some("TEXT_MESSAGE_START")),
            ("thread_id", Some("threadId")),
            ("treadId", Some("threadId")),
            ("rol", None),
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
