//! Times as keys to sort by.

use crate::check::time::is_rfc3339;

/// A point in time: seconds since 1970 in UTC, and nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Time(i64, u32);

impl Time {
    /// Before every other.
    pub(super) const FIRST: Self = Self(i64::MIN, 0);

    /// Reads an ISO 8601 time of day and date. Precision and zone are not published, so
    /// a time without a zone counts as UTC, and a space may stand in the place of `T`.
    pub(super) fn read(text: &str) -> Option<Self> {
        if is_rfc3339(text) {
            return Self::read_rfc3339(text);
        }
        let zoned = text.replacen(' ', "T", 1);
        if is_rfc3339(&zoned) {
            return Self::read_rfc3339(&zoned);
        }
        let zoned = zoned + "Z";
        if is_rfc3339(&zoned) { Self::read_rfc3339(&zoned) } else { None }
    }

    /// Whether the text is such a time.
    pub(super) fn is_in(text: &str) -> bool {
        is_rfc3339(text) || Self::read(text).is_some()
    }

    fn read_rfc3339(text: &str) -> Option<Self> {
        let number = |from: usize, to: usize| text.get(from..to)?.parse::<i64>().ok();
        let day = days(number(0, 4)?, number(5, 7)?, number(8, 10)?);
        let seconds = day * 86_400 + number(11, 13)? * 3600 + number(14, 16)? * 60 + number(17, 19)?;
        let fraction = text.get(19..)?.strip_prefix('.').unwrap_or_default();
        let digits = fraction.bytes().take_while(u8::is_ascii_digit);
        let nanoseconds =
            digits.chain(std::iter::repeat(b'0')).take(9).fold(0, |value, digit| value * 10 + u32::from(digit - b'0'));
        let east = if text.ends_with(['Z', 'z']) {
            0
        } else {
            let zone = text.len().checked_sub(6)?;
            let offset = number(zone + 1, zone + 3)? * 3600 + number(zone + 4, zone + 6)? * 60;
            if text.get(zone..)?.starts_with('-') { -offset } else { offset }
        };
        Some(Self(seconds - east, nanoseconds))
    }
}

/// Days from 1970-01-01. Years begin in March, so that the leap day is their last.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * month + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_points() {
        for (text, time) in [
            ("1970-01-01T00:00:00Z", Time(0, 0)),
            ("2000-03-01T00:00:00Z", Time(951_868_800, 0)),
            ("2026-01-01T01:00:00+01:00", Time(1_767_225_600, 0)),
            ("2025-12-31T19:30:00-04:30", Time(1_767_225_600, 0)),
            ("2026-01-01T00:00:00", Time(1_767_225_600, 0)),
            ("2026-01-01 00:00:00.25", Time(1_767_225_600, 250_000_000)),
            ("2026-01-01t00:00:00.1234567891z", Time(1_767_225_600, 123_456_789)),
            ("1969-12-31T23:59:59Z", Time(-1, 0)),
            ("0000-02-29T00:00:00Z", Time(-62_162_121_600, 0)),
        ] {
            assert_eq!(Time::read(text), Some(time), "{text}");
        }
        for text in ["", "ISO-8601-timestamp", "2026-01-01", "2026-02-30T00:00:00Z", "1767225600"] {
            assert_eq!(Time::read(text), None, "{text}");
        }
    }
}
