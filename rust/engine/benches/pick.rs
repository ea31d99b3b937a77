//! Time of a pick where 600 tasks of a bounded set wait and 100 run, and of the two steps of a task that ends and one that
//! begins (`stragglers` = `gs`, `ras`, `grass`).
//! `cargo bench -p holdfast-engine --bench pick`.

use divan::{Bencher, black_box};
use holdfast_engine::pareto::STRICT;
use holdfast_engine::{
    AttemptId, Bound, Config, Decision, Engine, Event, ExecutorId, JobId, Outcome, PoolId,
    ProfileId, Resources, SetId, StageId, StageKind, Stragglers, Time, WorkflowId,
};

const RUNNING: u32 = 100;
const TASKS: u32 = 720;
const SET: SetId = SetId(0);
const SECOND: u64 = 1_000_000_000;

/// Which rule, and what bounds the set.
#[derive(Clone, Copy, Debug)]
enum Race {
    GsDeadline,
    RasDeadline,
    GsError,
    RasError,
    /// Exact, and asks what was learned.
    GrassExact,
    /// No task takes long.
    NoStraggler,
}

const RACES: [Race; 6] = [
    Race::GsDeadline,
    Race::RasDeadline,
    Race::GsError,
    Race::RasError,
    Race::GrassExact,
    Race::NoStraggler,
];

impl Race {
    const fn rule(self) -> Stragglers {
        match self {
            Self::GsDeadline | Self::GsError => Stragglers::Gs,
            Self::RasDeadline | Self::RasError | Self::NoStraggler => Stragglers::Ras,
            Self::GrassExact => Stragglers::Grass,
        }
    }

    const fn bound(self) -> (Bound, u32) {
        match self {
            Self::GsDeadline | Self::RasDeadline => (Bound::Deadline, 60_000),
            Self::GsError | Self::RasError | Self::NoStraggler => (Bound::Error, 300_000),
            Self::GrassExact => (Bound::Error, 0),
        }
    }
}

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
        self.out.clear();
        self.engine.step(Time(self.now), &event, &mut self.out).expect("a valid event");
    }

    fn launch(&mut self, attempt: u32, task: u32) {
        let executor = ExecutorId(attempt % RUNNING / 4);
        self.say(Event::Launched {
            attempt: AttemptId(attempt),
            set: SET,
            task,
            executor,
            local: true,
        });
    }
}

/// 20 tasks are done, 100 of different sizes run and have reported, the slowest of them eight times the median.
fn race(race: Race) -> Host {
    let config = Config { stragglers: race.rule(), explore_ppm: 0, ..Config::default() };
    let mut host = Host { engine: Engine::new(config), out: Vec::with_capacity(64), now: 0 };
    let profile = ProfileId(0);
    host.say(Event::ProfileDefined { profile, runs_on: profile, demand: Resources::cpu(1_000) });
    for executor in (0..RUNNING / 4).map(ExecutorId) {
        host.say(Event::ExecutorAdded { executor, profile, capacity: Resources::cpu(4_000) });
    }
    let (workflow, job, stage) = (WorkflowId(0), JobId(0), StageId(0));
    let (priority, isolation, parallelism, pool) = (0, STRICT, 0, PoolId::ROOT);
    host.say(Event::WorkflowOpened { workflow, priority, isolation, parallelism, pool });
    host.say(Event::JobSubmitted { job, workflow, continues: false });
    let (bound, value) = race.bound();
    host.say(Event::StageBounded { job, stage, bound, value });
    let (set, tasks, fills_cache, kind) = (SET, TASKS, false, StageKind::Result);
    host.say(Event::SetSubmitted { set, job, stage, tasks, profile, fills_cache, kind });
    for task in 0..TASKS {
        host.say(Event::TaskSized { set, task, units: 100 + task * 7_919 % 101 });
    }
    for task in 0..20 {
        host.now = SECOND * u64::from(task);
        host.launch(task, task);
        host.now += SECOND + u64::from(task) * SECOND / 10;
        host.say(Event::SlotFreed { attempt: AttemptId(task), outcome: Outcome::Finished });
    }
    for task in 20..20 + RUNNING {
        host.now += SECOND / 100;
        host.launch(task, task);
    }
    host.now += SECOND;
    for task in 20..20 + RUNNING {
        let slow = task % 20 == 0 && !matches!(race, Race::NoStraggler);
        let done = if slow { 60_000 } else { 300_000 + task * 6_000 };
        host.say(Event::Progressed { attempt: AttemptId(task), done });
    }
    host
}

/// Measures two steps: a task that runs is killed and begins anew.
fn kill_and_launch(bencher: Bencher, mut host: Host) {
    let mut task = 20;
    bencher.bench_local(move || {
        task = if task == 19 + RUNNING { 20 } else { task + 1 };
        host.now += 1_000;
        host.say(Event::SlotFreed { attempt: AttemptId(task), outcome: Outcome::NotFinished });
        host.launch(task, task);
    });
}

/// What the set launches next on an executor.
#[divan::bench(args = RACES, sample_count = 1000, sample_size = 100)]
fn pick(bencher: Bencher, kind: Race) {
    let host = race(kind);
    let mut e = 0;
    bencher.bench_local(move || {
        e = (e + 1) % (RUNNING / 4);
        black_box(host.engine.pick(SET, ExecutorId(e)))
    });
}

/// A task is killed and begins anew: two steps.
#[divan::bench(args = RACES, sample_count = 1000, sample_size = 100)]
fn free_launch(bencher: Bencher, kind: Race) {
    kill_and_launch(bencher, race(kind));
}

/// An attempt reports.
#[divan::bench(args = RACES, sample_count = 1000, sample_size = 100)]
fn progressed(bencher: Bencher, kind: Race) {
    let mut host = race(kind);
    let (mut task, mut done) = (20, 900_000);
    bencher.bench_local(move || {
        (task, done) = if task == 19 + RUNNING { (20, done + 1) } else { (task + 1, done) };
        host.now += 1_000;
        host.say(Event::Progressed { attempt: AttemptId(task), done });
    });
}

/// Of a set whose tasks all run, one is killed and begins anew: two steps, each of which looks for copies.
#[divan::bench(args = [Race::RasDeadline, Race::RasError, Race::GrassExact], sample_count = 1000, sample_size = 100)]
fn last_wave(bencher: Bencher, kind: Race) {
    let mut host = race(kind);
    for task in 20 + RUNNING..TASKS {
        host.now += 1_000;
        host.launch(task, task);
        host.now += SECOND / 1_000;
        host.say(Event::SlotFreed { attempt: AttemptId(task), outcome: Outcome::Finished });
    }
    kill_and_launch(bencher, host);
}
