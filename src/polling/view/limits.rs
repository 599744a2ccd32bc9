//! The bounds within which a view works.

use crate::check::limits::limits;

limits! {
    /// Bounds on what a view keeps.
    ///
    /// What does not fit is left out, and [`TaskView::is_truncated`](super::TaskView::is_truncated)
    /// says so from then on. What is there stays, and what needs no room, such as the end of the
    /// task and the status of a tool, is taken all the same. A view may take about twice the bytes,
    /// since texts grow ahead.
    ///
    /// Since 0.1.0. Source: this crate; the documentation has no limit.
    pub struct ViewLimits {
        /// How much is kept, in bytes: texts, values and ids, and up to 256 bytes for each thing
        /// that has them. Default 64 MiB.
        bytes: usize = 64 * 1024 * 1024,
        /// How many messages are kept; later ones are left out. Default 20 000.
        messages: usize = 20_000,
        /// How many approvals, plans and questions wait, of each; the oldest are left out.
        /// As many that are resolved are remembered. Default 1024.
        pending: usize = 1024,
    }
}
