//! Bounded memory of the past: ids as keyed hashes, the oldest forgotten first.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasher, BuildHasherDefault, Hash, Hasher};

use foldhash::quality::RandomState;

/// Turns ids into 64-bit keys that nobody outside can make collide.
#[derive(Clone, Debug, Default)]
pub(crate) struct Keys(RandomState);

impl Keys {
    pub(crate) fn of(&self, id: impl Hash) -> u64 {
        self.0.hash_one(id)
    }

    /// For a key of several parts.
    #[inline]
    pub(crate) fn begin(&self) -> impl Hasher {
        self.0.build_hasher()
    }
}

/// A map by keys, which are not hashed again.
pub(crate) type ByKey<V> = HashMap<u64, V, BuildHasherDefault<KeyHasher>>;

/// Empties a map. Clearing a large one costs as much as going through it, however little is in it.
pub(crate) fn clear<V>(map: &mut ByKey<V>) {
    if map.capacity() > LONG {
        *map = ByKey::default();
    } else {
        map.clear();
    }
}

/// The keys are hashes already.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {}

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

/// From so many keys on a map grows to four times its size rather than twice: moving them is expensive.
const LONG: usize = 448;

/// A map from keys to values that holds at most `bound` of them.
#[derive(Clone, Debug)]
pub(crate) struct Bounded<V> {
    map: ByKey<V>,
    /// Keys by age, a ring once full.
    ring: Vec<u64>,
    next: usize,
    bound: usize,
    overflowed: bool,
}

impl<V> Default for Bounded<V> {
    /// Room for one, until it is set to its bound.
    fn default() -> Self {
        Self::new(1)
    }
}

impl<V> Bounded<V> {
    pub(crate) fn new(bound: usize) -> Self {
        Self { map: ByKey::default(), ring: Vec::new(), next: 0, bound: bound.max(1), overflowed: false }
    }

    pub(crate) fn get(&self, key: u64) -> Option<&V> {
        self.map.get(&key)
    }

    pub(crate) fn contains(&self, key: u64) -> bool {
        self.map.contains_key(&key)
    }

    pub(crate) fn get_mut(&mut self, key: u64) -> Option<&mut V> {
        self.map.get_mut(&key)
    }

    /// Sets the value of `key` and gives the one before.
    pub(crate) fn insert(&mut self, key: u64, value: V) -> Option<V> {
        let before = self.map.insert(key, value);
        if before.is_none() {
            self.grow_older(key);
        }
        before
    }

    /// The value that `key` has; if it has none, it gets this one.
    pub(crate) fn recall(&mut self, key: u64, value: V) -> Option<V>
    where
        V: Copy,
    {
        match self.map.entry(key) {
            Entry::Occupied(known) => return Some(*known.get()),
            Entry::Vacant(vacant) => vacant.insert(value),
        };
        self.grow_older(key);
        None
    }

    /// Takes a new key into the ring. If the ring is full, the oldest key is forgotten.
    #[expect(clippy::indexing_slicing, reason = "`next` is a place of the ring, which is full")]
    fn grow_older(&mut self, key: u64) {
        if self.ring.len() < self.bound {
            self.ring.push(key);
            let (length, room) = (self.map.len(), self.map.capacity());
            if self.ring.len() == self.bound {
                // With room for twice as many, coming and going never allocates.
                self.map.reserve(self.bound + 2);
            } else if length == room && length >= LONG {
                self.map.reserve((3 * length).min(self.bound - self.ring.len()));
            }
        } else {
            let oldest = std::mem::replace(&mut self.ring[self.next], key);
            self.next = (self.next + 1) % self.bound;
            if self.map.remove(&oldest).is_some() {
                self.overflowed = true;
            }
        }
    }

