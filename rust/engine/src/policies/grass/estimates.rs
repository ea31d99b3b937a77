//! Estimates (GR-6; NSDI'14, section 5.1): what a new attempt of a task takes, what a running one still takes, and how
//! good both were.

use crate::api::ids::Time;
use crate::policies::grass::race::Run;

/// Durations of a unit are kept in so many parts of a nanosecond: 2^20.
const FINE: u32 = 20;
/// All, in millionths.
const WHOLE: u64 = 1_000_000;
/// When so many estimates are known, old ones count half.
const MOST: u32 = 1_024;

/// How long the tasks of a set take.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pace {
    /// Of finished tasks, for each unit, sorted.
    sorted: Vec<u64>,
    /// How much longer a task goes on that has run for a while, in thousandths of that: half of them do.
    pub tail_milli: u64,
}

impl Pace {
    /// With the shape of a workflow's tail. Half of the Pareto distributed tasks that have run for `t` run for
    /// `t (2^(1/alpha) - 1)` more.
    pub fn new(alpha: f64) -> Self {
        let more = libm::exp2(1.0 / alpha) - 1.0;
        Self { sorted: Vec::new(), tail_milli: crate::math::pareto::times(1_000, more) }
    }

    /// A task of that size has finished.
    pub fn add(&mut self, nanos: u64, units: u32) {
        let fine = (u128::from(nanos) << FINE) / u128::from(units);
        let fine = u64::try_from(fine).unwrap_or(u64::MAX);
        let place = self.sorted.partition_point(|&other| other <= fine);
        self.sorted.insert(place, fine);
    }

    /// t_new: what a new attempt takes; none while no task has finished. The lower median of the finished ones.
    #[inline]
    pub fn new_attempt(&self, units: u32) -> Option<u64> {
        self.quantile(self.sorted.len().checked_sub(1)? / 2, units)
    }

    /// What more than a share of the finished tasks, in hundredths, take at most; that share is less than all.
    pub fn slower_than(&self, percent: usize, units: u32) -> Option<u64> {
        self.sorted.len().checked_sub(1)?;
        self.quantile(self.sorted.len() * percent / 100, units)
    }

    #[inline]
    fn quantile(&self, place: usize, units: u32) -> Option<u64> {
        let nanos = (u128::from(self.sorted[place]) * u128::from(units)) >> FINE;
        Some(u64::try_from(nanos).unwrap_or(u64::MAX))
    }

    /// t_rem: what the faster of a task's attempts still takes. Without a report as long as half of those that have run
    /// for so long, or as a median one of its size would.
    #[inline]
    pub fn remaining(&self, run: &Run, now: Time) -> u64 {
        let reported = [run.ends[0], run.ends[1]].into_iter().flatten().min();
        if let Some(ends) = reported {
            return ends.since(now);
        }
        let ran = now.since(run.since);
        let usual = self.new_attempt(run.units).unwrap_or(0).saturating_sub(ran);
        usual.max(ran.saturating_mul(self.tail_milli) / 1_000)
    }

    /// For how long an attempt has to run without a report until `remaining` exceeds that.
    pub fn age_of(&self, remaining: u64) -> u64 {
        (remaining.saturating_add(1)).saturating_mul(1_000).div_ceil(self.tail_milli.max(1))
    }
}

/// When an attempt will end that was launched then, as it reports now a share in millionths.
pub(crate) fn ends(launched: Time, now: Time, done: u32) -> Option<Time> {
    let done = u64::from(done).min(WHOLE);
    let rest = u128::from(now.since(launched)) * u128::from(WHOLE - done);
    let rest = rest.checked_div(u128::from(done))?;
    Some(now.after(u64::try_from(rest).unwrap_or(u64::MAX)))
}

/// How good estimates were: the mean of 1 - |estimate - truth| / truth, not below 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Accuracy {
    sum: u64,
    number: u32,
}

impl Accuracy {
    pub fn add(&mut self, estimate: u64, truth: u64) {
        let off = u128::from(estimate.abs_diff(truth)) * u128::from(WHOLE);
        let off = off.checked_div(u128::from(truth)).unwrap_or(0).min(u128::from(WHOLE));
        if self.number == MOST {
            (self.sum, self.number) = (self.sum / 2, self.number / 2);
        }
        self.sum += WHOLE - u64::try_from(off).unwrap_or(WHOLE);
        self.number += 1;
    }

    /// In millionths; half of all before any was seen.
    pub fn ppm(self) -> u32 {
        let mean = self.sum.checked_div(self.number.into()).unwrap_or(WHOLE / 2);
        u32::try_from(mean).unwrap_or(u32::MAX)
    }
}
