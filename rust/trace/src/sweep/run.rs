//! A run of a workflow while it lives.

use std::collections::BTreeMap;

use super::slots::{SlotId, Slots};
use super::terms::{Terms, Wait};
use crate::report::{Crossings, RunReport, Worst};
use crate::runs::Opened;
use crate::spark_event::{Millis, StageKey};

/// What Spark takes to hand tasks out to free slots is the driver's time; what is longer is a wait, in milliseconds.
pub(super) const DISPATCH: Millis = 100;
/// The most workflows that a report names as takers of slots; the rest are added up.
const NAMES: usize = 32;

/// What all runs see.
pub(super) struct Scene {
    pub(super) slots: Slots,
    /// When the first slot became free of those that are.
    pub(super) free_since: Millis,
    /// Time without any slot, in milliseconds.
    pub(super) empty: Millis,
    pub(super) waits_for_locality: bool,
}

/// A barrier or gap that the run has crossed, and whose tasks still wait.
struct Crossing {
    stage: u32,
    gap: bool,
    slots_lost: u64,
    lost_us: u64,
}

/// A stage attempt that has not ended.
#[derive(Clone, Copy)]
pub(super) struct Open {
    pub(super) key: StageKey,
    /// Its tasks that wait.
    pub(super) pending: u64,
    /// Whether they start all together, or not at all.
    pub(super) barrier: bool,
}

pub(super) struct Run {
    opened: Opened,
    /// Its stages that have not ended.
    pub(super) stages: Vec<Open>,
    pub(super) pending: u64,
    pub(super) running: u64,
    /// Whether anything of it has ever run.
    pub(super) ran: bool,
    /// Whether it has neither jobs nor SQL executions: it may be over.
    pub(super) idle: bool,
    pub(super) active_jobs: u32,
    /// Whether a job has ended since its tasks last waited, and no other was active then.
    between_jobs: bool,
    profile: u32,
    /// Slots that it has released at a barrier, and has not got a slot for.
    pub(super) claims: Vec<SlotId>,
    /// Those of them that others use.
    pub(super) lost: u64,
    /// Slots that it left while tasks of it waited: the next of them take their place.
    pub(super) passing: u64,
    /// Accounted for until here.
    since: Millis,
    empty_at_since: Millis,
    /// When it last submitted or launched something.
    own: Millis,
    crossing: Option<Crossing>,
    terms: Terms,
    report: RunReport,
}

impl Run {
    pub(super) fn new(opened: Opened) -> Self {
        let report = RunReport {
            workflow: opened.workflow.clone(),
            run: opened.number,
            pool: opened.pool.clone(),
            description: opened.description.clone(),
            arrival_ms: opened.arrival,
            end_ms: opened.arrival,
            ended: false,
            rebuilt: false,
            jct_us: 0,
            terms: Terms::default(),
            without_executors_us: 0,
            jobs: 0,
            stages: 0,
            tasks: 0,
            widest: 0,
            barriers: Crossings::default(),
            gaps: Crossings::default(),
            lost_to: BTreeMap::new(),
            worst: None,
        };
        Self {
            since: opened.arrival,
            own: opened.arrival,
            opened,
            stages: Vec::new(),
            pending: 0,
            running: 0,
            ran: false,
            idle: false,
            active_jobs: 0,
            between_jobs: false,
            profile: 0,
            claims: Vec::new(),
            lost: 0,
            passing: 0,
            empty_at_since: 0,
            crossing: None,
            terms: Terms::default(),
            report,
        }
    }

    /// It turns out to be a run of this workflow.
    pub(super) fn rename(&mut self, opened: Opened) {
        self.report.workflow.clone_from(&opened.workflow);
        self.report.run = opened.number;
        self.report.pool.clone_from(&opened.pool);
        self.report.description.clone_from(&opened.description);
        self.opened = opened;
    }

    /// Returns whether its class depends on what others do.
    pub(super) const fn contends(&self) -> bool {
        self.pending > 0 && self.ran && !self.idle
    }

    /// Returns how others call it when it has their slots.
    pub(super) fn label(&self) -> String {
        use crate::spark_event::Kind;
        match (self.opened.kind, &self.opened.pool) {
            (Kind::Job, Some(pool)) => format!("jobs of pool {pool}"),
            (Kind::Job, None) => "jobs without a name".to_owned(),
            _ => self.opened.workflow.clone(),
        }
    }

    /// Accounts for the time until `now`, in which nothing that its class depends on has changed.
    pub(super) fn account(&mut self, now: Millis, scene: &Scene) {
        if self.idle {
            return;
        }
        if now <= self.since {
            self.empty_at_since = scene.empty;
            return;
        }
        let micros = (now - self.since) * 1_000;
        let mut terms = Terms::default();
        if self.stages.is_empty() {
            terms.driver_gaps = micros;
        } else if self.pending == 0 {
            terms.computing = micros;
        } else if !self.ran {
            terms.first_wait = micros;
            self.report.without_executors_us += (scene.empty - self.empty_at_since) * 1_000;
        } else {
            terms = self.wait(now, scene);
        }
        self.terms.add(&terms);
        self.since = now;
        self.empty_at_since = scene.empty;
    }

