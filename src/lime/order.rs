//! The order of events: pairing inside a turn, turn ends, repeated ids, gaps.

use super::class::is_turn_terminal;
use super::facts::*;
use super::rules;
use crate::check::facts::{FactKind, Facts};
use crate::check::history::{Bounded, Keys, Open};
use crate::check::rule::RuleRef;
use crate::check::{Limits, Related};
use crate::safe::show;
use crate::wire::number::to_f64;
use crate::wire::span::Location;

/// A rule that an event breaks by its place in the stream.
#[derive(Debug)]
pub(crate) struct Violation {
    pub(crate) rule: RuleRef,
    /// The member that shows it.
    pub(crate) slot: u8,
    pub(crate) message: String,
    pub(crate) related: Option<Related>,
}

/// Things that are opened and closed inside a turn, in the order in which the
/// reference looks for open ones at the turn's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    Tool,
    Patch,
    Command,
    Test,
    Action,
}

/// What a class does to its scope.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// Opens; the rule is broken if it is open.
    Open(RuleRef),
    /// Needs it open.
    Use(RuleRef),
    /// Closes; the rule is broken if it is not open.
    Close(RuleRef),
}

fn step(class: &str) -> Option<(Scope, Step)> {
    use Scope::{Action, Command, Patch, Test, Tool};
    Some(match class {
        "tool.started" => (Tool, Step::Open(&rules::TOOL_STARTED_ALREADY_ACTIVE)),
        "tool.result" => (Tool, Step::Close(&rules::TOOL_RESULT_WITHOUT_START)),
        "tool.failed" => (Tool, Step::Close(&rules::TOOL_FAILED_WITHOUT_START)),
        "patch.started" => (Patch, Step::Open(&rules::PATCH_STARTED_ALREADY_ACTIVE)),
        "patch.applied" | "patch.failed" => (Patch, Step::Close(&rules::PATCH_TERMINAL_WITHOUT_START)),
        "command.started" => (Command, Step::Open(&rules::COMMAND_STARTED_ALREADY_ACTIVE)),
        "command.output" => (Command, Step::Use(&rules::COMMAND_OUTPUT_WITHOUT_START)),
        "command.exited" => (Command, Step::Close(&rules::COMMAND_EXITED_WITHOUT_START)),
        "test.started" => (Test, Step::Open(&rules::TEST_STARTED_ALREADY_ACTIVE)),
        "test.completed" => (Test, Step::Close(&rules::TEST_COMPLETED_WITHOUT_START)),
        "action.required" => (Action, Step::Open(&rules::ACTION_REQUIRED_ALREADY_ACTIVE)),
        "action.resolved" | "action.cancelled" | "action.canceled" | "action.expired" => {
            (Action, Step::Close(&rules::ACTION_RESOLVED_WITHOUT_REQUEST))
        }
        _ => return None,
    })
}

const SCOPES: [(Scope, &str, &str); 5] = [
    (Scope::Tool, "tool call", "tool.started"),
    (Scope::Patch, "patch", "patch.started"),
    (Scope::Command, "command", "command.started"),
    (Scope::Test, "test run", "test.started"),
    (Scope::Action, "action", "action.required"),
];

static UNCLOSED: [RuleRef; 5] = [
    &rules::TOOL_UNCLOSED_AT_TURN_END,
    &rules::PATCH_UNCLOSED_AT_TURN_END,
    &rules::COMMAND_UNCLOSED_AT_TURN_END,
    &rules::TEST_UNCLOSED_AT_TURN_END,
    &rules::ACTION_UNRESOLVED_AT_TURN_END,
];

/// What may not come after the end of its turn.
fn is_execution(class: &str) -> bool {
    const PREFIXES: [&str; 10] =
        ["tool.", "file.", "patch.", "command.", "test.", "action.", "model.", "reasoning.", "permission.", "sandbox."];
    class == "context.resolved" || PREFIXES.iter().any(|prefix| class.starts_with(prefix))
}

