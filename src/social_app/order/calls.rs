//! The tool calls of a run: started, given arguments, ended, answered.

use std::collections::hash_map::Entry;
use std::fmt;
use std::hash::{Hash, Hasher};

use super::super::events::event::EventType;
use super::super::facts::*;
use super::super::rules;
use super::super::tools::{self, PROJECT_CLI};
use super::memory::{ANSWER, CALL, InRun, Memory, unnamed};
use crate::check::facts::FactKind;
use crate::check::history::ByKey;
use crate::check::order::{Arrival, Place};
use crate::check::rule::Rule;
use crate::check::scopes::{Id, Of, Opened, Scopes, Using};
use crate::safe::Label;
use crate::wire::Json;

#[derive(Default)]
pub(super) struct Calls {
    /// What the events of calls have said, by the keys of their ids.
    said: ByKey<Said>,
    /// A call was started, so that a result without one is strange. Where results alone are
    /// sent, none ever is.
    any_started: bool,
    /// Results that came before any call was started.
    early: Vec<Early>,
    /// Events that may have been the start of one of these.
    doubts: u16,
    /// Calls that were started up to this event and have no result were reported.
    told_until: Option<u64>,
    /// How many answers of the run have come.
    answers: u8,
}

/// A result whose call was not started.
#[derive(Debug)]
struct Early {
    id: u64,
    place: Place,
    label: Label,
}

/// What the events of a call have said.
struct Said {
    begun: Place,
    tool: Option<Tool>,
    /// The arguments as they were written, until there is a result to compare.
    args: Option<Box<str>>,
    has_args: bool,
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
    fn of(scopes: &Scopes, name: &str) -> Self {
        match scopes.key(Folded(name)) {
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

/// A call in an event: where it is open until its end, and where until its result.
struct Named<'a> {
    call: Of<'a>,
    answer: Of<'a>,
    id: Id<'a>,
}

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tool call {}", self.label())
    }
}

impl Named<'_> {
    fn label(&self) -> Label {
        Label::of(&self.id.text, None)
    }

    fn is_suspect(&self, memory: &Memory) -> bool {
        memory.scopes.is_suspect(self.id.key)
    }
}

/// Whether the scope was ever opened, as far as is remembered.
fn is_known(memory: &Memory, of: &Of<'_>) -> bool {
    memory.scopes.opened(of).is_some() || memory.scopes.was_opened(of)
}

/// The most early results of a run that are remembered.
const EARLY: usize = 64;

/// So many answers of a run are held against its calls: there is to be but one, and each of
/// the others is reported as such.
const ANSWERS: u8 = 4;

impl Calls {
    /// Takes in an event of a call; true if it is the first of a call that has begun here.
    pub(super) fn push(
        &mut self,
        event: EventType,
        run: InRun,
        memory: &mut Memory,
        arrival: &mut Arrival<'_, '_, '_>,
    ) -> bool {
        let Some(slot) = call_id_slot(event) else { return false };
        let call = memory.of(CALL, run.group, slot, arrival.facts);
        let Some(id) = call.id.clone() else {
            self.unreadable(event, run, memory, arrival);
            return false;
        };
        let named = Named { answer: Of { kind: ANSWER, ..call.clone() }, call, id };
        let is_new = !is_known(memory, &named.call) && !is_known(memory, &named.answer);
        match event {
            EventType::ToolCallStart => self.start(&named, memory, arrival),
            EventType::ToolCallArgs => self.args(&named, run, memory, arrival),
            EventType::ToolCallEnd => self.end(&named, run, memory, arrival),
            _ => self.result(&named, run, memory, arrival),
        }
        is_new
    }

    /// An event of a call that nobody can tell.
    fn unreadable(&mut self, event: EventType, run: InRun, memory: &mut Memory, arrival: &mut Arrival<'_, '_, '_>) {
        match event {
            EventType::ToolCallStart => {
                self.any_started = true;
                self.may_have_started(run, memory, arrival);
            }
            EventType::ToolCallEnd => memory.scopes.stray(&unnamed(CALL, run.group)),
            EventType::ToolCallResult => memory.scopes.stray(&unnamed(ANSWER, run.group)),
            _ => {}
        }
    }

