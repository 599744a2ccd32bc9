//! Messages, calls and spans: opened, continued, closed, also by chunks.

use super::*;
use crate::agui::retired;
use crate::check::scopes::{Opening, Using};

impl AguiOrder {
    /// Opens a message, call or span.
    pub(super) fn start(&mut self, scope: Scope, slot: u8, arrival: &mut Arrival<'_, '_, '_>) {
        let of = self.of(scope, slot, arrival.facts);
        self.open(scope, &of, self.tag(arrival.facts), arrival);
    }

    fn open(&mut self, scope: Scope, of: &Of<'_>, tag: Option<u64>, arrival: &mut Arrival<'_, '_, '_>) {
        let facts = arrival.facts;
        let name = if scope == Scope::Tool { facts.string(TOOL_CALL_NAME) } else { None };
        let mark = self.mark(scope, facts);
        let opening = self.scopes.open(of, scope.row().start, mark, name.as_deref(), arrival);
        let Some(id) = &of.id else {
            self.unnamed_calls = self.unnamed_calls.saturating_add(u32::from(scope == Scope::Tool));
            return;
        };
        let mut faulty = opening == Opening::Faulty;
        let owner_key = Self::record_key(scope.owned_as(), id.key);
        let recorded = self.owners.get(owner_key).copied();
        let mut owner = recorded.or(tag).unwrap_or(PARENT);
        let mut is_known = true;
        if !faulty && recorded.is_some() && tag.is_some() && tag != recorded {
            self.foreign(scope, id.key, arrival);
            faulty = true;
        }
        if scope == Scope::Tool {
            let parent = self.hash(facts, PARENT_MESSAGE_ID);
            let is_suspect = parent.is_some_and(|parent| self.scopes.is_suspect(parent));
            let owner_of = |parent| self.owners.get(Self::record_key(Scope::Text as u8, parent)).copied();
            if let Some(parent_owner) = parent.and_then(owner_of) {
                if !faulty && !is_suspect && tag.or(recorded).is_some_and(|claimed| claimed != parent_owner) {
                    let message = "the call and its parent message have different owners";
                    arrival.fault(&rules::TOOL_PARENT_OWNER_MISMATCH, Some(PARENT_MESSAGE_ID), message);
                    self.scopes.suspect(id.key);
                    faulty = true;
                }
                owner = recorded.or(tag).unwrap_or(parent_owner);
            } else {
                // It is the owner of a message whose start was not seen.
                is_known = tag.is_some() || parent.is_none() || !(is_suspect || self.blur.mixed);
            }
            if let Some(parent) = parent.filter(|_| self.strict && !faulty) {
                self.parent_message(parent, id.key, arrival);
            }
            self.calls.add(id.key, Answer::Open);
        }
        if self.strict {
            // Where something is missing, another run may have begun.
            let is_again = !faulty && !self.blur.partial;
            if is_again && let Opening::Opened(Some(before)) = opening {
                Self::reopened(scope, of, before == mark, arrival);
            }
            self.claim(scope, id.key, of.slot, faulty, arrival);
            if scope == Scope::Tool {
                self.arguments.begin(id.key);
            }
        }
        if recorded.is_none() && is_known {
            self.owners.insert(owner_key, owner);
        }
    }

    /// How something is opened, for what opens it again: role and name of a text, name of a tool.
    fn mark(&self, scope: Scope, facts: &Facts<'_>) -> u64 {
        match scope {
            Scope::Text => {
                let role = facts.string(ROLE).unwrap_or("assistant".into());
                self.scopes.key((role, facts.string(NAME)))
            }
            Scope::Tool => self.scopes.key(facts.string(TOOL_CALL_NAME)),
            _ => 0,
        }
    }

