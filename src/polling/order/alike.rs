//! What the events of a list say, most of which differ from the one before in a few values.

use std::hash::Hasher;
use std::mem;
use std::ops::Range;

use super::content::{KEYS, key_of_value, object, value};
use crate::wire::bytes::stands_at;
use crate::wire::scan::{Cursor, Kind, SyntaxError};

/// The most values that may vary, and the most objects that they lie in.
const MOST: usize = 64;

/// For how many values there is room at first.
const USUAL: usize = 16;

/// How many forms of events are compared.
const FORMS: usize = 3;

/// Reads the events of a list, one after another.
#[derive(Default)]
pub(in crate::polling) struct Alike<'t> {
    /// The last events that were read whole, none of which is like another: first the form that came last.
    forms: [Noted<'t>; FORMS],
    /// Room for the next one.
    spare: Noted<'t>,
}

/// An event with the strings and numbers in it that no array holds.
#[derive(Default)]
struct Noted<'t> {
    text: &'t str,
    /// Where it begins; other places count from there.
    start: usize,
    leaves: Vec<Leaf>,
    /// Each behind the one that it lies in.
    objects: Vec<Object>,
    /// Which of the leaves have varied between events that are the same otherwise, a bit each.
    varies: u64,
}

/// A string with its quotes, or a number.
struct Leaf {
    name: Range<usize>,
    span: Range<usize>,
    /// The object that it is a member of.
    of: usize,
    /// What it adds to the sum of that object.
    adds: u64,
}

struct Object {
    name: Range<usize>,
    of: usize,
    adds: u64,
    /// The sum of its members.
    sum: u64,
}

#[expect(clippy::indexing_slicing, reason = "forms are counted")]
impl<'t> Alike<'t> {
    /// Passes over the value that comes next, checking its grammar, and gives the key of what it says.
    pub(in crate::polling) fn key_of_value(&mut self, cursor: &mut Cursor<'t>) -> Result<u64, SyntaxError> {
        if cursor.kind()? != Kind::Object {
            return key_of_value(cursor);
        }
        let mut key = KEYS.begin();
        let sum = match self.goes_on(cursor) {
            Some(sum) => sum,
            None => self.read(cursor)?,
        };
        object(&mut key, sum);
        Ok(key.finish())
    }

    /// Passes over an event of a form that came before; the sum of its members.
    fn goes_on(&mut self, cursor: &mut Cursor<'t>) -> Option<u64> {
        let start = cursor.offset();
        for (at, form) in self.forms.iter_mut().enumerate() {
            if let Some(sum) = form.goes_on(cursor) {
                self.used(at);
                return Some(sum);
            }
            cursor.go_to(start);
        }
        None
    }

    /// Reads an event whole, which others may be like; the sum of its members.
    fn read(&mut self, cursor: &mut Cursor<'t>) -> Result<u64, SyntaxError> {
        let Self { forms, spare, .. } = self;
        let sum = spare.read(cursor)?;
        let mut alike = forms.iter().enumerate().filter_map(|(at, form)| Some((at, spare.varies_from(form)?)));
        let (at, varies) = alike.next().unwrap_or((FORMS - 1, 0));
        spare.varies = varies;
        mem::swap(spare, &mut forms[at]);
        self.used(at);
        Ok(sum)
    }

    fn used(&mut self, at: usize) {
        self.forms[..=at].rotate_right(1);
    }
}

#[expect(clippy::indexing_slicing, reason = "places were found in the text that is kept with them")]
impl<'t> Noted<'t> {
    /// Reads an event in place of the one before; the sum of its members.
    fn read(&mut self, cursor: &mut Cursor<'t>) -> Result<u64, SyntaxError> {
        self.leaves.clear();
        self.leaves.reserve(USUAL);
        self.objects.clear();
        self.objects.reserve(USUAL / 4);
        self.start = cursor.offset();
        let sum = self.object(cursor, 0..0, 0)?;
        self.text = if self.leaves.len() <= MOST { cursor.since(self.start) } else { "" };
        Ok(sum)
    }