/// What a turn has seen.
#[derive(Clone, Debug, Default)]
struct Turn {
    begun: Option<(u64, Location)>,
    ended: Option<(u64, Location)>,
    /// After the end something went on: said once, then silent.
    overrun: bool,
    /// Open scopes by kind.
    open: [u32; 5],
    /// Openers without a readable id: each excuses one unknown id of its kind.
    excused: [u32; 5],
}

#[derive(Clone, Debug)]
struct Opened {
    turn: u64,
    scope: Scope,
    event: u64,
    location: Location,
}

/// The state of one stream.
#[derive(Debug)]
pub(crate) struct Order {
    /// Keep the reference's own transitions, cascades included.
    reference: bool,
    keys: Keys,
    ids: Bounded<(u64, Location)>,
    turns: Bounded<Turn>,
    open: Open<Opened>,
    /// The last sequence of each runtime and thread.
    sequences: Bounded<f64>,
    /// The turn of the last event as it was written, and its key.
    last_turn: (String, u64),
    /// What was said to be forgotten.
    told: u8,
    /// The same for runtime and thread.
    last_thread: (String, String, u64),
}

/// The event that is being taken in.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub(crate) event: u64,
    pub(crate) location: Location,
}

impl Order {
    pub(crate) fn new(reference: bool, limits: Limits) -> Self {
        let keys = Keys::default();
        Self {
            reference,
            told: 0,
            last_turn: (String::new(), keys.of((2_u8, ""))),
            last_thread: (String::new(), String::new(), keys.of(("", ""))),
            keys,
            ids: Bounded::new(limits.history),
            turns: Bounded::new(limits.history),
            open: Open::new(limits.history),
            sequences: Bounded::new(limits.history),
        }
    }

    /// Takes in the next event and says what it breaks.
    pub(crate) fn push(&mut self, facts: &Facts<'_>, here: Place, report: &mut dyn FnMut(Violation)) {
        if let Some(id) = facts.string(ID).filter(|id| !id.is_empty()) {
            let key = self.keys.of(&*id);
            match self.ids.get(key) {
                Some(&(event, location)) => report(Violation {
                    rule: &rules::DUPLICATE_EVENT_ID,
                    slot: ID,
                    message: format!("the event id {} was used before", show(&id)),
                    related: Some(Related { message: "first used here".into(), event: Some(event), location }),
                }),
                None => {
                    self.ids.insert(key, (here.event, here.location));
                }
            }
        }
        let Some(class) = facts.string(EVENT_CLASS) else { return };
        let turn_key = self.turn_key(facts);
        let terminal = is_turn_terminal(&class);
        let ended = self.turns.get(turn_key).and_then(|turn| turn.ended);
        if let Some((event, location)) = ended
            && !terminal
            && is_execution(&class)
        {
            let silent = self.turns.get(turn_key).is_some_and(|turn| turn.overrun) && !self.reference;
            if !silent {
                report(Violation {
                    rule: &rules::EXECUTION_AFTER_TURN_TERMINAL,
                    slot: EVENT_CLASS,
                    message: format!("{} comes after the end of its turn", show(&class)),
                    related: Some(Related { message: "the turn ended here".into(), event: Some(event), location }),
                });
            }
            if let Some(turn) = self.turns.get_mut(turn_key) {
                turn.overrun = true;
            }
            return;
        }
        if terminal {
            self.end_turn(turn_key, &class, here, report);
        } else if let Some((scope, step)) = step(&class) {
            self.step(turn_key, scope, step, &class, facts, here, report);
        } else if matches!(&*class, "turn.submitted" | "turn.started") {
            let turn = self.turn(turn_key);
            turn.begun.get_or_insert((here.event, here.location));
        }
    }

    /// The key of the event's turn. Events of one turn come in a row, so the last key is kept.
    fn turn_key(&mut self, facts: &Facts<'_>) -> u64 {
        let raw = match facts.kind(TURN_ID) {
            FactKind::Absent | FactKind::Null => "",
            _ => facts.raw(TURN_ID),
        };
        if raw != self.last_turn.0 {
            raw.clone_into(&mut self.last_turn.0);
            self.last_turn.1 = match facts.string(TURN_ID) {
                Some(id) => self.keys.of((1_u8, id)),
                None => self.keys.of((2_u8, raw)),
            };
        }
        self.last_turn.1
    }