    fn reopened(scope: Scope, of: &Of<'_>, same: bool, arrival: &mut Arrival<'_, '_, '_>) {
        let noun = &scope.row().kind.noun;
        let id = of.id.as_ref().map_or_else(Default::default, |id| show(&id.text));
        if same {
            let message = format!("{noun} {id} was closed before and is opened again");
            arrival.fault(&rules::REOPENED_ID, Some(of.slot), message);
        } else {
            let what = if scope == Scope::Tool { "another toolCallName" } else { "another role or name" };
            let message = format!("{noun} {id} is opened again with {what}");
            arrival.fault(&rules::REOPEN_CHANGES_OPENER, Some(of.slot), message);
        }
    }

    fn parent_message(&mut self, parent: u64, call: u64, arrival: &mut Arrival<'_, '_, '_>) {
        match self.messages.get(parent) {
            Some(Message::Assistant) => {}
            Some(_) => {
                let name = arrival.facts.string(PARENT_MESSAGE_ID).unwrap_or_default();
                let message = format!("parentMessageId {} names a message that is not the assistant's", show(&name));
                arrival.fault(&rules::PARENT_MESSAGE_NOT_ASSISTANT, Some(PARENT_MESSAGE_ID), message);
            }
            None => {
                // A call without a parent has a message of its own id.
                let minted = parent == call || self.calls.contains(parent);
                if !minted && !self.scopes.is_suspect(parent) && !self.blur.partial {
                    let name = arrival.facts.string(PARENT_MESSAGE_ID).unwrap_or_default();
                    let message =
                        format!("parentMessageId {} names no message of the run, its input or a snapshot", show(&name));
                    arrival.fault(&rules::PARENT_MESSAGE_UNKNOWN, Some(PARENT_MESSAGE_ID), message);
                }
                // The official reducer makes the message.
                self.messages.insert(parent, Message::Assistant);
            }
        }
    }

    /// Notes what kind of message an id names; one id names one kind.
    fn claim(&mut self, scope: Scope, id: u64, slot: u8, faulty: bool, arrival: &mut Arrival<'_, '_, '_>) {
        let message = match scope {
            Scope::Text => {
                // That a role is none has a finding of its own.
                let is_other = |role: &str| matches!(role, "developer" | "system" | "user");
                if arrival.facts.string(ROLE).is_some_and(|role| is_other(&role)) {
                    Message::Other
                } else {
                    Message::Assistant
                }
            }
            Scope::Reasoning => Message::Reasoning,
            _ => return,
        };
        self.claim_as(message, id, slot, faulty, arrival);
    }

    pub(super) fn claim_as(
        &mut self,
        message: Message,
        id: u64,
        slot: u8,
        faulty: bool,
        arrival: &mut Arrival<'_, '_, '_>,
    ) {
        let plain = |message| matches!(message, Message::Assistant | Message::Other);
        match self.messages.get(id).copied() {
            Some(before) if before != message && !(plain(before) && plain(message)) => {
                if !faulty {
                    let name = arrival.facts.string(slot).unwrap_or_default();
                    let text = format!("{} names {} already", show(&name), before.noun());
                    arrival.fault(&rules::MESSAGE_ID_COLLISION, Some(slot), text);
                }
            }
            // One that is opened again stays what it was.
            Some(_) => {}
            None => {
                self.messages.insert(id, message);
            }
        }
    }

    /// Continues or ends a message, call or span.
    pub(super) fn go_on(&mut self, scope: Scope, act: Act, slot: u8, arrival: &mut Arrival<'_, '_, '_>) {
        let of = self.of(scope, slot, arrival.facts);
        self.go_on_of(scope, act, &of, self.tag(arrival.facts), arrival);
    }

