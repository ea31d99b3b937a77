//! Second attempts of running tasks: Spark's own choice, else the engine's.

use crate::cluster::level::Level;
use crate::cluster::place::Site;
use crate::driver::state::Driver;
use crate::ids::NONE;

/// Takes a task of which another attempt is to run there: Spark's own choice, else the engine's.
pub(crate) fn take_copy(
    driver: &mut Driver<'_>,
    set: u32,
    site: Site,
    allowed: Level,
) -> Option<(u32, Level)> {
    if let Some(found) = take_speculated(driver, set, site, allowed) {
        return Some(found);
    }
    let s = &driver.tasks.sets[set as usize];
    if s.count.waiting > 0 {
        return None;
    }
    let task = driver.shim.wire.copy(s.id, site.executor)?;
    Some((take_picked(driver, set, task, site.executor)?, allowed))
}

/// Takes a task that the engine has picked for a copy there, if it may run once more.
pub(crate) fn take_picked(driver: &Driver<'_>, set: u32, task: u32, executor: u32) -> Option<u32> {
    let t = driver.tasks.sets[set as usize].tasks.get(task as usize)?;
    let may = !t.successful && t.copies == 1 && !ran_on(driver, set, task, executor);
    may.then_some(task)
}

/// Takes Spark's own choice of a task that runs once more there.
fn take_speculated(
    driver: &mut Driver<'_>,
    set: u32,
    site: Site,
    most: Level,
) -> Option<(u32, Level)> {
    let mut speculated = driver.tasks.sets[set as usize].speculated.take()?;
    let s = &driver.tasks.sets[set as usize];
    let waits = |task: u32| {
        let t = &s.tasks[task as usize];
        !t.successful && t.copies <= 1
    };
    let stays = |task: u32| {
        let hosts = |e: u32| driver.cluster.executors[e as usize].host;
        attempts_of(driver, set, task).any(|e| hosts(e) == site.host)
    };
    let found = speculated.take(site, most, waits, stays);
    driver.tasks.sets[set as usize].speculated = Some(speculated);
    found
}

/// Returns whether an attempt of a task has ever run on an executor.
fn ran_on(driver: &Driver<'_>, set: u32, task: u32, executor: u32) -> bool {
    attempts_of(driver, set, task).any(|e| e == executor)
}

/// Returns where attempts of a task have run.
fn attempts_of(driver: &Driver<'_>, set: u32, task: u32) -> impl Iterator<Item = u32> {
    let s = &driver.tasks.sets[set as usize];
    let mut next = s.tasks[task as usize].latest;
    let unsettled = std::iter::from_fn(move || {
        let a = (next != NONE).then(|| &driver.tasks.attempts[next as usize])?;
        next = a.next;
        Some(a.executor)
    });
    let first = s.tasks[task as usize].executor;
    let ended = s.ended.iter().filter(move |ended| ended.task == task).map(|e| e.executor);
    unsettled.chain([first]).chain(ended)
}
