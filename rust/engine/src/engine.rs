//! The engine: one step is expiry, the event, and what follows from both.

use serde::Serialize;

use crate::api::config::{Config, Policy};
use crate::api::decision::{Decision, EndCause};
use crate::api::error::EngineError;
use crate::api::event::Event;
use crate::api::ids::{AttemptId, ExecutorId, Time};
use crate::ledger::Ledger;
use crate::policies::ssr::claim;
use crate::policies::ssr::need::{may_hold, need};

/// How long gap holds may stop a cluster on which nothing runs.
const STALL_NS: u64 = 1_000_000_000;

/// Counters since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Totals {
    /// Holds made.
    pub made: u64,
    /// Ended because the owner launched there.
    pub used: u64,
    /// Ended because the owner launched elsewhere.
    pub moved: u64,
    /// Ended because a more important workflow took the slot.
    pub overridden: u64,
    /// Ended by their deadline.
    pub expired: u64,
    /// Ended because the need fell.
    pub not_needed: u64,
    /// Ended with their workflow.
    pub workflow_over: u64,
    /// Ended with their executor.
    pub executor_gone: u64,
    /// Idle held slot-time, in slots x nanoseconds.
    pub idle_held_ns: u128,
    /// Attempts launched beside a running attempt of their task.
    pub copies: u64,
    /// Those of them that ended their task.
    pub copies_won: u64,
    /// How often the host's clock went back.
    pub regressions: u64,
}

/// The decision engine. Equal configuration and events give equal decisions (R15).
#[derive(Clone, Debug)]
pub struct Engine {
    pub(crate) config: Config,
    pub(crate) now: Time,
    pub(crate) ledger: Ledger,
    pub(crate) totals: Totals,
    /// Sets whose launches are spread now.
    pub(crate) spreads: Vec<usize>,
    /// (set, executor) -> launches of those sets there.
    pub(crate) spread_launches: rustc_hash::FxHashMap<(usize, usize), u32>,
    /// Slots x nanoseconds since the start; kept when there is an idle budget.
    pub(crate) slot_time_ns: u128,
    stall: Option<Time>,
    /// (asker, owner of a hold): of equal priority, and fairness kept the hold after the last step.
    pub(crate) blocked: Vec<(usize, usize)>,
    pub(crate) next_hold: u32,
    /// In this step: something may be allowed now that was not before.
    pub(crate) reoffer: bool,
    /// In this step: a hold was made.
    pub(crate) held_more: bool,
    /// In this step: a task may get a copy now that might not before.
    pub(crate) offer_copies: bool,
    /// When the next task comes of age for a copy.
    pub(crate) copy_due: Option<Time>,
    /// In this step: a hold was made, or has ended.
    pub(crate) stirred: bool,
    /// In this step: workflows whose need may have fallen.
    touched: Vec<usize>,
    pub(crate) scratch: Vec<usize>,
    /// For how long tasks of a last wave had run when it began, and have now.
    pub(crate) ages: Vec<(u64, u64)>,
}

impl Engine {
    /// An engine that knows nothing yet, at time 0.
    #[must_use]
    pub fn new(config: Config) -> Self {
        Self {
            config: config.under_policy(),
            now: Time::default(),
            ledger: Ledger::default(),
            totals: Totals::default(),
            spreads: Vec::new(),
            spread_launches: rustc_hash::FxHashMap::default(),
            slot_time_ns: 0,
            stall: None,
            blocked: Vec::new(),
            next_hold: 0,
            reoffer: false,
            held_more: false,
            offer_copies: false,
            copy_due: None,
            stirred: false,
            touched: Vec::new(),
            scratch: Vec::new(),
            ages: Vec::new(),
        }
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
        let refused = self.restricts();
        self.advance(now);
        self.reoffer = false;
        self.offer_copies = false;
        self.stirred = false;
        self.touched.clear();
        self.expire(out);
        let result = self.apply(event, out);
        self.expire_holds(out);
        self.end_rents();
        self.trim(out);
        if !claim::waits(&self.ledger, event) {
            self.claim(out);
        }
        self.watch_stall();
        self.end_spreads();
        self.watch_copies();
        self.watch_pools();
        // A round that changes nothing for anybody would still move Spark's locality timers.
        if self.offer_copies || (refused && self.reoffer && self.ledger.pending > 0) {
            out.push(Decision::Reoffer);
        }
        result
    }

