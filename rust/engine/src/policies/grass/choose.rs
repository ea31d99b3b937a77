//! Who is asked: the rule that the configuration names, and what it is looked at again for.

use crate::api::choice::Choice;
use crate::api::config::{Config, Stragglers};
use crate::api::event::{Bound, Event};
use crate::api::ids::{SetId, Time};
use crate::api::totals::Totals;
use crate::ledger::Ledger;
use crate::ledger::keys::{ExecutorKey, SetKey};
use crate::policies::grass::age::comes_of_age;
use crate::policies::grass::learner::Situation;
use crate::policies::grass::race::{Limit, Mode, Race, Run};
use crate::policies::grass::state::{Entry, RaceKey, Races, known, outranked, utilization};
use crate::policies::grass::{deadline, error};
use crate::policies::{late, mantri};
use crate::roles::{Books, Picks};
use crate::step::Step;

/// With more pending tasks the host keeps its own order. It looks through a list at each launch, and in a large set that
/// costs more than the order gains.
const MOST_ORDERED: u32 = 4_096;

/// How often a deadline-bound set asks whether to go over to GS, in nanoseconds.
const PERIOD_NS: u64 = 1_000_000_000;

impl Picks for Races {
    fn of(config: &Config) -> Option<Self> {
        match config.stragglers {
            Stragglers::Holds | Stragglers::Off => None,
            Stragglers::Grass
            | Stragglers::Gs
            | Stragglers::Ras
            | Stragglers::Late
            | Stragglers::Mantri => Some(Self::new(config)),
        }
    }

    fn choose(&self, books: &Books<'_>, set: SetKey, executor: Option<ExecutorKey>) -> Choice {
        self.choice(books.ledger, books.now, set, executor)
    }

    fn on_event(
        &mut self,
        books: &Books<'_>,
        event: &Event,
        (totals, step): (&mut Totals, &mut Step),
    ) {
        let (ledger, now) = (books.ledger, books.now);
        if let Some(key) = self.touched(ledger, event) {
            self.forget_unwanted(ledger, now, key);
        }
        if let Event::ExecutorLost { .. } = event {
            for key in self.lost(ledger, now, totals) {
                self.entries[key].offered = [None; 2];
                self.review(ledger, now, key, false, (totals, step));
            }
        } else if let Some((key, finished)) = self.book(ledger, now, event, totals) {
            self.review(ledger, now, key, finished, (totals, step));
        }
        self.watch_ranks(ledger, now, (totals, step));
    }

