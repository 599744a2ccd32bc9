//! How much may be done for a stream, by what it has sent.

/// Why an operation was not carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// It does not apply.
    Failed,
    /// What it does is not known, as of an operation that the standard does not have.
    Unclear,
    /// It would take more than the bounds allow.
    GivenUp,
}

/// What may still be done, about a nanosecond each. Every byte that comes allows for some
/// more, so that a stream of small patches to a large state cannot keep a checker busy.
#[derive(Debug)]
pub(super) struct Work {
    left: usize,
}

/// Enough for some hundred patches in the middle of long lists, and to take a value of the
/// largest size apart.
const AT_FIRST: usize = 8_000_000;

/// What a byte allows for.
const A_BYTE: usize = 8;

/// What it takes to read a byte of a value that is taken apart, and to pass a node of one.
pub(super) const READ: usize = 2;
pub(super) const NODE: usize = 16;

impl Work {
    pub(super) const fn new() -> Self {
        Self { left: AT_FIRST }
    }

    /// Notes how many bytes have come, and allows work for them.
    pub(super) fn earn(&mut self, bytes: usize) {
        self.left = self.left.saturating_add(bytes.saturating_mul(A_BYTE)).min(AT_FIRST);
    }

    pub(super) fn spend(&mut self, work: usize) -> Result<(), Stop> {
        self.left = self.left.checked_sub(work).ok_or(Stop::GivenUp)?;
        Ok(())
    }
}
