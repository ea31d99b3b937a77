//! What a workflow repeats: which stage came after which two.

use crate::ids::Time;

/// Transitions kept of a workflow; the oldest goes first.
const KEPT: usize = 64;

/// How many stages ahead it is looked.
const STEPS: usize = 16;

/// Signatures of the stage before the latest and of the latest; 0 where there was none.
type Context = [u32; 2];

/// What came after two stages when they came last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// Signatures of the two.
    pub after: [u32; 2],
    /// Signature of what came.
    pub then: u32,
    /// Its number of tasks, with those that its job had yet to finish in stages beside it.
    pub tasks: u32,
    /// Nanoseconds from the submission of the second to its own.
    pub nanos: u64,
}

/// A predictor of order two with the latest successor of each context: exact from the second time on for whatever
/// repeats itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pattern {
    steps: Vec<Step>,
    context: Context,
    at: Time,
}

/// What is expected to follow the latest stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Foreseen {
    /// Tasks of the next one, and of those beside it.
    pub next: u32,
    /// The most of it and of those that come soon after it, as far as they are known.
    pub wide: u32,
    /// Whether all of these are.
    pub whole: bool,
}

impl Pattern {
    /// What has been learned, the oldest first.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// A stage has come.
    pub fn add(&mut self, now: Time, signature: u32, tasks: u32) {
        let nanos = now.since(self.at);
        let known = self.steps.iter().position(|step| step.after == self.context);
        let step = Step { after: self.context, then: signature, tasks, nanos };
        match known {
            Some(i) => self.steps[i] = step,
            None => self.learn(step),
        }
        self.context = [self.context[1], signature];
        self.at = now;
    }

    /// Of an earlier run; what is known already stands.
    pub fn recall(&mut self, step: Step) {
        if self.steps.iter().all(|known| known.after != step.after) {
            self.learn(step);
        }
    }

    fn learn(&mut self, step: Step) {
        if self.steps.len() == KEPT {
            self.steps.remove(0);
        }
        self.steps.push(step);
    }

    /// The workflow begins anew.
    pub fn restart(&mut self, now: Time) {
        self.context = Context::default();
        self.at = now;
    }

    /// What follows the latest stage, and within `soon` nanoseconds after that.
    pub fn foresee(&self, soon: u64) -> Option<Foreseen> {
        let first = self.step(self.context)?;
        let mut foreseen = Foreseen { next: first.tasks, wide: first.tasks, whole: true };
        let (mut step, mut nanos) = (first, 0u64);
        for _ in 0..STEPS {
            let Some(next) = self.step([step.after[1], step.then]) else {
                foreseen.whole = false;
                break;
            };
            nanos = nanos.saturating_add(next.nanos);
            if nanos > soon {
                break;
            }
            foreseen.wide = foreseen.wide.max(next.tasks);
            step = next;
        }
        Some(foreseen)
    }

    fn step(&self, context: Context) -> Option<Step> {
        self.steps.iter().find(|step| step.after == context).copied()
    }
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
    fn what_is_recalled_does_not_replace_what_was_seen() {
        let mut pattern = Pattern::default();
        pattern.add(Time(5), 1, 8);
        pattern.recall(Step { after: [0, 0], then: 2, tasks: 4, nanos: 0 });
        assert_eq!(pattern.steps().len(), 1);
        assert_eq!(pattern.steps()[0].tasks, 8);
    }
}
