//! The model of when to copy (NSDI'14, appendix A): rates of one job whose task times are Pareto distributed.
//!
//! A job of `waves * slots` tasks runs on `slots` slots. `u` is the share of its work that is left. Rates are compared
//! with those of the same job without copies in full waves.

/// The shape of Facebook's task times (Fig. 3).
pub const BETA: f64 = 1.259;

/// Steps of the midpoint rule.
const STEPS: u32 = 4_000;
/// Points of a response time's integral.
const POINTS: u32 = 1_500;
/// The logarithm of how many times the least time counts as the end of a tail.
const TAIL: f64 = 18.0;

/// What runs where: the model's parameters.
#[derive(Clone, Copy, Debug)]
pub struct Model {
    /// Waves of tasks: tasks divided by slots.
    pub waves: f64,
    /// Slots.
    pub slots: f64,
    /// Shape of task times, above 1; they are at least 1.
    pub beta: f64,
}

/// Returns the mean of Pareto times of at least 1.
#[must_use]
pub fn mean(beta: f64) -> f64 {
    beta / (beta - 1.0)
}

/// Returns sigma, the copies of each task that serve a job best while it fills its slots (Theorem 1). The original
/// counts.
#[must_use]
pub fn sigma(beta: f64) -> f64 {
    f64::max(2.0 / beta, 1.0)
}

/// Returns how much faster work is done by `k` attempts of each task than by one: E[tau] / (k E[min of k]).
#[must_use]
pub fn blow_up(k: f64, beta: f64) -> f64 {
    (k * beta - 1.0) / ((beta - 1.0) * k * k)
}

/// Returns omega of GS: the age from which on a new attempt is expected to end sooner.
#[must_use]
pub fn omega_gs(beta: f64) -> f64 {
    // What is left of a task that has run for w is w / (beta - 1); a new attempt takes beta / (beta - 1).
    beta
}

/// Returns omega of RAS: the age from which on a new attempt saves slot-time.
#[must_use]
pub fn omega_ras(beta: f64) -> f64 {
    2.0 * beta
}

fn midpoints(from: f64, to: f64, steps: u32, of: impl Fn(f64) -> f64) -> f64 {
    let step = (to - from) / f64::from(steps);
    (0..steps).map(|i| of(from + (f64::from(i) + 0.5) * step)).sum::<f64>() * step
}

/// Returns the probability that a task takes at least `time`.
fn survives(time: f64, beta: f64) -> f64 {
    if time <= 1.0 { 1.0 } else { libm::pow(time, -beta) }
}

/// Returns the first line of Eq. 3, and P(tau >= omega): the rate while tasks fill all slots, when each that has run for
/// `omega` gets one copy.
#[must_use]
pub fn reactive_rate(omega: f64, beta: f64) -> (f64, f64) {
    let late = survives(omega, beta);
    let all = mean(beta);
    let early = if omega <= 1.0 { 0.0 } else { all - late * omega * all };
    // What is left of the original given that it has run for omega, and the copy.
    let left = |time: f64| survives(omega + time, beta) / late;
    let below = midpoints(0.0, 1.0, STEPS, left);
    let above = midpoints(0.0, TAIL, STEPS, |log| {
        let time = libm::exp(log);
        left(time) * survives(time, beta) * time
    });
    (all / (early + (2.0 * (below + above) + omega) * late), late)
}

impl Model {
    /// Returns the attempts of each task that serve best at a time (Theorem 1).
    #[must_use]
    pub fn best_copies(&self, u: f64) -> f64 {
        let (tasks, sigma) = (u * self.waves * self.slots, sigma(self.beta));
        if tasks * sigma >= self.slots {
            sigma
        } else if tasks >= 1.0 {
            self.slots / tasks
        } else {
            self.slots
        }
    }

    /// Returns the rate with `k` attempts of each task (Eq. 1): the slots that they fill, between k / S and 1, times
    /// what they are worth.
    #[must_use]
    pub fn rate(&self, u: f64, k: f64) -> f64 {
        (u * self.waves * k).max(k / self.slots).min(1.0) * blow_up(k, self.beta)
    }

