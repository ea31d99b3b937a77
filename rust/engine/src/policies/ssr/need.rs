//! Need: how many slots should this workflow own now, running and held together?
//!
//! SSR Algorithm 1 (ICDCS'17, section III-B) as a number: a freed slot is reserved iff its
//! workflow owns less than it needs. m = 8, n = 3 releases the first five and keeps three
//! (SSR-3); n = m keeps all (SSR-2); the final phase of a workflow without a future keeps none
//! (SSR-1). The paper's rule sees one phase ahead; [`NeedRule::Lookahead`] sees past narrow ones, for a while.

use crate::api::config::{Config, NeedRule};
use crate::api::ids::Time;
use crate::ledger::{Foreseen, Job, Ledger, Workflow};
use crate::roles::Wants;

/// What an active workflow wants that may hold.
pub(super) fn wants(ledger: &Ledger, config: &Config, now: Time, w: &Workflow) -> Wants {
    if w.holding.gap.is_some() {
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
    if continues && !w.flags.closed {
        sum.ahead = sum.ahead.max(expected(config, now, w));
    }
    sum
}

/// What a workflow will want when its next job comes: as declared, else as foreseen, else as much as its last run used.
pub(crate) fn gap_need(config: &Config, now: Time, w: &Workflow) -> u32 {
    match (w.width.declared, w.width.foreseen) {
        (1.., _) => w.width.declared,
        (_, Some(foreseen)) => again(config, now, w, foreseen),
        _ => w.width.last_m.max(peak(config, now, w)),
    }
}

/// n of Algorithm 1; own pending tasks and retries keep slots besides. Sibling stages share one child, so the largest
/// and not the sum.
pub(crate) fn literal_n(ledger: &Ledger, w: &Workflow, job: &Job) -> u32 {
    let continues = job.continues && !w.flags.closed;
    let sets = job.sets.iter().map(|&set| &ledger.sets[set]).filter(|set| !set.zombie);
    sets.map(|set| set.n(continues, w.width.declared)).max().unwrap_or(job.last_n)
}

/// How wide a workflow that goes on will be again, under look-ahead: as the user has declared (SSR-5), else as is
/// foreseen of the time that a slot is worth keeping, else as it was.
pub(crate) fn expected(config: &Config, now: Time, w: &Workflow) -> u32 {
    match (config.need, w.width.declared, w.width.foreseen) {
        (NeedRule::Lookahead, 1.., _) => w.width.declared,
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
    if valid { w.width.peak.width } else { 0 }
}

/// Whether the peak still counts.
pub(crate) fn peak_is_valid(config: &Config, now: Time, w: &Workflow) -> bool {
    w.width.peak.width > 0 && now.since(w.width.peak.at) < config.hold_max_ns
}
