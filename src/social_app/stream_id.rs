//! The ids of a Redis stream, which order the frames.

use std::fmt;
use std::str::FromStr;

/// The id of a frame: `<ms>-<seq>`, both unsigned. Ordered by time, then by number.
///
/// ```
/// use agent_contracts::social_app::StreamId;
///
/// let id: StreamId = "1760000000000-10".parse()?;
/// assert!(id > StreamId::new(1_760_000_000_000, 9));
/// # Ok::<(), agent_contracts::social_app::StreamIdError>(())
/// ```
///
/// Since 0.1.0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StreamId {
    /// Milliseconds since the epoch.
    pub ms: u64,
    /// The number among the entries of that millisecond.
    pub seq: u64,
}

impl StreamId {
    /// The id of entry `seq` of millisecond `ms`.
    pub const fn new(ms: u64, seq: u64) -> Self {
        Self { ms, seq }
    }
}

impl fmt::Display for StreamId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.ms, self.seq)
    }
}

/// A text that is no id of a Redis stream.
///
/// Since 0.1.0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a stream id is two unsigned integers of 64 bits joined by `-`")]
#[non_exhaustive]
pub struct StreamIdError;

impl serde::Serialize for StreamId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for StreamId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'_, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

impl FromStr for StreamId {
    type Err = StreamIdError;

    fn from_str(text: &str) -> Result<Self, StreamIdError> {
        let number = |digits: &str| {
            let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            plain.then(|| digits.parse().ok()).flatten().ok_or(StreamIdError)
        };
        let (ms, seq) = text.split_once('-').ok_or(StreamIdError)?;
        Ok(Self { ms: number(ms)?, seq: number(seq)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_two_unsigned_integers_are_an_id() {
        for text in ["1-0", "0-0", "18446744073709551615-18446744073709551615"] {
            assert_eq!(text.parse::<StreamId>().unwrap().to_string(), text);
        }
        for text in ["", "1", "-1", "1-", "1-2-3", "+1-0", "1-+0", " 1-0", "a-0", "18446744073709551616-0"] {
            assert_eq!(text.parse::<StreamId>(), Err(StreamIdError), "{text:?}");
        }
    }
}
