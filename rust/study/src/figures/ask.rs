//! What a figure is asked for, and how far it has come.

use std::num::NonZeroU32;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use rayon::prelude::*;

/// The time between two lines that say how far a figure is.
const PATIENCE: Duration = Duration::from_secs(3);

/// From which seeds a figure is to be drawn, and how large a cluster it simulates.
pub struct Ask {
    name: &'static str,
    seed: u64,
    seeds: Option<NonZeroU32>,
    nodes: u32,
    /// Told how far it is, if it takes long.
    tell: fn(&str),
}

impl Ask {
    /// Asks for the figure `name` from `seeds` seeds, the first of which is `seed`, or from as many as is usual; a
    /// simulated cluster has `nodes` nodes.
    pub const fn new(name: &'static str, seed: u64, seeds: Option<NonZeroU32>, nodes: u32) -> Self {
        Self { name, seed, seeds, nodes, tell: |_| () }
    }

    /// Tells how far it is, in a line now and then.
    #[must_use]
    pub const fn telling(self, tell: fn(&str)) -> Self {
        Self { tell, ..self }
    }

    /// Returns the first seed.
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// Nodes of a simulated cluster.
    pub const fn nodes(&self) -> u32 {
        self.nodes
    }

    /// Returns all seeds, in their order: `usual` of them, if no number was asked for.
    pub fn seeds(&self, usual: u32) -> Vec<u64> {
        let seeds = self.seeds.map_or(usual, NonZeroU32::get);
        (0..seeds).map(|i| self.seed.wrapping_add(u64::from(i))).collect()
    }

    /// Tells how many of `all` are done, if it takes long; `what` they are.
    pub fn progress(&self, all: usize, what: &'static str) -> Progress {
        Progress {
            name: self.name,
            all,
            what,
            tell: self.tell,
            done: Mutex::new((0, Instant::now())),
        }
    }

    /// Returns what `draw` answers to each seed, in the order of the seeds, computed on all cores; `usual` is how many
    /// there are if nobody says how many.
    pub fn each_seed<T: Send>(&self, usual: u32, draw: impl Fn(u64) -> T + Sync) -> Vec<T> {
        let seeds = self.seeds(usual);
        let progress = self.progress(seeds.len(), "seeds");
        let one = |&seed: &u64| {
            let drawn = draw(seed);
            progress.one_done("");
            drawn
        };
        seeds.par_iter().map(one).collect()
    }
}

/// How much of a figure is done.
pub struct Progress {
    name: &'static str,
    all: usize,
    what: &'static str,
    tell: fn(&str),
    done: Mutex<(usize, Instant)>,
}

impl Progress {
    /// One more is done; `which` it was, if that says something.
    pub fn one_done(&self, which: &str) {
        // A panic while it is held ends the program anyway.
        let Ok(mut done) = self.done.lock() else { return };
        done.0 += 1;
        if done.1.elapsed() >= PATIENCE {
            done.1 = Instant::now();
            (self.tell)(&self.said(done.0, which));
        }
    }

    fn said(&self, done: usize, which: &str) -> String {
        let Self { name, all, what, .. } = self;
        let which = if which.is_empty() { String::new() } else { format!(", {which}") };
        format!("{name}: {done} of {all} {what}{which}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_follow_the_first_and_come_in_order() {
        let ask = |seed, seeds| Ask::new("test", seed, NonZeroU32::new(seeds), 1);
        assert_eq!(ask(7, 0).each_seed(3, |seed| seed), [7, 8, 9], "as many as is usual");
        assert_eq!(ask(7, 2).each_seed(3, |seed| seed), [7, 8]);
        assert_eq!(ask(u64::MAX, 2).each_seed(3, |seed| seed), [u64::MAX, 0]);
        let many: Vec<u64> = (1..=500).collect();
        assert_eq!(ask(1, 500).each_seed(3, |seed| seed), many, "whoever is done first");
    }

    #[test]
    fn progress_says_what_was_done_last() {
        let progress = Ask::new("fig15", 1, None, 1).progress(90, "simulations");
        assert_eq!(progress.said(7, "SQL, SSR"), "fig15: 7 of 90 simulations, SQL, SSR");
        assert_eq!(progress.said(8, ""), "fig15: 8 of 90 simulations");
    }
}
