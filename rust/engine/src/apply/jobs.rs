//! Workflows, jobs and task sets: how they come, end, and wait between two jobs.

use crate::api::config::{NeedRule, Policy};
use crate::api::decision::{Decision, EndCause};
use crate::api::error::EngineError;
use crate::api::event::StageKind;
use crate::api::ids::{JobId, ProfileId, SetId, StageId, WorkflowId};
use crate::engine::Engine;
use crate::ledger::{Gap, HoldBook, Job, Peak, PlanEntry, Set, Side, Workflow};
use crate::policies::ssr::copies::may_copy;
use crate::policies::ssr::linger::{linger, longest};
use crate::policies::ssr::look_ahead;
use crate::policies::ssr::need::{gap_need, may_hold, peak_is_valid};

/// More tasks in one set are taken for garbage.
const MAX_TASKS: u32 = 1 << 24;

type Applied = Result<(), EngineError>;
type Out = Vec<Decision>;

impl Engine {
    pub(crate) fn workflow_closed(&mut self, id: WorkflowId, out: &mut Out) {
        let Some(&key) = self.ledger.workflows.ids.get(&id) else {
            return self.ledger.workflows.gone.forget_missed_gap(id);
        };
        self.ledger.workflows.slab[key].closed = true;
        self.ledger.workflows.slab[key].awaited = false;
        self.touch(key);
        if !self.has_live_job(key) {
            self.workflow_over(key, EndCause::WorkflowOver, out);
        }
    }

    pub(crate) fn job_submitted(
        &mut self,
        id: JobId,
        workflow: WorkflowId,
        continues: bool,
    ) -> Applied {
        let key = *self.ledger.workflows.ids.get(&workflow).ok_or(EngineError::UnknownWorkflow)?;
        if self.ledger.job_ids.contains_key(&id) {
            return Err(EngineError::KnownJob);
        }
        let w = &self.ledger.workflows.slab[key];
        // What the first stage will be is not known before it comes.
        let last_n = if w.gap.is_some() { gap_need(&self.config, self.now, w) } else { w.declared };
        self.arrive(key);
        let job = self.ledger.jobs.insert(Job {
            id,
            workflow: key,
            continues,
            done: false,
            plan: Vec::new(),
            plan_width: 0,
            sets: Vec::new(),
            unfinished: 0,
            last_n,
        });
        self.ledger.job_ids.insert(id, job);
        self.ledger.workflows.slab[key].jobs.push(job);
        self.ledger.workflows.slab[key].awaited = false;
        self.touch(key);
        Ok(())
    }

    /// The workflow has something to run: it becomes active, or its gap is over.
    fn arrive(&mut self, key: usize) {
        let now = self.now;
        let w = &mut self.ledger.workflows.slab[key];
        if !w.active {
            let gap = w.missed_gap.take().map_or(0, |start| now.since(start));
            if gap <= longest(&self.config) {
                w.largest_gap = w.largest_gap.max(gap);
            }
            self.ledger.pools.add_active(w.pool, true);
            self.ledger.workflows.activate(key, now);
            return self.touch_sharers();
        }
        w.charge(now);
        let Some(gap) = w.gap.take() else { return };
        w.largest_gap = w.largest_gap.max(now.since(gap.start));
        w.episode = Some(now);
        w.exhausted = false;
        self.ledger.workflows.gaps.retain(|&other| other != key);
        let cap =
            (self.config.policy != Policy::Timeout).then(|| now.after(self.config.hold_max_ns));
        let until = w.holds_until();
        self.for_holds(key, |holds, hold| {
            if let Some(cap) = cap {
                holds.set_cap(hold, cap);
            }
            holds.set_deadline(hold, until);
        });
    }

    pub(crate) fn for_holds(&mut self, workflow: usize, act: impl Fn(&mut HoldBook, usize)) {
        let holds = self.ledger.workflows.slab[workflow].holds;
        self.scratch.clear();
        self.scratch.extend(self.ledger.holds.oldest_first(holds, Side::Workflow));
        for &key in &self.scratch {
            act(&mut self.ledger.holds, key);
        }
    }

