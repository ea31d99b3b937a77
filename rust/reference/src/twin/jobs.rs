//! Workflows, jobs and sets, and the gap between two jobs.

use std::collections::{BTreeMap, BTreeSet};

use holdfast_engine::pareto;
use holdfast_engine::{
    EndCause, EngineError, JobId, Policy, PoolId, ProfileId, SetId, StageId, TenantId, WorkflowId,
};

use super::state::{Job, Memory, Peak, PlanEntry, Set, Submission, Workflow};
use super::{Bug, GAPS_KEPT, Reference};

const MOST_TASKS: u32 = 1 << 24;

impl Reference {
    pub(super) fn workflow_opened(
        &mut self,
        id: WorkflowId,
        priority: i32,
        isolation: u32,
        parallelism: u32,
        pool: PoolId,
    ) {
        let timeout = self.config.policy == Policy::Timeout && isolation > 0;
        let isolation = if timeout { pareto::STRICT } else { isolation };
        self.pools.entry(pool).or_default();
        self.touched.insert(id);
        let has_job = self.jobs.values().any(|job| job.workflow == id);
        let Some(workflow) = self.workflows.get_mut(&id) else {
            let remembered = self.forgotten.iter().position(|(old, ..)| *old == id);
            let remembered = remembered.and_then(|at| self.forgotten.remove(at));
            let memory = remembered.map(|(_, memory)| memory).unwrap_or_default();
            let workflow = Workflow {
                priority,
                pool,
                closed: false,
                awaited: true,
                arrival: None,
                last_arrival: 0,
                gap: None,
                largest_gap: memory.largest_gap,
                missed_gap: memory.missed_gap,
                has_filled: false,
                knows_gaps: false,
                known_width: None,
                isolation,
                declared: parallelism,
                tenant: TenantId::NONE,
                tail: memory.tail,
                account: memory.account,
                start: None,
                exhausted: false,
                peak: Peak::default(),
                remote_slowdown_milli: None,
                away: BTreeMap::new(),
                left: memory.left,
                left_is_cached: memory.left_is_cached,
                narrow: None,
                last_m: 0,
                known: memory.known,
                akin: None,
                stages: Vec::new(),
                stage_at: self.now,
                foreseen: None,
                latest: None,
                slot: None,
            };
            self.workflows.insert(id, workflow);
            return;
        };
        let changed = workflow.priority != priority;
        workflow.priority = priority;
        workflow.closed = false;
        workflow.awaited |= !has_job;
        workflow.declared = parallelism;
        let moved = std::mem::replace(&mut workflow.pool, pool) != pool;
        let in_gap = workflow.gap.is_some();
        self.reoffer |= changed && !self.has(Bug::PriorityNotReoffered);
        self.change_isolation(id, isolation);
        if in_gap && !self.may_hold(id) {
            self.over(id, EndCause::WorkflowOver);
        }
        if moved && self.active(id) {
            self.reoffer = true;
            self.touch_sharers();
        }
    }

    pub(super) fn workflow_closed(&mut self, id: WorkflowId) {
        let Some(workflow) = self.workflows.get_mut(&id) else {
            return self.forget_missed_gap(id);
        };
        workflow.closed = true;
        workflow.awaited = false;
        self.say_end(id);
        self.touched.insert(id);
        if !self.has_open_job(id) {
            self.over(id, EndCause::WorkflowOver);
        }
    }

    fn has_open_job(&self, id: WorkflowId) -> bool {
        self.jobs.values().any(|job| job.workflow == id && !job.done)
    }

    /// The workflow has no future.
    pub(super) fn over(&mut self, id: WorkflowId, cause: EndCause) {
        if !self.has(Bug::HoldOutlivesWorkflow) {
            for hold in self.holds_of(id) {
                self.end(hold, cause);
            }
        }
        self.touched.insert(id);
        self.leaving.insert(id);
        let workflow = self.workflow_mut(id);
        workflow.arrival = None;
        let gap = workflow.gap.take().filter(|gap| !gap.run_ended);
        workflow.missed_gap = gap.filter(|_| cause == EndCause::Expired).map(|gap| gap.start);
        workflow.start = None;
        workflow.peak = Peak::default();
    }

