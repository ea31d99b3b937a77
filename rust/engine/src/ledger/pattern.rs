//! What a workflow repeats: its last runs, and which stage came after which two.

use crate::api::ids::Time;

/// Transitions kept of a workflow; the oldest goes first.
const KEPT: usize = 64;

/// Runs kept of a workflow that differ.
const RUNS: usize = 16;

/// Stages kept of each, the first ones.
const RUN: usize = 256;

/// How many stages ahead it is looked.
const STEPS: usize = 16;

/// Signatures of the stage before the latest and of the latest; 0 where there was none.
type Context = [u32; 2];

/// What came after two stages when they came last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Transition {
    /// Signatures of the two.
    pub after: [u32; 2],
    /// Signature of what came.
    pub then: u32,
    /// Its number of tasks, with those that its job had yet to finish in stages beside it.
    pub tasks: u32,
    /// Nanoseconds from the submission of the second to its own.
    pub nanos: u64,
}

/// A stage of a run, when it came: see [`Transition`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Seen {
    /// None where no stage came, but the run's end was said.
    signature: Option<u32>,
    tasks: u32,
    nanos: u64,
}

/// What was seen before will come again: as in the latest run that began like this one, which knows how often a loop
/// goes round; else what came last after the latest two stages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pattern {
    steps: Vec<Transition>,
    context: Context,
    at: Time,
    /// Since the workflow arrived.
    run: Vec<Seen>,
    /// Those before, the latest last.
    runs: Vec<Vec<Seen>>,
}

/// What is expected to follow the latest stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Foreseen {
    /// Tasks of the next one, and of those beside it; 0 when nothing follows.
    pub next: u32,
    /// The most of it and of those that come soon after it, as far as they are known.
    pub wide: u32,
    /// Whether all of these are.
    pub whole: bool,
}

impl Pattern {
    /// What has been learned, the oldest first.
    pub fn steps(&self) -> &[Transition] {
        &self.steps
    }

    /// A stage has come.
    pub fn add(&mut self, now: Time, signature: u32, tasks: u32) {
        let nanos = now.since(self.at);
        let known = self.steps.iter().position(|step| step.after == self.context);
        // One more than is kept, which no known run is as long as.
        if self.run.len() <= RUN {
            self.run.push(Seen { signature: Some(signature), tasks, nanos });
        }
        let step = Transition { after: self.context, then: signature, tasks, nanos };
        match known {
            Some(i) => self.steps[i] = step,
            None => self.learn(step),
        }
        self.context = [self.context[1], signature];
        self.at = now;
    }

    /// Of an earlier run; what is known already stands.
    pub fn recall(&mut self, step: Transition) {
        if self.steps.iter().all(|known| known.after != step.after) {
            self.learn(step);
        }
    }

    fn learn(&mut self, step: Transition) {
        if self.steps.len() == KEPT {
            self.steps.remove(0);
        }
        self.steps.push(step);
    }

    /// Somebody has said that its run is over: what comes now is another one.
    pub fn end(&mut self) {
        let open = self.run.last().is_some_and(|latest| latest.signature.is_some());
        if open && self.run.len() <= RUN {
            self.run.push(Seen { signature: None, tasks: 0, nanos: 0 });
        }
    }

    /// The workflow begins anew.
    pub fn restart(&mut self, now: Time) {
        self.context = Context::default();
        self.at = now;
        if self.run.is_empty() {
            return;
        }
        let mut run = std::mem::take(&mut self.run);
        run.truncate(RUN);
        self.runs.retain(|known| known.len() != run.len() || !begins_like(known, &run));
        if self.runs.len() == RUNS {
            self.runs.remove(0);
        }
        self.runs.push(run);
    }

    /// What follows the latest stage, and within `soon` nanoseconds after that.
    pub fn foresee(&self, soon: u64) -> Option<Foreseen> {
        let goes_on = |run: &&Vec<Seen>| run.len() > self.run.len() && begins_like(run, &self.run);
        if let Some(run) = self.runs.iter().rev().find(goes_on) {
            let rest = &run[self.run.len()..];
            let ends = rest.last().is_some_and(|last| last.signature.is_none());
            let stages = rest.iter().filter(|seen| seen.signature.is_some());
            return look(stages.map(|seen| (seen.tasks, seen.nanos)), soon, ends);
        }
        let next = |step: &Transition| self.step([step.after[1], step.then]);
        let path = std::iter::successors(self.step(self.context), next);
        look(path.map(|step| (step.tasks, step.nanos)), soon, false)
    }

    fn step(&self, context: Context) -> Option<Transition> {
        self.steps.iter().find(|step| step.after == context).copied()
    }
}

/// Whether a run has begun with the stages of one that is not longer.
fn begins_like(run: &[Seen], beginning: &[Seen]) -> bool {
    run.iter().zip(beginning).all(|(known, now)| known.signature == now.signature)
}

/// Along tasks and nanoseconds of what follows; `ends` when nothing comes after that.
fn look(mut path: impl Iterator<Item = (u32, u64)>, soon: u64, ends: bool) -> Option<Foreseen> {
    let Some((next, _)) = path.next() else {
        return ends.then_some(Foreseen { next: 0, wide: 0, whole: true });
    };
    let (mut wide, mut later) = (next, 0u64);
    for _ in 0..STEPS {
        let Some((tasks, nanos)) = path.next() else {
            return Some(Foreseen { next, wide, whole: ends });
        };
        later = later.saturating_add(nanos);
        if later > soon {
            break;
        }
        wide = wide.max(tasks);
    }
    Some(Foreseen { next, wide, whole: true })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_of_too_many_is_forgotten() {
        let mut pattern = Pattern::default();
        for signature in 1..=70 {
            pattern.add(Time(u64::from(signature)), signature, 1);
        }
        assert_eq!(pattern.steps().len(), KEPT);
        assert_eq!(pattern.steps()[0].then, 7);
    }

    #[test]
    fn of_a_long_run_the_beginning_is_followed() {
        let mut pattern = Pattern::default();
        let mut run = |widest: u32| {
            pattern.restart(Time(0));
            // A loop of two stages, and of one round only the second is wide.
            (1..=300)
                .for_each(|i| pattern.add(Time(0), 1 + i % 2, if i == widest { 9 } else { 1 }));
            pattern.restart(Time(0));
            (1..250).for_each(|i| pattern.add(Time(0), 1 + i % 2, 1));
            pattern.foresee(1).map(|foreseen| (foreseen.wide, foreseen.whole))
        };
        assert_eq!([run(256), run(257)], [Some((9, false)), Some((1, false))]);
    }

    #[test]
    fn what_is_recalled_does_not_replace_what_was_seen() {
        let mut pattern = Pattern::default();
        pattern.add(Time(5), 1, 8);
        pattern.recall(Transition { after: [0, 0], then: 2, tasks: 4, nanos: 0 });
        assert_eq!(pattern.steps().len(), 1);
        assert_eq!(pattern.steps()[0].tasks, 8);
    }
}
