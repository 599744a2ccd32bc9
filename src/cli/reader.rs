//! A source as it is read, in pieces.

use std::io::{self, BufRead, BufReader, Read};
use std::sync::mpsc;

use super::interrupt::{self, Stop};
use super::source::Source;
use crate::stream::HEAD_BYTES;

/// Why no more bytes come.
pub(super) enum Ending {
    End,
    Failed(io::Error),
    Interrupted,
}

/// A source as it is read. What may have to be waited for, such as standard input, is read by
/// a thread of its own, so that Ctrl-C ends the wait. Beside either is what was given last: how much, or the bytes.
pub(super) enum Reader {
    File(BufReader<Box<dyn Read>>, usize),
    Live(mpsc::Receiver<Result<Vec<u8>, Ending>>, Vec<u8>),
}

impl Reader {
    pub(super) fn of(source: &Source) -> io::Result<Self> {
        let file = |source: &Source| Ok(Self::File(BufReader::with_capacity(HEAD_BYTES, source.open()?), 0));
        if !source.is_live() {
            return file(source);
        }
        let (sender, receiver) = mpsc::sync_channel(4);
        let source = source.clone();
        std::thread::spawn(move || {
            let mut reader = match file(&source) {
                Ok(reader) => reader,
                Err(error) => {
                    let _ = sender.send(Err(Ending::Failed(error)));
                    return;
                }
            };
            loop {
                let piece = reader.next().map(<[u8]>::to_vec);
                let last = piece.is_err();
                if sender.send(piece).is_err() || last {
                    return;
                }
            }
        });
        Ok(Self::Live(receiver, Vec::new()))
    }

    /// The next bytes, of which there are some.
    pub(super) fn next(&mut self) -> Result<&[u8], Ending> {
        match self {
            Self::Live(receiver, piece) => match interrupt::receive(receiver, None, || ()) {
                Ok(next) => {
                    *piece = next?;
                    Ok(piece)
                }
                Err(Stop::Interrupted) => Err(Ending::Interrupted),
                Err(Stop::Late | Stop::Gone) => Err(Ending::End),
            },
            Self::File(..) if interrupt::is_set() => Err(Ending::Interrupted),
            Self::File(reader, taken) => {
                reader.consume(std::mem::take(taken));
                while let Err(error) = reader.fill_buf() {
                    if error.kind() != io::ErrorKind::Interrupted {
                        return Err(Ending::Failed(error));
                    }
                }
                let piece = reader.buffer();
                *taken = piece.len();
                if piece.is_empty() { Err(Ending::End) } else { Ok(piece) }
            }
        }
    }
}
