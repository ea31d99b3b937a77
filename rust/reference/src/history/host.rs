//! Plays a host: mostly a plausible Spark, now and then anything but.

use std::collections::VecDeque;

use holdfast_engine::pareto::STRICT;
use holdfast_engine::{
    AttemptId, Config, Event, ExecutorId, JobId, Outcome, PoolId, ProfileId, Resources, SetId,
    StageId, Time, Verdict, WorkflowId,
};

use super::Timed;
use super::bounds::{self, Says};
use super::rng::Rng;
use super::setup::{self, Action, MILLIS, Weights};
use super::truth::Truth;
use crate::model::Model;

/// Draws one history, event by event.
#[derive(Clone, Debug)]
pub struct Host {
    pub(super) rng: Rng,
    pub(super) truth: Truth,
    pub(super) weights: Weights,
    pub(super) says: Says,
    pub(super) config: Config,
    /// Events that follow the last one without a choice.
    pub(super) script: VecDeque<Event>,
    /// What was said before, to be said again.
    said: Vec<Event>,
    pub(super) now: Time,
    next: u32,
    /// Upper bound of the time between two events.
    pace: u64,
    /// How many pools share fairly.
    pub(super) pools: u32,
    /// How many kinds of stages there are.
    pub(super) signatures: u32,
    /// Whether all profiles run on the first one's executors.
    pub(super) shared: bool,
    /// Whether executors and demands differ in more than cores.
    pub(super) mixed: bool,
}

