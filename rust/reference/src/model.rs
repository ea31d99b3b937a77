//! What engine and twin have in common, and one look at all of it.

use holdfast_engine::{
    Account, Choice, Config, Decision, Engine, EngineError, Event, ExecutorId, ExecutorView,
    HoldView, PoolId, PoolView, Resources, Sample, SetId, SetView, Time, Totals, Verdict,
    WorkflowId, WorkflowView,
};

use crate::Reference;

/// Something that decides by the rules of docs/mechanisms.
pub trait Model {
    /// See [`Engine::step`].
    ///
    /// # Errors
    /// The event was refused.
    fn step(
        &mut self,
        now: Time,
        event: &Event,
        out: &mut Vec<Decision>,
    ) -> Result<(), EngineError>;
    /// See [`Engine::verdict`].
    ///
    /// # Errors
    /// Unknown set or executor.
    fn verdict(
        &self,
        set: SetId,
        executor: ExecutorId,
        free: &Resources,
    ) -> Result<Verdict, EngineError>;
    /// See [`Engine::barrier_room`].
    ///
    /// # Errors
    /// Unknown set or executor.
    fn barrier_room(
        &self,
        set: SetId,
        executor: ExecutorId,
        free: &Resources,
    ) -> Result<u32, EngineError>;
    /// See [`Engine::admits`].
    ///
    /// # Errors
    /// Unknown set.
    fn admits(&self, set: SetId) -> Result<bool, EngineError>;
    /// See [`Engine::copy`].
    ///
    /// # Errors
    /// Unknown set or executor.
    fn copy(&self, set: SetId, executor: ExecutorId) -> Result<Option<u32>, EngineError>;
    /// See [`Engine::wants_copies`].
    ///
    /// # Errors
    /// Unknown set.
    fn wants_copies(&self, set: SetId) -> Result<bool, EngineError>;
    /// See [`Engine::pick`].
    ///
    /// # Errors
    /// Unknown set or executor.
    fn pick(&self, set: SetId, executor: ExecutorId) -> Result<Choice, EngineError>;
    /// See [`Engine::samples`].
    fn samples(&self) -> Vec<Sample>;
    /// How often a set has gone over from RAS to GS, if the model says so.
    fn switches(&self) -> u64 {
        0
    }
    /// See [`Engine::next_deadline`].
    fn next_deadline(&self) -> Option<Time>;
    /// See [`Engine::now`].
    fn now(&self) -> Time;
    /// See [`Engine::config`].
    fn config(&self) -> &Config;
    /// See [`Engine::totals`].
    fn totals(&self) -> &Totals;
    /// See [`Engine::holds`].
    fn holds(&self) -> Vec<HoldView>;
    /// See [`Engine::executors`].
    fn executors(&self) -> Vec<ExecutorView>;
    /// See [`Engine::workflows`].
    fn workflows(&self) -> Vec<WorkflowView>;
    /// See [`Engine::sets`].
    fn sets(&self) -> Vec<SetView>;
    /// See [`Engine::pools`].
    fn pools(&self) -> Vec<PoolView>;
    /// See [`Engine::accounts`].
    fn accounts(&self) -> Vec<(Option<WorkflowId>, Account)>;
}

macro_rules! model {
    ($name:ty $(, $more:item)?) => {
        impl Model for $name {
            $($more)?
            fn step(
                &mut self,
                now: Time,
                event: &Event,
                out: &mut Vec<Decision>,
            ) -> Result<(), EngineError> {
                self.step(now, event, out)
            }
            fn verdict(
                &self,
                set: SetId,
                executor: ExecutorId,
                free: &Resources,
            ) -> Result<Verdict, EngineError> {
                self.verdict(set, executor, free)
            }
            fn barrier_room(
                &self,
                set: SetId,
                executor: ExecutorId,
                free: &Resources,
            ) -> Result<u32, EngineError> {
                self.barrier_room(set, executor, free)
            }
            fn admits(&self, set: SetId) -> Result<bool, EngineError> {
                self.admits(set)
            }
            fn copy(&self, set: SetId, executor: ExecutorId) -> Result<Option<u32>, EngineError> {
                self.copy(set, executor)
            }
            fn wants_copies(&self, set: SetId) -> Result<bool, EngineError> {
                self.wants_copies(set)
            }
            fn pick(&self, set: SetId, executor: ExecutorId) -> Result<Choice, EngineError> {
                self.pick(set, executor)
            }
            fn samples(&self) -> Vec<Sample> {
                self.samples()
            }
            fn next_deadline(&self) -> Option<Time> {
                self.next_deadline()
            }
            fn now(&self) -> Time {
                self.now()
            }
            fn config(&self) -> &Config {
                self.config()
            }
            fn totals(&self) -> &Totals {
                self.totals()
            }
            fn holds(&self) -> Vec<HoldView> {
                self.holds()
            }
            fn executors(&self) -> Vec<ExecutorView> {
                self.executors()
            }
            fn workflows(&self) -> Vec<WorkflowView> {
                self.workflows()
            }
            fn sets(&self) -> Vec<SetView> {
                self.sets()
            }
            fn pools(&self) -> Vec<PoolView> {
                self.pools()
            }
            fn accounts(&self) -> Vec<(Option<WorkflowId>, Account)> {
                self.accounts()
            }
        }
    };
}

model!(Engine);
model!(
    Reference,
    fn switches(&self) -> u64 {
        self.switches()
    }
);