    pub(crate) fn stage_planned(&mut self, job: JobId, entry: PlanEntry) -> Applied {
        let job = *self.ledger.job_ids.get(&job).ok_or(EngineError::UnknownJob)?;
        let job = &mut self.ledger.jobs[job];
        match job.entry(entry.stage) {
            Some(known) => *known = entry,
            None => job.plan.push(entry),
        }
        job.plan_changed();
        let workflow = job.workflow;
        self.touch(workflow);
        Ok(())
    }

    pub(crate) fn job_ended(&mut self, id: JobId, succeeded: bool, out: &mut Out) {
        let Some(&key) = self.ledger.job_ids.get(&id) else { return };
        let mut sets: Vec<SetId> =
            self.ledger.jobs[key].sets.iter().map(|&set| self.ledger.sets[set].id).collect();
        sets.sort_unstable();
        for set in sets {
            self.end_set(set);
        }
        self.ledger.job_ids.remove(&id);
        let job = self.ledger.jobs.remove(key);
        let workflow = job.workflow;
        self.ledger.workflows.slab[workflow].jobs.retain(|&other| other != key);
        self.touch(workflow);
        if !succeeded {
            self.ledger.workflows.slab[workflow].missed_gap = None;
        }
        let w = &self.ledger.workflows.slab[workflow];
        if !w.active || self.has_live_job(workflow) {
            return self.ledger.workflows.forget_if_unused(workflow);
        }
        if !succeeded {
            self.workflow_over(workflow, EndCause::WorkflowOver, out);
        } else if w.gap.is_none() {
            self.begin_gap(workflow, job.continues, out);
        }
    }

    fn has_live_job(&self, workflow: usize) -> bool {
        self.ledger.workflows.slab[workflow].jobs.iter().any(|&job| !self.ledger.jobs[job].done)
    }

    pub(crate) fn set_submitted(
        &mut self,
        id: SetId,
        job: JobId,
        stage: StageId,
        SetShape { tasks, profile, fills_cache, kind }: SetShape,
    ) -> Applied {
        if self.ledger.set_ids.contains_key(&id) {
            return Err(EngineError::KnownSet);
        }
        let job = *self.ledger.job_ids.get(&job).ok_or(EngineError::UnknownJob)?;
        let demand = self.ledger.executors.demand(profile).ok_or(EngineError::UnknownProfile)?;
        if tasks == 0 || tasks > MAX_TASKS {
            return Err(EngineError::BadTaskCount);
        }
        let workflow = self.ledger.jobs[job].workflow;
        let demand_key = self.ledger.demand_key(demand);
        self.ledger.jobs[job].done = false;
        self.arrive(workflow);
        self.supersede(job, stage);
        let (next, next_profile, signature) = self.take_from_plan(job, stage);
        self.learn_pattern(job, signature, tasks);
        let mut buffer = self.ledger.spare_tasks.take();
        buffer.resize(tasks as usize, Default::default());
        let running = self.ledger.spare_running.take();
        let places = self.ledger.spare_places.take();
        self.ledger.set_serial += 1;
        let key = self.ledger.sets.insert(Set {
            id,
            serial: self.ledger.set_serial,
            workflow,
            job,
            stage,
            tasks: buffer,
            unfinished: 0,
            pending: 0,
            profile,
            demand,
            demand_key,
            next,
            next_profile,
            foreseen: self.ledger.workflows.slab[workflow].foreseen.map_or(0, |f| f.next),
            fills_cache,
            zombie: false,
            spread_until: None,
            wave: None,
            shortest: None,
            samples: 0,
            barrier: None,
            bound_ns: None,
            local: (0, 0),
            near: 0,
            remote_slowdown_milli: None,
            together: kind == StageKind::Barrier,
            may_copy: may_copy(&self.config, kind),
            places,
            running,
            twice: 0,
            copying: None,
        });
        self.ledger.set_ids.insert(id, key);
        self.ledger.jobs[job].sets.push(key);
        self.ledger.add_unfinished(key, tasks.cast_signed());
        self.ledger.add_pending(key, tasks.cast_signed());
        self.begin_episode(workflow, profile, demand, tasks);
        self.renew_barrier(workflow);
        self.watch_width(workflow);
        if fills_cache {
            self.begin_spread(key);
        }
        Ok(())
    }

