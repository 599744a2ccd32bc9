//! The tool calls of a run: started, given arguments, ended, answered.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use super::super::events::event::EventType;
use super::super::facts::*;
use super::super::rules;
use super::super::tools::{self, PROJECT_CLI};
use super::in_run::{InRun, Opened};
use super::memory::Memory;
use crate::check::facts::FactKind;
use crate::check::history::{KeyHasher, Keys};
use crate::check::rule::Rule;
use crate::safe::{Label, show};
use crate::wire::Json;

#[derive(Debug, Default)]
pub(super) struct Calls {
    all: HashMap<u64, Call, BuildHasherDefault<KeyHasher>>,
    /// How many have no result, which was not reported either.
    open: usize,
    /// Starts without a readable id: each excuses an unknown one.
    excused: u32,
    /// Ends and results that named no call, which was reported: each may be that of a call
    /// that lacks one.
    stray_ends: u32,
    stray_results: u32,
    /// Results that came before any call of the connection was started.
    unstarted: usize,
}

#[derive(Debug)]
struct Call {
    begun: Opened,
    started: bool,
    tool: Option<Tool>,
    /// The arguments as they were written, until there is a result to compare.
    args: Option<Box<str>>,
    has_args: bool,
    ended: bool,
    answered: bool,
    /// That it is open was reported.
    told: bool,
    /// Something about it was reported: nothing more is.
    suspect: bool,
    /// Its id, if its result has come before any call of the connection was started.
    unstarted: Option<Label>,
}

/// The tool of a call: the one through which all are called, or the key of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tool {
    ProjectCli,
    /// A name of a published form.
    Known(u64),
    Other(u64),
}

/// A tool's name in either style.
struct Folded<'n>(&'n str);

impl Hash for Folded<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.bytes().for_each(|byte| state.write_u8(if byte == b'.' { b'_' } else { byte }));
    }
}

impl Tool {
    fn of(keys: &Keys, name: &str) -> Self {
        match keys.of(Folded(name)) {
            _ if name == PROJECT_CLI => Self::ProjectCli,
            key if tools::is_of_known_form(name) => Self::Known(key),
            key => Self::Other(key),
        }
    }

    /// The tool that both stand for; `None` if they differ.
    fn and(self, other: Self) -> Option<Self> {
        match (self, other) {
            (Self::ProjectCli, Self::Known(_) | Self::ProjectCli) => Some(other),
            (Self::Known(_), Self::ProjectCli) => Some(self),
            (Self::Known(a) | Self::Other(a), Self::Known(b) | Self::Other(b)) if a == b => Some(self),
            _ => None,
        }
    }
}

impl Calls {
    pub(super) fn push(&mut self, partial: bool, memory: &mut Memory, now: &mut InRun<'_, '_, '_, '_>) {
        use EventType as E;
        let Some(slot) = now.event.and_then(call_id_slot) else { return };
        let starts = now.event == Some(E::ToolCallStart);
        memory.any_call_started |= starts;
        let Some(id) = now.facts.string(slot).filter(|id| !id.is_empty()) else {
            let counter = match now.event {
                Some(E::ToolCallStart) => &mut self.excused,
                Some(E::ToolCallEnd) => &mut self.stray_ends,
                Some(E::ToolCallResult) => &mut self.stray_results,
                _ => return,
            };
            *counter = counter.saturating_add(1);
            return;
        };
        let key = memory.keys.of(&*id);
        let name = now.facts.string(if slot == RESULT_CALL_ID { TOOL_NAME } else { TOOL_CALL_NAME });
        let tool = name.map(|name| Tool::of(&memory.keys, &name));
        if starts && self.unstarted > 0 {
            self.report_unstarted(key, now);
        }
        if !self.all.contains_key(&key) {
            let unstarted = !starts && !partial && !memory.exhausted && self.excused == 0 && !memory.any_call_started;
            let suspect = self.is_unknown(&id, slot, partial, memory, now);
            if !memory.take(1, 0) {
                return;
            }
            let call = Call {
                begun: now.opened(key),
                started: starts,
                tool,
                args: None,
                has_args: false,
                // What came before it was seen is not known.
                ended: now.event == Some(E::ToolCallResult),
                answered: false,
                told: false,
                suspect,
                unstarted: unstarted.then(|| Label::of(&id, None)),
            };
            self.unstarted += usize::from(unstarted);
            self.open += usize::from(!suspect);
            self.all.insert(key, call);
            if starts || suspect {
                return;
            }
        }
        let Some(call) = self.all.get_mut(&key) else { return };
        let was_open = call.is_open();
        call.take(tool, slot, &mut self.stray_ends, memory, now);
        if !call.is_open() {
            self.open -= usize::from(was_open);
            call.drop_args(memory);
        }
    }