    /// Forgets, but for the largest gap, what is not active or awaited, has no job and runs nothing.
    pub(super) fn forget_idle(&mut self) {
        for id in std::mem::take(&mut self.leaving) {
            let has_job = self.jobs.values().any(|job| job.workflow == id);
            let awaited = self.workflows.get(&id).is_some_and(|w| w.awaited);
            let idle = !awaited && !self.active(id) && !has_job && self.running_of(id) == 0;
            if !idle {
                continue;
            }
            if self.workflows.contains_key(&id) {
                self.end_run(id);
            }
            let Some(workflow) = self.workflows.remove(&id) else {
                continue;
            };
            let Workflow { largest_gap, missed_gap, tail, known, left, left_is_cached, .. } =
                workflow;
            let account = Some(workflow.account).filter(Self::is_shown).unwrap_or_default();
            let memory =
                Memory { largest_gap, missed_gap, tail, known, left, left_is_cached, account };
            if memory == Memory::default() {
                continue;
            }
            self.forgotten.push_back((id, memory));
            // Who has no account is forgotten first.
            let first =
                self.forgotten.iter().position(|(_, memory)| !Self::is_shown(&memory.account));
            if self.forgotten.len() > GAPS_KEPT
                && let Some((_, memory)) = self.forgotten.remove(first.unwrap_or(0))
            {
                self.lost = self.lost.plus(memory.account);
            }
        }
    }

    fn activate(&mut self, id: WorkflowId) {
        self.learn_missed_gap(id);
        self.arrive(id);
        let now = self.now;
        self.end_run(id);
        let workflow = self.workflow_mut(id);
        workflow.stage_at = now;
        workflow.foreseen = None;
        workflow.peak = Peak::default();
        workflow.last_m = 0;
        workflow.narrow = None;
        workflow.known_width = None;
        workflow.has_filled = false;
        workflow.knows_gaps = workflow.largest_gap > 0;
        workflow.start = None;
        workflow.exhausted = false;
        self.touch_sharers();
    }

    pub(super) fn job_submitted(
        &mut self,
        id: JobId,
        workflow: WorkflowId,
        continues: bool,
    ) -> Result<(), EngineError> {
        if !self.workflows.contains_key(&workflow) {
            return Err(EngineError::UnknownWorkflow);
        }
        if self.jobs.contains_key(&id) {
            return Err(EngineError::KnownJob);
        }
        let mut last_n = self.workflows[&workflow].declared;
        if self.active(workflow) {
            if self.workflows[&workflow].gap.is_some() {
                last_n = self.gap_need(workflow);
            }
            self.leave_gap(workflow);
        } else {
            self.activate(workflow);
        }
        let job = Job { workflow, continues, plan: BTreeMap::new(), last_n, done: false };
        self.jobs.insert(id, job);
        self.workflow_mut(workflow).awaited = false;
        self.touched.insert(workflow);
        Ok(())
    }

    pub(super) fn stage_planned(
        &mut self,
        job: JobId,
        stage: StageId,
        entry: PlanEntry,
    ) -> Result<(), EngineError> {
        let job = self.jobs.get_mut(&job).ok_or(EngineError::UnknownJob)?;
        job.plan.insert(stage, entry);
        self.touched.insert(job.workflow);
        Ok(())
    }

    pub(super) fn job_ended(&mut self, id: JobId, succeeded: bool) {
        if !self.jobs.contains_key(&id) {
            return;
        }
        let open = self.sets.iter().filter(|(_, set)| set.job == id);
        let open: Vec<SetId> = open.map(|(set, _)| *set).collect();
        for set in open {
            self.end_set(set);
        }
        let Some(job) = self.jobs.remove(&id) else {
            return;
        };
        let workflow = job.workflow;
        self.touched.insert(workflow);
        self.leaving.insert(workflow);
        if !succeeded {
            self.workflow_mut(workflow).missed_gap = None;
        }
        if !self.active(workflow) || self.has_open_job(workflow) {
            return;
        }
        if !succeeded && !self.has(Bug::FailureLingers) {
            self.over(workflow, EndCause::WorkflowOver);
        } else if self.workflows[&workflow].gap.is_none() {
            self.begin_gap(workflow, job.continues);
        }
    }

    /// A set as it has just been submitted, or why it cannot be.
    fn new_set(&mut self, shape: &Submission) -> Result<Set, EngineError> {
        if self.sets.contains_key(&shape.set) {
            return Err(EngineError::KnownSet);
        }
        let workflow = self.jobs.get(&shape.job).ok_or(EngineError::UnknownJob)?.workflow;
        let (home, demand) =
            *self.profiles.get(&shape.profile).ok_or(EngineError::UnknownProfile)?;
        if shape.tasks == 0 || shape.tasks > MOST_TASKS {
            return Err(EngineError::BadTaskCount);
        }
        let entry = self.jobs[&shape.job].plan.get(&shape.stage);
        let (next, next_profile) =
            entry.map_or((0, ProfileId(0)), |entry| (entry.next, entry.next_profile));
        self.next_serial += 1;
        Ok(Set {
            serial: self.next_serial,
            job: shape.job,
            workflow,
            stage: shape.stage,
            tasks: shape.tasks,
            next,
            next_profile,
            foreseen: None,
            profile: shape.profile,
            home,
            demand,
            spread_until: None,
            zombie: false,
            finished: BTreeSet::new(),
            launches: Vec::new(),
            wave: None,
            shortest: None,
            samples: 0,
            since: BTreeMap::new(),
            barrier: None,
            bound: None,
            kind: shape.kind,
            failed: BTreeSet::new(),
            copied: BTreeSet::new(),
            places: BTreeMap::new(),
            fills_cache: shape.fills_cache,
            remote_slowdown_milli: None,
            local: Vec::new(),
            durations: Vec::new(),
            copying: None,
            race: super::races::Race::default(),
        })
    }