    /// Returns how long the job takes if tasks are copied that have run for `omega`, and as Theorem 1 says once they no
    /// longer fill all slots (Eq. 3).
    #[must_use]
    pub fn response(&self, omega: f64) -> f64 {
        let (early, late) = reactive_rate(omega, self.beta);
        midpoints(0.0, 1.0, POINTS, |u| {
            let fills = u * self.waves * (1.0 + late) >= 1.0;
            1.0 / if fills { early } else { self.rate(u, self.best_copies(u)) }
        })
    }

    /// Returns a curve of Fig. 4: response times at these omegas, divided by the least of them.
    #[must_use]
    pub fn curve(&self, omegas: &[f64]) -> Vec<f64> {
        let times: Vec<f64> = omegas.iter().map(|&omega| self.response(omega)).collect();
        let least = times.iter().copied().fold(f64::INFINITY, f64::min);
        times.iter().map(|time| time / least).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(got: f64, want: f64) -> bool {
        (got - want).abs() < 5e-4
    }

    #[test]
    fn theorem_1_for_facebooks_tail() {
        assert!(near(sigma(BETA), 1.589) && near(sigma(3.0), 1.0));
        assert!(near(blow_up(sigma(BETA), BETA), 1.530) && near(blow_up(2.0, BETA), 1.465));
        let best = (0..3_000).map(|i| 1.0 + f64::from(i) / 1e3);
        let best = best.max_by(|a, b| blow_up(*a, BETA).total_cmp(&blow_up(*b, BETA))).unwrap();
        assert!((best - sigma(BETA)).abs() < 1e-3, "sigma is where the gain is largest");
        let model = Model { waves: 2.0, slots: 100.0, beta: BETA };
        assert!(near(model.best_copies(1.0), sigma(BETA)), "early waves");
        assert!(near(model.best_copies(0.1), 5.0), "20 tasks fill 100 slots");
        assert!(near(model.best_copies(0.001), 100.0), "the last one has all slots");
    }

    #[test]
    fn omega_is_where_a_copy_begins_to_pay() {
        assert!(near(omega_gs(BETA), 1.259) && near(omega_ras(BETA), 2.518));
        // What is left at omega is what a new attempt takes, or twice that.
        let left = |omega: f64| omega / (BETA - 1.0);
        assert!(near(left(omega_gs(BETA)), mean(BETA)));
        assert!(near(left(omega_ras(BETA)), 2.0 * mean(BETA)));
    }

    #[test]
    fn eq_1_is_between_one_task_and_all_slots() {
        let model = Model { waves: 1.0, slots: 100.0, beta: BETA };
        assert!(near(model.rate(1.0, 1.0), 1.0) && near(model.rate(0.5, 1.0), 0.5));
        assert!(near(model.rate(0.001, 2.0), 0.02 * blow_up(2.0, BETA)));
    }

    #[test]
    fn fig_4_gs_is_better_in_one_wave_and_ras_in_more() {
        let omegas: Vec<f64> = (0..=50).map(|i| f64::from(i) / 10.0).collect();
        for beta in [1.2, BETA, 1.5, 1.8] {
            let of = |waves| {
                let model = Model { waves, slots: 100.0, beta };
                (model.response(omega_gs(beta)), model.response(omega_ras(beta)))
            };
            let (gs, ras) = of(1.0);
            assert!(gs <= ras, "one wave, beta {beta}: {gs} and {ras}");
            for waves in [2.0, 5.0, 10.0] {
                let (gs, ras) = of(waves);
                assert!(ras <= gs, "{waves} waves, beta {beta}: {gs} and {ras}");
            }
        }
        let model = Model { waves: 5.0, slots: 100.0, beta: BETA };
        let best = omegas.iter().map(|&o| model.response(o)).fold(f64::INFINITY, f64::min);
        assert!((model.response(omega_gs(BETA)) / best - 1.030).abs() < 2e-3);
        assert!((model.response(omega_ras(BETA)) / best - 1.000).abs() < 2e-3);
    }
}
