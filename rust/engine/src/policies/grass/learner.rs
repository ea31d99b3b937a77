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
    /// Its deadline in thousandths of what a task of its took, or how many tasks it needed.
    pub value: u32,
    /// The busy share of all slots, in millionths.
    pub utilization: u32,
    /// How good estimates were, in millionths.
    pub accuracy: u32,
    /// The share of tasks done by the deadline, in millionths; or how long it took, in thousandths of a task's time.
    pub score: u32,
}

/// What is true of a job when it asks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Situation {
    /// Its tasks: it is compared with such of its size.
    pub tasks: u32,
    /// It needs all of them.
    pub exact: bool,
    pub utilization: u32,
    pub accuracy: u32,
}

/// All samples.
#[derive(Clone, Debug)]
pub(crate) struct Learner {
    /// By size, bound and rule; the oldest first.
    samples: [VecDeque<Sample>; 18],
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

fn place(tasks: u32, bound: Bound, exact: bool, greedy: bool) -> usize {
    let bound = match bound {
        Bound::Deadline => 0,
        Bound::Error => 1 + usize::from(exact),
    };
    size(tasks) * 6 + 2 * bound + usize::from(greedy)
}

impl Sample {
    /// Whether it needed all tasks.
    fn exact(&self) -> bool {
        self.bound == Bound::Error && self.value >= self.tasks
    }
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
        let list =
            &mut self.samples[place(sample.tasks, sample.bound, sample.exact(), sample.greedy)];
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

    /// Returns whether the best time to go over is now. `left` is what is left: tasks, or the time to the deadline. GS has
    /// to gain more than two standard errors, and at no later time more. Without samples of both rules it is not.
    pub fn switches(&self, bound: Bound, left: u32, situation: Situation) -> bool {
        let Some((now, variance)) = self.gain(bound, left, situation) else { return false };
        if now <= 0.0 || now * now <= 4.0 * variance {
            return false;
        }
        let points = POINTS.min(left).max(1);
        (1..points).all(|point| {
            let rest = u64::from(left) * u64::from(points - point) / u64::from(points);
            let later = self.gain(bound, u32::try_from(rest).unwrap_or(left), situation);
            later.is_none_or(|(later, _)| now >= later)
        })
    }

    /// What GS gains over RAS in so much time or work that is left, and the variance of that mean.
    fn gain(&self, bound: Bound, left: u32, situation: Situation) -> Option<(f64, f64)> {
        let (ras, ras_variance) = self.expected(bound, false, left, situation)?;
        let (gs, gs_variance) = self.expected(bound, true, left, situation)?;
        let more = if bound == Bound::Deadline { gs - ras } else { ras - gs };
        Some((more, ras_variance + gs_variance))
    }

    /// What a rule alone gets to: the mean of samples, by how like they are, and its variance. One with another bound
    /// counts in proportion. None with fewer than two samples.
    fn expected(
        &self,
        bound: Bound,
        greedy: bool,
        value: u32,
        now: Situation,
    ) -> Option<(f64, f64)> {
        let samples = &self.samples[place(now.tasks, bound, now.exact, greedy)];
        if samples.len() < 2 {
            return None;
        }
        let of = |sample: &Sample| {
            let times = f64::from(value) / f64::from(sample.value.max(1));
            let score = f64::from(sample.score) * times;
            let score = if bound == Bound::Deadline { score.min(1e6) } else { score };
            (score, self.likeness(sample, value, now))
        };
        let (mut sum, mut weights) = (0.0, 0.0);
        for (score, weight) in samples.iter().map(of) {
            sum += weight * score;
            weights += weight;
        }
        let (mean, mut squares) = (sum / weights, 0.0);
        for (score, weight) in samples.iter().map(of) {
            let off = weight * (score - mean) / weights;
            squares += off * off;
        }
        Some((mean, squares))
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
