//! Who is asked: the rule that the configuration names, and what it is looked at again for.

use crate::api::choice::Choice;
use crate::api::config::Stragglers;
use crate::api::event::{Bound, Event};
use crate::api::ids::{SetId, Time};
use crate::api::totals::Totals;
use crate::ledger::Ledger;
use crate::ledger::keys::{ExecutorKey, SetKey};
use crate::policies::grass::course::Course;
use crate::policies::grass::gain::gain;
use crate::policies::grass::learner::Situation;
use crate::policies::grass::race::{Limit, Mode, Race, Run};
use crate::policies::grass::state::{Entry, RaceKey, Races, outranked, utilization};
use crate::policies::grass::{deadline, error};
use crate::policies::{late, mantri};
use crate::roles::{Books, Picks};
use crate::step::Step;

/// How often a deadline-bound set asks whether to go over to GS, in nanoseconds.
const PERIOD_NS: u64 = 1_000_000_000;

impl Picks for Races {
    fn choose(&self, books: &Books<'_>, set: SetKey, executor: Option<ExecutorKey>) -> Choice {
        self.choice(books.ledger, books.now, set, executor)
    }

    fn on_event(
        &mut self,
        books: &Books<'_>,
        event: &Event,
        (totals, step): (&mut Totals, &mut Step),
    ) {
        let Some((key, finished)) = self.book(books.ledger, books.now, event, totals) else {
            return;
        };
        self.review(books.ledger, books.now, key, finished, (totals, step));
    }

    fn expire(&mut self, books: &Books<'_>, (totals, step): (&mut Totals, &mut Step)) {
        while let Some(((at, _), key)) = self.due.peek()
            && at <= books.now
        {
            self.review(books.ledger, books.now, key, true, (totals, step));
        }
    }

    fn deadline(&self) -> Option<Time> {
        self.due.peek().map(|((at, _), _)| at)
    }
}

impl Races {
    /// Returns what a set launches next on an executor; on any, without one.
    fn choice(
        &self,
        ledger: &Ledger,
        now: Time,
        set: SetKey,
        executor: Option<ExecutorKey>,
    ) -> Choice {
        let set = &ledger.sets[set];
        let Some(entry) = self.entry(set.id).filter(|_| !set.zombie) else { return Choice::Host };
        let race = &entry.race;
        let safe = race.may_copy && !outranked(ledger, set);
        let may = |run: &Run| safe && executor != Some(run.executor);
        match (self.rule, race.limit) {
            (Stragglers::Late, _) => {
                late::choose(race, now, (self.seconds, ledger.executors.total()), may)
            }
            (Stragglers::Mantri, _) => mantri::choose(race, now, may),
            (_, Limit::Deadline(at)) => deadline::choose(race, now, at, may),
            (_, Limit::Enough(_) | Limit::None) => error::choose(race, now, may),
        }
    }

    /// What has changed for one set: whether its bound is reached, which rule it has, and whether it wants a copy.
    fn review(
        &mut self,
        ledger: &Ledger,
        now: Time,
        key: RaceKey,
        finished: bool,
        (totals, step): (&mut Totals, &mut Step),
    ) {
        self.watch_bound(key, now, totals);
        if finished {
            self.watch_switch(ledger, key, now);
        }
        let id = self.entries[key].set;
        let Some(&set) = ledger.set_ids.get(&id) else { return };
        let mut due = None;
        if self.entries[key].race.pending() == 0 {
            let copy = match self.choice(ledger, now, set, None) {
                Choice::Copy(task) => Some(task),
                Choice::Host | Choice::Pending { .. } | Choice::Nothing => None,
            };
            let entry = &mut self.entries[key];
            step.offer_copies |= copy.is_some() && copy != entry.offered;
            entry.offered = copy;
            due = comes_of_age(&entry.race, now);
        }
        let due = [due, self.entries[key].next_look(self.rule, now)].into_iter().flatten().min();
        self.set_due(key, id, due);
    }

    fn set_due(&mut self, key: RaceKey, set: SetId, due: Option<Time>) {
        let was = std::mem::replace(&mut self.entries[key].due, due);
        match (was, due) {
            (None, Some(at)) => self.due.push((at, set), key),
            (Some(was), Some(at)) if was != at => self.due.update((at, set), key),
            (Some(_), None) => self.due.remove(key),
            (None, None) | (Some(_), Some(_)) => {}
        }
    }

    /// Whether the bound is reached: an error's with enough tasks, a deadline's with time.
    fn watch_bound(&mut self, key: RaceKey, now: Time, totals: &mut Totals) {
        let accuracy = self.accuracies.ppm();
        let Entry { race, course, .. } = &mut self.entries[key];
        let Some(course) = course.as_mut().filter(|course| !course.over) else { return };
        let enough = race.needed() == 0;
        let late = matches!(race.limit, Limit::Deadline(at) if at <= now);
        if !enough && !late {
            return;
        }
        course.over = true;
        let sample = course.sample(race, race.mode == Mode::Gs, accuracy, now);
        if course.bound == Bound::Error || enough {
            totals.bounds_met += 1;
        } else {
            totals.bounds_passed += 1;
            // Whoever waits for the rest wants all of it.
            race.limit = Limit::None;
        }
        if course.explores {
            self.learner.add(sample);
        }
    }

    /// GRASS goes over from RAS to GS, once.
    fn watch_switch(&mut self, ledger: &Ledger, key: RaceKey, now: Time) {
        let Entry { race, course, .. } = &self.entries[key];
        let Some(course) = course.filter(|course| !course.over && !course.explores) else { return };
        if self.rule != Stragglers::Grass || race.mode == Mode::Gs {
            return;
        }
        let left = course.left(race, now);
        let switches = if self.waves {
            in_two_waves(race, &course, left)
        } else {
            let situation = Situation {
                tasks: race.tasks(),
                rest: race.needed(),
                utilization: utilization(ledger),
                accuracy: self.accuracies.ppm(),
            };
            self.learner.switches(course.bound, left, situation)
        };
        if switches {
            self.entries[key].race.mode = Mode::Gs;
        }
    }
}

/// The strawman (NSDI'14, section 4): two medians of time are left, or two waves of tasks as wide as what runs.
fn in_two_waves(race: &Race, course: &Course, left: u32) -> bool {
    let width = crate::api::ids::short(race.running.len()).max(1);
    match course.bound {
        Bound::Error => left <= width.saturating_mul(2),
        Bound::Deadline => {
            let median = race.pace.new_attempt(race.median_units()).unwrap_or(0);
            u64::from(left).saturating_mul(1_000_000) <= median.saturating_mul(2)
        }
    }
}

/// When the next task without a report may deserve a copy: its estimate grows with time.
fn comes_of_age(race: &Race, now: Time) -> Option<Time> {
    let silent = race.running.iter().filter(|run| run.once && run.ends[0].is_none());
    let due = silent.filter_map(|run| {
        let new = gain(race, run, now)?.new;
        let times = if race.mode == Mode::Gs { 1 } else { 2 };
        Some(run.since.after(race.pace.age_of(new.saturating_mul(times))))
    });
    due.filter(|&due| due > now).min()
}

impl Entry {
    /// When its bound passes, or it asks again which rule to follow.
    fn next_look(&self, rule: Stragglers, now: Time) -> Option<Time> {
        let course = self.course.filter(|course| !course.over)?;
        let Limit::Deadline(at) = self.race.limit else { return None };
        let asks = rule == Stragglers::Grass && self.race.mode == Mode::Ras && !course.explores;
        Some(if asks { at.min(now.after(PERIOD_NS)) } else { at })
    }
}
