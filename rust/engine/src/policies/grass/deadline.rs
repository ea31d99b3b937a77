//! Deadline-bound sets (NSDI'14, Pseudocode 1): as many tasks as possible by then.

use crate::api::choice::Choice;
use crate::api::ids::Time;
use crate::policies::grass::gain::{Gain, Moment};
use crate::policies::grass::race::{Mode, Race, Run};

/// Returns what a slot is best used for. `may` says which running tasks may get a copy there.
///
/// Tasks that a new attempt would not finish in time are left out. GS takes the one that ends first, and copies only if
/// the copy ends before the original. RAS takes the copy that saves most slot-time, else the smallest pending task. If
/// nothing ends in time the smallest pending one begins all the same (docs/adr/0022).
pub(crate) fn choose(race: &Race, now: Time, deadline: Time, may: impl Fn(&Run) -> bool) -> Choice {
    let left = deadline.since(now);
    let moment = Moment::new(race, now);
    let smallest = race.nth_pending(0);
    let copies = race.running.iter().filter(|run| run.once && may(run));
    let copies = copies.map(|run| moment.gain(run)).filter(|gain| gain.new <= left);
    let pending = Choice::Pending { largest: false, most: u32::MAX };
    match race.mode {
        Mode::Ras => {
            let best = copies.filter(Gain::saves).min_by_key(Gain::most_saving);
            match (best, smallest) {
                (Some(copy), _) => Choice::Copy(copy.task),
                (None, Some(_)) => pending,
                (None, None) => Choice::Nothing,
            }
        }
        Mode::Gs => {
            let best = copies.filter(Gain::is_sooner).min_by_key(Gain::size);
            let first = smallest.map(|(units, task)| (moment.new_attempt(units), units, task));
            match (best, first) {
                (Some(copy), Some(first)) if copy.size() < first || first.0 > left => {
                    Choice::Copy(copy.task)
                }
                (Some(copy), None) => Choice::Copy(copy.task),
                (_, Some(_)) => pending,
                (None, None) => Choice::Nothing,
            }
        }
    }
}
