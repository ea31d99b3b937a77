//! Simulated times compared with recorded ones.

use holdfast_sim::Outcome;
use holdfast_words::{count, verb};
use serde::Serialize;

use super::Workload;
use crate::statistics::quantile;

/// A run of a workflow, simulated as it was recorded.
#[derive(Serialize)]
pub struct Compared {
    /// Its name.
    pub workflow: String,
    /// Which of its runs, from 1.
    pub run: u32,
    /// The pool of its first job.
    pub pool: Option<String>,
    /// That of the workflow.
    pub priority: i32,
    /// From its arrival to the end of its last job, in milliseconds.
    pub recorded_ms: u64,
    /// The same, simulated.
    pub simulated_ms: u64,
    /// Simulated over recorded.
    pub ratio: f64,
}

/// All runs that had ended.
#[derive(Serialize)]
pub struct Comparison {
    /// The median of the ratios, if there is any.
    pub median: Option<f64>,
    /// How many differ by at most a tenth.
    pub within_10_percent: usize,
    /// How many differ by at most a fifth.
    pub within_20_percent: usize,
    /// In the order of their arrivals.
    pub runs: Vec<Compared>,
}

/// Returns whether a ratio is as near to 1 as that.
pub fn within(ratio: f64, share: f64) -> bool {
    (ratio - 1.0).abs() <= share
}

/// Whole milliseconds.
pub(crate) const fn millis(nanos: u64) -> u64 {
    nanos / 1_000_000
}

impl Comparison {
    /// Returns a sentence that says how near the simulation came.
    pub fn verdict(&self) -> String {
        let Some(median) = self.median else {
            return "No run has an end in the log: there is nothing to compare the simulation with."
                .to_owned();
        };
        let all = self.runs.len() as u64;
        let (take, they) = (verb(all, ("takes", "take")), verb(all, ("it", "they")));
        let near = if all == 1 { String::new() } else { " (median)".to_owned() };
        format!(
            "Simulated as recorded, {} {take} {median:.2} times what {they} took{near}; {} within 20 %.",
            count(all, "run"),
            self.within_20_percent
        )
    }

    /// `kept` are the places in the workload of the world's workflows.
    pub(crate) fn of(workload: &Workload, kept: &[usize], outcome: &Outcome) -> Self {
        let numbers = workload.run_numbers();
        let mut runs = Vec::new();
        for (&place, times) in kept.iter().zip(&outcome.workflows) {
            let workflow = &workload.workflows[place];
            let Some(recorded_ms) = workflow.took_ms else { continue };
            let simulated_ms = millis(times.jct_ns());
            #[expect(clippy::cast_precision_loss, reason = "a ratio")]
            let ratio = simulated_ms as f64 / recorded_ms.max(1) as f64;
            runs.push(Compared {
                workflow: workflow.name.clone(),
                run: numbers[place],
                pool: workflow.pool.clone(),
                priority: workload.priority(workflow),
                recorded_ms,
                simulated_ms,
                ratio,
            });
        }
        let mut ratios: Vec<f64> = runs.iter().map(|run| run.ratio).collect();
        ratios.sort_by(f64::total_cmp);
        let count = |share| ratios.iter().filter(|&&ratio| within(ratio, share)).count();
        Self {
            median: (!ratios.is_empty()).then(|| quantile(&ratios, 0.5)),
            within_10_percent: count(0.1),
            within_20_percent: count(0.2),
            runs,
        }
    }
}
