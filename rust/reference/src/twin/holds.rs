//! Rank, and the making and ending of holds.

use std::cmp::Reverse;

use holdfast_engine::{
    Decision, EndCause, EngineError, Event, ExecutorId, HoldId, Policy, ProfileId, Reason,
    Resources, StageKind, TenantId, Time, WorkflowId,
};

use super::home::Claim;
use super::state::{Executor, Hold};
use super::{Bug, Reference};

impl Reference {
    /// Smaller ranks before larger.
    pub(super) fn rank(&self, workflow: WorkflowId) -> (Reverse<i32>, u64) {
        let w = self.workflows.get(&workflow);
        (Reverse(w.map_or(0, |w| w.priority)), w.map_or(u64::MAX, |w| w.last_arrival))
    }

    /// Whether a hold of `owner` stands in the way of `asker`.
    pub(super) fn before(&self, owner: WorkflowId, asker: WorkflowId) -> bool {
        if owner == asker {
            return self.has(Bug::OwnerVetoed);
        }
        if self.has(Bug::RankNotTotal) {
            return self.rank(owner).0 <= self.rank(asker).0;
        }
        self.rank(owner) < self.rank(asker)
    }

    /// The active workflows, first rank first.
    pub(super) fn ranked(&self) -> Vec<WorkflowId> {
        let mut all: Vec<WorkflowId> =
            self.workflows.keys().copied().filter(|id| self.active(*id)).collect();
        all.sort_by_key(|id| self.rank(*id));
        all
    }

    /// Holds of a workflow, oldest first.
    pub(super) fn holds_of(&self, workflow: WorkflowId) -> Vec<HoldId> {
        self.holds.iter().filter(|(_, h)| h.workflow == workflow).map(|(id, _)| *id).collect()
    }

    /// Holds on an executor, oldest first.
    pub(super) fn holds_on(&self, executor: ExecutorId) -> Vec<HoldId> {
        self.holds.iter().filter(|(_, h)| h.executor == executor).map(|(id, _)| *id).collect()
    }

    /// Holds on an executor in the order in which they have to go: last rank first, then newest.
    pub(super) fn least_first(&self, executor: ExecutorId) -> Vec<HoldId> {
        let mut all = self.holds_on(executor);
        all.sort_by_key(|id| Reverse((self.rank(self.holds[id].workflow), *id)));
        all
    }

    pub(super) fn running_of(&self, workflow: WorkflowId) -> u32 {
        let own = self.attempts.values().filter(|a| a.workflow == workflow);
        u32::try_from(own.count()).expect("fewer attempts than ids")
    }

    fn held_by(&self, workflow: WorkflowId) -> u32 {
        u32::try_from(self.holds_of(workflow).len()).expect("fewer holds than ids")
    }

    /// Slots that it occupies or holds.
    pub(super) fn used(&self, workflow: WorkflowId) -> u32 {
        self.running_of(workflow) + self.held_by(workflow)
    }

    /// Slots of what it launches next.
    pub(super) fn owned(&self, workflow: WorkflowId) -> u32 {
        match self.workflows.get(&workflow).and_then(|w| w.slot) {
            Some((_, demand)) if self.is_resized(workflow) => {
                let own = self.attempts.values().filter(|a| a.workflow == workflow);
                let using = own.fold(Resources::default(), |sum, a| sum.plus(a.size));
                self.held_by(workflow) + demand.fit_into(&using)
            }
            _ => self.used(workflow),
        }
    }

    pub(super) fn running_on(&self, executor: ExecutorId) -> Resources {
        let there = self.attempts.values().filter(|a| a.executor == executor);
        there.fold(Resources::default(), |sum, a| sum.plus(a.size))
    }

    pub(super) fn held_on(&self, executor: ExecutorId) -> Resources {
        let there = self.holds.values().filter(|h| h.executor == executor);
        there.fold(Resources::default(), |sum, h| sum.plus(h.size))
    }

    fn runs_there(&self, profile: ProfileId, e: &Executor) -> bool {
        self.profiles.get(&profile).is_some_and(|(runs_on, _)| *runs_on == e.profile)
    }

    pub(super) fn usable(&self, executor: ExecutorId, profile: ProfileId) -> bool {
        let barred_matters = !self.has(Bug::HoldOnBarred);
        self.executors
            .get(&executor)
            .is_some_and(|e| self.runs_there(profile, e) && !(e.barred && barred_matters))
    }

    /// Whether a workflow wants another slot.
    pub(super) fn wants(&self, workflow: WorkflowId) -> bool {
        self.may_hold(workflow)
            && self.active(workflow)
            && !self.workflows[&workflow].exhausted
            && (self.owned(workflow) < self.need(workflow) || self.has(Bug::NeedIgnored))
    }

    pub(super) fn bounded(
        &mut self,
        workflow: WorkflowId,
        tenant: TenantId,
        holds: u32,
    ) -> Result<(), EngineError> {
        let w = self.workflows.get_mut(&workflow).ok_or(EngineError::UnknownWorkflow)?;
        w.tenant = tenant;
        self.bounds.insert(tenant, holds);
        Ok(())
    }

    fn tenant_has_room(&self, workflow: WorkflowId) -> bool {
        let tenant = self.workflows[&workflow].tenant;
        if tenant == TenantId::NONE {
            return true;
        }
        let own =
            |hold: &&Hold| self.workflows.get(&hold.workflow).is_some_and(|w| w.tenant == tenant);
        let held = self.holds.values().filter(own).count();
        held < self.bounds[&tenant] as usize
    }