    fn begin_episode(
        &mut self,
        workflow: usize,
        profile: ProfileId,
        demand: crate::Resources,
        tasks: u32,
    ) {
        let valid = peak_is_valid(&self.config, self.now, &self.ledger.workflows.slab[workflow]);
        let w = &mut self.ledger.workflows.slab[workflow];
        w.latest = Some((profile, demand));
        w.set_slot(w.latest);
        w.episode = None;
        w.exhausted = false;
        if !valid || tasks >= w.peak.width {
            w.peak = Peak { width: tasks, at: self.now };
        }
        self.touch(workflow);
    }

    /// Earlier sets of the same stage launch nothing any more.
    fn supersede(&mut self, job: usize, stage: StageId) {
        for i in 0..self.ledger.jobs[job].sets.len() {
            let set = self.ledger.jobs[job].sets[i];
            if self.ledger.sets[set].stage == stage {
                self.ledger.make_zombie(set);
            }
        }
    }

    /// n of a stage that is submitted, of what profile, and its signature if this is the first time.
    fn take_from_plan(&mut self, job: usize, stage: StageId) -> (u32, ProfileId, Option<u32>) {
        let job = &mut self.ledger.jobs[job];
        let Some(entry) = job.entry(stage) else { return (0, ProfileId(0), None) };
        let first = !entry.submitted;
        entry.submitted = true;
        let (next, next_profile, signature) = (entry.next, entry.next_profile, entry.signature);
        job.plan_changed();
        (next, next_profile, first.then_some(signature))
    }

    /// A stage of a workflow that may go on teaches what follows what; not when it runs again.
    /// Stages of a job that run side by side want their slots at the same time.
    fn learn_pattern(&mut self, job: usize, signature: Option<u32>, tasks: u32) {
        let Job { workflow, continues, unfinished: beside, .. } = self.ledger.jobs[job];
        let (Some(signature), true) = (signature, continues) else { return };
        let soon = look_ahead::wait(&self.ledger, &self.config);
        let ahead = self.config.need == NeedRule::Lookahead;
        let w = &mut self.ledger.workflows.slab[workflow];
        w.pattern.add(self.now, signature, tasks.saturating_add(beside));
        w.foreseen = w.pattern.foresee(soon).filter(|_| ahead);
    }

    pub(crate) fn set_ended(&mut self, id: SetId, out: &mut Out) {
        let Some(done) = self.end_set(id) else { return };
        let job = &mut self.ledger.jobs[done.job];
        let active = job.sets.iter().any(|&set| !self.ledger.sets[set].zombie);
        job.done |= done.final_and_complete && job.plan_is_submitted() && !active;
        let (workflow, continues) = (job.workflow, job.continues);
        self.touch(workflow);
        let w = &self.ledger.workflows.slab[workflow];
        if w.active && w.gap.is_none() && !self.has_live_job(workflow) {
            self.begin_gap(workflow, continues, out);
        }
    }

