//! Texts that come in pieces: of the model, and what tools are given and put out.

use std::sync::LazyLock;

use super::events::class::EventClass;
use super::facts::*;
use crate::check::facts::Facts;
use crate::check::seams::{Does, TextRow};

type Row = TextRow<&'static str>;

const MESSAGE: u8 = 0;
const REASONING: u8 = 1;
const PLAN: u8 = 2;
const INPUT: u8 = 3;
const OUTPUT: u8 = 4;

/// What projections join pieces by.
const OF_MESSAGE: &[u8] = &[RUNTIME_ID, THREAD_ID, TURN_ID, TASK_ID, PAYLOAD_MESSAGE_ID];
const OF_TOOL: &[u8] = &[RUNTIME_ID, THREAD_ID, TURN_ID, TASK_ID, TOOL_CALL_ID, COMMAND_ID];

/// Where projections look for the text of an event, in this order.
const PIECE: Does = Does::Continue(&[PAYLOAD_TEXT, PAYLOAD_DELTA, PAYLOAD_MESSAGE, PAYLOAD_CONTENT, DETAIL]);

static ROWS: [Row; 10] = [
    Row::new(&["model.delta", "text.delta", "message.delta"], MESSAGE, OF_MESSAGE, PIECE),
    Row::new(&["model.completed", "model.failed", "text.final"], MESSAGE, OF_MESSAGE, Does::End),
    Row::new(&["reasoning.delta", "thinking.delta"], REASONING, OF_MESSAGE, PIECE),
    Row::new(&["reasoning.completed", "reasoning.summary", "reasoning.final"], REASONING, OF_MESSAGE, Does::End),
    Row::new(&["plan.delta"], PLAN, OF_MESSAGE, PIECE),
    Row::new(&["plan.final"], PLAN, OF_MESSAGE, Does::End),
    Row::new(&["tool.args.delta", "tool.input.delta"], INPUT, OF_TOOL, PIECE),
    Row::new(&["tool.args"], INPUT, OF_TOOL, Does::End),
    Row::new(&["tool.output.delta", "command.output"], OUTPUT, OF_TOOL, PIECE),
    Row::new(&["tool.result", "tool.failed", "command.exited"], OUTPUT, OF_TOOL, Does::End),
];

/// The row of an event, which is looked up if its class is known.
pub(super) fn row_of(facts: &Facts<'_>, class: &str) -> Option<&'static Row> {
    static BY_CLASS: LazyLock<Vec<Option<&'static Row>>> =
        LazyLock::new(|| EventClass::KNOWN.iter().map(|class| find(class)).collect());
    facts.known(EVENT_CLASS).and_then(|known| BY_CLASS.get(known)).copied().unwrap_or_else(|| find(class))
}

fn find(class: &str) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.events.contains(&class))
}
