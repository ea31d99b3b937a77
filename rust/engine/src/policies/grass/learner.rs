//! When to go over from RAS to GS (GR-4, GR-5; NSDI'14, section 4): earlier jobs that ran with one rule throughout say how
//! far each rule gets.

use std::collections::VecDeque;

use crate::api::config::Config;
use crate::api::event::Bound;
use crate::api::ids::JobId;
use crate::policies::grass::race::Mode;

/// So many samples are kept of each size, bound and rule.
const MOST: usize = 128;
/// At most so many points between now and the bound are compared.
const POINTS: u32 = 16;
/// Utilization and accuracy are told apart in steps of 10 %.
const STEP: u32 = 100_000;

/// An earlier job that ran with one rule throughout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// GS; else RAS.
    pub greedy: bool,
    /// What bounded it.
    pub bound: Bound,
    /// Its number of tasks.
    pub tasks: u32,
    /// Its deadline in milliseconds, or how many tasks it needed.
    pub value: u32,
    /// The busy share of all slots, in millionths.
    pub utilization: u32,
    /// How good estimates were, in millionths.
    pub accuracy: u32,
    /// The share of tasks done by the deadline, in millionths; or how long it took, in milliseconds.
    pub score: u32,
}

/// What is true of a job when it asks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Situation {
    /// Tasks of the job, and those that are left: jobs are compared with such of their size.
    pub tasks: u32,
    pub rest: u32,
    pub utilization: u32,
    pub accuracy: u32,
}

/// All samples.
#[derive(Clone, Debug)]
pub(crate) struct Learner {
    /// By size, bound and rule; the oldest first.
    samples: [VecDeque<Sample>; 12],
    explore_ppm: u32,
    seed: u32,
    factors: u32,
}

/// Small jobs have up to 50 tasks, medium ones up to 500 (NSDI'14, section 6.1).
pub(super) fn size(tasks: u32) -> usize {
    match tasks {
        0..=50 => 0,
        51..=500 => 1,
        _ => 2,
    }
}

fn place(size: usize, bound: Bound, greedy: bool) -> usize {
    size * 4 + 2 * usize::from(bound == Bound::Error) + usize::from(greedy)
}

impl Learner {
    pub fn new(config: &Config) -> Self {
        Self {
            samples: std::array::from_fn(|_| VecDeque::new()),
            explore_ppm: config.explore_ppm,
            seed: config.explore_seed,
            factors: config.grass_factors,
        }
    }

    pub fn add(&mut self, sample: Sample) {
        let list = &mut self.samples[place(size(sample.tasks), sample.bound, sample.greedy)];
        if list.len() == MOST {
            list.pop_front();
        }
        list.push_back(sample);
    }

    pub fn samples(&self) -> impl Iterator<Item = &Sample> {
        self.samples.iter().flatten()
    }

    /// Returns the rule of a job that explores.
    pub fn explores(&self, job: JobId) -> Option<Mode> {
        let drawn = mixed(u64::from(self.seed) << 32 | u64::from(job.0));
        let share = ((drawn >> 32) * 1_000_000) >> 32;
        let mode = if drawn & 1 == 0 { Mode::Gs } else { Mode::Ras };
        (share < u64::from(self.explore_ppm)).then_some(mode)
    }

    /// Returns whether the best time to go over is now. `left` is what is left: milliseconds to the deadline, or tasks.
    /// Without samples of both rules it is not.
    pub fn switches(&self, bound: Bound, left: u32, situation: Situation) -> bool {
        let Some(now) = self.value(bound, 0, left, situation) else { return false };
        let points = POINTS.min(left).max(1);
        (1..=points).all(|point| {
            let ahead = u32::try_from(u64::from(left) * u64::from(point) / u64::from(points));
            let later = self.value(bound, ahead.unwrap_or(left), left, situation);
            later.is_none_or(|later| match bound {
                Bound::Deadline => now >= later,
                Bound::Error => now <= later,
            })
        })
    }

    /// V(x): what comes of RAS for `ahead` and GS for the rest.
    fn value(&self, bound: Bound, ahead: u32, left: u32, situation: Situation) -> Option<f64> {
        let ras = self.expected(bound, false, ahead, situation)?;
        let gs = self.expected(bound, true, left - ahead, situation)?;
        Some(ras + gs)
    }

    /// What a rule alone gets to: the mean of samples, by how like they are. One with another bound counts in proportion.
    fn expected(&self, bound: Bound, greedy: bool, value: u32, now: Situation) -> Option<f64> {
        let of = |tasks| &self.samples[place(size(tasks), bound, greedy)];
        let samples = Some(of(now.rest)).filter(|samples| !samples.is_empty());
        let samples = samples.unwrap_or_else(|| of(now.tasks));
        if samples.is_empty() {
            return None;
        }
        let (mut sum, mut weights) = (0.0, 0.0);
        for sample in samples {
            let times = f64::from(value) / f64::from(sample.value.max(1));
            let score = f64::from(sample.score) * times;
            let score = if bound == Bound::Deadline { score.min(1e6) } else { score };
            let weight = self.likeness(sample, value, now);
            sum += weight * score;
            weights += weight;
        }
        Some(sum / weights)
    }

    fn likeness(&self, sample: &Sample, value: u32, now: Situation) -> f64 {
        let steps = |a: u32, b: u32| f64::from((a / STEP).abs_diff(b / STEP));
        let far = [
            libm::log2(f64::from(value.max(1)) / f64::from(sample.value.max(1))),
            steps(now.utilization, sample.utilization),
            steps(now.accuracy, sample.accuracy),
        ];
        let counts = |factor: usize| self.factors >> factor & 1 == 1;
        let far: f64 = (0..3).filter(|&i| counts(i)).map(|i| far[i] * far[i]).sum();
        1.0 / ((1.0 + far) * (1.0 + far))
    }
}

/// A number that looks drawn (splitmix64).
fn mixed(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
