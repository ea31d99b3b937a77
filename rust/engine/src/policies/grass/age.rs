//! Tasks that have not reported: the longer one runs, the longer it may be expected to run on.

use crate::api::config::Stragglers;
use crate::api::ids::Time;
use crate::policies::grass::estimates::NEVER;
use crate::policies::grass::race::{Mode, Race};
use crate::policies::mantri;

/// When the next task without a report may deserve a copy: its estimate grows with time. `ages` is room to work in.
pub(super) fn comes_of_age(
    rule: Stragglers,
    race: &Race,
    now: Time,
    ages: &mut Vec<u64>,
) -> Option<Time> {
    if !race.may_copy {
        return None;
    }
    let silent = race.running.iter().filter(|run| run.once && run.whole().is_none());
    let due = silent.filter_map(|run| {
        let most = match (rule, race.mode) {
            (Stragglers::Late, _) => return None,
            (Stragglers::Mantri, _) => mantri::most(race, run)?,
            (_, Mode::Gs) => race.pace.new_attempt(run.units)?,
            (_, Mode::Ras) => race.pace.new_attempt(run.units)?.saturating_mul(2),
        };
        Some(run.since.after(race.pace.age_of(most)))
    });
    let ranks = overtaken(rule, race, now, ages);
    due.chain(ranks).filter(|&due| due > now).min()
}

/// When the next task without a report falls behind one that may get a copy: that one may then be among those that are
/// done first. Such a one is done in t_new.
fn overtaken(rule: Stragglers, race: &Race, now: Time, ages: &mut Vec<u64>) -> Option<Time> {
    if matches!(rule, Stragglers::Late | Stragglers::Mantri) || race.kept() == race.unfinished() {
        return None;
    }
    let copied = race.running.iter().filter(|run| run.once);
    let news = copied.filter_map(|run| race.pace.new_attempt(run.units));
    ages.clear();
    ages.extend(news.map(|new| race.pace.age_of(new.saturating_sub(1))));
    ages.sort_unstable();
    let silent = race.running.iter().filter(|run| run.ends == [NEVER; 2]);
    let next = silent.filter_map(|run| {
        let place = ages.partition_point(|&age| run.since.after(age) <= now);
        Some(run.since.after(*ages.get(place)?))
    });
    next.min()
}
