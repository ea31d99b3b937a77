//! SSR-11: how long a phase takes with copies of its stragglers, and without (ICDCS'17, section IV-C).

use super::draws::Draws;

/// One run of a phase of N tasks on N slots. What is drawn is exponential; with a shape of alpha the task takes
/// exp(drawn / alpha), which is Pareto distributed from 1 on. So one run serves every shape.
pub(super) struct Phase {
    /// The ceil(N/2)-th shortest task: when it has ended, every later one gets a copy.
    half: f64,
    /// The later tasks, shortest first, and their copies.
    late: Vec<(f64, f64)>,
}

/// How long a phase takes, in durations of the shortest possible task.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Times {
    pub(super) without: f64,
    pub(super) with: f64,
}

impl Phase {
    /// Draws the tasks of a run, then the copies, both in the order of their numbers.
    pub(super) fn draw(seed: u64, tasks: u32, run: u32) -> Self {
        let mut draws = Draws::new(seed, tasks, run);
        let drawn = (0..tasks).map(|_| draws.exponential()).collect();
        Self::new(drawn, || draws.exponential())
    }

    fn new(mut tasks: Vec<f64>, mut copy: impl FnMut() -> f64) -> Self {
        tasks.sort_unstable_by(f64::total_cmp);
        let (early, late) = tasks.split_at(tasks.len().div_ceil(2));
        let late = late.iter().map(|&task| (task, copy())).collect();
        Self { half: early.last().copied().unwrap_or(0.0), late }
    }

    /// T = t(N), and T' = t(ceil N/2) + max over k > ceil N/2 of min(t(k) - t(ceil N/2), t'(k)).
    pub(super) fn times(&self, alpha: f64) -> Times {
        let duration = |drawn: f64| libm::exp(drawn / alpha);
        let half = duration(self.half);
        let (mut without, mut rest) = (half, 0.0_f64);
        for &(task, copy) in &self.late {
            // Shortest first: the last one is the longest.
            without = duration(task);
            rest = rest.max((without - half).min(duration(copy)));
        }
        Times { without, with: half + rest }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a phase whose tasks and copies take so long at alpha = 1.
    fn times(tasks: &[f64], copies: &[f64]) -> [f64; 2] {
        let mut copies = copies.iter().map(|&t| libm::log(t));
        let tasks = tasks.iter().map(|&t| libm::log(t)).collect();
        let Times { without, with } = Phase::new(tasks, || copies.next().unwrap()).times(1.0);
        assert_eq!(copies.next(), None, "every later task has a copy, no other has");
        // Through exp and log.
        [without, with].map(|t| (t * 1e9).round() / 1e9)
    }

    #[test]
    fn ssr_11_by_hand() {
        // Two of four have ended at 2. The copies take 4 and 3: 5 ends by itself, 10 with its copy at 2 + 3.
        assert_eq!(times(&[10.0, 1.0, 5.0, 2.0], &[4.0, 3.0]), [10.0, 5.0]);
        // Copies that are slower than what is left change nothing.
        assert_eq!(times(&[1.0, 2.0, 5.0, 10.0], &[4.0, 9.0]), [10.0, 10.0]);
        // Of five the third counts: 3 + max(min(1, 2), min(6, 5)).
        assert_eq!(times(&[1.0, 2.0, 3.0, 4.0, 9.0], &[2.0, 5.0]), [9.0, 8.0]);
        assert_eq!(times(&[7.0], &[]), [7.0, 7.0]);
    }

    #[test]
    fn a_larger_shape_shortens_the_tail() {
        let phase = Phase::draw(1, 20, 0);
        assert_eq!(phase.late.len(), 10);
        let [heavy, light] = [1.6, 3.2].map(|alpha| phase.times(alpha).without);
        assert!((heavy - light * light).abs() < 1e-9 * heavy, "{heavy} is {light} squared");
    }
}
