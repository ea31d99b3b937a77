//! What a workflow repeats, and what is foreseen of it (SSR-3, SSR-5).

use holdfast_engine::{EngineError, NeedRule, Transition, WorkflowId};

use super::state::{Known, Seen};
use super::{Bug, Reference};

/// Contexts that are kept of a workflow.
const KEPT: usize = 256;
/// Runs that are kept of a workflow, stages of each, and stages of all.
const RUNS: usize = 64;
const RUN: usize = 256;
const STAGES: usize = 4096;
/// Stages that are looked at beyond the next one.
const AHEAD: usize = 16;

impl Reference {
    /// What ran between the ends, in no order: stages side by side come in any.
    fn signatures(&self, run: &[Seen]) -> Vec<Vec<Option<u32>>> {
        let parts = run.split_inclusive(|seen| seen.signature.is_none());
        let in_order = self.has(Bug::RunsInOrder);
        let of = |part: &[Seen]| {
            let mut all: Vec<Option<u32>> = part.iter().map(|seen| seen.signature).collect();
            if !in_order {
                all.sort_unstable();
            }
            all
        };
        parts.map(of).collect()
    }

    /// What `workflow` repeats, as it knows, or the one that it is akin to.
    fn known(&mut self, workflow: WorkflowId) -> &mut Known {
        let akin = self.workflows[&workflow].akin.filter(|_| !self.has(Bug::AkinIgnored));
        let lives = |id: &WorkflowId| self.workflows.contains_key(id);
        let kept = !self.has(Bug::KinGoWithTheFirst);
        let left = |id: &WorkflowId| self.forgotten.iter().position(|(old, _)| kept && old == id);
        match akin {
            Some(other) if lives(&other) => &mut self.workflow_mut(other).known,
            Some(other) if left(&other).is_some() => {
                let place = left(&other).unwrap_or_default();
                &mut self.forgotten[place].1.known
            }
            _ => &mut self.workflow_mut(workflow).known,
        }
    }

    pub(super) fn say_akin(&mut self, id: WorkflowId, to: WorkflowId) -> Result<(), EngineError> {
        let workflow = self.workflows.get_mut(&id).ok_or(EngineError::UnknownWorkflow)?;
        workflow.akin = Some(to);
        Ok(())
    }

    /// Signatures of the stage before the latest and of the latest; 0 where there is none.
    fn context(&self, workflow: WorkflowId) -> [u32; 2] {
        let mut latest =
            self.workflows[&workflow].stages.iter().rev().filter_map(|seen| seen.signature);
        let second = latest.next().unwrap_or(0);
        [if self.has(Bug::PatternOfOrderOne) { 0 } else { latest.next().unwrap_or(0) }, second]
    }

    fn follower(&mut self, workflow: WorkflowId, after: [u32; 2]) -> Option<Transition> {
        self.known(workflow).steps.iter().find(|step| step.after == after).copied()
    }

    fn learn(&mut self, workflow: WorkflowId, step: Transition) {
        let steps = &mut self.known(workflow).steps;
        steps.retain(|known| known.after != step.after);
        steps.push(step);
        let oldest = steps.len().saturating_sub(KEPT);
        steps.drain(..oldest);
    }

    /// What is left of the one that it is akin to has been of use just now.
    fn refresh_kin(&mut self, workflow: WorkflowId) {
        let akin = self.workflows[&workflow].akin.filter(|_| !self.has(Bug::AkinIgnored));
        let place = self.forgotten.iter().position(|(old, _)| Some(*old) == akin);
        let memory = place.and_then(|place| self.forgotten.remove(place));
        self.forgotten.extend(memory);
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
        self.refresh_kin(id);
        self.learn(id, Transition { after, then: signature, tasks, nanos });
        let now = self.now;
        let w = self.workflow_mut(id);
        w.stages.push(Seen { signature: Some(signature), tasks, nanos });
        w.stage_at = now;
        let foreseen = self.foresee(id);
        self.workflow_mut(id).foreseen = foreseen;
    }

