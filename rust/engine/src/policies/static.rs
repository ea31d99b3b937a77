//! Aside (static reservation; ICDCS'17, section III-A): which slots are for workflows with a priority only?

use crate::api::ids::Resources;
use crate::ledger::{Ledger, Workflow};

/// What an executor keeps from a workflow: the slots that are set aside there, less what workflows with a priority
/// already occupy of it.
pub(crate) fn kept_from(ledger: &Ledger, w: &Workflow, executor: usize) -> Resources {
    if w.priority > 0 {
        return Resources::default();
    }
    let aside = ledger.executors.aside(executor);
    let mut used = Resources::default();
    for (workflow, demand_key, attempts) in ledger.executors.slab[executor].users() {
        if ledger.workflows.slab[workflow].priority > 0 {
            used = used.plus(ledger.demand(demand_key).times(attempts));
        }
    }
    aside.minus(used)
}