    /// Sets the value of a key that is not there, and gives what is forgotten for it, with its key.
    pub(crate) fn insert_new(&mut self, key: u64, value: V) -> Option<(u64, V)> {
        let oldest = self.ring.get(self.next).copied().filter(|_| self.ring.len() == self.bound);
        let forgotten = oldest.and_then(|oldest| self.map.remove_entry(&oldest));
        self.overflowed |= forgotten.is_some();
        self.insert(key, value);
        forgotten
    }

    /// Whether a new key fits without another being forgotten.
    pub(crate) const fn has_room(&self) -> bool {
        self.ring.len() < self.bound
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.map.len()
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = &V> {
        self.map.values()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (u64, &V)> {
        self.map.iter().map(|(key, value)| (*key, value))
    }

    pub(crate) fn clear(&mut self) {
        clear(&mut self.map);
        self.ring.clear();
        self.next = 0;
    }

    /// Whether something was forgotten since this was last asked.
    pub(crate) fn take_overflow(&mut self) -> bool {
        std::mem::take(&mut self.overflowed)
    }
}

/// What is open now, at most `bound` entries: when full, nothing more is taken in.
#[derive(Clone, Debug)]
pub(crate) struct Open<V> {
    map: ByKey<V>,
    bound: usize,
    overflowed: bool,
}

impl<V> Open<V> {
    pub(crate) fn new(bound: usize) -> Self {
        Self { map: ByKey::default(), bound, overflowed: false }
    }

    pub(crate) fn get(&self, key: u64) -> Option<&V> {
        self.map.get(&key)
    }

    pub(crate) fn contains(&self, key: u64) -> bool {
        self.map.contains_key(&key)
    }

    pub(crate) fn insert(&mut self, key: u64, value: V) {
        if self.map.len() < self.bound || self.map.contains_key(&key) {
            self.map.insert(key, value);
        } else {
            self.overflowed = true;
        }
    }

    pub(crate) fn clear(&mut self) {
        clear(&mut self.map);
    }

    /// Whether something was refused since this was last asked.
    pub(crate) fn take_overflow(&mut self) -> bool {
        std::mem::take(&mut self.overflowed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_goes_first() {
        let mut past = Bounded::new(2);
        for key in [1, 2, 3] {
            assert_eq!(past.insert(key, ()), None);
        }
        assert!(past.take_overflow() && !past.take_overflow());
        assert!(!past.contains(1) && past.contains(2) && past.contains(3));
    }

    #[test]
    fn what_is_known_is_recalled() {
        let mut past = Bounded::new(2);
        assert_eq!((past.recall(1, 'a'), past.recall(1, 'b'), past.recall(2, 'c')), (None, Some('a'), None));
        assert!(!past.take_overflow(), "two are within the bound");
        assert_eq!((past.insert(1, 'd'), past.len()), (Some('a'), 2));
        assert!(!past.take_overflow(), "no key was new");
        assert_eq!((past.recall(3, 'e'), past.get(1), past.get(2)), (None, None, Some(&'c')));
        assert!(past.take_overflow());
        assert_eq!((past.insert_new(4, 'f'), past.get(3)), (Some((2, 'c')), Some(&'e')));
        assert_eq!((past.insert_new(5, 'g'), past.get(4)), (Some((3, 'e')), Some(&'f')));
        assert!(past.take_overflow());
        past.clear();
        assert!(past.is_empty());
        assert_eq!((past.insert(6, 'h'), past.insert(7, 'i')), (None, None));
        assert!(!past.take_overflow(), "there is room for two again");
        past.insert(8, 'j');
        assert!(!past.contains(6) && past.contains(7), "the oldest is the first of them");
    }

    #[test]
    fn what_is_open_is_not_pushed_out() {
        let mut open = Open::new(2);
        for key in [1, 2, 1] {
            open.insert(key, key);
        }
        assert!(!open.take_overflow());
        open.insert(3, 3);
        assert!(open.contains(1) && open.contains(2) && !open.contains(3));
        assert!(open.take_overflow() && !open.take_overflow());
        open.clear();
        open.insert(3, 3);
        assert_eq!(open.get(3), Some(&3));
    }
}
