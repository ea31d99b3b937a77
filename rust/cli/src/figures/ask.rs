//! What a figure is asked for, and how far it has come.

use std::io::Write;
use std::num::NonZeroU32;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use rayon::prelude::*;

/// Who takes longer than this hears how far it is, and again each time it has passed.
const PATIENCE: Duration = Duration::from_secs(3);

/// From which seeds a figure is to be drawn.
pub(super) struct Ask {
    name: &'static str,
    seed: u64,
    seeds: Option<NonZeroU32>,
}

impl Ask {
    /// The figure `name` from the seed `seed` on, and from so many, if not as many as is usual.
    pub(super) const fn new(name: &'static str, seed: u64, seeds: Option<NonZeroU32>) -> Self {
        Self { name, seed, seeds }
    }

    /// The first seed.
    pub(super) const fn seed(&self) -> u64 {
        self.seed
    }

    /// What `draw` answers to each seed, in the order of the seeds, computed on all cores; `usual` is how many there
    /// are if nobody says how many. Says on standard error how far it is if it takes long.
    pub(super) fn each_seed<T: Send>(&self, usual: u32, draw: impl Fn(u64) -> T + Sync) -> Vec<T> {
        let seeds = self.seeds.map_or(usual, NonZeroU32::get);
        let progress = Mutex::new((0, Instant::now()));
        let one = |i: u32| {
            let drawn = draw(self.seed.wrapping_add(u64::from(i)));
            // Who panics holding it takes the program down anyway.
            if let Ok(mut progress) = progress.lock() {
                progress.0 += 1;
                if progress.1.elapsed() >= PATIENCE {
                    progress.1 = Instant::now();
                    let (name, done) = (self.name, progress.0);
                    let _ = writeln!(anstream::stderr(), "{name}: {done} of {seeds} seeds");
                }
            }
            drawn
        };
        (0..seeds).into_par_iter().map(one).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_follow_the_first_and_come_in_order() {
        let ask = |seed, seeds| Ask::new("test", seed, NonZeroU32::new(seeds));
        assert_eq!(ask(7, 0).each_seed(3, |seed| seed), [7, 8, 9], "as many as is usual");
        assert_eq!(ask(7, 2).each_seed(3, |seed| seed), [7, 8]);
        assert_eq!(ask(u64::MAX, 2).each_seed(3, |seed| seed), [u64::MAX, 0]);
        let many: Vec<u64> = (1..=500).collect();
        assert_eq!(ask(1, 500).each_seed(3, |seed| seed), many, "whoever is done first");
    }
}
