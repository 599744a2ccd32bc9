//! The tool calls of a run: started, given arguments, ended, answered.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use super::super::event::EventType;
use super::super::facts::*;
use super::super::{PROJECT_CLI, canonical_tool_name, rules};
use super::Budget;
use super::turn::{Opened, Turn};
use crate::check::facts::FactKind;
use crate::check::history::{KeyHasher, Keys};
use crate::check::rule::RuleRef;
use crate::safe::show;
use crate::wire::Json;

#[derive(Debug, Default)]
pub(super) struct Calls {
    all: HashMap<u64, Call, BuildHasherDefault<KeyHasher>>,
    /// How many have no result.
    open: usize,
    /// A call was started, so that a result without one is strange.
    any_started: bool,
    /// Starts without a readable id: each excuses an unknown one.
    excused: u32,
}

#[derive(Debug)]
struct Call {
    begun: Opened,
    tool: Option<Tool>,
    /// The arguments as they were written, until there is a result to compare.
    args: Option<Box<str>>,
    has_args: bool,
    ended: bool,
    answered: bool,
    /// That it is open was reported.
    told: bool,
    /// Something about it was reported, or its start is missing: nothing more is.
    suspect: bool,
}

/// The tool of a call: the one through which all are called, or the key of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tool {
    ProjectCli,
    Named(u64),
}

impl Tool {
    fn of(keys: &Keys, name: &str) -> Self {
        if name == PROJECT_CLI { Self::ProjectCli } else { Self::Named(keys.of(canonical_tool_name(name))) }
    }

    fn may_be(self, other: Self) -> bool {
        self == other || self == Self::ProjectCli || other == Self::ProjectCli
    }
}

impl Call {
    const fn is_open(&self) -> bool {
        !self.answered && !self.suspect
    }

    /// Lets go of the arguments.
    fn drop_args(&mut self, budget: &mut Budget) {
        if let Some(args) = self.args.take() {
            budget.give_back(0, args.len());
        }
    }
}

impl Calls {
    pub(super) fn push(&mut self, keys: &Keys, partial: bool, budget: &mut Budget, turn: &mut Turn<'_, '_, '_>) {
        use EventType as E;
        let Some(slot) = turn.event.and_then(call_id_slot) else { return };
        let starts = turn.event == Some(E::ToolCallStart);
        let answers = turn.event == Some(E::ToolCallResult);
        self.any_started |= starts;
        let Some(id) = turn.facts.string(slot).filter(|id| !id.is_empty()) else {
            return self.without_id(turn.event, budget);
        };
        let key = keys.of(&*id);
        let name = turn.facts.string(if answers { TOOL_NAME } else { TOOL_CALL_NAME });
        let tool = name.map(|name| Tool::of(keys, &name));
        let Some(call) = self.all.get_mut(&key) else {
            let excused = partial || self.excused > 0;
            // Where results alone are sent, no call is ever started.
            let expected = !starts && (!answers || self.any_started);
            if !starts {
                self.excused = self.excused.saturating_sub(1);
            }
            if expected && !excused {
                let rule: RuleRef = match turn.event {
                    Some(E::ToolCallArgs) => &rules::TOOL_ARGS_WITHOUT_START,
                    Some(E::ToolCallEnd) => &rules::TOOL_END_WITHOUT_START,
                    _ => &rules::TOOL_RESULT_WITHOUT_CALL,
                };
                turn.fault(rule, Some(slot), format!("no tool call {} was started", show(&id)));
            }
            if budget.take(1, 0) {
                self.open += usize::from(starts);
                let call = Call {
                    begun: turn.opened(key),
                    tool,
                    args: None,
                    has_args: false,
                    ended: !starts,
                    answered: answers,
                    told: false,
                    suspect: !starts && (expected || excused),
                };
                self.all.insert(key, call);
            }
            return;
        };
        let was_open = call.is_open();
        call.take(tool, slot, budget, turn);
        if !call.is_open() {
            self.open -= usize::from(was_open);
            call.drop_args(budget);
        }
    }

    /// A start without an id excuses the next unknown one; an end or a result may be that
    /// of the oldest call that lacks it.
    fn without_id(&mut self, event: Option<EventType>, budget: &mut Budget) {
        let answers = event == Some(EventType::ToolCallResult);
        match event {
            Some(EventType::ToolCallStart) => self.excused = self.excused.saturating_add(1),
            Some(EventType::ToolCallEnd | EventType::ToolCallResult) if self.open > 0 => {
                let lacks = |call: &&mut Call| call.is_open() && (answers || !call.ended);
                let oldest = self.all.values_mut().filter(lacks).min_by_key(|call| call.begun.event);
                let Some(call) = oldest else { return };
                call.ended = true;
                if answers {
                    call.answered = true;
                    call.drop_args(budget);
                    self.open -= 1;
                }
            }
            _ => {}
        }
    }

