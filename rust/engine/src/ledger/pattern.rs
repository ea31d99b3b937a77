//! What a workflow repeats: its last runs, and which stage came after which two.

use crate::api::ids::Time;

/// Transitions kept of a workflow; the one that came last longest ago goes first.
const KEPT: usize = 256;

/// Runs kept of a workflow that differ: a whole pool of queries is one.
const RUNS: usize = 64;

/// Stages kept of all of them: as many as of sixteen of the longest.
const STAGES: usize = 16 * RUN;

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
    /// Of all up to here, see [`sum`].
    sum: u64,
}

/// What was seen before, and will come again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Known {
    steps: Vec<Transition>,
    /// Earlier runs from an arrival to the next, the latest last.
    runs: Vec<Vec<Seen>>,
    /// Those whose end was said, each by itself, though others came before or after it at once.
    ended: Vec<Vec<Seen>>,
}

/// How far a workflow has come.
#[derive(Clone, Debug, Default)]
pub(crate) struct Course {
    context: Context,
    at: Time,
    /// Since it arrived.
    run: Vec<Seen>,
    /// Since an end was said.
    part: Vec<Seen>,
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

impl Known {
    /// What has been learned, the latest last.
    pub fn steps(&self) -> &[Transition] {
        &self.steps
    }

    /// Of an earlier run; what is known already stands.
    pub fn recall(&mut self, step: Transition) {
        if self.step(step.after).is_none() {
            self.learn(step);
        }
    }

    /// Instead of what came after the same two before.
    fn learn(&mut self, step: Transition) {
        let before = self.steps.iter().position(|known| known.after == step.after);
        if let Some(place) = before.or((self.steps.len() == KEPT).then_some(0)) {
            self.steps.remove(place);
        }
        self.steps.push(step);
    }

    fn step(&self, context: Context) -> Option<Transition> {
        self.steps.iter().find(|step| step.after == context).copied()
    }

    /// What followed the last time: in the latest run that began like this one, which knows how often a loop goes round;
    /// else in the latest that was said to end and began like what has come since the last end.
    fn rest(&self, course: &Course) -> Option<&[Seen]> {
        following(&self.runs, &course.run).or_else(|| following(&self.ended, &course.part))
    }
}

impl Course {
    /// A stage has come.
    pub fn add(&mut self, known: &mut Known, now: Time, signature: u32, tasks: u32) {
        let nanos = now.since(self.at);
        push(&mut self.run, Some(signature), tasks, nanos);
        push(&mut self.part, Some(signature), tasks, nanos);
        known.learn(Transition { after: self.context, then: signature, tasks, nanos });
        self.context = [self.context[1], signature];
        self.at = now;
    }

    /// Somebody has said that its run is over: what comes now is another one.
    pub fn end(&mut self, known: &mut Known) {
        if !self.part.is_empty() {
            push(&mut self.run, None, 0, 0);
            push(&mut self.part, None, 0, 0);
            remember(&mut known.ended, std::mem::take(&mut self.part));
        }
    }

    /// The workflow begins anew.
    pub fn restart(&mut self, known: &mut Known, now: Time) {
        self.context = Context::default();
        self.at = now;
        self.part.clear();
        if !self.run.is_empty() {
            remember(&mut known.runs, std::mem::take(&mut self.run));
        }
    }

