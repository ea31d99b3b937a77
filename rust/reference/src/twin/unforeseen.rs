//! What a workflow lacks when it becomes wider than was known.

use holdfast_engine::{Resources, WorkflowId};

use super::{Bug, Reference};

impl Reference {
    /// A set of the workflow has come.
    pub(super) fn watch_width(&mut self, id: WorkflowId) {
        let (_, ahead) = self.widths(id);
        let (first, known) = match self.workflows[&id].known_width {
            _ if ahead == 0 => return,
            Some(before) => before,
            None => (self.now, ahead),
        };
        if ahead <= known + known / 4 {
            self.workflow_mut(id).known_width = Some((first, known));
            return;
        }
        self.workflow_mut(id).known_width = Some((first, ahead));
        if self.has_room_for(id) || self.has(Bug::UnforeseenIgnored) {
            return;
        }
        let wide = ahead.min(u64::from(self.may_own(id)));
        let lacking = wide.saturating_sub(known.max(u64::from(self.owned(id))));
        let later = self.attempts.values().filter(|attempt| attempt.launched > first);
        let later =
            later.filter(|attempt| self.rank(attempt.workflow) > self.rank(id)).count() as u64;
        self.workflow_mut(id).account.unforeseen += lacking.min(later);
    }

    /// Whether some executor has room for one more of what it launches next.
    fn has_room_for(&self, id: WorkflowId) -> bool {
        let Some((profile, demand)) = self.workflows[&id].slot else { return false };
        self.executors.keys().any(|executor| {
            let used: Resources = self.running_on(*executor).plus(self.held_on(*executor));
            let capacity = self.executors[executor].capacity;
            self.usable(*executor, profile) && capacity.minus(used).covers(&demand)
        })
    }
}
