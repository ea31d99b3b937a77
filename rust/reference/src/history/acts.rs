//! The single things that a host does.

use holdfast_engine::{
    AttemptId, Event, ExecutorId, JobId, Outcome, PoolId, ProfileId, Resources, SetId, StageId,
    StageKind, TenantId, WorkflowId,
};

use super::host::Host;
use super::setup::Action;

impl Host {
    fn profile(&mut self) -> Option<ProfileId> {
        let known: Vec<ProfileId> = self.truth.profiles.keys().copied().collect();
        self.rng.pick(&known)
    }

    fn some_executor(&mut self) -> Option<ExecutorId> {
        let known: Vec<ExecutorId> = self.truth.executors.keys().copied().collect();
        self.rng.pick(&known)
    }

    fn some_set(&mut self) -> Option<SetId> {
        let known: Vec<SetId> = self.truth.sets.keys().copied().collect();
        self.rng.pick(&known)
    }

    fn some_job(&mut self) -> Option<JobId> {
        let known: Vec<JobId> = self.truth.jobs.keys().copied().collect();
        self.rng.pick(&known)
    }

    pub(super) fn set_of(&mut self, job: JobId, stage: StageId, tasks: u32) -> Option<Event> {
        let set = SetId(self.fresh());
        let (profile, fills_cache) = (self.profile()?, self.rng.chance(50));
        let kinds = [StageKind::ShuffleMap, StageKind::ShuffleMap, StageKind::Result];
        let kind = self.rng.pick(&kinds).filter(|_| self.rng.chance(95));
        let kind = kind.unwrap_or(StageKind::Barrier);
        Some(Event::SetSubmitted { set, job, stage, tasks, profile, fills_cache, kind })
    }

    pub(super) fn submit_set(&mut self) -> Option<Event> {
        let job = self.some_job()?;
        if self.truth.busy(job) && !self.rng.chance(10) {
            return None;
        }
        let unplanned = self.truth.jobs[&job].stages.is_empty();
        let (stage, tasks) = match self.truth.waiting_stage(job) {
            Some((stage, tasks)) => (stage, tasks.clamp(1, 9)),
            None if unplanned || self.rng.chance(5) => {
                (StageId(self.fresh()), 1 + self.rng.below(5))
            }
            None => return None,
        };
        self.set_of(job, stage, tasks)
    }

    pub(super) fn retry(&mut self) -> Option<Event> {
        let set = self.some_set()?;
        let (job, stage) = (self.truth.sets[&set].job, self.truth.sets[&set].stage);
        let tasks = 1 + self.rng.below(self.truth.sets[&set].tasks.min(8));
        self.set_of(job, stage, tasks)
    }

    pub(super) fn free(&mut self, outcome: Outcome) -> Option<Event> {
        let running: Vec<AttemptId> = self.truth.attempts.keys().copied().collect();
        let attempt = self.rng.pick(&running)?;
        Some(Event::SlotFreed { attempt, outcome })
    }

    pub(super) fn end_set(&mut self, complete: bool) -> Option<Event> {
        let set = self.some_set()?;
        (self.truth.complete(set) == complete).then_some(Event::SetEnded { set })
    }

    pub(super) fn end_job(&mut self) -> Option<Event> {
        let job = self.some_job()?;
        let ended = self.truth.ended_all_stages(job);
        ended.then_some(Event::JobEnded { job, succeeded: true })
    }

    pub(super) fn cancel_job(&mut self) -> Option<Event> {
        let job = self.some_job()?;
        Some(Event::JobEnded { job, succeeded: self.rng.chance(30) })
    }

    /// As in observe mode, or by a host that looks away: no verdict is asked for.
    pub(super) fn launch_anyway(&mut self) -> Option<Event> {
        let (set, executor) = (self.some_set()?, self.some_executor()?);
        let pending = self.truth.pending(set);
        let task = match self.rng.pick(&pending) {
            Some(task) => task,
            None => self.rng.below(self.truth.sets[&set].tasks),
        };
        Some(self.launch(set, task, executor))
    }

    pub(super) fn launch_copy(&mut self) -> Option<Event> {
        let running: Vec<AttemptId> = self.truth.attempts.keys().copied().collect();
        let original = self.truth.attempts[&self.rng.pick(&running)?];
        let executor = self.some_executor()?;
        Some(self.launch(original.set, original.task, executor))
    }

    pub(super) fn correct(&mut self, action: Action) -> Option<Event> {
        let set = self.some_set()?;
        let task = self.rng.below(self.truth.sets[&set].tasks);
        Some(match action {
            Action::Unfinish => Event::Unfinished { set, task },
            _ => Event::FinishedElsewhere { set, task },
        })
    }

    pub(super) fn change_executor(&mut self, action: Action) -> Option<Event> {
        let executor = match action {
            Action::AddExecutor => ExecutorId(self.rng.below(7)),
            _ => self.some_executor()?,
        };
        let known = u32::try_from(self.truth.profiles.len()).ok()?.min(3);
        Some(self.executor(executor, known))
    }

    pub(super) fn hurt_executor(&mut self, action: Action) -> Option<Event> {
        let executor = self.some_executor()?;
        Some(match action {
            Action::BarExecutor => Event::ExecutorBarred { executor, barred: self.rng.chance(50) },
            _ => Event::ExecutorLost { executor },
        })
    }