    /// Reports the results that came without a call, once a call is started: where results
    /// alone are sent, none ever is. `started` is the call that is started now.
    fn report_unstarted(&mut self, started: u64, now: &mut InRun<'_, '_, '_, '_>) {
        self.unstarted = 0;
        let mut found: Vec<&mut Call> = self
            .all
            .iter_mut()
            .filter(|(key, call)| **key != started && call.unstarted.is_some() && !call.suspect)
            .map(|(_, call)| call)
            .collect();
        found.sort_by_key(|call| call.begun.place.event);
        for call in found {
            self.open -= usize::from(call.is_open());
            call.suspect = true;
            let Some(id) = call.unstarted else { continue };
            let related = call.begun.related("the result is here");
            let message = format!("tool call {id} has a result, and was not started");
            now.fault_at(&rules::TOOL_RESULT_WITHOUT_CALL, None, message, Some(related));
        }
    }

    /// Whether an id that has not been seen is a fault; reports it then.
    fn is_unknown(
        &mut self,
        id: &str,
        slot: u8,
        partial: bool,
        memory: &Memory,
        now: &mut InRun<'_, '_, '_, '_>,
    ) -> bool {
        use EventType as E;
        if now.event == Some(E::ToolCallStart) {
            return false;
        }
        if self.excused > 0 {
            self.excused -= 1;
            return false;
        }
        if partial || memory.exhausted || (now.event == Some(E::ToolCallResult) && !memory.any_call_started) {
            return false;
        }
        let rule: &Rule = match now.event {
            Some(E::ToolCallArgs) => &rules::TOOL_ARGS_WITHOUT_START,
            Some(E::ToolCallEnd) => &rules::TOOL_END_WITHOUT_START,
            _ => &rules::TOOL_RESULT_WITHOUT_CALL,
        };
        now.fault(rule, Some(slot), format!("no tool call {} was started", show(id)));
        // The id may be the wrong one, of this event or of the start.
        if now.event != Some(E::ToolCallResult) {
            self.stray_ends = self.stray_ends.saturating_add(1);
        }
        if now.event != Some(E::ToolCallEnd) {
            self.stray_results = self.stray_results.saturating_add(1);
        }
        true
    }

    /// Reports that the answer of the run comes before that of a call.
    pub(super) fn before_text(&mut self, now: &mut InRun<'_, '_, '_, '_>) {
        if self.report_open(&rules::TEXT_END_BEFORE_TOOL_RESULT, "no result yet", now) {
            self.all.values_mut().filter(|call| call.is_open()).for_each(|call| call.told = true);
            self.open = 0;
        }
    }

    /// Reports what is open when the run finishes.
    pub(super) fn at_end(&self, now: &mut InRun<'_, '_, '_, '_>) {
        self.report_open(&rules::TOOL_LEFT_OPEN, "no result", now);
    }

    fn report_open(&self, rule: &Rule, lacks: &str, now: &mut InRun<'_, '_, '_, '_>) -> bool {
        let count = self.open.saturating_sub(self.stray_results as usize);
        if count == 0 {
            return false;
        }
        let open = self.all.values().filter(|call| call.is_open()).map(|call| call.begun);
        let related =
            open.min_by_key(|begun| begun.place.event).map(|begun| begun.related("the call was started here"));
        let message = match count {
            1 => format!("a tool call has {lacks}"),
            count => format!("{count} tool calls have {lacks}"),
        };
        now.fault_at(rule, None, message, related);
        true
    }

