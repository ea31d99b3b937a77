//! Barrier sets: all tasks start together, or none does (`TaskSchedulerImpl.resourceOffers` of Spark 4.1, and the
//! shim's `Asks.barrierFits`).

use crate::cluster::level::Level;
use crate::cluster::place::Site;
use crate::driver::round::launch::launch;
use crate::driver::round::turn::Turn;
use crate::driver::state::Driver;

/// A task that has been given a slot: place of the offer, executor, task, level.
type Given = (u32, u32, u32, Level);

/// Takes the turn of a barrier set in a round.
pub(crate) fn visit_together(driver: &mut Driver<'_>, set: u32) -> Turn {
    let mut turn = Turn::default();
    let s = &driver.tasks.sets[set as usize];
    // Spark takes back what it has given to some of the tasks only.
    if s.count.waiting as usize != s.tasks.len() {
        return turn;
    }
    let mut rooms = rooms_for(driver, set);
    let room: u64 = rooms.iter().map(|&(_, room)| u64::from(room)).sum();
    if room < driver.tasks.sets[set as usize].tasks.len() as u64 {
        return turn;
    }
    let mut given = give(driver, set, &mut rooms);
    // Spark numbers and tells them in the order of tasks.
    given.sort_unstable_by_key(|&(_, _, task, _)| task);
    for (_, executor, task, level) in given {
        launch(driver, set, task, level, executor, false);
    }
    let (now, all) = (driver.agenda.now, driver.round.offers.all);
    let s = &mut driver.tasks.sets[set as usize];
    s.pending.clear();
    if all || s.delay.no_rejects {
        s.delay.launched(now, Some(Level::Process));
    }
    (turn.launched, turn.settled) = (true, true);
    turn
}

/// Returns the offers of this round in their order, and how many tasks of a barrier set fit on each.
fn rooms_for(driver: &mut Driver<'_>, set: u32) -> Vec<(u32, u32)> {
    let (id, demand) =
        (driver.tasks.sets[set as usize].id, driver.tasks.sets[set as usize].kind.demand);
    let mut rooms = Vec::new();
    let mut number = driver.round.offers.first(&driver.cluster);
    while let Some(executor) = driver.round.offers.get(number, &driver.cluster) {
        number += 1;
        let free = driver.cluster.executors[executor as usize].free;
        let room = driver.shim.wire.barrier_room(id, &demand, executor, &free);
        if room > 0 {
            rooms.push((executor, room));
        }
    }
    rooms
}

/// Gives one task to each offer with room, again and again, until each task has a slot.
fn give(driver: &mut Driver<'_>, set: u32, rooms: &mut [(u32, u32)]) -> Vec<Given> {
    let mut given = Vec::new();
    let tasks = driver.tasks.sets[set as usize].tasks.len();
    while given.len() < tasks {
        for (executor, room) in rooms.iter_mut().filter(|(_, room)| *room > 0) {
            if given.len() == tasks {
                break;
            }
            let host = driver.cluster.executors[*executor as usize].host;
            let site = Site { executor: *executor, host };
            let Some((task, level)) = driver.tasks.sets[set as usize].take(site, Level::Any) else {
                return given;
            };
            given.push((driver.round.offers.place(*executor), *executor, task, level));
            *room -= 1;
        }
    }
    given
}
