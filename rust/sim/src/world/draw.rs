//! Draws that follow from what they are for, not from when they are made: equal on every platform, in any order.
//!
//! The same numbers as the scheduler loop of the Spark shim's tests draws for the same things.

/// What numbers are drawn for, so that two draws about the same thing differ.
#[derive(Clone, Copy, Debug)]
pub enum About {
    /// How long an attempt runs.
    Duration = 1,
    /// Whether it fails.
    Failure = 2,
    /// After which part of its time it fails.
    FailurePoint = 3,
    /// How long a kill takes, and whether it works.
    Kill = 4,
    /// How long the driver takes to look at a result.
    Result = 5,
    /// In which order executors are offered.
    Shuffle = 6,
    /// Where a task would like to run.
    Preference = 7,
    /// Which output is lost when a task does not find its input.
    LostOutput = 8,
    /// What a workload is made of.
    Workload = 9,
    /// How far estimates are off.
    Estimate = 10,
}

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
/// 2^-53.
const ULP: f64 = 1.0 / (1_u64 << 53) as f64;

/// A seed, or a seed and the beginning of what is drawn for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draw(u64);

impl Draw {
    /// Draws everything from `seed`.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(mix(seed))
    }

    /// Returns draws of one kind.
    #[must_use]
    pub const fn about(self, about: About) -> Self {
        self.of(about as u64)
    }

    /// Returns draws for one more part of the thing's name.
    #[must_use]
    pub const fn of(self, part: u64) -> Self {
        Self(mix(self.0.wrapping_add(GOLDEN) ^ part))
    }

    /// Returns 64 bits.
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Returns a uniform number from 0 (inclusive) to 1 (exclusive).
    #[must_use]
    pub fn uniform(self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "53 bits fit")]
        let numerator = (self.0 >> 11) as f64;
        numerator * ULP
    }

    /// Returns one of 0 to `most`, both inclusive.
    #[must_use]
    pub fn up_to(self, most: u32) -> u32 {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "at most `most`"
        )]
        let drawn = (self.uniform() * (f64::from(most) + 1.0)) as u32;
        drawn.min(most)
    }
}

/// Finishes as SplitMix64 does (Steele, Lea, Flood, OOPSLA 2014).
const fn mix(n: u64) -> u64 {
    let a = (n ^ (n >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let b = (a ^ (a >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    b ^ (b >> 31)
}

/// Rounds of the network below; with four the order of neighbours tells nothing.
const ROUNDS: usize = 4;
/// The least number of bits of half a place: 64 places at least.
const LEAST_BITS: u32 = 3;

/// An order of executors in which both directions are cheap: the place of an executor, and the executor at a place.
///
/// A Feistel network over the executors' numbers, so that a round which looks at few offers does not pay for all.
#[derive(Clone, Copy, Debug)]
pub struct Shuffle {
    keys: [u64; ROUNDS],
    bits: u32,
    /// Executors stay in the order of their numbers.
    sorted: bool,
}

impl Shuffle {
    /// Returns the order of executors' numbers.
    #[must_use]
    pub fn sorted(executors: u32) -> Self {
        Self { keys: [0; ROUNDS], bits: half_bits(executors), sorted: true }
    }

    /// Returns an order that is drawn for numbers below `executors`.
    #[must_use]
    pub fn drawn(draw: Draw, executors: u32) -> Self {
        let keys = std::array::from_fn(|i| draw.of(i as u64).bits());
        Self { keys, bits: half_bits(executors), sorted: false }
    }

    /// Returns the number of places; some have no executor.
    #[must_use]
    pub const fn places(&self) -> u32 {
        1 << (2 * self.bits)
    }

    /// Returns the place of an executor.
    #[must_use]
    pub fn place(&self, executor: u32) -> u32 {
        if self.sorted {
            return executor;
        }
        let mask = (1 << self.bits) - 1;
        let (mut left, mut right) = (executor >> self.bits, executor & mask);
        for key in self.keys {
            (left, right) = (right, left ^ scramble(key, right) & mask);
        }
        left << self.bits | right
    }

    /// Returns the number at a place: an executor's, if it is below their count.
    #[must_use]
    pub fn executor(&self, place: u32) -> u32 {
        if self.sorted {
            return place;
        }
        let mask = (1 << self.bits) - 1;
        let (mut left, mut right) = (place >> self.bits, place & mask);
        for key in self.keys.into_iter().rev() {
            (left, right) = (right ^ scramble(key, left) & mask, left);
        }
        left << self.bits | right
    }
}

fn half_bits(executors: u32) -> u32 {
    let bits = u32::BITS - executors.saturating_sub(1).leading_zeros();
    bits.div_ceil(2).clamp(LEAST_BITS, 15)
}

const fn scramble(key: u64, half: u32) -> u32 {
    (mix(key ^ half as u64) >> 32) as u32
}
