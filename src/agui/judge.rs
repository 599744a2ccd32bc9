//! What is wrong with an AG-UI event, or document, by itself.

use std::collections::HashSet;

use memchr::memmem;

use super::events::event::{EventType, PROTOCOL_VERSION as VERSION};
use super::facts::*;
use super::overlay::judge;
use super::{retired, rules};
use crate::check::Profile;
use crate::check::explain::{Keyword, Mismatch, Reading, mismatches};
use crate::check::facts::{FactKind, Facts};
use crate::check::leaks::{LeakRules, is_clean_json, large_value, secret_values};
use crate::check::misspelt::misspelt;
use crate::check::names::NameTable;
use crate::check::near::nearest;
use crate::check::order::Trust;
use crate::check::reporter::Reporter;
use crate::check::shape::{FormId, Shape};
use crate::check::size::surely_fits;
use crate::check::spec::{Look, Looked};
use crate::check::tree::Node;
use crate::check::watched::watched;
use crate::safe::show;
use crate::wire::number::{is_integer, to_f64};
use crate::wire::path::Path;
use crate::wire::scan::{Cursor, Kind, MAX_DEPTH, SyntaxError};
use crate::wire::text::Text;

pub(super) const LEAKS: LeakRules<'static> = LeakRules {
    secret_key: &rules::SECRET_KEY,
    secret_value: &rules::SECRET_VALUE,
    large_value: &rules::LARGE_INLINE_VALUE,
};

/// What phase 1 cannot rule out.
pub(super) const LOOKS: &[Look] = &[|facts, _| {
    let there = |slot| facts.kind(slot) != FactKind::Absent;
    (facts.hides() && [USAGE, INPUT, EVENT].into_iter().any(there))
        || (there(USAGE) && !usage_is_clean(facts.raw(USAGE)))
        || (there(INPUT) && !values_of("\"protocolVersion\"", facts.raw(INPUT)).all(|version| version == "1.0"))
        || (there(PROTOCOL_VERSION) && facts.raw(PROTOCOL_VERSION) != "\"1.0\"")
        || (is(facts, EventType::ToolCallResult) && !answer_is_clean(facts))
        || (is(facts, EventType::Raw) && !values_of("\"type\"", facts.raw(EVENT)).all(is_no_event))
}];

fn is(facts: &Facts<'_>, event: EventType) -> bool {
    facts.tag() == Some(event as usize)
}

/// What stands in JSON text between quotes behind a key and its quotes, wherever it is; empty
/// if that is no string.
fn values_of<'a>(key: &str, raw: &'a str) -> impl Iterator<Item = &'a str> {
    memmem::find_iter(raw.as_bytes(), key).map(move |at| {
        let value =
            raw[at + key.len()..].trim_start().strip_prefix(':').and_then(|rest| rest.trim_start().strip_prefix('"'));
        value.and_then(|value| value.split('"').next()).unwrap_or_default()
    })
}

/// Whether a value of `type` surely names no event of AG-UI.
fn is_no_event(tag: &str) -> bool {
    !tag.is_empty() && !tag.contains('\\') && EventType::from_tag(tag).is_none()
}

/// Whether there is surely nothing in a tool's answer: it is looked into if it is JSON text.
fn answer_is_clean(facts: &Facts<'_>) -> bool {
    let raw = facts.raw(CONTENT);
    if facts.kind(CONTENT) == FactKind::String && !could_be_json(raw) {
        return raw.len() <= facts.bound();
    }
    let may_name = facts.kind(CONTENT) == FactKind::String && facts.names_secret(CONTENT);
    // An escape could stand for the letter of an exponent.
    let hides = facts.hides() && facts.literal(CONTENT).is_some_and(Text::is_disguised);
    if hides || !surely_fits(raw, facts.bound()) {
        return false;
    }
    let text = facts.literal(CONTENT).filter(|_| may_name);
    text.is_none_or(|text| is_clean_json(&text.lossy(), MAX_DEPTH, facts.bound()) == Ok(true))
}

/// Whether the counts of usage surely do not contradict each other.
fn usage_is_clean(raw: &str) -> bool {
    clean_usage(&mut Cursor::new(raw, MAX_DEPTH)).unwrap_or(false)
}

