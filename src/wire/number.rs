//! Numbers by their text: what is an integer, which value it has, how two compare.

use crate::simd::{Kind, Vector, Width, block, widest};

/// The powers of ten that `decimal` can give; a double has each of them exactly.
#[expect(clippy::indexing_slicing, reason = "the loop ends at the length of the table")]
const TENS: [u64; 17] = {
    let mut tens = [1; 17];
    let mut at = 1;
    while at < tens.len() {
        tens[at] = 10 * tens[at - 1];
        at += 1;
    }
    tens
};

/// A double has every integer below this one.
pub(crate) const EXACT: u64 = 1 << f64::MANTISSA_DIGITS;

/// An integer from 0 on that a double has exactly.
pub(crate) fn count(text: &str) -> Option<u64> {
    if let Some((digits, unit)) = decimal(text) {
        return digits.is_multiple_of(unit).then_some(digits / unit);
    }
    let number = is_integer(text).then(|| to_f64(text))?;
    (0.0..9_007_199_254_740_992.0).contains(&number).then_some(number as u64)
}

/// The place of something in a sequence: an integer from 0 on. What a double has not exactly counts as 2^53.
pub(crate) fn place(text: &str) -> Option<u64> {
    count(text).or_else(|| (to_f64(text) >= EXACT as f64 && is_integer(text)).then_some(EXACT))
}

/// What is written with digits and at most one point, if a double has all of its digits: the
/// integer that they are without the point, and the power of ten that it has to be divided by.
#[inline]
fn decimal(text: &str) -> Option<(u64, u64)> {
    if text.len() > TENS.len() {
        return None;
    }
    let (mut digits, mut rest, mut point) = (0, text.as_bytes(), None);
    if let Some((chunk, behind)) = rest.split_first_chunk::<8>()
        && let Some(value) = eight_digits(*chunk)
    {
        (digits, rest) = (value, behind);
    }
    for (at, byte) in rest.iter().enumerate() {
        let digit = byte.wrapping_sub(b'0');
        if digit < 10 {
            digits = digits * 10 + u64::from(digit);
        } else if *byte == b'.' && point.is_none() {
            point = Some(at);
        } else {
            return None;
        }
    }
    let places = point.map_or(0, |at| rest.len() - 1 - at);
    let unit = *TENS.get(places)?;
    (digits < EXACT).then_some((digits, unit))
}

/// The value of eight digits; `None` if one of the bytes is none.
#[inline]
const fn eight_digits(bytes: [u8; 8]) -> Option<u64> {
    const ONES: u64 = u64::MAX / 0xFF;
    let digits = u64::from_le_bytes(bytes) ^ (ONES * 0x30);
    // The high bit of each byte above nine; no sum carries over.
    let others = (((digits & (ONES * 0x7F)) + ONES * 0x76) | digits) & (ONES * 0x80);
    if others != 0 {
        return None;
    }
    // Digits to pairs, to fours, to all: what comes first counts more.
    let pairs = (digits * 10 + (digits >> 8)) & 0x00FF_00FF_00FF_00FF;
    let fours = (pairs * 100 + (pairs >> 16)) & 0x0000_FFFF_0000_FFFF;
    Some((fours * 10_000 + (fours >> 32)) & 0xFFFF_FFFF)
}

/// The number as the double that JavaScript and serde_json read.
pub(crate) fn to_f64(text: &str) -> f64 {
    match decimal(text) {
        // Both parts of the quotient are exact, so it is the nearest double.
        Some((digits, unit)) => digits as f64 / unit as f64,
        None => text.parse().unwrap_or(f64::NAN),
    }
}

/// Whether the text is written without fraction and exponent.
fn is_plain(text: &str) -> bool {
    !text.bytes().any(|byte| matches!(byte, b'.' | b'e' | b'E'))
}

/// Whether the number is an integer in the sense of JSON Schema and of
/// JavaScript's `Number.isInteger`: `1.0` and `1e0` are, `1.5` and `1e400` are not.
pub(crate) fn is_integer(text: &str) -> bool {
    if let Some((digits, unit)) = decimal(text) {
        // What is no integer is further from one than from the double next to it.
        return digits.is_multiple_of(unit);
    }
    if text.len() < 300 && is_plain(text) {
        return true;
    }
    let value = to_f64(text);
    value.is_finite() && value.fract() == 0.0
}

