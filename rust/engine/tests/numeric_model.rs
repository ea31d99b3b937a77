//! The paper's numeric model of copies (SSR-11; ICDCS'17, section IV-C, Fig. 10), and the engine beside it.
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "durations are small enough"
)]

mod common;

use std::collections::BTreeMap;

use common::{Host, SECOND};
use holdfast_engine::{Config, ExecutorId, SetId, StageKind};

const TASKS: u32 = 20;
const RUNS: u64 = 1_000;

/// Seeded numbers in (0, 1], by `SplitMix64`.
struct Draws(u64);

impl Draws {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        ((z >> 11) + 1) as f64 / (1_u64 << 53) as f64
    }

    /// Durations in nanoseconds: Pareto from a second on.
    fn durations(&mut self, alpha: f64) -> Vec<u64> {
        let one = |u: f64| (SECOND as f64 * u.powf(-1.0 / alpha)) as u64;
        (0..TASKS).map(|_| one(self.next())).collect()
    }
}

/// T' = t(ceil N/2) + max over k > ceil N/2 of min(t(k) - t(ceil N/2), t'(k)).
fn model(tasks: &[u64], copies: &[u64]) -> u64 {
    let mut order: Vec<usize> = (0..tasks.len()).collect();
    order.sort_by_key(|&k| tasks[k]);
    let (early, late) = order.split_at(tasks.len().div_ceil(2));
    let half = early.last().map_or(0, |&k| tasks[k]);
    half + late.iter().map(|&k| (tasks[k] - half).min(copies[k])).max().unwrap_or(0)
}

/// When the last task ends that the engine decides for: each on a slot of its own, copies as it says.
fn phase(tasks: &[u64], copies: &[u64]) -> u64 {
    // As in the paper: any running task may be copied at once.
    let config = Config { copy_age_ns: 0, copy_age_factor: 0, ..Config::default() };
    let mut host = Host::new(config, &[1; TASKS as usize]);
    host.workflow(1, 1);
    host.job(1, 1, false, &[(1, TASKS, TASKS), (2, TASKS, 0)]);
    host.set_of(StageKind::ShuffleMap, 1, 1, TASKS);
    // (end, attempt); the attempts of task k are k and its copy, TASKS + k.
    let mut running = BTreeMap::new();
    for task in 0..TASKS {
        host.launch(task, 1, task, task);
        running.insert((tasks[task as usize], task), ());
    }
    while let Some(((now, attempt), ())) = running.pop_first() {
        host.now = now;
        host.free(attempt);
        let other = (attempt + TASKS) % (2 * TASKS);
        if let Some(&loser) = running.keys().find(|(_, attempt)| *attempt == other) {
            running.remove(&loser);
            host.fail(other);
        }
        for executor in 0..TASKS {
            let copy = host.engine.copy(SetId(1), ExecutorId(executor)).expect("both are known");
            if let Some(task) = copy {
                host.launch(TASKS + task, 1, task, executor);
                running.insert((now + copies[task as usize], TASKS + task), ());
            }
        }
    }
    host.now
}

#[test]
fn ssr_11_the_engine_does_what_the_model_says() {
    let mut draws = Draws(42);
    for run in 0..RUNS {
        let (tasks, copies) = (draws.durations(1.6), draws.durations(1.6));
        assert_eq!(phase(&tasks, &copies), model(&tasks, &copies), "run {run}");
    }
}

#[test]
fn fig_10_copies_cut_a_phase_by_more_than_half_at_alpha_1_6() {
    let mut draws = Draws(7);
    let (mut with, mut without) = (0.0, 0.0);
    for _ in 0..RUNS {
        let (tasks, copies) = (draws.durations(1.6), draws.durations(1.6));
        with += model(&tasks, &copies) as f64;
        without += tasks.iter().copied().max().unwrap_or(0) as f64;
    }
    assert!(with < 0.5 * without, "{:.3} of the time", with / without);
}
