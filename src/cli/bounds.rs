//! The bounds that users set: `[limits]` of a configuration, and `limits` of a fixture.

use super::names::meant;
use crate::check::Limits;
use crate::safe::show;

/// A bound, and how it is set.
pub(super) struct Bound {
    /// Its name in a configuration.
    pub(super) key: &'static str,
    /// Its name in a fixture.
    member: &'static str,
    pub(super) get: fn(&Limits) -> usize,
    put: fn(&mut Limits, usize),
    most: usize,
}

macro_rules! bound {
    ($key:literal, $member:literal, $field:ident: $of:ty, $most:expr) => {
        Bound {
            key: $key,
            member: $member,
            get: |limits| limits.$field as usize,
            put: |limits, number| limits.$field = number as $of,
            most: $most,
        }
    };
}

pub(super) const BOUNDS: &[Bound] = &[
    bound!("depth", "depth", depth: u16, 1024),
    bound!("event-bytes", "eventBytes", event_bytes: usize, usize::MAX),
    bound!("frame-bytes", "frameBytes", frame_bytes: usize, usize::MAX),
    bound!("history", "history", history: usize, usize::MAX),
    bound!("text-bytes", "textBytes", text_bytes: usize, usize::MAX),
    bound!("inline-units", "inlineUnits", inline_units: usize, usize::MAX),
    bound!("findings", "findings", findings: usize, usize::MAX),
    bound!("stream-findings", "streamFindings", stream_findings: usize, usize::MAX),
];

impl Bound {
    /// The bound of that name in a configuration.
    pub(super) fn of_key(key: &str) -> Result<&'static Self, String> {
        Self::named(key, |bound| bound.key)
    }

    /// The bound of that name in a fixture.
    pub(super) fn of_member(member: &str) -> Result<&'static Self, String> {
        Self::named(member, |bound| bound.member)
    }

    fn named(written: &str, name: fn(&Self) -> &'static str) -> Result<&'static Self, String> {
        let unknown = || {
            let known: Vec<&str> = BOUNDS.iter().map(name).collect();
            format!("there is no key `{}` here{}", show(written), meant(written, &known))
        };
        BOUNDS.iter().find(|bound| name(bound) == written).ok_or_else(unknown)
    }

    /// Sets it to a number that it may be.
    pub(super) fn set(&self, limits: &mut Limits, number: i64) -> Result<(), String> {
        (self.put)(limits, counted(number, 1, self.most)?);
        Ok(())
    }
}

/// A number that is not too small and not too large.
pub(super) fn counted(number: i64, least: usize, most: usize) -> Result<usize, String> {
    let found = usize::try_from(number).ok().filter(|number| (least..=most).contains(number));
    found.ok_or_else(|| match most {
        usize::MAX => format!("the number has to be {least} or more"),
        most => format!("the number has to be between {least} and {most}"),
    })
}