    /// Reads the object that comes next; the sum of its members.
    fn object(&mut self, cursor: &mut Cursor<'t>, name: Range<usize>, of: usize) -> Result<u64, SyntaxError> {
        let (at, mut sum, mut first) = (self.objects.len(), 0_u64, true);
        self.objects.push(Object { name, of, adds: 0, sum });
        cursor.open(b'{')?;
        while let Some(name) = cursor.member(&mut first)? {
            let mut member = KEYS.begin();
            member.write(name.lossy().as_bytes());
            let (kind, start) = (cursor.kind()?, cursor.offset() - self.start);
            let begins = cursor.place_of(name) - self.start;
            let name_at = begins..begins + name.raw.len();
            // A name is taken as it stands the next time.
            let below = self.objects.len();
            let is_noted = !name.escaped && below < MOST && self.leaves.len() <= MOST;
            if is_noted && kind == Kind::Object {
                let sum = self.object(cursor, name_at, at)?;
                object(&mut member, sum);
                self.objects[below].adds = member.finish();
            } else {
                value(cursor, &mut member)?;
                if is_noted && matches!(kind, Kind::String | Kind::Number) {
                    let span = start..cursor.offset() - self.start;
                    self.leaves.push(Leaf { name: name_at, span, of: at, adds: member.finish() });
                }
            }
            sum = sum.wrapping_add(member.finish());
        }
        self.objects[at].sum = sum;
        Ok(sum)
    }

    /// Which values vary, if all else is the same as in an event before.
    fn varies_from(&self, other: &Self) -> Option<u64> {
        if self.leaves.len() != other.leaves.len() || self.text.is_empty() || other.text.is_empty() {
            return None;
        }
        let (mut from, mut other_from, mut varies) = (0, 0, other.varies);
        for (at, (leaf, known)) in self.leaves.iter().zip(&other.leaves).enumerate() {
            if self.text[from..leaf.span.start] != other.text[other_from..known.span.start] {
                return None;
            }
            varies |= u64::from(self.text[leaf.span.clone()] != other.text[known.span.clone()]) << at;
            (from, other_from) = (leaf.span.end, known.span.end);
        }
        (self.text[from..] == other.text[other_from..]).then_some(varies)
    }