    fn go_on_of(&mut self, scope: Scope, act: Act, of: &Of<'_>, tag: Option<u64>, arrival: &mut Arrival<'_, '_, '_>) {
        let row = scope.row();
        let opened = self.scopes.opened(of).copied();
        let using = match act {
            Act::Close => self.scopes.close(of, row.end, arrival),
            _ => self.scopes.touch(of, row.content, arrival),
        };
        let Some(id) = of.id.as_ref().map(|id| id.key) else {
            // A piece of some call's arguments is missing.
            self.arguments.clear();
            return;
        };
        if using == Using::Open && self.differs(scope.owned_as(), id, tag) {
            self.foreign(scope, id, arrival);
        }
        if !self.strict {
            return;
        }
        if act == Act::Use && using != Using::Reported {
            return self.piece(scope, id, arrival);
        }
        let text = Self::record_key(scope as u8, id);
        if act == Act::Close {
            // What comes under its id later is appended.
            self.seams.end(text, true, &rules::SECRET_VALUE, arrival);
        } else {
            self.seams.look(text, DELTA, &rules::SECRET_VALUE, arrival);
        }
        if scope != Scope::Tool {
            return;
        }
        if using == Using::Reported {
            self.arguments.clear();
        } else {
            let quiet = !arrival.is_clean() || self.scopes.is_suspect(id);
            if !self.arguments.finish(id, quiet, opened, arrival) {
                self.scopes.suspect(id);
            }
        }
    }

    /// Takes the next piece of a text or of arguments.
    pub(super) fn piece(&mut self, scope: Scope, id: u64, arrival: &mut Arrival<'_, '_, '_>) {
        let delta = self.seams.look(Self::record_key(scope as u8, id), DELTA, &rules::SECRET_VALUE, arrival);
        if scope == Scope::Tool
            && let Some(delta) = delta
        {
            self.arguments.append(id, &delta);
        }
    }

    /// Whether a tag differs from the owner on record.
    pub(super) fn differs(&self, kind: u8, id: u64, tag: Option<u64>) -> bool {
        tag.is_some_and(|tag| self.owners.get(Self::record_key(kind, id)).is_some_and(|owner| *owner != tag))
    }

    fn foreign(&mut self, scope: Scope, id: u64, arrival: &mut Arrival<'_, '_, '_>) {
        let slot = if scope == Scope::Tool { TOOL_CALL_ID } else { MESSAGE_ID };
        let name = arrival.facts.string(slot).unwrap_or_default();
        let message = format!("the {} {} belongs to another owner", scope.row().kind.noun, show(&name));
        arrival.fault(&rules::OWNER_MISMATCH, Some(SUBAGENT_RUN_ID), message);
        self.scopes.suspect(id);
    }

    /// The END that the expansion of chunks puts out: it is verified as any other.
    pub(super) fn close_lane(&mut self, lane: &Lane<Keyed>, arrival: &mut Arrival<'_, '_, '_>) {
        let id = Some(Id { key: lane.id.key, text: lane.id.label.id().to_owned().into() });
        let of = Of { kind: lane.scope as usize, group: RUN, owner: 0, id, slot: 0 };
        self.go_on_of(lane.scope, Act::Close, &of, (lane.owner != PARENT).then_some(lane.owner), arrival);
    }

