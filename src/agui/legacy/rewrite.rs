//! JSON text with some of its values changed and all others as they were.

use crate::check::tree::{Node, Value};
use crate::wire::path::Path;

/// What to do with the value at a path.
pub(super) enum Edit {
    Remove,
    /// JSON text to stand there instead; of a member that is not there, to be added.
    Put(String),
}

/// Changes to a value, each with its place.
#[derive(Default)]
pub(super) struct Edits(Vec<(Path, Edit)>);

impl Edits {
    pub(super) fn push(&mut self, path: Path, edit: Edit) {
        self.0.push((path, edit));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The text of `node`, which is parsed from `text`, with the changes made.
    pub(super) fn apply(&self, node: &Node<'_>, text: &str) -> String {
        let mut out = String::with_capacity(text.len() + 64);
        self.write(node, text, &mut Path::default(), &mut out);
        out
    }

    fn at(&self, path: &Path) -> Option<&Edit> {
        self.0.iter().find(|(place, _)| place == path).map(|(_, edit)| edit)
    }

    fn write(&self, node: &Node<'_>, text: &str, path: &mut Path, out: &mut String) {
        let below = self.0.iter().any(|(place, _)| place.steps().starts_with(path.steps()));
        match &node.value {
            Value::Array(elements) if below => {
                out.push('[');
                let mut first = true;
                for (index, element) in elements.iter().enumerate() {
                    path.push_index(index);
                    self.write_item(None, element, text, path, &mut first, out);
                    path.pop();
                }
                out.push(']');
            }
            Value::Object(members) if below => {
                out.push('{');
                let mut first = true;
                for member in members {
                    path.push_key(&member.key);
                    let key = &text[member.key_span.clone()];
                    self.write_item(Some(key), &member.node, text, path, &mut first, out);
                    path.pop();
                }
                for (place, edit) in &self.0 {
                    if let (Some((crate::wire::path::Step::Key(name), above)), Edit::Put(value)) =
                        (place.steps().split_last(), edit)
                        && above == path.steps()
                        && node.get(name).is_none()
                    {
                        let key = serde_json::Value::from(&**name).to_string();
                        separate(&mut first, out);
                        out.extend([&*key, ":", value]);
                    }
                }
                out.push('}');
            }
            _ => out.push_str(&text[node.span.clone()]),
        }
    }

    fn write_item(
        &self,
        key: Option<&str>,
        node: &Node<'_>,
        text: &str,
        path: &mut Path,
        first: &mut bool,
        out: &mut String,
    ) {
        let edit = self.at(path);
        if matches!(edit, Some(Edit::Remove)) {
            return;
        }
        separate(first, out);
        if let Some(key) = key {
            out.extend([key, ":"]);
        }
        match edit {
            Some(Edit::Put(value)) => out.push_str(value),
            _ => self.write(node, text, path, out),
        }
    }
}

fn separate(first: &mut bool, out: &mut String) {
    if !std::mem::take(first) {
        out.push(',');
    }
}
