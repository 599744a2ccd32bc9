//! How much is remembered.

/// How much a converter remembers beside messages, in bytes: ids, results that came early,
/// what the user is asked.
const BYTES: usize = 64 * 1024 * 1024;

/// What a thing takes beside its texts, in bytes.
pub(super) const THING: usize = 256;

/// How many bytes are left.
#[derive(Clone)]
pub(super) struct Room(usize);

impl Default for Room {
    fn default() -> Self {
        Self(BYTES)
    }
}

impl Room {
    /// Whether there is room for so many bytes, which are taken.
    pub(super) const fn take(&mut self, bytes: usize) -> bool {
        let fits = bytes <= self.0;
        if fits {
            self.0 -= bytes;
        }
        fits
    }

    pub(super) const fn give_back(&mut self, bytes: usize) {
        self.0 = self.0.saturating_add(bytes);
    }
}
