//! Quantiles of a day of jobs on 3,000 machines of Facebook, 2010: `FB-2010_samples_24_times_1hr_0.tsv` of SWIM (Chen,
//! Ganapathi, Griffith, Katz: "The Case for Evaluating MapReduce Performance Using Workload Suites", MASCOTS 2011).
//!
//! 24,442 jobs. One in a thousand times between them, above 44 s, is left out. A task reads 128 MiB, and jobs of 10 to
//! 1,500 tasks count, 5,691 of them: 55 % are small, 30 % medium and 15 % large.

/// Each twentieth quantile of the times between jobs, in seconds; the last is of 0.999.
const BETWEEN_S: [f64; 21] = [
    0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 3.0, 3.0, 4.0, 5.0, 6.0, 8.0,
    12.0, 44.0,
];
/// Their mean.
const MEAN_S: f64 = 3.7;

/// Each twentieth quantile of the tasks of a job.
const TASKS: [f64; 21] = [
    10.0, 12.0, 16.0, 21.0, 21.0, 23.0, 25.0, 26.0, 27.0, 32.0, 44.0, 52.0, 74.0, 122.0, 198.0,
    277.0, 408.0, 506.0, 779.0, 1_225.0, 1_498.0,
];

/// Returns the time between two jobs for a number from 0 to 1: in means.
pub(super) fn between(drawn: f64) -> f64 {
    quantile(&BETWEEN_S, drawn) / MEAN_S
}

/// Returns the tasks of a job for a number from 0 to 1.
pub(super) fn tasks(drawn: f64) -> f64 {
    quantile(&TASKS, drawn)
}

/// Goes straight from each quantile to the next.
fn quantile(of: &[f64; 21], drawn: f64) -> f64 {
    let at = drawn.clamp(0.0, 1.0) * 20.0;
    let below = (0..20).rev().find(|&place| f64::from(place) <= at).unwrap_or(0);
    let (low, high) = (of[below as usize], of[below as usize + 1]);
    low + (high - low) * (at - f64::from(below))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_is_that_of_the_quantiles() {
        let mean =
            (0..20).map(|i| f64::midpoint(BETWEEN_S[i], BETWEEN_S[i + 1])).sum::<f64>() / 20.0;
        assert!((mean - MEAN_S).abs() < 1e-9, "{mean}");
    }

    #[test]
    fn quantiles_are_met() {
        assert!((tasks(0.0) - 10.0).abs() < 1e-9 && (tasks(1.0) - 1_498.0).abs() < 1e-9);
        assert!((tasks(0.5) - 44.0).abs() < 1e-9 && (between(0.975) - 28.0 / MEAN_S).abs() < 1e-9);
    }
}
