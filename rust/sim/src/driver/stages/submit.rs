//! Task sets: how they come (`submitTasks` of Spark 4.1 and of the shim).

use crate::driver::classify::{classify, key_of, take_out};
use crate::driver::priorities::lane_of;
use crate::driver::sizes::tell_sizes;
use crate::driver::stages::announce::{tell_job, tell_set};
use crate::driver::state::Driver;
use crate::driver::tasks::delay::Delay;
use crate::driver::tasks::pending::Pending;
use crate::driver::tasks::set::{Counts, Heard, Life, Queued, SetKind, Source, Task, TaskSet};
use crate::driver::tasks::speculation::Speculated;
use crate::host::agenda::MILLI;
use crate::ids::{NONE, index};
use crate::world::Durations;
use crate::world::draw::About;
use holdfast_engine::SetId;

/// Submits a task set (`submitMissingTasks`, `submitTasks`).
pub(crate) fn submit_set(driver: &mut Driver<'_>, stage: u32) {
    let s = &mut driver.dag.stages[stage as usize];
    s.attempts += 1;
    s.active = true;
    let job = s.job;
    let parts = s.some_missing();
    let tasks = s.missing;
    tell_job(driver, job);
    let set = new_set(driver, stage, parts, tasks);
    let id = driver.tasks.sets[set as usize].id;
    tell_set(driver, stage, id, tasks);
    let workflow = driver.dag.jobs[job as usize].of.0 as usize;
    let pool = driver.queues.order.pool_of(driver.world.workflows[workflow].pool);
    driver.tasks.sets[set as usize].lane = lane_of(driver, set, pool);
    driver.tasks.sets[set as usize].queued.key = key_of(driver, set);
    // A stage has one set that launches.
    let others = driver.dag.jobs[job as usize].sets.clone();
    for other in others {
        if driver.tasks.sets[other as usize].stage == stage {
            take_out(driver, other);
        }
    }
    driver.dag.jobs[job as usize].sets.push(set);
    let owner = driver.tasks.sets[set as usize].owner;
    let known = &mut driver.shim.workflows[owner as usize];
    let (held, expired) = (std::mem::take(&mut known.held), std::mem::take(&mut known.expired));
    driver.meter.barrier(held, expired);
    driver.shim.workflows[owner as usize].sets.push(set);
    tell_sizes(driver, set);
    if driver.shim.wire.enforces && !driver.tasks.sets[set as usize].kind.shared {
        driver.queues.special.push(set);
    }
    classify(driver, set);
    driver.agenda.revive_offers();
}

/// Makes a set that has no lane yet. Returns its place in the table of sets.
fn new_set(driver: &mut Driver<'_>, stage: u32, parts: Option<Box<[u32]>>, tasks: u32) -> u32 {
    let places = driver.preferences().places(stage, parts.as_deref(), tasks);
    let s = &driver.dag.stages[stage as usize];
    let (job, spec) = (s.job, s.spec(driver.world));
    let of = &driver.dag.jobs[job as usize];
    let speculation = driver.world.spark.speculation.as_ref().filter(|_| !spec.barrier);
    let speculated =
        speculation.map(|config| Box::new(Speculated::new(tasks, places.clone(), config)));
    let pending = Pending::new(tasks, places);
    let cluster = &driver.cluster;
    let levels = TaskSet::levels(&pending, |e| cluster.stays(e), |h| cluster.host_stays(h));
    let delay = Delay::new(levels, driver.agenda.now, driver.world.spark.locality_wait_ms * MILLI);
    let owner = of.owner.unwrap_or(NONE);
    let workflow = &driver.world.workflows[of.of.0 as usize];
    let profile = index(spec.profile);
    let fresh = Task { copies: 0, attempts: 0, successful: false, latest: NONE, executor: NONE };
    let id = SetId(driver.tasks.next_set);
    driver.tasks.next_set += 1;
    let shuffle = s.place + 1 < of.stages || driver.dag.job_spec(driver.world, job).ends_in_shuffle;
    let durations = match &spec.durations {
        Durations::Recorded { .. } | Durations::Resampled { .. } => None,
        drawn => Some(drawn.clone()),
    };
    let set = TaskSet {
        tasks: vec![fresh; tasks as usize],
        count: Counts { waiting: tasks, running: 0, unsettled: 0, done: 0 },
        id,
        owner,
        stage,
        lane: NONE,
        queued: Queued::new(),
        delay,
        life: Life::default(),
        kind: SetKind {
            demand: driver.demand(profile),
            profile,
            shared: false,
            by_holds: false,
            foreground: workflow.foreground,
            together: spec.barrier,
            shuffle,
        },
        speculated,
        heard: Heard { missed: driver.admission.missed, seen: driver.cluster.introduced },
        source: Source {
            draw: s.draw(driver.draw.about(About::Duration)),
            job,
            stage_id: s.id,
            stage_attempt: s.attempts - 1,
            parts,
            durations,
            sized: !spec.sizes.is_empty(),
            units: Vec::new(),
        },
        pending,
        ended: Vec::new(),
    };
    let set = index(driver.tasks.sets.insert(set));
    driver.tasks.calls.resize(driver.tasks.sets.capacity().max(driver.tasks.calls.len()), 0);
    set
}
