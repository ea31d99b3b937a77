//! Home: which slots are where the input of the workflow's tasks lies? (docs/mechanisms/ssr/locality.md)

use crate::ledger::keys::{ExecutorKey, WorkflowKey};
use crate::ledger::{Ledger, Set, Side, Workflow};

/// What those tasks read that the workflow keeps slots for.
#[derive(Clone, Copy, Debug)]
enum Reads {
    /// What the last complete set has left.
    Left,
    /// What the active sets write.
    Written,
    /// Tasks that wait read the one, what comes after them the other.
    Both,
}

/// Whether it is known where the workflow's input lies, and slots of that size come next.
pub(crate) fn is_known(ledger: &Ledger, workflow: WorkflowKey) -> bool {
    reads(ledger, &ledger.workflows.slab[workflow]).is_some()
}

/// Whether the workflow has fewer slots on an executor than tasks have their output there.
pub(crate) fn is_wanted(ledger: &Ledger, workflow: WorkflowKey, executor: ExecutorKey) -> bool {
    // Most executors are the home of nothing.
    home(ledger, workflow, executor)
        .is_some_and(|home| home > 0 && slots(ledger, workflow, executor) < home)
}

/// Places of executors, in any order and some twice: all that the workflow may want are among them.
pub(crate) fn home_places(ledger: &Ledger, workflow: WorkflowKey) -> impl Iterator<Item = usize> {
    let w = &ledger.workflows.slab[workflow];
    let written = active_sets(ledger, w).flat_map(|set| set.watch.input.places.executors());
    w.learned.home.left.executors().chain(written).filter_map(|id| ledger.executors.place(id))
}

/// Whether it has more there.
pub(crate) fn is_crowded(ledger: &Ledger, workflow: WorkflowKey, executor: ExecutorKey) -> bool {
    home(ledger, workflow, executor).is_some_and(|home| slots(ledger, workflow, executor) > home)
}

fn reads(ledger: &Ledger, w: &Workflow) -> Option<Reads> {
    if w.is_resized() {
        return None;
    }
    let known = !w.learned.home.left.is_empty();
    if !w.learned.home.cached && active_sets(ledger, w).next().is_some() {
        return match w.pending > 0 {
            true => known.then_some(Reads::Both),
            false => Some(Reads::Written),
        };
    }
    known.then_some(Reads::Left)
}

fn active_sets<'a>(ledger: &'a Ledger, w: &'a Workflow) -> impl Iterator<Item = &'a Set> {
    let sets = w.jobs.iter().flat_map(|&job| &ledger.jobs[job].sets);
    sets.map(|&set| &ledger.sets[set]).filter(|set| !set.zombie)
}

/// How many slots the workflow would best have on an executor; `None` while nothing is known.
fn home(ledger: &Ledger, workflow: WorkflowKey, executor: ExecutorKey) -> Option<u32> {
    let w = &ledger.workflows.slab[workflow];
    let e = &ledger.executors.slab[executor];
    let left = || w.learned.home.left.tasks_on(e.id);
    let written = || {
        let finished = active_sets(ledger, w).map(|set| set.watch.input.places.tasks_on(e.id));
        finished.fold(e.attempts_of(workflow), u32::saturating_add)
    };
    Some(match reads(ledger, w)? {
        Reads::Left => left(),
        Reads::Written => written(),
        Reads::Both => left().max(written()),
    })
}

/// Its slots there, attempts and holds.
fn slots(ledger: &Ledger, workflow: WorkflowKey, executor: ExecutorKey) -> u32 {
    let e = &ledger.executors.slab[executor];
    let holds = ledger.holds.oldest_first(e.holds, Side::Executor);
    let held = holds.filter(|&key| ledger.holds.get(key).owner == workflow).count();
    e.attempts_of(workflow).saturating_add(u32::try_from(held).unwrap_or(u32::MAX))
}