fn clean_usage(cursor: &mut Cursor<'_>) -> Result<bool, SyntaxError> {
    // More entries, or more numbers in one, are looked at by phase 2.
    let (mut labels, mut entries) = ([[""; 2]; 4], 0_usize);
    let mut first = true;
    cursor.open(b'[')?;
    while cursor.element(&mut first)? {
        let (mut counts, mut numbers, mut label, mut first) = ([("", 0.0); 8], 0, [""; 2], true);
        cursor.open(b'{')?;
        while let Some(key) = cursor.member(&mut first)? {
            if cursor.kind()? == Kind::Number {
                let Some(count) = counts.get_mut(numbers) else { return Ok(false) };
                *count = (key.raw, to_f64(cursor.number()?));
                numbers += 1;
            } else if let Some((_, label)) = LABELS.iter().zip(&mut label).find(|(name, _)| **name == key.raw) {
                *label = cursor.raw()?;
            } else {
                cursor.skip()?;
            }
        }
        let count = |name: &str| counts.iter().take(numbers).find(|(key, _)| *key == name).map(|(_, count)| *count);
        let known = labels.get_mut(..=entries).and_then(<[_]>::split_last_mut);
        let Some((next, before)) = known else { return Ok(false) };
        let mut is_clean = !before.contains(&label);
        // The same label may be written in two ways.
        is_clean &= label.iter().all(|label| !label.contains('\\'));
        contradictions(count, |_, _| is_clean = false);
        if !is_clean {
            return Ok(false);
        }
        *next = label;
        entries += 1;
    }
    Ok(true)
}

/// Whether the characters of a string, as it is written, could be an object or an array.
fn could_be_json(raw: &str) -> bool {
    let mut rest = raw.trim_start_matches('"');
    loop {
        let next = rest.trim_start();
        let next = ["\\n", "\\r", "\\t"].iter().find_map(|escape| next.strip_prefix(escape)).unwrap_or(next);
        if next.len() == rest.len() {
            // An escape could stand for a bracket.
            return rest.starts_with(['{', '[', '\\']);
        }
        rest = next;
    }
}

/// Reports what is wrong with an event; says whether the official client fails over it.
pub(super) fn event(looked: &Looked<'_, '_>, report: &mut Reporter<'_>) -> Trust {
    let node = looked.node;
    if !node.is_object() {
        report.add_no_object(&rules::FRAME_NOT_OBJECT, "an event", node);
        return Trust::Suspect;
    }
    let kind = node.get("type");
    let Some(tag) = kind.and_then(Node::as_str).filter(|tag| !tag.is_empty()) else {
        type_missing(node, report);
        tokens(node, report);
        return Trust::Suspect;
    };
    let span = kind.map_or(0..0, Node::span);
    if EventType::from_tag(&tag).is_some() {
        let fatal = misfits(looked, |_| false, report);
        details(looked, report);
        return if fatal { Trust::Suspect } else { Trust::Clean };
    }
    let Some(event) = retired::replacement(&tag) else {
        let message = format!("{} is not an event type of AG-UI 1.0", show(&tag));
        let names = || EventType::ALL.iter().map(|event| event.as_str());
        let hint = || match &*tag {
            "RUN_CANCELLED" | "RUN_CANCELED" => {
                Some("end the run by RUN_FINISHED with the outcome cancelled".to_owned())
            }
            _ => nearest(&tag, names()).map(|meant| format!("write {meant}")),
        };
        report.add_hinted(&rules::UNKNOWN_EVENT_TYPE, &Path::of("type"), span, message, hint);
        tokens(node, report);
        return Trust::Clean;
    };
    report.add(&rules::RETIRED_EVENT_TYPE, &Path::of("type"), span, retired::retirement(&tag, event));
    let looked = Looked { form: retired_form(looked.shape, event), ..*looked };
    let skip = |member: &str| matches!(member, "type" | "messageId" | "role" | "title");
    let fatal = report.profile != Profile::Schema && misfits(&looked, skip, report);
    details(&looked, report);
    if fatal { Trust::Suspect } else { Trust::Clean }
}

