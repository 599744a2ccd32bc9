//! Choices that follow from an input.

/// A source of choices: the same ones for the same beginning.
#[derive(Clone, Debug)]
pub struct Draw(u64);

impl Draw {
    /// Choices that follow from bytes.
    pub fn of(bytes: &[u8]) -> Self {
        let mixed = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3);
        Self(bytes.iter().fold(0xCBF2_9CE4_8422_2325, mixed))
    }

    /// Choices that follow from a number.
    pub fn seeded(seed: u32) -> Self {
        Self(seed.into())
    }

    fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`; 0 if there is none.
    pub fn below(&mut self, bound: usize) -> usize {
        if bound == 0 { 0 } else { (self.number() % bound as u64) as usize }
    }

    /// True once in so many times.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of several; `None` of none.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        from.get(self.below(from.len()))
    }

    /// The bytes in a few pieces, some of them empty, or in many short ones.
    pub fn pieces<'b>(&mut self, bytes: &'b [u8]) -> Vec<&'b [u8]> {
        if self.one_in(4) {
            return bytes.chunks(1 + self.below(5)).collect();
        }
        let count = self.below(8);
        let mut cuts: Vec<usize> = (0..count).map(|_| self.below(bytes.len() + 1)).collect();
        cuts.extend([0, bytes.len()]);
        cuts.sort_unstable();
        cuts.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect()
    }
}
