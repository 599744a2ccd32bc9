//! Times and sizes of the command line, such as `30s` and `64MiB`.

use std::time::Duration;

/// Units by their names, the longest name of an ending first, and what one of them is.
type Units = [(&'static str, u64)];

/// In milliseconds.
const TIMES: &Units = &[("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000)];

/// In bytes.
const SIZES: &Units = &[
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("kB", 1000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("B", 1),
];

pub(super) fn time(text: &str) -> Result<Duration, String> {
    let value = parse(text, TIMES).ok_or("write a whole number and ms, s, m or h, such as 30s")?;
    Ok(Duration::from_millis(value))
}

pub(super) fn size(text: &str) -> Result<u64, String> {
    parse(text, SIZES).ok_or_else(|| "write a whole number and B, kB, MB, GB, KiB, MiB or GiB, such as 64MiB".into())
}

fn parse(text: &str, units: &Units) -> Option<u64> {
    let (number, unit) = units.iter().find_map(|(name, unit)| Some((text.strip_suffix(*name)?, unit)))?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    number.parse::<u64>().ok().filter(|_| is_number)?.checked_mul(*unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        for (text, milliseconds) in [
            ("250ms", Some(250)),
            ("30s", Some(30_000)),
            ("10m", Some(600_000)),
            ("2h", Some(7_200_000)),
            ("0s", Some(0)),
            ("30", None),
            ("s", None),
            ("-1s", None),
            ("+1s", None),
            ("1.5s", None),
            ("1 s", None),
            ("18446744073709551615h", None),
        ] {
            assert_eq!(time(text).ok(), milliseconds.map(Duration::from_millis), "{text}");
        }
    }

    #[test]
    fn sizes() {
        for (text, bytes) in [
            ("0B", Some(0)),
            ("12B", Some(12)),
            ("3kB", Some(3000)),
            ("64MiB", Some(64 << 20)),
            ("2GB", Some(2_000_000_000)),
            ("64", None),
            ("MiB", None),
            ("64mib", None),
            ("99999999999GiB", None),
        ] {
            assert_eq!(size(text).ok(), bytes, "{text}");
        }
    }
}
