//! What a workflow repeats, and what is foreseen of it (SSR-3, SSR-5).

use holdfast_engine::{EngineError, NeedRule, Step, WorkflowId};

use super::{Bug, Reference};

/// Contexts that are kept of a workflow.
const KEPT: usize = 64;
/// Stages that are looked at beyond the next one.
const AHEAD: usize = 16;

impl Reference {
    /// Signatures of the stage before the latest and of the latest; 0 where there is none.
    fn context(&self, workflow: WorkflowId) -> [u32; 2] {
        let mut latest = self.workflows[&workflow].stages.iter().rev().copied();
        let second = latest.next().unwrap_or(0);
        [if self.has(Bug::PatternOfOrderOne) { 0 } else { latest.next().unwrap_or(0) }, second]
    }

    fn follower(&self, workflow: WorkflowId, after: [u32; 2]) -> Option<Step> {
        self.workflows[&workflow].steps.iter().find(|step| step.after == after).copied()
    }

    fn learn(&mut self, workflow: WorkflowId, step: Step) {
        let steps = &mut self.workflow_mut(workflow).steps;
        if steps.len() == KEPT {
            steps.remove(0);
        }
        steps.push(step);
    }

    pub(super) fn recalled(&mut self, id: WorkflowId, step: Step) -> Result<(), EngineError> {
        if !self.workflows.contains_key(&id) {
            return Err(EngineError::UnknownWorkflow);
        }
        if self.follower(id, step.after).is_none() {
            self.learn(id, step);
        }
        Ok(())
    }

    /// A stage has come that has not run before; `tasks` with those of the stages beside it.
    pub(super) fn see_stage(&mut self, id: WorkflowId, signature: u32, tasks: u32) {
        let after = self.context(id);
        let nanos = self.now.since(self.workflows[&id].stage_at);
        let step = Step { after, then: signature, tasks, nanos };
        if self.follower(id, after).is_some() {
            let steps = &mut self.workflow_mut(id).steps;
            steps.iter_mut().filter(|known| known.after == after).for_each(|known| *known = step);
        } else {
            self.learn(id, step);
        }
        let now = self.now;
        let w = self.workflow_mut(id);
        w.stages.push(signature);
        w.stage_at = now;
        let foreseen = self.foresee(id);
        self.workflow_mut(id).foreseen = foreseen;
    }

    fn foresee(&self, id: WorkflowId) -> Option<(u32, u32, bool)> {
        if self.config.need == NeedRule::Literal || self.has(Bug::PatternIgnored) {
            return None;
        }
        let next = self.follower(id, self.context(id))?;
        let mut path = vec![next];
        let (mut later, mut whole) = (0u64, true);
        while path.len() <= AHEAD {
            let last = path[path.len() - 1];
            let first = if self.has(Bug::PatternOfOrderOne) { 0 } else { last.after[1] };
            let Some(step) = self.follower(id, [first, last.then]) else {
                whole = false;
                break;
            };
            later = later.saturating_add(step.nanos);
            if later > self.wait() {
                break;
            }
            path.push(step);
        }
        if !whole && self.has(Bug::KnownPartIgnored) {
            path.truncate(1);
        }
        let wide = path.iter().map(|step| step.tasks).max();
        Some((next.tasks, wide.unwrap_or(0), whole))
    }
}
