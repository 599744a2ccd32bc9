//! Letters and digits in a row: nearly no text has many of them, and every token does.

use crate::simd::{Kind, Narrow, Vector, Width, block};

/// How many letters, digits and such in a row make a run.
pub(crate) const RUN: usize = 15;

/// Letters, digits, and what encodings of bytes have beside them.
#[expect(clippy::indexing_slicing, reason = "the loop ends at the length of the table")]
const IN_RUN: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = (byte as u8).is_ascii_alphanumeric() || matches!(byte as u8, b'-' | b'_' | b'+' | b'=');
        byte += 1;
    }
    table
};

#[expect(clippy::indexing_slicing, reason = "the table has a place for each byte")]
pub(crate) const fn is_in_run(byte: u8) -> bool {
    IN_RUN[byte as usize]
}

/// The same of sixteen bytes.
#[inline(always)]
pub(crate) fn in_run<V: Vector>(vector: V) -> V::Kind {
    // `-` and `=` differ in one bit.
    let others = vector.is(b'_').or(vector.is(b'+')).or(vector.with(0x10).is(b'='));
    vector.with(0x20).within(b'a', b'z').or(vector.within(b'0', b'9')).or(others)
}

/// The first run that ends behind `from`. Looks at every so-many-th byte: a run covers one
/// of them.
#[expect(clippy::indexing_slicing, reason = "`at` and `from` stand within the text")]
#[inline]
pub(super) fn next_run(bytes: &[u8], from: usize) -> Option<(usize, usize)> {
    let mut at = from + RUN - 1;
    while let Some(byte) = bytes.get(at) {
        if IN_RUN[usize::from(*byte)] {
            let end = run_end(bytes, at);
            let start = at - bytes[from..at].iter().rev().take_while(|byte| IN_RUN[usize::from(**byte)]).count();
            if end - start >= RUN {
                return Some((start, end));
            }
            at = end;
        }
        at += RUN;
    }
    None
}

/// Where the run ends that has come up to `at`.
fn run_end(bytes: &[u8], mut at: usize) -> usize {
    loop {
        let more = in_run(Narrow.of(block(bytes, at).bytes())).bits().trailing_ones() as usize;
        at += more;
        if more < 64 {
            return at;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Sixteen;

    #[test]
    fn sixteen_bytes_are_in_a_run_as_one_is() {
        for byte in 0..=u8::MAX {
            assert_eq!(in_run(Sixteen::of(&[byte; 16])).bits() == 0xFFFF, IN_RUN[usize::from(byte)], "{byte}");
        }
    }
}