    /// Reports that the answer of the run comes before that of a call.
    pub(super) fn before_text(&mut self, turn: &mut Turn<'_, '_, '_>) {
        if let Some(oldest) = self.oldest_open() {
            let related = oldest.related("the call was started here");
            let message = format!("{} no result yet", self.count_open());
            turn.fault_at(&rules::TEXT_END_BEFORE_TOOL_RESULT, None, message, Some(related));
            self.all.values_mut().filter(|call| call.is_open()).for_each(|call| call.told = true);
        }
    }

    /// Reports what is open when the run finishes.
    pub(super) fn at_end(&self, turn: &mut Turn<'_, '_, '_>) {
        if let Some(oldest) = self.oldest_open() {
            let related = oldest.related("the call was started here");
            turn.fault_at(&rules::TOOL_LEFT_OPEN, None, format!("{} no result", self.count_open()), Some(related));
        }
    }

    fn untold(&self) -> impl Iterator<Item = &Call> {
        // Most runs end with no call open.
        let some = self.open > 0;
        self.all.values().filter(move |call| some && call.is_open() && !call.told)
    }

    fn oldest_open(&self) -> Option<Opened> {
        if self.open == 0 {
            return None;
        }
        self.untold().map(|call| call.begun).min_by_key(|begun| begun.event)
    }

    fn count_open(&self) -> String {
        match self.untold().count() {
            1 => "a tool call has".into(),
            count => format!("{count} tool calls have"),
        }
    }

    /// Forgets the calls.
    pub(super) fn end(self, budget: &mut Budget) {
        let bytes = self.all.values().filter_map(|call| call.args.as_ref()).map(|args| args.len()).sum();
        budget.give_back(self.all.len(), bytes);
    }
}

impl Call {
    /// Takes in a later event of the call.
    fn take(&mut self, tool: Option<Tool>, slot: u8, budget: &mut Budget, turn: &mut Turn<'_, '_, '_>) {
        use EventType as E;
        if self.suspect {
            return;
        }
        let began = self.begun.related("the call was started here");
        match turn.event {
            Some(E::ToolCallStart) => {
                let message = "the id has been used in this run".into();
                turn.fault_at(&rules::TOOL_CALL_ID_REUSED, Some(slot), message, Some(began));
                self.suspect = true;
                return;
            }
            Some(E::ToolCallArgs) => {
                if std::mem::replace(&mut self.has_args, true) {
                    turn.fault(&rules::TOOL_ARGS_REPEATED, Some(slot), "the call has its arguments already".into());
                }
                self.drop_args(budget);
                let args = turn.facts.raw_if(ARGS).filter(|_| turn.facts.kind(ARGS) == FactKind::Object);
                self.args = args.filter(|args| !self.answered && budget.take(0, args.len())).map(Into::into);
            }
            Some(E::ToolCallEnd) => {
                if std::mem::replace(&mut self.ended, true) {
                    turn.fault(&rules::TOOL_END_WITHOUT_START, Some(slot), "the call has ended already".into());
                }
            }
            _ => {
                if std::mem::replace(&mut self.answered, true) {
                    turn.fault(&rules::TOOL_RESULT_REPEATED, Some(slot), "the call has its result already".into());
                    return;
                }
                if !self.ended {
                    turn.fault(&rules::TOOL_RESULT_BEFORE_END, Some(slot), "the call has not ended yet".into());
                }
                if self.differs(turn) {
                    let message = "the arguments are not those of TOOL_CALL_ARGS".into();
                    turn.fault(&rules::TOOL_ARGS_CHANGED, Some(TOOL_CALL_ARGS), message);
                }
            }
        }
        if self.tool.zip(tool).is_some_and(|(started, named)| !started.may_be(named)) {
            let slot = if turn.event == Some(E::ToolCallResult) { TOOL_NAME } else { TOOL_CALL_NAME };
            let message = "the call was started for another tool".into();
            turn.fault_at(&rules::TOOL_NAME_CHANGED, Some(slot), message, Some(began));
            // One fault, one finding: the name is not held against later events.
            self.tool = None;
        }
    }

    /// Whether a result repeats other arguments than were sent.
    fn differs(&self, turn: &Turn<'_, '_, '_>) -> bool {
        let given = turn.facts.raw_if(TOOL_CALL_ARGS).filter(|_| turn.facts.kind(TOOL_CALL_ARGS) == FactKind::Object);
        self.args
            .as_deref()
            .zip(given)
            .is_some_and(|(sent, given)| sent != given && Json::from_valid(sent) != Json::from_valid(given))
    }
}
