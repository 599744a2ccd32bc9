//! JSON text with some of its values changed and all others as they were.

use std::collections::BTreeMap;

use crate::check::tree::{Node, Value};

/// Changes to a text, by where the values begin that they are about.
#[derive(Default)]
pub(super) struct Edits {
    /// What stands there instead, as JSON text; `None` takes the value out, its key too.
    values: BTreeMap<usize, Option<String>>,
    /// Members for the root, as names and JSON texts.
    added: Vec<(&'static str, String)>,
}

impl Edits {
    pub(super) fn remove(&mut self, node: &Node<'_>) {
        self.values.insert(node.span().start, None);
    }

    pub(super) fn replace(&mut self, node: &Node<'_>, text: String) {
        self.values.insert(node.span().start, Some(text));
    }

    /// Sets a member of the root, whether it is there or not.
    pub(super) fn set(&mut self, root: &Node<'_>, name: &'static str, text: String) {
        match root.get(name) {
            Some(node) => self.replace(node, text),
            None => self.added.push((name, text)),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.values.is_empty() && self.added.is_empty()
    }

    /// The text of `root`, which is parsed from `text`, with the changes made.
    pub(super) fn apply(&self, root: &Node<'_>, text: &str) -> String {
        let mut out = String::with_capacity(text.len() + 64);
        self.write(root, text, &self.added, &mut out);
        out
    }

    fn write(&self, node: &Node<'_>, text: &str, added: &[(&str, String)], out: &mut String) {
        let untouched = self.values.range(node.span()).next().is_none() && added.is_empty();
        let mut first = true;
        match &node.value {
            Value::Array(_) if !untouched => {
                out.push('[');
                for element in node.elements() {
                    self.write_item(None, element, text, &mut first, out);
                }
                out.push(']');
            }
            Value::Object(_) if !untouched => {
                out.push('{');
                for member in node.members() {
                    self.write_item(Some(&text[member.key_span()]), &member.node, text, &mut first, out);
                }
                for (name, value) in added {
                    separate(&mut first, out);
                    out.extend(["\"", name, "\":", value]);
                }
                out.push('}');
            }
            _ => out.push_str(&text[node.span()]),
        }
    }

    fn write_item(&self, key: Option<&str>, node: &Node<'_>, text: &str, first: &mut bool, out: &mut String) {
        let edit = self.values.get(&node.span().start);
        if matches!(edit, Some(None)) {
            return;
        }
        separate(first, out);
        if let Some(key) = key {
            out.extend([key, ":"]);
        }
        match edit {
            Some(Some(value)) => out.push_str(value),
            _ => self.write(node, text, &[], out),
        }
    }
}

fn separate(first: &mut bool, out: &mut String) {
    if !std::mem::take(first) {
        out.push(',');
    }
}
