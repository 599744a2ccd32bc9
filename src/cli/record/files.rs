//! What is written: the body, and beside it when each piece of it came. The body of a failure
//! is written to another file, so that a good recording is never lost by it.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::cli::check::is_one_of;
use crate::cli::console::{Failure, Outcome};

/// The file of the body, and that of the times.
#[derive(Debug)]
pub(super) struct Files {
    path: PathBuf,
    body: File,
    /// Where the body of a failure goes.
    failed_path: PathBuf,
    times_path: PathBuf,
    times: Option<File>,
    /// How many bytes of the body have come.
    received: u64,
    /// The file, if it is new and nothing was written to it.
    made: Option<PathBuf>,
}

impl Files {
    /// Opens the file, which may be none of those that are `read`. What is in it stays until
    /// there is an answer to write.
    pub(super) fn open(path: &Path, read: &[&Path]) -> Outcome<Self> {
        if path == Path::new("-") {
            let message = "-o -: the recording is not written to standard output; name a file, such as run.sse";
            return Err(Failure::new(message));
        }
        let (failed_path, times_path) = (beside(path, ".failed"), beside(path, ".times.jsonl"));
        if [path, &failed_path, &times_path].into_iter().any(|path| is_one_of(path, read)) {
            let message =
                "the recording, or what goes beside it, would be written over a file that is read; name another file";
            return Err(Failure::new(message));
        }
        let is_new = !path.exists();
        let body = OpenOptions::new().write(true).create(true).truncate(false).open(path);
        let body = body.map_err(|error| failure(path, &error))?;
        // Where the path is a link, the file that it led to was made, and not the link.
        let made = is_new.then(|| path.canonicalize().ok()).flatten();
        Ok(Self { path: path.to_path_buf(), body, failed_path, times_path, times: None, received: 0, made })
    }

    /// What may be written.
    pub(super) fn paths(&self) -> [&Path; 3] {
        [&self.path, &self.failed_path, &self.times_path]
    }

    /// Where the body goes.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Begins the recording of an answer, or of one that is a failure. What is no regular file,
    /// such as a pipe, gets no times, and failures as well.
    pub(super) fn begin(&mut self, is_success: bool) -> Outcome<()> {
        let is_file = self.body.metadata().map_err(|error| failure(&self.path, &error))?.is_file();
        if is_file && !is_success {
            // The file stays as it was: with its recording, or not there.
            self.path.clone_from(&self.failed_path);
            self.body = File::create(&self.path).map_err(|error| failure(&self.path, &error))?;
            return Ok(());
        }
        if is_file {
            // The recording that was there stays if its times cannot be written.
            let times = File::create(&self.times_path).map_err(|error| failure(&self.times_path, &error))?;
            self.body.set_len(0).map_err(|error| failure(&self.path, &error))?;
            self.times = Some(times);
        }
        self.made = None;
        Ok(())
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
    /// A request without an answer, or with a failure, leaves no empty file.
    fn drop(&mut self) {
        if let Some(made) = &self.made {
            let _ = std::fs::remove_file(made);
        }
    }
}

fn failure(path: &Path, error: &io::Error) -> Failure {
    Failure::new(format!("{}: cannot be written: {error}", path.display()))
}

/// A file beside the recording, whose name goes on with `end`.
fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(end);
    name.into()
}
