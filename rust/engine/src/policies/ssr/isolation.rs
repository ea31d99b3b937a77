//! Isolation (SSR-8; ICDCS'17, section IV-B): until when does a barrier keep its slots?

use crate::api::config::Config;
use crate::api::ids::Time;
use crate::ledger::{Ledger, Set, Workflow};
use crate::math::pareto::{self, STRICT};

/// Until when a set's barrier is held: D, at least the floor, after its last wave began. The paper
/// counts from the phase's start; a stage of many waves would then hold nothing (docs/adr/0012). `None` while
/// something is pending or nobody has finished.
///
/// Beside it, how long all slots of the wave together may idle until then by Eq. 4, in slots x ns.
pub(crate) fn deadline_of_set(
    config: &Config,
    w: &Workflow,
    set: &Set,
    now: Time,
    ages: &mut Vec<(u64, u64)>,
) -> Option<(Time, u64)> {
    let (at, shortest) = (set.watch.barrier.wave?.at, set.watch.barrier.shortest?);
    let isolation = f64::from(w.isolation) / f64::from(STRICT);
    let tasks = set.tasks.iter().filter(|task| !task.finished && task.running > 0);
    // Once, as the deadline looks at them dozens of times, and all tasks of the set may be many more.
    ages.clear();
    ages.extend(tasks.map(|task| (at.since(task.since), now.since(task.since))));
    let running = ages.iter().copied();
    let alpha = w.learned.tail.alpha_beside(running.clone().map(|(_, ran)| ran), shortest);
    let ended = set.watch.barrier.wave?.tasks.saturating_sub(set.unfinished);
    let wave = pareto::Wave { shortest, ended, running };
    let held = wave.deadline(isolation, alpha).max(config.hold_floor_ns);
    let idle = 1.0 - pareto::utilization(isolation, wave.tasks(), alpha);
    Some((at.after(held), pareto::times(held, idle * f64::from(wave.tasks()))))
}

/// Until when a workflow's barrier is held: as long as that of any of its sets that has something to
/// finish. `None`: up to the cap.
pub(crate) fn deadline(ledger: &Ledger, w: &Workflow) -> Option<Time> {
    let mut latest = None;
    for set in w.jobs.iter().flat_map(|&job| &ledger.jobs[job].sets) {
        let set = &ledger.sets[*set];
        if !set.zombie && set.unfinished > 0 {
            latest = latest.max(Some(set.watch.barrier.until?));
        }
    }
    latest
}
