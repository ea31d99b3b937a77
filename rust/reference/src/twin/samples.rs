//! What bounded jobs teach those that come later (GR-4, GR-5, GR-6).

use holdfast_engine::{Bound, JobId, Sample};

use super::{Bug, Reference};

const WHOLE: u64 = 1_000_000;
/// Of each kind so many samples are kept.
const MOST: usize = 128;
/// So many points before the bound are compared at most.
const POINTS: u32 = 16;

/// How good estimates were.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Accuracy {
    sum: u64,
    number: u64,
}

impl Accuracy {
    /// 1 - |estimate - truth| / truth, not below 0.
    pub(super) fn add(&mut self, estimate: u64, truth: u64) {
        let off = u128::from(estimate.abs_diff(truth)) * u128::from(WHOLE);
        let off = if truth == 0 { 0 } else { off / u128::from(truth) };
        // Of 1,024 that are known the half is forgotten.
        if self.number == 1_024 {
            (self.sum, self.number) = (self.sum / 2, 512);
        }
        self.sum += WHOLE - u64::try_from(off).unwrap_or(WHOLE).min(WHOLE);
        self.number += 1;
    }

    pub(super) fn ppm(self) -> u32 {
        let mean = self.sum.checked_div(self.number).unwrap_or(WHOLE / 2);
        u32::try_from(mean).expect("at most a million")
    }
}

/// What is true of a set that asks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Situation {
    pub(super) tasks: u32,
    /// It wants all of them.
    pub(super) exact: bool,
    pub(super) utilization: u32,
    pub(super) accuracy: u32,
}

/// Small, medium or large.
pub(super) fn bin(tasks: u32) -> u32 {
    u32::from(tasks > 50) + u32::from(tasks > 500)
}

/// Samples are compared with others of the same size, bound and rule.
fn kind(sample: &Sample) -> (u32, u32, bool) {
    let exact = sample.value >= sample.tasks;
    (bin(sample.tasks), bound_kind(sample.bound, exact), sample.greedy)
}

fn bound_kind(bound: Bound, exact: bool) -> u32 {
    if bound == Bound::Deadline { 0 } else { 1 + u32::from(exact) }
}

impl Reference {
    /// See `Engine::samples`.
    #[must_use]
    pub fn samples(&self) -> Vec<Sample> {
        let mut samples = self.races.samples.clone();
        samples.sort_by_key(kind);
        samples
    }

    /// How often a set has gone over from RAS to GS.
    #[must_use]
    pub fn switches(&self) -> u64 {
        self.races.switches
    }

    pub(super) fn learn_sample(&mut self, sample: Sample) {
        let samples = &mut self.races.samples;
        samples.push(sample);
        let same = |other: &Sample| kind(other) == kind(&sample);
        if samples.iter().filter(|other| same(other)).count() > MOST
            && let Some(oldest) = samples.iter().position(same)
        {
            samples.remove(oldest);
        }
    }

    /// Whether a job runs with one rule throughout, and whether that is GS: splitmix64 of seed and job says so.
    pub(super) fn explores(&self, job: JobId) -> Option<bool> {
        let seed = u64::from(self.config.explore_seed) << 32 | u64::from(job.0);
        let mut z = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        let share = ((z >> 32) * WHOLE) >> 32;
        (share < u64::from(self.config.explore_ppm)).then_some(z & 1 == 0)
    }

    /// Whether GS gains twice the standard error in what is left, and no more in any smaller rest.
    pub(super) fn goes_over(&self, bound: Bound, left: u32, now: Situation) -> bool {
        let gain = |rest: u32| {
            let (ras, ras_variance) = self.expected(bound, false, rest, now)?;
            let (gs, gs_variance) = self.expected(bound, true, rest, now)?;
            let more = if bound == Bound::Error { ras - gs } else { gs - ras };
            Some((more, ras_variance + gs_variance))
        };
        let Some((at_once, variance)) = gain(left) else { return false };
        let sure = at_once > 0.0 && at_once * at_once > 4.0 * variance;
        let points = left.clamp(1, POINTS);
        let rest = |i: u32| u64::from(left) * u64::from(i) / u64::from(points);
        let mut later = (1..points).map(|i| u32::try_from(rest(i)).expect("at most what is left"));
        sure && later.all(|rest| gain(rest).is_none_or(|(later, _)| at_once >= later))
    }

    /// The mean score of samples of one rule, by likeness, each in proportion to its bound, and the mean's variance.
    fn expected(
        &self,
        bound: Bound,
        greedy: bool,
        value: u32,
        now: Situation,
    ) -> Option<(f64, f64)> {
        let wanted = (bin(now.tasks), bound_kind(bound, now.exact), greedy);
        let samples = self.races.samples.iter().filter(|sample| kind(sample) == wanted);
        let scores: Vec<(f64, f64)> = samples
            .map(|sample| {
                let longer = f64::from(value) / f64::from(sample.value.max(1));
                let most = if bound == Bound::Deadline { WHOLE as f64 } else { f64::MAX };
                let score = (f64::from(sample.score) * longer).min(most);
                (score, self.likeness(sample, value, now))
            })
            .collect();
        if scores.len() < 2 {
            return None;
        }
        let weights = scores.iter().fold(0.0, |sum, (_, weight)| sum + weight);
        let mean = scores.iter().fold(0.0, |sum, (score, weight)| sum + weight * score) / weights;
        let off = |(score, weight): &(f64, f64)| weight * (score - mean) / weights;
        let variance = scores.iter().map(off).fold(0.0, |sum, off| sum + off * off);
        Some((mean, variance))
    }

    /// 1 / (1 + d^2)^2, where d is the distance in doublings of the bound and tenths of the other factors.
    fn likeness(&self, sample: &Sample, value: u32, now: Situation) -> f64 {
        let tenths = |a: u32, b: u32| f64::from((a / 100_000).abs_diff(b / 100_000));
        let doublings = libm::log2(f64::from(value.max(1)) / f64::from(sample.value.max(1)));
        let factors = if self.has(Bug::FactorsIgnored) { 0 } else { self.config.grass_factors };
        let mut far = 0.0;
        for (bit, distance) in [
            (1, doublings),
            (2, tenths(now.utilization, sample.utilization)),
            (4, tenths(now.accuracy, sample.accuracy)),
        ] {
            if factors & bit != 0 {
                far += distance * distance;
            }
        }
        1.0 / ((1.0 + far) * (1.0 + far))
    }
}
