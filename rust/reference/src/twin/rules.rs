//! What a slot is best used for (GR-2, GR-3, GR-8): a pending task, a copy of a running one, or nothing.

use holdfast_engine::{Choice, EngineError, ExecutorId, SetId, Stragglers, Time};

use super::races::{Limit, Race};
use super::state::Set;
use super::{Bug, Reference};

/// Parts of a nanosecond in which the duration of a unit is kept.
const FINE: u32 = 20;
/// With more pending tasks the host keeps its own order.
const MOST_ORDERED: u32 = 4_096;

/// An unfinished task.
#[derive(Clone, Copy, Debug)]
struct Racer {
    task: u32,
    units: u32,
    /// t_new.
    new: Option<u64>,
    /// t_rem; of a task that does not run t_new.
    rest: u64,
    runs: bool,
    /// Where it runs, if it may get a copy.
    copied_from: Option<ExecutorId>,
    /// How long its first attempt takes, if it has reported.
    whole: Option<u64>,
}

impl Racer {
    /// When it is done at best. Nothing is known before any task has finished.
    fn done(&self) -> (u64, u32, u32) {
        (self.new.map_or(0, |new| new.min(self.rest)), self.units, self.task)
    }

    fn size(&self) -> (u64, u32, u32) {
        (self.new.unwrap_or(0), self.units, self.task)
    }

    /// c t_rem - (c + 1) t_new with one attempt that runs.
    fn saving(&self) -> i128 {
        i128::from(self.rest) - 2 * i128::from(self.new.unwrap_or(0))
    }
}

impl Race {
    pub(super) fn units(&self, task: u32) -> u32 {
        self.sizes.get(&task).copied().unwrap_or(1)
    }

    /// What each of the finished tasks would have taken if it were of that size, the least first.
    fn durations(&self, units: u32) -> Vec<u64> {
        let of = |&(took, size): &(u64, u32)| {
            let fine = (u128::from(took) << FINE) / u128::from(size);
            let fine = u64::try_from(fine).unwrap_or(u64::MAX);
            u64::try_from((u128::from(fine) * u128::from(units)) >> FINE).unwrap_or(u64::MAX)
        };
        let mut all: Vec<u64> = self.ended.iter().map(of).collect();
        all.sort_unstable();
        all
    }
}

impl Reference {
    /// t_new: the lower median.
    pub(super) fn median(race: &Race, units: u32) -> Option<u64> {
        let all = race.durations(units);
        Some(all[all.len().checked_sub(1)? / 2])
    }

    fn racer(&self, set: &Set, task: u32) -> Racer {
        let (race, units) = (&set.race, set.race.units(task));
        let new = Self::median(race, units);
        let attempts: Vec<_> = self.attempts_of(set, task).collect();
        let first = race.reports.get(&(task, false));
        let soonest = [first, race.reports.get(&(task, true))].into_iter().flatten().min();
        let since = set.since.get(&task).copied().unwrap_or(self.now);
        let ran = self.now.since(since);
        let rest = match (attempts.is_empty(), soonest) {
            (true, _) => new.unwrap_or(0),
            (false, Some(ends)) => ends.since(self.now),
            (false, None) => {
                let usual = new.unwrap_or(0).saturating_sub(ran);
                usual.max(ran.saturating_mul(race.tail_milli) / 1_000)
            }
        };
        let failed = set.failed.contains(&task) && !self.has(Bug::PickAfterFailure);
        let again = failed || set.copied.contains(&task);
        let copied_from = match attempts.as_slice() {
            [only] if !again => Some(only.executor),
            _ => None,
        };
        let runs = !attempts.is_empty();
        let whole = first.filter(|_| runs).map(|ends| ends.since(since));
        Racer { task, units, new, rest, runs, copied_from, whole }
    }

    fn racers(&self, set: &Set) -> Vec<Racer> {
        let open = (0..set.tasks).filter(|task| !set.finished.contains(task));
        open.map(|task| self.racer(set, task)).collect()
    }

    /// See `Engine::pick`.
    ///
    /// # Errors
    /// Unknown set or executor.
    pub fn pick(&self, set: SetId, executor: ExecutorId) -> Result<Choice, EngineError> {
        Ok(self.choice(self.ask(set, executor)?, Some(executor)))
    }

    /// What a set launches next on an executor; on any, without one.
    pub(super) fn choice(&self, set: &Set, executor: Option<ExecutorId>) -> Choice {
        if self.picks_backwards() {
            return self.backwards(set, executor);
        }
        if !self.races() || set.zombie {
            return Choice::Host;
        }
        let may_copy = set.race.may_copy && !self.outranked(set.workflow);
        match self.best(set, may_copy, executor) {
            Choice::Pending { .. } if self.pending(set) > MOST_ORDERED => Choice::Host,
            choice => choice,
        }
    }

