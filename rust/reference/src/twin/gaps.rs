//! The gap between two jobs.

use holdfast_engine::{EndCause, Policy, WorkflowId};

use super::state::Gap;
use super::{Bug, Reference};

impl Reference {
    pub(super) fn leave_gap(&mut self, id: WorkflowId) {
        let (now, learns) = (self.now, !self.has(Bug::GapNotLearned));
        let renewed = now.after(self.config.hold_max_ns);
        let workflow = self.workflow_mut(id);
        let Some(gap) = workflow.gap.take() else {
            return;
        };
        if learns && !gap.run_ended {
            workflow.largest_gap = workflow.largest_gap.max(now.since(gap.start));
        }
        workflow.start = Some(now);
        workflow.exhausted = false;
        if gap.run_ended && !self.has(Bug::NextRunKeepsRank) {
            self.arrive(id);
            self.reoffer = true;
        }
        if self.config.policy == Policy::Timeout {
            return;
        }
        for hold in self.holds.values_mut().filter(|hold| hold.workflow == id) {
            (hold.cap, hold.deadline) = (renewed, renewed);
        }
    }

    /// Of equals those go before it that have arrived.
    pub(super) fn arrive(&mut self, id: WorkflowId) {
        let arrival = self.next_arrival;
        self.next_arrival += 1;
        let workflow = self.workflow_mut(id);
        workflow.arrival = Some(arrival);
        workflow.last_arrival = arrival;
    }

    /// The workflow comes back after a gap that was longer than its linger, but no longer than the longest.
    pub(super) fn learn_missed_gap(&mut self, id: WorkflowId) {
        let (now, learns) = (self.now, !self.has(Bug::MissedGapNotLearned));
        let most = self.config.linger_max_ns.max(self.config.linger_first_ns);
        let workflow = self.workflow_mut(id);
        let Some(start) = workflow.missed_gap.take() else {
            return;
        };
        if learns && now.since(start) <= most {
            workflow.largest_gap = workflow.largest_gap.max(now.since(start));
        }
    }

    /// What comes next does not go on with what had waited for too short a time.
    pub(super) fn forget_missed_gap(&mut self, id: WorkflowId) {
        if let Some(workflow) = self.workflows.get_mut(&id) {
            workflow.missed_gap = None;
        }
        let forgotten = self.forgotten.iter_mut().filter(|(old, _)| *old == id);
        forgotten.for_each(|(_, memory)| memory.missed_gap = None);
    }

    /// How long slots are kept in a gap because they would be waited for that long.
    fn patience(&self, id: WorkflowId) -> u64 {
        let workflow = &self.workflows[&id];
        let one_is_enough = self.has(Bug::OneGapIsEnough) && workflow.largest_gap > 0;
        let known = workflow.knows_gaps || one_is_enough || self.has(Bug::UnknownGapIsShort);
        if known { 0 } else { self.wait() }
    }

    pub(super) fn begin_gap(&mut self, id: WorkflowId, continues: bool) {
        let config = &self.config;
        let largest = self.workflows[&id].largest_gap;
        let learned = largest.saturating_mul(u64::from(config.linger_factor));
        let most = config.linger_max_ns.max(config.linger_first_ns);
        let asked = config.linger_first_ns.max(learned).max(self.patience(id));
        let mut linger = asked.min(most).min(config.hold_max_ns);
        if config.policy == Policy::Timeout {
            linger = config.hold_max_ns;
        }
        let may = self.may_hold(id) && continues && !self.workflows[&id].closed;
        if !may || linger == 0 {
            self.over(id, EndCause::WorkflowOver);
            return;
        }
        let deadline = self.now.after(linger);
        let (now, serial) = (self.now, self.next_serial);
        let workflow = self.workflow_mut(id);
        workflow.gap = Some(Gap { start: now, deadline, serial, run_ended: false });
        workflow.start = Some(now);
        workflow.exhausted = false;
        for hold in self.holds.values_mut().filter(|hold| hold.workflow == id) {
            hold.deadline = hold.cap.min(deadline);
        }
    }

    /// What the workflow waits for from now on is another run, and only for a moment.
    pub(super) fn run_ended(&mut self, id: WorkflowId) {
        if self.has(Bug::RunEndIgnored) {
            return;
        }
        if self.workflows.contains_key(&id) {
            self.say_end(id);
        }
        if self.workflows.get(&id).is_none_or(|workflow| workflow.gap.is_none()) {
            return self.forget_missed_gap(id);
        }
        let moment = match self.config.policy {
            Policy::Timeout => self.config.hold_max_ns,
            _ => self.config.linger_query_ns,
        };
        if moment == 0 {
            self.over(id, EndCause::WorkflowOver);
            return;
        }
        let (soon, teaches) = (self.now.after(moment), self.has(Bug::RunEndTeaches));
        let Some(gap) = &mut self.workflow_mut(id).gap else {
            return;
        };
        gap.run_ended = !teaches;
        gap.deadline = gap.deadline.min(soon);
        for hold in self.holds.values_mut().filter(|hold| hold.workflow == id) {
            hold.deadline = hold.deadline.min(soon);
        }
    }
}
