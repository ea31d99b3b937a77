//! The engine: one step is expiry, the event, and what follows from both; asks and views are queries.

use crate::api::account::Account;
use crate::api::ask_class::AskClass;
use crate::api::choice::Choice;
use crate::api::config::Config;
use crate::api::decision::{Decision, Verdict};
use crate::api::error::EngineError;
use crate::api::event::Event;
use crate::api::ids::{AttemptId, ExecutorId, Resources, SetId, Time, WorkflowId};
use crate::api::timer::Timer;
use crate::api::totals::Totals;
use crate::api::views::{ExecutorView, HoldView, PoolView, SetView, WorkflowView};
use crate::holds::{claims, ends, narrow, trim};
use crate::ledger::Transition;
use crate::policies::grass::learner::Sample;
use crate::policies::grass::view::RunView;
use crate::policies::ssr::claim;
use crate::state::Core;
use crate::watch::{spread, stragglers};
use crate::{apply, asks, expiry, timers, views, wake};

/// The decision engine. Equal configuration and events give equal decisions (R15).
#[derive(Clone, Debug)]
pub struct Engine {
    core: Core,
}

impl Engine {
    /// An engine that knows nothing yet, at time 0.
    #[must_use]
    pub fn new(config: Config) -> Self {
        Self { core: Core::new(config) }
    }

    /// Expires what is due, applies `event`, decides, and appends the decisions to `out`.
    ///
    /// Time never goes back: an earlier `now` is clamped and counted.
    ///
    /// # Errors
    /// A refused event changes nothing but time: what was due has expired, and those decisions
    /// are in `out`.
    pub fn step(
        &mut self,
        now: Time,
        event: &Event,
        out: &mut Vec<Decision>,
    ) -> Result<(), EngineError> {
        let core = &mut self.core;
        let refused = asks::restricts(core);
        expiry::advance(core, now);
        core.step.begin();
        core.ledger.touched.clear();
        expiry::expire(core, out);
        let result = apply::apply(core, event, out);
        if result.is_ok() {
            core.gates.on_event(&core.ledger, core.now, event);
            core.learn(event);
        }
        ends::expire_holds(core, out);
        narrow::end_rents(core);
        trim::trim(core, out);
        if !claim::waits(&core.ledger, event) {
            claims::claim(core, out);
        }
        apply::gaps::watch_stall(core);
        spread::end_spreads(core);
        stragglers::watch_copies(core);
        wake::watch_pools(core);
        if wake::reoffers(core, refused) {
            out.push(Decision::Reoffer);
        }
        result
    }

    /// When the host must call [`Engine::step`] again at the latest. A late call is slow, never
    /// wrong.
    #[must_use]
    pub fn next_deadline(&self) -> Option<Time> {
        timers::next_deadline(&self.core)
    }

    /// Returns what the engine waits for, the first timer first; of holds only the one that expires first.
    #[must_use]
    pub fn timers(&self) -> Vec<Timer> {
        let mut timers: Vec<Timer> = timers::timers(&self.core).collect();
        timers.sort_unstable();
        timers
    }

    /// Reads what the ends of these attempts will read, and changes nothing: for hosts that know what comes next, as a
    /// simulation does. In a large cluster a step waits for memory most of its time.
    pub fn read_ahead(&self, attempts: impl Iterator<Item = AttemptId>) {
        self.core.ledger.read_ahead(attempts);
    }

    /// The same of what launches on these executors will read.
    pub fn read_ahead_on(&self, executors: impl Iterator<Item = ExecutorId>) {
        self.core.ledger.read_ahead_on(executors);
    }

    /// May this set use a slot of this executor now? `free` is what the host's round offers there,
    /// less what was launched from it in this round.
    ///
    /// SSR-6 with a total rank: a hold blocks whoever ranks after its owner, and nobody else; the
    /// owner always passes (the paper's Algorithm 1, line 19, would veto it).
    ///
    /// # Errors
    /// The set or the executor is unknown.
    pub fn verdict(
        &self,
        set: SetId,
        executor: ExecutorId,
        free: &Resources,
    ) -> Result<Verdict, EngineError> {
        asks::verdict(&self.core, set, executor, free)
    }

    /// How many tasks of a barrier set fit here now. A barrier set is allowed or refused as a
    /// whole: the host sums this over its round.
    ///
    /// # Errors
    /// The set or the executor is unknown.
    pub fn barrier_room(
        &self,
        set: SetId,
        executor: ExecutorId,
        free: &Resources,
    ) -> Result<u32, EngineError> {
        asks::barrier_room(&self.core, set, executor, free)
    }

    /// Whether this set could use any slot at all now. False only if no verdict could be an allow:
    /// the host may then leave the set out of its round.
    ///
    /// # Errors
    /// The set is unknown.
    pub fn admits(&self, set: SetId) -> Result<bool, EngineError> {
        asks::admits(&self.core, set)
    }