    pub(super) fn chunk(&mut self, scope: Scope, event: EventType, arrival: &mut Arrival<'_, '_, '_>) {
        let facts = arrival.facts;
        let slot = if scope == Scope::Tool { TOOL_CALL_ID } else { MESSAGE_ID };
        let key = |slot| self.hash(facts, slot).map(LaneId::from);
        let opener = match scope {
            Scope::Text => Opener { first: key(ROLE), second: key(NAME) },
            Scope::Tool => Opener { first: key(TOOL_CALL_NAME), second: key(PARENT_MESSAGE_ID) },
            _ => Opener { first: None, second: None },
        };
        let (mut of, tag) = (self.of(scope, slot, facts), self.tag(facts));
        let id = of.id.as_ref().map(|id| LaneId { key: id.key, label: Label::of(&id.text, None) });
        let default_role = self.scopes.key("assistant".as_bytes()).into();
        if scope == Scope::Tool && !arrival.is_clean() {
            match &of.id {
                Some(id) => self.arguments.give_up(id.key),
                None => self.lanes.ids(scope).for_each(|id| self.arguments.give_up(id.key)),
            }
        }
        match self.lanes.take(Chunk { scope, id, tag, opener, default_role }) {
            Err(rule) => {
                self.broken_chunk(rule, scope, event, &of, tag, arrival);
            }
            Ok(Taken::Continue { id, owner }) => {
                let emits = [DELTA, RAW_EVENT, METADATA]
                    .iter()
                    .any(|slot| !matches!(facts.kind(*slot), FactKind::Absent | FactKind::Null));
                if emits && self.gate(event, arrival) {
                    of.id = Some(Id { key: id.key, text: id.label.id().to_owned().into() });
                    let tag = tag.or((owner != PARENT).then_some(owner));
                    self.go_on_of(scope, Act::Use, &of, tag, arrival);
                }
            }
            Ok(Taken::Open { closes, owner, .. }) => {
                self.arguments.take_broke_off();
                if let Some(lane) = closes {
                    self.close_lane(&lane, arrival);
                }
                let broken = self.broken_lanes.len();
                self.broken_lanes.retain(|(kind, of)| *kind != scope || of.unwrap_or(PARENT) != owner);
                self.doubtful_lanes.retain(|(_, of)| of.unwrap_or(PARENT) != owner);
                // What the stream lacks, or has got of another, was reported.
                let lacks = broken > self.broken_lanes.len() || self.arguments.take_broke_off();
                if self.gate(event, arrival) {
                    let found = arrival.report.findings.len();
                    self.open(scope, &of, (owner != PARENT).then_some(owner), arrival);
                    // The message was opened by a START, which chunks do not continue.
                    if let Some(finding) = arrival.report.findings.get_mut(found)
                        && finding.rule == *scope.row().start
                    {
                        finding.hint = Some(format!("continue it with {}", continued_by(scope)));
                    }
                    if let Some(id) = id.filter(|_| self.strict) {
                        if scope == Scope::Tool && lacks {
                            self.arguments.give_up(id.key);
                        }
                        self.piece(scope, id.key, arrival);
                    }
                } else {
                    self.lanes.clear();
                }
                let opener = opener_slots(scope);
                if !arrival.is_clean() && opener.iter().any(|slot| facts.kind(*slot) != FactKind::Absent) {
                    // What it could not say, others may say.
                    self.doubt(scope, owner);
                }
            }
        }
    }

    /// Notes that a chunk stream would go on, or go on otherwise, without what was reported.
    pub(super) fn doubt(&mut self, scope: Scope, owner: u64) {
        if self.doubtful_lanes.len() < 64 {
            self.doubtful_lanes.push((scope, (owner != PARENT).then_some(owner)));
        }
    }

    /// A chunk that belongs to no stream. Those of its lane that follow fail for the same
    /// reason.
    fn broken_chunk(
        &mut self,
        rule: &'static Rule,
        scope: Scope,
        event: EventType,
        of: &Of<'_>,
        tag: Option<u64>,
        arrival: &mut Arrival<'_, '_, '_>,
    ) {
        let id = of.id.as_ref();
        // One that names no owner may be of any.
        let is_own = |(kind, of): &(Scope, Option<u64>)| *kind == scope && (tag.is_none() || *of == tag);
        let said = self.broken_lanes.iter().chain(&self.doubtful_lanes).any(is_own);
        // Streams that are not kept may be its own.
        let lacks_opener = *rule == rules::CHUNK_FIRST_WITHOUT_ID || *rule == rules::CHUNK_FIRST_WITHOUT_TOOL_NAME;
        // Chunks of other owners may have come since.
        let is_missing = self.blur.lost || (lacks_opener && tag.is_some() && self.blur.partial);
        let known = said || self.told || is_missing || id.is_some_and(|id| self.scopes.is_suspect(id.key));
        if !known {
            let found = arrival.report.findings.len();
            let message = format!("this {event} {}", lanes::describe(rule));
            let is_other = *rule == rules::CHUNK_OPENER_DISAGREEMENT;
            let slot = if is_other { opener_slot(scope, arrival.facts) } else { None };
            arrival.fault(rule, slot.or(Some(of.slot)), message);
            let lacks = match scope {
                _ if *rule == rules::CHUNK_FIRST_WITHOUT_TOOL_NAME => Some("toolCallName"),
                _ if *rule != rules::CHUNK_FIRST_WITHOUT_ID => None,
                Scope::Tool => Some("toolCallId"),
                _ => Some("messageId"),
            };
            if let Some(name) = lacks {
                arrival.report.add_at_misspelt(found, name);
            }
            // A call that START has opened is not one of chunks, with a name or without.
            if *rule == rules::CHUNK_FIRST_WITHOUT_TOOL_NAME
                && self.scopes.opened(of).is_some()
                && let Some(finding) = arrival.report.findings.get_mut(found)
            {
                finding.hint = Some(format!("continue it with {}", continued_by(scope)));
            }
        }
        if scope == Scope::Tool {
            self.arguments.clear();
        }
        match id {
            Some(id) => self.scopes.suspect(id.key),
            None if scope == Scope::Tool && !said => self.unnamed_calls = self.unnamed_calls.saturating_add(1),
            None => {}
        }
        if !said && self.broken_lanes.len() < 64 {
            self.broken_lanes.push((scope, tag));
        }
    }

