//! Bounded sets (GR-1): what is known of their tasks, and when each is looked at.

use std::collections::BTreeMap;

use holdfast_engine::{
    AttemptId, Bound, Copies, Event, JobId, Outcome, Sample, SetId, StageId, StageKind, Stragglers,
    Time, WorkflowId, pareto,
};

use super::samples::Accuracy;
use super::state::{Attempt, Set};
use super::{Bug, Reference};

pub(super) const MILLIS: u64 = 1_000_000;
pub(super) const WHOLE: u32 = 1_000_000;
/// How often a deadline-bound set asks whether to go over to GS.
pub(super) const PERIOD_NS: u64 = 1_000_000_000;

/// What bounds a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Limit {
    #[default]
    None,
    Deadline(Time),
    /// So many tasks.
    Enough(u32),
}

/// How a bounded set began.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Course {
    pub(super) bound: Bound,
    /// Milliseconds, or tasks.
    pub(super) value: u32,
    pub(super) begun: Time,
    pub(super) explores: bool,
    pub(super) utilization: u32,
    /// It has all tasks of its stage.
    pub(super) teaches: bool,
    /// Its user has said a bound.
    pub(super) said: bool,
    /// The bound was reached, or has passed.
    pub(super) over: bool,
}

/// What is known of a set.
#[derive(Clone, Debug, Default)]
pub(crate) struct Race {
    /// Sizes that were said.
    pub(super) sizes: BTreeMap<u32, u32>,
    /// How long its finishers took, and their sizes.
    pub(super) ended: Vec<(u64, u32)>,
    pub(super) tail_milli: u64,
    pub(super) limit: Limit,
    /// GS, not RAS.
    pub(super) greedy: bool,
    /// A second run is safe.
    pub(super) may_copy: bool,
    pub(super) course: Option<Course>,
    /// When an unfinished task's first attempt would end, and the one beside it, by what they reported last.
    pub(super) reports: BTreeMap<(u32, bool), Time>,
    /// The copies that were offered last.
    pub(super) offered: Vec<u32>,
    /// When last looked at it wanted copies, whoever else waits, and whether somebody more important did.
    pub(super) wants: bool,
    pub(super) outranked: bool,
    pub(super) due: Option<Time>,
    /// When a task without a report may first deserve a copy.
    pub(super) of_age: Option<Time>,
}

/// What is known of an attempt that was launched before its set ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Runner {
    /// Launched beside another one of its task.
    pub(super) second: bool,
    /// The size of its task then, and what it was expected to take.
    units: u32,
    new: Option<u64>,
    /// The largest share it has reported.
    said: u32,
    /// When it reported first, and when it would have ended by that.
    first: Option<(Time, Time)>,
}

/// The same of all sets.
#[derive(Clone, Debug, Default)]
pub(crate) struct Races {
    pub(super) bounds: BTreeMap<(JobId, StageId), (Bound, u32, Time)>,
    /// The most tasks that a set of a bounded stage had.
    widths: BTreeMap<(JobId, StageId), u32>,
    pub(super) samples: Vec<Sample>,
    /// How long jobs went on after a bounded stage of a size, and of which the later stages run: the tasks of that stage,
    /// and when it ended.
    pub(super) later: Vec<(u32, u64)>,
    pub(super) after: BTreeMap<JobId, (u32, Time)>,
    rest: Accuracy,
    new: Accuracy,
    /// Sets of which an attempt has left in this step, and whether that ended a task.
    left: BTreeMap<SetId, bool>,
    pub(super) switches: u64,
}

impl Reference {
    pub(super) fn races(&self) -> bool {
        !matches!(self.config.stragglers, Stragglers::Holds | Stragglers::Off)
    }

    pub(super) fn live(&self, id: SetId) -> Option<&Set> {
        self.sets.get(&id).filter(|set| !set.zombie)
    }

    pub(super) fn race(&mut self, id: SetId) -> &mut Race {
        &mut self.sets.get_mut(&id).expect("the set is live").race
    }

    /// The busy share of all slots.
    pub(super) fn utilization(&self) -> u32 {
        let busy = self.attempts.len() as u128 * u128::from(WHOLE);
        let share = busy.checked_div(self.all_slots()).unwrap_or(0);
        u32::try_from(share.min(u128::from(WHOLE))).expect("at most a million")
    }

    pub(super) fn accuracy(&self) -> u32 {
        (self.races.rest.ppm() + self.races.new.ppm()) / 2
    }

