//! Need: how many slots should this workflow own now, running and held together?
//!
//! SSR Algorithm 1 (ICDCS'17, section III-B) as a number: a freed slot is reserved iff its
//! workflow owns less than it needs. m = 8, n = 3 releases the first five and keeps three
//! (SSR-3); n = m keeps all (SSR-2); the final phase of a workflow without a future keeps none
//! (SSR-1). The paper's rule sees one phase ahead; [`NeedRule::Lookahead`] sees past narrow ones.

use crate::config::{Config, HoldFor, NeedRule, Policy};
use crate::ids::Time;
use crate::ledger::{Job, Ledger, Workflow};

/// Whether a workflow may hold at all.
pub(crate) fn may_hold(config: &Config, w: &Workflow) -> bool {
    config.policy == Policy::Ssr
        && w.isolation > 0
        && (w.priority > 0 || config.hold_for == HoldFor::All)
}

/// How many slots a workflow may own: all usable ones when prioritised, an equal share otherwise.
fn may_own(ledger: &Ledger, w: &Workflow) -> u32 {
    let slots = w.slot.map_or(0, |(profile, _)| ledger.slots(profile));
    if w.priority > 0 {
        return slots;
    }
    let sharers = u32::try_from(ledger.workflows.active.len()).unwrap_or(u32::MAX);
    (slots / sharers.max(1)).max(1)
}

/// The slots that a workflow needs now.
pub(crate) fn need(ledger: &Ledger, config: &Config, now: Time, key: usize) -> u32 {
    let w = &ledger.workflows.slab[key];
    if !w.active || !may_hold(config, w) {
        return 0;
    }
    let wanted = if w.gap.is_some() {
        gap_need(config, now, w)
    } else {
        let jobs = w.jobs.iter().map(|&job| &ledger.jobs[job]).filter(|job| !job.done);
        let (sum, continues) = jobs.fold((0u32, false), |(sum, continues), job| {
            (sum.saturating_add(job_need(ledger, config, w, job)), continues || job.continues)
        });
        if continues && !w.closed { sum.max(expected(config, now, w)) } else { sum }
    };
    wanted.min(may_own(ledger, w))
}

/// What a workflow will want when its next job comes: as much as its last run used.
pub(crate) fn gap_need(config: &Config, now: Time, w: &Workflow) -> u32 {
    if w.declared > 0 { w.declared } else { w.last_m.max(peak(config, now, w)) }
}

/// max(unfinished, n): own pending tasks and retries keep slots, too.
fn job_need(ledger: &Ledger, config: &Config, w: &Workflow, job: &Job) -> u32 {
    let n = match config.need {
        NeedRule::Literal => literal_n(ledger, w, job),
        NeedRule::Lookahead => literal_n(ledger, w, job).max(job.plan_width),
    };
    job.unfinished.max(n)
}

/// n of Algorithm 1; sibling stages share one child, so the largest and not the sum.
fn literal_n(ledger: &Ledger, w: &Workflow, job: &Job) -> u32 {
    let continues = job.continues && !w.closed;
    let sets = job.sets.iter().map(|&set| &ledger.sets[set]).filter(|set| !set.zombie);
    sets.map(|set| set.n(continues, w.declared)).max().unwrap_or(job.last_n)
}

/// How wide a workflow that goes on will be again, under look-ahead: as the user has declared (SSR-5), else as it was.
fn expected(config: &Config, now: Time, w: &Workflow) -> u32 {
    match (config.need, w.declared) {
        (NeedRule::Lookahead, 1..) => w.declared,
        _ => peak(config, now, w),
    }
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
