//! The rules of docs/mechanisms, written naively.

mod asks;
mod backwards;
mod bounds;
mod bug;
mod copies;
mod events;
mod every_second;
mod fingerprint;
mod gaps;
mod holds;
mod home;
mod jobs;
mod later;
mod need;
mod patterns;
mod pools;
mod profiles;
mod races;
mod reviews;
mod rules;
mod samples;
mod sizes;
mod slots;
mod state;
mod unforeseen;
mod views;
mod waves;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use holdfast_engine::{
    Account, AttemptId, Config, Decision, EndCause, EngineError, Event, ExecutorId, HoldId, JobId,
    Policy, PoolId, ProfileId, Resources, SetId, TenantId, Time, Totals, WorkflowId,
};

pub use bug::Bug;
use pools::Pool;
use races::Races;
use state::{Attempt, Executor, Gap, Hold, Job, Memory, Set, Workflow};

/// How long a stall lasts before gap holds yield.
const STALL_NS: u64 = 1_000_000_000;
/// What an idle budget allows beforehand, in nanoseconds of all slots.
const CREDIT_NS: u128 = 30_000_000_000;
/// How many forgotten workflows leave their largest gap behind.
const GAPS_KEPT: usize = 256;

/// The engine's twin: everything is computed from scratch each time.
#[derive(Clone, Debug)]
pub struct Reference {
    config: Config,
    bug: Option<Bug>,
    now: Time,
    totals: Totals,
    /// Where tasks of a profile run, and what each asks for.
    profiles: BTreeMap<ProfileId, (ProfileId, Resources)>,
    executors: BTreeMap<ExecutorId, Executor>,
    workflows: BTreeMap<WorkflowId, Workflow>,
    jobs: BTreeMap<JobId, Job>,
    sets: BTreeMap<SetId, Set>,
    attempts: BTreeMap<AttemptId, Attempt>,
    holds: BTreeMap<HoldId, Hold>,
    forgotten: VecDeque<(WorkflowId, Memory)>,
    /// Accounts of those that are not even in there.
    lost: Account,
    /// Slots x nanoseconds since the start.
    slot_time_ns: u128,
    /// How long the tasks took of those who may not hold (of everybody, when all may).
    rivals: Vec<u64>,
    pools: BTreeMap<PoolId, Pool>,
    races: Races,
    /// How many slots a tenant's workflows hold at most.
    bounds: BTreeMap<TenantId, u32>,
    /// (asker, owner of a hold) where fairness kept the hold after the last step.
    kept: BTreeSet<(WorkflowId, WorkflowId)>,
    stall: Option<Time>,
    /// When the gate for tests opens again.
    shut_until: Option<Time>,
    /// When running tasks come of age for the pick for tests.
    come_of_age: BTreeSet<Time>,
    next_hold: u32,
    next_arrival: u64,
    next_serial: u64,
    /// Workflows to trim at the end of this step.
    touched: BTreeSet<WorkflowId>,
    /// Workflows that may be forgotten at the end of this step.
    leaving: BTreeSet<WorkflowId>,
    /// Whether a hold was made in this step.
    held_more: bool,
    /// Whether a task may get a copy that might not before this step.
    offer_copies: bool,
    /// Whether something was freed or reordered in this step.
    reoffer: bool,
    out: Vec<Decision>,
}

impl Reference {
    /// An empty cluster at time 0.
    #[must_use]
    pub fn new(mut config: Config) -> Self {
        if config.policy == Policy::Timeout {
            (config.grow, config.spread) = (false, false);
        }
        Self {
            config,
            bug: None,
            now: Time::default(),
            totals: Totals::default(),
            profiles: BTreeMap::new(),
            executors: BTreeMap::new(),
            workflows: BTreeMap::new(),
            jobs: BTreeMap::new(),
            sets: BTreeMap::new(),
            attempts: BTreeMap::new(),
            holds: BTreeMap::new(),
            forgotten: VecDeque::new(),
            lost: Account::default(),
            slot_time_ns: 0,
            rivals: Vec::new(),
            pools: BTreeMap::from([(PoolId::ROOT, Pool::default())]),
            races: Races::default(),
            bounds: BTreeMap::new(),
            kept: BTreeSet::new(),
            stall: None,
            shut_until: None,
            come_of_age: BTreeSet::new(),
            next_hold: 0,
            next_arrival: 1,
            next_serial: 0,
            touched: BTreeSet::new(),
            leaving: BTreeSet::new(),
            held_more: false,
            offer_copies: false,
            reoffer: false,
            out: Vec::new(),
        }
    }