    fn may_have_started(&mut self, run: InRun, memory: &mut Memory, arrival: &mut Arrival<'_, '_, '_>) {
        self.doubts = self.doubts.saturating_add(1);
        for kind in [CALL, ANSWER] {
            memory.scopes.open(&unnamed(kind, run.group), &rules::TOOL_CALL_ID_REUSED, 0, None, arrival);
        }
    }

    /// An event may have been one of a call, before its result.
    pub(super) fn doubt(&mut self, run: InRun, memory: &mut Memory, arrival: &mut Arrival<'_, '_, '_>) {
        self.may_have_started(run, memory, arrival);
        memory.scopes.stray(&unnamed(CALL, run.group));
    }

    fn start(&mut self, named: &Named<'_>, memory: &mut Memory, arrival: &mut Arrival<'_, '_, '_>) {
        self.any_started = true;
        let early = std::mem::take(&mut self.early);
        memory.give_back(early.len(), 0);
        let own = early.iter().find(|early| early.id == named.id.key);
        for early in early.iter().filter(|early| early.id != named.id.key) {
            let message = format!("no tool call {} was started before its result", early.label);
            let related = early.place.related("the result came here");
            arrival.fault_related(&rules::TOOL_RESULT_WITHOUT_CALL, None, message, Some(related));
            memory.scopes.suspect(early.id);
        }
        if named.is_suspect(memory) {
            return;
        }
        if !is_known(memory, &named.call) && is_known(memory, &named.answer) {
            let related = own.map(|early| early.place.related("the result came here"));
            let message = format!("the result of {named} came before the call");
            arrival.fault_related(&rules::TOOL_RESULT_WITHOUT_CALL, Some(TOOL_CALL_ID), message, related);
            memory.scopes.suspect(named.id.key);
            return;
        }
        if is_known(memory, &named.call) {
            // Ids are used once: whatever may have ended the call is no excuse.
            let begun = self.said.get(&named.id.key).map(|said| said.begun.related("the call was begun here"));
            let message = format!("{named} was begun in this run before");
            arrival.fault_related(&rules::TOOL_CALL_ID_REUSED, Some(TOOL_CALL_ID), message, begun);
            memory.scopes.suspect(named.id.key);
            return;
        }
        Self::open(named, memory, arrival);
        self.same_tool(named, TOOL_CALL_NAME, memory, arrival);
    }

    fn open(named: &Named<'_>, memory: &mut Memory, arrival: &mut Arrival<'_, '_, '_>) {
        let name = arrival.facts.string(TOOL_CALL_NAME);
        for of in [&named.call, &named.answer] {
            memory.scopes.open(of, &rules::TOOL_CALL_ID_REUSED, 0, name.as_deref(), arrival);
        }
    }

    /// Takes a call that is not known for one that was started where nobody saw it; false if
    /// everything was seen.
    fn join(named: &Named<'_>, run: InRun, memory: &mut Memory, arrival: &mut Arrival<'_, '_, '_>) -> bool {
        let joins = run.unseen.is_any() || memory.exhausted;
        if joins {
            Self::open(named, memory, arrival);
        }
        joins
    }

    fn args(&mut self, named: &Named<'_>, run: InRun, memory: &mut Memory, arrival: &mut Arrival<'_, '_, '_>) {
        // Arguments may come after the end.
        if !named.is_suspect(memory) && !is_known(memory, &named.call) && !Self::join(named, run, memory, arrival) {
            memory.scopes.touch(&named.call, &rules::TOOL_ARGS_WITHOUT_START, arrival);
            return;
        }
        if named.is_suspect(memory) {
            return;
        }
        let is_answered = memory.scopes.opened(&named.answer).is_none();
        let facts = arrival.facts;
        // A piece of arguments is reported as such.
        let args = facts.raw_if(ARGS).filter(|_| facts.kind(ARGS) == FactKind::Object);
        let is_said = has_fault_at("$.args", arrival);
        if let Some((said, args)) = self.said(named, memory, arrival).zip(args) {
            said.drop_args(memory);
            if std::mem::replace(&mut said.has_args, true) {
                // What the result repeats may be either, or both together.
                let message = format!("{named} has its arguments already");
                arrival.fault(&rules::TOOL_ARGS_REPEATED, Some(TOOL_CALL_ID), message);
            } else {
                said.args =
                    Some(args).filter(|args| !is_answered && !is_said && memory.take(0, args.len())).map(Into::into);
            }
        }
        self.same_tool(named, TOOL_CALL_NAME, memory, arrival);
    }