    /// The retired events of reasoning, which have no ids: they get some.
    pub(super) fn thinking(&mut self, event: EventType, arrival: &mut Arrival<'_, '_, '_>) {
        use EventType as E;
        let fresh = matches!(event, E::ReasoningStart | E::ReasoningMessageStart);
        let span = matches!(event, E::ReasoningStart | E::ReasoningEnd);
        let stored = if span { self.thinking.0 } else { self.thinking.1 };
        let id = if fresh || stored == 0 {
            self.minted += 1;
            self.scopes.key((7_u8, self.minted))
        } else {
            stored
        };
        let (scope, opener) =
            if span { (Scope::Span, E::ReasoningStart) } else { (Scope::Reasoning, E::ReasoningMessageStart) };
        *(if span { &mut self.thinking.0 } else { &mut self.thinking.1 }) = id;
        // What opens it stands for the id.
        let name = retired::name(opener);
        let id = Some(Id { key: id, text: name.into() });
        let of = Of { kind: scope as usize, group: RUN, owner: 0, id, slot: MESSAGE_ID };
        let tag = self.tag(arrival.facts);
        let before = arrival.report.findings.len();
        match event {
            E::ReasoningStart | E::ReasoningMessageStart => self.open(scope, &of, tag, arrival),
            E::ReasoningMessageContent => self.go_on_of(scope, Act::Use, &of, tag, arrival),
            _ => self.go_on_of(scope, Act::Close, &of, tag, arrival),
        }
        if let Some(added) = arrival.report.added(before) {
            added.message = added.message.replacen(name, &format!("of {name}"), 1);
            if added.message.starts_with("no ") {
                added.hint = Some(format!("send {name} before it"));
            }
        }
    }
}

/// The members by which a chunk says how its stream is opened.
const fn opener_slots(scope: Scope) -> [u8; 2] {
    if matches!(scope, Scope::Tool) { [TOOL_CALL_NAME, PARENT_MESSAGE_ID] } else { [ROLE, NAME] }
}

/// What a chunk says of its opener, if that is one member alone.
fn opener_slot(scope: Scope, facts: &Facts<'_>) -> Option<u8> {
    let [first, second] =
        opener_slots(scope).map(|slot| Some(slot).filter(|slot| facts.kind(*slot) != FactKind::Absent));
    first.xor(second)
}

/// What continues a message or call that START has opened.
const fn continued_by(scope: Scope) -> &'static str {
    match scope {
        Scope::Tool => EventType::ToolCallArgs.as_str(),
        Scope::Reasoning => EventType::ReasoningMessageContent.as_str(),
        _ => EventType::TextMessageContent.as_str(),
    }
}
