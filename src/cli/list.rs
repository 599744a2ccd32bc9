//! `--list-files`: what would be checked, and as what.

use std::io::Write;
use std::path::PathBuf;

use super::choice::Choice;
use super::console::{Outcome, Status, complain, remark, shown};
use super::drive::head_of;
use super::plan::{Plan, plan_in};
use super::reader::Reader;
use super::setup::Setup;
use super::source::Source;
use crate::check::Protocol;
use crate::stream::Framing;

impl Setup<'_> {
    /// Prints a line for each file: its name, its protocol or type, and its framing, with tabs
    /// between. What would be passed over is said on stderr.
    pub(super) fn list(&self, sources: &[Source]) -> Outcome {
        let mut out = anstream::stdout().lock();
        let mut status = Status::Clean;
        let mut open = None;
        for source in sources {
            let name = source.name();
            match self.plan_of(source, &mut open) {
                Ok(Ok(Plan { protocol, framing, mode, remarks })) => {
                    for message in &remarks {
                        remark(message);
                    }
                    let kind = mode.document().map_or(String::new(), |kind| format!("/{kind}"));
                    let framing = framing.map_or("-", Framing::as_str);
                    writeln!(out, "{}\t{protocol}{kind}\t{framing}", shown(&name))?;
                }
                Ok(Err(reason)) if !self.quiet => remark(&format!("{name}: {reason}")),
                Ok(Err(_)) => {}
                Err(error) => {
                    complain(&format!("{name}: cannot be read: {error}"));
                    status = Status::Failed;
                }
            }
        }
        out.flush()?;
        Ok(status)
    }

    /// What a source is taken for, or why it is not checked. `open` is the protocol and the folder of the answers before
    /// it, if any, and how they are checked.
    fn plan_of(
        &self,
        source: &Source,
        open: &mut Option<(Protocol, PathBuf, Choice)>,
    ) -> std::io::Result<Result<Plan, String>> {
        let choice = self.config.choice(source.path());
        let (begun, last) = head_of(source, &mut Reader::of(source)?, &choice)?;
        let (head, is_whole) = (begun.head(), last.is_some());
        let before = open.take_if(|(.., before)| *before == choice);
        let answers = before.as_ref().map(|(protocol, folder, _)| (protocol, folder.as_path()));
        match plan_in(answers, self.plan(source, head, &choice), source, head, is_whole) {
            Ok((plan, folder)) => {
                *open = folder.map(|folder| (plan.protocol.clone(), folder, choice));
                Ok(Ok(plan))
            }
            Err(unknown) => {
                *open = before.filter(|_| unknown.leaves_open(source));
                Ok(Err(unknown.reason()))
            }
        }
    }
}