    fn end(&mut self, named: &Named<'_>, run: InRun, memory: &mut Memory, arrival: &mut Arrival<'_, '_, '_>) {
        let (is_open, is_known) = (memory.scopes.opened(&named.call).is_some(), is_known(memory, &named.call));
        if is_known && !is_open && !named.is_suspect(memory) {
            let message = format!("{named} has ended already");
            arrival.fault(&rules::TOOL_END_WITHOUT_START, Some(TOOL_CALL_ID), message);
            return;
        }
        if !is_known && !named.is_suspect(memory) {
            Self::join(named, run, memory, arrival);
        }
        if memory.scopes.close(&named.call, &rules::TOOL_END_WITHOUT_START, arrival) == Using::Open {
            self.same_tool(named, TOOL_CALL_NAME, memory, arrival);
        }
    }

    fn result(&mut self, named: &Named<'_>, run: InRun, memory: &mut Memory, arrival: &mut Arrival<'_, '_, '_>) {
        let is_known = is_known(memory, &named.answer);
        if named.is_suspect(memory) {
            if is_known {
                memory.scopes.close(&named.answer, &rules::TOOL_RESULT_WITHOUT_CALL, arrival);
            } else {
                // The call was started under another id, which was reported.
                memory.scopes.stray(&named.answer);
            }
            return;
        }
        if !is_known {
            if Self::join(named, run, memory, arrival) {
                memory.scopes.close(&named.call, &rules::TOOL_RESULT_WITHOUT_CALL, arrival);
            } else if self.any_started {
                memory.scopes.close(&named.answer, &rules::TOOL_RESULT_WITHOUT_CALL, arrival);
                return;
            } else {
                self.comes_early(named, memory, arrival);
                return;
            }
        }
        if named.is_suspect(memory) {
            return;
        }
        if memory.scopes.opened(&named.answer).is_none() {
            let message = format!("{named} has its result already");
            arrival.fault(&rules::TOOL_RESULT_REPEATED, Some(RESULT_CALL_ID), message);
            return;
        }
        memory.scopes.close(&named.answer, &rules::TOOL_RESULT_WITHOUT_CALL, arrival);
        // An end that cannot be read, or under a wrong id, may have been that of the call.
        let has_ended = memory.scopes.opened(&named.call).is_none() || run.unseen.events;
        if !has_ended && !memory.scopes.spend_stray(&named.call) {
            let message = format!("{named} has not ended yet");
            arrival.fault(&rules::TOOL_RESULT_BEFORE_END, Some(RESULT_CALL_ID), message);
        }
        let given = arrival.facts.raw_if(TOOL_CALL_ARGS);
        let is_said = has_fault_at("$.tool_call_args", arrival);
        let given = given.filter(|_| arrival.facts.kind(TOOL_CALL_ARGS) == FactKind::Object && !is_said);
        if let Some(said) = self.said.get_mut(&named.id.key) {
            if said.differs(given) {
                let message = format!("the arguments of {named} are not those of its TOOL_CALL_ARGS");
                arrival.fault(&rules::TOOL_ARGS_CHANGED, Some(TOOL_CALL_ARGS), message);
            }
            said.drop_args(memory);
        }
        self.same_tool(named, TOOL_NAME, memory, arrival);
    }

    /// A result of a run in which no call was started so far.
    fn comes_early(&mut self, named: &Named<'_>, memory: &mut Memory, arrival: &mut Arrival<'_, '_, '_>) {
        memory.scopes.open(&named.answer, &rules::TOOL_RESULT_WITHOUT_CALL, 0, None, arrival);
        memory.scopes.close(&named.answer, &rules::TOOL_RESULT_WITHOUT_CALL, arrival);
        if self.doubts > 0 {
            self.doubts -= 1;
            memory.scopes.suspect(named.id.key);
        } else if self.early.len() < EARLY && memory.take(1, 0) {
            self.early.push(Early { id: named.id.key, place: arrival.place(), label: named.label() });
        }
    }

