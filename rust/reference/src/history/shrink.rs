//! Finds a short history that still fails.

use super::{Failure, Timed};

/// The shortest history found that fails by the same rule.
pub fn shrink(
    steps: &[Timed],
    failure: &Failure,
    fails: impl Fn(&[Timed]) -> Option<Failure>,
) -> (Vec<Timed>, Failure) {
    let mut best = steps.to_vec();
    let mut found = failure.clone();
    let mut chunk = best.len();
    while chunk > 0 {
        let mut smaller = false;
        let mut at = 0;
        while at < best.len() {
            let end = (at + chunk).min(best.len());
            let candidate: Vec<Timed> = best[..at].iter().chain(&best[end..]).copied().collect();
            match fails(&candidate) {
                Some(now) if now.rule == failure.rule => {
                    best = candidate;
                    found = now;
                    smaller = true;
                }
                _ => at = end,
            }
        }
        if !smaller {
            chunk /= 2;
        }
    }
    (best, found)
}
