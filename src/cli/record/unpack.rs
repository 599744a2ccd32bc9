//! The body as it is read, where the server has packed it.

use std::io::Write;

use flate2::write::MultiGzDecoder;

/// Unpacks a body as it comes.
#[derive(Debug)]
pub(super) enum Unpack {
    /// It is not packed.
    Plain,
    Gzip(Box<MultiGzDecoder<Vec<u8>>>),
    /// It is packed otherwise.
    Unknown,
    /// It is packed wrongly.
    Broken,
}

impl Unpack {
    /// By the content encoding that the response names.
    pub(super) fn of(encoding: Option<&str>) -> Self {
        match encoding {
            None | Some("" | "identity") => Self::Plain,
            Some("gzip" | "x-gzip") => Self::Gzip(Box::new(MultiGzDecoder::new(Vec::new()))),
            Some(_) => Self::Unknown,
        }
    }

    pub(super) fn is_packed(&self) -> bool {
        !matches!(self, Self::Plain)
    }

    /// Why not all of it was read.
    pub(super) fn fault(&self) -> Option<&'static str> {
        match self {
            Self::Plain | Self::Gzip(_) => None,
            Self::Unknown => Some("cannot be unpacked here, so it was not checked"),
            Self::Broken => Some("is damaged or not whole, so its end was not checked"),
        }
    }

    /// What the next bytes hold, as far as it can be told from them.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Vec<u8> {
        match self {
            Self::Plain => bytes.to_vec(),
            Self::Unknown | Self::Broken => Vec::new(),
            Self::Gzip(decoder) => {
                let unpacked = decoder.write_all(bytes).and_then(|()| decoder.flush());
                let plain = std::mem::take(decoder.get_mut());
                if unpacked.is_err() {
                    *self = Self::Broken;
                }
                plain
            }
        }
    }

    /// Ends a body that is complete, so that its checksum can be told; gives what was kept back.
    pub(super) fn finish(&mut self) -> Vec<u8> {
        let Self::Gzip(decoder) = self else { return Vec::new() };
        let finished = decoder.try_finish();
        let plain = std::mem::take(decoder.get_mut());
        if finished.is_err() {
            *self = Self::Broken;
        }
        plain
    }
}
