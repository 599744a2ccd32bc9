//! A recording: what comes is written down, timed, unpacked, and handed on.

use std::path::Path;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use super::connection::{Connection, Content, Ending, Fault, Head, Patience};
use super::echo::Echo;
use super::files::Files;
use super::request::Arrival;
use super::unpack::Unpack;
use crate::cli::console::{Failure, Outcome};
use crate::cli::interrupt::{self, Stop};
use crate::cli::progress;
use crate::stream::Framing;

/// What a request has brought so far, and how long it may go on.
pub(super) struct Wait {
    arrivals: Receiver<Arrival>,
    begun: Instant,
    /// `None` is a time that does not come.
    deadline: Option<Instant>,
}

impl Wait {
    pub(super) fn new(arrivals: Receiver<Arrival>, longest: Duration) -> Self {
        let begun = Instant::now();
        Self { arrivals, begun, deadline: begun.checked_add(longest) }
    }

    /// What comes next; or why nothing more is waited for.
    fn next(&self) -> Result<Arrival, Ending> {
        interrupt::receive(&self.arrivals, self.deadline, || progress::advance(0)).map_err(|stop| match stop {
            Stop::Interrupted => Ending::Stopped("Ctrl-C"),
            Stop::Late => Ending::Late,
            Stop::Gone => Ending::Stopped("a fault of the client"),
        })
    }

    /// Waits for the answer: when it came, and how it begins.
    pub(super) fn answer(&mut self) -> Outcome<(Duration, Head)> {
        match self.next() {
            Ok(Arrival::Answer(at, head)) => {
                // The request may have been made some time after it was wanted.
                self.begun = Instant::now().checked_sub(at).unwrap_or(self.begun);
                Ok((at, head))
            }
            Ok(Arrival::Failed(reason)) => Err(Failure::new(reason)),
            Ok(_) => Err(Failure::new("there is no answer")),
            Err(ending) => {
                let by = if let Ending::Stopped(by) = ending { by } else { "--max-time" };
                Err(Failure::new(format!("stopped by {by} before there was an answer")))
            }
        }
    }
}

/// An answer while it comes.
pub(super) struct Recording {
    wait: Wait,
    connection: Connection,
    files: Option<Files>,
    echo: Echo,
    unpack: Unpack,
    /// How many bytes were received, and may still be.
    received: u64,
    room: u64,
}

impl Recording {
    /// Begins with the answer.
    pub(super) fn begin(
        wait: Wait,
        (at, head): (Duration, Head),
        patience: Patience,
        echo: Echo,
        mut files: Option<Files>,
        room: u64,
    ) -> Outcome<Self> {
        let unpack = Unpack::of(head.encoding.as_deref());
        let connection = Connection::new(patience, head, at);
        if let Some(files) = &mut files {
            files.begin(connection.is_success())?;
        }
        Ok(Self { wait, connection, files, echo, unpack, received: 0, room })
    }

    /// The next bytes of the body as they are to be read; `None` behind the last.
    pub(super) fn next(&mut self) -> Outcome<Option<Vec<u8>>> {
        if self.connection.ending().is_some() {
            return Ok(None);
        }
        match self.wait.next() {
            Ok(Arrival::Bytes(at, bytes)) => self.take(at, &bytes).map(Some),
            Ok(Arrival::End(at)) => self.complete(at).map(Some),
            Ok(Arrival::Cut(at)) => self.end(at, Ending::Cut).map(Some),
            Ok(_) => self.end(self.wait.begun.elapsed(), Ending::Cut).map(Some),
            Err(ending) => self.end(self.wait.begun.elapsed(), ending).map(Some),
        }
    }

    fn take(&mut self, at: Duration, bytes: &[u8]) -> Outcome<Vec<u8>> {
        let fitting = usize::try_from(self.room).map_or(bytes.len(), |room| room.min(bytes.len()));
        if fitting == 0 {
            return self.end(at, Ending::Stopped("--max-bytes"));
        }
        let is_more = fitting < bytes.len();
        let bytes = bytes.get(..fitting).unwrap_or(bytes);
        progress::advance(fitting as u64);
        (self.received, self.room) = (self.received + fitting as u64, self.room - fitting as u64);
        let packed = self.unpack.is_packed();
        let mut read = self.echo.mask(&self.unpack.push(bytes));
        if let Some(files) = &mut self.files {
            files.write(at, fitting, if packed { bytes } else { &read })?;
        }
        self.connection.arrive(at, &read);
        // A body that is just as long may be complete: only a byte more shows that it is not.
        if is_more {
            read.extend(self.end(at, Ending::Stopped("--max-bytes"))?);
        }
        Ok(read)
    }

    /// Ends a recording of which everything has come.
    fn complete(&mut self, at: Duration) -> Outcome<Vec<u8>> {
        let rest = if self.received > 0 { self.unpack.finish() } else { Vec::new() };
        let mut read = self.echo.mask(&rest);
        self.connection.pass(&read);
        read.extend(self.end(at, Ending::Complete)?);
        Ok(read)
    }

    /// Ends the recording; gives what was kept back.
    fn end(&mut self, at: Duration, ending: Ending) -> Outcome<Vec<u8>> {
        let packed = self.unpack.is_packed();
        let rest = self.echo.rest();
        if let Some(files) = &mut self.files {
            files.end(at, if packed { &[] } else { &rest }, ending.as_str())?;
        }
        self.connection.end(at, &rest, ending);
        Ok(rest)
    }

    pub(super) fn connection(&self) -> &Connection {
        &self.connection
    }

    /// The file that the body is written to.
    pub(super) fn written(&self) -> Option<&Path> {
        self.files.as_ref().map(Files::path)
    }

    /// How many bytes have come.
    pub(super) fn received(&self) -> u64 {
        self.received
    }

    /// What is wrong with the connection, when all of it is known.
    pub(super) fn faults(&self, framing: Option<Framing>, events: u64) -> Vec<Fault> {
        let (unread, repeats) = (self.unpack.fault(), self.echo.found());
        self.connection.faults(Content { framing, events, unread, repeats })
    }

    /// Whether everything has come, and was read.
    pub(super) fn is_whole(&self) -> bool {
        self.connection.ending() == Some(Ending::Complete) && self.unpack.fault().is_none()
    }
}
