//! Sets of numbers that are nearly dense.

use rustc_hash::FxHashMap;

/// A set of numbers: a bit for each, where they are dense.
#[derive(Default)]
pub(crate) struct Bits(FxHashMap<u64, u64>);

impl Bits {
    /// Returns whether it has `n`.
    pub(crate) fn contains(&self, n: u64) -> bool {
        self.0.get(&(n / 64)).is_some_and(|word| word & (1 << (n % 64)) != 0)
    }

    /// Adds `n`; returns whether it is new.
    pub(crate) fn insert(&mut self, n: u64) -> bool {
        let word = self.0.entry(n / 64).or_default();
        let before = *word;
        *word |= 1 << (n % 64);
        *word != before
    }

    /// Takes `n` out; returns whether it was there.
    pub(crate) fn remove(&mut self, n: u64) -> bool {
        let Some(word) = self.0.get_mut(&(n / 64)) else { return false };
        let before = *word;
        *word &= !(1 << (n % 64));
        *word != before
    }
}