    fn wait(&mut self, now: Millis, scene: &Scene) -> Terms {
        let room = scene.slots.room(self.profile);
        let waiting = || self.stages.iter().filter(|open| open.pending > 0);
        let barred = scene.slots.barred(self.profile, &waiting().map(|open| open.key));
        let mut wait = Wait {
            running: self.running,
            pending: self.pending,
            free: room.free.saturating_sub(barred),
            lost: self.lost,
            others: room.busy.saturating_sub(self.running),
        };
        if waiting().all(|open| open.barrier) {
            let least = waiting().map(|open| open.pending).min().unwrap_or(0);
            wait = wait.together(least);
        }
        let handed_out = self.own.max(scene.free_since).saturating_add(DISPATCH);
        let middle = handed_out.clamp(self.since, now);
        let mut terms = wait.split((middle - self.since) * 1_000, false);
        terms.add(&wait.split((now - middle) * 1_000, scene.waits_for_locality));
        if room.all == 0 {
            self.report.without_executors_us += terms.first_wait;
        }
        if let Some(crossing) = &mut self.crossing {
            crossing.lost_us += terms.lost_at_barriers;
        }
        terms
    }

    /// An event that was rebuilt says when it began or ended.
    pub(super) const fn rebuilt(&mut self) {
        self.report.rebuilt = true;
    }

    /// A job of it begins.
    pub(super) fn job_started(&mut self, now: Millis, scene: &Scene) {
        self.report.jobs += 1;
        self.active_jobs += 1;
        self.resume(now, scene);
    }

    /// It was idle and is not: what was between was a gap.
    fn resume(&mut self, now: Millis, scene: &Scene) {
        if self.idle {
            self.idle = false;
            self.terms.driver_gaps += now.saturating_sub(self.since) * 1_000;
            self.since = self.since.max(now);
            self.empty_at_since = scene.empty;
        }
    }

    /// A job of it has ended.
    pub(super) const fn job_ended(&mut self) {
        self.active_jobs = self.active_jobs.saturating_sub(1);
        self.between_jobs |= self.active_jobs == 0;
    }

    /// It has no job and no SQL execution any more. Stages that the log leaves open are over.
    pub(super) fn went_idle(&mut self) {
        self.stages.clear();
        self.set_pending(0);
        self.idle = true;
    }

    /// A stage of it begins. If it has run before and nothing of it waits, it has crossed a barrier or gap.
    pub(super) fn submitted(&mut self, now: Millis, open: Open, profile: u32) {
        let Open { key, pending, .. } = open;
        let crosses = self.pending == 0 && self.ran && pending > 0;
        self.report.stages += 1;
        self.stages.push(open);
        self.pending += pending;
        self.profile = profile;
        self.own = now;
        if crosses {
            let gap = self.between_jobs;
            let crossings = if gap { &mut self.report.gaps } else { &mut self.report.barriers };
            crossings.all += 1;
            self.crossing = Some(Crossing { stage: key.stage, gap, slots_lost: 0, lost_us: 0 });
        }
        self.between_jobs = false;
    }

    /// A task of another run is on a slot that it wants back.
    pub(super) fn lose(&mut self, to: String) {
        let Some(crossing) = &mut self.crossing else { return };
        crossing.slots_lost += 1;
        let names = &mut self.report.lost_to;
        let known = names.contains_key(&to) || names.len() < NAMES;
        *names.entry(if known { to } else { "others".to_owned() }).or_insert(0) += 1;
    }

    /// What [`Run::lose`] said was wrong.
    pub(super) fn keep(&mut self, from: &str) {
        let Some(crossing) = &mut self.crossing else { return };
        crossing.slots_lost = crossing.slots_lost.saturating_sub(1);
        let names = &mut self.report.lost_to;
        let name = if names.contains_key(from) { from } else { "others" };
        if let Some(slots) = names.get_mut(name) {
            *slots -= 1;
            if *slots == 0 {
                names.remove(name);
            }
        }
    }

    /// A task of it is launched.
    pub(super) fn launched(&mut self, now: Millis) {
        self.ran = true;
        self.own = now;
        self.running += 1;
        self.report.tasks += 1;
        self.report.widest = self.report.widest.max(self.running);
    }

    /// Notes how many tasks of a stage wait.
    pub(super) fn set_waiting(&mut self, key: StageKey, pending: u64) {
        // Those that were submitted last are at work.
        let Some(open) = self.stages.iter_mut().rfind(|open| open.key == key) else {
            return self.set_pending(self.pending);
        };
        let all = (self.pending + pending).saturating_sub(open.pending);
        open.pending = pending;
        self.set_pending(all);
    }

    /// Returns how many of its tasks wait.
    pub(super) fn set_pending(&mut self, pending: u64) {
        self.pending = pending;
        if pending > 0 {
            return;
        }
        self.passing = 0;
        let Some(crossing) = self.crossing.take().filter(|crossing| crossing.slots_lost > 0) else {
            return;
        };
        let Crossing { stage, gap, slots_lost, lost_us } = crossing;
        let crossings = if gap { &mut self.report.gaps } else { &mut self.report.barriers };
        crossings.with_loss += 1;
        crossings.slots_lost += slots_lost;
        if self.report.worst.as_ref().is_none_or(|worst| lost_us > worst.lost_us) {
            self.report.worst = Some(Worst { stage, gap, slots_lost, lost_us });
        }
    }

    /// Returns its report, when it ended at `end` or the log did.
    pub(super) fn close(mut self, end: Millis, ended: bool, scene: &Scene) -> RunReport {
        self.account(end, scene);
        self.set_pending(0);
        let end = end.max(self.opened.arrival);
        let mut report = self.report;
        report.end_ms = end;
        report.ended = ended;
        report.jct_us = (end - report.arrival_ms) * 1_000;
        report.terms = self.terms;
        report
    }
}
