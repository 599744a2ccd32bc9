//! Messages of the user, and of the server in that place.

use std::collections::HashMap;

use super::history::{Said, Speaker};
use super::turn::Turn;
use crate::polling::budget::THING;
use crate::polling::events::{MessageId, UserMessage, Visibility};
use crate::wire::{Json, JsonObject};

/// The messages that came with an id, each with its place.
#[derive(Clone, Default)]
pub(super) struct Users(HashMap<MessageId, usize>);

impl Users {
    /// Takes a message that has come before, and says whether it has.
    pub(super) fn update(&self, message: &UserMessage, turn: &mut Turn<'_>) -> bool {
        let Some(&place) = message.message_id.as_ref().and_then(|id| self.0.get(id)) else { return false };
        let metadata = metadata(message, turn);
        let history = &mut turn.memory.history;
        // What it does not say stays as it was.
        if let Some(text) = text(message) {
            history.replace(place, &text);
        }
        history.replace_metadata(place, metadata);
        true
    }

    /// Takes a message that is new.
    pub(super) fn add(&mut self, message: &UserMessage, turn: &mut Turn<'_>) -> Said {
        let own = message.message_id.as_ref().filter(|id| !id.as_str().is_empty());
        let id = turn.claim(own.map(MessageId::as_str), "message").into();
        let is_hidden = message.visibility == Some(Visibility::Hidden);
        let speaker = if is_hidden { Speaker::Developer } else { Speaker::User };
        let said = Said { id, speaker, text: text(message).unwrap_or_default(), metadata: metadata(message, turn) };
        let place = turn.add(&said);
        if let Some(own) = own.filter(|own| turn.memory.room.take(THING + own.as_str().len())) {
            self.0.insert(own.clone(), place);
        }
        said
    }
}

fn metadata(message: &UserMessage, turn: &Turn<'_>) -> Option<JsonObject> {
    let consumed: &[&str] = if message.message.is_empty() { &["message", "content"] } else { &["message"] };
    turn.scope.metadata(message, consumed)
}

/// The text: that for the model where there is none for people.
fn text(message: &UserMessage) -> Option<String> {
    let own = Some(message.message.clone()).filter(|text| !text.is_empty());
    let content = || message.content.as_ref().and_then(Json::as_string).filter(|text| !text.is_empty());
    own.or_else(content)
}
