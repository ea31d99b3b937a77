//! Need: how many slots should this workflow own now, running and held together?
//!
//! SSR Algorithm 1 (ICDCS'17, section III-B) as a number: a freed slot is reserved iff its
//! workflow owns less than it needs. m = 8, n = 3 releases the first five and keeps three
//! (SSR-3); n = m keeps all (SSR-2); the final phase of a workflow without a future keeps none
//! (SSR-1). The paper's rule sees one phase ahead; [`NeedRule::Lookahead`] sees past narrow ones, for a while.

use crate::api::config::{Config, HoldFor, NeedRule, Policy};
use crate::api::ids::Time;
use crate::holds::fair;
use crate::ledger::{Foreseen, Job, Ledger, Workflow};
use crate::policies::ssr::look_ahead;

/// Whether a workflow may hold at all.
pub(crate) fn may_hold(config: &Config, w: &Workflow) -> bool {
    config.policy.holds() && w.isolation > 0 && (w.priority > 0 || config.hold_for == HoldFor::All)
}

/// How many slots a workflow may own: all usable ones when prioritised, otherwise its pool's share or an equal one.
pub(crate) fn may_own(ledger: &Ledger, w: &Workflow) -> u32 {
    let slots = w.slot.map_or(0, |(profile, _)| ledger.slots(profile));
    if w.priority > 0 {
        return slots;
    }
    if let Some(share) = fair::share(ledger, w, slots) {
        return share.max(1);
    }
    let sharers = u32::try_from(ledger.workflows.active.len()).unwrap_or(u32::MAX);
    (slots / sharers.max(1)).max(1)
}

/// The slots that a workflow needs now: what it will want back counts while it is worth its rent.
pub(crate) fn need(ledger: &Ledger, config: &Config, now: Time, key: usize) -> u32 {
    let w = &ledger.workflows.slab[key];
    let Wants { literal, ahead } = wants(ledger, config, now, key);
    let over = || look_ahead::until(ledger, config, w).is_some_and(|until| until <= now);
    let wanted = if ahead > literal && over() { literal } else { ahead };
    wanted.min(may_own(ledger, w))
}

/// How wide a workflow will be.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Wants {
    /// In what comes next.
    pub literal: u32,
    /// In all that is known of what comes; not less.
    pub ahead: u32,
}

/// What a workflow wants, whether it may own that or not.
pub(crate) fn wants(ledger: &Ledger, config: &Config, now: Time, key: usize) -> Wants {
    let w = &ledger.workflows.slab[key];
    if !w.active || !may_hold(config, w) {
        return Wants::default();
    }
    if config.policy == Policy::Timeout {
        return Wants { literal: u32::MAX, ahead: u32::MAX };
    }
    if w.gap.is_some() {
        let literal = gap_need(config, now, w);
        return Wants { literal, ahead: literal };
    }
    let mut sum = Wants::default();
    let mut continues = false;
    for job in w.jobs.iter().map(|&job| &ledger.jobs[job]).filter(|job| !job.done) {
        // What is left of larger or smaller tasks runs: no slot of this size is for them.
        let unfinished = if w.is_resized() { 0 } else { job.unfinished };
        let literal = unfinished.max(literal_n(ledger, w, job));
        let planned = if config.need == NeedRule::Lookahead { job.plan_width } else { 0 };
        sum.literal = sum.literal.saturating_add(literal);
        sum.ahead = sum.ahead.saturating_add(literal.max(planned));
        continues |= job.continues;
    }
    if continues && !w.closed {
        sum.ahead = sum.ahead.max(expected(config, now, w));
    }
    sum
}

/// What a workflow will want when its next job comes: as declared, else as foreseen, else as much as its last run used.
pub(crate) fn gap_need(config: &Config, now: Time, w: &Workflow) -> u32 {
    match (w.declared, w.foreseen) {
        (1.., _) => w.declared,
        (_, Some(foreseen)) => again(config, now, w, foreseen),
        _ => w.last_m.max(peak(config, now, w)),
    }
}

/// n of Algorithm 1; own pending tasks and retries keep slots besides. Sibling stages share one child, so the largest
/// and not the sum.
pub(crate) fn literal_n(ledger: &Ledger, w: &Workflow, job: &Job) -> u32 {
    let continues = job.continues && !w.closed;
    let sets = job.sets.iter().map(|&set| &ledger.sets[set]).filter(|set| !set.zombie);
    sets.map(|set| set.n(continues, w.declared)).max().unwrap_or(job.last_n)
}

/// How wide a workflow that goes on will be again, under look-ahead: as the user has declared (SSR-5), else as is
/// foreseen of the time that a slot is worth keeping, else as it was.
pub(crate) fn expected(config: &Config, now: Time, w: &Workflow) -> u32 {
    match (config.need, w.declared, w.foreseen) {
        (NeedRule::Lookahead, 1.., _) => w.declared,
        (NeedRule::Lookahead, _, Some(foreseen)) => again(config, now, w, foreseen),
        _ => peak(config, now, w),
    }
}

/// What is foreseen; where not all of it is known, at least as wide as of late.
fn again(config: &Config, now: Time, w: &Workflow, foreseen: Foreseen) -> u32 {
    let Foreseen { wide, whole, .. } = foreseen;
    if whole { wide } else { wide.max(peak(config, now, w)) }
}

/// The widest set of late, under look-ahead only. It lapses `hold.max` after it was last used, so
/// that a workflow which has become narrow for good gives the rest back.
fn peak(config: &Config, now: Time, w: &Workflow) -> u32 {
    let valid = config.need == NeedRule::Lookahead && peak_is_valid(config, now, w);
    if valid { w.peak.width } else { 0 }
}

/// Whether the peak still counts.
pub(crate) fn peak_is_valid(config: &Config, now: Time, w: &Workflow) -> bool {
    w.peak.width > 0 && now.since(w.peak.at) < config.hold_max_ns
}
