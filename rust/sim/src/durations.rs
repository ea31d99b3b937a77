//! How long attempts run.

use serde::{Deserialize, Serialize};

use crate::draw::Draw;

/// How long attempts run, in milliseconds. What is drawn is cut to whole milliseconds, at least 1.
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
    /// Of each task, as recorded; copies and retries take as long.
    Recorded {
        /// Milliseconds by task; tasks beyond them take 1.
        ms: Vec<u64>,
    },
}

impl Durations {
    /// Pareto with a mean of `mean` milliseconds; `alpha` above 1.
    #[must_use]
    pub fn pareto_of_mean(mean: f64, alpha: f64, most: Option<f64>) -> Self {
        Self::Pareto { least: mean * (alpha - 1.0) / alpha, alpha, most }
    }

    /// Milliseconds of an attempt of `task`, drawn from `of`, which names the attempt.
    #[must_use]
    pub fn millis(&self, task: u32, of: Draw) -> u64 {
        let ms = match self {
            Self::Constant { ms } => *ms,
            Self::Uniform { least, most } => {
                #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
                let span = most.saturating_sub(*least) as f64;
                least + whole(span * of.uniform())
            }
            Self::Pareto { least, alpha, most } => {
                let drawn = least * libm::pow(1.0 - of.uniform(), -1.0 / alpha);
                whole(drawn.min(most.unwrap_or(f64::INFINITY)))
            }
            Self::Recorded { ms } => ms.get(task as usize).copied().unwrap_or(1),
        };
        ms.max(1)
    }

    /// Whether it can be drawn from.
    pub(crate) fn is_sound(&self) -> bool {
        match self {
            Self::Constant { .. } | Self::Recorded { .. } => true,
            Self::Uniform { least, most } => least <= most,
            Self::Pareto { least, alpha, most } => {
                *least >= 0.0 && *alpha > 0.0 && most.is_none_or(|most| most >= 0.0)
            }
        }
    }
}

/// Cut to a whole number; saturates.
pub(crate) fn whole(number: f64) -> u64 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
    let cut = number as u64;
    cut
}