    /// Passes over an event that differs in such values alone; the sum of its members.
    fn goes_on(&mut self, cursor: &mut Cursor<'_>) -> Option<u64> {
        if self.text.is_empty() {
            return None;
        }
        let (all, known) = (cursor.text().as_bytes(), self.text.as_bytes());
        let (mut from, mut changed, mut rest) = (0, 0_u64, self.varies);
        while rest != 0 {
            let leaf = self.leaves.get_mut(rest.trailing_zeros() as usize)?;
            rest &= rest - 1;
            let literal = &known[from..leaf.span.start];
            if !stands_at(all, cursor.offset(), literal) {
                return None;
            }
            cursor.go_to(cursor.offset() + literal.len());
            let mut member = KEYS.begin();
            member.write(&known[leaf.name.clone()]);
            if !matches!(cursor.kind().ok()?, Kind::String | Kind::Number) {
                return None;
            }
            value(cursor, &mut member).ok()?;
            let before = mem::replace(&mut leaf.adds, member.finish());
            let sum = &mut self.objects[leaf.of].sum;
            *sum = sum.wrapping_sub(before).wrapping_add(leaf.adds);
            changed |= 1 << leaf.of;
            from = leaf.span.end;
        }
        let literal = &known[from..];
        if !stands_at(all, cursor.offset(), literal) {
            return None;
        }
        cursor.go_to(cursor.offset() + literal.len());
        // What lies deeper stands further back.
        for at in (1..self.objects.len()).rev() {
            if changed >> at & 1 == 0 {
                continue;
            }
            let Object { name, of, adds, sum } = &mut self.objects[at];
            let mut member = KEYS.begin();
            member.write(&known[name.clone()]);
            object(&mut member, *sum);
            let (before, of) = (mem::replace(adds, member.finish()), *of);
            let by = adds.wrapping_sub(before);
            changed |= 1 << of;
            self.objects[of].sum = self.objects[of].sum.wrapping_add(by);
        }
        Some(self.objects[0].sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::scan::MAX_DEPTH;
    use proptest::prelude::*;
    use proptest::sample::select;

    /// What each event of a list says; `None` if it is not JSON.
    fn keys(list: &str, alone: bool) -> Option<Vec<u64>> {
        let mut cursor = Cursor::new(list, MAX_DEPTH);
        let (mut first, mut alike, mut keys) = (true, Alike::default(), Vec::new());
        cursor.open(b'[').ok()?;
        while cursor.element(&mut first).ok()? {
            if alone {
                alike = Alike::default();
            }
            keys.push(alike.key_of_value(&mut cursor).ok()?);
        }
        cursor.end().ok().map(|()| keys)
    }

    /// A form of events, with places for what varies.
    fn form() -> impl Strategy<Value = &'static str> {
        select(vec![
            r#"{"idx":$,"type":"text_chunk","data":{"text":$,"index":$,"task_id":"t"},"ts":$}"#,
            r#"{"a":{"b":{"c":$,"d":1},"e":$},"f":{"g":$}}"#,
            r#"{"a":[$,{"b":$}],"c":$}"#,
            r#"{"a":{"\u0062":{"c":$}},"\u0064":$}"#,
            r#" { "a" : $ , "a" : $ } "#,
            "{}",
            "$",
        ])
    }

    fn leaf() -> impl Strategy<Value = &'static str> {
        select(vec![
            "0",
            "7",
            "-0",
            "1.0",
            "1e0",
            "12",
            "12.5",
            r#""""#,
            r#""a""#,
            r#""\u0061""#,
            r#""a\"b""#,
            r#""é""#,
            "null",
            "true",
            "[1]",
            r#"{"a":1}"#,
            r#" "a" "#,
            r#""\ud83d""#,
            r#""a","b":"c""#,
        ])
    }

    fn broken() -> impl Strategy<Value = &'static str> {
        select(vec!["", "01", "1.", r#""\x""#, "\"\n\"", "nul", "\"a", "1,"])
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 8 } else { 4000 }))]

        /// What an event says is the same wherever it stands.
        #[test]
        fn the_events_before_make_no_difference(
            events in prop::collection::vec((form(), prop::collection::vec(leaf(), 4)), 1..12),
            of_one_form in any::<bool>(),
            slip in prop::option::weighted(0.2, (any::<prop::sample::Index>(), broken())),
        ) {
            let mut list = Vec::new();
            for (form, leaves) in &events {
                let mut event = if of_one_form { events[0].0 } else { form }.to_owned();
                let slip = slip.as_ref().filter(|(at, _)| at.index(events.len()) == list.len());
                for leaf in slip.map(|(_, broken)| broken).into_iter().chain(leaves) {
                    event = event.replacen('$', leaf, 1);
                }
                list.push(event);
            }
            let list = format!("[{}]", list.join(","));
            let found = keys(&list, false);
            prop_assert_eq!(&found, &keys(&list, true), "{}", list);
            prop_assert_eq!(found.is_some(), serde_json::from_str::<serde::de::IgnoredAny>(&list).is_ok(), "{}", list);
        }
    }

    #[test]
    fn what_others_are_like_is_not_read_again() {
        let mut cursor = Cursor::new(r#"{"idx":1,"t":"a"}{"idx":2,"t":"b"}{"idx":3,"t":"\u0063"}"#, MAX_DEPTH);
        let mut alike = Alike::default();
        for _ in 0..2 {
            alike.key_of_value(&mut cursor).unwrap();
        }
        assert!(alike.goes_on(&mut cursor).is_some() && cursor.end().is_ok());
    }
}
