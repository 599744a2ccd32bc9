//! Times as keys to sort by.

use crate::check::time::is_rfc3339;
use crate::wire::bytes::differ_in_digits;

/// A point in time: seconds since 1970 in UTC, and nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Time(i64, u32);

impl Time {
    /// Before every other.
    pub(super) const FIRST: Self = Self(i64::MIN, 0);

    /// Reads an ISO 8601 date and time, in the extended form or the basic one, by calendar,
    /// week or day of the year. Precision and zone are not published, so a time without a
    /// zone counts as UTC, and a space may stand in the place of `T`.
    pub(super) fn read(text: &str) -> Option<Self> {
        let mut rest = Rest(text.as_bytes());
        let (day, is_extended) = rest.date()?;
        if !rest.take(b"Tt ") {
            return None;
        }
        let (seconds, nanoseconds) = rest.time_of_day(is_extended)?;
        let east = rest.offset()?;
        rest.0.is_empty().then_some(Self(day * 86_400 + seconds - east, nanoseconds))
    }

    /// Whether the text is such a time.
    pub(super) fn is_in(text: &str) -> bool {
        is_rfc3339(text) || Self::read(text).is_some()
    }
}

/// A second in nanoseconds.
const SECOND: i64 = 1_000_000_000;

/// What is still to be read of a time.
struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    /// Takes the next byte if it is one of these.
    fn take(&mut self, wanted: &[u8]) -> bool {
        let Some((next, rest)) = self.0.split_first() else { return false };
        let is_wanted = wanted.contains(next);
        if is_wanted {
            self.0 = rest;
        }
        is_wanted
    }

    /// How many digits come next.
    fn digits(&self) -> usize {
        self.0.iter().take_while(|byte| byte.is_ascii_digit()).count()
    }

    /// Takes a number of so many digits.
    fn number(&mut self, digits: usize) -> Option<i64> {
        let (number, rest) = self.0.split_at_checked(digits)?;
        self.0 = rest;
        number.iter().try_fold(0, |value, byte| byte.is_ascii_digit().then(|| value * 10 + i64::from(byte - b'0')))
    }

    /// Takes a date, as days from 1970-01-01; and whether it has hyphens.
    fn date(&mut self) -> Option<(i64, bool)> {
        let year = self.number(4)?;
        let is_extended = self.take(b"-");
        let (from, day, until) = if self.take(b"W") {
            let week = self.number(2)?;
            if self.take(b"-") != is_extended {
                return None;
            }
            let day = self.number(1).filter(|day| (1..=7).contains(day))?;
            (week_one(year), (week - 1) * 7 + day, week_one(year + 1))
        } else if self.digits() == 3 {
            (days(year, 1, 1), self.number(3)?, days(year + 1, 1, 1))
        } else {
            let month = self.number(2).filter(|month| (1..=12).contains(month))?;
            if self.take(b"-") != is_extended {
                return None;
            }
            let next = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
            (days(year, month, 1), self.number(2)?, days(next.0, next.1, 1))
        };
        let found = from + day - 1;
        (from..until).contains(&found).then_some((found, is_extended))
    }

    /// Takes a time of day, with colons or without, as seconds and nanoseconds. Minutes and
    /// seconds may be left out.
    fn time_of_day(&mut self, is_extended: bool) -> Option<(i64, u32)> {
        let hour = self.number(2)?;
        let (mut minute, mut second, mut unit) = (0, 0, 3600);
        if self.goes_on(is_extended) {
            (minute, unit) = (self.number(2).filter(|minute| *minute < 60)?, 60);
            if self.goes_on(is_extended) {
                // A leap second is the sixtieth.
                (second, unit) = (self.number(2).filter(|second| *second <= 60)?, 1);
            }
        }
        let fraction = self.fraction()? * unit;
        let (seconds, nanoseconds) = (hour * 3600 + minute * 60 + second + fraction / SECOND, fraction % SECOND);
        // The end of a day is its hour 24.
        let is_in_day = hour < 24 || (seconds, nanoseconds) == (86_400, 0);
        is_in_day.then_some((seconds, nanoseconds as u32))
    }

    /// Whether another part of the time of day follows.
    fn goes_on(&mut self, is_extended: bool) -> bool {
        if is_extended { self.take(b":") } else { self.digits() > 0 }
    }

    /// Takes a fraction of the smallest unit, if there is one, in parts of [`SECOND`].
    fn fraction(&mut self) -> Option<i64> {
        if !self.take(b".,") {
            return Some(0);
        }
        let (digits, rest) = self.0.split_at_checked(self.digits()).filter(|(digits, _)| !digits.is_empty())?;
        self.0 = rest;
        let digits = digits.iter().chain(std::iter::repeat(&b'0')).take(9);
        Some(digits.fold(0, |value, digit| value * 10 + i64::from(digit - b'0')))
    }

    /// Takes an offset to the east of UTC, in seconds; none is UTC.
    fn offset(&mut self) -> Option<i64> {
        if self.0.is_empty() || self.take(b"Zz") {
            return Some(0);
        }
        let is_west = self.0.starts_with(b"-");
        if !self.take(b"+-") {
            return None;
        }
        let hours = self.number(2).filter(|hours| *hours < 24)?;
        let has_minutes = self.take(b":") || self.digits() > 0;
        let minutes = if has_minutes { self.number(2).filter(|minutes| *minutes < 60)? } else { 0 };
        let east = hours * 3600 + minutes * 60;
        Some(if is_west { -east } else { east })
    }
}

/// The Monday of the first week of a year, which has the fourth of January in it.
fn week_one(year: i64) -> i64 {
    let fourth = days(year, 1, 4);
    // The first day of 1970 was a Thursday.
    fourth - (fourth + 3).rem_euclid(7)
}