/// Sign, significant digits without leading or trailing zeros, decimal exponent.
/// Two texts denote the same number exactly when these agree.
pub(crate) fn normal_form(text: &str) -> (bool, String, Exponent) {
    let (negative, rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (mantissa, power) = match rest.find(['e', 'E']) {
        Some(at) => (&rest[..at], &rest[at + 1..]),
        None => (rest, "0"),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let trimmed = digits.trim_end_matches('0');
    let significant = trimmed.trim_start_matches('0');
    if significant.is_empty() {
        return (false, String::new(), Exponent::Small(0));
    }
    let shift = (digits.len() - trimmed.len()) as i64 - fraction.len() as i64;
    (negative, significant.to_owned(), Exponent::of(power, shift))
}

/// A power of ten, exact however large.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Exponent {
    /// One that fits.
    Small(i64),
    /// Any other: whether it is negative, and its digits without leading zeros.
    Large(bool, String),
}

impl Exponent {
    /// The exponent written as `power`, plus `shift`.
    fn of(power: &str, shift: i64) -> Self {
        let (negative, digits) = match power.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, power.strip_prefix('+').unwrap_or(power)),
        };
        let digits = digits.trim_start_matches('0');
        // What fits an i128 whatever the shift; of a power of zero no digit is left.
        if digits.len() <= 36 {
            let size = digits.parse::<i128>().unwrap_or(0);
            let signed = if negative { -size } else { size };
            let sum = signed + i128::from(shift);
            let large = |_| Self::Large(sum < 0, sum.unsigned_abs().to_string());
            return i64::try_from(sum).map_or_else(large, Self::Small);
        }
        let grows = negative == (shift < 0);
        Self::Large(negative, moved(digits, grows, shift.unsigned_abs()))
    }
}

/// The digits of a number longer than `by` when it grows or shrinks by that.
fn moved(digits: &str, grows: bool, by: u64) -> String {
    let mut rest = by;
    let mut backwards = Vec::with_capacity(digits.len() + 1);
    for byte in digits.bytes().rev() {
        let digit = u64::from(byte - b'0');
        let result = if grows {
            let sum = digit + rest;
            rest = sum / 10;
            sum % 10
        } else {
            let less = rest % 10;
            rest = rest / 10 + u64::from(digit < less);
            (digit + 10 - less) % 10
        };
        backwards.push(char::from(b'0' + result as u8));
    }
    if rest > 0 {
        backwards.push('1');
    }
    backwards.iter().rev().skip_while(|digit| **digit == '0').collect()
}

/// How long the number is when JavaScript's `JSON.stringify` prints it (`null` beyond the range of a double).
pub(crate) fn js_length(text: &str) -> usize {
    match shortest(text).or_else(|| read_back(text)) {
        Some((0, _)) => "0".len(),
        Some((digits, exponent)) => usize::from(text.starts_with('-')) + printed_length(digits, exponent),
        None => "null".len(),
    }
}

/// The shortest digits that read back as the same double, of which zero has none, and the exponent of the first.
fn read_back(text: &str) -> Option<(usize, i32)> {
    let value = Some(to_f64(text)).filter(|value| value.is_finite())?;
    let scientific = format!("{value:e}");
    let (mantissa, exponent) = scientific.split_once('e')?;
    let digits = mantissa.bytes().filter(u8::is_ascii_digit).count();
    Some((if value == 0.0 { 0 } else { digits }, exponent.parse().ok()?))
}

/// How long JavaScript prints a number above zero with so many digits, the first of which counts 10^`exponent`.
fn printed_length(digits: usize, exponent: i32) -> usize {
    match exponent {
        // Zeros behind the digits, or a point among them.
        0..=20 if digits as i32 <= exponent + 1 => exponent as usize + 1,
        0..=20 => digits + ".".len(),
        -6..0 => "0.".len() + (-exponent - 1) as usize + digits,
        _ => digits + usize::from(digits > 1) + "e+".len() + exponent.unsigned_abs().ilog10() as usize + 1,
    }
}

