//! How many slots a workflow should own (SSR-1, 2, 3, 5).

use holdfast_engine::{HoldFor, JobId, NeedRule, Policy, SetId, Time, WorkflowId};

use super::state::Set;
use super::{Bug, Reference};

impl Reference {
    pub(super) fn unfinished(&self, set: &Set) -> u32 {
        if set.zombie && !self.has(Bug::ZombieCounts) {
            return 0;
        }
        set.tasks - u32::try_from(set.finished.len()).expect("at most 2^24 tasks")
    }

    pub(super) fn pending(&self, set: &Set) -> u32 {
        if set.zombie {
            return 0;
        }
        let mut running: Vec<u32> =
            self.attempts.values().filter(|a| a.serial == set.serial).map(|a| a.task).collect();
        running.retain(|task| !set.finished.contains(task));
        running.sort_unstable();
        running.dedup();
        self.unfinished(set) - u32::try_from(running.len()).expect("at most 2^24 tasks")
    }

    pub(super) fn all_pending(&self) -> u64 {
        self.sets.values().map(|set| u64::from(self.pending(set))).sum()
    }

    pub(super) fn pending_of(&self, workflow: WorkflowId) -> u64 {
        let own = self.sets.values().filter(|set| set.workflow == workflow);
        own.map(|set| u64::from(self.pending(set))).sum()
    }

    /// Tasks of others wait for a slot.
    pub(super) fn others_wait(&self, workflow: WorkflowId) -> bool {
        self.all_pending() > self.pending_of(workflow)
    }

    /// It owns less than it needs, and somebody else runs.
    pub(super) fn waits_for_others(&self, workflow: WorkflowId) -> bool {
        let others_run = self.attempts.values().any(|attempt| attempt.workflow != workflow);
        others_run && self.owned(workflow) < self.need(workflow)
    }

    pub(super) fn active(&self, workflow: WorkflowId) -> bool {
        self.workflows.get(&workflow).is_some_and(|w| w.arrival.is_some())
    }

    pub(super) fn may_hold(&self, workflow: WorkflowId) -> bool {
        let everybody = self.config.hold_for == HoldFor::All;
        let priority = self.workflows.get(&workflow).map_or(0, |w| w.priority);
        let isolation = self.workflows.get(&workflow).map_or(0, |w| w.isolation);
        let holds = [Policy::Ssr, Policy::Timeout].contains(&self.config.policy);
        holds && isolation > 0 && (everybody || priority > 0)
    }

    /// Slots that a workflow may own at most.
    pub(super) fn may_own(&self, workflow: WorkflowId) -> u32 {
        let Some(w) = self.workflows.get(&workflow) else {
            return 0;
        };
        let slots = w.slot.map_or(0, |(profile, _)| self.slots(profile));
        if w.priority > 0 {
            return slots;
        }
        if let Some(share) = self.fair_share(workflow, slots) {
            return share.max(1);
        }
        let active = u32::try_from(self.ranked().len()).expect("fewer workflows than ids");
        (slots / active.max(1)).max(1)
    }

    /// n of an active set: what directly follows it (SSR-2, SSR-5).
    pub(super) fn next_of(&self, set: &Set) -> u32 {
        let job = &self.jobs[&set.job];
        let w = &self.workflows[&job.workflow];
        if set.next > 0 {
            set.next
        } else if (job.continues && !w.closed) || self.has(Bug::FinalStageHeld) {
            let declared = w.declared > 0 && !self.has(Bug::DeclarationIgnored);
            if declared { w.declared } else { set.foreseen.unwrap_or(set.tasks) }
        } else {
            0
        }
    }

    /// What a job needs for what comes next, and for all of its plan.
    fn wants_of_job(&self, id: JobId) -> (u64, u64) {
        let job = &self.jobs[&id];
        if job.done {
            return (0, 0);
        }
        let live = self.sets.values().filter(|set| set.job == id && !set.zombie);
        let next = live.map(|set| self.next_of(set)).max().unwrap_or(job.last_n);
        let sets = self.sets.values().filter(|set| set.job == id);
        let unfinished: u64 = sets.map(|set| u64::from(self.unfinished(set))).sum();
        let unfinished = if self.is_resized(job.workflow) { 0 } else { unfinished };
        let literal = unfinished.max(u64::from(next));
        let planned = job.plan.values().filter(|entry| !entry.submitted).map(|entry| entry.tasks);
        match self.config.need {
            NeedRule::Literal => (literal, literal),
            NeedRule::Lookahead => (literal, literal.max(u64::from(planned.max().unwrap_or(0)))),
        }
    }

    /// The peak's width while it is valid, under look-ahead.
    fn peak(&self, workflow: WorkflowId) -> u32 {
        let peak = &self.workflows[&workflow].peak;
        let ahead = self.config.need == NeedRule::Lookahead;
        let valid = peak.width > 0 && self.now.since(peak.at) < self.config.hold_max_ns;
        if ahead && valid { peak.width } else { 0 }
    }

    /// What a workflow without a running job should own.
    pub(super) fn gap_need(&self, workflow: WorkflowId) -> u32 {
        let w = &self.workflows[&workflow];
        match w.foreseen {
            _ if w.declared > 0 => w.declared,
            Some((_, wide, true)) => wide,
            Some((_, wide, false)) => wide.max(self.peak(workflow)),
            None => w.last_m.max(self.peak(workflow)),
        }
    }

    /// How wide a workflow that goes on will be.
    fn again(&self, workflow: WorkflowId) -> u32 {
        let w = &self.workflows[&workflow];
        if self.config.need == NeedRule::Lookahead && w.declared > 0 {
            return w.declared;
        }
        match w.foreseen {
            Some((_, wide, true)) => wide,
            Some((_, wide, false)) => wide.max(self.peak(workflow)),
            None => self.peak(workflow),
        }
    }

