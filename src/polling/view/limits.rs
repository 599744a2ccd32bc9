//! The bounds within which a view works.

/// Bounds on what a view keeps.
///
/// What does not fit is left out, and [`TaskView::is_truncated`](super::TaskView::is_truncated)
/// says so from then on. What is there stays, and what needs no room, such as the end of the
/// task and the status of a tool, is taken all the same. A view may take about twice the bytes,
/// since texts grow ahead.
///
/// Since 0.1.0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ViewLimits {
    /// How much is kept, in bytes: texts, values and ids, and up to 256 bytes for each thing
    /// that has them. Default 64 MiB.
    pub bytes: usize,
    /// How many messages are kept; later ones are left out. Default 20 000.
    pub messages: usize,
    /// How many approvals, plans and questions wait, of each; the oldest are left out.
    /// As many that are resolved are remembered. Default 1024.
    pub pending: usize,
}

impl ViewLimits {
    /// The defaults.
    pub const DEFAULT: Self = Self { bytes: 64 * 1024 * 1024, messages: 20_000, pending: 1024 };

    /// These limits with another size of what is kept, in bytes.
    #[must_use]
    pub const fn with_bytes(mut self, bytes: usize) -> Self {
        self.bytes = bytes;
        self
    }

    /// These limits with another number of messages.
    #[must_use]
    pub const fn with_messages(mut self, messages: usize) -> Self {
        self.messages = messages;
        self
    }

    /// These limits with another number of approvals, plans and questions.
    #[must_use]
    pub const fn with_pending(mut self, pending: usize) -> Self {
        self.pending = pending;
        self
    }
}

impl Default for ViewLimits {
    fn default() -> Self {
        Self::DEFAULT
    }
}