    /// The copies that a set without pending tasks wants if nobody more important waits: the best, and the best where the
    /// task of that one runs.
    pub(super) fn copies_wanted(&self, set: &Set) -> Vec<u32> {
        let copy = |executor| match self.best(set, set.race.may_copy, executor) {
            Choice::Copy(task) => Some(task),
            Choice::Host | Choice::Pending { .. } | Choice::Nothing => None,
        };
        let Some(best) = copy(None) else { return Vec::new() };
        let there = self.racer(set, best).copied_from;
        [Some(best), copy(there)].into_iter().flatten().collect()
    }

    fn best(&self, set: &Set, may_copy: bool, executor: Option<ExecutorId>) -> Choice {
        let all = self.racers(set);
        let (mut copies, mut pending) = (all.clone(), all.clone());
        let beside = self.has(Bug::PickBesideOriginal);
        let elsewhere = |from: ExecutorId| Some(from) != executor || beside;
        copies.retain(|racer| may_copy && racer.copied_from.is_some_and(elsewhere));
        pending.retain(|racer| !racer.runs);
        pending.sort_by_key(|racer| (racer.units, racer.task));
        match (self.config.stragglers, set.race.limit) {
            (Stragglers::Late, _) => self.late(&all, copies, pending.is_empty()),
            (Stragglers::Mantri, _) => self.mantri(set, copies, pending.is_empty()),
            (_, Limit::Deadline(at)) => self.by_deadline(set, at, copies, &pending),
            (_, Limit::Enough(_) | Limit::None) => self.by_error(set, all, copies, &pending),
        }
    }

    /// Whether a copy pays by the rule of the set.
    fn pays(&self, set: &Set, racer: &Racer) -> bool {
        let Some(new) = racer.new else { return false };
        if set.race.greedy {
            new < racer.rest || self.has(Bug::GsCopiesAnyway)
        } else if self.has(Bug::RasForgetsSecondCost) {
            new < racer.rest
        } else {
            racer.saving() > 0
        }
    }

    /// Pseudocode 1: as many tasks as possible by then.
    fn by_deadline(
        &self,
        set: &Set,
        at: Time,
        mut copies: Vec<Racer>,
        pending: &[Racer],
    ) -> Choice {
        let left = if self.has(Bug::TimeLeftIgnored) { u64::MAX } else { at.since(self.now) };
        copies.retain(|racer| self.pays(set, racer) && racer.size().0 <= left);
        if set.race.greedy {
            copies.sort_by_key(Racer::size);
        } else {
            copies.sort_by_key(|racer| (-racer.saving(), racer.task));
        }
        match (copies.first(), pending.first()) {
            (Some(copy), None) => Choice::Copy(copy.task),
            (Some(copy), Some(_)) if !set.race.greedy => Choice::Copy(copy.task),
            (Some(copy), Some(first)) if copy.size() < first.size() || first.size().0 > left => {
                Choice::Copy(copy.task)
            }
            (_, Some(_)) => Choice::Pending { largest: false, most: u32::MAX },
            (None, None) => Choice::Nothing,
        }
    }

    /// Pseudocode 2: of the tasks that are done first, as many as are needed.
    fn by_error(
        &self,
        set: &Set,
        mut all: Vec<Racer>,
        mut copies: Vec<Racer>,
        pending: &[Racer],
    ) -> Choice {
        let needed = self.needed(set) as usize;
        if needed == 0 && !self.has(Bug::MetBoundLaunches) {
            return Choice::Nothing;
        }
        all.sort_by_key(|racer| if racer.runs { racer.done() } else { racer.size() });
        let among = |most: usize, racer: &Racer| {
            all.iter().take(most).any(|other| other.task == racer.task)
        };
        let kept = self.kept(set, all.len());
        let largest = pending.iter().rfind(|racer| among(needed, racer));
        copies.retain(|racer| self.pays(set, racer) && among(kept, racer));
        if set.race.greedy {
            let longest = pending.iter().rfind(|racer| among(kept, racer));
            let longest = longest.and_then(|racer| racer.new);
            copies.retain(|racer| longest.is_none_or(|longest| racer.rest > longest));
            copies.sort_by_key(|racer| (std::cmp::Reverse(racer.rest), racer.task));
        } else {
            copies.sort_by_key(|racer| (-racer.saving(), racer.task));
        }
        match (copies.first(), pending.is_empty(), largest) {
            (Some(copy), ..) => Choice::Copy(copy.task),
            (None, true, _) => Choice::Nothing,
            (None, false, _) if set.race.limit == Limit::None => Choice::Host,
            (None, false, Some(task)) => Choice::Pending { largest: true, most: task.units },
            (None, false, None) => Choice::Pending { largest: false, most: u32::MAX },
        }
    }

