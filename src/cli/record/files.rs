//! What is written: the body, and beside it when each piece of it came.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::cli::console::{Failure, Outcome};

/// The file of the body, and that of the times.
#[derive(Debug)]
pub(super) struct Files {
    path: PathBuf,
    body: File,
    times: Option<File>,
    /// How many bytes of the body have come.
    received: u64,
    /// Whether the file is new and nothing was written to it.
    is_untouched: bool,
}

impl Files {
    /// Opens the file. What is in it stays until there is an answer to write.
    pub(super) fn open(path: &Path) -> Outcome<Self> {
        let is_untouched = !path.exists();
        let body = OpenOptions::new().write(true).create(true).truncate(false).open(path);
        let body = body.map_err(|error| failure(path, &error))?;
        Ok(Self { path: path.to_path_buf(), body, times: None, received: 0, is_untouched })
    }

    /// Begins the recording. What is no regular file, such as a pipe, gets no times.
    pub(super) fn begin(&mut self) -> Outcome<()> {
        self.is_untouched = false;
        let begun = self.body.metadata().and_then(|about| {
            if about.is_file() {
                self.body.set_len(0)?;
                self.times = Some(File::create(times(&self.path))?);
            }
            Ok(())
        });
        begun.map_err(|error| failure(&self.path, &error))
    }

    /// Notes that `received` bytes have come, and writes those that are settled.
    pub(super) fn write(&mut self, at: Duration, received: usize, settled: &[u8]) -> Outcome<()> {
        let row = format!("{{\"byte\":{},\"ms\":{}}}\n", self.received, at.as_millis());
        self.received += received as u64;
        self.put(settled, &row)
    }

    /// Ends the recording, and says how.
    pub(super) fn end(&mut self, at: Duration, settled: &[u8], how: &str) -> Outcome<()> {
        let row = format!("{{\"byte\":{},\"ms\":{},\"end\":\"{how}\"}}\n", self.received, at.as_millis());
        self.put(settled, &row)
    }

    fn put(&mut self, settled: &[u8], row: &str) -> Outcome<()> {
        let written = self.body.write_all(settled).and_then(|()| match &mut self.times {
            Some(times) => times.write_all(row.as_bytes()),
            None => Ok(()),
        });
        written.map_err(|error| failure(&self.path, &error))
    }
}

impl Drop for Files {
    /// A request without an answer leaves no empty file.
    fn drop(&mut self) {
        if self.is_untouched {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

fn failure(path: &Path, error: &io::Error) -> Failure {
    Failure::new(format!("{}: cannot be written: {error}", path.display()))
}

/// The file beside the recording.
fn times(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(".times.jsonl");
    name.into()
}
