//! Attempts: how they begin, report and end.

use crate::api::event::Outcome;
use crate::api::ids::{AttemptId, SetId, Time};
use crate::api::totals::Totals;
use crate::ledger::{Ledger, Set};
use crate::policies::grass::estimates::ends;
use crate::policies::grass::state::{RaceKey, Races, known};

/// An attempt of a race.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Runner {
    set: SetId,
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
        let second = known.tasks[task as usize].running > 1;
        let units = race.units(task);
        let new = race.pace.new_attempt(units);
        self.seconds += u32::from(second);
        if second && equals_wait(ledger, known) {
            totals.copies_before_equals += 1;
        }
        let runner = Runner { set, task, launched: now, second, units, new, done: 0, first: None };
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
        let (task, second) = (runner.task, runner.second);
        let key = *self.by_set.get(&runner.set)?;
        let run = self.entries[key].race.run_mut(task)?;
        run.ends[usize::from(second)] = Some(at);
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
        let key = *self.by_set.get(&runner.set)?;
        let race = &mut self.entries[key].race;
        let known = known(ledger, runner.set)?;
        let copied = known.tasks[runner.task as usize].copied;
        let was_done = race.is_done(runner.task);
        if was_done && copied {
            totals.copies_lost_ns += u128::from(took);
        }
        if let Some(run) = race.run_mut(runner.task) {
            run.ends[usize::from(runner.second)] = None;
        }
        race.sync(known, runner.task);
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

    /// Attempts on a lost executor are gone from the books.
    pub(super) fn lost(&mut self, ledger: &Ledger) {
        let Self { runners, seconds, entries, by_set, .. } = self;
        runners.retain(|&id, runner| {
            let runs = ledger.attempts.contains(id);
            if !runs {
                *seconds -= u32::from(runner.second);
                let race = by_set.get(&runner.set).map(|&key| &mut entries[key].race);
                if let Some(run) = race.and_then(|race| race.run_mut(runner.task)) {
                    run.ends[usize::from(runner.second)] = None;
                }
            }
            runs
        });
        for (_, entry) in entries.iter_mut() {
            if let Some(set) = known(ledger, entry.set) {
                entry.race.sync_running(set);
            }
        }
    }
}

/// Whether tasks of an equally important workflow wait for a slot.
fn equals_wait(ledger: &Ledger, set: &Set) -> bool {
    let workflows = &ledger.workflows;
    let mut equals = workflows.equals(set.workflow).filter(|&w| w != set.workflow);
    equals.any(|w| workflows.slab[w].pending > 0)
}
