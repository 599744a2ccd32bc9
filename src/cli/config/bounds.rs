//! The bounds that `[limits]` sets.

use toml::Spanned;

use super::file;
use crate::check::Limits;

/// A bound, and how it is set.
pub(super) struct Limit {
    pub(super) key: &'static str,
    pub(super) get: fn(&Limits) -> usize,
    pub(super) set: fn(&mut Limits, usize),
    pub(super) written: fn(&file::Limits) -> Option<&Spanned<i64>>,
    pub(super) most: usize,
}

pub(super) const LIMITS: &[Limit] = &[
    Limit {
        key: "depth",
        get: |limits| limits.depth.into(),
        set: |limits, depth| limits.depth = depth as u16,
        written: |limits| limits.depth.as_ref(),
        most: 1024,
    },
    Limit {
        key: "event-bytes",
        get: |limits| limits.event_bytes,
        set: |limits, bytes| limits.event_bytes = bytes,
        written: |limits| limits.event_bytes.as_ref(),
        most: usize::MAX,
    },
    Limit {
        key: "frame-bytes",
        get: |limits| limits.frame_bytes,
        set: |limits, bytes| limits.frame_bytes = bytes,
        written: |limits| limits.frame_bytes.as_ref(),
        most: usize::MAX,
    },
    Limit {
        key: "history",
        get: |limits| limits.history,
        set: |limits, entries| limits.history = entries,
        written: |limits| limits.history.as_ref(),
        most: usize::MAX,
    },
    Limit {
        key: "text-bytes",
        get: |limits| limits.text_bytes,
        set: |limits, bytes| limits.text_bytes = bytes,
        written: |limits| limits.text_bytes.as_ref(),
        most: usize::MAX,
    },
    Limit {
        key: "inline-units",
        get: |limits| limits.inline_units,
        set: |limits, units| limits.inline_units = units,
        written: |limits| limits.inline_units.as_ref(),
        most: usize::MAX,
    },
    Limit {
        key: "findings",
        get: |limits| limits.findings,
        set: |limits, findings| limits.findings = findings,
        written: |limits| limits.findings.as_ref(),
        most: usize::MAX,
    },
    Limit {
        key: "stream-findings",
        get: |limits| limits.stream_findings,
        set: |limits, findings| limits.stream_findings = findings,
        written: |limits| limits.stream_findings.as_ref(),
        most: usize::MAX,
    },
];
