//! Places inside a JSON value, printed as JSONPath and as JSON Pointer.

use std::cell::OnceCell;
use std::sync::Arc;

use super::scan::{Cursor, Kind, MAX_DEPTH};

use super::text::Text;
use crate::safe;

/// One step down into a JSON value.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Step {
    /// Shared, since a long key may stand above many places.
    Key(Arc<str>),
    Index(usize),
}

/// The steps from the root of a JSON value to a place in it.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct Path(Vec<Step>);

impl std::fmt::Debug for Path {
    /// Shows the path as findings do.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.to_json_path())
    }
}

/// The way down to a value while a tree is walked. It costs nothing until its path is asked for.
pub(crate) struct Trail<'t> {
    above: Option<&'t Trail<'t>>,
    last: Last<'t>,
}

enum Last<'t> {
    /// Where the walk began.
    Path(&'t [Step]),
    /// Once it is in a path, all paths below share it.
    Key(&'t str, OnceCell<Arc<str>>),
    Index(usize),
}

impl<'t> Trail<'t> {
    pub(crate) const fn root() -> Self {
        Self { above: None, last: Last::Path(&[]) }
    }

    /// A walk that begins at this path.
    pub(crate) fn from(path: &'t Path) -> Self {
        Self { above: None, last: Last::Path(&path.0) }
    }

    pub(crate) const fn key(&'t self, key: &'t str) -> Self {
        Self { above: Some(self), last: Last::Key(key, OnceCell::new()) }
    }

    pub(crate) const fn index(&'t self, index: usize) -> Self {
        Self { above: Some(self), last: Last::Index(index) }
    }

    /// The member that the walk went to last; empty for an element, and where it began.
    pub(crate) const fn member(&self) -> &'t str {
        match self.last {
            Last::Key(key, _) => key,
            Last::Path(_) | Last::Index(_) => "",
        }
    }

    pub(crate) fn path(&self) -> Path {
        let mut steps = Vec::new();
        let mut here = Some(self);
        while let Some(trail) = here {
            match &trail.last {
                Last::Path(begun) => steps.extend(begun.iter().rev().cloned()),
                Last::Key(key, shared) => steps.push(Step::Key(Arc::clone(shared.get_or_init(|| Arc::from(*key))))),
                Last::Index(index) => steps.push(Step::Index(*index)),
            }
            here = trail.above;
        }
        steps.reverse();
        Path(steps)
    }
}

/// Longer paths are cut, in bytes as JSON has them.
const LONGEST: usize = 1024;

impl Path {
    pub(crate) fn push_key(&mut self, key: &str) {
        self.0.push(Step::Key(key.into()));
    }

    pub(crate) fn push_index(&mut self, index: usize) {
        self.0.push(Step::Index(index));
    }

    pub(crate) fn pop(&mut self) {
        self.0.pop();
    }

    pub(crate) fn steps(&self) -> &[Step] {
        &self.0
    }

    /// The path with `member` appended.
    pub(crate) fn join(&self, member: &str) -> Self {
        let mut path = self.clone();
        path.push_key(member);
        path
    }

    /// The path of an element of the array here.
    pub(crate) fn element(&self, index: usize) -> Self {
        let mut path = self.clone();
        path.push_index(index);
        path
    }

    /// The path of the value that holds the last step; the root's is the root.
    pub(crate) fn parent(&self) -> Self {
        let above = self.0.split_last().map_or(&[][..], |(_, above)| above);
        Self(above.to_vec())
    }

    /// This path with the steps of `below` appended.
    pub(crate) fn concat(&self, below: &Self) -> Self {
        Self(self.0.iter().chain(&below.0).cloned().collect())
    }

    /// The path of a member of the root.
    pub(crate) fn of(member: &str) -> Self {
        Self::default().join(member)
    }

    /// The path of a member below the root, its names joined by dots.
    pub(crate) fn of_dotted(names: &str) -> Self {
        names.split('.').fold(Self::default(), |path, name| path.join(name))
    }

    /// JSONPath in shorthand; keys that are no RFC 9535 shorthand name are bracket-quoted.
    pub(crate) fn to_json_path(&self) -> String {
        self.print(true)
    }

    /// JSONPath with keys as they are, the way the Lime validator prints them.
    pub(crate) fn to_plain_path(&self) -> String {
        self.print(false)
    }

    fn print(&self, quoted: bool) -> String {
        let mut out = String::from("$");
        let (steps, rest) = self.shown();
        for step in steps {
            match step {
                Step::Index(index) => {
                    out.push('[');
                    out.push_str(&index.to_string());
                    out.push(']');
                }
                Step::Key(key) => {
                    let key = safe::key(key);
                    if !quoted || is_shorthand(&key) {
                        out.push('.');
                        out.push_str(&key);
                    } else {
                        push_quoted(&mut out, &key);
                    }
                }
            }
        }
        out + rest
    }

    /// The steps that are shown, and the sign of those that are not.
    fn shown(&self) -> (&[Step], &'static str) {
        let mut length = 0;
        let cut = self.0.iter().position(|step| {
            let is_cut = length > LONGEST;
            length += match step {
                Step::Index(_) => 3,
                Step::Key(key) => safe::key(key).bytes().map(in_json).sum(),
            };
            is_cut
        });
        cut.and_then(|at| self.0.get(..at)).map_or((&self.0, ""), |shown| (shown, "…"))
    }