    /// How many tasks are still wanted.
    pub(super) fn needed(&self, set: &Set) -> u32 {
        let less = u32::from(self.has(Bug::OneTaskTooFew));
        let finished = u32::try_from(set.finished.len()).expect("at most 2^24 tasks");
        match set.race.limit {
            Limit::Enough(tasks) => tasks.saturating_sub(less).saturating_sub(finished),
            Limit::None | Limit::Deadline(_) => set.tasks - finished,
        }
    }

    /// Tasks of a more important workflow wait.
    pub(super) fn outranked(&self, workflow: WorkflowId) -> bool {
        let first = self.ranked().into_iter().filter(|w| self.rank(*w).0 < self.rank(workflow).0);
        first.into_iter().any(|w| self.pending_of(w) > 0) && !self.has(Bug::CopyBeforeImportant)
    }

    fn equals_wait(&self, workflow: WorkflowId) -> bool {
        let others = self.ranked().into_iter().filter(|w| *w != workflow);
        let mut equals = others.filter(|w| self.rank(*w).0 == self.rank(workflow).0);
        equals.any(|w| self.pending_of(w) > 0)
    }

    /// Order of a step, 3: what an event that was taken means for whoever decides about stragglers.
    pub(super) fn watch_races(&mut self, event: &Event) {
        let left = std::mem::take(&mut self.races.left);
        if !self.races() {
            return;
        }
        for (set, finishes) in left {
            if matches!(event, Event::ExecutorLost { .. }) && self.live(set).is_some() {
                self.race(set).offered.clear();
            }
            self.review(set, finishes);
        }
        match *event {
            Event::SetSubmitted { set, .. } => self.race_begins(set),
            Event::StageBounded { job, stage, bound, value } => {
                self.races.bounds.insert((job, stage), (bound, value, self.now));
                let of = |set: &Set| set.job == job && set.stage == stage && !set.zombie;
                let live = self.sets.iter().find(|(_, set)| of(set)).map(|(id, _)| *id);
                if let Some(set) = live {
                    self.bind(set);
                    self.review(set, false);
                }
            }
            Event::TaskSized { set, task, units } => self.size(set, task, units),
            Event::Launched { attempt, set, task, .. } => self.race_launched(attempt, set, task),
            Event::Progressed { attempt, done } => self.progressed(attempt, done),
            Event::Unfinished { set, task } | Event::FinishedElsewhere { set, task } => {
                self.forget_reports(set, task);
                self.review(set, true);
            }
            Event::JobEnded { job, .. } => {
                self.races.bounds.retain(|(j, _), _| *j != job);
                self.races.widths.retain(|(j, _), _| *j != job);
            }
            Event::Sampled { greedy, bound, tasks, value, utilization, accuracy, score } => {
                let sample = Sample { greedy, bound, tasks, value, utilization, accuracy, score };
                self.learn_sample(sample);
            }
            _ => {}
        }
        self.watch_ranks();
    }

    fn race_begins(&mut self, id: SetId) {
        let set = &self.sets[&id];
        let may_copy = match self.config.copies {
            Copies::Off => false,
            Copies::Shuffle => set.kind == StageKind::ShuffleMap,
            Copies::All => set.kind != StageKind::Barrier,
        };
        // Half of those that have run for t run for t (2^(1/alpha) - 1) more.
        let alpha = self.workflows[&set.workflow].tail.alpha();
        let tail_milli = pareto::times(1_000, libm::exp2(1.0 / alpha) - 1.0);
        *self.race(id) = Race { may_copy, tail_milli, ..Race::default() };
        self.bind(id);
        self.review(id, false);
    }

    /// Gives a set the bound that was said of its stage. Without one it wants all of its tasks.
    fn bind(&mut self, id: SetId) {
        let rule = self.config.stragglers;
        self.race(id).greedy = rule == Stragglers::Gs;
        let set = &self.sets[&id];
        if set.kind == StageKind::Barrier {
            return;
        }
        let (stage, tasks, exact_copies) = ((set.job, set.stage), set.tasks, set.race.may_copy);
        let said = self.races.bounds.get(&stage).copied();
        let learns = rule == Stragglers::Grass;
        if said.is_none() && (!learns || !exact_copies || self.has(Bug::ExactNeverLearns)) {
            return;
        }
        let mut all = tasks;
        if said.is_some() {
            let width = self.races.widths.entry(stage).or_default();
            *width = tasks.max(*width);
            all = *width;
        }
        let explored = self.explores(stage.0).filter(|_| learns);
        let (limit, bound, value) =
            self.limit_of(said, (tasks, all), self.expected_later(&self.sets[&id]));
        let course = Course {
            bound,
            value,
            begun: self.now,
            explores: explored.is_some(),
            utilization: self.utilization(),
            teaches: all == tasks,
            said: said.is_some(),
            over: false,
        };
        let safe = self.config.copies != Copies::Off;
        let race = self.race(id);
        race.limit = limit;
        race.may_copy = if said.is_some() { safe } else { race.may_copy };
        race.greedy = explored.unwrap_or(race.greedy);
        race.course = Some(course);
    }

