//! Protocols that are declared at run time, by tables alone.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use super::explain::{Keyword, Reading, mismatches};
use super::facts::{FactKind, SLOTS};
use super::leaks::LeakRules;
use super::order::{Arrival, End, Order, Trust};
use super::overlay::{self, Row, When};
use super::reporter::Reporter;
use super::rule::{Code, Profile, Rule, RuleRow, Severity};
use super::scopes::{Act, Id, Kind, Of, Scopes};
use super::sequence::{Sequence, Step, gap_message};
use super::setup::Setup;
use super::shape::{Unknown, WatchRow};
use super::spec::{Looked, Published, Spec, plain};
use super::tree::Node;
use super::watched::inspected;
use crate::safe::show;
use crate::wire::number::to_f64;

/// A kind of thing that events open, use and close, such as a tool call.
///
/// ```
/// use agent_contracts::check::Scope;
///
/// let call = Scope::new("call", "callId").opened_by("call_started").used_by("call_output").closed_by("call_done");
/// ```
///
/// Since 0.1.0.
#[derive(Clone, Debug)]
#[must_use]
pub struct Scope {
    noun: String,
    id: String,
    acts: Vec<(String, Act)>,
}

impl Scope {
    /// A kind of scope: what messages call it, and the member that holds its id.
    pub fn new(noun: impl Into<String>, id: impl Into<String>) -> Self {
        Self { noun: noun.into(), id: id.into(), acts: Vec::new() }
    }

    /// Events of this type open one.
    pub fn opened_by(self, event: impl Into<String>) -> Self {
        self.act(event, Act::Open)
    }

    /// Events of this type need one that is open.
    pub fn used_by(self, event: impl Into<String>) -> Self {
        self.act(event, Act::Use)
    }

    /// Events of this type close one.
    pub fn closed_by(self, event: impl Into<String>) -> Self {
        self.act(event, Act::Close)
    }

    fn act(mut self, event: impl Into<String>, act: Act) -> Self {
        self.acts.push((event.into(), act));
        self
    }
}

/// Why a [`Spec`] cannot be made.
///
/// Since 0.1.0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SpecError {
    /// The id is no word of small letters, digits and dashes, as those of rules begin with.
    #[error("{0:?} is not an id of a protocol: small letters, digits and dashes, such as my-protocol")]
    Id(String),
    /// A kind of scope has no name of small letters, digits, dashes and spaces, or that of another.
    #[error("{0:?} is not a name for a kind of scope (small letters, digits, dashes, spaces), or is used twice")]
    Noun(String),
    /// The schema is not JSON, or uses a keyword that the checker does not execute.
    #[error("the schema cannot be executed: {0}")]
    Schema(String),
    /// The schema has no union of events that are told apart by that member.
    #[error("the root of the schema is not a union of at least two objects that are told apart by {0}")]
    Tag(String),
    /// Two events of the schema have the same tag.
    #[error("two events of the schema have the tag {0}")]
    Twice(String),
    /// No event of the schema has a member that is to be looked at, or one that uses a scope lacks the member of its id.
    #[error("the schema lacks the member {0}, which a scope, the sequence or an inspection names")]
    Member(String),
    /// A scope names an event that the schema does not have.
    #[error("the schema has no event {0}")]
    Event(String),
    /// There are more kinds of scopes, or more watched members, than the checker can handle.
    #[error("there are more than {} kinds of scopes, or {SLOTS} members to look at", super::scopes::KINDS)]
    TooMany,
}

/// Declares a protocol: a schema, the member that tells events apart, scopes, a sequence.
///
/// ```
/// use agent_contracts::check::{Checker, Input, Scope, Spec};
///
/// let schema = r##"{"oneOf":[{"$ref":"#/$defs/Opened"},{"$ref":"#/$defs/Closed"}],"$defs":{
///   "Opened":{"type":"object","properties":{"type":{"const":"opened"},"door":{"type":"string"}},"required":["type","door"]},
///   "Closed":{"type":"object","properties":{"type":{"const":"closed"},"door":{"type":"string"}},"required":["type","door"]}}}"##;
/// let doors = Spec::builder("doors", schema)
///     .scope(Scope::new("door", "door").opened_by("opened").closed_by("closed"))
///     .build()?;
/// let mut checker = Checker::new(doors);
/// let found = checker.push(Input::event(r#"{"type":"closed","door":"d1"}"#));
/// assert_eq!(found[0].to_string(), "error[doors/door-not-open]: no door d1 is open");
/// # Ok::<(), agent_contracts::check::SpecError>(())
/// ```
///
/// Since 0.1.0.
#[derive(Clone, Debug)]
#[must_use]
pub struct SpecBuilder {
    id: String,
    title: String,
    schema: String,
    tag: String,
    sequence: Option<String>,
    inspected: Vec<String>,
    scopes: Vec<Scope>,
}