    /// What follows the latest stage, and within `soon` nanoseconds after that.
    pub fn foresee(&self, known: &Known, soon: u64) -> Option<Foreseen> {
        if let Some(rest) = known.rest(self) {
            let ends = rest.last().is_some_and(|last| last.signature.is_none());
            let stages = rest.iter().filter(|seen| seen.signature.is_some());
            return look(stages.map(|seen| (seen.tasks, seen.nanos)), soon, ends);
        }
        let next = |step: &Transition| known.step([step.after[1], step.then]);
        let path = std::iter::successors(known.step(self.context), next);
        look(path.map(|step| (step.tasks, step.nanos)), soon, false)
    }
}

/// One more than is kept, which no known run is as long as.
fn push(run: &mut Vec<Seen>, signature: Option<u32>, tasks: u32, nanos: u64) {
    if run.len() <= RUN {
        let sum = match signature {
            Some(signature) => sum(run).wrapping_add(mixed(signature.into())),
            None => mixed(!sum(run)),
        };
        run.push(Seen { signature, tasks, nanos, sum });
    }
}

/// Of runs alike the latest.
fn remember(runs: &mut Vec<Vec<Seen>>, mut run: Vec<Seen>) {
    run.truncate(RUN);
    runs.retain(|known| known.len() != run.len() || sum(known) != sum(&run));
    runs.push(run);
    while runs.len() > RUNS || runs.iter().map(Vec::len).sum::<usize>() > STAGES {
        runs.remove(0);
    }
}

/// What came after these stages in the latest run that is longer and has begun with them, in whatever order: those that
/// run side by side come in any.
fn following<'a>(runs: &'a [Vec<Seen>], begun: &[Seen]) -> Option<&'a [Seen]> {
    let now = begun.len();
    let goes_on = |run: &&Vec<Seen>| run.len() > now && sum(&run[..now]) == sum(begun);
    runs.iter().rev().find(goes_on).map(|run| &run[now..])
}

/// Equal for equal stages in any order between two ends, and for no others but by a chance of one in 2^64.
fn sum(run: &[Seen]) -> u64 {
    run.last().map_or(0, |last| last.sum)
}

/// The finalizer of SplitMix64 (Steele, Lea, Flood: *Fast splittable pseudorandom number generators*, OOPSLA 2014).
const fn mixed(z: u64) -> u64 {
    let z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
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
    fn of_too_many_steps_the_one_that_came_longest_ago_is_forgotten() {
        let (mut course, mut known) = (Course::default(), Known::default());
        // The first two steps come again before there are too many.
        let stages = (1..=200).map(Some).chain([None, Some(1), Some(2), None]);
        for signature in stages.chain((301..=360).map(Some)) {
            match signature {
                Some(signature) => course.add(&mut known, Time(0), signature, 1),
                None => course.restart(&mut known, Time(0)),
            }
        }
        let first: Vec<u32> = known.steps().iter().map(|step| step.then).collect();
        assert_eq!(known.steps().len(), KEPT);
        // Those to 3, 4 and so on, of which the oldest are gone; what begins anew has replaced the step to 1.
        assert_eq!(first[..3], [6, 7, 8]);
        assert_eq!(first.iter().filter(|then| [1, 2, 301].contains(then)).count(), 2);
    }

    #[test]
    fn of_too_many_runs_the_oldest_is_forgotten_and_sooner_when_they_are_long() {
        let kept_of = |stages: u32| {
            let (mut course, mut known) = (Course::default(), Known::default());
            for run in 0..70 {
                (0..stages).for_each(|i| course.add(&mut known, Time(0), 1000 * run + i, 1));
                course.restart(&mut known, Time(0));
            }
            known.runs.len()
        };
        assert_eq!([kept_of(64), kept_of(128), kept_of(300)], [RUNS, 32, 16]);
    }

    #[test]
    fn of_a_long_run_the_beginning_is_followed() {
        let (mut course, mut known) = (Course::default(), Known::default());
        let mut run = |widest: u32| {
            course.restart(&mut known, Time(0));
            // A loop of two stages, and of one round only the second is wide.
            (1..=300).for_each(|i| {
                course.add(&mut known, Time(0), 1 + i % 2, if i == widest { 9 } else { 1 });
            });
            course.restart(&mut known, Time(0));
            (1..250).for_each(|i| course.add(&mut known, Time(0), 1 + i % 2, 1));
            course.foresee(&known, 1).map(|foreseen| (foreseen.wide, foreseen.whole))
        };
        assert_eq!([run(256), run(257)], [Some((9, false)), Some((1, false))]);
    }

    #[test]
    fn what_is_recalled_does_not_replace_what_was_seen() {
        let (mut course, mut known) = (Course::default(), Known::default());
        course.add(&mut known, Time(5), 1, 8);
        known.recall(Transition { after: [0, 0], then: 2, tasks: 4, nanos: 0 });
        assert_eq!(known.steps().len(), 1);
        assert_eq!(known.steps()[0].tasks, 8);
    }
}
