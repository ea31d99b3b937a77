//! Draws that follow from what they are for, not from when they are made: equal on every platform, whoever runs first.

/// Kinds of draws, so that two draws about the same thing differ.
#[derive(Clone, Copy, Debug)]
#[repr(u64)]
pub enum About {
    /// How long an attempt runs.
    Duration = 1,
    /// Where a task would like to run.
    Preference = 2,
    /// In which order executors are offered.
    Shuffle = 3,
    /// What a workload is made of.
    Workload = 4,
}

/// A seed from which everything is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Draw(pub u64);

impl Draw {
    /// 64 bits for a thing, named by its kind and numbers.
    #[must_use]
    pub fn bits(self, about: About, of: &[u64]) -> u64 {
        of.iter().fold(mix(self.0 ^ mix(about as u64)), |hash, part| mix(hash ^ mix(*part)))
    }

    /// Uniform from 0 to below 1.
    #[must_use]
    pub fn uniform(self, about: About, of: &[u64]) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "53 bits fit")]
        let numerator = (self.bits(about, of) >> 11) as f64;
        numerator / (1_u64 << 53) as f64
    }

    /// One of 0 to `below - 1`; 0 if `below` is 0.
    #[must_use]
    pub fn below(self, below: u64, about: About, of: &[u64]) -> u64 {
        // A multiplication instead of a remainder: no bias worth speaking of below 2^32.
        let product = u128::from(self.bits(about, of)) * u128::from(below);
        u64::try_from(product >> 64).unwrap_or(0)
    }
}

/// Sebastiano Vigna's splitmix64.
fn mix(state: u64) -> u64 {
    let mut z = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
