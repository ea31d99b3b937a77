//! A small generator of random numbers: a seed gives the same history on every platform.

/// `SplitMix64`.
#[derive(Clone, Debug)]
pub(crate) struct Rng(u64);

impl Rng {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5DEE_CE66)
    }

    /// Another one of the same seed, for things that came later: what the first one draws stays what it was.
    pub(crate) fn beside(seed: u64) -> Self {
        Self::new(seed ^ 0x6A72_6173_7365_7321)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `end`; 0 when that is 0.
    pub(crate) fn below(&mut self, end: u32) -> u32 {
        u32::try_from((u128::from(self.next()) * u128::from(end)) >> 64).expect("below a u32")
    }

    /// True in `percent` of 100 cases.
    pub(crate) fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }

    pub(crate) fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        items.get(self.below(u32::try_from(items.len()).unwrap_or(u32::MAX)) as usize).copied()
    }
}
