//! Why a running task is copied, or not, for reports. Nothing here is on a hot path.

use crate::api::choice::Choice;
use crate::api::config::Stragglers;
use crate::api::ids::Time;
use crate::ledger::{Ledger, Set};
use crate::policies::grass::gain::{Gain, Moment};
use crate::policies::grass::race::{Limit, Mode, Race, Run};
use crate::policies::grass::state::{Races, outranked};

/// A running task, and what a copy of it would do, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunView {
    /// Which task.
    pub task: u32,
    /// `t_rem` and `t_new`; none while no task of the set has finished.
    pub estimates: Option<(u64, u64)>,
    /// The rule is GS; else RAS.
    pub greedy: bool,
    /// When the bound passes, of a deadline that has not.
    pub deadline: Option<Time>,
    /// How many tasks are still needed.
    pub needed: u32,
    /// Whether it is copied.
    pub copying: Copying,
}

/// Whether a running task gets a copy on the next slot elsewhere, and why not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Copying {
    /// It does.
    Next,
    /// It would, but the set has a better use for the slot.
    Later,
    /// It runs twice, ran twice before, or has failed.
    Twice,
    /// A second run is not safe.
    Unsafe,
    /// Enough tasks are done.
    Enough,
    /// Tasks of a more important workflow wait.
    Outranked,
    /// No task of the set has finished.
    Unknown,
    /// It would end after the deadline.
    Late,
    /// GS: it would not end before the task. RAS: both together take as much slot-time as the task alone, or more.
    NoGain,
}

/// Returns the running tasks of a set at a moment.
pub(crate) fn runs(races: &Races, ledger: &Ledger, now: Time, set: &Set) -> Vec<RunView> {
    let Some(entry) = races.entry(set.id).filter(|_| !set.zombie) else { return Vec::new() };
    let race = &*entry.race.sorted();
    let moment = Moment::new(race, now);
    let view = |run: &Run| {
        let gain = moment.gain(run);
        let deadline = match race.limit {
            Limit::Deadline(at) => Some(at),
            Limit::Enough(_) | Limit::None => None,
        };
        let why_not = why_not(races.rule, race, run, (now, &gain, outranked(ledger, set)));
        let turn = || match races.best(ledger, now, entry, (true, None)) {
            Choice::Copy(task) if task == run.task => Copying::Next,
            _ => Copying::Later,
        };
        RunView {
            task: run.task,
            estimates: race.pace.unit().map(|_| (gain.rest, gain.new)),
            greedy: race.mode == Mode::Gs,
            deadline,
            needed: race.needed(),
            copying: why_not.unwrap_or_else(turn),
        }
    };
    race.running.iter().map(view).collect()
}

fn why_not(
    rule: Stragglers,
    race: &Race,
    run: &Run,
    (now, gain, outranked): (Time, &Gain, bool),
) -> Option<Copying> {
    let gains = match (rule, race.mode) {
        // Whom these choose is their own matter.
        (Stragglers::Late | Stragglers::Mantri, _) => true,
        (_, Mode::Gs) => gain.is_sooner(),
        (_, Mode::Ras) => gain.saves(),
    };
    let late = matches!(race.limit, Limit::Deadline(at) if gain.new > at.since(now));
    let reasons = [
        (!run.once, Copying::Twice),
        (!race.may_copy, Copying::Unsafe),
        (race.needed() == 0, Copying::Enough),
        (outranked, Copying::Outranked),
        (race.pace.unit().is_none(), Copying::Unknown),
        (!gains, Copying::NoGain),
        (late, Copying::Late),
    ];
    reasons.into_iter().find_map(|(holds, reason)| holds.then_some(reason))
}