    /// Makes room for the calls of other runs.
    pub(super) fn forget(self, memory: &mut Memory) {
        let bytes = self.all.values().filter_map(|call| call.args.as_ref()).map(|args| args.len()).sum();
        memory.give_back(self.all.len(), bytes);
    }
}

impl Call {
    /// Whether a result is still to come, and that was not said.
    const fn is_open(&self) -> bool {
        !self.answered && !self.suspect && !self.told
    }

    /// Lets go of the arguments.
    fn drop_args(&mut self, memory: &mut Memory) {
        if let Some(args) = self.args.take() {
            memory.give_back(0, args.len());
        }
    }

    /// Takes in an event of the call.
    fn take(
        &mut self,
        tool: Option<Tool>,
        slot: u8,
        stray_ends: &mut u32,
        memory: &mut Memory,
        now: &mut InRun<'_, '_, '_, '_>,
    ) {
        use EventType as E;
        if self.suspect {
            return;
        }
        let began = self.begun.related("the call was begun here");
        match now.event {
            Some(E::ToolCallStart) => {
                let (rule, message): (&Rule, _) = match (self.started, self.answered) {
                    (false, true) => (&rules::TOOL_RESULT_WITHOUT_CALL, "the result came before the call"),
                    _ => (&rules::TOOL_CALL_ID_REUSED, "the id has been used in this run"),
                };
                now.fault_at(rule, Some(slot), message.into(), Some(began));
                self.suspect = true;
                return;
            }
            Some(E::ToolCallArgs) => {
                if std::mem::replace(&mut self.has_args, true) {
                    now.fault(&rules::TOOL_ARGS_REPEATED, Some(slot), "the call has its arguments already".into());
                }
                self.drop_args(memory);
                let args = now.facts.raw_if(ARGS).filter(|_| now.facts.kind(ARGS) == FactKind::Object);
                self.args = args.filter(|args| !self.answered && memory.take(0, args.len())).map(Into::into);
            }
            Some(E::ToolCallEnd) => {
                if std::mem::replace(&mut self.ended, true) {
                    now.fault(&rules::TOOL_END_WITHOUT_START, Some(slot), "the call has ended already".into());
                }
            }
            _ => {
                if std::mem::replace(&mut self.answered, true) {
                    now.fault(&rules::TOOL_RESULT_REPEATED, Some(slot), "the call has its result already".into());
                    return;
                }
                if !self.ended && *stray_ends > 0 {
                    *stray_ends -= 1;
                } else if !self.ended {
                    now.fault(&rules::TOOL_RESULT_BEFORE_END, Some(slot), "the call has not ended yet".into());
                }
                if self.differs(now) {
                    let message = "the arguments are not those of TOOL_CALL_ARGS".into();
                    now.fault(&rules::TOOL_ARGS_CHANGED, Some(TOOL_CALL_ARGS), message);
                }
            }
        }
        let (Some(before), Some(named)) = (self.tool, tool) else {
            self.tool = self.tool.or(tool);
            return;
        };
        self.tool = before.and(named);
        if self.tool.is_none() {
            let slot = if now.event == Some(E::ToolCallResult) { TOOL_NAME } else { TOOL_CALL_NAME };
            let message = "the call was begun for another tool".into();
            now.fault_at(&rules::TOOL_NAME_CHANGED, Some(slot), message, Some(began));
        }
    }

    /// Whether a result repeats other arguments than were sent.
    fn differs(&self, now: &InRun<'_, '_, '_, '_>) -> bool {
        let given = now.facts.raw_if(TOOL_CALL_ARGS).filter(|_| now.facts.kind(TOOL_CALL_ARGS) == FactKind::Object);
        self.args
            .as_deref()
            .zip(given)
            .is_some_and(|(sent, given)| sent != given && Json::from_valid(sent) != Json::from_valid(given))
    }
}
