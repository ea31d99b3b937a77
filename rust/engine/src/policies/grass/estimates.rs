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

/// When an attempt ends that has not reported.
pub(crate) const NEVER: Time = Time(u64::MAX);

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

    /// What a unit takes, in parts of a nanosecond; none while no task has finished. The lower median of the finished ones.
    #[inline]
    pub fn unit(&self) -> Option<u64> {
        Some(self.sorted[self.sorted.len().checked_sub(1)? / 2])
    }

    /// t_new: what a new attempt takes; none while no task has finished.
    #[inline]
    pub fn new_attempt(&self, units: u32) -> Option<u64> {
        Some(nanos(self.unit()?, units))
    }

    /// What more than a share of the finished tasks, in hundredths, take at most; that share is less than all.
    pub fn slower_than(&self, percent: usize, units: u32) -> Option<u64> {
        Some(nanos(*self.sorted.get(self.sorted.len() * percent / 100)?, units))
    }

    /// t_rem: what the faster of a task's attempts still takes. Without a report as long as half of those that have run
    /// for so long, or as a median one of its size would, which takes `new`.
    #[inline]
    pub fn remaining(&self, run: &Run, new: u64, now: Time) -> u64 {
        let reported = run.ends[0].min(run.ends[1]);
        if reported != NEVER {
            return reported.since(now);
        }
        let ran = now.since(run.since);
        let usual = new.saturating_sub(ran);
        usual.max(ran.saturating_mul(self.tail_milli) / 1_000)
    }

    /// For how long an attempt has to run without a report until `remaining` exceeds that.
    pub fn age_of(&self, remaining: u64) -> u64 {
        (remaining.saturating_add(1)).saturating_mul(1_000).div_ceil(self.tail_milli.max(1))
    }
}

/// What so many units take, in nanoseconds.
#[inline]
pub(crate) fn nanos(unit: u64, units: u32) -> u64 {
    let nanos = (u128::from(unit) * u128::from(units)) >> FINE;
    u64::try_from(nanos).unwrap_or(u64::MAX)
}

/// When an attempt will end that was launched then, as it reports now a share in millionths.
pub(crate) fn ends(launched: Time, now: Time, done: u32) -> Option<Time> {
    let done = u64::from(done).min(WHOLE);
    let rest = u128::from(now.since(launched)) * u128::from(WHOLE - done);
    let rest = rest.checked_div(u128::from(done))?;
    Some(now.after(u64::try_from(rest).unwrap_or(u64::MAX)).min(Time(NEVER.0 - 1)))
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

    pub fn is_seen(self) -> bool {
        self.number > 0
    }

    /// In millionths; half of all before any was seen.
    pub fn ppm(self) -> u32 {
        let mean = self.sum.checked_div(self.number.into()).unwrap_or(WHOLE / 2);
        u32::try_from(mean).unwrap_or(u32::MAX)
    }
}
