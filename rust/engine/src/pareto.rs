//! Pareto task durations: isolation against deadline and utilization (SSR-8, SSR-9; ICDCS'17, section
//! IV-B).
//!
//! Floats end here: what the books keep are integers. `libm` gives the same bits everywhere (R15).

/// P = 1 in millionths: only the cap ends a hold.
pub const STRICT: u32 = 1_000_000;

/// The shape of task durations in production traces (ICDCS'17, section IV-B, its reference 29).
pub const PRIOR_ALPHA: f64 = 1.6;

/// As many samples of the prior shape count as seen before the first real one.
const PRIOR_SAMPLES: f64 = 20.0;
/// When so many samples are known, old ones count half: a workflow may change.
const MOST_SAMPLES: u32 = 1 << 10;
const MILLIONTHS: f64 = 1e6;

/// Probability that one of `tasks` equal tasks misses a deadline that all meet with probability
/// `isolation`: 1 - P^(1/N).
fn late(isolation: f64, tasks: u32) -> f64 {
    -libm::expm1(libm::log(isolation) / f64::from(tasks))
}

/// D / t_m: how many times the shortest task's duration a barrier has to be held for (Eq. 2
/// inverted). Infinite at isolation 1, 1 at 0.
#[must_use]
pub fn deadline(isolation: f64, tasks: u32, alpha: f64) -> f64 {
    libm::pow(late(isolation, tasks), -1.0 / alpha)
}

/// P: the probability that all tasks end before `deadline` times the shortest one's duration (Eq. 2).
#[must_use]
pub fn isolation(deadline: f64, tasks: u32, alpha: f64) -> f64 {
    libm::exp(f64::from(tasks) * libm::log1p(-libm::pow(deadline, -alpha)))
}

/// E[U]: the lower bound of the busy share of slots that are held until the deadline (Eq. 4).
#[must_use]
pub fn utilization(isolation: f64, tasks: u32, alpha: f64) -> f64 {
    let late = late(isolation, tasks);
    (alpha * libm::pow(late, 1.0 / alpha) - late) / (alpha - 1.0)
}

/// `duration` that many times; at most what a `u64` can say.
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "the cast saturates")]
pub fn times(duration: u64, times: f64) -> u64 {
    (duration as f64 * times) as u64
}

/// What is known of the shape of a workflow's task durations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tail {
    samples: u32,
    /// Sum of ln(t / t_m), in millionths.
    logs: u64,
}

impl Tail {
    /// A task took `duration`, the first finisher of its stage `shortest` (equal units, not 0).
    pub fn learn(&mut self, duration: u64, shortest: u64) {
        if self.samples == MOST_SAMPLES {
            self.samples /= 2;
            self.logs /= 2;
        }
        self.samples += 1;
        let ratio = duration.max(shortest) as f64 / shortest.max(1) as f64;
        self.logs += times(1_000_000, libm::log(ratio));
    }

    /// The maximum-likelihood estimate n / sum of ln(t_i / t_m) (Hill, Annals of Statistics 3(5), 1975), begun
    /// with samples of the prior shape. Greater than 1, as Eq. 4 needs it.
    #[must_use]
    pub fn alpha(&self) -> f64 {
        let samples = PRIOR_SAMPLES + f64::from(self.samples);
        let logs = PRIOR_SAMPLES / PRIOR_ALPHA + self.logs as f64 / MILLIONTHS;
        (samples / logs).max(1.01)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(value: f64, golden: f64) {
        assert!((value - golden).abs() < 5e-5, "{value} is not {golden}");
    }

    #[test]
    fn ssr_8_deadlines_of_eq_2() {
        close(deadline(0.4, 20, PRIOR_ALPHA), 6.9673);
        close(deadline(0.9, 20, PRIOR_ALPHA), 26.5879);
        close(deadline(0.4, 200, PRIOR_ALPHA), 29.0064);
        assert!(deadline(1.0, 20, PRIOR_ALPHA).is_infinite());
        assert_eq!(deadline(0.0, 20, PRIOR_ALPHA), 1.0);
    }

    #[test]
    fn ssr_9_utilization_of_eq_4() {
        close(utilization(0.4, 20, PRIOR_ALPHA), 0.3081);
        close(utilization(0.9, 20, PRIOR_ALPHA), 0.0915);
        close(utilization(0.4, 200, PRIOR_ALPHA), 0.0843);
        close(utilization(0.0, 20, PRIOR_ALPHA), 1.0);
        close(utilization(1.0, 20, PRIOR_ALPHA), 0.0);
    }

    #[test]
    fn ssr_8_isolation_is_the_inverse_and_grows_with_the_deadline() {
        let mut last = (0.0, 1.0);
        for percent in 1..100 {
            let p = f64::from(percent) / 100.0;
            let d = deadline(p, 37, 1.3);
            assert!((isolation(d, 37, 1.3) - p).abs() < 1e-9);
            let u = utilization(p, 37, 1.3);
            assert!(d > last.0 && u < last.1, "P {p}: D {d}, U {u} after {last:?}");
            last = (d, u);
        }
    }

    #[test]
    fn the_shape_is_the_prior_at_first_and_the_workflows_own_later() {
        let mut tail = Tail::default();
        close(tail.alpha(), PRIOR_ALPHA);
        // The quantiles of a Pareto distribution of shape 3.
        for i in 0..1_000 {
            let share = (f64::from(i) + 0.5) / 1_000.0;
            let duration = times(1_000_000_000, libm::pow(1.0 - share, -1.0 / 3.0));
            tail.learn(duration, 1_000_000_000);
        }
        assert!((tail.alpha() - 3.0).abs() < 0.1, "{}", tail.alpha());
        (0..5_000).for_each(|_| tail.learn(2_718_282, 1_000_000));
        assert!(
            (tail.alpha() - 1.0).abs() < 0.02,
            "what was long ago is forgotten: {}",
            tail.alpha()
        );
    }
}
