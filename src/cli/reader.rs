//! A source as it is read, in pieces.

use std::io::{self, Read};
use std::sync::mpsc;

use super::source::Source;
use crate::stream::HEAD_BYTES;

/// What reading a source yields.
pub(super) enum Chunk {
    Bytes(Vec<u8>),
    End,
    Failed(io::Error),
    Interrupted,
}

/// A source as it is read: standard input by a thread of its own, so that a signal ends
/// the wait for it.
pub(super) enum Reader {
    File(Box<dyn Read>),
    Live(mpsc::Receiver<Chunk>),
}

impl Reader {
    pub(super) fn of(source: &Source) -> io::Result<Self> {
        if *source != Source::Stdin {
            return Ok(Self::File(source.open()?));
        }
        let (sender, receiver) = mpsc::sync_channel(4);
        let interrupt = sender.clone();
        // A second handler is refused, which leaves the first one in place.
        let _ = ctrlc::set_handler(move || {
            let _ = interrupt.try_send(Chunk::Interrupted);
        });
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
            Self::Live(receiver) => receiver.recv().unwrap_or(Chunk::End),
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