impl Host {
    /// The host of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let mut beside = Rng::beside(seed);
        let config = bounds::config(&mut beside, setup::config(&mut rng));
        let says = Says::new(beside, config.stragglers);
        Self::with(rng, config, says)
    }

    /// The same seed's before there were rules for stragglers: what is recorded is of those.
    #[must_use]
    pub fn without_stragglers(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let config = setup::config(&mut rng);
        Self::with(rng, config, Says::nothing(seed))
    }

    fn with(mut rng: Rng, config: Config, says: Says) -> Self {
        let weights = Weights::draw(&mut rng);
        let pace = rng.pick(&[1, 20, 200, 1_000]).unwrap_or(20) * MILLIS;
        let (mixed, shared) = (rng.chance(30), rng.chance(50));
        let pools = if rng.chance(35) { 1 + rng.below(3) } else { 0 };
        let signatures = rng.pick(&[1, 2, 3, 50]).unwrap_or(1);
        let mut host = Self {
            rng,
            truth: Truth::default(),
            weights,
            says,
            config,
            script: VecDeque::new(),
            said: Vec::new(),
            now: Time(0),
            next: 1,
            pace,
            pools,
            signatures,
            shared,
            mixed,
        };
        host.begin();
        host
    }

    /// The configuration of the seed.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// How many events the history should have.
    #[must_use]
    pub fn length(&mut self) -> usize {
        20 + self.rng.below(100) as usize
    }

    fn begin(&mut self) {
        let profiles = 1 + u32::from(self.mixed && self.rng.chance(70));
        for profile in 0..profiles {
            let demand = self.demand();
            let (profile, runs_on) = (ProfileId(profile), self.home(profile));
            self.script.push_back(Event::ProfileDefined { profile, runs_on, demand });
        }
        for id in 0..1 + self.rng.below(4) {
            let event = self.executor(ExecutorId(id), profiles);
            self.script.push_back(event);
        }
        for pool in 0..self.pools.min(1) * (1 + self.pools) {
            let defined = self.pool(PoolId(pool));
            self.script.push_back(defined);
        }
        for workflow in 0..2 + self.rng.below(3) {
            let opened = self.opened(WorkflowId(workflow));
            self.script.push_back(opened);
        }
    }

    pub(super) fn pool(&mut self, pool: PoolId) -> Event {
        let fair = self.rng.chance(if pool == PoolId::ROOT { 90 } else { 50 });
        let weight = self.rng.pick(&[1, 1, 1, 2, 5]).unwrap_or(1);
        let min_share = self.rng.pick(&[0, 0, 0, 1, 3]).unwrap_or(0);
        Event::PoolDefined { pool, fair, weight, min_share }
    }

    pub(super) fn opened(&mut self, workflow: WorkflowId) -> Event {
        let priority = self.rng.pick(&[-1, 0, 0, 0, 1, 1, 1, 1, 2, 9]).unwrap_or(0);
        let isolations = [STRICT, STRICT, STRICT, 900_000, 400_000, 10_000, 0];
        let isolation = self.rng.pick(&isolations).unwrap_or(STRICT);
        let parallelism = if self.rng.chance(20) { self.rng.below(7) } else { 0 };
        let pool = PoolId(if self.pools == 0 { 0 } else { self.rng.below(self.pools + 1) });
        Event::WorkflowOpened { workflow, priority, isolation, parallelism, pool }
    }

    fn home(&self, profile: u32) -> ProfileId {
        ProfileId(if self.shared { 0 } else { profile })
    }

    fn demand(&mut self) -> Resources {
        if self.mixed {
            Resources([1_000 * (1 + self.rng.below(2)), 512 * self.rng.below(3), 0, 0])
        } else {
            Resources::cpu(1_000)
        }
    }

    pub(super) fn executor(&mut self, executor: ExecutorId, profiles: u32) -> Event {
        let profile = ProfileId(self.rng.below(if self.shared { 1 } else { profiles }));
        let cores = 1_000 * (1 + self.rng.below(4));
        let memory = if self.mixed { 512 * self.rng.below(8) } else { 0 };
        Event::ExecutorAdded { executor, profile, capacity: Resources([cores, memory, 0, 0]) }
    }

    pub(super) fn fresh(&mut self) -> u32 {
        self.next += 1;
        self.next
    }

    /// The next event, as this host would say it to `model`.
    pub fn next<M: Model>(&mut self, model: &M) -> Timed {
        if let Some(event) = self.says() {
            return Timed { now: self.now, event };
        }
        let event = match self.script.pop_front() {
            Some(event) => event,
            None => self.choose(model),
        };
        if self.rng.chance(70) {
            let pace = u32::try_from(self.pace / 1_000).unwrap_or(u32::MAX);
            self.now = self.now.after(u64::from(self.rng.below(pace)) * 1_000);
        }
        let regressed = self.rng.below(200) == 0;
        let now = if regressed { Time(self.now.0 / 2) } else { self.now };
        self.said.push(event);
        Timed { now, event }
    }

    /// Learns that `event` was accepted.
    pub fn accepted(&mut self, event: &Event) {
        self.truth.apply(event);
    }

    fn choose<M: Model>(&mut self, model: &M) -> Event {
        for _ in 0..20 {
            let action = self.weights.pick(&mut self.rng);
            if let Some(event) = self.act(action, model) {
                return event;
            }
        }
        Event::Tick
    }

    fn act<M: Model>(&mut self, action: Action, model: &M) -> Option<Event> {
        match action {
            Action::SubmitJob => self.submit_job(),
            Action::SubmitSet => self.submit_set(),
            Action::Offer => self.offer(model),
            Action::Free => self.free(Outcome::Finished),
            Action::Fail => {
                let lost = self.rng.chance(50);
                self.free(if lost { Outcome::NotFinished } else { Outcome::Failed })
            }
            Action::EndSet => self.end_set(true),
            Action::AbortSet => self.end_set(false),
            Action::EndJob => self.end_job(),
            Action::CancelJob => self.cancel_job(),
            Action::Retry => self.retry(),
            Action::LaunchAnyway => self.launch_anyway(),
            Action::LaunchCopy => self.launch_copy(),
            Action::Unfinish | Action::FinishElsewhere => self.correct(action),
            Action::AddExecutor | Action::ChangeExecutor => self.change_executor(action),
            Action::BarExecutor | Action::LoseExecutor => self.hurt_executor(action),
            Action::ChangePriority | Action::CloseWorkflow => self.change_workflow(action),
            Action::Wait => Some(Event::Tick),
            Action::WaitForDeadline => self.wait_for(model.next_deadline()),
            Action::WaitLong => self.wait_for(Some(self.now.after(70_000 * MILLIS))),
            Action::Plan => self.plan(),
            Action::Recall => self.recall(),
            Action::Repeat => self.rng.pick(&self.said),
            Action::Stale => self.stale(),
            Action::Garbage => Some(self.garbage()),
        }
    }

    /// At the deadline, or a little late.
    fn wait_for(&mut self, deadline: Option<Time>) -> Option<Event> {
        let late = if self.rng.chance(50) { self.rng.below(3_000) } else { 0 };
        self.now = self.now.max(deadline?).after(u64::from(late) * MILLIS);
        Some(Event::Tick)
    }

    /// One executor is offered to the pending sets in some order, as a round of Spark does.
    fn offer<M: Model>(&mut self, model: &M) -> Option<Event> {
        let executors = model.executors();
        let executors: Vec<ExecutorId> = executors.iter().map(|e| e.id).collect();
        let mut sets: Vec<SetId> = self.truth.sets.keys().copied().collect();
        for _ in 0..4 {
            let executor = self.rng.pick(&executors)?;
            let at = self.rng.below(u32::try_from(sets.len()).ok()?) as usize;
            if at < sets.len() {
                sets.rotate_left(at);
            }
            for set in &sets {
                if let Some(event) = self.ask(model, *set, executor) {
                    return Some(event);
                }
                if let Ok(Some(task)) = model.copy(*set, executor) {
                    return Some(self.launch(*set, task, executor));
                }
            }
        }
        None
    }

    /// Launches a pending task of a set there if it fits and nobody objects.
    pub(super) fn ask<M: Model>(
        &mut self,
        model: &M,
        set: SetId,
        executor: ExecutorId,
    ) -> Option<Event> {
        let pending = self.truth.pending(set);
        let task = self.picked(set, &pending, model.pick(set, executor).ok()?)?;
        if pending.is_empty() {
            return None;
        }
        let views = model.executors();
        let view = views.iter().find(|view| view.id == executor && !view.barred)?;
        let free = view.capacity.minus(view.running);
        let fits = free.covers(self.truth.demands.get(&set)?);
        let admitted = model.admits(set) == Ok(true);
        let verdict = model.verdict(set, executor, &free).ok()?;
        if !fits || !admitted || matches!(verdict, Verdict::Veto(_)) {
            return None;
        }
        Some(self.launch(set, task, executor))
    }

    pub(super) fn launch(&mut self, set: SetId, task: u32, executor: ExecutorId) -> Event {
        let local = self.rng.chance(70);
        Event::Launched { attempt: AttemptId(self.fresh()), set, task, executor, local }
    }

    fn submit_job(&mut self) -> Option<Event> {
        let known: Vec<WorkflowId> = self.truth.workflows.iter().copied().collect();
        let workflow = self.rng.pick(&known)?;
        let job = JobId(self.fresh());
        let continues = self.rng.chance(70);
        let stages = 1 + self.rng.below(4);
        let widths: Vec<u32> = (0..stages).map(|_| 1 + self.rng.below(6)).collect();
        if self.rng.chance(90) {
            let first = self.next + 1;
            self.next += stages;
            for (at, tasks) in widths.iter().enumerate() {
                let next = widths.get(at + 1).copied().unwrap_or(0);
                let stage = StageId(first + u32::try_from(at).ok()?);
                let (tasks, signature) = (*tasks, self.rng.below(self.signatures));
                let next_profile = ProfileId(self.rng.below(2));
                let planned =
                    Event::StagePlanned { job, stage, tasks, next, next_profile, signature };
                self.script.push_back(planned);
            }
        }
        if self.rng.chance(15) {
            self.script.push_front(Event::JobSubmitted { job, workflow, continues });
            return Some(self.opened(workflow));
        }
        Some(Event::JobSubmitted { job, workflow, continues })
    }
}