impl Spec {
    /// Declares a protocol: its id, and the JSON Schema of an event, whose root is a union
    /// of objects that are told apart by a member.
    ///
    /// The id is a word of small letters, digits and dashes. Protocols are told apart by their
    /// ids, so that of another one, such as `agui`, does not make a second.
    pub fn builder(id: impl Into<String>, schema: impl Into<String>) -> SpecBuilder {
        SpecBuilder {
            id: id.into(),
            title: String::new(),
            schema: schema.into(),
            tag: "type".into(),
            sequence: None,
            inspected: Vec::new(),
            scopes: Vec::new(),
        }
    }
}

impl SpecBuilder {
    /// What the protocol is, in a few words.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// The member that tells events apart. Default `type`.
    pub fn tag(mut self, member: impl Into<String>) -> Self {
        self.tag = member.into();
        self
    }

    /// An integer member that grows by one from event to event.
    pub fn sequence(mut self, member: impl Into<String>) -> Self {
        self.sequence = Some(member.into());
        self
    }

    /// A member whose value is not of the protocol's own making: it is looked into for
    /// keys that name secrets, and for its size.
    pub fn inspect(mut self, member: impl Into<String>) -> Self {
        self.inspected.push(member.into());
        self
    }

    /// A kind of thing that events open, use and close.
    pub fn scope(mut self, scope: Scope) -> Self {
        self.scopes.push(scope);
        self
    }

    /// The protocol.
    ///
    /// # Errors
    /// When the schema cannot be executed, or the tables do not go with it.
    pub fn build(self) -> Result<Spec, SpecError> {
        if self.scopes.len() > super::scopes::KINDS {
            return Err(SpecError::TooMany);
        }
        let is_id = |id: &str| {
            let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            id.starts_with(|c: char| c.is_ascii_lowercase()) && id.chars().all(is_part)
        };
        if !is_id(&self.id) {
            return Err(SpecError::Id(self.id));
        }
        // Rules are named after the kinds.
        let mut nouns = HashSet::new();
        let names: Vec<String> = self.scopes.iter().map(|scope| scope.noun.replace(' ', "-")).collect();
        if let Some(at) = names.iter().position(|name| !is_id(name) || !nouns.insert(name)) {
            let noun = self.scopes.get(at).map_or_else(String::new, |scope| scope.noun.clone());
            return Err(SpecError::Noun(noun));
        }
        let mut rows: Vec<WatchRow<'_>> = Vec::new();
        // A member has one slot, whatever it is watched for.
        let mut watch = |member, inspect| {
            if let Some(row) = rows.iter_mut().find(|row| row.member == member) {
                row.inspect |= inspect;
                return row.slot;
            }
            // Whoever has so many is refused below.
            let slot = u8::try_from(rows.len() + 1).unwrap_or(u8::MAX);
            rows.push(WatchRow {
                definition: "*",
                parent: "",
                member,
                slot,
                inspect,
                no_empty: false,
                piece: false,
                below: &[],
            });
            slot
        };
        let sequence = self.sequence.as_deref().map(|member| watch(member, false));
        let slots: Vec<u8> = self.scopes.iter().map(|scope| watch(scope.id.as_str(), false)).collect();
        for member in &self.inspected {
            watch(member, true);
        }
        if rows.len() >= SLOTS {
            return Err(SpecError::TooMany);
        }
        let schema = Published::compile(&self.schema, &rows, Unknown::Inspect).map_err(SpecError::Schema)?;
        let rules = Rules::of(&self.id, &self.scopes);
        let mut acts = Vec::new();
        {
            let shape = schema.shape();
            let tags = shape.tags(&self.tag).ok_or_else(|| SpecError::Tag(self.tag.clone()))?;
            let mut seen = HashSet::new();
            if let Some(twice) = tags.names().find(|tag| !seen.insert(*tag)) {
                return Err(SpecError::Twice(twice.to_owned()));
            }
            let has = |event: &str, member: &str| shape.names(event).is_some_and(|names| names.find(member).is_some());
            let watched = self.sequence.iter().chain(&self.inspected);
            if let Some(member) = watched.into_iter().find(|member| !tags.names().any(|event| has(event, member))) {
                return Err(SpecError::Member(member.clone()));
            }
            acts.resize(tags.names().count(), Vec::new());
            for (kind, (scope, slot)) in self.scopes.iter().zip(&slots).enumerate() {
                for (event, act) in &scope.acts {
                    let of_event = tags.find(event).and_then(|at| acts.get_mut(at));
                    of_event.ok_or_else(|| SpecError::Event(event.clone()))?.push((kind, *slot, *act));
                    if !has(event, &scope.id) {
                        return Err(SpecError::Member(scope.id.clone()));
                    }
                }
            }
        }
        let kinds = self.scopes.into_iter().map(|scope| Kind { noun: scope.noun.into(), within: "" }).collect();
        let tables = Arc::new(Tables { id: self.id.clone(), rules, kinds, acts, sequence });
        let of_order = Arc::clone(&tables);
        let mut spec = plain(self.id, move |setup| Box::new(TableOrder::new(&of_order, setup)));
        spec.about.title = self.title.into();
        spec.tag = self.tag.into();
        spec.about.rules = tables.rules.all();
        spec.schemas = vec![schema];
        spec.secret_value = Some(tables.rules.secret_value.clone());
        spec.judge = Box::new(move |looked, report| tables.judge(looked, report));
        spec.recognise = |spec, heads| {
            let tags = spec.shape(0).tags(&spec.tag);
            let known = |tag: &str| tags.is_some_and(|tags| tags.find(tag).is_some());
            heads.iter().filter(|head| head.text(&spec.tag).is_some_and(known)).count()
        };
        Ok(spec)
    }
}

