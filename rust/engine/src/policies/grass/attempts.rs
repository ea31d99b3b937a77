//! Attempts: how they begin, report and end.

use std::collections::BTreeSet;

use crate::api::event::{Event, Outcome};
use crate::api::ids::{AttemptId, SetId, Time};
use crate::api::totals::Totals;
use crate::ledger::{Ledger, Set};
use crate::policies::grass::estimates::{NEVER, ends};
use crate::policies::grass::state::{Entry, RaceKey, Races, known};

/// An attempt of a race.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Runner {
    pub(super) set: SetId,
    /// Of that set: its id may come again.
    pub(super) serial: u32,
    task: u32,
    launched: Time,
    /// Launched next to another one of its task.
    second: bool,
    /// Its size, and t_new, when it was launched.
    units: u32,
    new: Option<u64>,
    /// The largest share that it has reported, in millionths.
    done: u32,
    /// When it reported first, and when it would end as that said.
    first: Option<(Time, Time)>,
}

impl Races {
    /// The race that an event may change, of those that want copies.
    pub(super) fn touched(&self, ledger: &Ledger, event: &Event) -> Option<RaceKey> {
        if self.wanting.is_empty() {
            return None;
        }
        match *event {
            Event::SlotFreed { attempt, .. } | Event::Progressed { attempt, .. } => {
                self.race_of(self.runners.get(&attempt)?)
            }
            Event::Launched { set, .. }
            | Event::TaskSized { set, .. }
            | Event::Unfinished { set, .. }
            | Event::FinishedElsewhere { set, .. } => self.by_set.get(&set).copied(),
            Event::StageBounded { job, stage, .. } => self.live_set(ledger, job, stage),
            _ => None,
        }
    }

    pub(super) fn launched(
        &mut self,
        ledger: &Ledger,
        now: Time,
        (id, set, task): (AttemptId, SetId, u32),
        totals: &mut Totals,
    ) -> Option<RaceKey> {
        let key = *self.by_set.get(&set)?;
        let known = known(ledger, set)?;
        let race = &mut self.entries[key].race;
        race.sort();
        race.sync(known, task);
        let truth = &known.tasks[task as usize];
        let second = truth.running > 1;
        let units = race.units(task);
        let new = race.pace.new_attempt(units);
        self.seconds += u32::from(second);
        if second && !truth.finished && equals_wait(ledger, known) {
            totals.copies_before_equals += 1;
        }
        let (serial, launched) = (known.serial, now);
        let (done, first) = (0, None);
        let runner = Runner { set, serial, task, launched, second, units, new, done, first };
        self.runners.insert(id, runner);
        Some(key)
    }

    pub(super) fn progressed(&mut self, now: Time, id: AttemptId, done: u32) -> Option<RaceKey> {
        let runner = self.runners.get_mut(&id)?;
        if done <= runner.done {
            return None;
        }
        let at = ends(runner.launched, now, done)?;
        runner.done = done;
        runner.first = runner.first.or(Some((now, at)));
        let runner = *runner;
        let (task, second) = (runner.task, runner.second);
        let key = self.race_of(&runner)?;
        let run = self.entries[key].race.run_mut(task)?;
        run.ends[usize::from(second)] = at;
        Some(key)
    }

    pub(super) fn freed(
        &mut self,
        ledger: &Ledger,
        now: Time,
        (id, outcome): (AttemptId, Outcome),
        totals: &mut Totals,
    ) -> Option<(RaceKey, bool)> {
        let runner = self.runners.remove(&id)?;
        self.seconds -= u32::from(runner.second);
        let took = now.since(runner.launched);
        let key = self.race_of(&runner)?;
        let was_done = self.entries[key].race.is_done(runner.task);
        self.leaves(ledger, now, (key, &runner), totals);
        let race = &mut self.entries[key].race;
        race.sync(known(ledger, runner.set)?, runner.task);
        let finishes = outcome == Outcome::Finished && !was_done;
        if finishes {
            race.pace.add(took, runner.units);
            if let Some(new) = runner.new {
                self.accuracies.new.add(new, took);
            }
            if let Some((at, said)) = runner.first {
                self.accuracies.rest.add(said.since(at), now.since(at));
            }
        }
        Some((key, finishes))
    }

    /// An attempt leaves its slot: its report means nothing any more, and if another one has ended its task all of its
    /// time was for nothing.
    fn leaves(
        &mut self,
        ledger: &Ledger,
        now: Time,
        (key, runner): (RaceKey, &Runner),
        totals: &mut Totals,
    ) {
        let race = &mut self.entries[key].race;
        let copied =
            known(ledger, runner.set).is_some_and(|known| known.tasks[runner.task as usize].copied);
        if race.is_done(runner.task) && copied {
            totals.copies_lost_ns += u128::from(now.since(runner.launched));
        }
        if let Some(run) = race.run_mut(runner.task) {
            run.ends[usize::from(runner.second)] = NEVER;
        }
    }

    /// Attempts on a lost executor are gone from the books. Returns whose they were.
    pub(super) fn lost(
        &mut self,
        ledger: &Ledger,
        now: Time,
        totals: &mut Totals,
    ) -> BTreeSet<RaceKey> {
        let gone = self.runners.iter().filter(|&(id, _)| !ledger.attempts.contains(*id));
        let gone: Vec<(AttemptId, Runner)> = gone.map(|(&id, &runner)| (id, runner)).collect();
        let mut races = BTreeSet::new();
        for (id, runner) in gone {
            self.runners.remove(&id);
            self.seconds -= u32::from(runner.second);
            let Some(key) = self.race_of(&runner) else { continue };
            self.leaves(ledger, now, (key, &runner), totals);
            races.insert(key);
        }
        for &key in &races {
            let Entry { set, race, .. } = &mut self.entries[key];
            if let Some(set) = known(ledger, *set) {
                race.sync_running(set);
            }
        }
        races
    }
}

/// Whether tasks of an equally important workflow wait for a slot.
fn equals_wait(ledger: &Ledger, set: &Set) -> bool {
    let workflows = &ledger.workflows;
    let mut equals = workflows.equals(set.workflow).filter(|&w| w != set.workflow);
    equals.any(|w| workflows.slab[w].pending > 0)
}
