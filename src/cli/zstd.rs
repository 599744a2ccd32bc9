//! Files packed by zstd: all of their frames, in bounded memory.

use std::io::{self, ErrorKind, Read};

use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// How a frame begins.
const MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// How frames begin that hold nothing to read: the last four bits may be any.
const SKIPPED: u32 = 0x184D_2A50;

/// The largest window of a frame, in bytes. So much of what was unpacked last is held, so `zstd`
/// refuses more as well, unless it is told otherwise.
const WINDOW: u64 = 128 * 1024 * 1024;

/// A decoder is used again for a frame of a window up to this.
const SMALL: u64 = 64 * 1024 * 1024;

/// So many bytes tell whether a file is packed.
pub(super) const TOLD_BY: usize = MAGIC.len();

/// Whether these are the first bytes of a frame, as far as there are any.
pub(super) fn begins(bytes: &[u8]) -> bool {
    let [first, rest @ ..] = SKIPPED.to_le_bytes();
    let is_skipped = match bytes {
        [] => true,
        [byte, bytes @ ..] => byte & 0xF0 == first && rest.starts_with(bytes),
    };
    is_skipped || MAGIC.starts_with(bytes)
}

/// What a packed file holds.
pub(super) struct Frames<R> {
    source: R,
    decoder: FrameDecoder,
    /// A frame has been begun, and not all of it was read.
    is_open: bool,
}

impl<R: Read> Frames<R> {
    /// The frames of a file that is read from its beginning.
    pub(super) fn new(source: R) -> Self {
        Self { source, decoder: FrameDecoder::new(), is_open: false }
    }

    /// Begins the next frame that holds something; false at the end of the file.
    fn begin(&mut self) -> io::Result<bool> {
        loop {
            let Some(magic) = self.magic()? else { return Ok(false) };
            if magic == MAGIC {
                let header = self.header()?;
                self.decoder.init(header.as_slice()).map_err(|_| wrong("the header of a frame cannot be read"))?;
                return Ok(true);
            }
            if u32::from_le_bytes(magic) & !0xF != SKIPPED {
                return Err(wrong("it is no zstd, or something else follows"));
            }
            let mut size = [0; 4];
            self.source.read_exact(&mut size)?;
            let size = u64::from(u32::from_le_bytes(size));
            if io::copy(&mut self.source.by_ref().take(size), &mut io::sink())? < size {
                return Err(ErrorKind::UnexpectedEof.into());
            }
        }
    }

    /// The first bytes of a frame; `None` at the end of the file.
    fn magic(&mut self) -> io::Result<Option<[u8; 4]>> {
        let mut found = Vec::new();
        self.source.by_ref().take(4).read_to_end(&mut found)?;
        match <[u8; 4]>::try_from(found) {
            Ok(magic) => Ok(Some(magic)),
            Err(part) if part.is_empty() => Ok(None),
            Err(_) => Err(ErrorKind::UnexpectedEof.into()),
        }
    }

    /// The header of a frame, from its first bytes on, if its window is not too large.
    #[expect(
        clippy::indexing_slicing,
        reason = "`rest` is as long as its parts, and where the frame is not single the first is the byte of its window"
    )]
    fn header(&mut self) -> io::Result<Vec<u8>> {
        let mut descriptor = [0];
        self.source.read_exact(&mut descriptor)?;
        let [descriptor] = descriptor;
        let is_single = descriptor & 0x20 != 0;
        let dictionary = match descriptor & 3 {
            3 => 4,
            length => usize::from(length),
        };
        let before = usize::from(!is_single) + dictionary;
        let size = match descriptor >> 6 {
            0 => usize::from(is_single),
            bits => 1 << bits,
        };
        let mut rest = vec![0; before + size];
        self.source.read_exact(&mut rest)?;
        let window = if is_single { little_endian(&rest[before..]) } else { window_of(rest[0]) };
        if window > WINDOW {
            let what = "it needs more memory than is allowed: pack it with a window of at most 128 MiB";
            return Err(io::Error::new(ErrorKind::Unsupported, what));
        }
        if window > SMALL {
            self.decoder = FrameDecoder::new();
        }
        Ok([&MAGIC[..], &[descriptor], &rest].concat())
    }
}

impl<R: Read> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while !buffer.is_empty() {
            if !self.is_open && !self.begin()? {
                break;
            }
            self.is_open = true;
            while self.decoder.can_collect() < buffer.len() && !self.decoder.is_finished() {
                let wanted = buffer.len() - self.decoder.can_collect();
                let decoded = self.decoder.decode_blocks(&mut self.source, BlockDecodingStrategy::UptoBytes(wanted));
                decoded.map_err(|_| wrong("a frame is damaged, or lacks its end"))?;
            }
            let count = self.decoder.read(buffer)?;
            if count > 0 {
                return Ok(count);
            }
            let said = self.decoder.get_checksum_from_data();
            if said.is_some() && said != self.decoder.get_calculated_checksum() {
                return Err(wrong("the checksum of a frame differs"));
            }
            self.is_open = false;
        }
        Ok(0)
    }
}

