//! The configurations and weights that a seed draws.

use holdfast_engine::{Config, Copies, HoldFor, NeedRule, Policy};

use super::rng::Rng;

pub(crate) const MILLIS: u64 = 1_000_000;

/// A configuration for this seed.
pub(crate) fn config(rng: &mut Rng) -> Config {
    let one_in = |rng: &mut Rng, n: u32| rng.below(n) == 0;
    Config {
        policy: policy(rng),
        static_slots: rng.below(12),
        hold_for: if one_in(rng, 4) { HoldFor::All } else { HoldFor::Prioritised },
        need: if one_in(rng, 2) { NeedRule::Literal } else { NeedRule::Lookahead },
        idle_budget_ppm: rng
            .pick(&[None, None, None, Some(0), Some(10_000), Some(300_000)])
            .flatten(),
        hold_floor_ns: rng.pick(&[0, 250, 2_000]).unwrap_or(250) * MILLIS,
        hold_max_ns: rng.pick(&[2_000, 5_000, 20_000, 60_000]).unwrap_or(60_000) * MILLIS,
        linger_first_ns: rng.pick(&[0, 100, 1_000, 3_000, 30_000]).unwrap_or(1_000) * MILLIS,
        linger_factor: rng.below(5),
        linger_max_ns: rng.pick(&[500, 5_000, 30_000]).unwrap_or(5_000) * MILLIS,
        grow: !one_in(rng, 3),
        prereserve_ppm: rng.pick(&[0, 500_000, 1_000_000]).unwrap_or(0),
        spread: one_in(rng, 3),
        spread_max_ns: rng.pick(&[500, 5_000]).unwrap_or(5_000) * MILLIS,
        copies: rng.pick(&[Copies::Off, Copies::Shuffle, Copies::All]).unwrap_or(Copies::All),
        copy_age_ns: rng.pick(&[0, 100, 5_000]).unwrap_or(100) * MILLIS,
        copy_age_factor: rng.below(3),
        ..Config::default()
    }
}

/// Mostly ours.
fn policy(rng: &mut Rng) -> Policy {
    match rng.below(25) {
        0 => Policy::Stock,
        1..3 => Policy::Static,
        3..5 => Policy::Timeout,
        _ => Policy::Ssr,
    }
}

/// What the host may do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    SubmitJob,
    SubmitSet,
    Offer,
    Free,
    Fail,
    EndSet,
    EndJob,
    CancelJob,
    AbortSet,
    Retry,
    LaunchAnyway,
    LaunchCopy,
    Unfinish,
    FinishElsewhere,
    AddExecutor,
    ChangeExecutor,
    BarExecutor,
    LoseExecutor,
    ChangePriority,
    CloseWorkflow,
    Wait,
    WaitForDeadline,
    WaitLong,
    Plan,
    Recall,
    Repeat,
    Stale,
    Garbage,
}

/// (action, usual weight, whether a seed may switch it off).
const ACTIONS: [(Action, u32, bool); 28] = [
    (Action::SubmitJob, 14, false),
    (Action::SubmitSet, 40, false),
    (Action::Offer, 120, false),
    (Action::Free, 70, false),
    (Action::Fail, 6, true),
    (Action::EndSet, 60, false),
    (Action::EndJob, 30, false),
    (Action::CancelJob, 3, true),
    (Action::AbortSet, 3, true),
    (Action::Retry, 4, true),
    (Action::LaunchAnyway, 12, true),
    (Action::LaunchCopy, 4, true),
    (Action::Unfinish, 4, true),
    (Action::FinishElsewhere, 4, true),
    (Action::AddExecutor, 4, true),
    (Action::ChangeExecutor, 4, true),
    (Action::BarExecutor, 5, true),
    (Action::LoseExecutor, 3, true),
    (Action::ChangePriority, 5, true),
    (Action::CloseWorkflow, 3, true),
    (Action::Wait, 10, true),
    (Action::WaitForDeadline, 10, true),
    (Action::WaitLong, 2, true),
    (Action::Plan, 3, true),
    (Action::Recall, 5, true),
    (Action::Repeat, 4, true),
    (Action::Stale, 3, true),
    (Action::Garbage, 5, true),
];

/// The weights of a seed.
#[derive(Clone, Debug)]
pub(crate) struct Weights(Vec<(Action, u32)>);

impl Weights {
    pub(crate) fn draw(rng: &mut Rng) -> Self {
        let mut drawn = Vec::new();
        for (action, usual, optional) in ACTIONS {
            let off = optional && rng.chance(35);
            let scale = rng.pick(&[1, 2, 2, 3, 6]).unwrap_or(2);
            drawn.push((action, if off { 0 } else { usual * scale }));
        }
        Self(drawn)
    }

    pub(crate) fn pick(&self, rng: &mut Rng) -> Action {
        let total = self.0.iter().map(|(_, weight)| weight).sum();
        let mut at = rng.below(total);
        for (action, weight) in &self.0 {
            if at < *weight {
                return *action;
            }
            at -= weight;
        }
        Action::Wait
    }
}
