//! The bounds within which a checker works.

/// Bounds on what a checker reads and remembers.
///
/// Nothing is cut silently: what is forgotten, or no longer listed, is reported once in a stream,
/// and each event that is too large or too deep by itself.
///
/// Since 0.1.0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The nesting depth of an event, at most 1024. Default 128.
    pub depth: u16,
    /// The size of an event or a line, in bytes; a document, which is read whole, may have
    /// sixteen times as much. Default 16 MiB.
    pub event_bytes: usize,
    /// The size of an SSE frame, in bytes. Default 10 MiB.
    pub frame_bytes: usize,
    /// How many past ids, scopes and owners are remembered, of each kind. Default 65 536.
    pub history: usize,
    /// How much is kept of what events add to, in bytes: of the texts of messages and calls,
    /// and of states that patches change, each. Default 1 MiB.
    pub text_bytes: usize,
    /// The size beyond which a payload is reported, in UTF-16 code units of compact JSON.
    /// Default 32 000. The `reference` profile always uses the protocol's own bound.
    pub inline_units: usize,
    /// How many findings of one event or document are listed, and of errors twice as many.
    /// Default 1 000.
    pub findings: usize,
    /// How many findings of one stream are listed, and of errors twice as many; at least as
    /// many as of one event. Where no error would be listed any more, what follows is counted, and
    /// not looked at. Default 5 000.
    pub stream_findings: usize,
}

impl Limits {
    /// The defaults.
    pub const DEFAULT: Self = Self {
        depth: 128,
        event_bytes: 16 * 1024 * 1024,
        frame_bytes: 10 * 1024 * 1024,
        history: 65_536,
        text_bytes: 1024 * 1024,
        inline_units: 32_000,
        findings: 1000,
        stream_findings: 5000,
    };

    /// These limits with another depth.
    #[must_use]
    pub const fn with_depth(mut self, depth: u16) -> Self {
        self.depth = depth;
        self
    }

    /// These limits with another size of an event, in bytes.
    #[must_use]
    pub const fn with_event_bytes(mut self, bytes: usize) -> Self {
        self.event_bytes = bytes;
        self
    }

    /// These limits with another size of an SSE frame, in bytes.
    #[must_use]
    pub const fn with_frame_bytes(mut self, bytes: usize) -> Self {
        self.frame_bytes = bytes;
        self
    }

    /// These limits with another size of kept texts and states, in bytes.
    #[must_use]
    pub const fn with_text_bytes(mut self, bytes: usize) -> Self {
        self.text_bytes = bytes;
        self
    }

    /// These limits with another size from which payloads are reported, in UTF-16 code units.
    #[must_use]
    pub const fn with_inline_units(mut self, units: usize) -> Self {
        self.inline_units = units;
        self
    }

    /// These limits with another number of findings of an event.
    #[must_use]
    pub const fn with_findings(mut self, findings: usize) -> Self {
        self.findings = findings;
        self
    }

    /// These limits with another number of findings of a stream.
    #[must_use]
    pub const fn with_stream_findings(mut self, findings: usize) -> Self {
        self.stream_findings = findings;
        self
    }

    /// These limits with another number of remembered ids.
    #[must_use]
    pub const fn with_history(mut self, entries: usize) -> Self {
        self.history = entries;
        self
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}
