//! What the host asks.

use holdfast_engine::{
    EngineError, ExecutorId, Policy, Resources, SetId, Time, Verdict, VetoReason, WorkflowId,
};

use super::state::{Attempt, Set};
use super::{Bug, Reference};

impl Reference {
    pub(super) fn ask(&self, set: SetId, executor: ExecutorId) -> Result<&Set, EngineError> {
        let set = self.sets.get(&set).ok_or(EngineError::UnknownSet)?;
        if !self.executors.contains_key(&executor) {
            return Err(EngineError::UnknownExecutor);
        }
        Ok(set)
    }

    /// What is held there against a set.
    fn blocked(&self, asker: &Set, executor: ExecutorId) -> Resources {
        let there = self.holds.values().filter(|hold| hold.executor == executor);
        let earlier = there.filter(|hold| self.stands_in_the_way(hold.workflow, asker));
        earlier.fold(Resources::default(), |sum, hold| sum.plus(hold.size))
    }

    /// What is set aside there for workflows with a priority, and none of them uses.
    fn aside(&self, asker: WorkflowId, executor: ExecutorId) -> Resources {
        let important = |w: WorkflowId| self.workflows.get(&w).is_some_and(|w| w.priority > 0);
        if self.config.policy != Policy::Static || important(asker) {
            return Resources::default();
        }
        let mut left = self.config.static_slots;
        for (id, e) in &self.executors {
            let slots = self.slots_on(*id, e.profile).min(left);
            if *id == executor {
                let demand = self.profiles.get(&e.profile).map_or_else(Default::default, |p| p.1);
                let there = self.attempts.values().filter(|a| a.executor == executor);
                let theirs = there.filter(|a| important(a.workflow) || self.has(Bug::AsideForAll));
                let used = theirs.fold(Resources::default(), |sum, a| sum.plus(a.size));
                return demand.times(slots).minus(used);
            }
            left -= slots;
        }
        Resources::default()
    }

    fn room(&self, asker: &Set, executor: ExecutorId, free: &Resources) -> Resources {
        if self.config.policy == Policy::Stock {
            return *free;
        }
        free.minus(self.blocked(asker, executor)).minus(self.aside(asker.workflow, executor))
    }

    /// Whether a cache-filling set has its share of an executor.
    fn has_its_share(&self, set: &Set, executor: ExecutorId) -> bool {
        if set.spread_until.is_none_or(|until| self.now >= until) {
            return false;
        }
        let all = u64::from(self.slots(set.profile));
        let there = u64::from(self.slots_on(executor, set.profile));
        let share = if all == 0 { 1 } else { (u64::from(set.tasks) * there).div_ceil(all).max(1) };
        set.launches.iter().filter(|e| **e == executor).count() as u64 >= share
    }

    /// May this set use a slot there now?
    ///
    /// # Errors
    /// Unknown set or executor.
    pub fn verdict(
        &self,
        set: SetId,
        executor: ExecutorId,
        free: &Resources,
    ) -> Result<Verdict, EngineError> {
        let set = self.ask(set, executor)?;
        if self.config.policy == Policy::Stock {
            return Ok(Verdict::Allow);
        }
        if self.has_its_share(set, executor) {
            return Ok(Verdict::Veto(VetoReason::Spread));
        }
        if !self.room(set, executor, free).covers(&set.demand) {
            let aside = self.config.policy == Policy::Static;
            let reason = if aside { VetoReason::Aside } else { VetoReason::Held };
            return Ok(Verdict::Veto(reason));
        }
        if self.shuts_out(set) {
            return Ok(Verdict::Veto(VetoReason::Held));
        }
        let mut there = self.holds.values().filter(|hold| hold.executor == executor);
        let own = there.any(|hold| hold.workflow == set.workflow);
        // Waiting costs one wave more, or as many as it takes until those that wait have run there.
        let slowdown =
            self.workflows[&set.workflow].remote_slowdown_milli.or(set.remote_slowdown_milli);
        let there = self.attempts.values().filter(|a| a.serial == set.serial && a.local).count();
        let waves = u64::from(self.pending(set)).div_ceil((there as u64).max(1)).max(1);
        let waves = if self.has(Bug::OneWaveWaits) { 1 } else { waves };
        let near = slowdown.is_none_or(|d| d <= 1_000 * (1 + waves));
        let widens = own && self.config.grow && (near || self.has(Bug::WidensAnyhow));
        Ok(if widens { Verdict::AllowHeld } else { Verdict::Allow })
    }