    pub(super) fn set_submitted(&mut self, shape: &Submission) -> Result<(), EngineError> {
        let set = self.new_set(shape)?;
        let (workflow, latest) = (set.workflow, (set.profile, set.demand));
        for old in self.sets.values_mut() {
            old.zombie |= old.job == shape.job && old.stage == shape.stage;
        }
        let beside = self.sets.values().filter(|set| set.job == shape.job);
        let beside: u32 = beside.map(|set| self.unfinished(set)).sum();
        self.sets.insert(shape.set, set);
        let mut first = None;
        if let Some(job) = self.jobs.get_mut(&shape.job) {
            job.done = false;
            if let Some(entry) = job.plan.get_mut(&shape.stage) {
                if !entry.submitted && job.continues {
                    first = Some(entry.signature);
                }
                entry.submitted = true;
            }
        }
        if self.active(workflow) {
            self.leave_gap(workflow);
        } else {
            self.activate(workflow);
        }
        if let Some(signature) = first {
            let beside = if self.has(Bug::SideBySideIgnored) { 0 } else { beside };
            self.see_stage(workflow, signature, shape.tasks + beside);
        }
        let foreseen = self.workflows[&workflow].foreseen.map(|(next, ..)| next);
        self.sets.get_mut(&shape.set).expect("it was just inserted").foreseen = foreseen;
        self.raise_peak(shape.set);
        let w = self.workflow_mut(workflow);
        w.start = None;
        w.exhausted = false;
        w.latest = Some(latest);
        w.slot = w.latest;
        self.touched.insert(workflow);
        self.watch_width(workflow);
        let filled = self.workflow_mut(workflow).has_filled;
        self.workflow_mut(workflow).has_filled |= shape.fills_cache;
        let first = shape.fills_cache && !filled;
        if self.config.spread && first && self.waits_for_others(workflow) {
            let until = self.now.after(self.config.spread_max_ns);
            self.sets.get_mut(&shape.set).expect("it was just inserted").spread_until = Some(until);
        }
        Ok(())
    }

    /// A set leaves; its job is not marked done by this.
    fn end_set(&mut self, id: SetId) -> Option<(JobId, bool)> {
        let set = self.sets.get(&id)?.clone();
        let (unfinished, n) = (self.unfinished(&set), self.next_of(&set));
        self.touch_peak(set.workflow, set.tasks);
        self.sets.remove(&id);
        self.workflow_mut(set.workflow).last_m = set.tasks;
        self.touched.insert(set.workflow);
        let retry = unfinished > 0 && !self.has(Bug::RetryForgotten);
        if set.zombie {
            return Some((set.job, false));
        }
        if unfinished == 0 {
            self.come_home(&set);
        }
        let job = self.jobs.get_mut(&set.job)?;
        job.last_n = if unfinished > 0 { unfinished } else { n };
        let entry = job.plan.get(&set.stage);
        let (next, next_profile, signature) =
            entry.map_or((0, ProfileId(0), 0), |e| (e.next, e.next_profile, e.signature));
        if retry {
            let (tasks, submitted) = (unfinished, false);
            let entry = PlanEntry { tasks, next, next_profile, signature, submitted };
            job.plan.insert(set.stage, entry);
        }
        Some((set.job, unfinished == 0 && set.next == 0))
    }

    pub(super) fn set_ended(&mut self, id: SetId) {
        let Some((job_id, last)) = self.end_set(id) else {
            return;
        };
        let job = &self.jobs[&job_id];
        let (workflow, continues) = (job.workflow, job.continues);
        let left = job.plan.values().any(|entry| !entry.submitted);
        let running = self.sets.values().any(|set| set.job == job_id && !set.zombie);
        if !last || left || running {
            return;
        }
        if let Some(job) = self.jobs.get_mut(&job_id) {
            job.done = true;
        }
        if !self.has_open_job(workflow) {
            self.begin_gap(workflow, continues);
        }
    }
}
