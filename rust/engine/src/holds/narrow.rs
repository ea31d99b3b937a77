//! Narrow phases: since when a workflow needs less than it will want again, and what its rivals' tasks take.

use crate::api::config::HoldFor;
use crate::api::ids::Time;
use crate::ledger::Attempt;
use crate::ledger::keys::WorkflowKey;
use crate::needs::{may_hold, wants};
use crate::policies::ssr::look_ahead::until;
use crate::state::Core;

/// What a workflow wants may have changed.
pub(crate) fn watch_narrow(core: &mut Core, workflow: WorkflowKey) {
    let wants = wants(&core.ledger, &core.rules, core.now, workflow);
    let since = (wants.ahead > wants.literal)
        .then(|| core.ledger.workflows.slab[workflow].width.narrow.unwrap_or(core.now));
    core.ledger.workflows.set_narrow(workflow, since);
}

/// Workflows with holds that are in a narrow phase, and until when they keep what they will want again.
pub(crate) fn rents(core: &Core) -> impl Iterator<Item = (WorkflowKey, Time)> {
    core.ledger.workflows.narrow.iter().filter_map(|&key| {
        let w = &core.ledger.workflows.slab[key];
        Some((key, until(&core.ledger, &core.rules, w).filter(|_| w.held > 0)?))
    })
}

/// Whose rent is over needs less from now on.
pub(crate) fn end_rents(core: &mut Core) {
    for i in 0..core.ledger.workflows.narrow.len() {
        let key = core.ledger.workflows.narrow[i];
        let w = &core.ledger.workflows.slab[key];
        let until = until(&core.ledger, &core.rules, w).filter(|_| w.held > 0);
        if until.is_some_and(|until| until <= core.now) {
            core.ledger.touched.note(key);
        }
    }
}

/// A task has finished.
pub(crate) fn learn_rivals(core: &mut Core, attempt: &Attempt) {
    // One would have to wait for it: it may not hold, or everybody may.
    let w = &core.ledger.workflows.slab[attempt.workflow];
    if core.rules.hold_for == HoldFor::All || !may_hold(&core.rules, w) {
        let nanos = core.now.since(attempt.launched_at);
        core.ledger.rivals.add(nanos);
    }
}
