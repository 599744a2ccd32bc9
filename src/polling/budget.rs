//! How much is kept, in bytes.

/// What a thing such as a message, a block or a tool takes beside its texts, in bytes.
pub(super) const THING: usize = 256;

/// What an entry of a map takes beside its texts, in bytes.
pub(super) const ENTRY: usize = 128;

/// How many bytes are left.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Budget {
    left: usize,
    exceeded: bool,
}

impl Budget {
    pub(super) const fn new(bytes: usize) -> Self {
        Self { left: bytes, exceeded: false }
    }

    /// Whether anything was left out by now.
    pub(super) const fn is_exceeded(&self) -> bool {
        self.exceeded
    }

    /// Notes that something was left out.
    pub(super) const fn exceed(&mut self) {
        self.exceeded = true;
    }

    /// Whether there is room for so many bytes, which are taken.
    pub(super) const fn take(&mut self, bytes: usize) -> bool {
        self.swap(0, bytes)
    }

    /// Whether there is room for `new` bytes in the place of `old`.
    pub(super) const fn swap(&mut self, old: usize, new: usize) -> bool {
        let left = self.left.saturating_add(old);
        if new <= left {
            self.left = left - new;
        } else {
            self.exceeded = true;
        }
        new <= left
    }

    pub(super) const fn give_back(&mut self, bytes: usize) {
        self.left = self.left.saturating_add(bytes);
    }
}
