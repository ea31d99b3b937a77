//! An engine that lives for long keeps what is alive, and nothing of what has been.

mod common;

use common::{Host, P};
use holdfast_engine::pareto::STRICT;
use holdfast_engine::{
    Config, Copies, Event, ExecutorId, HoldFor, JobId, PoolId, ProfileId, Resources, WorkflowId,
};

/// As many workflows are remembered by name at most; the shim gives a forgotten one a new id.
const JOBS: u32 = 20_000;

/// What the tables' last doubling may still add: a tenth of a byte for each job would be less.
const MOST_BYTES: i64 = 2_000;

/// Two stages of two tasks of a workflow of its own, on executors and of a profile that come and go.
fn job(host: &mut Host, id: u32) {
    let (old, new) = (ExecutorId(id), id + 2);
    host.say(Event::ExecutorLost { executor: old });
    host.executor(new, 2);
    let profile = ProfileId(1 + id);
    let demand = Resources::cpu(1_000);
    host.say(Event::ProfileDefined { profile, runs_on: P, demand });
    host.say(Event::WorkflowOpened {
        workflow: WorkflowId(id),
        priority: (id % 3) as i32,
        isolation: STRICT,
        parallelism: 0,
        pool: PoolId::ROOT,
    });
    let (first, second) = (2 * id, 2 * id + 1);
    host.job(id, id, id.is_multiple_of(2), &[(first, 2, 2), (second, 2, 0)]);
    for set in [first, second] {
        host.set(set, id, 2);
        for task in 0..2 {
            host.launch(2 * set + task, set, task, new - 1 + task);
        }
        for task in 0..2 {
            host.now += 1_000_000;
            host.free(2 * set + task);
        }
        host.end(set);
    }
    host.say(Event::JobEnded { job: JobId(id), succeeded: !id.is_multiple_of(7) });
    if let Some(next) = host.engine.next_deadline() {
        host.at(next.0);
    }
}

fn grows(config: Config) -> i64 {
    let mut host = Host::new(config, &[]);
    host.executor(0, 2);
    host.executor(1, 2);
    (0..JOBS / 4).for_each(|id| job(&mut host, id));
    let rest = allocation_counter::measure(|| {
        (JOBS / 4..JOBS).for_each(|id| job(&mut host, id));
    });
    assert!(host.engine.totals().made > u64::from(JOBS), "there were holds");
    rest.bytes_current
}

#[test]
fn nothing_is_left_of_what_has_been() {
    let grown = grows(Config::default());
    assert!(grown < MOST_BYTES, "{grown} bytes");
}

#[test]
fn nor_with_everything_switched_on() {
    let everything = Config {
        hold_for: HoldFor::All,
        idle_budget_ppm: Some(500_000),
        copies: Copies::All,
        ..Config::default()
    };
    let grown = grows(everything);
    assert!(grown < MOST_BYTES, "{grown} bytes");
}
