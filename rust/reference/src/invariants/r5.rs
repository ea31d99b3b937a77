//! R5, no lost wake-up: whatever was refused and would now be allowed has been offered again since.

use std::collections::BTreeMap;

use holdfast_engine::{Decision, ExecutorId, SetId, Stragglers, Verdict};

use super::Step;
use crate::model::Snapshot;

/// Who was refused when he was last offered that executor.
#[derive(Clone, Debug, Default)]
pub(super) struct WakeUps {
    refused: BTreeMap<(SetId, ExecutorId), bool>,
}

pub(super) fn check(memory: &mut WakeUps, step: &Step) -> Result<(), String> {
    let all = step.decisions.contains(&Decision::Reoffer);
    let mut refused = BTreeMap::new();
    for ask in &step.after.asks {
        let pending = step.after.set(ask.set).map_or(0, |set| set.pending);
        if pending == 0 {
            continue;
        }
        let key = (ask.set, ask.executor);
        let admitted = step.after.admits.contains(&(ask.set, true));
        let profile = step.profiles.get(&ask.set);
        let executor = step.after.executor(ask.executor);
        // Nobody offers a barred executor, or one of another profile.
        let usable = executor.is_some_and(|e| !e.barred && Some(&e.profile) == profile);
        // While nothing is held, it is the host's own matter to offer an executor that changes.
        let changed = step.before.executor(ask.executor) != executor;
        let changed = changed && step.before.holds.is_empty();
        let allowed = admitted && usable && !matches!(ask.verdict, Verdict::Veto(_));
        let before = step.before.set(ask.set).map_or(0, |set| set.pending);
        // The host offers everything to whoever becomes pending, and a freed slot to everybody.
        let offered = all || changed || pending > before || step.freed_on == Some(ask.executor);
        let was_refused = memory.refused.get(&key).copied().unwrap_or(true);
        if !offered && was_refused && allowed {
            return Err(format!("{key:?} was refused, is allowed now, and nobody tells it"));
        }
        refused.insert(key, if offered { !allowed } else { was_refused });
    }
    memory.refused = refused;
    copies(step)
}

/// The same for copies: an executor that may take one now, and might not before, is offered. Sets with pending tasks are
/// asked anyhow. LATE has a cap on all copies: the slot of one that ends is offered, and there is no room for others.
fn copies(step: &Step) -> Result<(), String> {
    let all = step.decisions.contains(&Decision::Reoffer) || step.stragglers == Stragglers::Late;
    let waits = |set| step.after.set(set).is_some_and(|set| set.pending > 0);
    // An executor that comes or changes is offered by the host.
    let place = |seen: &Snapshot, id| seen.executor(id).map(|e| (e.profile, e.capacity, e.barred));
    let same_place = |id| place(step.before, id) == place(step.after, id);
    for ask in step.after.asks.iter().filter(|ask| ask.copy.is_some() && !waits(ask.set)) {
        let same = |old: &&crate::model::Ask| old.set == ask.set && old.executor == ask.executor;
        let before = step.before.asks.iter().find(same).and_then(|old| old.copy);
        let before =
            before.filter(|_| step.before.set(ask.set).is_some_and(|set| set.pending == 0));
        let told = all || !same_place(ask.executor);
        if before.is_none() && !told && step.freed_on != Some(ask.executor) {
            return Err(format!("a copy is possible now, and nobody tells it: {ask:?}"));
        }
    }
    Ok(())
}
