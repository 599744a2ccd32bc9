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

pub(super) const BOUNDS: &[Bound] = &[
    Bound {
        key: "depth",
        member: "depth",
        get: |limits| limits.depth.into(),
        put: |limits, depth| limits.depth = depth as u16,
        most: 1024,
    },
    Bound {
        key: "event-bytes",
        member: "eventBytes",
        get: |limits| limits.event_bytes,
        put: |limits, bytes| limits.event_bytes = bytes,
        most: usize::MAX,
    },
    Bound {
        key: "frame-bytes",
        member: "frameBytes",
        get: |limits| limits.frame_bytes,
        put: |limits, bytes| limits.frame_bytes = bytes,
        most: usize::MAX,
    },
    Bound {
        key: "history",
        member: "history",
        get: |limits| limits.history,
        put: |limits, entries| limits.history = entries,
        most: usize::MAX,
    },
    Bound {
        key: "text-bytes",
        member: "textBytes",
        get: |limits| limits.text_bytes,
        put: |limits, bytes| limits.text_bytes = bytes,
        most: usize::MAX,
    },
    Bound {
        key: "inline-units",
        member: "inlineUnits",
        get: |limits| limits.inline_units,
        put: |limits, units| limits.inline_units = units,
        most: usize::MAX,
    },
    Bound {
        key: "findings",
        member: "findings",
        get: |limits| limits.findings,
        put: |limits, findings| limits.findings = findings,
        most: usize::MAX,
    },
    Bound {
        key: "stream-findings",
        member: "streamFindings",
        get: |limits| limits.stream_findings,
        put: |limits, findings| limits.stream_findings = findings,
        most: usize::MAX,
    },
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
