//! Where the escapes of a string begin, and what they stand before, 64 bytes at a time.

use crate::simd::{Kind, Narrow, Sixteen, Vector, Width, block};

/// Which of 64 bytes are escaped: they stand behind a backslash that is not itself escaped.
/// `carry` is 1 if the first byte is, and afterwards if the first one of the next 64 is.
#[inline(always)]
pub(crate) fn escaped(slashes: u64, carry: &mut u64) -> u64 {
    const EVEN: u64 = u64::MAX / 3;
    if slashes == 0 {
        return std::mem::take(carry);
    }
    let slashes = slashes & !*carry;
    let behind = slashes << 1 | *carry;
    // A sum carries through each row of backslashes, and shows whether its end is odd.
    let (ends, over) = (slashes & !EVEN & !behind).overflowing_add(slashes);
    *carry = u64::from(over);
    (EVEN ^ ends << 1) & behind
}

/// Where the backslashes stand that begin an escape, one after another.
pub(crate) struct Escapes<'a> {
    bytes: &'a [u8],
    /// The next 64 bytes to look at.
    next: usize,
    /// Those in the 64 bytes before that have not been given yet.
    bits: u64,
    carry: u64,
}

impl<'a> Escapes<'a> {
    #[inline]
    pub(crate) fn of(bytes: &'a [u8]) -> Self {
        Self { bytes, next: 0, bits: 0, carry: 0 }
    }

    /// Looks at the next 64 bytes; false if there are none.
    #[inline(always)]
    fn read(&mut self) -> bool {
        if self.next >= self.bytes.len() {
            return false;
        }
        let slashes = match self.bytes.get(self.next..) {
            Some(rest) if rest.len() <= 16 => Sixteen::of_short(rest).is(b'\\').bits(),
            _ => Narrow.of(block(self.bytes, self.next).bytes()).is(b'\\').bits(),
        };
        self.bits = slashes & !escaped(slashes, &mut self.carry);
        self.next += 64;
        true
    }
}

impl Iterator for Escapes<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        while self.bits == 0 {
            if !self.read() {
                return None;
            }
        }
        let at = self.next - 64 + self.bits.trailing_zeros() as usize;
        self.bits &= self.bits - 1;
        Some(at)
    }

    /// All at once, with nothing kept between two of them.
    #[inline(always)]
    fn fold<A, F: FnMut(A, usize) -> A>(mut self, first: A, mut take: F) -> A {
        let mut all = first;
        loop {
            while self.bits != 0 {
                all = take(all, self.next - 64 + self.bits.trailing_zeros() as usize);
                self.bits &= self.bits - 1;
            }
            if !self.read() {
                return all;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 4 } else { 2000 }))]

        #[test]
        fn escapes_are_told_byte_by_byte(text in "[\\\\a]{0,200}|(\\\\{60,70}a){0,3}") {
            let mut plainly = vec![false; text.len() + 64];
            let mut at = 0;
            while at < text.len() {
                let escapes = text.as_bytes()[at] == b'\\';
                plainly[at + 1] = escapes;
                at += 1 + usize::from(escapes);
            }
            let begin = |at: &usize| text.as_bytes()[*at] == b'\\' && !plainly[*at];
            prop_assert_eq!(
                Escapes::of(text.as_bytes()).collect::<Vec<_>>(),
                (0..text.len()).filter(begin).collect::<Vec<_>>()
            );
            let mut carry = 0;
            for from in (0..text.len()).step_by(64) {
                let block = block(text.as_bytes(), from);
                let escaped = escaped(Narrow.of(block.bytes()).is(b'\\').bits(), &mut carry);
                let expected = (0..64).map(|at| u64::from(plainly[from + at]) << at).sum::<u64>();
                prop_assert_eq!(escaped, expected, "{} {}", text, from);
            }
        }
    }
}