    /// When the host must call [`Engine::step`] again at the latest. A late call is slow, never
    /// wrong.
    #[must_use]
    pub fn next_deadline(&self) -> Option<Time> {
        let mut first = self.ledger.holds.first_deadline().map(|(time, _)| time);
        let mut add = |time: Time| first = Some(first.map_or(time, |first| first.min(time)));
        let gaps = self.ledger.workflows.gaps.iter();
        gaps.filter_map(|&w| self.ledger.workflows.slab[w].gap).for_each(|gap| add(gap.deadline));
        self.rents().filter(|&(_, until)| until > self.now).for_each(|(_, until)| add(until));
        self.stall.into_iter().for_each(&mut add);
        self.first_spread_end().into_iter().for_each(&mut add);
        self.budget_end().into_iter().for_each(&mut add);
        self.copy_due.into_iter().for_each(add);
        first
    }

    /// Reads what the ends of these attempts will read, and changes nothing: for hosts that know what comes next, as a
    /// simulation does. In a large cluster a step waits for memory most of its time.
    pub fn read_ahead(&self, attempts: impl Iterator<Item = AttemptId>) {
        self.ledger.read_ahead(attempts);
    }

    /// The same of what launches on these executors will read.
    pub fn read_ahead_on(&self, executors: impl Iterator<Item = ExecutorId>) {
        self.ledger.read_ahead_on(executors);
    }

    /// The time of the latest step.
    #[must_use]
    pub fn now(&self) -> Time {
        self.now
    }

    /// The configuration.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Counters since the start.
    #[must_use]
    pub fn totals(&self) -> &Totals {
        &self.totals
    }

    /// Live holds.
    #[must_use]
    pub fn left(&self) -> usize {
        self.ledger.holds.len()
    }

    /// Whether some ask may be refused now; while false, every verdict is `Allow`.
    #[must_use]
    pub fn restricts(&self) -> bool {
        self.config.policy == Policy::Static
            || self.ledger.holds.len() > 0
            || !self.spreads.is_empty()
    }

    /// Whether some slot is neither busy nor held; while true, every set is admitted.
    #[must_use]
    pub fn has_room(&self) -> bool {
        self.ledger.executors.any_room()
    }

    fn advance(&mut self, now: Time) {
        if now < self.now {
            self.totals.regressions += 1;
            return;
        }
        let held = self.ledger.holds.len() as u128;
        self.totals.idle_held_ns += held * u128::from(now.since(self.now));
        self.charge_slot_time(now.since(self.now));
        self.now = now;
    }

    fn expire_holds(&mut self, out: &mut Vec<Decision>) {
        while let Some((deadline, key)) = self.ledger.holds.first_deadline()
            && deadline <= self.now
        {
            self.expire_hold(key, out);
        }
    }

    fn expire_hold(&mut self, key: usize, out: &mut Vec<Decision>) {
        let owner = self.ledger.holds.get(key).owner;
        self.end_hold(key, EndCause::Expired, out);
        self.exhaust(owner);
        self.touch(owner);
    }

    fn expire(&mut self, out: &mut Vec<Decision>) {
        self.expire_holds(out);
        self.expire_gaps(out);
        if self.stall.is_some_and(|stall| stall <= self.now) {
            // Who claims what is given back has a second of its own.
            self.stall = None;
            self.yield_gap_holds(out);
        }
        self.keep_to_budget(out);
    }

    fn expire_gaps(&mut self, out: &mut Vec<Decision>) {
        let workflows = &self.ledger.workflows;
        let due = |w: usize| workflows.slab[w].gap.is_some_and(|gap| gap.deadline <= self.now);
        if !workflows.gaps.iter().any(|&w| due(w)) {
            return;
        }
        let mut over: Vec<usize> = workflows.gaps.iter().copied().filter(|&w| due(w)).collect();
        over.sort_by_key(|&w| {
            let w = &self.ledger.workflows.slab[w];
            (w.gap.map(|gap| gap.deadline), w.id)
        });
        for w in over {
            self.workflow_over(w, EndCause::Expired, out);
        }
    }