/// Days from 1970-01-01. Years begin in March, so that the leap day is their last.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * month + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// Whether one time is before another. In the usual form, they compare as text.
pub(super) fn is_before(time: &str, last: &str) -> bool {
    if time.len() == last.len() && is_usual(time) && is_usual(last) {
        return time < last;
    }
    Time::read(time).zip(Time::read(last)).is_some_and(|(time, last)| time < last)
}

/// Whether a time of a usual form, in UTC, is in the minute of another one that is written alike, and not before it.
#[inline]
pub(super) fn is_within_minute(time: &str, last: &str) -> bool {
    let (time, last) = (time.as_bytes(), last.as_bytes());
    let (Some((minute, seconds)), Some((before, _))) = (time.split_first_chunk::<16>(), last.split_first_chunk())
    else {
        return false;
    };
    let (Some(end), Some(old)) = (time.last_chunk::<16>(), last.last_chunk::<16>()) else { return false };
    let is_usual = matches!(minute, [_, _, _, _, b'-', _, _, b'-', _, _, b'T', _, _, b':', _, _]);
    // The last sixteen bytes begin within the minute, or right behind it.
    is_usual
        && time.len() == last.len()
        && time.len() <= 32
        && u128::from_ne_bytes(*minute) == u128::from_ne_bytes(*before)
        && matches!(seconds, [b':', b'0'..=b'5', .., b'Z'])
        && differ_in_digits(end, old)
        && u128::from_be_bytes(*end) >= u128::from_be_bytes(*old)
}

/// Whether a time has the form `2026-03-04T09:15:00.000Z`, with any number of digits behind the point. A leap second and
/// the hour 24 are the same as what follows them, and no text tells that.
fn is_usual(time: &str) -> bool {
    let Some((day, rest)) = time.as_bytes().split_first_chunk::<11>() else { return false };
    matches!(day, [_, _, _, _, b'-', month, _, b'-', _, _, b'T'] if *month != b'W')
        && !rest.starts_with(b"24")
        && matches!(
            rest,
            [_, _, b':', _, _, b':', b'0'..=b'5', _, b'.', .., b'Z'] | [_, _, b':', _, _, b':', b'0'..=b'5', _, b'Z']
        )
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
            ("2026-01-01T01:00:00+0100", Time(1_767_225_600, 0)),
            ("2026-01-01T01:00:00,5+01", Time(1_767_225_600, 500_000_000)),
            ("2026-01-01T00:00Z", Time(1_767_225_600, 0)),
            ("2026-01-01T00Z", Time(1_767_225_600, 0)),
            ("2025-12-31T24:00:00Z", Time(1_767_225_600, 0)),
            ("20251231T2400Z", Time(1_767_225_600, 0)),
            ("2026-01-01T00:00.5Z", Time(1_767_225_630, 0)),
            ("2026-01-01T01,25+01", Time(1_767_226_500, 0)),
            ("20260101T000000Z", Time(1_767_225_600, 0)),
            ("20260101T010000.25+0100", Time(1_767_225_600, 250_000_000)),
            ("20260101T0000", Time(1_767_225_600, 0)),
            ("2026-001T00:00:00Z", Time(1_767_225_600, 0)),
            ("2026001T000000Z", Time(1_767_225_600, 0)),
            ("2026-W01-4T00:00:00Z", Time(1_767_225_600, 0)),
            ("2026W014T000000Z", Time(1_767_225_600, 0)),
            ("2020-W53-5T00:00:00Z", Time(1_609_459_200, 0)),
            ("2024-366T23:59:60Z", Time(1_735_689_600, 0)),
            ("0000-02-29T00:00:00Z", Time(-62_162_121_600, 0)),
        ] {
            assert_eq!(Time::read(text), Some(time), "{text}");
        }
        for text in [
            "",
            "ISO-8601-timestamp",
            "2026-01-01",
            "2026-02-30T00:00:00Z",
            "2026-13-01T00:00:00Z",
            "1767225600",
            "1712010101",
            "2026-366T00:00:00Z",
            "2026-W54-1T00:00:00Z",
            "2026-W01-8T00:00:00Z",
            "2026-0101T00:00:00Z",
            "20260101T00:00:00Z",
            "2026-01-01T000000Z",
            "2026-01-01T24:00:01Z",
            "2026-01-01T24:00:00.5Z",
            "2026-01-01T25:00:00Z",
            "2026-01-01T00.Z",
            "2026-01-01T00:60:00Z",
            "2026-01-01T00:00:00.Z",
            "2026-01-01T00:00:00ZZ",
            "2026-01-01T00:00:00 Z",
            "2026-01-01T00:00:00+24:00",
            "2026-01-01T00:00:00+1",
        ] {
            assert_eq!(Time::read(text), None, "{text}");
        }
    }

    #[test]
    fn times_in_order_as_points_and_as_text() {
        for (time, last, before) in [
            ("2026-03-04T14:03:00Z", "2026-03-04T14:03:01Z", true),
            ("2026-03-04T14:03:00.10Z", "2026-03-04T14:03:00.09Z", false),
            ("2026-03-04T14:03:00,6Z", "2026-03-04T14:03:00.5Z", false),
            ("2026-03-04T14:03:00.5Z", "2026-03-04T14:03:00,6Z", true),
            ("2026-03-04T14:03:00Z", "2026-03-04T14:02:60Z", false),
            ("2026-03-05T00:00:00Z", "2026-03-04T24:00:00Z", false),
            ("2026-03-04T14:03:00Z", "2026-03-04T15:03:00+01:00", false),
        ] {
            assert_eq!(is_before(time, last), before, "{time} before {last}");
            assert!(!before || !is_within_minute(time, last), "{time} behind {last}");
        }
    }
}