/// The same without reading the double, which tells numbers of fifteen digits apart unless they are very small or
/// large; `None` of others.
fn shortest(text: &str) -> Option<(usize, i32)> {
    let mut bytes = text.bytes();
    let (mut seen, mut digits, mut exponent, mut is_whole, mut has_power) = (0, 0, -1, true, false);
    for byte in bytes.by_ref() {
        match byte {
            b'-' => {}
            b'.' => is_whole = false,
            b'e' | b'E' => {
                has_power = true;
                break;
            }
            b'0' if seen == 0 => exponent -= i32::from(!is_whole),
            _ => {
                seen += 1;
                exponent += i32::from(is_whole);
                if byte != b'0' {
                    digits = seen;
                }
            }
        }
    }
    if has_power {
        exponent = text.get(text.len() - bytes.len()..)?.parse::<i32>().ok()?.checked_add(exponent)?;
    }
    (digits <= 15 && (digits == 0 || exponent.abs() < 300)).then_some((digits, exponent))
}

/// How often there is an `e` behind a digit and before a digit, a sign, or an escape, at most. Each number with an
/// exponent has one; what looks like it may as well be a part of an id.
pub(crate) fn like_exponents(bytes: &[u8]) -> usize {
    widest!(|width| like_exponents_by(width, bytes))
}

