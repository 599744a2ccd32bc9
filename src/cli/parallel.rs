//! Several sources at a time; the output is that of one after the other.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::ahead::Ahead;
use super::console::{Failure, Outcome};
use super::drive::{Checked, finish};
use super::limit::Part;
use super::output::Output;
use super::setup::Setup;
use super::source::Source;
use crate::check::{Finding, Protocol};
use crate::stream::Framing;

/// Is told what came of each source; says whether to go on.
pub(super) type Tell<'t, 's> = dyn FnMut(&'s Source, Checked, &mut dyn Output) -> Outcome<bool> + 't;

/// Checks all sources, so many at a time, or with 0 as many as there are cores. `tell` is told
/// of them in their order.
pub(super) fn check_all<'s>(
    setup: &Setup<'_>,
    sources: &'s [Source],
    threads: usize,
    output: &mut dyn Output,
    tell: &mut Tell<'_, 's>,
) -> Outcome<()> {
    let units: Vec<&[Source]> = sources.chunk_by(may_be_one_stream).collect();
    let cores = || thread::available_parallelism().map_or(1, NonZero::get);
    let workers = if threads == 0 { cores() } else { threads }.min(units.len());
    if workers < 2 || sources.iter().any(Source::is_live) {
        return one_after_the_other(setup, sources, output, tell);
    }
    // The channels are unbounded: `Ahead` limits all of them together.
    let (senders, receivers): (Vec<_>, Vec<_>) = units.iter().map(|_| channel()).unzip();
    let senders: Vec<_> = senders.into_iter().map(|sender| Mutex::new(Some(sender))).collect();
    let next = AtomicUsize::new(0);
    let ahead = Ahead::of(units.len());
    let work = || {
        let _all = Unsent(&senders);
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let (Some(unit), Some(sender)) = (units.get(at), senders.get(at)) else { return };
            let sender = sender.lock().ok().and_then(|mut sender| sender.take());
            let Some(steps) = sender else { return };
            let mut relay = Relay { steps: steps.clone(), ahead: &ahead, unit: at };
            let mut tell =
                |source, checked, _: &mut dyn Output| send(&steps, Step::Told(source, checked)).map(|()| true);
            if let Err(failure) = one_after_the_other(setup, unit, &mut relay, &mut tell) {
                // Nobody listens if the output has failed.
                let _ = steps.send(Step::Failed(failure));
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(work);
        }
        let _end = ahead.until_the_end();
        receivers.into_iter().try_for_each(|steps| {
            replay(steps, &ahead, output, tell)?;
            ahead.go_on();
            Ok(())
        })
    })
}

/// What no worker has begun to send.
struct Unsent<'a, 's>(&'a [Mutex<Option<Sender<Step<'s>>>>]);

impl Drop for Unsent<'_, '_> {
    /// A worker that panics lets go of all, so that nobody waits for them.
    fn drop(&mut self) {
        if thread::panicking() {
            for sender in self.0 {
                sender.lock().unwrap_or_else(PoisonError::into_inner).take();
            }
        }
    }
}

/// Whether the next source could go on with the stream of this one: the documents of a folder
/// that hold answers to polls are one stream.
fn may_be_one_stream(one: &Source, next: &Source) -> bool {
    let folder = |source: &Source| source.path().and_then(std::path::Path::parent).map(ToOwned::to_owned);
    one.is_document() && next.is_document() && folder(one) == folder(next)
}

fn one_after_the_other<'s>(
    setup: &Setup<'_>,
    sources: &'s [Source],
    output: &mut dyn Output,
    tell: &mut Tell<'_, 's>,
) -> Outcome<()> {
    let mut open = None;
    for source in sources {
        let checked = setup.check(source, output, &mut open)?;
        if !tell(source, checked, output)? {
            break;
        }
    }
    finish(&mut open, output)
}

/// What a worker hands on.
enum Step<'s> {
    Part(Part),
    Told(&'s Source, Checked),
    Failed(Failure),
}

fn replay<'s>(
    steps: Receiver<Step<'s>>,
    ahead: &Ahead,
    output: &mut dyn Output,
    tell: &mut Tell<'_, 's>,
) -> Outcome<()> {
    for step in steps {
        match step {
            Step::Part(part) => {
                let bytes = part.bytes();
                part.hand_on(output)?;
                ahead.print(bytes);
            }
            Step::Told(source, checked) => {
                tell(source, checked, output)?;
            }
            Step::Failed(failure) => return Err(failure),
        }
    }
    Ok(())
}

fn send<'s>(steps: &Sender<Step<'s>>, step: Step<'s>) -> Outcome<()> {
    steps.send(step).map_err(|_| Failure::Pipe)
}

/// The output of a worker, for one unit.
struct Relay<'a, 's> {
    steps: Sender<Step<'s>>,
    ahead: &'a Ahead,
    unit: usize,
}

impl Relay<'_, '_> {
    fn part(&self, part: Part) -> Outcome<()> {
        self.ahead.take(self.unit, part.bytes());
        send(&self.steps, Step::Part(part))
    }
}

impl Output for Relay<'_, '_> {
    fn file(&mut self, name: &str, protocol: Option<&Protocol>, framing: Option<Framing>) -> Outcome<()> {
        self.part(Part::File(name.to_owned(), protocol.cloned(), framing))
    }

    fn findings(&mut self, findings: &[Finding], text: &[u8]) -> Outcome<()> {
        if findings.is_empty() { Ok(()) } else { self.part(Part::Findings(findings.to_vec(), text.to_vec())) }
    }

    fn end_file(&mut self, events: u64) -> Outcome<()> {
        self.part(Part::End(events))
    }

    fn skip(&mut self, name: &str, reason: &str) {
        // If nobody listens, the next part fails.
        let _ = self.part(Part::Skip(name.to_owned(), reason.to_owned()));
    }

    fn remark(&mut self, message: &str) {
        let _ = self.part(Part::Remark(message.to_owned()));
    }
}