/// One pair of set and executor, and what it is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ask {
    /// Who asks.
    pub set: SetId,
    /// Where.
    pub executor: ExecutorId,
    /// What is free there.
    pub free: Resources,
    /// The answer for one task.
    pub verdict: Verdict,
    /// The answer for a barrier set.
    pub room: u32,
    /// The task that should get a copy there.
    pub copy: Option<u32>,
    /// What the set launches there.
    pub pick: Choice,
}

/// Everything a model shows after a step.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// Time of the step.
    pub now: Time,
    /// Live holds.
    pub holds: Vec<HoldView>,
    /// Executors.
    pub executors: Vec<ExecutorView>,
    /// Workflows.
    pub workflows: Vec<WorkflowView>,
    /// Sets.
    pub sets: Vec<SetView>,
    /// Pools.
    pub pools: Vec<PoolView>,
    /// All pairs, with what is free by the books.
    pub asks: Vec<Ask>,
    /// Each set, and whether it is admitted.
    pub admits: Vec<(SetId, bool)>,
    /// Each set, and whether it wants copies.
    pub wants_copies: Vec<(SetId, bool)>,
    /// When the host has to call again.
    pub deadline: Option<Time>,
    /// What bounded jobs have taught.
    pub samples: Vec<Sample>,
    /// Counters.
    pub totals: Totals,
    /// Sums of each workflow that has held.
    pub accounts: Vec<(Option<WorkflowId>, Account)>,
}

impl Snapshot {
    /// Looks at a model.
    #[must_use]
    pub fn of<M: Model>(model: &M) -> Self {
        let (executors, sets) = (model.executors(), model.sets());
        let mut asks = Vec::with_capacity(executors.len() * sets.len());
        let mut admits = Vec::with_capacity(sets.len());
        let mut wants_copies = Vec::with_capacity(sets.len());
        for set in &sets {
            admits.push((set.id, model.admits(set.id).expect("the set is known")));
            wants_copies.push((set.id, model.wants_copies(set.id).expect("the set is known")));
            for e in &executors {
                let free = e.capacity.minus(e.running);
                let verdict = model.verdict(set.id, e.id, &free).expect("both are known");
                let room = model.barrier_room(set.id, e.id, &free).expect("both are known");
                let copy = model.copy(set.id, e.id).expect("both are known");
                let pick = model.pick(set.id, e.id).expect("both are known");
                asks.push(Ask { set: set.id, executor: e.id, free, verdict, room, copy, pick });
            }
        }
        let mut workflows = model.workflows();
        for workflow in &mut workflows {
            if !workflow.active {
                // Where it once stood means nothing any more.
                workflow.arrival = u64::MAX;
            }
        }
        Self {
            now: model.now(),
            holds: model.holds(),
            executors,
            workflows,
            sets,
            pools: model.pools(),
            asks,
            admits,
            wants_copies,
            deadline: model.next_deadline(),
            samples: model.samples(),
            totals: *model.totals(),
            accounts: model.accounts(),
        }
    }

    /// The workflow of that id.
    #[must_use]
    pub fn workflow(&self, id: WorkflowId) -> Option<&WorkflowView> {
        self.workflows.iter().find(|w| w.id == id)
    }

    /// The executor of that id.
    #[must_use]
    pub fn executor(&self, id: ExecutorId) -> Option<&ExecutorView> {
        self.executors.iter().find(|e| e.id == id)
    }

    /// The set of that id.
    #[must_use]
    pub fn set(&self, id: SetId) -> Option<&SetView> {
        self.sets.iter().find(|s| s.id == id)
    }

    /// Whether a hold of `owner` is in the way of `asker`: by rank, or between equals whose pools share fairly while it
    /// would not be the asker's turn with one slot more, and one less for the owner.
    #[must_use]
    pub fn in_the_way(&self, owner: WorkflowId, asker: WorkflowId) -> bool {
        if owner == asker {
            return false;
        }
        let (Some(o), Some(a)) = (self.workflow(owner), self.workflow(asker)) else { return true };
        let fair = |id| self.pools.iter().any(|pool| pool.id == id && pool.fair);
        let common = if o.pool == a.pool { o.pool } else { PoolId::ROOT };
        if o.priority != a.priority || !fair(common) {
            return self.rank(owner) < self.rank(asker);
        }
        let side = |w: &WorkflowView| {
            let pool = self.pools.iter().find(|pool| pool.id == w.pool);
            let pool = pool.filter(|_| o.pool != a.pool);
            let own = (w.running + w.held, 1, 0);
            pool.map_or(own, |pool| (pool.owned, pool.weight, pool.min_share))
        };
        let (mut takes, mut gives) = (side(a), side(o));
        takes.0 += 1;
        gives.0 = gives.0.saturating_sub(1);
        // Needy ones first; by parts of the minimum, else by weight.
        let key = |(owned, weight, min): (u32, u32, u32)| {
            let needy = owned < min;
            let part = |of: u32| f64::from(owned) / f64::from(of);
            (!needy, if needy { part(min) } else { part(weight) })
        };
        key(takes) >= key(gives)
    }

    /// Sorts a workflow that ranks before another one before it; unknown ones last.
    #[must_use]
    pub fn rank(&self, id: WorkflowId) -> (std::cmp::Reverse<i32>, u64) {
        let key = |w: &WorkflowView| (std::cmp::Reverse(w.priority), w.arrival);
        self.workflow(id).map_or((std::cmp::Reverse(i32::MIN), u64::MAX), key)
    }
}
