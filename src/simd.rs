//! Many bytes at once: which of them are of a kind, a bit each.
//!
//! Every processor takes sixteen bytes a step, which is enough for short strings. What reads long texts is compiled
//! a second time for processors that take thirty-two, and [`widest`] chooses.

#[cfg(target_arch = "x86_64")]
use native as inner;
#[cfg(not(target_arch = "x86_64"))]
use plain as inner;

#[cfg(target_arch = "x86_64")]
pub(crate) use wide::wide;

/// Here there is nothing wider.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
pub(crate) const fn wide() -> Option<Narrow> {
    None
}

/// Bytes side by side.
pub(crate) trait Vector: Copy {
    type Kind: Kind;

    /// The bytes that are `byte`, which is ASCII.
    fn is(self, byte: u8) -> Self::Kind;

    /// The bytes from `low` to `high`, which are ASCII.
    fn within(self, low: u8, high: u8) -> Self::Kind;

    /// Every byte with these bits set.
    fn with(self, bits: u8) -> Self;
}

/// For each of some bytes, whether it is of a kind.
pub(crate) trait Kind: Copy {
    /// What is of the one kind or of the other.
    fn or(self, other: Self) -> Self;

    /// What is of both kinds.
    fn and(self, other: Self) -> Self;

    /// A bit for each byte that is of the kind, the first the lowest.
    fn bits(self) -> u64;
}

/// What takes 64 bytes, in as many steps as the processor needs.
pub(crate) trait Width: Copy {
    type Vector: Vector;

    fn of(self, bytes: &[u8; 64]) -> Self::Vector;
}

/// Sixteen bytes.
#[derive(Clone, Copy)]
pub(crate) struct Sixteen(inner::Inner);

impl Sixteen {
    #[inline(always)]
    pub(crate) fn of(bytes: &[u8; 16]) -> Self {
        Self(inner::of(bytes))
    }

    /// The bytes that are the same in both.
    #[inline(always)]
    pub(crate) fn is_as(self, other: Self) -> Self {
        Self(inner::same(self.0, other.0))
    }

    /// At most sixteen bytes, with zeros behind them.
    #[expect(clippy::indexing_slicing, reason = "what is shorter than four bytes has the three that are asked for")]
    #[inline(always)]
    pub(crate) fn of_short(bytes: &[u8]) -> Self {
        let length = bytes.len();
        // Two parts that overlap: a byte that is in both is the same in both.
        let both = |one: u64, two: u64, part: usize| u128::from(one) | u128::from(two) << (8 * (length - part));
        let padded = match (bytes.first_chunk(), bytes.last_chunk(), bytes.first_chunk(), bytes.last_chunk()) {
            (Some(one), Some(two), ..) => both(u64::from_le_bytes(*one), u64::from_le_bytes(*two), 8),
            (.., Some(one), Some(two)) => both(u32::from_le_bytes(*one).into(), u32::from_le_bytes(*two).into(), 4),
            _ if length == 0 => 0,
            _ => both(
                u64::from(bytes[0]) | u64::from(bytes[length / 2]) << (8 * (length / 2)),
                bytes[length - 1].into(),
                1,
            ),
        };
        Self::of(&padded.to_le_bytes())
    }
}

impl Vector for Sixteen {
    type Kind = Self;

    #[inline(always)]
    fn is(self, byte: u8) -> Self {
        Self(inner::is(self.0, byte))
    }

    #[inline(always)]
    fn within(self, low: u8, high: u8) -> Self {
        Self(inner::within(self.0, low, high))
    }

    #[inline(always)]
    fn with(self, bits: u8) -> Self {
        Self(inner::or(self.0, inner::all(bits)))
    }
}

impl Kind for Sixteen {
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(inner::or(self.0, other.0))
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(inner::and(self.0, other.0))
    }

    #[inline(always)]
    fn bits(self) -> u64 {
        inner::bits(self.0)
    }
}

/// What every processor can.
#[derive(Clone, Copy)]
pub(crate) struct Narrow;

impl Narrow {
    /// Does some work. Not inlined, as with the other width: whoever asks for it stays small.
    #[inline(never)]
    pub(crate) fn run<T>(self, work: impl FnOnce(Self) -> T) -> T {
        work(self)
    }
}

impl Width for Narrow {
    type Vector = [Sixteen; 4];

