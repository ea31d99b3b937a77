//! Executors that join and are lost (`executorLost`, `executorDecommission` of Spark 4.1).

use crate::driver::classify::levels_anew;
use crate::driver::decisions::tell;
use crate::driver::ends::{forget_attempt, forget_set, handle_failed, resubmit, stop_running};
use crate::driver::round::rounds::offer;
use crate::driver::state::Driver;
use crate::driver::tasks::attempt::Ending;
use crate::host::agenda::MILLI;
use crate::host::event::SimEvent;
use crate::ids::index;
use holdfast_engine::{Event as EngineEvent, ExecutorId};

/// Adds an executor of the world's nodes on a host.
pub(crate) fn join(driver: &mut Driver<'_>, nodes: u32, host: u32) {
    let nodes = &driver.world.cluster[nodes as usize];
    let executor = driver.cluster.join(host, nodes.capacity, nodes.speed);
    driver.meter.joined(driver.agenda.now, &nodes.capacity, true);
    offer(driver, executor);
}

/// Begins a loss of the world: at once, or after a notice.
pub(crate) fn lose(driver: &mut Driver<'_>, loss: u32) {
    let spec = &driver.world.losses[loss as usize];
    let Some(&executor) = driver.cluster.alive.get(spec.executor) else { return };
    let Some(millis) = spec.announced_ms else { return lose_executor(driver, executor, loss) };
    tell(driver, EngineEvent::ExecutorBarred { executor: ExecutorId(executor), barred: true });
    driver.cluster.executors[executor as usize].leaving = true;
    driver.cluster.refresh(executor);
    for set in live_sets(driver) {
        levels_anew(driver, set);
    }
    driver.agenda.revive_offers();
    driver.agenda.plan(millis * MILLI, SimEvent::Gone(executor, loss));
}

/// Removes an executor with all that ran on it; another one may take its place.
pub(crate) fn lose_executor(driver: &mut Driver<'_>, executor: u32, loss: u32) {
    if !driver.cluster.executors[executor as usize].alive {
        return;
    }
    let e = &driver.cluster.executors[executor as usize];
    let (host, capacity, speed) = (e.host, e.capacity, e.speed);
    tell(driver, EngineEvent::ExecutorLost { executor: ExecutorId(executor) });
    driver.cluster.lose(executor);
    driver.meter.joined(driver.agenda.now, &capacity, false);
    for set in live_sets(driver) {
        lose_in(driver, set, executor);
    }
    driver.agenda.revive_offers();
    if let Some(millis) = driver.world.losses[loss as usize].replaced_after_ms {
        let same = |n: &crate::world::NodesSpec| n.capacity == capacity && n.speed == speed;
        if let Some(nodes) = driver.world.cluster.iter().position(same) {
            driver.agenda.plan(millis * MILLI, SimEvent::Join(index(nodes), host));
        }
    }
}

/// Returns sets that have not left the scheduler, pool by pool, in the order of their submission.
fn live_sets(driver: &Driver<'_>) -> Vec<u32> {
    let live = driver.tasks.sets.iter().filter(|(_, s)| !s.life.finished);
    let mut live: Vec<_> = live
        .map(|(set, s)| (driver.queues.order.lanes[s.lane as usize].pool, s.id, index(set)))
        .collect();
    live.sort_unstable();
    live.into_iter().map(|(.., set)| set).collect()
}

/// Tells one set that an executor is lost (`TaskSetManager.executorLost`).
fn lose_in(driver: &mut Driver<'_>, set: u32, executor: u32) {
    let s = &mut driver.tasks.sets[set as usize];
    // It must not be forgotten in here.
    s.count.unsettled += 1;
    let launched: usize = s.tasks.iter().map(|task| usize::from(task.attempts)).sum();
    let mut again = Vec::new();
    if s.kind.shuffle && !s.life.zombie {
        let mut lost = s.ended.clone();
        lost.retain(|e| e.executor == executor && !e.superseded);
        lost.sort_unstable_by_key(|e| hashed(e.number, launched));
        for ended in lost {
            if driver.tasks.sets[set as usize].tasks[ended.task as usize].successful {
                resubmit(driver, set, ended.task);
                again.push(ended.task);
            }
        }
    }
    let attempts = driver
        .tasks
        .attempts
        .iter()
        .filter(|(_, a)| a.set == set && a.executor == executor && !a.settled);
    let mut attempts: Vec<_> = attempts.map(|(key, a)| (a.number, index(key))).collect();
    attempts.sort_unstable_by_key(|&(number, _)| hashed(number, launched));
    for (_, attempt) in attempts {
        lose_attempt(driver, attempt);
    }
    levels_anew(driver, set);
    let id = driver.tasks.sets[set as usize].id;
    again.sort_unstable();
    if !driver.tasks.sets[set as usize].life.over {
        again.into_iter().for_each(|task| tell(driver, EngineEvent::Unfinished { set: id, task }));
    }
    driver.tasks.sets[set as usize].count.unsettled -= 1;
    forget_set(driver, set);
}

fn lose_attempt(driver: &mut Driver<'_>, attempt: u32) {
    let a = &mut driver.tasks.attempts[attempt as usize];
    let (runs, planned, set) = (a.runs, a.end.take(), a.set);
    let launched = a.launched;
    if a.ending == Ending::FetchFailed {
        // Spark has not looked at it, and never will.
        a.ending = Ending::Killed;
    }
    if runs {
        a.runs = false;
        a.ending = Ending::Killed;
        if let Some(ticket) = planned {
            driver.agenda.queue.cancel(ticket);
        }
        let foreground = driver.tasks.sets[set as usize].kind.foreground;
        driver.meter.freed(driver.agenda.now, foreground, driver.agenda.now.since(launched), true);
        stop_running(driver, set);
    }
    handle_failed(driver, attempt);
    if runs {
        forget_attempt(driver, attempt);
    }
}

/// Returns by which a set goes through its attempts: Spark keeps them by their numbers, in a hash map (`taskInfos`,
/// Scala 2.13) that is at most three quarters full.
fn hashed(number: u32, launched: usize) -> (u32, u32) {
    let mut size = 16;
    while launched * 4 >= size * 3 {
        size *= 2;
    }
    let hash = number ^ (number >> 16);
    (hash & (index(size) - 1), hash)
}
