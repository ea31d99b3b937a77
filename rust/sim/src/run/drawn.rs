//! What a simulation says of its world at debug (`holdfast -vv`): its seed, what is in it, and when workflows arrive.

use log::{Level, debug, log_enabled};

use crate::world::{JobSpec, World};

/// Says what a world is made of; `only` is the only workflow that comes, if not all do.
pub(crate) fn say(world: &World, only: Option<usize>) {
    if !log_enabled!(Level::Debug) {
        return;
    }
    let only = only.or(world.only);
    let come = || (0..).zip(&world.workflows).filter(|&(w, _)| only.is_none_or(|only| only == w));
    let seed = world.seed;
    debug!(
        "seed {seed}: {} slots, {} of {} workflows, {} losses, {} changes of priority; engine {:?}",
        world.slots(),
        come().count(),
        world.workflows.len(),
        world.losses.len(),
        world.changes.len(),
        world.engine,
    );
    for (number, workflow) in come() {
        let tasks = |job: &JobSpec| job.stages.iter().map(|s| u64::from(s.tasks)).sum::<u64>();
        debug!(
            "seed {seed}: workflow {number} arrives at {} ms, priority {}, {} jobs of {} tasks",
            workflow.arrival_ms,
            workflow.priority,
            workflow.jobs.len(),
            workflow.jobs.iter().map(tasks).sum::<u64>(),
        );
    }
}