    #[expect(clippy::indexing_slicing, reason = "64 bytes are four times sixteen")]
    #[inline(always)]
    fn of(self, bytes: &[u8; 64]) -> [Sixteen; 4] {
        let (vectors, _) = bytes.as_chunks::<16>();
        [0, 1, 2, 3].map(|at| Sixteen::of(&vectors[at]))
    }
}

impl Vector for [Sixteen; 4] {
    type Kind = Self;

    #[inline(always)]
    fn is(self, byte: u8) -> Self {
        self.map(|vector| vector.is(byte))
    }

    #[inline(always)]
    fn within(self, low: u8, high: u8) -> Self {
        self.map(|vector| vector.within(low, high))
    }

    #[inline(always)]
    fn with(self, bits: u8) -> Self {
        self.map(|vector| vector.with(bits))
    }
}

impl Kind for [Sixteen; 4] {
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        [self[0].or(other[0]), self[1].or(other[1]), self[2].or(other[2]), self[3].or(other[3])]
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        [self[0].and(other[0]), self[1].and(other[1]), self[2].and(other[2]), self[3].and(other[3])]
    }

    #[inline(always)]
    fn bits(self) -> u64 {
        let [a, b, c, d] = self.map(Kind::bits);
        a | b << 16 | c << 32 | d << 48
    }
}