    /// Returns the class of a set's asks. Sets of one class get equal answers everywhere, so that a host may ask for one of
    /// them and skip the others.
    ///
    /// # Errors
    /// The set is unknown.
    pub fn ask_class(&self, set: SetId) -> Result<AskClass, EngineError> {
        asks::ask_class(&self.core, set)
    }

    /// Returns whether the host has anything to enforce: priorities sort task sets, and asks may be refused.
    #[must_use]
    pub fn enforces(&self) -> bool {
        self.core.rules.enforces()
    }

    /// The task of this set that should get a copy on this executor now: one that runs only once, elsewhere, and has
    /// neither failed nor been copied before. With `stragglers=holds` it is the one that was launched first, among those
    /// that are old enough, and there must be an own hold on the executor (R10).
    ///
    /// # Errors
    /// The set or the executor is unknown.
    pub fn copy(&self, set: SetId, executor: ExecutorId) -> Result<Option<u32>, EngineError> {
        stragglers::copy(&self.core, set, executor)
    }

    /// Whether some task of this set should get a copy somewhere: a host that leaves out sets without pending tasks
    /// must ask for this one.
    ///
    /// # Errors
    /// The set is unknown.
    pub fn wants_copies(&self, set: SetId) -> Result<bool, EngineError> {
        stragglers::wants_copies(&self.core, set)
    }

    /// Returns the place of a workflow among those of equal priority: less goes first, and equal ones are in the host's
    /// own order.
    ///
    /// # Errors
    /// The workflow is unknown.
    pub fn order(&self, workflow: WorkflowId) -> Result<u64, EngineError> {
        asks::order(&self.core, workflow)
    }

    /// Returns what a set launches next on an executor: the host asks where it has a slot for a set with pending tasks.
    /// Where nothing is pending it asks for a copy.
    ///
    /// # Errors
    /// The set or the executor is unknown.
    pub fn pick(&self, set: SetId, executor: ExecutorId) -> Result<Choice, EngineError> {
        asks::pick(&self.core, set, executor)
    }

    /// Returns how well an executor suits a set: more is better. `None`: it does not matter.
    ///
    /// # Errors
    /// The set or the executor is unknown.
    pub fn fit(&self, set: SetId, executor: ExecutorId) -> Result<Option<u64>, EngineError> {
        asks::fit(&self.core, set, executor)
    }

    /// Whether some ask may be refused now; while false, every verdict is `Allow`.
    #[must_use]
    pub fn restricts(&self) -> bool {
        asks::restricts(&self.core)
    }

    /// Whether some slot is neither busy nor held; while true, every set is admitted.
    #[must_use]
    pub fn has_room(&self) -> bool {
        self.core.ledger.executors.any_room()
    }

    /// The time of the latest step.
    #[must_use]
    pub fn now(&self) -> Time {
        self.core.now
    }

    /// The configuration.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.core.rules
    }

    /// Counters since the start.
    #[must_use]
    pub fn totals(&self) -> &Totals {
        &self.core.totals
    }

    /// Live holds.
    #[must_use]
    pub fn left(&self) -> usize {
        self.core.ledger.holds.len()
    }

    /// The sums of every workflow that has held a slot, by id; first, without an id, those of workflows that are not
    /// remembered one by one.
    #[must_use]
    pub fn accounts(&self) -> Vec<(Option<WorkflowId>, Account)> {
        views::accounts(&self.core)
    }

    /// What every workflow repeats that has a pattern, by id: see [`Event::Recalled`].
    #[must_use]
    pub fn patterns(&self) -> Vec<(WorkflowId, &[Transition])> {
        views::patterns(&self.core)
    }

    /// Bounded jobs that ran with one rule throughout, the oldest of a kind first: see [`Event::Sampled`].
    #[must_use]
    pub fn samples(&self) -> Vec<Sample> {
        views::samples(&self.core)
    }

    /// How good estimates were, in millionths: of what running tasks still took, and of new attempts (GR-6).
    #[must_use]
    pub fn accuracies(&self) -> Option<[u32; 2]> {
        views::accuracies(&self.core)
    }

    /// Running tasks of a set where the engine says which are copied, as they are at `now`; for reports.
    #[must_use]
    pub fn runs(&self, set: SetId, now: Time) -> Vec<RunView> {
        views::runs(&self.core, set, now)
    }

    /// Live holds by id.
    #[must_use]
    pub fn holds(&self) -> Vec<HoldView> {
        views::holds(&self.core)
    }

    /// Executors by id.
    #[must_use]
    pub fn executors(&self) -> Vec<ExecutorView> {
        views::executors(&self.core)
    }

    /// Workflows by id.
    #[must_use]
    pub fn workflows(&self) -> Vec<WorkflowView> {
        views::workflows(&self.core)
    }

    /// Pools by id; the root is always there.
    #[must_use]
    pub fn pools(&self) -> Vec<PoolView> {
        views::pools(&self.core)
    }

    /// Task sets by id.
    #[must_use]
    pub fn sets(&self) -> Vec<SetView> {
        views::sets(&self.core)
    }
}