    /// It has been said that nothing of this run comes any more.
    pub(super) fn say_end(&mut self, id: WorkflowId) {
        let stages = &self.workflows[&id].stages;
        let open = stages.last().is_some_and(|latest| latest.signature.is_some());
        if self.has(Bug::EndNotRemembered) || !open {
            return;
        }
        self.workflow_mut(id).stages.push(Seen { signature: None, tasks: 0, nanos: 0 });
        let run: Vec<Seen> = self.since_an_end(id).into_iter().take(RUN).collect();
        let mut ended = std::mem::take(&mut self.known(id).ended);
        self.remember(&mut ended, run);
        self.known(id).ended = ended;
    }

    /// What has come since an end was said, with the one that has been said just now.
    fn since_an_end(&self, id: WorkflowId) -> Vec<Seen> {
        let stages = &self.workflows[&id].stages;
        let before = stages.len().saturating_sub(1);
        let end = stages[..before].iter().rposition(|seen| seen.signature.is_none());
        stages[end.map_or(0, |end| end + 1)..].to_vec()
    }

    /// The run since the arrival is over.
    pub(super) fn end_run(&mut self, id: WorkflowId) {
        let stages = std::mem::take(&mut self.workflow_mut(id).stages);
        if !stages.is_empty() {
            let run: Vec<Seen> = stages.into_iter().take(RUN).collect();
            let mut runs = std::mem::take(&mut self.known(id).runs);
            self.remember(&mut runs, run);
            self.known(id).runs = runs;
        }
    }

    fn remember(&self, runs: &mut Vec<Vec<Seen>>, run: Vec<Seen>) {
        runs.retain(|known| self.signatures(known) != self.signatures(&run));
        runs.push(run);
        let stages = |latest: usize| runs.iter().rev().take(latest).map(Vec::len).sum::<usize>();
        let kept = (1..=runs.len().min(RUNS)).rfind(|&latest| stages(latest) <= STAGES);
        let oldest = runs.len() - kept.unwrap_or(0);
        runs.drain(..oldest);
    }

    /// What came after as many stages as these in the latest of `runs` that began with the same ones.
    fn rest_of_one<'a>(&self, runs: &'a [Vec<Seen>], stages: &[Seen]) -> Option<&'a [Seen]> {
        let now = self.signatures(stages);
        let begins_so = |run: &[Seen]| self.signatures(&run[..stages.len()]) == now;
        let goes_on = |run: &&Vec<Seen>| {
            run.len() > stages.len() && (self.has(Bug::RunsUnchecked) || begins_so(run))
        };
        runs.iter().rev().find(goes_on).map(|run| &run[stages.len()..])
    }

    /// What came after the stages of this run when they came last, and whether it was said that this was all. If no run
    /// was like it, what has come since the last end counts by itself.
    fn rest_of_a_run(&mut self, id: WorkflowId) -> (Vec<(u32, u64)>, bool) {
        if self.has(Bug::RunsIgnored) {
            return (Vec::new(), false);
        }
        let Known { runs, ended, .. } = self.known(id).clone();
        let since = self.since_an_end(id);
        let part = || self.rest_of_one(&ended, &since).filter(|_| !self.has(Bug::EndedRunsIgnored));
        let whole = self.rest_of_one(&runs, &self.workflows[&id].stages);
        let rest = whole.or_else(part).unwrap_or_default();
        let stages = rest.iter().filter(|seen| seen.signature.is_some());
        let ends = rest.last().is_some_and(|seen| seen.signature.is_none());
        (stages.map(|seen| (seen.tasks, seen.nanos)).collect(), ends)
    }

    /// What came last after the latest two stages, and after these, for as long as that is known.
    fn path_of_pairs(&mut self, id: WorkflowId) -> Vec<(u32, u64)> {
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

    fn foresee(&mut self, id: WorkflowId) -> Option<(u32, u32, bool)> {
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