    fn cap(&self, workflow: WorkflowId) -> Time {
        let start = self.workflows[&workflow].start.unwrap_or(self.now);
        let own_time = self.config.policy == Policy::Timeout && !self.has(Bug::TimeoutOfEpisode);
        if own_time { self.now } else { start }.after(self.config.hold_max_ns)
    }

    /// The hold rule.
    pub(super) fn try_hold(
        &mut self,
        workflow: WorkflowId,
        executor: ExecutorId,
        claim: Claim,
    ) -> bool {
        if !self.wants(workflow) {
            return false;
        }
        let claimed = claim == Claim::Grow;
        let Some((profile, size)) = self.workflows[&workflow].slot else {
            return false;
        };
        if !self.usable(executor, profile) {
            return false;
        }
        let occupied = self.running_on(executor).plus(self.held_on(executor));
        let room = self.executors[&executor].capacity.minus(occupied);
        let ignored = self.has(Bug::CapacityIgnored) && !claimed;
        if !room.covers(&size) && !ignored {
            return false;
        }
        if self.has(Bug::CapRestartedByClaim) && claimed {
            self.workflow_mut(workflow).start = None;
        }
        let cap = self.cap(workflow);
        let deadline = cap.min(self.holds_until(workflow));
        if deadline <= self.now {
            return false;
        }
        if !self.tenant_has_room(workflow) && !self.has(Bug::BoundIgnored) {
            return false;
        }
        let within = self.budget_left(self.holds.len() + 1) != Some(0);
        if !within && !self.has(Bug::BudgetIgnored) {
            return false;
        }
        let now = self.now;
        let w = self.workflow_mut(workflow);
        w.start.get_or_insert(now);
        let in_gap = w.gap.is_some();
        let reason = match () {
            () if claimed => Reason::Grow,
            () if claim == Claim::Nearer => Reason::Nearer,
            () if self.pending_of(workflow) > 0 => Reason::Waiting,
            () if in_gap => Reason::Gap,
            () => Reason::Barrier,
        };
        let hold = HoldId(self.next_hold);
        self.next_hold += 1;
        self.holds
            .insert(hold, Hold { workflow, executor, size, reason, made_at: now, cap, deadline });
        self.totals.made += 1;
        self.held_more = true;
        self.workflow_mut(workflow).account.made += 1;
        self.out.push(Decision::Held { hold, workflow, executor, reason, deadline });
        true
    }

    pub(super) fn end(&mut self, hold: HoldId, cause: EndCause) {
        let Some(gone) = self.holds.remove(&hold) else {
            return;
        };
        let silent = match cause {
            EndCause::Used | EndCause::ExecutorGone => true,
            EndCause::Expired => self.has(Bug::ExpiryNotReoffered),
            EndCause::NotNeeded => self.has(Bug::ReleaseNotReoffered),
            _ => false,
        };
        self.reoffer |= !silent;
        let totals = &mut self.totals;
        *match cause {
            EndCause::Used => &mut totals.used,
            EndCause::Moved => &mut totals.moved,
            EndCause::Overridden => &mut totals.overridden,
            EndCause::Expired => &mut totals.expired,
            EndCause::NotNeeded => &mut totals.not_needed,
            EndCause::WorkflowOver => &mut totals.workflow_over,
            EndCause::ExecutorGone => &mut totals.executor_gone,
        } += 1;
        if let Some(w) = self.workflows.get_mut(&gone.workflow) {
            *match cause {
                EndCause::Used => &mut w.account.used,
                EndCause::Expired => &mut w.account.expired,
                EndCause::Overridden => &mut w.account.overridden,
                _ => &mut w.account.dropped,
            } += 1;
        }
        self.touched.insert(gone.workflow);
        self.out.push(Decision::HoldEnded { hold, cause });
    }

    /// Order of a step, 4: no more than is needed.
    pub(super) fn trim(&mut self) {
        for workflow in self.ranked() {
            if !self.touched.contains(&workflow) {
                continue;
            }
            self.end_misfits(workflow);
            while self.owned(workflow) > self.need(workflow) && !self.has(Bug::NeedIgnored) {
                let Some(least) = self.least_useful(workflow) else {
                    break;
                };
                self.end(least, EndCause::NotNeeded);
            }
        }
    }

    /// Order of a step, 5: a barrier set that is being launched has been promised the slots of its further tasks.
    pub(super) fn claims_wait(&self, event: &Event) -> bool {
        let Event::Launched { set, .. } = event else { return false };
        let set = self.sets.get(set);
        set.is_some_and(|set| set.kind == StageKind::Barrier && self.pending(set) > 0)
            && !self.has(Bug::PromisedSlotsClaimed)
    }

    /// Order of a step, 5: take what nobody uses.
    pub(super) fn claim(&mut self) {
        if !self.config.grow {
            return;
        }
        let executors: Vec<ExecutorId> = self.executors.keys().copied().collect();
        for workflow in self.ranked() {
            for near in [true, false] {
                for executor in &executors {
                    while self.others_wait(workflow)
                        && self.owned(workflow) < self.claimable(workflow)
                        && (!near || self.is_wanted(workflow, *executor))
                        && self.try_hold(workflow, *executor, Claim::Grow)
                    {}
                }
            }
        }
    }
}