    /// What is known of a call; `None` where there is no room for it.
    fn said(&mut self, named: &Named<'_>, memory: &mut Memory, arrival: &Arrival<'_, '_, '_>) -> Option<&mut Said> {
        let key = named.id.key;
        match self.said.entry(key) {
            Entry::Occupied(said) => Some(said.into_mut()),
            Entry::Vacant(free) if memory.take(1, 0) => {
                Some(free.insert(Said { begun: arrival.place(), tool: None, args: None, has_args: false }))
            }
            Entry::Vacant(_) => None,
        }
    }

    /// Every event of a call names the same tool.
    fn same_tool(&mut self, named: &Named<'_>, slot: u8, memory: &mut Memory, arrival: &mut Arrival<'_, '_, '_>) {
        let tool = arrival.facts.string(slot).map(|name| Tool::of(&memory.scopes, &name));
        let Some(said) = self.said(named, memory, arrival) else { return };
        let (Some(before), Some(tool)) = (said.tool, tool) else {
            said.tool = said.tool.or(tool);
            return;
        };
        said.tool = before.and(tool);
        if said.tool.is_none() {
            let related = said.begun.related("the call was begun here");
            let message = format!("{named} was begun for another tool");
            arrival.fault_related(&rules::TOOL_NAME_CHANGED, Some(slot), message, Some(related));
        }
    }

    /// Reports that the answer of the run comes before that of a call.
    pub(super) fn before_text(&mut self, run: InRun, memory: &Memory, arrival: &mut Arrival<'_, '_, '_>) {
        self.answers = self.answers.saturating_add(1);
        if self.answers > ANSWERS {
            return;
        }
        let open = memory.scopes.unclosed(run.group);
        if self.report_open(&open, &rules::TEXT_END_BEFORE_TOOL_RESULT, "no result yet", arrival) {
            self.told_until = Some(arrival.place().event);
        }
    }

    /// Reports what is open when the run finishes.
    pub(super) fn at_end(&self, open: &[Opened], arrival: &mut Arrival<'_, '_, '_>) {
        self.report_open(open, &rules::TOOL_LEFT_OPEN, "no result", arrival);
    }

    fn report_open(&self, open: &[Opened], rule: &Rule, lacks: &str, arrival: &mut Arrival<'_, '_, '_>) -> bool {
        let is_new = |opened: &&Opened| self.told_until.is_none_or(|until| opened.place.event > until);
        let mut calls = open.iter().filter(|opened| opened.kind == ANSWER).filter(is_new);
        let Some(first) = calls.next() else { return false };
        let message = match calls.count() {
            0 => format!("tool call {} has {lacks}", first.label),
            others => format!("{} tool calls have {lacks}, the first of them {}", others + 1, first.label),
        };
        arrival.fault_related(rule, None, message, Some(first.place.related("the call was started here")));
        true
    }

    /// Makes room for the calls of other runs.
    pub(super) fn forget(self, memory: &mut Memory) {
        let bytes = self.said.values().filter_map(|said| said.args.as_ref()).map(|args| args.len()).sum();
        memory.give_back(self.said.len() + self.early.len(), bytes);
    }
}

impl Said {
    /// Lets go of the arguments.
    fn drop_args(&mut self, memory: &mut Memory) {
        if let Some(args) = self.args.take() {
            memory.give_back(0, args.len());
        }
    }

    /// Whether a result repeats other arguments than were sent.
    fn differs(&self, given: Option<&str>) -> bool {
        let sent = self.args.as_deref().zip(given);
        sent.is_some_and(|(sent, given)| sent != given && Json::from_valid(sent) != Json::from_valid(given))
    }
}

/// Whether something was reported of the arguments that stand there: those are not compared.
fn has_fault_at(path: &str, arrival: &Arrival<'_, '_, '_>) -> bool {
    let is_there = |rest: &str| rest.is_empty() || rest.starts_with(['.', '[']);
    arrival.report.findings.iter().any(|finding| finding.path.strip_prefix(path).is_some_and(is_there))
}