    /// The same with a known bug in it.
    #[must_use]
    pub fn with_bug(config: Config, bug: Bug) -> Self {
        Self { bug: Some(bug), ..Self::new(config) }
    }

    fn has(&self, bug: Bug) -> bool {
        self.bug == Some(bug)
    }

    /// Expires what is due, applies the event, decides; appends the decisions.
    ///
    /// # Errors
    /// As the rules say; the event changed nothing then.
    pub fn step(
        &mut self,
        now: Time,
        event: &Event,
        out: &mut Vec<Decision>,
    ) -> Result<(), EngineError> {
        let free_for_all = self.holds.is_empty()
            && self.config.policy != Policy::Static
            && self.shut_until.is_none()
            && self.sets.values().all(|set| set.spread_until.is_none());
        let nobody_refused = free_for_all && !self.has(Bug::ReoffersToAll);
        self.touched.clear();
        self.reoffer = false;
        self.offer_copies = false;
        self.advance(now);
        self.open_gate();
        self.expire_races();
        self.expire_ages();
        self.expire();
        self.forget_idle();
        let wanted = self.wanted_before(event);
        let result = self.apply(event);
        if result.is_ok() {
            self.forget_unwanted(wanted);
            self.shut_after(event);
            self.watch_races(event);
            self.ages_after(event);
        }
        self.watch_waves();
        self.expire_holds();
        self.watch_narrow();
        self.trim();
        if !self.claims_wait(event) {
            self.claim();
        }
        self.watch_stall();
        self.end_spreads();
        self.watch_copies();
        self.forget_idle();
        self.watch_pools();
        let reoffer = self.reoffer && !nobody_refused;
        if self.offer_copies || (reoffer && self.all_pending() > 0) {
            self.out.push(Decision::Reoffer);
        }
        out.append(&mut self.out);
        result
    }

    /// Order of a step, 1: time never goes back.
    fn advance(&mut self, now: Time) {
        if now < self.now {
            self.totals.regressions += 1;
            return;
        }
        let idle = u128::from(now.since(self.now)) * self.holds.len() as u128;
        self.totals.idle_held_ns += idle;
        let nanos = now.since(self.now);
        self.slot_time_ns += self.all_slots() * u128::from(nanos);
        for id in self.workflows.keys().copied().collect::<Vec<_>>() {
            let held = self.holds_of(id).len() as u64;
            let running = u64::from(self.running_of(id));
            let in_gap = self.workflows[&id].gap.is_some() && !self.has(Bug::GapCountsAsBarrier);
            let towards_barrier = !in_gap && self.holds_until(id) < Time(u64::MAX);
            let account = &mut self.workflow_mut(id).account;
            let idle = nanos.saturating_mul(held);
            account.idle_ns = account.idle_ns.saturating_add(idle);
            if towards_barrier {
                account.barrier_idle_ns = account.barrier_idle_ns.saturating_add(idle);
            }
            account.busy_ns = account.busy_ns.saturating_add(nanos.saturating_mul(running));
        }
        self.now = now;
    }