    /// Takes a set out of the books; `None` if it is unknown.
    fn end_set(&mut self, id: SetId) -> Option<EndedSet> {
        let key = self.ledger.set_ids.remove(&id)?;
        let (zombie, unfinished) = (self.ledger.sets[key].zombie, self.ledger.sets[key].unfinished);
        self.ledger.make_zombie(key);
        if self.ledger.sets[key].spread_until.is_some() {
            self.forget_spread(key);
        }
        let mut set = self.ledger.sets.remove(key);
        if !zombie && unfinished == 0 {
            self.ledger.workflows.slab[set.workflow].home.completed(&mut set);
        }
        let (width, continues) = (set.width(), self.ledger.jobs[set.job].continues);
        let Workflow { closed, declared, .. } = self.ledger.workflows.slab[set.workflow];
        let n = set.n(continues && !closed, declared);
        self.ledger.spare_tasks.put(std::mem::take(&mut set.tasks));
        self.ledger.spare_running.put(std::mem::take(&mut set.running));
        self.ledger.spare_places.put(std::mem::take(&mut set.places));
        self.ledger.workflows.slab[set.workflow].last_m = width;
        self.note_width(set.workflow, width);
        let job = &mut self.ledger.jobs[set.job];
        job.sets.retain(|&other| other != key);
        self.renew_barrier(set.workflow);
        let job = &mut self.ledger.jobs[set.job];
        if !zombie {
            job.last_n = if unfinished > 0 { unfinished } else { n };
            if unfinished > 0 {
                match job.entry(set.stage) {
                    Some(entry) => (entry.tasks, entry.submitted) = (unfinished, false),
                    None => job.plan.push(PlanEntry {
                        stage: set.stage,
                        tasks: unfinished,
                        next: 0,
                        next_profile: ProfileId(0),
                        signature: 0,
                        submitted: false,
                    }),
                }
                job.plan_changed();
            }
        }
        let final_and_complete = !zombie && unfinished == 0 && set.next == 0;
        Some(EndedSet { job: set.job, final_and_complete })
    }

    /// The workflow still uses the width of its peak.
    pub(crate) fn note_width(&mut self, workflow: usize, width: u32) {
        let w = &mut self.ledger.workflows.slab[workflow];
        if width >= w.peak.width {
            w.peak.at = self.now;
            w.narrow = w.narrow.map(|_| self.now);
        }
    }

    /// The last live job of a workflow is done: it lingers, or it is over.
    fn begin_gap(&mut self, workflow: usize, continues: bool, out: &mut Out) {
        let now = self.now;
        let wait = look_ahead::wait(&self.ledger, &self.config);
        let latest_set = self.ledger.set_serial;
        let w = &mut self.ledger.workflows.slab[workflow];
        let linger = linger(&self.config, w.largest_gap, if w.knows_gaps { 0 } else { wait });
        if !may_hold(&self.config, w) || w.closed || !continues || linger == 0 {
            return self.workflow_over(workflow, EndCause::WorkflowOver, out);
        }
        let deadline = now.after(linger);
        w.charge(now);
        w.gap = Some(Gap { start: now, deadline, latest_set });
        w.episode = Some(now);
        w.exhausted = false;
        self.ledger.workflows.gaps.push(workflow);
        self.for_holds(workflow, |holds, hold| holds.set_deadline(hold, deadline));
        self.touch(workflow);
    }

    /// No further job is expected: everything is given back.
    pub(crate) fn workflow_over(&mut self, workflow: usize, cause: EndCause, out: &mut Out) {
        self.end_holds_of(workflow, cause, out);
        let w = &mut self.ledger.workflows.slab[workflow];
        let gap = w.gap.take();
        // The next job may come all the same: then the linger was too short.
        let missed = gap.filter(|_| cause == EndCause::Expired);
        w.missed_gap = missed.map(|gap| gap.start);
        if gap.is_some() {
            self.ledger.workflows.gaps.retain(|&other| other != workflow);
        }
        if self.ledger.workflows.slab[workflow].active {
            self.ledger.pools.add_active(self.ledger.workflows.slab[workflow].pool, false);
            self.ledger.workflows.deactivate(workflow);
        }
        self.ledger.workflows.forget_if_unused(workflow);
    }
}

/// What is said of a set when it comes.
pub(crate) struct SetShape {
    pub tasks: u32,
    pub profile: ProfileId,
    pub fills_cache: bool,
    pub kind: StageKind,
}

/// What ending a set leaves to decide.
struct EndedSet {
    job: usize,
    final_and_complete: bool,
}
