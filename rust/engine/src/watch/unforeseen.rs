//! Who comes narrow and becomes wide without anybody having known it: what it lacks by then, for its account.

use crate::ledger::keys::WorkflowKey;
use crate::needs::{may_own, wants};
use crate::state::Core;

/// A set has come. What is at most a quarter wider than known is no surprise, so that what grows by ones is looked at
/// a few times only: attempts are many.
pub(crate) fn watch_width(core: &mut Core, workflow: WorkflowKey) {
    let ahead = wants(&core.ledger, &core.rules, core.now, workflow).ahead;
    let w = &mut core.ledger.workflows.slab[workflow];
    if ahead == 0 {
        return;
    }
    let (first, known) = *w.width.known.get_or_insert((core.now, ahead));
    if ahead <= known.saturating_add(known / 4) {
        return;
    }
    w.width.known = Some((first, ahead));
    let w = &core.ledger.workflows.slab[workflow];
    let lacking = ahead.min(may_own(&core.ledger, w)).saturating_sub(known.max(w.owned()));
    let room = |slot| core.ledger.executors.with_room(slot, 0).is_some();
    if lacking == 0 || w.slots.next.is_some_and(room) {
        return;
    }
    let workflows = &core.ledger.workflows;
    let rank = w.rank();
    let given = core.ledger.attempts.iter().filter(|(_, attempt)| {
        attempt.launched_at > first && workflows.rank(attempt.workflow()) > rank
    });
    let given = given.take(lacking as usize).count() as u64;
    core.ledger.workflows.slab[workflow].holding.account.unforeseen += given;
}