    /// RFC 6901, exact for every path that is not very long, and shows no secret.
    pub(crate) fn to_pointer(&self) -> String {
        let mut out = String::new();
        let (steps, rest) = self.shown();
        for step in steps {
            out.push('/');
            match step {
                Step::Index(index) => out.push_str(&index.to_string()),
                Step::Key(key) => out.push_str(&safe::key(key).replace('~', "~0").replace('/', "~1")),
            }
        }
        out + rest
    }
}

/// About how many bytes JSON takes for one of a key.
const fn in_json(byte: u8) -> usize {
    match byte {
        0..0x20 => 6,
        b'"' | b'\\' => 4,
        _ => 1,
    }
}

fn is_shorthand(name: &str) -> bool {
    let mut chars = name.chars();
    let starts = |c: char| c.is_ascii_alphabetic() || c == '_' || !c.is_ascii();
    chars.next().is_some_and(starts) && chars.all(|c| starts(c) || c.is_ascii_digit())
}

fn push_quoted(out: &mut String, key: &str) {
    use std::fmt::Write as _;
    out.push_str("['");
    for c in key.chars() {
        match c {
            '\'' => out.push_str("\\'"),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c < ' ' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push_str("']");
}

/// The path of the innermost value that begins at or spans `offset`.
/// Stops where the text stops being JSON.
pub(crate) fn path_at(text: &str, offset: usize) -> Path {
    let mut steps = Vec::new();
    spans(&mut Cursor::new(text, MAX_DEPTH), offset, &mut steps);
    let mut path = Path::default();
    for step in steps {
        match step {
            Ok(key) => path.push_key(&key.lossy()),
            Err(index) => path.push_index(index),
        }
    }
    path
}

/// Whether the next value spans `offset`, or is broken: then `steps` lead to the innermost
/// one that does. A step is a key or an index.
fn spans<'a>(cursor: &mut Cursor<'a>, offset: usize, steps: &mut Vec<Result<Text<'a>, usize>>) -> bool {
    let Ok(kind) = cursor.kind() else { return true };
    if offset <= cursor.offset() {
        return true;
    }
    let bracket = match kind {
        Kind::Object => b'{',
        Kind::Array => b'[',
        _ => return cursor.skip().is_err() || offset < cursor.offset(),
    };
    if cursor.open(bracket).is_err() {
        return true;
    }
    let (mut first, mut index) = (true, 0);
    loop {
        let step = if kind == Kind::Object {
            match cursor.member(&mut first) {
                Ok(Some(key)) => Ok(key),
                Ok(None) => break,
                Err(_) => return true,
            }
        } else {
            match cursor.element(&mut first) {
                Ok(true) => Err(index),
                Ok(false) => break,
                Err(_) => return true,
            }
        };
        if cursor.kind().is_ok() && offset < cursor.offset() {
            return true;
        }
        steps.push(step);
        if spans(cursor, offset, steps) {
            return true;
        }
        steps.pop();
        index += 1;
    }
    offset < cursor.offset()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_quoted_where_the_shorthand_ends() {
        let mut path = Path::default();
        for key in ["payload", "a b", "it's", "1st", "é"] {
            path.push_key(key);
        }
        path.push_index(3);
        assert_eq!(path.to_json_path(), "$.payload['a b']['it\\'s']['1st'].é[3]");
        assert_eq!(path.to_plain_path(), "$.payload.a b.it's.1st.é[3]");
        assert_eq!(path.join("a/b~c").to_pointer(), "/payload/a b/it's/1st/é/3/a~1b~0c");
    }

    #[test]
    fn long_paths_are_cut_by_what_is_shown_of_them() {
        let of = |key: &str, times: usize| (0..times).fold(Path::of("a"), |path, _| path.join(key)).join("leaf");
        for (key, times, is_cut) in
            [("k", 500, false), ("k", 1100, true), ("\u{1b}", 180, true), ("\u{1b}", 160, false)]
        {
            for path in [of(key, times).to_json_path(), of(key, times).to_pointer()] {
                assert_eq!((path.ends_with('…'), path.ends_with("leaf")), (is_cut, !is_cut), "{key:?} {times}");
            }
        }
        // A key that is too long to be shown takes little room.
        assert!(of(&"k".repeat(1100), 3).to_pointer().ends_with("/leaf"));
    }

    #[test]
    fn a_trail_leads_from_where_the_walk_began() {
        let begun = Path::of_dotted("a.b");
        let (root, from) = (Trail::root(), Trail::from(&begun));
        let (list, below) = (root.key("list"), from.key("c"));
        let (element, deeper) = (list.index(2), below.index(0));
        let paths = [&root, &from, &list, &element, &deeper].map(|trail| trail.path().to_json_path());
        assert_eq!(paths, ["$", "$.a.b", "$.list", "$.list[2]", "$.a.b.c[0]"]);
        assert_eq!([&list, &element, &from].map(Trail::member), ["list", "", ""]);
    }

    #[test]
    fn offsets_become_paths() {
        let text = r#"{"a": [1, {"b": "x"}], "c": {"d": tru}}"#;
        for (needle, path) in [("{\"a\"", "$"), ("1,", "$.a[0]"), ("\"x\"", "$.a[1].b"), ("tru", "$.c.d")] {
            let offset = text.find(needle).unwrap();
            assert_eq!(path_at(text, offset).to_json_path(), path, "{needle}");
        }
    }
}