/// Reports an event whose type cannot be read, at the member that was meant to be it.
fn type_missing(node: &Node<'_>, report: &mut Reporter<'_>) {
    let (path, rule) = (Path::of("type"), &rules::TYPE_MISSING);
    match (node.get("type"), misspelt(node, "type")) {
        (Some(kind), _) => {
            let is_text = kind.kind() == Kind::String;
            let message = if is_text { "the type is empty" } else { "the type is not a string" };
            report.add(rule, &path, kind.span(), message);
        }
        (None, Some(meant)) => {
            let (path, message) = (Path::of(&meant.key), "the type is missing; a member has nearly its name");
            report.add_hinted(rule, &path, meant.key_span(), message, || Some("write type".to_owned()));
        }
        (None, None) => {
            let is_event = |inner: &Node<'_>| {
                inner.get("type").and_then(Node::as_str).is_some_and(|tag| EventType::from_tag(&tag).is_some())
            };
            let wrapped = node.members().iter().find(|member| is_event(&member.node));
            let hint = wrapped.map(|member| format!("send what stands in {} as the event", show(&member.key)));
            report.add_hinted(rule, &path, node.caret(), "the event has no type", || hint);
        }
    }
}

/// Looks for tokens in an event that has no schema to be held against.
fn tokens(node: &Node<'_>, report: &mut Reporter<'_>) {
    if report.strict() {
        secret_values(node, &rules::SECRET_VALUE, report);
    }
}

/// The schema of what replaces a retired type.
pub(super) fn retired_form(shape: &Shape, event: EventType) -> FormId {
    shape.variant(event.as_str()).map_or(shape.root(), |(_, form)| form)
}

/// Reads the facts of an event, also of one of a retired type.
pub(super) fn facts(facts: &mut Facts<'_>, shape: &Shape, root: FormId, node: &Node<'_>) {
    let tag = node.get("type").and_then(Node::as_str);
    let form = tag.and_then(|tag| retired::replacement(&tag)).map(|event| retired_form(shape, event));
    facts.read(shape, form.unwrap_or(root), node);
}

/// Reports what is wrong with a document of a type of the schema.
pub(super) fn document(looked: &Looked<'_, '_>, report: &mut Reporter<'_>) {
    misfits(looked, |_| false, report);
    details(looked, report);
}

/// Reports what does not fit; true if the official client fails the run over it.
fn misfits(looked: &Looked<'_, '_>, skip: impl Fn(&str) -> bool, report: &mut Reporter<'_>) -> bool {
    let reading = Reading::of(report.profile);
    let found = mismatches(looked.shape, looked.form, looked.node, reading, report.worth_listing());
    let meant = (reading == Reading::Receive).then(|| type_meant(looked, &found)).flatten();
    let profile = report.profile;
    let schema_only = |misfit: &Mismatch<'_>| {
        misfit.definition == "AguiRunAgentInput"
            && misfit.member == "state"
            && misfit.keyword == Keyword::Type
            && misfit.actual == Kind::Null
    };
    let is_passed_over =
        |misfit: &Mismatch<'_>| skip(&misfit.member) || (profile == Profile::Reference && schema_only(misfit));
    let counted = || found.iter().filter(|misfit| !is_passed_over(misfit));
    let fatal = counted().any(|misfit| judge(misfit, looked.node, |_| false).fatal);
    for misfit in counted() {
        let judged = judge(misfit, looked.node, |rule| report.lists(rule));
        if meant.is_some() && !judged.fatal && fatal {
            continue;
        }
        let hint = || match (misfit.meant.as_deref().or(judged.meant), meant) {
            (Some(meant), _) => Some(format!("write {meant}")),
            (None, Some(meant)) => Some(format!("the members are those of {meant}: correct the type, or the members")),
            _ => None,
        };
        report.add_hinted(judged.rule, &misfit.path, misfit.span.clone(), judged.message, hint);
        if meant.is_some() {
            // Under a wrong type everything is wrong: one finding says so.
            break;
        }
    }
    fatal
}

