//! Time of one step and one ask at 1,000 executors x 4 slots.
//!
//! The cluster is full: an important workflow runs on half of the slots and holds what it frees,
//! the background runs on the rest and waits for more. `cargo bench -p holdfast-engine`.

use divan::{Bencher, black_box};
use holdfast_engine::pareto::STRICT;
use holdfast_engine::{
    AttemptId, Config, Decision, Engine, Event, ExecutorId, JobId, Outcome, PoolId, ProfileId,
    Resources, SetId, StageId, StageKind, Time, WorkflowId,
};

const EXECUTORS: u32 = 1_000;
const SLOTS: u32 = 4;
const IMPORTANT: SetId = SetId(0);
const BACKGROUND: SetId = SetId(1);

fn main() {
    divan::main();
}

struct Host {
    engine: Engine,
    out: Vec<Decision>,
    now: u64,
}

impl Host {
    fn say(&mut self, event: Event) {
        self.now += 1_000;
        self.out.clear();
        self.engine.step(Time(self.now), &event, &mut self.out).expect("a valid event");
    }

    fn launch(&mut self, slot: u32, set: SetId, task: u32) {
        let executor = ExecutorId(slot / SLOTS);
        self.say(Event::Launched { attempt: AttemptId(slot), set, task, executor, local: true });
    }

    fn free(&mut self, slot: u32, outcome: Outcome) {
        self.say(Event::SlotFreed { attempt: AttemptId(slot), outcome });
    }
}

/// A full cluster of two workflows; the important one has a successor of the same width.
fn full_cluster() -> Host {
    let mut host =
        Host { engine: Engine::new(Config::default()), out: Vec::with_capacity(64), now: 0 };
    let profile = ProfileId(0);
    host.say(Event::ProfileDefined { profile, runs_on: profile, demand: Resources::cpu(1_000) });
    for e in 0..EXECUTORS {
        let capacity = Resources::cpu(1_000 * SLOTS);
        host.say(Event::ExecutorAdded { executor: ExecutorId(e), profile, capacity });
    }
    for (i, (set, priority)) in [(IMPORTANT, 10), (BACKGROUND, 0)].into_iter().enumerate() {
        let id = u32::try_from(i).expect("two");
        host.say(Event::WorkflowOpened {
            workflow: WorkflowId(id),
            priority,
            isolation: STRICT,
            parallelism: 0,
            pool: PoolId::ROOT,
        });
        host.say(Event::JobSubmitted { job: JobId(id), workflow: WorkflowId(id), continues: true });
        let tasks = EXECUTORS * SLOTS / 2 * (1 + id);
        for stage in [StageId(id), StageId(10 + id)] {
            host.say(Event::StagePlanned {
                job: JobId(id),
                stage,
                tasks,
                next: tasks,
                next_profile: ProfileId(0),
                signature: 1,
            });
        }
        let stage = StageId(id);
        host.say(Event::SetSubmitted {
            set,
            job: JobId(id),
            stage,
            tasks,
            profile,
            fills_cache: false,
            kind: StageKind::Result,
        });
    }
    for slot in 0..EXECUTORS * SLOTS {
        let half = EXECUTORS * SLOTS / 2;
        if slot % 2 == 0 {
            host.launch(slot, IMPORTANT, slot / 2);
        } else {
            host.launch(slot, BACKGROUND, slot / 2 % half);
        }
    }
    host
}

/// A task ends, its slot is held; a task starts there, the hold is used: two steps.
#[divan::bench(sample_count = 1000, sample_size = 100)]
fn free_hold_launch(bencher: Bencher) {
    let mut host = full_cluster();
    let mut slot = 0;
    bencher.bench_local(move || {
        slot = (slot + 2) % (EXECUTORS * SLOTS);
        host.free(slot, Outcome::NotFinished);
        host.launch(slot, IMPORTANT, slot / 2);
    });
}

/// The background's part: a task ends, another starts in the same slot: two steps.
#[divan::bench(sample_count = 1000, sample_size = 100)]
fn free_launch_background(bencher: Bencher) {
    let mut host = full_cluster();
    let mut slot = 1;
    bencher.bench_local(move || {
        slot = (slot + 2) % (EXECUTORS * SLOTS);
        host.free(slot, Outcome::NotFinished);
        host.launch(slot, BACKGROUND, slot / 2 % (EXECUTORS * SLOTS / 2));
    });
}

/// An ask of the background where all that is free is held.
#[divan::bench(sample_count = 1000, sample_size = 1000)]
fn verdict_refused(bencher: Bencher) {
    let mut host = full_cluster();
    (0..EXECUTORS).for_each(|e| host.free(e * SLOTS, Outcome::Finished));
    let free = Resources::cpu(1_000);
    let mut e = 0;
    bencher.bench_local(move || {
        e = (e + 1) % EXECUTORS;
        black_box(host.engine.verdict(BACKGROUND, ExecutorId(e), &free))
    });
}

/// Whether the background could use anything at all, with 1,000 holds live.
#[divan::bench(sample_count = 1000, sample_size = 1000)]
fn admits_refused(bencher: Bencher) {
    let mut host = full_cluster();
    (0..EXECUTORS).for_each(|e| host.free(e * SLOTS, Outcome::Finished));
    bencher.bench_local(move || black_box(host.engine.admits(BACKGROUND)));
}
