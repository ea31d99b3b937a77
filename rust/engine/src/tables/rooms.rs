//! Which executors have room for a slot.

use crate::api::ids::{ProfileId, Resources};

/// Executors on which one more slot of a size fits: a bit for each place in the order of ids.
#[derive(Clone, Debug)]
pub(crate) struct Rooms {
    /// Of the executors.
    pub profile: ProfileId,
    pub demand: Resources,
    bits: Vec<u64>,
    /// Number of bits set.
    len: usize,
}

impl Rooms {
    pub fn new(profile: ProfileId, demand: Resources, places: usize) -> Self {
        Self { profile, demand, bits: vec![0; places.div_ceil(64)], len: 0 }
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    #[inline]
    pub fn set(&mut self, place: usize, room: bool) {
        let (word, bit) = (place / 64, 1u64 << (place % 64));
        if room != (self.bits[word] & bit != 0) {
            self.bits[word] ^= bit;
            if room { self.len += 1 } else { self.len -= 1 }
        }
    }

    pub fn get(&self, place: usize) -> bool {
        self.bits[place / 64] & (1 << (place % 64)) != 0
    }

    /// The first place with room from `place` on.
    pub fn first(&self, place: usize) -> Option<usize> {
        let mut word = place / 64;
        let mut bits = self.bits.get(word)? & (u64::MAX << (place % 64));
        while bits == 0 {
            word += 1;
            bits = *self.bits.get(word)?;
        }
        Some(word * 64 + bits.trailing_zeros() as usize)
    }

    /// Nothing has room from `from` on, and there are so many places.
    pub fn clear(&mut self, from: usize, places: usize) {
        let (word, kept) = (from / 64, (1u64 << (from % 64)) - 1);
        let later = self.bits.get(word).map_or(0, |bits| (bits & !kept).count_ones());
        let after = self.bits.iter().skip(word + 1).map(|bits| bits.count_ones());
        self.len -= (later + after.sum::<u32>()) as usize;
        self.bits.truncate(word + 1);
        if let Some(bits) = self.bits.get_mut(word) {
            *bits &= kept;
        }
        self.bits.resize(places.div_ceil(64), 0);
    }
}
