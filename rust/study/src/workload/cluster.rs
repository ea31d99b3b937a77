//! The executors of a world: those of a log, or nodes that are alike.

use holdfast_engine::Resources;
use holdfast_sim::world::{LONGEST_MS, LossSpec, NodesSpec};
use holdfast_trace::recording::Recording;
use rustc_hash::FxHashMap;

/// The executors of a log: when each joins, and when it leaves. From then on it gets no more tasks and ends those that
/// it has.
pub(super) struct Executors {
    pub(super) nodes: Vec<NodesSpec>,
    pub(super) losses: Vec<LossSpec>,
}

/// `patience` is as long as no task takes, in milliseconds.
pub(super) fn of_log(recording: &Recording, patience: u64) -> Executors {
    let mut hosts: FxHashMap<&str, u32> = FxHashMap::default();
    let mut nodes = Vec::new();
    let mut lives = Vec::new();
    // Not the last removal: a log need not have any at its end.
    let last = recording.last_end().unwrap_or(0);
    for executor in recording.surroundings.executors.iter().filter(|e| e.slots > 0) {
        let next = u32::try_from(hosts.len()).unwrap_or(u32::MAX);
        let host = *hosts.entry(&executor.host).or_insert(next);
        let (joins_ms, left) = recording.life(executor);
        // Clocks that are wrong: see the workflows' own limit.
        let joins_ms = joins_ms.min(LONGEST_MS);
        let capacity = Resources::cpu(executor.slots.saturating_mul(CORE));
        nodes.push(NodesSpec {
            first_host: Some(host),
            joins_ms,
            capacity,
            ..NodesSpec::new(1, 0)
        });
        // Those that leave when all has run go with the application: the simulated one may take longer.
        lives.push((joins_ms, left.filter(|&at| at + WITH_APPLICATION < last && at < LONGEST_MS)));
    }
    Executors { losses: losses(&lives, patience), nodes }
}

/// A core, as the engine counts it.
const CORE: u32 = 1000;
/// Executors that leave so shortly before the last task ends, in milliseconds, or later, are taken to leave with the
/// application.
const WITH_APPLICATION: u64 = 10_000;

/// Losses name executors by their place among those that are there, in the order of joining.
fn losses(lives: &[(u64, Option<u64>)], patience: u64) -> Vec<LossSpec> {
    const JOINS: u8 = 0;
    const LEAVES: u8 = 1;
    const GONE: u8 = 2;
    let mut events = Vec::new();
    for (place, &(joins, leaves)) in lives.iter().enumerate() {
        events.push((joins, JOINS, place));
        if let Some(at) = leaves {
            events.extend([(at, LEAVES, place), (at + patience, GONE, place)]);
        }
    }
    events.sort_unstable();
    let (mut there, mut losses) = (Vec::new(), Vec::new());
    for (at_ms, what, place) in events {
        match what {
            JOINS => there.push(place),
            GONE => there.retain(|&other| other != place),
            _ => losses.extend(there.iter().position(|&other| other == place).map(|executor| {
                LossSpec { at_ms, executor, replaced_after_ms: None, announced_ms: Some(patience) }
            })),
        }
    }
    losses
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_leaves_is_named_by_its_place_among_those_that_are_there() {
        // The first leaves at 10 and is gone at 15, the third comes at 12, the second leaves at 20, the third at 22.
        let lives = [(0, Some(10)), (0, Some(20)), (12, Some(22)), (12, None)];
        let told: Vec<_> = losses(&lives, 5).iter().map(|l| (l.at_ms, l.executor)).collect();
        assert_eq!(told, [(10, 0), (20, 0), (22, 1)]);
    }
}