    /// The stall rule: nothing runs anywhere and a job waits that a driver may wait for, so gap holds yield.
    fn yield_gap_holds(&mut self, out: &mut Vec<Decision>) {
        let mut idle: Vec<usize> = self.ledger.workflows.gaps.clone();
        idle.retain(|&w| self.ledger.workflows.slab[w].held > 0);
        idle.sort_by_key(|&w| self.ledger.workflows.rank(w));
        for w in idle {
            self.exhaust(w);
            self.end_holds_of(w, EndCause::Expired, out);
        }
    }

    /// A lowered need is worked off: no kill, no hold above it.
    fn trim(&mut self, out: &mut Vec<Decision>) {
        let mut touched = std::mem::take(&mut self.touched);
        touched.retain(|&w| self.ledger.workflows.slab.contains(w));
        touched.sort_unstable_by_key(|&w| self.ledger.workflows.rank(w));
        touched.dedup();
        for &w in &touched {
            self.watch_slot(w);
            let workflow = &self.ledger.workflows.slab[w];
            if workflow.held == 0 && !may_hold(&self.config, workflow) {
                // Almost all of them.
                self.ledger.workflows.set_narrow(w, None);
                continue;
            }
            self.end_misfits(w, out);
            self.watch_narrow(w);
            if self.ledger.workflows.slab[w].held == 0 {
                continue;
            }
            let need = need(&self.ledger, &self.config, self.now, w);
            while let Some(newest) = self.surplus(w, need) {
                self.end_hold(newest, EndCause::NotNeeded, out);
            }
        }
        self.touched = touched;
    }

    /// Returns the latest set that was submitted when the first of the gaps began in which slots are held.
    fn first_gap_with_holds(&self) -> Option<u32> {
        let gaps = self.ledger.workflows.gaps.iter().map(|&w| &self.ledger.workflows.slab[w]);
        gaps.filter(|w| w.held > 0).filter_map(|w| w.gap).map(|gap| gap.latest_set).min()
    }

    /// What waited before a gap began is not what its driver waits for.
    fn watch_stall(&mut self) {
        let stalled = self.ledger.attempts.is_empty()
            && self.ledger.pending > 0
            && self.first_gap_with_holds().is_some_and(|before| self.ledger.waits_since(before));
        self.stall = stalled.then(|| self.stall.unwrap_or(self.now.after(STALL_NS)));
    }

    /// Nothing more is held in this episode. Under timeout reservation every hold has a time of its own.
    pub(crate) fn exhaust(&mut self, workflow: usize) {
        self.ledger.workflows.slab[workflow].exhausted = self.config.policy != Policy::Timeout;
    }

    /// Something about a workflow has changed: to be said of every change but those of its holds and its running attempts.
    pub(crate) fn touch(&mut self, workflow: usize) {
        if let Some(w) = self.ledger.workflows.slab.get_mut(workflow)
            && may_hold(&self.config, w)
        {
            w.wide = None;
            self.make_hungry(workflow);
        }
        if self.touched.last() != Some(&workflow) {
            self.touched.push(workflow);
        }
    }

    /// Whether a workflow with holds was touched in this step.
    pub(crate) fn touches_holders(&self) -> bool {
        let workflows = &self.ledger.workflows;
        !workflows.holders.is_empty()
            && self.touched.iter().any(|&w| workflows.slab.get(w).is_some_and(|w| w.held > 0))
    }

    /// The number of slots has changed: every need, and every spread set's share of an executor.
    pub(crate) fn touch_all(&mut self) {
        self.reoffer |= !self.spreads.is_empty();
        self.set_aside();
        let mut all = std::mem::take(&mut self.scratch);
        all.clear();
        all.extend(self.ledger.workflows.active.iter().map(|&(_, w)| w));
        for &w in &all {
            self.ledger.workflows.slab[w].wide = None;
            self.make_hungry(w);
        }
        self.touched.extend_from_slice(&all);
        self.scratch = all;
    }

    /// The number of slots has changed: under static reservation others may be set aside than before.
    pub(crate) fn set_aside(&mut self) {
        if self.config.policy == Policy::Static {
            self.ledger.executors.set_aside(self.config.static_slots);
            self.reoffer = true;
        }
    }
}
