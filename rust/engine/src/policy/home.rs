//! Home: which slots are where the workflow's input lies? (docs/mechanisms/locality.md)

use crate::ledger::{Ledger, Side};

/// Whether the workflow has fewer slots on an executor than tasks have left their results there.
pub(crate) fn is_wanted(ledger: &Ledger, workflow: usize, executor: usize) -> bool {
    let home = &ledger.workflows.slab[workflow].home;
    if home.tasks_on(ledger.executors.slab[executor].id) == 0 {
        // Most executors.
        return false;
    }
    compare(ledger, workflow, executor).is_some_and(|(here, home)| here < home)
}

/// Places of executors in the order of ids: all that the workflow may want are among them.
pub(crate) fn home_places(ledger: &Ledger, workflow: usize) -> impl Iterator<Item = usize> {
    let home = &ledger.workflows.slab[workflow].home;
    home.executors().filter_map(|id| ledger.executors.place(id))
}

/// Whether it has more there.
pub(crate) fn is_crowded(ledger: &Ledger, workflow: usize, executor: usize) -> bool {
    compare(ledger, workflow, executor).is_some_and(|(here, home)| here > home)
}

/// Slots of the workflow on an executor, and those that it would best have there; `None` while nothing is known, and
/// when slots of another size come next.
fn compare(ledger: &Ledger, workflow: usize, executor: usize) -> Option<(u32, u32)> {
    let w = &ledger.workflows.slab[workflow];
    if !w.home.is_known() || w.is_resized() {
        return None;
    }
    let e = &ledger.executors.slab[executor];
    let holds = ledger.holds.oldest_first(e.holds, Side::Executor);
    let held = holds.filter(|&key| ledger.holds.get(key).owner == workflow).count();
    let here = e.attempts_of(workflow).saturating_add(u32::try_from(held).unwrap_or(u32::MAX));
    Some((here, w.home.tasks_on(e.id)))
}
