//! Error-bound and exact sets (NSDI'14, Pseudocode 2): so many tasks as soon as possible.

use smallvec::SmallVec;

use crate::api::choice::Choice;
use crate::api::ids::{Time, short};
use crate::policies::grass::gain::{Gain, Moment};
use crate::policies::grass::race::{Limit, Mode, Race, Run};

/// The estimates of so many running tasks are kept on the stack.
const MOST: usize = 128;

/// Returns what a slot is best used for. `may` says which running tasks may get a copy there.
///
/// Only those tasks count that are done first. Copies are made of the bound's share of what is left, pending tasks begin
/// only as far as they are needed: estimates are not exact (docs/adr/0022). GS takes the one that takes longest, and
/// copies only if the copy ends before the original. RAS takes the copy that saves most slot-time, else the largest
/// pending task. If all needed tasks run, and no copy pays, the smallest pending one begins all the same.
pub(crate) fn choose(race: &Race, now: Time, may: impl Fn(&Run) -> bool) -> Choice {
    let needed = race.needed();
    if needed == 0 {
        return Choice::Nothing;
    }
    let moment = Moment::new(race, now);
    let gains: SmallVec<[Gain; MOST]> = race.running.iter().map(|run| moment.gain(run)).collect();
    let of = |needed| Wanted { race, moment, gains: &gains, needed };
    let (wanted, kept) = (of(needed), of(race.kept()));
    let copies = race.running.iter().zip(&gains).filter(|(run, _)| run.once && may(run));
    let copies = copies.map(|(_, gain)| *gain);
    let best = match race.mode {
        Mode::Ras => kept.best_of(copies.filter(Gain::saves), Gain::most_saving),
        Mode::Gs => {
            let best = kept.best_of(copies.filter(Gain::is_sooner), Gain::longest);
            best.filter(|copy| !kept.has_pending_as_long_as(copy.rest))
        }
    };
    if let Some(copy) = best {
        return Choice::Copy(copy.task);
    }
    if race.pending() == 0 {
        return Choice::Nothing;
    }
    if race.limit == Limit::None {
        return Choice::Host;
    }
    let last = wanted.pending().checked_sub(1).and_then(|last| race.nth_pending(last));
    last.map_or(Choice::Pending { largest: false, most: u32::MAX }, |(units, _)| Choice::Pending {
        largest: true,
        most: units,
    })
}

/// The tasks that are done first, as many as are needed.
struct Wanted<'a> {
    race: &'a Race,
    moment: Moment<'a>,
    /// Of all that runs.
    gains: &'a [Gain],
    needed: u32,
}

impl Wanted<'_> {
    /// The first by `order` of those that are wanted. Whether one is wanted takes longer to say than which is first.
    fn best_of<K: Ord>(
        &self,
        copies: impl Iterator<Item = Gain>,
        order: impl Fn(&Gain) -> K,
    ) -> Option<Gain> {
        let mut best: Option<Gain> = None;
        for copy in copies {
            if best.is_none_or(|best| order(&copy) < order(&best)) && self.has(&copy) {
                best = Some(copy);
            }
        }
        best
    }

    fn is_everything(&self) -> bool {
        self.needed >= self.race.unfinished()
    }

    fn has(&self, copy: &Gain) -> bool {
        self.is_everything() || self.has_key(copy.done())
    }

    fn has_key(&self, key: (u64, u32, u32)) -> bool {
        let pending = self.race.pending_before(|units, task| self.of(units, task) < key);
        pending < self.needed && pending + self.running_before(key) < self.needed
    }

    /// Whether some pending one takes at least that long.
    fn has_pending_as_long_as(&self, nanos: u64) -> bool {
        let less = self.race.pending_before(|units, _| self.moment.new_attempt(units) < nanos);
        let first = self.race.nth_pending(less);
        first.is_some_and(|(units, task)| {
            self.is_everything() || less + self.running_before(self.of(units, task)) < self.needed
        })
    }

    fn of(&self, units: u32, task: u32) -> (u64, u32, u32) {
        (self.moment.new_attempt(units), units, task)
    }

    fn running_before(&self, key: (u64, u32, u32)) -> u32 {
        short(self.gains.iter().filter(|gain| gain.done() < key).count())
    }

    /// How many of the pending ones are wanted: of the smallest ones the n-th is if fewer than `needed - n` running tasks
    /// are done before it. What that says of larger and of smaller ones leaves few to look at.
    fn pending(&self) -> u32 {
        if self.is_everything() {
            return self.race.pending();
        }
        let (all, running) = (self.race.pending(), short(self.gains.len()));
        let (mut few, mut many) =
            (self.needed.saturating_sub(running).min(all), self.needed.min(all));
        for turn in (0..3).cycle() {
            if few >= many {
                break;
            }
            let n = [few, many - 1, few + (many - few) / 2][turn];
            let Some((units, task)) = self.race.nth_pending(n) else { break };
            let before = self.running_before(self.of(units, task));
            if n + before < self.needed {
                (few, many) = (n + 1, many.min(self.needed - before));
            } else {
                (few, many) = (few.max(self.needed.saturating_sub(before)), n);
            }
        }
        few
    }
}
