//! Widen: may a workflow run a task away from its input, on a slot of its own that would idle?
//!
//! A task that waits for a slot next to its input starts a wave later, or as many as it takes until those before it have
//! run there. One that does not wait reads from afar. Which is shorter, the workflow's own tasks say
//! (docs/mechanisms/ssr/locality.md).

use crate::ledger::{Set, Workflow};

const THOUSAND: u64 = 1_000;
/// More would say nothing more.
const MOST: u64 = 1_000 * THOUSAND;

/// Whether it pays for one more task of the set not to wait. Who does not know yet tries; what an executor has said that
/// was new to the workflow counts for the set only.
pub(crate) fn pays(w: &Workflow, set: &Set) -> bool {
    w.learned.remote_slowdown_milli.or(set.watch.input.remote_slowdown_milli).is_none_or(
        |slowdown| {
            // The last one of those that wait is done when as many waves more have run on the slots next to the input.
            let waves = u64::from(set.pending.div_ceil(set.watch.input.near.max(1)).max(1));
            slowdown <= THOUSAND * (1 + waves)
        },
    )
}

/// What a task away from its input teaches that took `nanos`, if some of its set were local; later ones count more.
pub(crate) fn learned_slowdown(so_far: Option<u64>, set: &Set, nanos: u64) -> Option<u64> {
    let (tasks, sum) = set.watch.input.local;
    if tasks == 0 {
        return None;
    }
    let times = u128::from(nanos) * u128::from(THOUSAND * tasks) / u128::from(sum.max(1));
    let now = u64::try_from(times).unwrap_or(MOST).min(MOST);
    Some(so_far.map_or(now, |so_far| so_far - so_far / 4 + now / 4))
}
