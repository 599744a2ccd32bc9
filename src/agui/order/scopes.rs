//! Messages, calls and spans: opened, continued, closed.

use super::*;

impl Order {
    pub(super) fn suspect(&mut self, id: Option<u64>) {
        if let Some(id) = id {
            self.suspects.insert(id, ());
        }
    }

    /// Opens a message, call or span.
    pub(super) fn start(
        &mut self,
        scope: Scope,
        slot: u8,
        id: Option<u64>,
        tag: Option<u64>,
        turn: &mut Turn<'_, '_, '_>,
    ) {
        let Some(id) = id else {
            self.excused[scope as usize] += 1;
            return;
        };
        let key = Self::scoped(scope as u8, id, 0);
        let owner_key = Self::scoped(scope.owned_as(), id, 0);
        let recorded = self.owners.get(owner_key).copied();
        let mut owner = recorded.or(tag).unwrap_or(PARENT);
        let name = turn.facts.string(slot).unwrap_or(Cow::Borrowed(""));
        let mut faulty = turn.broken || self.is_suspect(id);
        if !faulty && let Some(opened) = self.open.get(key) {
            let related =
                Related { message: "opened here".into(), event: Some(opened.event), location: opened.location };
            turn.fault_at(
                rules_of(scope).0,
                slot,
                format!("{} {} is open already", scope.noun(), show(&name)),
                Some(related),
            );
            faulty = true;
        }
        if !faulty && recorded.is_some() && tag.is_some() && tag != recorded {
            turn.fault(&rules::OWNER_MISMATCH, Some(SUBAGENT_RUN_ID), owner_message(scope));
            faulty = true;
        }
        if scope == Scope::Tool {
            let parent = turn.facts.string(PARENT_MESSAGE_ID).map(|parent| self.key(&parent));
            let parent_owner =
                parent.and_then(|parent| self.owners.get(Self::scoped(Scope::Text as u8, parent, 0)).copied());
            if let Some(parent_owner) = parent_owner {
                let claimed = tag.or(recorded);
                if !faulty && claimed.is_some_and(|claimed| claimed != parent_owner) {
                    let message = "the call and its parent message have different owners".to_owned();
                    turn.fault(&rules::TOOL_PARENT_OWNER_MISMATCH, Some(PARENT_MESSAGE_ID), message);
                    faulty = true;
                }
                owner = recorded.or(tag).unwrap_or(parent_owner);
            }
            if self.strict && !faulty {
                let role = parent.and_then(|parent| self.messages.get(parent)).copied();
                if role.is_some_and(|role| role != Message::Assistant) {
                    let message = "parentMessageId names a message that is not the assistant's".to_owned();
                    turn.fault(&rules::PARENT_MESSAGE_NOT_ASSISTANT, Some(PARENT_MESSAGE_ID), message);
                }
            }
            self.calls.add(id, false);
        }
        if self.strict {
            self.reopening(scope, slot, id, faulty, turn);
        }
        if faulty {
            self.suspect(Some(id));
        }
        if recorded.is_none() {
            self.owners.insert(owner_key, owner);
        }
        self.open.insert(key, Opened { scope, id, event: turn.index(), location: turn.report.start() });
        if scope == Scope::Tool && self.strict {
            self.texts.begin(id);
        }
    }

    /// Whether an opener names something that was there before, and how it was then.
    pub(super) fn reopening(&mut self, scope: Scope, slot: u8, id: u64, faulty: bool, turn: &mut Turn<'_, '_, '_>) {
        let facts = turn.facts;
        let hash = |slot| facts.string(slot).map_or(0, |text| self.key(&text));
        let opening = match scope {
            Scope::Text => {
                let role = facts.string(ROLE).unwrap_or(Cow::Borrowed("assistant"));
                Opening { first: self.key(&role), second: hash(NAME) }
            }
            Scope::Tool => Opening { first: hash(TOOL_CALL_NAME), second: 0 },
            _ => Opening { first: 0, second: 0 },
        };
        let key = Self::scoped(scope as u8, id, 0);
        match self.openings.get(key).copied() {
            Some(before) if before != opening && !faulty => {
                let what = if scope == Scope::Tool { "another toolCallName" } else { "another role or name" };
                turn.fault(
                    &rules::REOPEN_CHANGES_OPENER,
                    Some(slot),
                    format!("{} is opened again with {what}", scope.noun()),
                );
            }
            Some(_) if !faulty => {
                turn.fault(
                    &rules::REOPENED_ID,
                    Some(slot),
                    format!("{} was closed before and is opened again", scope.noun()),
                );
            }
            Some(_) => {}
            None => {
                self.openings.insert(key, opening);
            }
        }
        let message = match scope {
            Scope::Text if opening.first == self.key("assistant") => Message::Assistant,
            Scope::Text => Message::Other,
            Scope::Reasoning => Message::Reasoning,
            _ => return,
        };
        self.claim(id, slot, message, faulty, turn);
    }

    /// Notes what kind of message an id names; one id names one kind.
    pub(super) fn claim(&mut self, id: u64, slot: u8, message: Message, faulty: bool, turn: &mut Turn<'_, '_, '_>) {
        let plain = |message| matches!(message, Message::Assistant | Message::Other);
        match self.messages.get(id).copied() {
            Some(before) if before != message && !(plain(before) && plain(message)) => {
                if !faulty {
                    let text = "the id names a message of another kind already".to_owned();
                    turn.fault(&rules::MESSAGE_ID_COLLISION, Some(slot), text);
                }
            }
            _ => {
                self.messages.insert(id, message);
            }
        }
    }

