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
/// So often is the span halved in which a deadline lies: to less than a millionth of it.
const HALVINGS: u32 = 24;
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

/// A stage's last wave, as it stands when its deadline is computed. Durations are nanoseconds.
#[derive(Clone, Copy, Debug)]
pub struct Wave<I> {
    /// t_m: the shortest task of the stage so far, at least 1.
    pub shortest: u64,
    /// Tasks of the wave that have ended.
    pub ended: u32,
    /// All others: how long each had run when the wave began, and how long it has now.
    pub running: I,
}

impl<I: Iterator<Item = (u64, u64)> + Clone> Wave<I> {
    /// N: all tasks of the wave.
    #[must_use]
    pub fn tasks(&self) -> u32 {
        let running = u32::try_from(self.running.clone().count()).unwrap_or(u32::MAX);
        self.ended.saturating_add(running)
    }

    /// D: for how long from the wave's begin it has to be held, so that all its tasks end meanwhile with probability
    /// `isolation`; at most what a `u64` can say.
    ///
    /// Eq. 2 is about tasks that begin together. What has run for t already, and still does, is Pareto distributed
    /// from t on: the longer, the more of a straggler it is. Each task has its own term, therefore. Where all began
    /// with the wave this is Eq. 2 itself.
    #[must_use]
    pub fn deadline(&self, isolation: f64, alpha: f64) -> u64 {
        let factor = deadline(isolation, self.tasks(), alpha);
        let longest = self.running.clone().map(|(_, ran)| ran).fold(self.shortest, u64::max);
        let together = self.running.clone().all(|(before, _)| before == 0);
        if together && longest == self.shortest {
            return times(self.shortest, factor);
        }
        // As if each had run for as long as any, and as if only what comes counted.
        let (mut early, mut late) = (0.0, longest as f64 * factor);
        for _ in 0..HALVINGS {
            let middle = (early + late) / 2.0;
            if self.keeps(middle, isolation, alpha) {
                late = middle;
            } else {
                early = middle;
            }
        }
        times(1, late)
    }

    /// Whether all tasks end within `held` from the wave's begin with probability `isolation` or more.
    fn keeps(&self, held: f64, isolation: f64, alpha: f64) -> bool {
        let missed = |scale: f64, time: f64| libm::pow(scale / time.max(scale), alpha);
        let shortest = self.shortest as f64;
        let mut kept = libm::pow(1.0 - missed(shortest, held), f64::from(self.ended));
        for (before, ran) in self.running.clone() {
            kept *= 1.0 - missed(shortest.max(ran as f64), before as f64 + held);
            if kept < isolation {
                return false;
            }
        }
        kept >= isolation
    }
}

/// ln of how many times as long as `shortest`, in millionths; 0 if it is not longer.
fn log_ratio(duration: u64, shortest: u64) -> u64 {
    let ratio = duration.max(shortest) as f64 / shortest.max(1) as f64;
    times(1_000_000, libm::log(ratio))
}

/// What is known of the shape of a workflow's task durations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tail {
    samples: u32,
    /// Sum of ln(t / t_m), in millionths.
    logs: u64,
}

impl Tail {
    fn count(&mut self) {
        if self.samples == MOST_SAMPLES {
            self.samples /= 2;
            self.logs /= 2;
        }
        self.samples += 1;
    }

    /// A task took `duration`, the shortest of its stage so far `shortest` (equal units, not 0).
    pub fn learn(&mut self, duration: u64, shortest: u64) {
        self.count();
        self.logs += log_ratio(duration, shortest);
    }

    /// A task took `shorter`, less than `shortest`, the shortest of its stage before. That one is a sample now, and the
    /// stage's `others`, which have been learned, are further away from the new one by as much.
    pub fn learn_shorter(&mut self, shorter: u64, shortest: u64, others: u32) {
        self.count();
        let nearer = others.saturating_add(1).min(self.samples);
        self.logs += u64::from(nearer) * log_ratio(shortest, shorter);
    }

