//! Claim ("Grow", docs/adr/0008; pre-reservation, SSR-4): which workflows may take what others release?

use super::need::{expected, literal_n, peak_is_valid};
use crate::api::config::Config;
use crate::api::event::Event;
use crate::api::ids::Time;
use crate::ledger::{Job, Ledger, Set, Workflow};

/// Up to how many slots a workflow claims that is not in a gap, and never more than it needs: as wide as it is or was,
/// and what follows a stage once enough of that has finished. Beside it, until when that stays so if nothing about the
/// workflow changes: its peak lapses.
pub(crate) fn wide(ledger: &Ledger, config: &Config, now: Time, w: &Workflow) -> (u32, Time) {
    let lapses = w.width.peak.at.after(config.hold_max_ns);
    let until = if peak_is_valid(config, now, w) { lapses } else { Time::NEVER };
    (wide_now(ledger, config, now, w), until)
}

fn wide_now(ledger: &Ledger, config: &Config, now: Time, w: &Workflow) -> u32 {
    let (mut sum, mut continues) = (0u32, false);
    for job in w.jobs.iter().map(|&job| &ledger.jobs[job]).filter(|job| !job.done) {
        sum = sum.saturating_add(claimable_for(ledger, config, w, job));
        continues |= job.continues;
    }
    if continues && !w.flags.closed {
        sum = sum.max(expected(config, now, w));
    }
    sum
}

fn claimable_for(ledger: &Ledger, config: &Config, w: &Workflow, job: &Job) -> u32 {
    let sets = job.sets.iter().map(|&set| &ledger.sets[set]).filter(|set| !set.zombie);
    let continues = job.continues && !w.flags.closed;
    let wide = |set: &Set| {
        let next = if is_reached(config, set) { set.n(continues, w.width.declared) } else { 0 };
        if w.is_resized() { next } else { set.width().max(next) }
    };
    let next = sets.map(wide).max().unwrap_or_else(|| literal_n(ledger, w, job));
    if w.is_resized() { next } else { job.unfinished.max(next) }
}

/// Whether the fraction R of a set has finished.
fn is_reached(config: &Config, set: &Set) -> bool {
    let finished = u64::from(set.width() - set.unfinished.min(set.width()));
    finished * 1_000_000 >= u64::from(config.prereserve_ppm) * u64::from(set.width())
}

/// Whether claims wait for the next step: a barrier set is being launched, and it has been promised the slots of
/// its further tasks.
pub(crate) fn waits(ledger: &Ledger, event: &Event) -> bool {
    let Event::Launched { set, .. } = event else { return false };
    ledger.set_ids.get(set).is_some_and(|&set| {
        let set = &ledger.sets[set];
        set.kind.together && set.pending > 0
    })
}