fn wrong(what: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, what)
}

/// The window that a descriptor stands for, in bytes.
fn window_of(descriptor: u8) -> u64 {
    let base = 1_u64 << (10 + (descriptor >> 3));
    base + base / 8 * u64::from(descriptor & 7)
}

fn little_endian(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, byte| (number << 8) | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A frame with a window, and blocks: so many times a byte, or once each of several.
    fn frame(window: u8, blocks: &[(usize, &[u8])]) -> Vec<u8> {
        let mut frame = [&MAGIC[..], &[0, window]].concat();
        for (index, (count, bytes)) in blocks.iter().enumerate() {
            let is_last = index + 1 == blocks.len();
            let (size, kind) = if *count > 1 { (*count, 1) } else { (bytes.len(), 0) };
            frame.extend(&((size << 3) | (kind << 1) | usize::from(is_last)).to_le_bytes()[..3]);
            frame.extend(*bytes);
        }
        frame
    }

    fn unpacked(file: &[u8]) -> io::Result<String> {
        let mut text = String::new();
        Frames::new(file).read_to_string(&mut text).map(|_| text)
    }

    const PLAIN: u8 = 0x50;

    #[test]
    fn every_frame_is_read() {
        let skipped = [&[0x5F_u8, 0x2A, 0x4D, 0x18, 3, 0, 0, 0][..], b"abc"].concat();
        let (one, two) = (frame(PLAIN, &[(1, b"one "), (3, b"-")]), frame(PLAIN, &[(1, b" two")]));
        // The content is the window, and its size stands in the header.
        let single = [&MAGIC[..], &[0x20, 3, (3 << 3) | 1, 0, 0], b"..."].concat();
        for (file, text) in [
            (one.clone(), "one ---"),
            ([&one[..], &two].concat(), "one --- two"),
            ([&skipped[..], &one, &skipped, &frame(PLAIN, &[(1, b"")]), &two, &skipped].concat(), "one --- two"),
            ([&single[..], &one].concat(), "...one ---"),
            (frame(0x88, &[(1, b"a window of 128 MiB")]), "a window of 128 MiB"),
            (vec![], ""),
        ] {
            assert_eq!(unpacked(&file).unwrap(), text);
        }
        let long = frame(PLAIN, &[(100_000, b"x"), (100_000, b"y")]);
        assert_eq!(unpacked(&[&long[..], &long].concat()).unwrap().len(), 400_000);
    }

    #[test]
    fn checksums_are_compared() {
        let text = "some text of a recording, ";
        // As `zstd --check` packs it.
        let packed: Vec<u8> = TEXT_PACKED.to_vec();
        assert_eq!(unpacked(&packed).unwrap(), [text, text.trim_end_matches(", ")].concat());
        for at in [9, packed.len() - 1] {
            let mut damaged = packed.clone();
            damaged[at] ^= 1;
            assert!(unpacked(&damaged).is_err(), "{at}");
        }
    }

    const TEXT_PACKED: [u8; 45] =
        *b"\x28\xb5\x2f\xfd\x24\x32\x05\x01\x00\xd0some text of a recording, \x01\x00\x36\x38\xc7\x1e\xd0\x07\xa6";

    #[test]
    fn how_packed_files_begin() {
        for (bytes, expected) in [
            (&b""[..], true),
            (&[0x28, 0xB5], true),
            (&MAGIC, true),
            (&[0x50, 0x2A, 0x4D, 0x18], true),
            (&[0x5F, 0x2A], true),
            (b"[{", false),
            (b"{", false),
            (b"(text", false),
        ] {
            assert_eq!(begins(bytes), expected, "{bytes:?}");
        }
    }

    #[test]
    fn what_is_no_frame_is_an_error() {
        let (one, skipped) = (frame(PLAIN, &[(1, b"one")]), [0x50_u8, 0x2A, 0x4D, 0x18, 9, 0, 0, 0]);
        let huge = [&MAGIC[..], &[0xE0, 0, 0, 0, 0, 1, 0, 0, 0]].concat();
        for file in [
            b"plain".to_vec(),
            one[..one.len() - 1].to_vec(),
            one[..5].to_vec(),
            [&one[..], b"{}"].concat(),
            [&one[..], b"more"].concat(),
            [&one[..], &skipped, b"abc"].concat(),
            frame(0x89, &[(1, b"a window of more than 128 MiB")]),
            frame(0xFF, &[(1, b"a window of terabytes")]),
            huge,
        ] {
            assert!(unpacked(&file).is_err(), "{file:?}");
        }
    }
}
