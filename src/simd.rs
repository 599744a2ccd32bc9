//! Many bytes at once: which of them are of a kind, a bit each.

#[cfg(target_arch = "x86_64")]
use native as inner;
#[cfg(not(target_arch = "x86_64"))]
use plain as inner;

/// Sixteen bytes, or for each of sixteen bytes whether it is of some kind.
#[derive(Clone, Copy)]
pub(crate) struct Vector(inner::Inner);

impl Vector {
    #[inline(always)]
    pub(crate) fn of(bytes: &[u8; 16]) -> Self {
        Self(inner::of(bytes))
    }

    /// The bytes that are `byte`, which is ASCII.
    #[inline(always)]
    pub(crate) fn is(self, byte: u8) -> Self {
        Self(inner::is(self.0, byte))
    }

    /// The bytes from `low` to `high`, which are ASCII.
    #[inline(always)]
    pub(crate) fn within(self, low: u8, high: u8) -> Self {
        Self(inner::within(self.0, low, high))
    }

    /// Every byte with these bits set.
    #[inline(always)]
    pub(crate) fn with(self, bits: u8) -> Self {
        Self(inner::or(self.0, inner::all(bits)))
    }

    /// What is of the one kind or of the other.
    #[inline(always)]
    pub(crate) fn or(self, other: Self) -> Self {
        Self(inner::or(self.0, other.0))
    }

    /// What is of both kinds.
    #[inline(always)]
    pub(crate) fn and(self, other: Self) -> Self {
        Self(inner::and(self.0, other.0))
    }

    /// A bit for each byte that is of the kind, the first the lowest.
    #[inline(always)]
    pub(crate) fn bits(self) -> u64 {
        inner::bits(self.0)
    }
}

#[cfg(target_arch = "x86_64")]
mod native {
    use safe_arch::{
        bitand_m128i, bitor_m128i, cmp_eq_mask_i8_m128i, load_unaligned_m128i, m128i, min_u8_m128i, move_mask_i8_m128i,
        set_splat_i8_m128i, sub_i8_m128i,
    };

    pub(super) type Inner = m128i;

    #[inline(always)]
    pub(super) fn of(bytes: &[u8; 16]) -> Inner {
        load_unaligned_m128i(bytes)
    }

    #[inline(always)]
    pub(super) fn all(byte: u8) -> Inner {
        set_splat_i8_m128i(byte.cast_signed())
    }

    #[inline(always)]
    pub(super) fn is(vector: Inner, byte: u8) -> Inner {
        cmp_eq_mask_i8_m128i(vector, all(byte))
    }

    #[inline(always)]
    pub(super) fn within(vector: Inner, low: u8, high: u8) -> Inner {
        let above = if low == 0 { vector } else { sub_i8_m128i(vector, all(low)) };
        cmp_eq_mask_i8_m128i(min_u8_m128i(above, all(high - low)), above)
    }

    #[inline(always)]
    pub(super) fn or(one: Inner, other: Inner) -> Inner {
        bitor_m128i(one, other)
    }

    #[inline(always)]
    pub(super) fn and(one: Inner, other: Inner) -> Inner {
        bitand_m128i(one, other)
    }

    #[inline(always)]
    pub(super) fn bits(vector: Inner) -> u64 {
        u64::from(move_mask_i8_m128i(vector).cast_unsigned())
    }
}

/// The same in one large number; of a kind is what has its high bit set.
#[cfg(any(test, not(target_arch = "x86_64")))]
mod plain {
    pub(super) type Inner = u128;

    const ONES: u128 = u128::MAX / 0xFF;
    const HIGH: u128 = ONES * 0x80;

    #[inline(always)]
    pub(super) fn of(bytes: &[u8; 16]) -> Inner {
        u128::from_le_bytes(*bytes)
    }

    #[inline(always)]
    pub(super) fn all(byte: u8) -> Inner {
        ONES * u128::from(byte)
    }

    // No sum carries over, since the high bit of each byte is taken out before.
    #[inline(always)]
    pub(super) fn is(vector: Inner, byte: u8) -> Inner {
        !((((vector & !HIGH) ^ all(byte)) + !HIGH) | vector) & HIGH
    }

