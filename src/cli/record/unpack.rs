//! The body as it is read, where the server has packed it.

use std::io::Write;

use flate2::write::MultiGzDecoder;

/// Unpacks a body as it comes.
#[derive(Debug)]
pub(super) enum Unpack {
    /// It is not packed.
    Plain,
    Gzip(Box<MultiGzDecoder<Vec<u8>>>),
    /// It is packed otherwise, or wrongly.
    Unreadable,
}

impl Unpack {
    /// By the content encoding that the response names.
    pub(super) fn of(encoding: Option<&str>) -> Self {
        match encoding {
            None | Some("" | "identity") => Self::Plain,
            Some("gzip" | "x-gzip") => Self::Gzip(Box::new(MultiGzDecoder::new(Vec::new()))),
            Some(_) => Self::Unreadable,
        }
    }

    pub(super) fn is_packed(&self) -> bool {
        !matches!(self, Self::Plain)
    }

    pub(super) fn is_unreadable(&self) -> bool {
        matches!(self, Self::Unreadable)
    }

    /// What the next bytes hold, as far as it can be told from them.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Vec<u8> {
        match self {
            Self::Plain => bytes.to_vec(),
            Self::Unreadable => Vec::new(),
            Self::Gzip(decoder) => {
                let unpacked = decoder.write_all(bytes).and_then(|()| decoder.flush());
                let plain = std::mem::take(decoder.get_mut());
                if unpacked.is_err() {
                    *self = Self::Unreadable;
                }
                plain
            }
        }
    }
}
