//! Answers, message lists, activities, state and encrypted values.

use std::collections::HashSet;
use std::hash::BuildHasherDefault;

use super::listed::listed;
use super::*;
use crate::check::history::KeyHasher;

impl AguiOrder {
    pub(super) fn result(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        let facts = arrival.facts;
        let message = self.hash(facts, MESSAGE_ID);
        if let Some(message) = message {
            let key = Self::record_key(Scope::Text as u8, message);
            self.owners.insert(key, self.tag(facts).unwrap_or(PARENT));
            if self.strict {
                self.claim_as(Message::Answer, message, MESSAGE_ID, !arrival.is_clean(), arrival);
            }
        }
        let of = self.of(Scope::Tool, TOOL_CALL_ID, facts);
        // It may be the answer of any call.
        self.blur.partial |= of.id.is_none();
        let Some(id) = of.id.as_ref().filter(|_| self.strict) else { return };
        let answered = self.calls.answer(id.key);
        self.blur.stray_answer |= !matches!(answered, Some(Answer::Open | Answer::Before));
        if self.scopes.is_suspect(id.key) {
            return;
        }
        let name = || show(&id.text);
        match answered {
            None if self.blur.partial => {}
            None if self.unnamed_calls > 0 => self.unnamed_calls -= 1,
            None => {
                let message = format!("no tool call {} was started in this run", name());
                arrival.fault(&rules::TOOL_RESULT_WITHOUT_CALL, Some(TOOL_CALL_ID), message);
            }
            Some(Answer::Given) => {
                let message = format!("tool call {} has a result already", name());
                arrival.fault(&rules::TOOL_RESULT_REPEATED, Some(TOOL_CALL_ID), message);
            }
            // An END may have come that could not be read.
            Some(_) if self.scopes.has_stray(&of) || self.scopes.may_be_closed(&of) => {}
            Some(_) if self.scopes.opened(&of).is_some() => {
                let message = format!("tool call {} has not ended yet", name());
                arrival.fault(&rules::TOOL_RESULT_BEFORE_END, Some(TOOL_CALL_ID), message);
            }
            Some(_) => {}
        }
    }

    /// Takes owners and calls from the text of a list of messages, which begins at byte `at` of
    /// the event and stands at `path`.
    pub(super) fn seed(
        &mut self,
        messages: &str,
        at: usize,
        path: &Path,
        authoritative: bool,
        arrival: &mut Arrival<'_, '_, '_>,
    ) {
        let mut ids = HashSet::<u64, BuildHasherDefault<KeyHasher>>::default();
        for (index, message) in listed(messages).enumerate() {
            let owner = message.owner.map_or(PARENT, |tag| self.scopes.key((1_u8, tag.wtf8())));
            // Clients strip the calls of other messages, and drop messages whose role they do not know.
            let has_calls = message.role.is_some_and(|role| &*role.lossy() == "assistant");
            for call in listed(message.calls) {
                let Some(call) = call.id.map(|id| self.scopes.key(id.wtf8())) else { continue };
                if has_calls {
                    self.record(Scope::Tool as u8, call, owner, authoritative);
                }
                // In a list of messages, so this run does not have to answer it.
                self.calls.add(call, Answer::Before);
            }
            let (Some(written), Some(role)) = (message.id, message.role) else { continue };
            let id = self.scopes.key(written.wtf8());
            if !ids.insert(id) && self.strict {
                let mut path = path.clone();
                path.push_index(index);
                let start = at + message.id_at;
                let span = start..start + written.raw.len() + 2;
                let message = "a message before it has the same id";
                arrival.fault_at(&rules::MESSAGE_ID_REPEATED, &path.join("id"), span, message);
            }
            let (kind, message_kind) = match &*role.lossy() {
                "assistant" => (Scope::Text as u8, Message::Assistant),
                "developer" | "system" | "user" => (Scope::Text as u8, Message::Other),
                "tool" => (Scope::Text as u8, Message::Answer),
                "activity" => (ACTIVITY, Message::Activity),
                "reasoning" => (Scope::Reasoning as u8, Message::Reasoning),
                _ => continue,
            };
            self.record(kind, id, owner, authoritative);
            self.messages.insert(id, message_kind);
            if message_kind == Message::Activity && self.strict && (authoritative || !self.patched.has_activity(id)) {
                self.patched.set_activity(id, message.content.filter(|_| arrival.is_clean()), false);
            }
        }
    }

    fn record(&mut self, kind: u8, id: u64, owner: u64, authoritative: bool) {
        let key = Self::record_key(kind, id);
        if authoritative || !self.owners.contains(key) {
            self.owners.insert(key, owner);
        }
    }