/// What a protocol that was declared at run time is made of.
#[derive(Debug)]
struct Tables {
    id: String,
    rules: Rules,
    kinds: Vec<Kind>,
    /// What the events do, by their place in the schema: kind of scope, slot of its id, act.
    acts: Vec<Vec<(usize, u8, Act)>>,
    sequence: Option<u8>,
}

/// The rules of such a protocol.
#[derive(Debug)]
struct Rules {
    not_object: Rule,
    misfit: Rule,
    unknown_type: Rule,
    gap: Rule,
    secret_key: Rule,
    secret_value: Rule,
    large_value: Rule,
    /// By kind of scope: opened again, not open, left open.
    scopes: Vec<[Rule; 3]>,
}

impl Rules {
    fn of(id: &str, scopes: &[Scope]) -> Self {
        use Code::{LargePayloadInline, SchemaMismatch, SecretLeakRisk, SequenceViolation};
        use Severity::{Error, Warning};
        let rule = |name: &str, code: Code, severity: Severity, when: &str, help: &str| {
            let schema = matches!(code, Code::SchemaMismatch | Code::UnknownEventType);
            Rule::new(RuleRow {
                id: format!("{id}/{name}").into(),
                code,
                severity,
                profiles: if schema { &[Profile::Schema, Profile::Strict] } else { &[Profile::Strict] },
                applies_to: Cow::Borrowed("events of the protocol"),
                when: when.to_owned().into(),
                why: Cow::Borrowed("the protocol's own declaration forbids it"),
                help: help.to_owned().into(),
                #[cfg(feature = "published")]
                examples: None,
            })
        };
        let scope = |scope: &Scope| {
            let noun = scope.noun.replace(' ', "-");
            let of = |end: &str, when: String, help: String| {
                rule(&format!("{noun}-{end}"), SequenceViolation, Error, &when, &help)
            };
            let noun = &scope.noun;
            [
                of(
                    "already-open",
                    format!("a {noun} is opened while it is open"),
                    format!("give each {noun} an id of its own"),
                ),
                of(
                    "not-open",
                    format!("a {noun} is used or closed while it is not open"),
                    format!("open the {noun} first"),
                ),
                of("left-open", format!("the stream ends while a {noun} is open"), format!("close every {noun}")),
            ]
        };
        Self {
            not_object: rule(
                "not-object",
                Code::SchemaMismatch,
                Error,
                "an event is not an object",
                "send one object for each event",
            ),
            misfit: rule(
                "schema-mismatch",
                SchemaMismatch,
                Error,
                "an event does not fit the schema",
                "send what the schema asks for",
            ),
            unknown_type: rule(
                "unknown-event-type",
                Code::UnknownEventType,
                Warning,
                "the schema has no event of the type",
                "use a type of the schema",
            ),
            gap: rule(
                "sequence-gap",
                Code::SequenceGap,
                Error,
                "the sequence does not grow by one",
                "send every event once and in order",
            ),
            secret_key: rule("secret-key", SecretLeakRisk, Warning, "a key names a secret", "leave the secret out"),
            secret_value: rule(
                "secret-value",
                SecretLeakRisk,
                Error,
                "a text has the shape of a provider token",
                "leave the secret out, and revoke it",
            ),
            large_value: rule(
                "large-inline-value",
                LargePayloadInline,
                Warning,
                "a value is larger than the bound",
                "send a reference instead",
            ),
            scopes: scopes.iter().map(scope).collect(),
        }
    }

    fn all(&self) -> Vec<Rule> {
        let fixed = [&self.not_object, &self.misfit, &self.unknown_type, &self.gap];
        let leaks = [&self.secret_key, &self.secret_value, &self.large_value];
        fixed.into_iter().chain(self.scopes.iter().flatten()).chain(leaks).cloned().collect()
    }
}

