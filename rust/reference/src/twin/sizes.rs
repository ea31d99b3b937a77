//! Slot sizes (SSR-7): holds are what the workflow launches next.

use holdfast_engine::{EndCause, ProfileId, Resources, WorkflowId};

use super::{Bug, Reference};

impl Reference {
    /// Profile and demand of what the workflow launches next.
    fn slot_of(&self, id: WorkflowId) -> Option<(ProfileId, Resources)> {
        let w = &self.workflows[&id];
        if self.pending_of(id) > 0 || w.gap.is_some() || self.has(Bug::SizeIgnored) {
            return w.latest;
        }
        let mut sets =
            self.sets.values().filter(|set| set.workflow == id && !set.zombie).peekable();
        if sets.peek().is_none() {
            return w.slot;
        }
        let mut next: Vec<ProfileId> =
            sets.filter(|set| set.next > 0).map(|set| set.next_profile).collect();
        next.sort_unstable();
        next.dedup();
        match next[..] {
            [one] if w.latest.is_some_and(|(own, _)| own != one) => {
                let known = self.profiles.get(&one);
                known.map_or(w.latest, |(_, demand)| Some((one, *demand)))
            }
            _ => w.latest,
        }
    }

    pub(super) fn watch_slot(&mut self, id: WorkflowId) {
        if self.workflows.contains_key(&id) {
            let slot = self.slot_of(id);
            self.workflow_mut(id).slot = slot;
        }
    }

    pub(super) fn is_resized(&self, id: WorkflowId) -> bool {
        self.workflows.get(&id).is_some_and(|w| w.slot != w.latest)
    }

    /// Order of a step, 4: holds of another size, or elsewhere, are given back.
    pub(super) fn end_misfits(&mut self, id: WorkflowId) {
        let Some((profile, size)) = self.workflows[&id].slot else {
            return;
        };
        let home = self.profiles.get(&profile).map(|(runs_on, _)| *runs_on);
        for hold in self.holds_of(id).into_iter().rev() {
            let fits = self.holds[&hold].size == size;
            let there = self.executors[&self.holds[&hold].executor].profile;
            if !fits || home != Some(there) {
                self.end(hold, EndCause::NotNeeded);
            }
        }
    }
}
