//! Mantri (OSDI'10, section 5.1), for comparison: a task is copied where that probably saves slot-time, even while others
//! wait.

use crate::api::choice::Choice;
use crate::api::ids::Time;
use crate::policies::grass::race::{Race, Run};

/// delta: a copy is made if it saves slot-time with a probability above that, in percent.
const DELTA: usize = 25;

/// Returns what a slot is best used for: a copy of the task for which P(t_rem > 2 t_new) > delta, and that takes
/// longest; else the host's choice. t_new is one of the finished tasks' durations.
pub(crate) fn choose(race: &Race, now: Time, may: impl Fn(&Run) -> bool) -> Choice {
    let copied = race.running.iter().filter(|run| run.once && may(run));
    let pays = copied.filter_map(|run| {
        let rest = race.pace.remaining(run, race.pace.new_attempt(run.units)?, now);
        (rest > most(race, run)?).then_some((rest, std::cmp::Reverse(run.task)))
    });
    match pays.max() {
        Some((_, std::cmp::Reverse(task))) => Choice::Copy(task),
        None if race.pending() > 0 => Choice::Host,
        None => Choice::Nothing,
    }
}

/// What a task may still take at most before a copy pays; none while no task has finished.
pub(crate) fn most(race: &Race, run: &Run) -> Option<u64> {
    Some(race.pace.slower_than(DELTA, run.units)?.saturating_mul(2))
}