impl Tables {
    /// Judges an event by itself.
    fn judge(&self, looked: &Looked<'_, '_>, report: &mut Reporter<'_>) -> Trust {
        let rules = &self.rules;
        if !looked.node.is_object() {
            report.add_no_object(&rules.not_object, "an event", looked.node);
            return Trust::Suspect;
        }
        let rows = [
            Row::any(&[], When::Is(Keyword::Required), &rules.misfit, "{name} is missing; it must be {expected}"),
            Row::any(&[], When::Is(Keyword::Closed), &rules.misfit, "{name} is not a member of this object"),
            Row::any(&[], When::Any, &rules.misfit, "{name} is not {expected}"),
        ];
        let mut trust = Trust::Clean;
        for misfit in mismatches(looked.shape, looked.form, looked.node, Reading::Schema, report.worth_listing()) {
            let tag = looked.node.get(&looked.spec.tag).and_then(Node::as_str);
            if misfit.keyword == Keyword::Tag
                && misfit.member == looked.spec.tag
                && let Some(tag) = tag
            {
                let message = format!("{} is not an event type of {}", show(&tag), self.id);
                report.add(&rules.unknown_type, &misfit.path, misfit.span.clone(), message);
                continue;
            }
            trust = Trust::Suspect;
            let lacks_tag = misfit.keyword == Keyword::Tag && looked.node.get(&looked.spec.tag).is_none();
            if lacks_tag {
                let message = format!("{} is missing, which says what event it is", looked.spec.tag);
                report.add(&rules.misfit, &misfit.path, misfit.span.clone(), message);
            } else if let Some(row) = overlay::find(&rows, &misfit) {
                report.add(row.rule, &misfit.path, misfit.span.clone(), row.describe(&misfit));
            }
        }
        if report.strict() {
            let leaks = LeakRules {
                secret_key: &rules.secret_key,
                secret_value: &rules.secret_value,
                large_value: &rules.large_value,
            };
            leaks.report(looked.node, &inspected(looked), report);
        }
        trust
    }
}

/// The order rules of such a protocol.
#[derive(Debug)]
struct TableOrder {
    tables: Arc<Tables>,
    scopes: Scopes,
    sequence: Option<Sequence>,
    told: bool,
}

impl TableOrder {
    fn new(tables: &Arc<Tables>, setup: &Setup) -> Self {
        let scopes = Scopes::new(tables.kinds.clone(), setup.limits.history, false);
        Self { tables: Arc::clone(tables), scopes, sequence: None, told: false }
    }
}

#[expect(clippy::indexing_slicing, reason = "each kind of scopes has its rules, at the same position")]
impl Order for TableOrder {
    fn push(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        let tables = &self.tables;
        let facts = arrival.facts;
        if let Some(slot) = tables.sequence {
            let number = (facts.kind(slot) == FactKind::Integer).then(|| to_f64(facts.raw(slot)));
            match (&mut self.sequence, number) {
                (Some(sequence), Some(number)) => {
                    if let Step::Gap { before, .. } = sequence.take(number) {
                        arrival.fault(&tables.rules.gap, Some(slot), gap_message(before, number));
                    }
                }
                (Some(sequence), None) => sequence.skip(),
                (None, number) => self.sequence = number.map(Sequence::new),
            }
        }
        let Some(tag) = facts.tag() else { return };
        for (kind, slot, act) in tables.acts.get(tag).into_iter().flatten() {
            let is_number = arrival.is_clean() && facts.kind(*slot) == FactKind::Integer;
            let number = || is_number.then(|| facts.raw(*slot));
            let id = self.scopes.id(facts, *slot);
            let id = id.or_else(|| number().map(|raw| Id { key: self.scopes.key(raw), text: raw.into() }));
            let of = Of { kind: *kind, group: 0, owner: 0, id, slot: *slot };
            let [again, not_open, _] = &tables.rules.scopes[*kind];
            self.scopes.apply(*act, &of, if *act == Act::Open { again } else { not_open }, arrival);
        }
        if self.scopes.take_overflow() && !std::mem::replace(&mut self.told, true) {
            arrival.report.forgotten("older ids", "the rules about scopes");
        }
    }

    fn lost(&mut self) {
        if let Some(sequence) = &mut self.sequence {
            sequence.skip();
        }
        self.scopes.lost(0);
    }

    fn finish(&mut self, _: End, report: &mut Reporter<'_>) {
        for opened in self.scopes.unclosed(0) {
            let message = format!("{} {} is still open", self.scopes.noun(opened.kind), opened.label);
            let related = opened.place.related("opened here");
            report.add_at_end(&self.tables.rules.scopes[opened.kind][2], message, Some(related));
        }
    }
}
