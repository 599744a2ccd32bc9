//! Answers, message lists, activities and encrypted values.

use super::*;

impl Order {
    pub(super) fn result(
        &mut self,
        message: Option<u64>,
        call: Option<u64>,
        tag: Option<u64>,
        turn: &mut Turn<'_, '_, '_>,
    ) {
        if let Some(message) = message {
            let key = Self::scoped(Scope::Text as u8, message, 0);
            self.owners.insert(key, tag.unwrap_or(PARENT));
            if self.strict {
                self.claim(message, MESSAGE_ID, Message::Other, turn.broken, turn);
            }
        }
        let Some(call) = call.filter(|_| self.strict) else { return };
        let was_known = self.calls.answer(call);
        if self.is_suspect(call) {
            return;
        }
        if !was_known {
            turn.fault(&rules::TOOL_RESULT_WITHOUT_CALL, Some(TOOL_CALL_ID), "no call of this id was started".into());
        } else if self.open.contains(Self::scoped(Scope::Tool as u8, call, 0)) {
            turn.fault(&rules::TOOL_RESULT_BEFORE_END, Some(TOOL_CALL_ID), "the call has not ended yet".into());
        }
    }

    /// Takes owners and calls from a list of messages.
    pub(super) fn seed(&mut self, messages: Option<&str>, authoritative: bool) {
        let Some(Ok(messages)) = messages.map(|raw| Node::parse(raw, self.limits.depth)) else { return };
        for message in messages.elements() {
            let text = |name: &str| message.get(name).and_then(Node::as_str);
            let (Some(id), Some(role)) = (text("id"), text("role")) else { continue };
            let id = self.key(&id);
            let owner = text("subagentRunId").map_or(PARENT, |tag| self.keys.of((1_u8, tag)));
            let (kind, message_kind) = match &*role {
                "assistant" => (Scope::Text as u8, Message::Assistant),
                "developer" | "system" | "user" | "tool" => (Scope::Text as u8, Message::Other),
                "activity" => (ACTIVITY, Message::Activity),
                "reasoning" => (Scope::Reasoning as u8, Message::Reasoning),
                _ => continue,
            };
            self.record(kind, id, owner, authoritative);
            self.messages.insert(id, message_kind);
            for call in message.get("toolCalls").map(Node::elements).unwrap_or_default() {
                let Some(call_id) = call.get("id").and_then(Node::as_str) else { continue };
                let call_id = self.key(&call_id);
                self.record(Scope::Tool as u8, call_id, owner, authoritative);
                // Known, and nothing that this run has to answer.
                self.calls.add(call_id, true);
            }
        }
    }

    pub(super) fn record(&mut self, kind: u8, id: u64, owner: u64, authoritative: bool) {
        let key = Self::scoped(kind, id, 0);
        if authoritative || !self.owners.contains(key) {
            self.owners.insert(key, owner);
        }
    }

    pub(super) fn activity_snapshot(&mut self, id: Option<u64>, tag: Option<u64>, turn: &mut Turn<'_, '_, '_>) {
        let Some(id) = id else { return };
        let facts = turn.facts;
        let keeps = facts.raw_if(REPLACE) == Some("false");
        self.record(ACTIVITY, id, tag.unwrap_or(PARENT), !keeps);
        if self.strict {
            self.claim(id, MESSAGE_ID, Message::Activity, turn.broken, turn);
            if !turn.broken {
                self.texts.set_activity(id, facts.raw_if(CONTENT), keeps);
            }
        }
    }

    pub(super) fn activity_delta(&mut self, id: Option<u64>, tag: Option<u64>, turn: &mut Turn<'_, '_, '_>) {
        let Some(id) = id.filter(|id| !turn.broken && !self.is_suspect(*id)) else { return };
        if self.differs(ACTIVITY, id, tag) {
            turn.fault(&rules::OWNER_MISMATCH, Some(SUBAGENT_RUN_ID), "another owner has set the activity".into());
            self.suspect(Some(id));
        } else if self.strict && self.messages.get(id) != Some(&Message::Activity) {
            let message = "no ACTIVITY_SNAPSHOT has set this activity".to_owned();
            turn.fault(&rules::ACTIVITY_DELTA_WITHOUT_SNAPSHOT, Some(MESSAGE_ID), message);
            self.suspect(Some(id));
        } else if self.strict && self.texts.patch_activity(id, turn.facts.raw_if(PATCH)) == Some(false) {
            turn.fault(
                &rules::STATE_DELTA_NOT_APPLICABLE,
                Some(PATCH),
                "the patch does not apply to the activity".into(),
            );
        }
    }

    pub(super) fn encrypted_value(&mut self, tag: Option<u64>, turn: &mut Turn<'_, '_, '_>) {
        let facts = turn.facts;
        let Some(id) = facts.string(ENTITY_ID).map(|id| self.key(&id)).filter(|id| !self.is_suspect(*id)) else {
            return;
        };
        let owner = |kind: u8| self.owners.get(Self::scoped(kind, id, 0)).copied();
        let owner = match facts.string(SUBTYPE).as_deref() {
            Some("tool-call") => owner(Scope::Tool as u8),
            _ => owner(Scope::Text as u8).or_else(|| owner(Scope::Reasoning as u8)),
        };
        match owner {
            None => turn.fault(
                &rules::ENCRYPTED_VALUE_UNKNOWN_ENTITY,
                Some(ENTITY_ID),
                "entityId names nothing seen in the run".into(),
            ),
            Some(owner) if tag.is_some_and(|tag| tag != owner) => {
                turn.fault(&rules::OWNER_MISMATCH, Some(SUBAGENT_RUN_ID), "another owner has opened the entity".into());
            }
            _ => {}
        }
    }
}
