//! Slot sizes (SSR-7): what does a slot have to be that is kept for a workflow?

use crate::api::ids::{ProfileId, Resources};
use crate::ledger::{Ledger, Workflow};

/// The profile of what the workflow will launch next, and what a task of it asks for: that of its latest set while
/// something of it is pending, else that of the one stage that follows its sets, if there is one.
pub(crate) fn slot(ledger: &Ledger, w: &Workflow) -> Option<(ProfileId, Resources)> {
    if w.pending > 0 || w.holding.gap.is_some() || ledger.executors.one_profile() {
        return w.slots.latest;
    }
    let jobs = w.jobs.iter().map(|&job| &ledger.jobs[job]);
    let sets = jobs.flat_map(|job| &job.sets).map(|&set| &ledger.sets[set]);
    let mut active = sets.filter(|set| !set.zombie).peekable();
    if active.peek().is_none() {
        return w.slots.next;
    }
    let mut next = active.filter(|set| set.follows.tasks > 0).map(|set| set.follows.profile);
    let Some(first) = next.next() else { return w.slots.latest };
    let same =
        next.all(|other| other == first) && w.slots.latest.is_some_and(|(own, _)| own != first);
    let demand = ledger.executors.demand(first).filter(|_| same);
    demand.map_or(w.slots.latest, |demand| Some((first, demand)))
}