    /// What a task away from its input cost, compared with the mean of those next to it.
    pub(super) fn learn_remote_slowdown(&mut self, attempt: &Attempt) {
        if attempt.local {
            return;
        }
        let now = self.now;
        let away = &mut self.workflow_mut(attempt.workflow).away;
        let first = *away.entry(attempt.executor).or_insert(now);
        let new = attempt.launched < first && !self.has(Bug::NewExecutorsTeach);
        let Some(set) = self.sets.values_mut().find(|set| set.serial == attempt.serial) else {
            return;
        };
        let local = set.local.clone();
        if local.is_empty() {
            return;
        }
        let sum = local.iter().fold(0, |sum: u64, one| sum.saturating_add(*one));
        let took = u128::from(self.now.since(attempt.launched));
        let times = took * 1_000 * local.len() as u128 / u128::from(sum.max(1));
        let times = times.min(1_000_000) as u64;
        let now = |d: Option<u64>| Some(d.map_or(times, |d| d - d / 4 + times / 4));
        if new {
            set.remote_slowdown_milli = now(set.remote_slowdown_milli);
        } else {
            let w = self.workflow_mut(attempt.workflow);
            w.remote_slowdown_milli = now(w.remote_slowdown_milli);
        }
    }

    /// How many tasks of a barrier set fit there.
    ///
    /// # Errors
    /// Unknown set or executor.
    pub fn barrier_room(
        &self,
        set: SetId,
        executor: ExecutorId,
        free: &Resources,
    ) -> Result<u32, EngineError> {
        let set = self.ask(set, executor)?;
        if self.shuts_out(set) {
            return Ok(0);
        }
        Ok(set.demand.fit_into(&self.room(set, executor, free)))
    }

    /// Whether some executor would allow this set a slot now, by the ledger's own free resources.
    ///
    /// # Errors
    /// Unknown set.
    pub fn admits(&self, set: SetId) -> Result<bool, EngineError> {
        let known = self.sets.get(&set).ok_or(EngineError::UnknownSet)?;
        if self.config.policy == Policy::Stock {
            return Ok(true);
        }
        let executors = self.executors.iter();
        let usable = executors.filter(|(_, e)| e.profile == known.home && !e.barred);
        for (executor, state) in usable {
            let free = state.capacity.minus(self.running_on(*executor));
            if !matches!(self.verdict(set, *executor, &free)?, Verdict::Veto(_)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// When the next step has to come at the latest.
    #[must_use]
    pub fn next_deadline(&self) -> Option<Time> {
        let holds = self.holds.values().map(|hold| hold.deadline);
        let gaps = self.workflows.values().filter_map(|w| w.gap.as_ref()).map(|gap| gap.deadline);
        let spreads = self.sets.values().filter_map(|set| set.spread_until);
        let budget = self.budget_left(self.holds.len()).map(|left| self.now.after(left));
        let races = self.sets.values().filter_map(|set| set.race.due.filter(|_| !set.zombie));
        let copies = self.copy_due();
        let holders = self.workflows.keys().filter(|id| !self.holds_of(**id).is_empty());
        let rents = holders.filter_map(|id| self.rent(*id)).filter(|until| *until > self.now);
        holds
            .chain(gaps)
            .chain(spreads)
            .chain(self.stall)
            .chain(self.shut_until)
            .chain(self.come_of_age.first().copied())
            .chain(budget)
            .chain(copies)
            .chain(races)
            .chain(rents)
            .min()
    }
}
