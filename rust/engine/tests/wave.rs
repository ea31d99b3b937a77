//! The deadline of a last wave (SSR-8): more isolation never means less time, whatever runs.
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "numbers are small enough"
)]

use holdfast_engine::pareto::Wave;

const WAVES: u64 = 2_000;
/// The bisection ends within less of the span that it searches.
const TOLERANCE: f64 = 1e-6;

/// Seeded numbers, by `SplitMix64`.
struct Draws(u64);

impl Draws {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    /// From 0 to 1, 1 left out.
    fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Of any magnitude up to half an hour; 0 at times.
    fn nanos(&mut self) -> u64 {
        let bits = self.below(42);
        self.below(1 << bits)
    }
}

#[test]
fn ssr_8_the_deadline_never_falls_when_the_isolation_grows() {
    for seed in 1..=WAVES {
        let mut r = Draws(seed);
        let (shortest, ended, alpha) = (1 + r.nanos(), r.below(40) as u32, 1.01 + 2.99 * r.share());
        let tasks = 1 + r.below(40);
        let ages: Vec<(u64, u64)> = (0..tasks)
            .map(|_| {
                let before = if r.below(3) == 0 { 0 } else { r.nanos() };
                (before, before + r.nanos())
            })
            .collect();
        let wave = Wave { shortest, ended, running: ages.iter().copied() };
        let mut last = (0.0, 0);
        for step in 1..=20 {
            let isolation = (f64::from(step) - r.share()) / 20.0;
            let held = wave.deadline(isolation, alpha);
            let least = last.1 as f64 * (1.0 - TOLERANCE) - 1.0;
            let told = format!("alpha {alpha}, P {isolation} after {last:?}: {held}, {wave:?}");
            assert!(held as f64 >= least, "seed {seed}: {told}");
            last = (isolation, held);
        }
    }
}