    #[inline(always)]
    pub(super) fn within(vector: Inner, low: u8, high: u8) -> Inner {
        let at_least = |byte: u8| (vector & !HIGH) + all(0x80 - byte);
        at_least(low) & !at_least(high + 1) & !vector & HIGH
    }

    #[inline(always)]
    pub(super) fn or(one: Inner, other: Inner) -> Inner {
        one | other
    }

    #[inline(always)]
    pub(super) fn and(one: Inner, other: Inner) -> Inner {
        one & other
    }

    #[inline(always)]
    pub(super) fn bits(vector: Inner) -> u64 {
        // The product brings the bit of byte n of eight to bit 56 + n.
        let gather = |half: u64| (half >> 7 & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        gather(vector as u64) | gather((vector >> 64) as u64) << 8
    }
}

/// Of 16, 32, 48 or 64 bytes, a bit for each that is of a kind.
#[inline(always)]
pub(crate) fn bits<const BYTES: usize>(bytes: &[u8; BYTES], kind: impl Fn(Vector) -> Vector) -> u64 {
    let (vectors, _) = bytes.as_chunks();
    vectors.iter().rev().fold(0, |all, vector| all << 16 | kind(Vector::of(vector)).bits())
}

/// The 64 bytes at `at`; zeros where the text ends before.
#[inline(always)]
pub(crate) fn block(bytes: &[u8], at: usize) -> Block<'_> {
    match bytes.get(at..).and_then(<[u8]>::first_chunk) {
        Some(whole) => Block::Whole(whole),
        None => Block::Last(last(bytes, at)),
    }
}

/// See [`block`].
pub(crate) enum Block<'a> {
    Whole(&'a [u8; 64]),
    Last([u8; 64]),
}

impl Block<'_> {
    #[inline(always)]
    pub(crate) fn bytes(&self) -> &[u8; 64] {
        match self {
            Self::Whole(bytes) => bytes,
            Self::Last(bytes) => bytes,
        }
    }
}

#[inline(never)]
fn last(bytes: &[u8], at: usize) -> [u8; 64] {
    let mut block = [0; 64];
    let rest = bytes.get(at..).unwrap_or_default();
    if let Some(begin) = block.get_mut(..rest.len()) {
        begin.copy_from_slice(rest);
    }
    block
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 4 } else { 2000 }))]

        #[test]
        fn kinds_are_told_byte_by_byte(
            bytes in any::<[u8; 16]>(),
            near in "[ -~]{16}",
            byte in 0_u8..0x80,
            ends in (0_u8..0x7F, 0_u8..0x7F),
            bits in any::<u8>(),
        ) {
            let (low, high) = (ends.0.min(ends.1), ends.0.max(ends.1));
            for bytes in [bytes, near.as_bytes().try_into().unwrap()] {
                let plainly = |kind: &dyn Fn(u8) -> bool| {
                    bytes.iter().enumerate().map(|(at, byte)| u64::from(kind(*byte)) << at).sum::<u64>()
                };
                let vector = Vector::of(&bytes);
                prop_assert_eq!(vector.is(byte).bits(), plainly(&|other| other == byte));
                prop_assert_eq!(vector.within(low, high).bits(), plainly(&|other| (low..=high).contains(&other)));
                prop_assert_eq!(vector.with(bits).is(byte).bits(), plainly(&|other| other | bits == byte));
                let other = plain::of(&bytes);
                prop_assert_eq!(plain::bits(plain::is(other, byte)), vector.is(byte).bits());
                prop_assert_eq!(plain::bits(plain::within(other, low, high)), vector.within(low, high).bits());
                let with = plain::or(other, plain::all(bits));
                prop_assert_eq!(plain::bits(plain::is(with, byte)), vector.with(bits).is(byte).bits());
                let both = plain::and(plain::within(other, low, high), plain::is(with, byte));
                prop_assert_eq!(plain::bits(both), vector.within(low, high).and(vector.with(bits).is(byte)).bits());
            }
        }
    }
}
