//! AG-UI's patched state against another implementation of JSON Patch: a delta is reported
//! exactly if it does not apply, and the state is the same afterwards.
#![no_main]

use agent_contracts::Protocol;
use agent_contracts::check::{Checker, Input};
use agent_contracts_fuzz::places::escaped;
use json_patch::Patch;
use libfuzzer_sys::arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use serde_json::{Map, Value, json};

/// Copies of the state in itself would soon make it too large to go on with, in bytes.
const LARGEST: usize = 10_000;

/// Names that mean something to pointers, or need an escape.
const NAMES: [&str; 11] = ["", "a", "b", "0", "1", "01", "-", "~", "/", "~1", "é\"\\"];

fuzz_target!(|data: &[u8]| {
    // What is drawn ends with the bytes.
    let _ = run(&mut Unstructured::new(data));
});

fn run(bytes: &mut Unstructured<'_>) -> Result<()> {
    let mut state = value(bytes, 3)?;
    let mut checker = Checker::new(Protocol::AGUI);
    let mut push = |event: &Value| -> Vec<String> {
        let found = checker.push(Input::event(&event.to_string())).iter();
        found.map(|finding| finding.rule.id().to_owned()).collect()
    };
    push(&json!({"type": "RUN_STARTED", "threadId": "t", "runId": "r"}));
    push(&json!({"type": "STATE_SNAPSHOT", "snapshot": state}));
    while !bytes.is_empty() && state.to_string().len() < LARGEST {
        let count = bytes.int_in_range(1..=3)?;
        let mut patch = Vec::new();
        for _ in 0..count {
            patch.extend(operation(bytes, &state)?);
        }
        let theirs: Patch = serde_json::from_value(json!(patch)).expect("operations are in order");
        // Without an undo, which panics on some moves.
        let mut patched = state.clone();
        let applies = json_patch::patch_unsafe(&mut patched, &theirs).is_ok();
        let found = push(&json!({"type": "STATE_DELTA", "delta": patch}));
        if found.iter().any(|rule| rule == "input/history-limit") {
            return Ok(());
        }
        let is_reported = |found: &[String]| found.iter().any(|rule| rule == "agui/state-delta-not-applicable");
        assert_eq!(!is_reported(&found), applies, "{patch:?}: {found:?}");
        if applies {
            state = patched;
            let test = json!([{"op": "test", "path": "", "value": state}]);
            let found = push(&json!({"type": "STATE_DELTA", "delta": test}));
            assert!(!is_reported(&found), "{patch:?} makes another state than {state}");
        } else {
            push(&json!({"type": "STATE_SNAPSHOT", "snapshot": state}));
        }
    }
    Ok(())
}

/// A value without fractions: 1 and 1.0 are two values to the other implementation.
fn value(bytes: &mut Unstructured<'_>, depth: usize) -> Result<Value> {
    let kinds = if depth == 0 { 3 } else { 5 };
    Ok(match bytes.int_in_range(0..=kinds)? {
        0 => Value::Null,
        1 => json!(bytes.arbitrary::<bool>()?),
        2 => json!(bytes.int_in_range(-3..=3)?),
        3 => json!(bytes.choose(&NAMES)?),
        4 => {
            let count = bytes.int_in_range(0..=4)?;
            Value::Array((0..count).map(|_| value(bytes, depth - 1)).collect::<Result<_>>()?)
        }
        _ => {
            let mut members = Map::new();
            for _ in 0..bytes.int_in_range(0..=4)? {
                members.insert((*bytes.choose(&NAMES)?).to_owned(), value(bytes, depth - 1)?);
            }
            Value::Object(members)
        }
    })
}

/// A pointer to something in the value, or beside it.
fn pointer(bytes: &mut Unstructured<'_>, value: &Value) -> Result<String> {
    let (mut at, mut path) = (value, String::new());
    while bytes.int_in_range(0..=3)? > 0 {
        let (name, next) = match at {
            Value::Object(members) if !members.is_empty() => {
                let index = bytes.int_in_range(0..=members.len() - 1)?;
                let Some((name, next)) = members.iter().nth(index) else { break };
                (name.clone(), next)
            }
            Value::Array(items) if !items.is_empty() => {
                let index = bytes.int_in_range(0..=items.len() - 1)?;
                (index.to_string(), &items[index])
            }
            _ => break,
        };
        path += &format!("/{}", escaped(&name));
        at = next;
    }
    if bytes.int_in_range(0..=2)? == 2 {
        path += &format!("/{}", escaped(bytes.choose(&NAMES)?));
    }
    Ok(path)
}

/// An operation; `None` for two that RFC 6902 allows and the other implementation refuses: to
/// remove the whole value, and to move a value to where it is.
fn operation(bytes: &mut Unstructured<'_>, state: &Value) -> Result<Option<Value>> {
    let op = *bytes.choose(&["add", "remove", "replace", "move", "copy", "test"])?;
    let path = pointer(bytes, state)?;
    Ok(Some(match op {
        "remove" if path.is_empty() => return Ok(None),
        "remove" => json!({"op": op, "path": path}),
        "move" | "copy" => {
            let from = pointer(bytes, state)?;
            if op == "move" && from == path {
                return Ok(None);
            }
            json!({"op": op, "path": path, "from": from})
        }
        "test" if bytes.arbitrary::<bool>()? => {
            let there = state.pointer(&path).cloned().unwrap_or_default();
            json!({"op": op, "path": path, "value": there})
        }
        _ => json!({"op": op, "path": path, "value": value(bytes, 2)?}),
    }))
}