    /// Order of a step, 2: what is due.
    fn expire(&mut self) {
        self.expire_holds();
        let now = self.now;
        let late = |deadline: Time| deadline <= now;

        let mut over: Vec<(Time, WorkflowId)> = self.gaps();
        over.retain(|(deadline, _)| late(*deadline) && !self.has(Bug::GapNeverEnds));
        over.sort_unstable();
        for (_, workflow) in over {
            self.over(workflow, EndCause::Expired);
        }

        if self.stall.is_some_and(late) && !self.has(Bug::StallIgnored) {
            self.stall = None;
            for workflow in self.ranked() {
                if self.workflows[&workflow].gap.is_some() {
                    for id in self.holds_of(workflow) {
                        self.exhaust_with(id);
                    }
                }
            }
        }

        while self.budget_left(self.holds.len()) == Some(0) && !self.has(Bug::BudgetIgnored) {
            let last = self.ranked().into_iter().rev().find(|w| !self.holds_of(*w).is_empty());
            let Some(hold) = last.and_then(|w| self.holds_of(w).pop()) else {
                return;
            };
            self.exhaust_with(hold);
        }
    }

    /// For how many nanoseconds so many slots may be held; `None` for ever.
    fn budget_left(&self, held: usize) -> Option<u64> {
        let budget = u128::from(self.config.idle_budget_ppm?);
        let slots = self.all_slots();
        let (spent, earned) = (held as u128 * 1_000_000, budget * slots);
        if spent <= earned {
            return None;
        }
        let allowed = budget * (self.slot_time_ns + slots * CREDIT_NS);
        let left = allowed.saturating_sub(self.totals.idle_held_ns * 1_000_000);
        Some(u64::try_from(left / (spent - earned)).unwrap_or(u64::MAX))
    }

    pub(super) fn all_slots(&self) -> u128 {
        let own = self.profiles.iter().filter(|(profile, (runs_on, _))| *profile == runs_on);
        own.map(|(profile, _)| u128::from(self.slots(*profile))).sum()
    }

    /// Order of a step, 2 (a) and 3.
    fn expire_holds(&mut self) {
        let now = self.now;
        let late = |deadline: Time| deadline <= now;
        let mut due: Vec<(Time, HoldId)> =
            self.holds.iter().map(|(id, hold)| (hold.deadline, *id)).collect();
        due.retain(|(deadline, _)| {
            late(*deadline) && !(self.has(Bug::DeadlineInclusive) && *deadline == now)
        });
        due.sort_unstable();
        for (_, id) in due {
            self.exhaust_with(id);
        }
    }

    /// Order of a step, 6.
    fn end_spreads(&mut self) {
        for id in self.sets.keys().copied().collect::<Vec<_>>() {
            let set = &self.sets[&id];
            let Some(until) = set.spread_until else {
                continue;
            };
            if until <= self.now || !self.waits_for_others(set.workflow) {
                self.reoffer |= !self.has(Bug::SpreadEndNotReoffered);
                if let Some(set) = self.sets.get_mut(&id) {
                    set.spread_until = None;
                }
            }
        }
    }

    /// (gap deadline, workflow) of all that are in a gap.
    fn gaps(&self) -> Vec<(Time, WorkflowId)> {
        let gap = |(id, w): (&WorkflowId, &Workflow)| w.gap.as_ref().map(|g| (g.deadline, *id));
        self.workflows.iter().filter_map(gap).collect()
    }

    fn exhaust_with(&mut self, id: HoldId) {
        let owner = self.holds[&id].workflow;
        if !self.has(Bug::NeverExhausted)
            && self.config.policy != Policy::Timeout
            && let Some(w) = self.workflows.get_mut(&owner)
        {
            w.exhausted = true;
        }
        self.end(id, EndCause::Expired);
    }

    /// Order of a step, 7.
    fn watch_stall(&mut self) {
        let owner = |hold: &Hold| self.workflows.get(&hold.workflow);
        let gaps = self.holds.values().filter_map(|hold| owner(hold)?.gap.as_ref());
        let waits = |gap: &Gap| {
            let any = self.has(Bug::EverybodyEndsGaps);
            let later = self.sets.values().filter(|set| any || set.serial > gap.serial);
            later.into_iter().any(|set| self.pending(set) > 0)
        };
        let stalled = self.attempts.is_empty() && gaps.into_iter().any(waits);
        self.stall = stalled.then(|| self.stall.unwrap_or(self.now.after(STALL_NS)));
    }

    fn workflow_mut(&mut self, id: WorkflowId) -> &mut Workflow {
        self.workflows.get_mut(&id).expect("a workflow that is referred to is remembered")
    }
}