    fn turn(&mut self, key: u64) -> &mut Turn {
        if !self.turns.contains(key) {
            self.turns.insert(key, Turn::default());
        }
        self.turns.get_mut(key).expect("it was just put there")
    }

    fn end_turn(&mut self, key: u64, class: &str, here: Place, report: &mut dyn FnMut(Violation)) {
        let turn = self.turn(key);
        if let Some((event, location)) = turn.ended {
            report(Violation {
                rule: &rules::TURN_TERMINAL_REPEATED,
                slot: EVENT_CLASS,
                message: format!("{} ends a turn that has ended", show(class)),
                related: Some(Related { message: "the turn ended here".into(), event: Some(event), location }),
            });
        }
        turn.ended.get_or_insert((here.event, here.location));
        turn.excused = [0; 5];
        let open = std::mem::take(&mut turn.open);
        if open == [0; 5] {
            return;
        }
        for (scope, name, opener) in SCOPES {
            if open[scope as usize] == 0 {
                continue;
            }
            let first = self
                .open
                .values()
                .filter(|opened| opened.turn == key && opened.scope == scope)
                .min_by_key(|opened| opened.event);
            report(Violation {
                rule: UNCLOSED[scope as usize],
                slot: EVENT_CLASS,
                message: match open[scope as usize] {
                    1 => format!("the turn ends while a {name} is open"),
                    count => format!("the turn ends while {count} {name}s are open"),
                },
                related: first.map(|opened| Related {
                    message: format!("opened by {opener} here"),
                    event: Some(opened.event),
                    location: opened.location,
                }),
            });
        }
        self.open.retain(|opened| opened.turn != key);
    }

    #[allow(clippy::too_many_arguments, reason = "the event, its turn and where to report")]
    fn step(
        &mut self,
        turn_key: u64,
        scope: Scope,
        step: Step,
        class: &str,
        facts: &Facts<'_>,
        here: Place,
        report: &mut dyn FnMut(Violation),
    ) {
        let Some((slot, id)) = scope_id(scope, facts) else {
            if let Step::Open(_) = step {
                self.turn(turn_key).excused[scope as usize] += 1;
            }
            return;
        };
        let key = self.keys.of((turn_key, scope as u8, &*id));
        let opened = self.open.get(key);
        match (step, opened) {
            (Step::Open(rule), Some(opened)) => {
                let related =
                    Related { message: "opened here".into(), event: Some(opened.event), location: opened.location };
                report(Violation {
                    rule,
                    slot,
                    message: format!("{} for {}, which is open already", show(class), show(&id)),
                    related: Some(related),
                });
            }
            (Step::Open(_), None) => {
                self.open.insert(key, Opened { turn: turn_key, scope, event: here.event, location: here.location });
                self.turn(turn_key).open[scope as usize] += 1;
            }
            (Step::Close(_), Some(_)) => {
                self.open.remove(key);
                let open = &mut self.turn(turn_key).open[scope as usize];
                *open = open.saturating_sub(1);
            }
            (Step::Use(_), Some(_)) => {}
            (Step::Use(rule) | Step::Close(rule), None) => {
                let reference = self.reference;
                let excused = &mut self.turn(turn_key).excused[scope as usize];
                if *excused > 0 && !reference {
                    if matches!(step, Step::Close(_)) {
                        *excused -= 1;
                    }
                    return;
                }
                report(Violation {
                    rule,
                    slot,
                    message: format!("{} for {}, which is not open in its turn", show(class), show(&id)),
                    related: None,
                });
            }
        }
    }

