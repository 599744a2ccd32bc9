//! RFC 3339 times, by their form.

/// Whether the text is an RFC 3339 time: real month, day and offset, `T` and `Z` in any case.
pub(crate) fn is_rfc3339(text: &str) -> bool {
    let bytes = text.as_bytes();
    let Some((whole, mut rest)) = bytes.split_first_chunk::<19>() else { return false };
    let [y1, y2, y3, y4, b'-', o1, o2, b'-', d1, d2, b'T' | b't', h1, h2, b':', m1, m2, b':', s1, s2] = whole else {
        return false;
    };
    let (century, of_century) = (two_digits(*y1, *y2), two_digits(*y3, *y4));
    let (month, day) = (two_digits(*o1, *o2), two_digits(*d1, *d2));
    let (hour, minute, second) = (two_digits(*h1, *h2), two_digits(*m1, *m2), two_digits(*s1, *s2));
    if century > 99 || of_century > 99 || hour > 23 || minute > 59 || second > 60 {
        return false;
    }
    // Days 1 to 28 exist in every month.
    let is_usual_day = (1..=28).contains(&day) && (1..=12).contains(&month);
    if !is_usual_day && (day == 0 || day > days(century * 100 + of_century, month)) {
        return false;
    }
    if let [b'.', b'0'..=b'9', behind @ ..] = rest {
        rest = behind;
        while let [b'0'..=b'9', behind @ ..] = rest {
            rest = behind;
        }
    }
    match rest {
        [b'Z' | b'z'] => true,
        [b'+' | b'-', h1, h2, b':', m1, m2] => {
            [h1, h2, m1, m2].iter().all(|byte| byte.is_ascii_digit())
                && (h1 - b'0') * 10 + (h2 - b'0') < 24
                && *m1 < b'6'
        }
        _ => false,
    }
}

/// The number that two digits make; more than 99 if one of them is none.
#[inline]
fn two_digits(tens: u8, ones: u8) -> u32 {
    let (tens, ones) = (tens.wrapping_sub(b'0'), ones.wrapping_sub(b'0'));
    if tens > 9 || ones > 9 { u32::MAX } else { u32::from(tens) * 10 + u32::from(ones) }
}

fn days(year: u32, month: u32) -> u32 {
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::is_rfc3339;

    #[test]
    fn times() {
        for text in [
            "2026-06-10T00:00:00.000Z",
            "2024-02-29t23:59:60z",
            "2026-06-10T08:00:00+08:00",
            "2026-06-10T08:00:00-23:59",
            "2000-02-29T00:00:00.1Z",
            "2026-12-31T00:00:00Z",
            "2026-11-30T00:00:00Z",
        ] {
            assert!(is_rfc3339(text), "{text}");
        }
        for text in [
            "",
            "2026-06-10",
            "2026-02-29T00:00:00Z",
            "2026-00-10T00:00:00Z",
            "2026-13-10T00:00:00Z",
            "2026-06-00T00:00:00Z",
            "2026-06-1:T00:00:00Z",
            "20/6-06-10T00:00:00Z",
            "2026-06-10T00:6é:00Z",
            "2026-06-10 00:00:00Z",
            "2026-06-10T00:00:00",
            "2026-06-10T00:00:00.Z",
            "2026-06-10T24:00:00Z",
            "2026-06-10T00:00:00+24:00",
            "2026-06-10T00:00:00+08:60",
            "2026-06-10T00:00:00+0800",
            "2026-06-10T00:00:00+0a:00",
            "2026-06-10T00:60:00Z",
            "2026-06-10T00:00:61Z",
            "2026-06-00T00:00:00Z",
            "2026-06-31T00:00:00Z",
            "2026-00-10T00:00:00Z",
            "2026-13-10T00:00:00Z",
            "2026-12-32T00:00:00Z",
            "1900-02-29T00:00:00Z",
            "2026/06-10T00:00:00Z",
            "2026-06/10T00:00:00Z",
            "2026-06-10T00.00:00Z",
            "2026-06-10T00:00.00Z",
            "2026-06-10T00:00:00ZZ",
            "yesterday at noon, or so",
        ] {
            assert!(!is_rfc3339(text), "{text}");
        }
    }
}
