//! Members under misspelt names: which known member each unknown one stands for.

use super::near::nearest;
use super::shape::MembersForm;
use super::tree::{Member, Node};

/// The unknown members of an object that stand for known ones that it lacks.
#[derive(Default)]
pub(super) struct Misspelt<'f> {
    /// Key, its place among the members, what it stands for, and whether that is required.
    found: Vec<(String, usize, &'f str, bool)>,
}

/// The member whose name is nearly the one that is asked for.
pub(crate) fn misspelt<'n, 'a>(node: &'n Node<'a>, name: &str) -> Option<&'n Member<'a>> {
    node.members().iter().find(|member| nearest(&member.key, std::iter::once(name)).is_some())
}

/// How many unknown members of an object are looked at. An object with more of them has members
/// of its own, not misspelt ones.
pub(crate) const LOOKED_AT: usize = 32;

/// The only one of some names of which the key is the first or the last word, such as `stepName`
/// of `name`.
fn shortened<'n>(key: &str, mut names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let begins = |rest: &str| rest.starts_with(|c: char| c == '_' || c.is_ascii_uppercase());
    let is_part = |name: &str| {
        let Some(at) = name.len().checked_sub(key.len()).filter(|_| key.len() > 1) else { return false };
        let (Some(first), Some(behind)) = (name.get(..key.len()), name.get(key.len()..)) else { return false };
        let (Some(before), Some(last)) = (name.get(..at), name.get(at..)) else { return false };
        (first.eq_ignore_ascii_case(key) && begins(behind))
            || (last.eq_ignore_ascii_case(key) && (begins(last) || before.ends_with('_')))
    };
    let only = names.find(|name| is_part(name))?;
    (!names.any(is_part)).then_some(only)
}

impl<'f> Misspelt<'f> {
    /// Those that stand for required ones alone.
    pub(super) fn of_required(form: &'f MembersForm, node: &Node<'_>) -> Self {
        Self::among(form, node, false)
    }

    pub(super) fn of(form: &'f MembersForm, node: &Node<'_>) -> Self {
        Self::among(form, node, true)
    }

    fn among(form: &'f MembersForm, node: &Node<'_>, optional: bool) -> Self {
        let mut there: u64 = 0;
        let mut unknown = Vec::new();
        for (place, member) in node.members().iter().enumerate() {
            match form.names.find(&member.key) {
                Some(at) => there |= 1 << at,
                None if unknown.len() < LOOKED_AT => unknown.push((place, &*member.key)),
                None => {}
            }
        }
        let mut found = Vec::new();
        if !optional && form.required & !there == 0 {
            return Self { found };
        }
        for (place, key) in unknown {
            let missing = |required: bool| {
                let wanted = move |at: usize| (form.required & (1 << at) != 0) == required && there & (1 << at) == 0;
                form.names.names().enumerate().filter(move |(at, _)| wanted(*at)).map(|(_, name)| name)
            };
            let required = nearest(key, missing(true)).or_else(|| shortened(key, missing(true)));
            let other = || if optional { nearest(key, missing(false)) } else { None };
            if let Some(name) = required.or_else(other) {
                found.push((key.to_owned(), place, name, required.is_some()));
            }
        }
        Self { found }
    }

    /// The required member that the key stands for.
    pub(super) fn stands_for(&self, key: &str) -> Option<&'f str> {
        self.found.iter().find(|(known, ..)| known == key).filter(|found| found.3).map(|found| found.2)
    }

    /// The member, required or not, that the key stands for.
    pub(super) fn meant(&self, key: &str) -> Option<&'f str> {
        self.found.iter().find(|(known, ..)| known == key).map(|found| found.2)
    }

    /// The place of the member that stands for a required one.
    pub(super) fn instead_of(&self, name: &str) -> Option<usize> {
        self.found.iter().find(|found| found.3 && found.2 == name).map(|found| found.1)
    }
}