    pub(super) fn change_workflow(&mut self, action: Action) -> Option<Event> {
        let workflow = WorkflowId(self.rng.below(5));
        Some(match action {
            Action::ChangePriority if self.pools > 0 && self.rng.chance(20) => {
                let pool = PoolId(self.rng.below(self.pools + 1));
                self.pool(pool)
            }
            Action::ChangePriority if self.rng.chance(15) => self.bounded(workflow),
            Action::ChangePriority => self.opened(workflow),
            _ => Event::WorkflowClosed { workflow },
        })
    }

    fn bounded(&mut self, workflow: WorkflowId) -> Event {
        let tenant = TenantId(self.rng.below(3));
        let holds = self.rng.pick(&[0, 1, 2, 3, u32::MAX]).unwrap_or(0);
        Event::Bounded { workflow, tenant, holds }
    }

    pub(super) fn plan(&mut self) -> Option<Event> {
        let job = self.some_job()?;
        let known: Vec<StageId> = self.truth.jobs[&job].stages.iter().map(|s| s.0).collect();
        let fresh = StageId(self.fresh());
        let stage = self.rng.pick(&known).filter(|_| self.rng.chance(50)).unwrap_or(fresh);
        let (tasks, next) = (1 + self.rng.below(8), self.rng.below(9));
        let (signature, next_profile) =
            (self.rng.below(self.signatures), ProfileId(self.rng.below(2)));
        Some(Event::StagePlanned { job, stage, tasks, next, next_profile, signature })
    }

    /// What an earlier run may have taught.
    pub(super) fn recalled(&mut self, workflow: WorkflowId, tasks: u32) -> Event {
        let mut some = || self.rng.below(self.signatures);
        let (first, second, then) = (some(), some(), some());
        let after_ms = self.rng.below(3_000);
        Event::Recalled { workflow, first, second, then, tasks, after_ms }
    }

    pub(super) fn recall(&mut self) -> Option<Event> {
        let known: Vec<WorkflowId> = self.truth.workflows.iter().copied().collect();
        let (workflow, tasks) = (self.rng.pick(&known)?, 1 + self.rng.below(8));
        Some(self.recalled(workflow, tasks))
    }

    /// Ends something that may have ended long ago.
    pub(super) fn stale(&mut self) -> Option<Event> {
        let id = self.fresh();
        let old = self.rng.below(id);
        Some(match self.rng.below(4) {
            0 => Event::SlotFreed { attempt: AttemptId(old), outcome: Outcome::Finished },
            1 => Event::SetEnded { set: SetId(old) },
            2 => Event::JobEnded { job: JobId(old), succeeded: true },
            _ => Event::ExecutorLost { executor: ExecutorId(old) },
        })
    }

    /// Anything: ids and quantities that may mean nothing.
    pub(super) fn garbage(&mut self) -> Event {
        let id = if self.rng.chance(80) { self.rng.below(40) } else { u32::MAX };
        let amount = self
            .rng
            .pick(&[0, 1, 2, 3, 1_000, 4_000, 1 << 24, (1 << 24) + 1, u32::MAX])
            .unwrap_or(0);
        let job = self.some_job().filter(|_| self.rng.chance(60)).unwrap_or(JobId(id));
        let set = self.some_set().filter(|_| self.rng.chance(60)).unwrap_or(SetId(id));
        let workflow = WorkflowId(self.rng.below(8));
        let executor = ExecutorId(self.rng.below(8));
        let profile = ProfileId(self.rng.below(3));
        let yes = self.rng.chance(50);
        let attempt = AttemptId(id);
        // Sets of millions of tasks would only be slow.
        let tasks = if amount <= 1 << 24 { amount % 12 } else { amount };
        let mut any = || Resources(std::array::from_fn(|_| self.rng.below(amount.min(9_000))));
        match id.wrapping_add(amount) % 18 {
            0 => Event::ProfileDefined { profile, runs_on: profile, demand: any() },
            1 => Event::ExecutorAdded { executor, profile, capacity: any() },
            2 => Event::ExecutorBarred { executor, barred: yes },
            3 => Event::ExecutorLost { executor },
            4 => {
                let priority = amount.cast_signed();
                let (isolation, parallelism, pool) = (amount, amount, PoolId(id));
                Event::WorkflowOpened { workflow, priority, isolation, parallelism, pool }
            }
            5 => Event::WorkflowClosed { workflow },
            6 => Event::JobSubmitted { job, workflow, continues: yes },
            7 => {
                let (stage, tasks, next, signature) = (StageId(id), amount, amount, 0);
                let next_profile = profile;
                Event::StagePlanned { job, stage, tasks, next, next_profile, signature }
            }
            8 => Event::JobEnded { job, succeeded: yes },
            9 => {
                let stage = StageId(id);
                let kind = if yes { StageKind::ShuffleMap } else { StageKind::Result };
                Event::SetSubmitted { set, job, stage, tasks, profile, fills_cache: yes, kind }
            }
            10 => Event::SetEnded { set },
            11 => Event::Launched { attempt, set, task: amount, executor, local: yes },
            12 => Event::SlotFreed { attempt, outcome: Outcome::NotFinished },
            13 => Event::Unfinished { set, task: amount },
            14 => Event::FinishedElsewhere { set, task: amount },
            15 => self.recalled(workflow, amount),
            16 => Event::Bounded { workflow, tenant: TenantId(id % 4), holds: amount },
            _ => {
                let (pool, weight, min_share) = (PoolId(id % 4), amount, id);
                Event::PoolDefined { pool, fair: yes, weight, min_share }
            }
        }
    }
}
