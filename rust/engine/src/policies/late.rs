//! LATE (OSDI'08, section 4), for comparison: once nothing is pending, the slow task with the longest time to end is
//! copied, and no more than a tenth of the slots run copies.
//!
//! Its rule for slow nodes is left out: executors of a simulation are equal, and Spark excludes those that fail.

use crate::api::choice::Choice;
use crate::api::ids::Time;
use crate::policies::grass::race::{Race, Run};

/// SpeculativeCap: the share of slots that may run copies, in percent.
const CAP: u64 = 10;
/// SlowTaskThreshold: so many percent of the running tasks are slow.
const SLOW: usize = 25;

/// Returns what a slot is best used for; `copies` run now, on `slots`. Tasks count that have reported.
pub(crate) fn choose(
    race: &Race,
    now: Time,
    (copies, slots): (u32, u64),
    may: impl Fn(&Run) -> bool,
) -> Choice {
    if race.pending() > 0 {
        return Choice::Host;
    }
    if u64::from(copies) >= (slots * CAP).div_ceil(100) {
        return Choice::Nothing;
    }
    // Progress is slow where the whole attempt takes long.
    let mut wholes: Vec<u64> = race.running.iter().filter_map(Run::whole).collect();
    wholes.sort_unstable();
    let slowest = (wholes.len() * SLOW / 100).max(1);
    let Some(&slow) = wholes.iter().rev().nth(slowest - 1) else { return Choice::Nothing };
    let copied = race.running.iter().filter(|run| run.once && may(run));
    let copied = copied.filter(|run| run.whole().is_some_and(|whole| whole >= slow));
    let rest =
        |run: &Run| race.pace.remaining(run, race.pace.new_attempt(run.units).unwrap_or(0), now);
    let longest = copied.max_by_key(|run| (rest(run), std::cmp::Reverse(run.task)));
    longest.map_or(Choice::Nothing, |run| Choice::Copy(run.task))
}