    /// Appends to an open message or call.
    pub(super) fn content(
        &mut self,
        scope: Scope,
        slot: u8,
        id: Option<u64>,
        tag: Option<u64>,
        turn: &mut Turn<'_, '_, '_>,
    ) {
        let Some(id) = id else { return };
        self.use_open(scope, slot, id, tag, rules_of(scope).1, turn);
        self.collect(scope, id, turn);
    }

    pub(super) fn collect(&mut self, scope: Scope, id: u64, turn: &Turn<'_, '_, '_>) {
        if scope == Scope::Tool
            && self.strict
            && let Some(delta) = turn.facts.string(DELTA)
        {
            self.texts.append(id, &delta);
        }
    }

    /// Closes a message, call or span.
    pub(super) fn end(
        &mut self,
        scope: Scope,
        slot: u8,
        id: Option<u64>,
        tag: Option<u64>,
        turn: &mut Turn<'_, '_, '_>,
    ) {
        let Some(id) = id else { return };
        self.use_open(scope, slot, id, tag, rules_of(scope).2, turn);
        self.close(scope, id, turn);
    }

    pub(super) fn close(&mut self, scope: Scope, id: u64, turn: &mut Turn<'_, '_, '_>) {
        self.open.remove(Self::scoped(scope as u8, id, 0));
        if scope == Scope::Tool && self.strict {
            let quiet = turn.broken || self.is_suspect(id);
            self.texts.finish(id, quiet, turn.report);
        }
    }

    /// What continues or ends something: it has to be open, and of the same owner.
    pub(super) fn use_open(
        &mut self,
        scope: Scope,
        slot: u8,
        id: u64,
        tag: Option<u64>,
        rule: RuleRef,
        turn: &mut Turn<'_, '_, '_>,
    ) {
        if turn.broken {
            self.suspect(Some(id));
            return;
        }
        if self.is_suspect(id) {
            return;
        }
        if !self.open.contains(Self::scoped(scope as u8, id, 0)) {
            let excused = &mut self.excused[scope as usize];
            if *excused > 0 {
                *excused -= 1;
            } else {
                let name = turn.facts.string(slot).unwrap_or(Cow::Borrowed(""));
                turn.fault(rule, Some(slot), format!("no {} {} is open", scope.noun(), show(&name)));
            }
            self.suspect(Some(id));
            return;
        }
        if self.differs(scope.owned_as(), id, tag) {
            turn.fault(&rules::OWNER_MISMATCH, Some(SUBAGENT_RUN_ID), owner_message(scope));
            self.suspect(Some(id));
        }
    }

    /// Whether a tag differs from the owner on record.
    pub(super) fn differs(&self, kind: u8, id: u64, tag: Option<u64>) -> bool {
        tag.is_some_and(|tag| self.owners.get(Self::scoped(kind, id, 0)).is_some_and(|owner| *owner != tag))
    }

    pub(super) fn thinking(&mut self, event: EventType, tag: Option<u64>, turn: &mut Turn<'_, '_, '_>) {
        use EventType as E;
        let fresh = matches!(event, E::ReasoningStart | E::ReasoningMessageStart);
        let span = matches!(event, E::ReasoningStart | E::ReasoningEnd);
        let stored = if span { self.thinking.0 } else { self.thinking.1 };
        let id = if fresh || stored == 0 {
            self.minted += 1;
            self.keys.of((7_u8, self.minted))
        } else {
            stored
        };
        if span {
            self.thinking.0 = id;
        } else {
            self.thinking.1 = id;
        }
        let scope = if span { Scope::Span } else { Scope::Reasoning };
        match event {
            E::ReasoningStart | E::ReasoningMessageStart => self.start(scope, MESSAGE_ID, Some(id), tag, turn),
            E::ReasoningMessageContent => self.content(scope, MESSAGE_ID, Some(id), tag, turn),
            _ => self.end(scope, MESSAGE_ID, Some(id), tag, turn),
        }
    }
}

/// The rules that an opener, a content and an end of the scope can break.
fn rules_of(scope: Scope) -> (RuleRef, RuleRef, RuleRef) {
    match scope {
        Scope::Text => {
            (&rules::TEXT_START_ALREADY_OPEN, &rules::TEXT_CONTENT_WITHOUT_START, &rules::TEXT_END_WITHOUT_START)
        }
        Scope::Tool => {
            (&rules::TOOL_START_ALREADY_OPEN, &rules::TOOL_ARGS_WITHOUT_START, &rules::TOOL_END_WITHOUT_START)
        }
        Scope::Span => (
            &rules::REASONING_START_ALREADY_OPEN,
            &rules::REASONING_END_WITHOUT_START,
            &rules::REASONING_END_WITHOUT_START,
        ),
        _ => (
            &rules::REASONING_MESSAGE_ALREADY_OPEN,
            &rules::REASONING_MESSAGE_WITHOUT_START,
            &rules::REASONING_MESSAGE_WITHOUT_START,
        ),
    }
}

fn owner_message(scope: Scope) -> String {
    format!("the {} belongs to another owner", scope.noun())
}