    /// Sizes count until the first launch; those of tasks that run later, too.
    fn size(&mut self, id: SetId, task: u32, units: u32) {
        let late = self.has(Bug::SizedLate);
        let Some(set) = self.live(id) else { return };
        let idle = !self.attempts.values().any(|attempt| attempt.serial == set.serial);
        let runs = !set.finished.contains(&task) && self.attempts_of(set, task).next().is_some();
        if late || runs || (idle && set.finished.is_empty()) {
            self.race(id).sizes.insert(task, units.max(1));
        }
        if runs {
            self.review(id, false);
        }
    }

    fn race_launched(&mut self, id: AttemptId, set: SetId, task: u32) {
        let Some(live) = self.live(set) else { return };
        let second = self.attempts_of(live, task).count() > 1;
        let units = live.race.units(task);
        let new = Self::median(&live.race, units);
        let before_equals = self.attempts[&id].is_copy && self.equals_wait(live.workflow);
        self.totals.copies_before_equals += u64::from(before_equals);
        let attempt = self.attempts.get_mut(&id).expect("it was just launched");
        attempt.race = Some(Runner { second, units, new, said: 0, first: None });
        self.review(set, false);
    }

    fn progressed(&mut self, id: AttemptId, done: u32) {
        let (now, back) = (self.now, self.has(Bug::ReportGoesBack));
        let Some(attempt) = self.attempts.get_mut(&id) else { return };
        let Some(runner) = attempt.race.as_mut() else { return };
        if done == 0 || done == runner.said || (done < runner.said && !back) {
            return;
        }
        runner.said = done;
        let share = u128::from(done.min(WHOLE));
        let rest = u128::from(now.since(attempt.launched)) * (u128::from(WHOLE) - share) / share;
        let ends = now.after(u64::try_from(rest).unwrap_or(u64::MAX));
        runner.first = runner.first.or(Some((now, ends)));
        let (serial, task, second) = (attempt.serial, attempt.task, runner.second);
        let of = |set: &Set| set.serial == serial && !set.zombie && !set.finished.contains(&task);
        let Some(set) = self.sets.iter().find(|(_, set)| of(set)).map(|(id, _)| *id) else {
            return;
        };
        self.race(set).reports.insert((task, second), ends);
        self.review(set, false);
    }

    fn forget_reports(&mut self, id: SetId, task: u32) {
        let Some(set) = self.sets.get_mut(&id) else { return };
        if set.finished.contains(&task) {
            set.race.reports.retain(|(other, _), _| *other != task);
        }
    }

    /// An attempt leaves its slot; its task is as it was before that.
    pub(super) fn leave_race(&mut self, attempt: &Attempt, outcome: Outcome) {
        let took = self.now.since(attempt.launched);
        let of = |set: &Set| set.serial == attempt.serial && !set.zombie;
        let Some((&id, set)) = self.sets.iter_mut().find(|(_, set)| of(set)) else { return };
        let Some(runner) = attempt.race else { return };
        let was_done = set.finished.contains(&attempt.task);
        let finishes = outcome == Outcome::Finished && !was_done;
        if was_done && set.copied.contains(&attempt.task) {
            self.totals.copies_lost_ns += u128::from(took);
        }
        set.race.reports.remove(&(attempt.task, runner.second));
        if finishes {
            set.race.reports.retain(|(task, _), _| *task != attempt.task);
            set.race.ended.push((took, runner.units));
            if let Some(new) = runner.new {
                self.races.new.add(new, took);
            }
            if let Some((at, ends)) = runner.first {
                self.races.rest.add(ends.since(at), self.now.since(at));
            }
        }
        *self.races.left.entry(id).or_default() |= finishes;
    }

    /// Order of a step, 2: sets whose time has come.
    pub(super) fn expire_races(&mut self) {
        loop {
            let due = self.sets.iter().filter(|(_, set)| !set.zombie);
            let due = due.filter_map(|(id, set)| Some((set.race.due?, *id)));
            match due.min() {
                Some((at, id)) if at <= self.now => {
                    let wanted = self.copies_wanted(&self.sets[&id]);
                    self.forget_unwanted(Some((id, wanted)));
                    self.review(id, true);
                }
                _ => return,
            }
        }
    }
}