    /// What a workflow wants for what comes next, and for all that is known to come.
    pub(super) fn widths(&self, workflow: WorkflowId) -> (u64, u64) {
        if !self.may_hold(workflow) || !self.active(workflow) {
            return (0, 0);
        }
        if self.config.policy == Policy::Timeout && !self.has(Bug::TimeoutNeedsPlan) {
            let most = u64::from(u32::MAX);
            return (most, most);
        }
        let w = &self.workflows[&workflow];
        if w.gap.is_some() {
            let need = u64::from(self.gap_need(workflow));
            return (need, need);
        }
        let own = || self.jobs.iter().filter(|(_, job)| job.workflow == workflow);
        let literal: u64 = own().map(|(id, _)| self.wants_of_job(*id).0).sum();
        let ahead: u64 = own().map(|(id, _)| self.wants_of_job(*id).1).sum();
        let goes_on = own().any(|(_, job)| !job.done && job.continues) && !w.closed;
        let again = self.again(workflow);
        let ahead = ahead.max(if goes_on { u64::from(again) } else { 0 });
        // Declarations may be absurd.
        let most = u64::from(u32::MAX);
        (literal.min(most), ahead.min(most))
    }

    /// Up to how many slots a workflow claims: as wide as it is or was, and what follows a stage of which enough is done.
    pub(super) fn claimable(&self, workflow: WorkflowId) -> u32 {
        let w = &self.workflows[&workflow];
        let need = self.need(workflow);
        if w.gap.is_some() || self.has(Bug::PreReservesAtOnce) {
            return need;
        }
        let own = || self.jobs.iter().filter(|(_, job)| job.workflow == workflow && !job.done);
        let of_job = |id: JobId, last_n: u32| {
            let sets = || self.sets.values().filter(move |set| set.job == id);
            let unfinished: u64 = sets().map(|set| u64::from(self.unfinished(set))).sum();
            let wide = sets().filter(|set| !set.zombie).map(|set| {
                let finished = u64::from(set.tasks - self.unfinished(set));
                let enough = u64::from(self.config.prereserve_ppm) * u64::from(set.tasks);
                let reached = finished * 1_000_000 >= enough;
                let next = if reached { self.next_of(set) } else { 0 };
                if self.is_resized(workflow) { next } else { set.tasks.max(next) }
            });
            let wide = u64::from(wide.max().unwrap_or(last_n));
            if self.is_resized(workflow) { wide } else { unfinished.max(wide) }
        };
        let sum: u64 = own().map(|(id, job)| of_job(*id, job.last_n)).sum();
        let goes_on = own().any(|(_, job)| job.continues) && !w.closed;
        let again = self.again(workflow);
        let wide = sum.max(if goes_on { u64::from(again) } else { 0 });
        need.min(u32::try_from(wide).unwrap_or(u32::MAX))
    }

    /// Of the last window of 64 tasks and of the one that is not full yet.
    pub(super) fn longest_rival(&self) -> Option<u64> {
        let full = self.rivals.len() / 64 * 64;
        self.rivals[full.saturating_sub(64)..].iter().max().copied()
    }

    /// Until when more than the literal need is kept.
    pub(super) fn rent(&self, workflow: WorkflowId) -> Option<Time> {
        Some(self.workflows.get(&workflow)?.narrow?.after(self.wait()))
    }

    /// How long whoever has given a slot away waits for it.
    pub(super) fn wait(&self) -> u64 {
        let (floor, cap) = (self.config.hold_floor_ns, self.config.hold_max_ns);
        self.longest_rival().unwrap_or(cap).max(floor).min(cap)
    }

    pub(super) fn need(&self, workflow: WorkflowId) -> u32 {
        let (literal, ahead) = self.widths(workflow);
        let over = self.rent(workflow).is_some_and(|until| until <= self.now);
        let over = over && !self.has(Bug::RentIgnored);
        let wanted = if ahead > literal && over { literal } else { ahead };
        u32::try_from(wanted.min(u64::from(self.may_own(workflow)))).expect("at most a u32")
    }

    /// Order of a step, 4: narrow phases begin and end; whose rent is over is looked at.
    pub(super) fn watch_narrow(&mut self) {
        for id in self.ranked() {
            let over = self.rent(id).is_some_and(|until| until <= self.now);
            if over && !self.holds_of(id).is_empty() {
                self.touched.insert(id);
            }
        }
        for id in self.touched.clone() {
            self.watch_slot(id);
        }
        for id in self.touched.clone() {
            let (literal, ahead) = self.widths(id);
            let now = self.now;
            if let Some(w) = self.workflows.get_mut(&id) {
                w.narrow = if ahead > literal { w.narrow.or(Some(now)) } else { None };
            }
        }
    }

    pub(super) fn touch_peak(&mut self, workflow: WorkflowId, tasks: u32) {
        let now = self.now;
        let peak = &mut self.workflow_mut(workflow).peak;
        if tasks >= peak.width {
            peak.at = now;
            let w = self.workflow_mut(workflow);
            w.narrow = w.narrow.map(|_| now);
        }
    }

    pub(super) fn raise_peak(&mut self, set: SetId) {
        let (workflow, tasks) = (self.sets[&set].workflow, self.sets[&set].tasks);
        let (now, max) = (self.now, self.config.hold_max_ns);
        let peak = &mut self.workflow_mut(workflow).peak;
        let valid = peak.width > 0 && now.since(peak.at) < max;
        if tasks >= peak.width || !valid {
            peak.width = tasks;
            peak.at = now;
        }
    }
}