    /// The maximum-likelihood estimate n / sum of ln(t_i / t_m) (Hill, Annals of Statistics 3(5), 1975), begun
    /// with samples of the prior shape. Greater than 1, as Eq. 4 needs it.
    #[must_use]
    pub fn alpha(&self) -> f64 {
        self.alpha_beside([].into_iter(), 1)
    }

    /// The same when tasks of a stage whose shortest took `shortest` have been `running` for so long and go on: censored
    /// samples. Without them only the short tasks of a wave would have been seen.
    #[must_use]
    pub fn alpha_beside(&self, running: impl Iterator<Item = u64>, shortest: u64) -> f64 {
        let samples = PRIOR_SAMPLES + f64::from(self.samples);
        let all = running.fold(self.logs, |sum, ran| sum.saturating_add(log_ratio(ran, shortest)));
        let logs = PRIOR_SAMPLES / PRIOR_ALPHA + all as f64 / MILLIONTHS;
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

    const SECOND: u64 = 1_000_000_000;

    /// D in seconds at alpha = 1, as all sums are simple there. Times in seconds; of those that run: before, and now.
    fn wave(isolation: f64, ended: u32, running: &[(u64, u64)]) -> f64 {
        let running = running.iter().map(|(before, ran)| (before * SECOND, ran * SECOND));
        Wave { shortest: SECOND, ended, running }.deadline(isolation, 1.0) as f64 / 1e9
    }

    #[test]
    fn ssr_8_a_wave_that_begins_together_is_that_of_eq_2() {
        for running in [[(0, 0); 20], [(0, 1); 20]] {
            assert_eq!(wave(0.4, 0, &running), times(SECOND, deadline(0.4, 20, 1.0)) as f64 / 1e9);
        }
        assert_eq!(wave(0.4, 1, &[(0, 1); 19]), wave(0.4, 0, &[(0, 1); 20]), "the first has ended");
    }

    /// t_m is 1 s. Who has run for 3 s and still does misses D with probability 3 / (3 + D), who begins now with 1 / D.
    #[test]
    fn ssr_8_the_longer_a_task_has_run_the_longer_it_is_waited_for() {
        close(wave(0.75, 0, &[(0, 0)]), 4.0); // 1 - 1/4
        close(wave(0.75, 0, &[(3, 3)]), 9.0); // 1 - 3/12
        close(wave(0.5, 0, &[(0, 0), (3, 3)]), 5.0); // (4/5) (5/8)
        close(wave(0.5, 1, &[(3, 3)]), 5.0);
        // Less than t_m does not matter but for when it began: 1 - 1/(0.5 + 3.5).
        let running = [(SECOND / 2, SECOND / 2)].into_iter();
        close(Wave { shortest: SECOND, ended: 0, running }.deadline(0.75, 1.0) as f64 / 1e9, 3.5);
    }

    #[test]
    fn the_shape_does_not_depend_on_the_order_in_which_tasks_end() {
        let [mut one, mut other] = [Tail::default(); 2];
        one.learn(4 * SECOND, 2 * SECOND);
        one.learn(8 * SECOND, 2 * SECOND);
        // 4, then 8, then 2 s: the shortest is the last.
        other.learn(8 * SECOND, 4 * SECOND);
        other.learn_shorter(2 * SECOND, 4 * SECOND, 1);
        close(one.alpha(), 22.0 / (12.5 + 8.0_f64.ln()));
        close(other.alpha(), one.alpha());
    }

    #[test]
    fn what_still_runs_makes_the_tail_heavier() {
        let mut tail = Tail::default();
        tail.learn(2 * SECOND, SECOND);
        let running = [SECOND / 2, 4 * SECOND].into_iter();
        close(tail.alpha_beside(running, SECOND), 21.0 / (12.5 + 8.0_f64.ln()));
        close(tail.alpha(), 21.0 / (12.5 + 2.0_f64.ln()));
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
