//! Error-bound and exact sets (NSDI'14, Pseudocode 2): so many tasks as soon as possible.

use crate::api::choice::Choice;
use crate::api::ids::Time;
use crate::policies::grass::gain::{Gain, gain};
use crate::policies::grass::race::{Limit, Mode, Race, Run};

/// Returns what a slot is best used for. `may` says which running tasks may get a copy there.
///
/// Only those tasks count that are done first, as many as are needed. GS takes the one that takes longest, and copies
/// only if the copy ends before the original. RAS takes the copy that saves most slot-time, else the largest pending
/// task. If all those tasks run, and no copy pays, the smallest pending one begins all the same (docs/adr/0022).
pub(crate) fn choose(race: &Race, now: Time, may: impl Fn(&Run) -> bool) -> Choice {
    let needed = race.needed();
    if needed == 0 {
        return Choice::Nothing;
    }
    let wanted = Wanted::new(race, now, needed);
    let copies = race.running.iter().filter(|run| run.once && may(run));
    let copies = copies.filter_map(|run| gain(race, run, now));
    let largest = wanted.pending.checked_sub(1).and_then(|last| race.nth_pending(last));
    let best = match race.mode {
        Mode::Ras => best_of(&wanted, copies.filter(Gain::saves), Gain::most_saving),
        Mode::Gs => {
            let rest = largest.and_then(|task| race.pace.new_attempt(race.units(task)));
            let copies = copies.filter(|copy| copy.new < copy.rest);
            best_of(
                &wanted,
                copies.filter(|copy| rest.is_none_or(|rest| copy.rest > rest)),
                Gain::longest,
            )
        }
    };
    match (best, largest) {
        (Some(copy), _) => Choice::Copy(copy.task),
        (None, _) if race.pending() == 0 => Choice::Nothing,
        (None, _) if race.limit == Limit::None => Choice::Host,
        (None, Some(task)) => Choice::Pending { largest: true, most: race.units(task) },
        (None, None) => Choice::Pending { largest: false, most: u32::MAX },
    }
}

/// The first by `order` of those that are wanted. Whether one is wanted takes longer to say than which is first.
fn best_of<K: Ord>(
    wanted: &Wanted<'_>,
    copies: impl Iterator<Item = Gain>,
    order: impl Fn(&Gain) -> K,
) -> Option<Gain> {
    let mut best: Option<Gain> = None;
    for copy in copies {
        if best.is_none_or(|best| order(&copy) < order(&best)) && wanted.has(&copy) {
            best = Some(copy);
        }
    }
    best
}

/// The tasks that are done first, as many as are needed.
struct Wanted<'a> {
    race: &'a Race,
    now: Time,
    needed: u32,
    /// So many of the pending ones, the smallest.
    pending: u32,
}

impl<'a> Wanted<'a> {
    fn new(race: &'a Race, now: Time, needed: u32) -> Self {
        let mut wanted = Self { race, now, needed, pending: race.pending() };
        if needed < race.unfinished() {
            wanted.pending = wanted.of_the_pending();
        }
        wanted
    }

    /// The n-th pending one is among them if no more than `needed - n` running ones are done before it.
    fn of_the_pending(&self) -> u32 {
        let (mut few, mut many) = (0, self.race.pending());
        while few < many {
            let middle = few + (many - few) / 2;
            let task = self.race.nth_pending(middle).map(|task| self.of(task));
            let running = task.map_or(0, |key| self.running_before(key));
            if middle + running < self.needed {
                few = middle + 1;
            } else {
                many = middle;
            }
        }
        few
    }

    fn of(&self, task: u32) -> (u64, u32, u32) {
        let units = self.race.units(task);
        (self.race.pace.new_attempt(units).unwrap_or(0), units, task)
    }

    fn done(&self, run: &Run) -> (u64, u32, u32) {
        gain(self.race, run, self.now).map_or((0, run.units, run.task), |gain| gain.done())
    }

    fn running_before(&self, key: (u64, u32, u32)) -> u32 {
        let before = self.race.running.iter().filter(|run| self.done(run) < key);
        u32::try_from(before.count()).unwrap_or(u32::MAX)
    }

    fn has(&self, copy: &Gain) -> bool {
        if self.needed >= self.race.unfinished() {
            return true;
        }
        let key = copy.done();
        let pending = self.race.pending_before(|task| self.of(task) < key);
        pending + self.running_before(key) < self.needed
    }
}
