//! Numbers that follow from (seed, what they are for), whoever draws first.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

/// 2^-53.
const ULP: f64 = 1.0 / (1_u64 << 53) as f64;

/// A stream of numbers: ChaCha with eight rounds, so that streams are independent of each other.
pub(super) struct Draws(ChaCha8Rng);

impl Draws {
    /// Returns the numbers of one run with so many tasks. The key is the seed, little-endian, filled up with zeros; the
    /// nonce is the number of tasks (upper half) and the run (lower half).
    pub(super) fn new(seed: u64, tasks: u32, run: u32) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        let mut generator = ChaCha8Rng::from_seed(key);
        generator.set_stream(u64::from(tasks) << 32 | u64::from(run));
        Self(generator)
    }

    /// Exponentially distributed, of mean 1: -ln u with u uniform in (0, 1].
    pub(super) fn exponential(&mut self) -> f64 {
        let uniform = ((self.0.next_u64() >> 11) + 1) as f64 * ULP;
        -libm::log(uniform)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The golden numbers are those of a ChaCha written from its specification (RFC 8439, with eight rounds and a
    /// counter of 64 bits) in another language.
    #[test]
    fn draws_follow_from_seed_tasks_and_run() {
        let mut bits =
            ChaCha8Rng::from_seed([[1; 1].as_slice(), &[0; 31]].concat().try_into().unwrap());
        assert_eq!(bits.next_u64(), 0x61a9_4a49_a0e9_5ecf);
        let cases = [
            (Draws::new(1, 20, 0), [2.423_631_931_142_835_6, 2.942_810_015_050_349_6]),
            (Draws::new(7, 20, 3), [1.410_315_916_297_495_9, 0.634_533_825_477_790_4]),
        ];
        for (mut draws, golden) in cases {
            for expected in golden {
                let drawn = draws.exponential();
                assert!((drawn - expected).abs() < 1e-12, "{drawn} is not {expected}");
            }
        }
    }
}
