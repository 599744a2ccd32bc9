//! A source as it is read, in pieces.

use std::io::{self, Read};
use std::sync::mpsc;

use super::interrupt::{self, Stop};
use super::source::Source;
use crate::stream::HEAD_BYTES;

/// What reading a source yields.
pub(super) enum Chunk {
    Bytes(Vec<u8>),
    End,
    Failed(io::Error),
    Interrupted,
}

/// A source as it is read. What may have to be waited for, such as standard input, is read by
/// a thread of its own, so that Ctrl-C ends the wait.
pub(super) enum Reader {
    File(Box<dyn Read>),
    Live(mpsc::Receiver<Chunk>),
}

impl Reader {
    pub(super) fn of(source: &Source) -> io::Result<Self> {
        if !source.is_live() {
            return Ok(Self::File(source.open()?));
        }
        let (sender, receiver) = mpsc::sync_channel(4);
        let source = source.clone();
        std::thread::spawn(move || {
            let mut reader = match source.open() {
                Ok(reader) => Self::File(reader),
                Err(error) => {
                    let _ = sender.send(Chunk::Failed(error));
                    return;
                }
            };
            loop {
                let chunk = reader.next();
                let last = !matches!(chunk, Chunk::Bytes(_));
                if sender.send(chunk).is_err() || last {
                    return;
                }
            }
        });
        Ok(Self::Live(receiver))
    }

    pub(super) fn next(&mut self) -> Chunk {
        match self {
            Self::Live(receiver) => match interrupt::receive(receiver, None, || ()) {
                Ok(chunk) => chunk,
                Err(Stop::Interrupted) => Chunk::Interrupted,
                Err(Stop::Late | Stop::Gone) => Chunk::End,
            },
            Self::File(_) if interrupt::is_set() => Chunk::Interrupted,
            Self::File(reader) => {
                let mut buffer = vec![0; HEAD_BYTES];
                loop {
                    match reader.read(&mut buffer) {
                        Ok(0) => return Chunk::End,
                        Ok(count) => {
                            buffer.truncate(count);
                            return Chunk::Bytes(buffer);
                        }
                        Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                        Err(error) => return Chunk::Failed(error),
                    }
                }
            }
        }
    }
}
