//! Tool calls: what the text of the message and the events say of them, joined.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use crate::safe::show;
use crate::ubik::events::{Event, ToolExecutionId, ToolUpdateData};
use crate::ubik::markup::{Body, Markup};

/// A tool call: its block in the text, and what the stream tells of its run.
///
/// Joined by the id of the block and the `tool_execution_id` of the events. Once the block
/// has a result, that stands for the run, and what events have told is left out.
///
/// Since 0.1.0. Source: tool streaming guide, "Dual-Stream Strategy".
#[derive(Clone)]
#[non_exhaustive]
pub struct ToolCard<'a> {
    /// The tool execution. Empty if its tag has none.
    pub id: ToolExecutionId,
    /// The tool, such as `web_search`.
    pub name: String,
    /// What it was called with, as far as it is in the text.
    pub input: Option<Body>,
    /// What came out of it; there once its end tag is in the text.
    pub result: Option<Body>,
    /// Whether the end tag of the call is in the text.
    pub is_ended: bool,
    /// What the tool has said it does, in the order of time.
    pub updates: Vec<&'a ToolUpdateData>,
    /// What it has put out, by output key; without a key under the empty one.
    pub outputs: BTreeMap<&'a str, String>,
}

impl ToolCard<'_> {
    fn new(id: &str, name: &str) -> Self {
        Self {
            id: id.into(),
            name: name.to_owned(),
            input: None,
            result: None,
            is_ended: false,
            updates: Vec::new(),
            outputs: BTreeMap::new(),
        }
    }

    /// Whether the call has neither a result nor an end in the text.
    pub const fn is_running(&self) -> bool {
        self.result.is_none() && !self.is_ended
    }
}

impl fmt::Debug for ToolCard<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolCard")
            .field("id", &show(self.id.as_str()))
            .field("name", &show(&self.name))
            .field("is_running", &self.is_running())
            .field("updates", &self.updates.len())
            .finish_non_exhaustive()
    }
}

/// The cards: first those of the text in its order, then those that only events name.
pub(super) fn cards<'a>(markup: &Markup, events: impl Iterator<Item = &'a Event>) -> Vec<ToolCard<'a>> {
    let mut cards: Vec<ToolCard<'a>> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for tool in markup.tools() {
        let card = card(&mut cards, &mut places, tool.id.as_str(), tool.name.as_str());
        card.input = tool.input().or(card.input.as_ref()).cloned();
        card.result = tool.result().filter(|body| body.close.is_some()).or(card.result.as_ref()).cloned();
        card.is_ended = tool.block.close.is_some();
    }
    for event in events {
        match event {
            Event::ToolUpdate(update) => {
                let card = card(&mut cards, &mut places, update.tool_execution_id.as_str(), &update.tool_name);
                if card.result.is_none() {
                    card.updates.push(&update.data);
                }
            }
            Event::ToolPartialUpdate(update) => {
                let card = card(&mut cards, &mut places, update.tool_execution_id.as_str(), &update.tool_name);
                if card.result.is_none() {
                    let key = update.data.output_key.as_deref().unwrap_or_default();
                    card.outputs.entry(key).or_default().push_str(&update.data.content);
                }
            }
            _ => {}
        }
    }
    cards
}

/// The card of an id, made if there is none. Calls without an id are not joined.
#[expect(clippy::indexing_slicing, reason = "a place is where a card was pushed, and none is taken out")]
fn card<'c, 'a>(
    cards: &'c mut Vec<ToolCard<'a>>,
    places: &mut HashMap<String, usize>,
    id: &str,
    name: &str,
) -> &'c mut ToolCard<'a> {
    let known = places.get(id).copied().filter(|_| !id.is_empty());
    let place = known.unwrap_or_else(|| {
        places.insert(id.to_owned(), cards.len());
        cards.push(ToolCard::new(id, name));
        cards.len() - 1
    });
    &mut cards[place]
}