    /// Holds the sequence of an event of a plain stream against the one before.
    pub(crate) fn gap(&mut self, facts: &Facts<'_>, report: &mut dyn FnMut(Violation)) {
        if facts.kind(SEQUENCE) != FactKind::Integer {
            return;
        }
        let raw = |slot| if facts.kind(slot) == FactKind::Absent { "" } else { facts.raw(slot) };
        let (runtime, thread) = (raw(RUNTIME_ID), raw(THREAD_ID));
        if (runtime, thread) != (self.last_thread.0.as_str(), self.last_thread.1.as_str()) {
            runtime.clone_into(&mut self.last_thread.0);
            thread.clone_into(&mut self.last_thread.1);
            self.last_thread.2 = self.keys.of((runtime, thread));
        }
        let key = self.last_thread.2;
        let sequence = to_f64(facts.raw(SEQUENCE));
        let Some(before) = self.sequences.insert(key, sequence) else { return };
        #[allow(clippy::float_cmp, reason = "gaps are compared as doubles, as the reference does")]
        let contiguous = sequence == before + 1.0;
        if contiguous {
            return;
        }
        let repaired = facts.string(EVENT_CLASS).as_deref() == Some("snapshot.updated");
        report(Violation {
            rule: if repaired { &rules::STREAM_GAP_REPAIRED } else { &rules::STREAM_SEQUENCE_GAP },
            slot: SEQUENCE,
            message: gap_message(before, sequence),
            related: None,
        });
    }

    /// The turns that began and have no terminal event, oldest first.
    pub(crate) fn unfinished(&self) -> Vec<(u64, Location)> {
        let mut turns: Vec<_> =
            self.turns.values().filter(|turn| turn.ended.is_none()).filter_map(|turn| turn.begun).collect();
        turns.sort_by_key(|(event, _)| *event);
        turns
    }

    /// The rules that can no longer be relied on, each said once.
    pub(crate) fn forgotten(&mut self) -> Option<&'static str> {
        let ids = self.ids.take_overflow();
        let turns = self.turns.take_overflow();
        let open = self.open.take_overflow();
        let sequences = self.sequences.take_overflow();
        let mut once = |bit: u8, rules| {
            let new = self.told & bit == 0;
            self.told |= bit;
            new.then_some(rules)
        };
        if turns || open {
            once(1, "the rules about open scopes and ended turns")
        } else if ids {
            once(2, "lime/duplicate-event-id")
        } else if sequences {
            once(4, "lime/stream-sequence-gap")
        } else {
            None
        }
    }
}

/// How a gap reads.
pub(crate) fn gap_message(before: f64, sequence: f64) -> String {
    format!("sequence {sequence} follows {before}; {} was expected", before + 1.0)
}

/// The id that pairs the event, and the member it was found in.
fn scope_id<'a>(scope: Scope, facts: &Facts<'a>) -> Option<(u8, std::borrow::Cow<'a, str>)> {
    let in_payload = match scope {
        Scope::Tool => return facts.string(TOOL_CALL_ID).map(|id| (TOOL_CALL_ID, id)),
        Scope::Action => return facts.string(ACTION_ID).map(|id| (ACTION_ID, id)),
        Scope::Patch => PATCH_ID,
        Scope::Command => COMMAND_ID,
        Scope::Test => TEST_RUN_ID,
    };
    if let Some(id) = facts.string(in_payload).filter(|id| !id.is_empty()) {
        return Some((in_payload, id));
    }
    // Any truthy value of another type counts as it is written.
    let truthy = match facts.kind(TOOL_CALL_ID) {
        FactKind::Absent | FactKind::Null => false,
        FactKind::String => facts.string(TOOL_CALL_ID).is_some_and(|id| !id.is_empty()),
        FactKind::Bool => facts.raw(TOOL_CALL_ID) == "true",
        FactKind::Integer | FactKind::Number => to_f64(facts.raw(TOOL_CALL_ID)) != 0.0,
        FactKind::List | FactKind::Array | FactKind::Object => true,
    };
    truthy.then(|| (TOOL_CALL_ID, facts.string(TOOL_CALL_ID).unwrap_or(facts.raw(TOOL_CALL_ID).into())))
}