    fn expire(&mut self, books: &Books<'_>, (totals, step): (&mut Totals, &mut Step)) {
        while let Some(((at, _), key)) = self.due.peek()
            && at <= books.now
        {
            self.forget_unwanted(books.ledger, books.now, key);
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
        let may = entry.race.may_copy && !outranked(ledger, set);
        match self.best(ledger, now, entry, (may, executor)) {
            Choice::Pending { .. } if set.pending > MOST_ORDERED => Choice::Host,
            choice => choice,
        }
    }

    /// The same once it is known whether it may be a copy.
    pub(super) fn best(
        &self,
        ledger: &Ledger,
        now: Time,
        entry: &Entry,
        (safe, executor): (bool, Option<ExecutorKey>),
    ) -> Choice {
        let race = &*entry.race.sorted();
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

    /// Of the copies that were offered, those count no more that time alone has made useless: they may be of use again when
    /// the set is reviewed. To be called before anything else changes.
    fn forget_unwanted(&mut self, ledger: &Ledger, now: Time, key: RaceKey) {
        let entry = &self.entries[key];
        if entry.offered == [None; 2] {
            return;
        }
        let wanted = self.copies(ledger, now, entry);
        let offered = &mut self.entries[key].offered;
        *offered = offered.map(|copy| copy.filter(|_| wanted.contains(&copy)));
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
        // A timer of what is gone must not ring for ever.
        let Some(set) = known(ledger, id) else { return self.set_due(key, id, None) };
        let (mut copies, mut of_age) = ([None; 2], None);
        if self.entries[key].race.pending() == 0 {
            copies = self.copies(ledger, now, &self.entries[key]);
            of_age = comes_of_age(self.rule, &self.entries[key].race, now, &mut self.ages);
        }
        let entry = &mut self.entries[key];
        // What was offered before that may not have been wanted in between.
        if std::mem::replace(&mut entry.of_age, of_age).is_some_and(|at| at <= now) {
            entry.offered = [None; 2];
        }
        let wanted = std::mem::replace(&mut entry.wants, copies[0].is_some());
        match (wanted, entry.wants) {
            (false, true) => self.wanting.push(key),
            (true, false) => self.wanting.retain(|&other| other != key),
            _ => {}
        }
        entry.outranked = entry.wants && outranked(ledger, set);
        let copies = if entry.outranked { [None; 2] } else { copies };
        let new = |copy: &Option<u32>| copy.is_some() && !entry.offered.contains(copy);
        step.offer_copies |= copies.iter().any(new);
        entry.offered = copies;
        let due = [of_age, entry.next_look(self.rule, now)].into_iter().flatten().min();
        self.set_due(key, id, due);
    }

    /// The copies that a set without pending tasks wants, if no more important workflow waits: the best, and the best
    /// where that one's task runs. On any executor it is one of them.
    fn copies(&self, ledger: &Ledger, now: Time, entry: &Entry) -> [Option<u32>; 2] {
        let copy = |executor| match self.best(ledger, now, entry, (entry.race.may_copy, executor)) {
            Choice::Copy(task) => Some(task),
            Choice::Host | Choice::Pending { .. } | Choice::Nothing => None,
        };
        let Some(task) = copy(None) else { return [None; 2] };
        let there = entry.race.running.iter().find(|run| run.task == task);
        [Some(task), copy(there.map(|run| run.executor))]
    }

    /// R5: those that more important workflows kept from copies are looked at when these wait no more.
    fn watch_ranks(
        &mut self,
        ledger: &Ledger,
        now: Time,
        (totals, step): (&mut Totals, &mut Step),
    ) {
        for i in (0..self.wanting.len()).rev() {
            let key = self.wanting[i];
            let Entry { set, outranked: was, .. } = self.entries[key];
            let Some(set) = known(ledger, set) else { continue };
            let is = outranked(ledger, set);
            if was && !is {
                self.review(ledger, now, key, false, (totals, step));
            } else if is && !was {
                let entry = &mut self.entries[key];
                (entry.outranked, entry.offered) = (true, [None; 2]);
            }
        }
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
        let sample = course.sample(race, accuracy, now);
        if course.bound == Bound::Error || enough {
            totals.bounds_met += u64::from(course.said);
        } else {
            totals.bounds_passed += 1;
            // Whoever waits for the rest wants all of it.
            race.limit = Limit::None;
        }
        if let Some(sample) = sample.filter(|_| course.explores && course.teaches) {
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
        let switches = if self.waves {
            in_waves(race, now, 2)
        } else {
            let situation = Situation {
                tasks: race.tasks(),
                exact: race.needed() == race.unfinished() && course.bound == Bound::Error,
                utilization: utilization(ledger),
                accuracy: self.accuracies.ppm(),
            };
            let learned = |left| self.learner.switches(course.bound, left, situation);
            in_waves(race, now, 1)
                || course.asks(race) && course.left(race, now).is_some_and(learned)
        };
        if switches {
            self.entries[key].race.mode = Mode::Gs;
        }
    }
}

/// Whether so many medians of time are left, or waves of tasks as wide as what runs: two are the strawman (NSDI'14,
/// section 4), and in the last one GS is better without a word of samples (section 3.2, guideline 2).
fn in_waves(race: &Race, now: Time, waves: u32) -> bool {
    match race.limit {
        Limit::Deadline(at) => {
            let usual = race.usual().unwrap_or(0);
            at.since(now) <= usual.saturating_mul(waves.into())
        }
        Limit::Enough(_) | Limit::None => {
            let width = crate::api::ids::short(race.running.len()).max(1);
            race.needed() <= width.saturating_mul(waves)
        }
    }
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