    /// LATE: copies on a tenth of the slots, of the slowest quarter, the one that ends last.
    fn late(&self, all: &[Racer], mut copies: Vec<Racer>, nothing_waits: bool) -> Choice {
        if !nothing_waits {
            return Choice::Host;
        }
        let seconds = self.attempts.values().filter_map(|attempt| attempt.race);
        let seconds = seconds.filter(|runner| runner.second).count() as u128;
        if seconds >= self.all_slots().div_ceil(10) && !self.has(Bug::LateUncapped) {
            return Choice::Nothing;
        }
        let mut wholes: Vec<u64> = all.iter().filter_map(|racer| racer.whole).collect();
        wholes.sort_unstable_by(|a, b| b.cmp(a));
        wholes.truncate((wholes.len() / 4).max(1));
        copies.retain(|racer| racer.whole.is_some_and(|whole| Some(&whole) >= wholes.last()));
        copies.sort_by_key(|racer| (std::cmp::Reverse(racer.rest), racer.task));
        copies.first().map_or(Choice::Nothing, |racer| Choice::Copy(racer.task))
    }

    /// Mantri: P(t_rem > 2 t_new) > 1/4, even while others wait.
    fn mantri(&self, set: &Set, mut copies: Vec<Racer>, nothing_waits: bool) -> Choice {
        copies.retain(|racer| {
            let all = set.race.durations(racer.units);
            let faster = all.iter().filter(|new| new.saturating_mul(2) < racer.rest).count();
            let share = if self.has(Bug::MantriWantsHalf) { 2 } else { 4 };
            faster * share > all.len()
        });
        copies.sort_by_key(|racer| (std::cmp::Reverse(racer.rest), racer.task));
        match copies.first() {
            Some(racer) => Choice::Copy(racer.task),
            None if nothing_waits => Choice::Nothing,
            None => Choice::Host,
        }
    }

    /// When the next task that has not reported may deserve a copy, by its age alone.
    pub(super) fn comes_of_age(&self, set: &Set) -> Option<Time> {
        let of_age = |racer: &Racer| {
            let all = set.race.durations(racer.units);
            let most = match self.config.stragglers {
                Stragglers::Late => return None,
                Stragglers::Mantri => all.get(all.len() / 4)?.saturating_mul(2),
                _ if set.race.greedy => racer.new?,
                _ => racer.new?.saturating_mul(2),
            };
            // From then on tail_milli of its age, in thousandths, are more than that.
            let age = most.saturating_add(1).saturating_mul(1_000);
            Some(set.since[&racer.task].after(age.div_ceil(set.race.tail_milli.max(1))))
        };
        let all = self.racers(set);
        let racers = all.iter().filter(|racer| racer.copied_from.is_some());
        let silent = racers.filter(|racer| racer.whole.is_none() && set.race.may_copy);
        let mut times: Vec<Time> = silent.filter_map(of_age).collect();
        let others = matches!(self.config.stragglers, Stragglers::Late | Stragglers::Mantri);
        if set.race.may_copy && !others && self.kept(set, all.len()) < all.len() {
            times.extend(self.overtaken(set, &all));
        }
        times.into_iter().filter(|at| *at > self.now).min()
    }

    /// When tasks without a report fall behind those that may get a copy.
    fn overtaken(&self, set: &Set, all: &[Racer]) -> Vec<Time> {
        let said = |task| [false, true].iter().any(|b| set.race.reports.contains_key(&(task, *b)));
        let silent = all.iter().filter(|racer| racer.runs && !said(racer.task));
        let copied = all.iter().filter(|racer| racer.copied_from.is_some());
        let news: Vec<u64> = copied.filter_map(|racer| racer.new).collect();
        let at = |racer: &Racer, new: u64| {
            let age = new.saturating_sub(1).saturating_add(1).saturating_mul(1_000);
            set.since[&racer.task].after(age.div_ceil(set.race.tail_milli.max(1)))
        };
        silent.flat_map(|racer| news.iter().map(move |new| at(racer, *new))).collect()
    }

    /// Of so many unfinished tasks those that may get a copy: the share that the bound asks for.
    fn kept(&self, set: &Set, unfinished: usize) -> usize {
        match set.race.limit {
            Limit::Enough(_) if self.has(Bug::CopiesOfNeededOnly) => self.needed(set) as usize,
            Limit::Enough(tasks) => (unfinished * tasks as usize).div_ceil(set.tasks as usize),
            Limit::None | Limit::Deadline(_) => unfinished,
        }
    }
}