/// Does some work with the widest vectors that the processor has. It is compiled for each width, so it is a call of one
/// function, which is always inlined: instructions of a width stay outside of what is not compiled for it.
macro_rules! widest {
    (|$width:ident| $work:expr) => {
        match $crate::simd::wide() {
            Some(width) => width.run(
                #[inline(always)]
                |$width| $work,
            ),
            None => $crate::simd::Narrow.run(|$width| $work),
        }
    };
}
pub(crate) use widest;

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
    pub(super) fn same(one: Inner, other: Inner) -> Inner {
        cmp_eq_mask_i8_m128i(one, other)
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
    pub(super) fn same(one: Inner, other: Inner) -> Inner {
        let differ = one ^ other;
        !(((differ & !HIGH) + !HIGH) | differ) & HIGH
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

/// Thirty-two bytes a step.
#[cfg(target_arch = "x86_64")]
mod wide {
    use std::sync::LazyLock;

    use fearless_simd::prelude::*;
    use fearless_simd::x86::Avx2;
    use fearless_simd::{Level, mask8x64, u8x64};

    use super::{Kind, Vector, Width};

    /// Proof that the processor has AVX2.
    #[derive(Clone, Copy)]
    pub(crate) struct Wide(Avx2);

    static WIDE: LazyLock<Option<Wide>> = LazyLock::new(|| Level::new().as_avx2().map(Wide));

    #[inline]
    pub(crate) fn wide() -> Option<Wide> {
        *WIDE
    }

    impl Wide {
        /// Does some work, which is compiled for such a processor.
        #[inline(always)]
        pub(crate) fn run<T>(self, work: impl FnOnce(Self) -> T) -> T {
            self.0.vectorize(
                #[inline(always)]
                || work(self),
            )
        }
    }

    impl Width for Wide {
        type Vector = u8x64<Avx2>;

        #[inline(always)]
        fn of(self, bytes: &[u8; 64]) -> u8x64<Avx2> {
            (*bytes).simd_into(self.0)
        }
    }

    impl Vector for u8x64<Avx2> {
        type Kind = mask8x64<Avx2>;

        #[inline(always)]
        fn is(self, byte: u8) -> mask8x64<Avx2> {
            self.simd_eq(byte)
        }

        #[inline(always)]
        fn within(self, low: u8, high: u8) -> mask8x64<Avx2> {
            let above = if low == 0 { self } else { self - low };
            above.simd_le(high - low)
        }

        #[inline(always)]
        fn with(self, bits: u8) -> Self {
            self | bits
        }
    }

    impl Kind for mask8x64<Avx2> {
        #[inline(always)]
        fn or(self, other: Self) -> Self {
            self | other
        }

        #[inline(always)]
        fn and(self, other: Self) -> Self {
            self & other
        }

        #[inline(always)]
        fn bits(self) -> u64 {
            self.to_bitmask()
        }
    }
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
    use std::ops::RangeInclusive;

    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 4 } else { 2000 }))]

        #[test]
        fn kinds_are_told_byte_by_byte(
            bytes in any::<[u8; 16]>(),
            near in "[ -~]{16}",
            changed in prop::collection::vec((0_usize..16, any::<u8>()), 0..16),
            byte in 0_u8..0x80,
            ends in (0_u8..0x7F, 0_u8..0x7F),
            bits in any::<u8>(),
        ) {
            let (low, high) = (ends.0.min(ends.1), ends.0.max(ends.1));
            for bytes in [bytes, near.as_bytes().try_into().unwrap()] {
                let mut also = bytes;
                for (at, byte) in &changed {
                    also[*at] = *byte;
                }
                let plainly = |kind: &dyn Fn(u8) -> bool| {
                    bytes.iter().enumerate().map(|(at, byte)| u64::from(kind(*byte)) << at).sum::<u64>()
                };
                let vector = Sixteen::of(&bytes);
                prop_assert_eq!(vector.is(byte).bits(), plainly(&|other| other == byte));
                prop_assert_eq!(vector.within(low, high).bits(), plainly(&|other| (low..=high).contains(&other)));
                prop_assert_eq!(vector.with(bits).is(byte).bits(), plainly(&|other| other | bits == byte));
                let other = plain::of(&bytes);
                prop_assert_eq!(plain::bits(plain::is(other, byte)), vector.is(byte).bits());
                prop_assert_eq!(plain::bits(plain::within(other, low, high)), vector.within(low, high).bits());
                let second = Sixteen::of(&also);
                let same = bytes.iter().zip(&also).enumerate();
                let same = same.map(|(at, (one, two))| u64::from(one == two) << at).sum::<u64>();
                prop_assert_eq!(vector.is_as(second).bits(), same);
                prop_assert_eq!(plain::bits(plain::same(other, plain::of(&also))), same);
                let with = plain::or(other, plain::all(bits));
                prop_assert_eq!(plain::bits(plain::is(with, byte)), vector.with(bits).is(byte).bits());
                let both = plain::and(plain::within(other, low, high), plain::is(with, byte));
                prop_assert_eq!(plain::bits(both), vector.within(low, high).and(vector.with(bits).is(byte)).bits());
            }
        }

        #[test]
        fn short_texts_have_zeros_behind_them(bytes in prop::collection::vec(0x20_u8..0x80, 0..16), byte in 0x20_u8..0x80) {
            let plainly = |kind: &dyn Fn(u8) -> bool| {
                bytes.iter().enumerate().map(|(at, byte)| u64::from(kind(*byte)) << at).sum::<u64>()
            };
            let vector = Sixteen::of_short(&bytes);
            prop_assert_eq!(vector.is(byte).bits(), plainly(&|other| other == byte));
            prop_assert_eq!(vector.is(0).bits(), u64::from(u16::MAX) & u64::MAX << bytes.len());
        }

        #[test]
        fn sixty_four_bytes_are_told_as_sixteen_are(
            random in prop::collection::vec(any::<u8>(), 64),
            near in "[ -~]{64}",
            byte in 0_u8..0x80,
            ends in (0_u8..0x7F, 0_u8..0x7F),
            bits in any::<u8>(),
        ) {
            let (low, high) = (ends.0.min(ends.1), ends.0.max(ends.1));
            for bytes in [&random[..], near.as_bytes()] {
                let bytes: &[u8; 64] = bytes.try_into().unwrap();
                let told = told_by(Narrow, bytes, byte, low..=high, bits);
                prop_assert_eq!(widest!(|width| told_by(width, bytes, byte, low..=high, bits)), told);
                let (sixteens, _) = bytes.as_chunks();
                for (at, sixteen) in sixteens.iter().map(Sixteen::of).enumerate() {
                    let [is, within, with, or, and] = told.map(|bits| bits >> (16 * at) & 0xFFFF);
                    prop_assert_eq!(is, sixteen.is(byte).bits());
                    prop_assert_eq!(within, sixteen.within(low, high).bits());
                    prop_assert_eq!(with, sixteen.with(bits).is(byte).bits());
                    prop_assert_eq!((or, and), (is | within, with & within));
                }
            }
        }
    }

    #[inline(always)]
    fn told_by(width: impl Width, bytes: &[u8; 64], byte: u8, range: RangeInclusive<u8>, bits: u8) -> [u64; 5] {
        let vector = width.of(bytes);
        let (is, within, with) =
            (vector.is(byte), vector.within(*range.start(), *range.end()), vector.with(bits).is(byte));
        [is, within, with, is.or(within), with.and(within)].map(Kind::bits)
    }
}
