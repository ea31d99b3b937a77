//! What a workflow repeats, and what is foreseen of it (SSR-3, SSR-5).

use holdfast_engine::{EngineError, NeedRule, Transition, WorkflowId};

use super::state::{Seen, Workflow};
use super::{Bug, Reference};

/// Contexts that are kept of a workflow.
const KEPT: usize = 64;
/// Runs that are kept of a workflow, and stages of each.
const RUNS: usize = 16;
const RUN: usize = 256;
/// Stages that are looked at beyond the next one.
const AHEAD: usize = 16;

fn signatures(run: &[Seen]) -> Vec<Option<u32>> {
    run.iter().map(|seen| seen.signature).collect()
}

impl Reference {
    /// Signatures of the stage before the latest and of the latest; 0 where there is none.
    fn context(&self, workflow: WorkflowId) -> [u32; 2] {
        let mut latest =
            self.workflows[&workflow].stages.iter().rev().filter_map(|seen| seen.signature);
        let second = latest.next().unwrap_or(0);
        [if self.has(Bug::PatternOfOrderOne) { 0 } else { latest.next().unwrap_or(0) }, second]
    }

    fn follower(&self, workflow: WorkflowId, after: [u32; 2]) -> Option<Transition> {
        self.workflows[&workflow].steps.iter().find(|step| step.after == after).copied()
    }

    fn learn(&mut self, workflow: WorkflowId, step: Transition) {
        let steps = &mut self.workflow_mut(workflow).steps;
        if steps.len() == KEPT {
            steps.remove(0);
        }
        steps.push(step);
    }

    pub(super) fn recalled(&mut self, id: WorkflowId, step: Transition) -> Result<(), EngineError> {
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
        let step = Transition { after, then: signature, tasks, nanos };
        if self.follower(id, after).is_some() {
            let steps = &mut self.workflow_mut(id).steps;
            steps.iter_mut().filter(|known| known.after == after).for_each(|known| *known = step);
        } else {
            self.learn(id, step);
        }
        let now = self.now;
        let w = self.workflow_mut(id);
        w.stages.push(Seen { signature: Some(signature), tasks, nanos });
        w.stage_at = now;
        let foreseen = self.foresee(id);
        self.workflow_mut(id).foreseen = foreseen;
    }

    /// It has been said that nothing of this run comes any more.
    pub(super) fn say_end(&mut self, id: WorkflowId) {
        let unheard = self.has(Bug::EndNotRemembered);
        let stages = &mut self.workflow_mut(id).stages;
        if !unheard && stages.last().is_some_and(|latest| latest.signature.is_some()) {
            stages.push(Seen { signature: None, tasks: 0, nanos: 0 });
        }
    }

    /// The run since the arrival is over.
    pub(super) fn end_run(w: &mut Workflow) {
        let run: Vec<Seen> = std::mem::take(&mut w.stages).into_iter().take(RUN).collect();
        if run.is_empty() {
            return;
        }
        w.runs.retain(|known| signatures(known) != signatures(&run));
        w.runs.push(run);
        let oldest = w.runs.len().saturating_sub(RUNS);
        w.runs.drain(..oldest);
    }

    /// What came after as many stages as this run has had, in the latest that began with the same ones, and whether that
    /// ended with what was said to be its end.
    fn rest_of_a_run(&self, id: WorkflowId) -> (Vec<(u32, u64)>, bool) {
        let Workflow { stages, runs, .. } = &self.workflows[&id];
        let goes_on = |run: &&Vec<Seen>| {
            let alike = signatures(run).starts_with(&signatures(stages));
            run.len() > stages.len() && (alike || self.has(Bug::RunsUnchecked))
        };
        let known = runs.iter().rev().filter(|_| !self.has(Bug::RunsIgnored)).find(goes_on);
        let rest = known.map_or(&[][..], |run| &run[stages.len()..]);
        let stages = rest.iter().filter(|seen| seen.signature.is_some());
        let ends = rest.last().is_some_and(|last| last.signature.is_none());
        (stages.map(|seen| (seen.tasks, seen.nanos)).collect(), ends)
    }

    /// What came last after the latest two stages, and after these, for as long as that is known.
    fn path_of_pairs(&self, id: WorkflowId) -> Vec<(u32, u64)> {
        let (mut path, mut context) = (Vec::new(), self.context(id));
        while path.len() <= AHEAD
            && let Some(step) = self.follower(id, context)
        {
            path.push((step.tasks, step.nanos));
            let first = if self.has(Bug::PatternOfOrderOne) { 0 } else { step.after[1] };
            context = [first, step.then];
        }
        path
    }

    fn foresee(&self, id: WorkflowId) -> Option<(u32, u32, bool)> {
        if self.config.need == NeedRule::Literal || self.has(Bug::PatternIgnored) {
            return None;
        }
        let (mut path, ends) = self.rest_of_a_run(id);
        if path.is_empty() && ends {
            return Some((0, 0, true));
        }
        if path.is_empty() {
            path = self.path_of_pairs(id);
        }
        let (next, _) = *path.first()?;
        let later = |upto: usize| {
            path[1..=upto].iter().fold(0u64, |sum, (_, nanos)| sum.saturating_add(*nanos))
        };
        let soon = (1..path.len().min(AHEAD + 1)).take_while(|upto| later(*upto) <= self.wait());
        let mut soon = soon.count();
        let whole = ends || soon == AHEAD || soon + 1 < path.len();
        if !whole && self.has(Bug::KnownPartIgnored) {
            soon = 0;
        }
        let wide = path[..=soon].iter().map(|(tasks, _)| *tasks).max()?;
        Some((next, wide, whole))
    }
}
