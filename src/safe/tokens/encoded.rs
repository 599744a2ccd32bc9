//! Encoded bytes, such as an image in base64: what looks like a token within them does so by chance.

use crate::simd::{Kind, Vector, Width, block};

/// How much of it has to stand directly before a keyword, in bytes.
const BEFORE: usize = 256;

/// How many blocks of 64 bytes have to stand before one, so that [`BEFORE`] stand before whatever begins less than
/// a block before it.
pub(crate) const BLOCKS_BEFORE: usize = BEFORE / 64 + 1;

/// What paths and lists of words have less of than random bytes, counted: capitals, digits, and neighbours of which one
/// is a small letter, a capital or a digit, and the other is of the other two. Each in sixteen bits, so that they are
/// added and compared in one go.
#[derive(Clone, Copy, Default)]
struct Mix(u64);

impl Mix {
    #[inline(always)]
    const fn new(capitals: u32, digits: u32, changes: u32) -> Self {
        Self(capitals as u64 | (digits as u64) << 16 | (changes as u64) << 32)
    }

    /// Of 64 bytes of base64, without what is between them and their neighbours; `None` if others are among them.
    #[inline(always)]
    fn of(bytes: impl Vector) -> Option<Self> {
        let (small, capital, digit) = (bytes.within(b'a', b'z'), bytes.within(b'A', b'Z'), bytes.within(b'0', b'9'));
        let others = bytes.is(b'+').or(bytes.is(b'/')).or(bytes.is(b'-').or(bytes.is(b'_')));
        let [small, capital, digit, others] = [small, capital, digit, others].map(Kind::bits);
        if small | capital | digit | others != u64::MAX {
            return None;
        }
        let changes = small << 1 & (capital | digit) | capital << 1 & (small | digit) | digit << 1 & (small | capital);
        Some(Self::new(capital.count_ones(), digit.count_ones(), changes.count_ones()))
    }

    /// Whether there are as many of each as in random bytes. [`BEFORE`] of these have about twice as many, and fall
    /// short of it once in ten million times.
    #[inline(always)]
    fn is_random(self) -> bool {
        const HIGH: u64 = 0x8000_8000_8000;
        let Self(least) = const { Self::new(40, 10, 80) };
        (self.0 + (HIGH - least)) & HIGH == HIGH
    }
}

/// Whether what stands before `start` is encoded bytes.
pub(super) fn is_behind(bytes: &[u8], start: usize) -> bool {
    let before = bytes.get(..start).and_then(<[u8]>::last_chunk::<BEFORE>);
    before.is_some_and(|before| is_base64(before) && mix(before).is_random())
}

/// Whether a text may be a part of base64, or of base64url.
pub(super) fn is_base64(text: &[u8]) -> bool {
    text.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_'))
}

/// Of any number of bytes.
fn mix(text: &[u8]) -> Mix {
    let class = |byte: u8| match byte {
        b'a'..=b'z' => 1,
        b'A'..=b'Z' => 2,
        b'0'..=b'9' => 3,
        _ => 0,
    };
    let count = |of: fn(&u8) -> bool| text.iter().filter(|byte| of(byte)).count() as u32;
    let is_change = |pair: &&[u8]| match **pair {
        [one, two] => class(one) != class(two) && class(one) != 0 && class(two) != 0,
        _ => false,
    };
    let changes = text.windows(2).filter(is_change).count() as u32;
    Mix::new(count(u8::is_ascii_uppercase), count(u8::is_ascii_digit), changes)
}

/// Whether 64 bytes are of base64 alone.
#[inline(always)]
pub(crate) fn is_encoded<V: Vector>(in_run: V::Kind, bytes: V) -> bool {
    in_run.or(bytes.is(b'/')).bits() == u64::MAX
}

/// Up to where encoded bytes go on for sure: whatever keyword begins there, from less than a block before `from` on,
/// has enough of them before it. Counted in steps of 64 bytes from `from`, before which [`BLOCKS_BEFORE`] stand.
#[inline(always)]
pub(crate) fn encoded_until(width: impl Width, bytes: &[u8], from: usize) -> usize {
    let Some(mut at) = from.checked_sub(BLOCKS_BEFORE * 64) else { return from };
    // Of what stands before a keyword in a block, three whole blocks stand before its own.
    let (mut sum, mut three) = (0, [0; 3]);
    loop {
        if at + 64 >= from && !Mix(sum).is_random() {
            break;
        }
        let Some(Mix(mix)) = Mix::of(width.of(block(bytes, at).bytes())) else { break };
        sum = sum + mix - three[0];
        three = [three[1], three[2], mix];
        at += 64;
    }
    at.max(from)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::simd::{Narrow, widest};
    use proptest::prelude::*;

    const FROM: usize = BLOCKS_BEFORE * 64;

    /// Random bytes in base64.
    pub(in crate::safe) fn image(length: usize) -> String {
        const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut state = 1_u64;
        let random = std::iter::repeat_with(|| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            char::from(ALPHABET[(state >> 58) as usize])
        });
        random.take(length).collect()
    }

    #[test]
    fn an_image_is_passed_over() {
        let image = image(24_000);
        let until = encoded_until(Narrow, image.as_bytes(), FROM);
        assert!(until > 23_900, "{until}");
    }

    #[test]
    fn words_and_numbers_are_not() {
        let texts = [
            "/home/ubuntu/GitHub/MyCompany/Platform-API_v2/Keys/Zurich-Q4_2025".repeat(30),
            "0123456789abcdef".repeat(100),
            "getUserByIdAndTenant-".repeat(100),
            "A".repeat(2000),
        ];
        for text in texts {
            assert_eq!(encoded_until(Narrow, text.as_bytes(), FROM), FROM, "{text}");
            assert!(!is_behind(text.as_bytes(), text.len()), "{text}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 4 } else { 2000 }))]

        #[test]
        fn what_is_passed_over_stands_behind_encoded_bytes(
            pieces in prop::collection::vec(
                prop_oneof![
                    6 => "[a-zA-Z0-9+/_-]{100,800}",
                    1 => "[A-Z]{1,90}|[a-z0-9]{1,90}|[a-z/]{1,90}",
                    1 => "[ -~]{0,9}",
                ],
                1..6,
            ),
        ) {
            let text = pieces.concat();
            let bytes = text.as_bytes();
            for from in (FROM..bytes.len()).step_by(37) {
                // Who asks has seen that nothing else stands before.
                if is_base64(&bytes[from - FROM..from]) {
                    let until = encoded_until(Narrow, bytes, from);
                    prop_assert_eq!(widest!(|width| encoded_until(width, bytes, from)), until);
                    prop_assert!(until == from || is_base64(&bytes[from - FROM..until]));
                    prop_assert!(until == from || (from - 64..until).all(|start| is_behind(bytes, start)));
                }
            }
        }
    }
}