    pub(super) fn state_delta(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        if !arrival.is_clean() {
            self.patched.doubt();
            return;
        }
        match self.patched.patch_state(arrival.facts.raw_if(DELTA)) {
            Applied::Failed(operation) => {
                let message = format!("delta{operation} does not apply to the state");
                arrival.fault(&rules::STATE_DELTA_NOT_APPLICABLE, Some(DELTA), message);
            }
            Applied::NoBase => {
                let message = "neither STATE_SNAPSHOT nor input.state came before";
                arrival.fault(&rules::STATE_DELTA_WITHOUT_BASE, None, message);
            }
            Applied::Fits | Applied::Unknown => {}
        }
    }

    pub(super) fn activity_snapshot(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        let facts = arrival.facts;
        let Some(id) = self.hash(facts, MESSAGE_ID) else {
            self.unnamed_activities = self.unnamed_activities.saturating_add(1);
            self.patched.doubt_activities();
            return;
        };
        let keeps = facts.raw_if(REPLACE) == Some("false");
        if arrival.is_clean() {
            self.record(ACTIVITY, id, self.tag(facts).unwrap_or(PARENT), !keeps);
        }
        if self.strict {
            self.claim_as(Message::Activity, id, MESSAGE_ID, !arrival.is_clean(), arrival);
            let content = facts.raw_if(CONTENT).filter(|_| arrival.is_clean());
            self.patched.set_activity(id, content, keeps);
        }
    }

    pub(super) fn activity_delta(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        let facts = arrival.facts;
        let Some(id) = self.hash(facts, MESSAGE_ID) else {
            self.patched.doubt_activities();
            return;
        };
        if !arrival.is_clean() {
            self.patched.doubt_activity(id);
            return;
        }
        if self.scopes.is_suspect(id) {
            return;
        }
        if self.differs(ACTIVITY, id, self.tag(facts)) {
            let message = "another owner has set the activity";
            arrival.fault(&rules::OWNER_MISMATCH, Some(SUBAGENT_RUN_ID), message);
            self.scopes.suspect(id);
        } else if self.strict && self.messages.get(id) != Some(&Message::Activity) && !self.patched.has_activity(id) {
            // Reported once: after this the id counts as an activity. The delta may have been meant for another.
            self.patched.doubt_activities();
            self.messages.insert(id, Message::Activity);
            let is_excused = self.unnamed_activities > 0;
            self.unnamed_activities = self.unnamed_activities.saturating_sub(1);
            if !self.blur.partial && !is_excused {
                let name = facts.string(MESSAGE_ID).unwrap_or_default();
                let message = format!("no ACTIVITY_SNAPSHOT has set the activity {}", show(&name));
                arrival.fault(&rules::ACTIVITY_DELTA_WITHOUT_SNAPSHOT, Some(MESSAGE_ID), message);
            }
        } else if self.strict
            && let Applied::Failed(operation) = self.patched.patch_activity(id, facts.raw_if(PATCH))
        {
            let message = format!("patch{operation} does not apply to the activity");
            arrival.fault(&rules::STATE_DELTA_NOT_APPLICABLE, Some(PATCH), message);
        }
    }

    pub(super) fn encrypted_value(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        let facts = arrival.facts;
        let Some(id) = self.hash(facts, ENTITY_ID).filter(|id| !self.scopes.is_suspect(*id)) else { return };
        let owner = |kind: u8| self.owners.get(Self::record_key(kind, id)).copied();
        let owner = match facts.string(SUBTYPE).as_deref() {
            Some("tool-call") => owner(Scope::Tool as u8),
            _ => owner(Scope::Text as u8).or_else(|| owner(Scope::Reasoning as u8)),
        };
        match owner {
            None if self.blur.partial || self.blur.mixed => {}
            None if self.tags.insert(Self::record_key(ENTITY, id), ()).is_some() => {}
            None => {
                let name = facts.string(ENTITY_ID).unwrap_or_default();
                let message = format!("entityId {} names nothing seen in the run", show(&name));
                arrival.fault(&rules::ENCRYPTED_VALUE_UNKNOWN_ENTITY, Some(ENTITY_ID), message);
            }
            Some(owner) if self.tag(facts).is_some_and(|tag| tag != owner) => {
                let message = "another owner has opened the entity";
                arrival.fault(&rules::OWNER_MISMATCH, Some(SUBAGENT_RUN_ID), message);
                self.scopes.suspect(id);
            }
            _ => {}
        }
    }
}
