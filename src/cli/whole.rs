//! Files that are read whole: a device without end is refused before it fills the memory.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// How large they may be, in bytes.
const LARGEST: u64 = 256 * 1024 * 1024;

/// All bytes of a file.
pub(super) fn read(path: &Path) -> io::Result<Vec<u8>> {
    bounded(File::open(path)?)
}

/// The text of a file.
pub(super) fn read_text(path: &Path) -> io::Result<String> {
    String::from_utf8(read(path)?).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.utf8_error()))
}

/// All bytes of a reader.
pub(super) fn bounded(reader: impl Read) -> io::Result<Vec<u8>> {
    bounded_by(LARGEST, reader)
}

fn bounded_by(most: u64, reader: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = reader.take(most + 1).read_to_end(&mut bytes)?;
    if read as u64 > most {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("larger than {most} bytes")));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_end_is_refused() {
        assert_eq!(bounded_by(3, &b"abc"[..]).unwrap(), b"abc");
        let error = bounded_by(3, io::repeat(b'x')).unwrap_err();
        assert_eq!((error.kind(), error.to_string().as_str()), (io::ErrorKind::FileTooLarge, "larger than 3 bytes"));
    }
}
