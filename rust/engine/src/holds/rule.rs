//! Holds: the rule by which they are made, and how they end.

use crate::api::config::Policy;
use crate::api::decision::{Decision, EndCause, Reason};
use crate::api::ids::{HoldId, Resources, Time};
use crate::engine::Engine;
use crate::ledger::{Hold, Side, Workflow};
use crate::policies::ssr::need::{may_hold, need};

/// Of a hold that may be made: its size, the start of its episode, and how long it lives.
pub(crate) struct Terms {
    size: Resources,
    start: Time,
    cap: Time,
    deadline: Time,
}

impl Engine {
    /// The hold rule: holds a slot of the executor iff the workflow owns less than it needs.
    pub(crate) fn try_hold(
        &mut self,
        workflow: usize,
        executor: usize,
        reason: Reason,
        out: &mut Vec<Decision>,
    ) -> bool {
        let need = need(&self.ledger, &self.config, self.now, workflow);
        self.ledger.workflows.slab[workflow].owned() < need
            && self.hold(workflow, executor, reason, out)
    }

    /// Holds a slot if the workflow may and the executor can.
    pub(crate) fn hold(
        &mut self,
        workflow: usize,
        executor: usize,
        reason: Reason,
        out: &mut Vec<Decision>,
    ) -> bool {
        let Some(Terms { size, start, cap, deadline }) = self.terms(workflow, executor) else {
            return false;
        };
        if self.budget_left(self.ledger.holds.len() + 1) == Some(0)
            || !self.tenant_has_room(workflow, 0)
        {
            return false;
        }
        let id = HoldId(self.next_hold);
        self.next_hold = self.next_hold.wrapping_add(1);
        let now = self.now;
        let e = self.ledger.executors.slab[executor].id;
        let w = &mut self.ledger.workflows.slab[workflow];
        out.push(Decision::Held { hold: id, workflow: w.id, executor: e, reason, deadline });
        w.episode = Some(start);
        w.charge(now);
        w.account.made += 1;
        self.ledger.add_hold(Hold {
            id,
            owner: workflow,
            executor,
            size,
            reason,
            made_at: self.now,
            cap,
            deadline,
        });
        self.totals.made += 1;
        self.held_more = true;
        self.stirred = true;
        true
    }

    /// What a hold of the workflow on that executor would be; `None` if the workflow may not or the executor cannot.
    pub(crate) fn terms(&self, workflow: usize, executor: usize) -> Option<Terms> {
        let w = &self.ledger.workflows.slab[workflow];
        let (profile, size) = w.slot?;
        let e = &self.ledger.executors.slab[executor];
        let runs_there = self.ledger.executors.runs_on(profile) == Some(e.profile);
        let usable = !e.barred && runs_there && self.ledger.left(executor).covers(&size);
        let (start, cap, deadline) = self.span(w).filter(|_| usable)?;
        Some(Terms { size, start, cap, deadline })
    }

    /// Of a hold that a workflow would make now: the start of its episode, its cap and its deadline; `None` if it may not
    /// make any, wherever.
    fn span(&self, w: &Workflow) -> Option<(Time, Time, Time)> {
        if w.exhausted || !w.active || !may_hold(&self.config, w) {
            return None;
        }
        let own_time = self.config.policy == Policy::Timeout;
        let start = w.episode.filter(|_| !own_time).unwrap_or(self.now);
        let cap = start.after(self.config.hold_max_ns);
        let deadline = w.holds_until().min(cap);
        (deadline > self.now).then_some((start, cap, deadline))
    }

    /// Whether a workflow could make one more hold, if some executor has room for it.
    pub(crate) fn may_make(&self, workflow: usize) -> bool {
        self.span(&self.ledger.workflows.slab[workflow]).is_some()
            && self.budget_left(self.ledger.holds.len() + 1) != Some(0)
            && self.tenant_has_room(workflow, 0)
    }

    pub(crate) fn end_hold(&mut self, key: usize, cause: EndCause, out: &mut Vec<Decision>) {
        let now = self.now;
        let owner = self.ledger.holds.get(key).owner;
        self.ledger.workflows.slab[owner].charge(now);
        self.ledger.workflows.slab[owner].account.ended(cause);
        let hold = self.ledger.remove_hold(key);
        self.make_hungry(owner);
        out.push(Decision::HoldEnded { hold: hold.id, cause });
        let totals = &mut self.totals;
        let (counter, frees) = match cause {
            EndCause::Used => (&mut totals.used, false),
            EndCause::Moved => (&mut totals.moved, true),
            EndCause::Overridden => (&mut totals.overridden, true),
            EndCause::Expired => (&mut totals.expired, true),
            EndCause::NotNeeded => (&mut totals.not_needed, true),
            EndCause::WorkflowOver => (&mut totals.workflow_over, true),
            EndCause::ExecutorGone => (&mut totals.executor_gone, false),
        };
        *counter += 1;
        self.reoffer |= frees;
        self.stirred = true;
    }

    /// Ends all holds of a workflow, oldest first.
    pub(crate) fn end_holds_of(
        &mut self,
        workflow: usize,
        cause: EndCause,
        out: &mut Vec<Decision>,
    ) {
        while let Some(key) = self.oldest_hold_of(workflow) {
            self.end_hold(key, cause, out);
        }
    }

    fn oldest_hold_of(&self, workflow: usize) -> Option<usize> {
        let holds = self.ledger.workflows.slab[workflow].holds;
        self.ledger.holds.oldest_first(holds, Side::Workflow).next()
    }

    /// The least useful hold of a workflow that owns more than `need`: a misplaced one, else the newest, since the
    /// older ones lie where its tasks ran first.
    pub(crate) fn surplus(&self, workflow: usize, need: u32) -> Option<usize> {
        let w = &self.ledger.workflows.slab[workflow];
        if w.owned() <= need {
            return None;
        }
        let newest = || self.ledger.holds.newest_first(w.holds, Side::Workflow).next();
        self.misplaced(workflow).or_else(newest)
    }
}
