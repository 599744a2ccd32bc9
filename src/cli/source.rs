//! The inputs of a check: files, plain or packed, standard input, and live streams.

use std::fs::File;
use std::io::{self, BufReader, Chain, Cursor, Read};
use std::path::{Path, PathBuf};

use super::progress;
use super::zstd::{self, Frames};
use crate::safe::without_tokens;

/// A file to check, standard input, or a live stream.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Source {
    Stdin,
    /// A stream that is recorded, by the name that may be shown.
    #[cfg(feature = "net")]
    Live(String),
    File {
        path: PathBuf,
        /// Named on the command line, not found in a directory or by a glob.
        named: bool,
    },
}

/// The name of standard input in reports.
pub(super) const STDIN: &str = "<stdin>";

/// How a file begins that is packed by gzip; by zstd, see [`super::zstd`].
const GZIP: &[u8] = &[0x1F, 0x8B];

impl Source {
    /// The name in reports.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Stdin => STDIN.into(),
            #[cfg(feature = "net")]
            Self::Live(name) => without_tokens(name).into_owned(),
            Self::File { path, .. } => name_of(path),
        }
    }

    pub(super) fn is_named(&self) -> bool {
        !matches!(self, Self::File { named: false, .. })
    }

    /// Whether it was found, and is a JSON document by its name.
    pub(super) fn is_document(&self) -> bool {
        !self.is_named() && self.ending() == "json"
    }

    /// Whether its next bytes may have to be waited for: those of standard input, of a pipe, of a
    /// connection.
    pub(super) fn is_live(&self) -> bool {
        let Self::File { path, named } = self else { return true };
        *named && path.metadata().is_ok_and(|about| !about.is_file())
    }

    pub(super) fn path(&self) -> Option<&Path> {
        if let Self::File { path, .. } = self { Some(path) } else { None }
    }

    /// The size of a file, in bytes, as it is stored.
    pub(super) fn size(&self) -> Option<u64> {
        let about = self.path()?.metadata().ok()?;
        about.is_file().then_some(about.len())
    }

    /// The ending of the name, in lower case, without that of packing.
    pub(super) fn ending(&self) -> String {
        let name = self.path().map(|path| path.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
        let name = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(&name);
        Path::new(name).extension().map(|ending| ending.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// The content, unpacked.
    pub(super) fn open(&self) -> io::Result<Box<dyn Read + Send>> {
        let raw: Box<dyn Read + Send> = match self {
            Self::Stdin => Box::new(io::stdin()),
            // Such a stream is read by whoever made the request.
            #[cfg(feature = "net")]
            Self::Live(_) => return Err(io::ErrorKind::Unsupported.into()),
            Self::File { path, .. } => Box::new(Noted(File::open(path)?)),
        };
        unpacked(raw)
    }
}

/// The name of a file in reports. Bytes that are not UTF-8 are written as in a URL: replaced, they would look alike. So
/// is a `%` that would be read as one of them.
pub(super) fn name_of(path: &Path) -> String {
    let mut name = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        for part in chunk.valid().split_inclusive('%') {
            let is_behind = name.ends_with('%') && is_byte(part);
            name += if is_behind { "25" } else { "" };
            name += part;
        }
        chunk.invalid().iter().for_each(|byte| name += &format!("%{byte:02X}"));
    }
    without_tokens(&name).into_owned()
}

/// Whether [`name_of`] writes so, behind a `%`, a byte that is not UTF-8, or a `%` itself.
pub(super) fn is_byte(text: &str) -> bool {
    let is_digit = |byte: &u8| byte.is_ascii_digit() || (b'A'..=b'F').contains(byte);
    matches!(text.as_bytes(), [b'2', b'5', ..])
        || matches!(text.as_bytes(), [b'8' | b'9' | b'A'..=b'F', second, ..] if is_digit(second))
}

fn unpacked(mut raw: Box<dyn Read + Send>) -> io::Result<Box<dyn Read + Send>> {
    let mut start = Vec::new();
    while start.len() < zstd::TOLD_BY && starts_packed(&start) {
        let mut byte = [0];
        match raw.read(&mut byte) {
            Ok(0) => break,
            Ok(_) => start.push(byte[0]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let (gzip, zstd) = (start.starts_with(GZIP), start.len() == zstd::TOLD_BY && zstd::begins(&start));
    let whole: Chain<Cursor<Vec<u8>>, _> = Cursor::new(start).chain(raw);
    if gzip {
        return Ok(Box::new(Packed(flate2::read::MultiGzDecoder::new(whole), "gzip")));
    }
    if zstd {
        // It reads headers of a few bytes each.
        return Ok(Box::new(Packed(Frames::new(BufReader::new(whole)), "zstd")));
    }
    Ok(Box::new(whole))
}

/// A file whose bytes count for the progress line.
struct Noted(File);

impl Read for Noted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.0.read(buffer)?;
        progress::advance(count as u64);
        Ok(count)
    }
}

/// What unpacks, and the name of the packing. What is wrong with the packed bytes is said in one way, whoever finds it.
struct Packed<R>(R, &'static str);

impl<R: Read> Read for Packed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer).map_err(|error| {
            // What is not supported is said in words of ours.
            let kinds = [io::ErrorKind::Interrupted, io::ErrorKind::Unsupported];
            let is_clear = error.raw_os_error().is_some() || kinds.contains(&error.kind());
            if is_clear { error } else { damaged(self.1) }
        })
    }
}

fn damaged(packing: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("what {packing} has packed is damaged or cut off"))
}

/// Whether what was read so far may be the beginning of a packed file. Bytes of a live
/// stream are not waited for otherwise.
fn starts_packed(start: &[u8]) -> bool {
    GZIP.starts_with(start) && start.len() < GZIP.len() || zstd::begins(start)
}