#[inline(always)]
fn like_exponents_by(width: impl Width, bytes: &[u8]) -> usize {
    let (mut count, mut last) = (0, 0);
    for at in (0..bytes.len()).step_by(64) {
        let block = width.of(block(bytes, at).bytes());
        let digits = block.within(b'0', b'9').bits();
        let letters = block.with(0x20).is(b'e').bits();
        let signs = block.is(b'+').or(block.is(b'-')).or(block.is(b'\\')).bits();
        let next = (digits | signs) >> 1 | 1 << 63;
        count += (letters & (digits << 1 | last) & next).count_ones() as usize;
        last = digits >> 63;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers() {
        for (text, expected) in [
            ("0", true),
            ("-0", true),
            ("1.0", true),
            ("1e0", true),
            ("12e-1", false),
            ("1.5", false),
            ("1e400", false),
            ("9007199254740993", true),
            ("123456789012345678901234567890", true),
        ] {
            assert_eq!(is_integer(text), expected, "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn fifteen_digits_read_back(text in "-?(0|[1-9][0-9]{0,12}0{0,7})([.]0{0,9}[0-9]{1,12})?([eE][-+]?[0-9]{1,4})?") {
            let Some(found) = shortest(&text) else { return Ok(()) };
            let read = read_back(&text).unwrap();
            proptest::prop_assert!(found == read || (found.0 == 0 && read.0 == 0), "{} {:?} {:?}", text, found, read);
        }

        #[test]
        fn no_exponent_is_passed_over(text in "([0-9]{1,3}|[eE]|[-+]|[a-z,.]|\\\\){0,90}") {
            let bytes = text.as_bytes();
            let is_one = |at: usize| {
                matches!(bytes[at], b'e' | b'E') && at > 0 && bytes[at - 1].is_ascii_digit()
                    && bytes.get(at + 1).is_some_and(|next| next.is_ascii_digit() || matches!(next, b'+' | b'-' | b'\\'))
            };
            proptest::prop_assert!(like_exponents(bytes) >= (0..bytes.len()).filter(|at| is_one(*at)).count());
        }

        /// The short way gives what the general parser does.
        #[test]
        fn doubles_are_the_nearest(text in "-?(0|[1-9][0-9]{0,16})([.][0-9]{1,16})?([eE][+-]?[0-9]{1,2})?") {
            let value = text.parse::<f64>().unwrap();
            proptest::prop_assert_eq!(to_f64(&text).to_bits(), value.to_bits());
            let is_whole = value.fract() == 0.0;
            proptest::prop_assert_eq!(is_integer(&text), is_whole);
            let counts = is_whole && (0.0..9_007_199_254_740_992.0).contains(&value);
            proptest::prop_assert_eq!(count(&text), counts.then_some(value as u64));
        }
    }

    #[test]
    fn digits_are_read_eight_at_a_time() {
        for (text, expected) in [
            ("12345678", Some(12_345_678)),
            ("00000009", Some(9)),
            ("99999999", Some(99_999_999)),
            ("1234567.", None),
            ("/2345678", None),
            ("1234:678", None),
        ] {
            assert_eq!(eight_digits(*text.as_bytes().first_chunk().unwrap()), expected, "{text}");
        }
        for (text, expected) in [
            ("1769182968.154797", Some((1_769_182_968_154_797, 1_000_000))),
            ("9007199254740991", Some((9_007_199_254_740_991, 1))),
            ("9007199254740992", None),
            (".0000000000000001", Some((1, 10_000_000_000_000_000))),
            ("0.031009", Some((31_009, 1_000_000))),
            ("1.2.3", None),
            ("-1", None),
            ("1e5", None),
        ] {
            assert_eq!(decimal(text), expected, "{text}");
        }
    }

    #[test]
    fn equal_by_value() {
        for (a, b, equal) in [
            ("1", "1.0", true),
            ("10", "1e1", true),
            ("0", "-0", true),
            ("0.10", "1e-1", true),
            ("9007199254740993", "9007199254740992", false),
            ("1", "-1", false),
            ("1e5", "100000", true),
            ("1e+0005", "1e5", true),
            ("1e-5", "1e5", false),
            ("0e99999999999999999999", "0", true),
            ("-0.00e-99999999999999999999", "0", true),
            ("1e99999999999999999999", "1e88888888888888888888", false),
            ("1e99999999999999999999", "1e-99999999999999999999", false),
            ("1e99999999999999999999", "-1e99999999999999999999", false),
            ("1e9223372036854775807", "1e9223372036854775808", false),
            ("10e9223372036854775807", "1e9223372036854775808", true),
            ("0.1e9223372036854775808", "1e9223372036854775807", true),
        ] {
            assert_eq!(normal_form(a) == normal_form(b), equal, "{a} {b}");
        }
    }

    #[test]
    fn exponents_of_any_length_are_exact() {
        for length in 1..60 {
            let nines = "9".repeat(length);
            let power = format!("1{}", "0".repeat(length));
            for (a, b) in [
                (format!("10e{nines}"), format!("1e{power}")),
                (format!("0.1e{power}"), format!("1e{nines}")),
                (format!("10e-{power}"), format!("1e-{nines}")),
                (format!("0.1e-{nines}"), format!("1e-{power}")),
                (format!("12.500e{power}"), format!("125e{nines}")),
                (format!("1e000{nines}"), format!("1.0E+{nines}")),
            ] {
                assert_eq!(normal_form(&a), normal_form(&b), "{a} {b}");
            }
            assert_ne!(normal_form(&format!("1e{nines}")), normal_form(&format!("1e{power}")));
            assert_ne!(normal_form(&format!("1e{nines}")), normal_form(&format!("1e-{nines}")));
        }
        let long = format!("1{}e-99999999999999999999999999999999999999999", "0".repeat(100));
        assert_eq!(normal_form(&long), normal_form("1e-99999999999999999999999999999999999999899"));
    }

    #[test]
    fn as_long_as_javascript_prints() {
        for (text, printed) in [
            ("0", "0"),
            ("-0", "0"),
            ("0.0", "0"),
            ("-0.0", "0"),
            ("7", "7"),
            ("-7", "-7"),
            ("1.0", "1"),
            ("7.10", "7.1"),
            ("-0.25", "-0.25"),
            ("0.000001", "0.000001"),
            ("-0.0000012", "-0.0000012"),
            ("0.0000001", "1e-7"),
            ("1.25e-7", "1.25e-7"),
            ("1.0000001", "1.0000001"),
            ("123.456", "123.456"),
            ("1e3", "1000"),
            ("1.25e2", "125"),
            ("123456789012345", "123456789012345"),
            ("1234567890123456", "1234567890123456"),
            ("9007199254740993", "9007199254740992"),
            ("99999999999999999999", "100000000000000000000"),
            ("123456789012345678901", "123456789012345680000"),
            ("1e20", "100000000000000000000"),
            ("1e21", "1e+21"),
            ("-1.5e300", "-1.5e+300"),
            ("0.1000000000000000055", "0.1"),
            ("1e400", "null"),
            ("-1e400", "null"),
        ] {
            assert_eq!(js_length(text), printed.len(), "{text}");
        }
    }
}
