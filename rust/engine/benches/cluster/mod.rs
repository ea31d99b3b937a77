//! A full cluster of two workflows, for benchmarks.

use holdfast_engine::pareto::STRICT;
use holdfast_engine::{
    AttemptId, Config, Copies, Decision, Engine, Event, ExecutorId, HoldFor, JobId, Outcome,
    PoolId, ProfileId, Resources, SetId, StageId, StageKind, Time, WorkflowId,
};

pub const SLOTS: u32 = 4;
pub const SIZES: [Size; 3] = [Size::Usual, Size::Everything, Size::Fragments];
pub const IMPORTANT: SetId = SetId(0);
pub const BACKGROUND: SetId = SetId(1);

/// What is measured.
#[derive(Clone, Copy, Debug)]
pub enum Size {
    /// 1,000 executors, the default configuration.
    Usual,
    /// 30,000 executors; isolation below 1, an idle budget, copies of all stages, everybody holds in fair pools.
    Everything,
    /// 30,000 executors with a core too many, tasks of two cores; both workflows are as important and want all slots.
    Fragments,
}

impl Size {
    pub const fn executors(self) -> u32 {
        match self {
            Self::Usual => 1_000,
            Self::Everything | Self::Fragments => 30_000,
        }
    }

    pub const fn slots(self) -> u32 {
        self.executors() * SLOTS
    }

    fn config(self) -> Config {
        match self {
            Self::Usual | Self::Fragments => Config::default(),
            Self::Everything => Config {
                hold_for: HoldFor::All,
                idle_budget_ppm: Some(100_000),
                copies: Copies::All,
                ..Config::default()
            },
        }
    }
}

pub struct Host {
    pub engine: Engine,
    out: Vec<Decision>,
    now: u64,
}

impl Host {
    pub fn say(&mut self, event: Event) {
        self.now += 1_000;
        self.out.clear();
        self.engine.step(Time(self.now), &event, &mut self.out).expect("a valid event");
    }

    pub fn launch(&mut self, slot: u32, set: SetId, task: u32) {
        let executor = ExecutorId(slot / SLOTS);
        self.say(Event::Launched { attempt: AttemptId(slot), set, task, executor, local: true });
    }

    pub fn free(&mut self, slot: u32, outcome: Outcome) {
        self.say(Event::SlotFreed { attempt: AttemptId(slot), outcome });
    }
}

/// The cluster is full: an important workflow, which has a successor of the same width, runs on half of the slots; the
/// background runs on the rest and waits for more.
pub fn full_cluster(size: Size) -> Host {
    let out = Vec::with_capacity(64);
    let mut host = Host { engine: Engine::new(size.config()), out, now: 0 };
    let profile = ProfileId(0);
    let fragments = matches!(size, Size::Fragments);
    let (cores, rest) = if fragments { (2, 1) } else { (1, 0) };
    let demand = Resources::cpu(1_000 * cores);
    host.say(Event::ProfileDefined { profile, runs_on: profile, demand });
    for e in 0..size.executors() {
        let capacity = Resources::cpu(1_000 * (cores * SLOTS + rest));
        host.say(Event::ExecutorAdded { executor: ExecutorId(e), profile, capacity });
    }
    if matches!(size, Size::Everything) {
        let (pool, fair, weight, min_share) = (PoolId::ROOT, true, 1, 0);
        host.say(Event::PoolDefined { pool, fair, weight, min_share });
    }
    workflow(&mut host, size, IMPORTANT, 10);
    workflow(&mut host, size, BACKGROUND, if fragments { 10 } else { 0 });
    for slot in 0..size.slots() {
        let set = if slot % 2 == 0 { IMPORTANT } else { BACKGROUND };
        host.launch(slot, set, slot / 2);
    }
    host
}

fn workflow(host: &mut Host, size: Size, set: SetId, priority: i32) {
    let (workflow, job, parallelism) = (WorkflowId(set.0), JobId(set.0), 0);
    let everything = matches!(size, Size::Everything);
    let isolation = if everything { 900_000 } else { STRICT };
    let pool = if everything { PoolId(1 + set.0) } else { PoolId::ROOT };
    host.say(Event::WorkflowOpened { workflow, priority, isolation, parallelism, pool });
    host.say(Event::JobSubmitted { job, workflow, continues: true });
    let more = u32::from(matches!(size, Size::Fragments));
    let tasks = size.slots() / 2 * (1 + set.0 + more);
    let (profile, next_profile, next) = (ProfileId(0), ProfileId(0), tasks);
    for stage in [StageId(set.0), StageId(10 + set.0)] {
        let signature = stage.0;
        host.say(Event::StagePlanned { job, stage, tasks, next, next_profile, signature });
    }
    let (stage, fills_cache, kind) = (StageId(set.0), false, StageKind::ShuffleMap);
    host.say(Event::SetSubmitted { set, job, stage, tasks, profile, fills_cache, kind });
}
