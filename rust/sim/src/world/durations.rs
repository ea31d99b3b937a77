//! How long attempts run.

use serde::{Deserialize, Serialize};

use crate::world::draw::Draw;
/// No time in a world is larger, in milliseconds: thirty years. Sums of a few stay below 2^64 nanoseconds.
pub const LONGEST_MS: u64 = 30 * 365 * 24 * 3_600_000;

/// How long attempts run, in milliseconds. What is drawn is cut to whole milliseconds, at least 1 and at most
/// [`LONGEST_MS`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Durations {
    /// The same for all.
    Constant {
        /// Milliseconds.
        ms: u64,
    },
    /// Uniform between two.
    Uniform {
        /// Least, in milliseconds.
        least: u64,
        /// Most, in milliseconds.
        most: u64,
    },
    /// Pareto: heavy-tailed, as task times of production clusters are.
    Pareto {
        /// Least, in milliseconds.
        least: f64,
        /// Shape.
        alpha: f64,
        /// No attempt takes longer, in milliseconds.
        #[serde(default)]
        most: Option<f64>,
    },
    /// Most attempts take about the median; some straggle, with a Pareto tail (NSDI'14, section 2.2).
    Straggling {
        /// Median of those that do not straggle, in milliseconds.
        median: f64,
        /// Those take uniform times up to this share of the median away from it.
        spread: f64,
        /// The share of attempts that straggle.
        share: f64,
        /// Stragglers take at least so many times the median.
        least: f64,
        /// Shape of their tail.
        alpha: f64,
        /// No attempt takes more than so many times the median.
        most: f64,
    },
    /// Of each task, as recorded; copies and retries take as long.
    Recorded {
        /// Milliseconds by task; tasks beyond them take 1.
        ms: Vec<u64>,
    },
    /// Of each task's first attempt, as recorded; copies and retries take what a task drawn among them took.
    Resampled {
        /// Milliseconds by task; tasks beyond them take 1.
        ms: Vec<u64>,
    },
}

impl Durations {
    /// Makes a Pareto distribution with a mean of `mean` milliseconds; `alpha` above 1.
    #[must_use]
    pub fn pareto_of_mean(mean: f64, alpha: f64, most: Option<f64>) -> Self {
        Self::Pareto { least: mean * (alpha - 1.0) / alpha, alpha, most }
    }

    /// Draws the milliseconds of one more attempt of `task`.
    #[must_use]
    pub fn again(&self, task: u32, of: Draw) -> u64 {
        let Self::Resampled { ms } = self else { return self.millis(task, of) };
        let most = u32::try_from(ms.len()).unwrap_or(u32::MAX).saturating_sub(1);
        self.millis(of.up_to(most), of)
    }

    /// Draws the milliseconds of a first attempt of `task` from `of`, which names the attempt.
    #[must_use]
    pub fn millis(&self, task: u32, of: Draw) -> u64 {
        let ms = match self {
            Self::Constant { ms } => *ms,
            Self::Uniform { least, most } => {
                #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
                let span = most.saturating_sub(*least) as f64;
                least.saturating_add(whole(span * of.uniform()))
            }
            Self::Pareto { least, alpha, most } => {
                let drawn = least * libm::pow(1.0 - of.uniform(), -1.0 / alpha);
                whole(drawn.min(most.unwrap_or(f64::INFINITY)))
            }
            Self::Straggling { median, spread, share, least, alpha, most } => {
                let drawn = of.uniform();
                let times = if drawn < *share {
                    (least * libm::pow(1.0 - drawn / share, -1.0 / alpha)).min(*most)
                } else {
                    1.0 + spread * (2.0 * (drawn - share) / (1.0 - share) - 1.0)
                };
                whole(median * times)
            }
            Self::Recorded { ms } | Self::Resampled { ms } => {
                ms.get(task as usize).copied().unwrap_or(1)
            }
        };
        // A shape near 0 draws numbers without end.
        ms.clamp(1, LONGEST_MS)
    }

    /// Returns what is wrong with it, and what to write instead; none if it can be drawn from.
    pub(crate) fn wrong(&self) -> Option<String> {
        let longest = |ms: u64| format!("{ms} ms; write at most {LONGEST_MS}, thirty years");
        match self {
            Self::Constant { ms } => (*ms > LONGEST_MS).then(|| longest(*ms)),
            Self::Recorded { ms } | Self::Resampled { ms } => {
                ms.iter().find(|&&ms| ms > LONGEST_MS).map(|&ms| longest(ms))
            }
            Self::Uniform { least, most } if least > most => Some(format!(
                "least {least}, most {most}; write a least that is not above the most"
            )),
            Self::Uniform { most, .. } => (*most > LONGEST_MS).then(|| longest(*most)),
            Self::Straggling { median, spread, share, least, alpha, most } => {
                let sound = [median, least, most].iter().all(|&&number| number >= 0.0)
                    && *alpha > 0.0
                    && [spread, share].iter().all(|&&part| (0.0..=1.0).contains(&part));
                (!sound).then(|| {
                    format!(
                        "{self:?}; write times of at least 0, shares from 0 to 1, and a shape alpha above 0"
                    )
                })
            }
            Self::Pareto { least, alpha, most } => {
                let sound = *least >= 0.0 && *alpha > 0.0 && most.is_none_or(|most| most >= 0.0);
                (!sound).then(|| {
                    format!("{self:?}; write times of at least 0, and a shape alpha above 0")
                })
            }
        }
    }
}

/// Cuts to a whole number; saturates.
pub(crate) fn whole(number: f64) -> u64 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
    let cut = number as u64;
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_takes_what_some_task_of_the_stage_took() {
        let resampled = Durations::Resampled { ms: vec![10, 20, 3_000] };
        let draws = (0..200).map(|attempt| Draw::new(7).of(attempt));
        let mut again: Vec<u64> = draws.map(|draw| resampled.again(2, draw)).collect();
        again.sort_unstable();
        again.dedup();
        assert_eq!(again, [10, 20, 3_000]);
        assert_eq!(resampled.millis(2, Draw::new(7)), 3_000);
        let recorded = Durations::Recorded { ms: vec![10, 20, 3_000] };
        assert_eq!(recorded.again(2, Draw::new(7)), 3_000);
    }
}