/// The type whose members an event has, where it lacks several of its own.
fn type_meant(looked: &Looked<'_, '_>, found: &[Mismatch<'_>]) -> Option<EventType> {
    let top = |misfit: &&Mismatch<'_>| misfit.path.steps().len() == 1;
    let missing = found.iter().filter(top).filter(|misfit| misfit.keyword == Keyword::Required).count();
    let foreign = found.iter().filter(top).filter(|misfit| misfit.keyword == Keyword::Closed).count();
    if missing == 0 || missing + foreign < 2 {
        return None;
    }
    // What every event may have says nothing of the type.
    let is_common = |key: &str| {
        EventType::ALL
            .iter()
            .all(|event| looked.shape.names(event.as_str()).is_some_and(|names| names.find(key).is_some()))
    };
    let telling = looked.node.members().iter().filter(|member| !is_common(&member.key)).count();
    if telling == 0 {
        return None;
    }
    let fits = |event: &&EventType| {
        let names = looked.shape.names(event.as_str());
        let known = |name: &str| names.is_some_and(|names| names.find(name).is_some());
        let required = || {
            let names = names.into_iter().flat_map(NameTable::names);
            names.filter(|name| *name != "type" && looked.shape.requires(event.as_str(), name))
        };
        // A single member tells nothing of a type that requires none.
        looked.node.members().iter().all(|member| known(&member.key))
            && (telling > 1 || required().next().is_some())
            && required().all(|name| looked.node.get(name).is_some())
    };
    EventType::ALL.iter().find(fits).copied()
}

/// What does not depend on the schema, in table order.
fn details(looked: &Looked<'_, '_>, report: &mut Reporter<'_>) {
    let node = looked.node;
    versions(node, &mut Path::default(), report);
    if !report.strict() {
        return;
    }
    usage(node, report);
    wrapped(looked, report);
    let (mut inspected, mut empty_deltas) = (Vec::new(), Vec::new());
    watched(looked.shape, looked.form, node, &mut |trail, watch, _, member| {
        if watch.inspect {
            inspected.push((trail.path(), &member.node));
        }
        let is_empty = watch.no_empty && member.node.as_str().is_some_and(|text| text.is_empty());
        if is_empty && member.key == "delta" {
            empty_deltas.push((trail.path(), member.node.span()));
        } else if is_empty {
            report.add(&rules::EMPTY_ID, &trail.path(), member.node.span(), format!("{} is empty", member.key));
        }
    });
    for (path, span) in empty_deltas {
        report.add(&rules::EMPTY_DELTA, &path, span, "delta is empty");
    }
    LEAKS.report(node, &inspected, report);
    // A tool's answer is often JSON in a string: it is looked into as well.
    let answer = node.get("content").filter(|_| is(looked.facts, EventType::ToolCallResult));
    if let Some(content) = answer {
        let (path, bound) = (Path::of("content"), report.limits().inline_units);
        let text = content.as_str();
        let inner = text.as_deref().and_then(|text| Node::parse(text, report.limits().depth).ok());
        match inner.filter(|inner| inner.is_object() || inner.has_elements()) {
            Some(inner) => LEAKS.report_text(&inner, &path, &content.span(), report),
            None => large_value(content, &path, bound, &rules::LARGE_INLINE_VALUE, report),
        }
    }
}

/// An event of AG-UI that travels inside RAW.
fn wrapped(looked: &Looked<'_, '_>, report: &mut Reporter<'_>) {
    let Some(event) = looked.node.get("event").filter(|_| is(looked.facts, EventType::Raw)) else { return };
    let tag = event.get("type").and_then(Node::as_str);
    let Some(tag) = tag.as_deref().and_then(EventType::from_tag) else { return };
    let names = looked.shape.names(tag.as_str()).into_iter().flat_map(NameTable::names);
    let mut required = names.filter(|name| looked.shape.requires(tag.as_str(), name));
    if required.all(|name| event.get(name).is_some()) {
        let message = format!("the event inside is {tag}, which receivers do not see there");
        report.add(&rules::RAW_WRAPS_TYPED_EVENT, &Path::of("event"), event.span(), message);
    }
}

/// Protocol versions of the event, its input, or the document.
fn versions(node: &Node<'_>, path: &mut Path, report: &mut Reporter<'_>) {
    if let Some(version) = node.get("protocolVersion")
        && let Some(text) = version.as_str().filter(|text| !is_understood(text))
    {
        let is_newer = is_version(&text);
        let what = if is_newer { format!("newer than {VERSION}") } else { "not of the form major.minor".to_owned() };
        let message = format!("the version {} is {what}", show(&text));
        let path = path.join("protocolVersion");
        report.add(&rules::PROTOCOL_VERSION_NOT_UNDERSTOOD, &path, version.span(), message);
    }
    if let Some(input) = node.get("input").filter(|_| path.steps().is_empty()) {
        path.push_key("input");
        versions(input, path, report);
        path.pop();
    }
}

/// Whether a version is of the form `major.minor`.
fn is_version(version: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    version.split_once('.').is_some_and(|(major, minor)| digits(major) && digits(minor))
}

fn is_understood(version: &str) -> bool {
    let number = |text: &str| text.parse::<u64>().unwrap_or(u64::MAX);
    let is_known = |(major, minor)| (number(major), number(minor)) <= (1, 0);
    is_version(version) && version.split_once('.').is_some_and(is_known)
}

/// What an entry of usage is about.
const LABELS: [&str; 2] = ["provider", "model"];

/// Calls `found` for each count of an entry that contradicts another.
#[expect(clippy::float_cmp, reason = "counts are integers")]
fn contradictions(count: impl Fn(&str) -> Option<f64>, mut found: impl FnMut(&str, String)) {
    if let (Some(input), Some(output), Some(total)) =
        (count("inputTokens"), count("outputTokens"), count("totalTokens"))
        && input + output != total
    {
        found("totalTokens", "totalTokens is not inputTokens plus outputTokens".to_owned());
    }
    for (part, whole) in [
        ("cachedInputTokens", "inputTokens"),
        ("cacheWriteInputTokens", "inputTokens"),
        ("reasoningTokens", "outputTokens"),
    ] {
        if count(part).zip(count(whole)).is_some_and(|(part, whole)| part > whole) {
            found(part, format!("{part} exceeds {whole}, of which it is a part"));
        }
    }
}

/// The largest count.
const LARGEST: f64 = 9_007_199_254_740_991.0;

/// Counts of an entry that contradict each other.
pub(super) fn usage_entry(entry: &Node<'_>, path: &Path, report: &mut Reporter<'_>) {
    // One that is no count has a finding of its own.
    let is_count = |number: &&str| is_integer(number) && (0.0..=LARGEST).contains(&to_f64(number));
    let count = |name: &str| entry.get(name)?.as_number().filter(is_count).map(to_f64);
    contradictions(count, |name, message| {
        let span = entry.get(name).map_or(entry.span(), Node::span);
        report.add(&rules::USAGE_INCONSISTENT, &path.join(name), span, message);
    });
}

/// Counts that contradict each other, and entries that are there twice.
fn usage(node: &Node<'_>, report: &mut Reporter<'_>) {
    let mut seen = HashSet::new();
    for (index, entry) in node.get("usage").map(Node::elements).unwrap_or_default().iter().enumerate() {
        if !report.lists(&rules::USAGE_INCONSISTENT) {
            return;
        }
        let path = Path::of("usage").element(index);
        usage_entry(entry, &path, report);
        let label = |name: &str| entry.get(name).and_then(Node::as_str).map(std::borrow::Cow::into_owned);
        if !seen.insert(LABELS.map(label)) {
            let message = "provider and model have an entry already";
            report.add(&rules::USAGE_INCONSISTENT, &path, entry.span(), message);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::could_be_json;

    #[test]
    fn answers_that_could_be_json() {
        for (raw, expected) in [
            (r#""{\"a\":1}""#, true),
            (r#""  [1]""#, true),
            (r#""\n{\"api_key\":1}""#, true),
            (r#""\r\n\t [1]""#, true),
            (r#""\u007b""#, true),
            (r#""plain {text}""#, false),
            (r#""""#, false),
        ] {
            assert_eq!(could_be_json(raw), expected, "{raw}");
        }
    }
}
