//! One more gate takes one file and one line: of a pool of weight 77,777 every second ask is refused, and a tick wakes it.

mod common;

use common::{Host, P};
use holdfast_engine::pareto::STRICT;
use holdfast_engine::{
    Config, Decision, Event, HoldFor, JobId, Policy, PoolId, Resources, SetId, StageId, StageKind,
    Time, Verdict, VetoReason, WorkflowId,
};

const GUARDED: PoolId = PoolId(7);
const CLOSED_NS: u64 = 1_000_000;

/// Workflow 1 is in the pool that is guarded, workflow 2 is not. Each has a set of four tasks.
fn guarded(config: Config) -> Host {
    let mut host = Host::new(config, &[4]);
    host.say(Event::PoolDefined { pool: GUARDED, fair: false, weight: 77_777, min_share: 0 });
    for (id, pool) in [(1, GUARDED), (2, PoolId::ROOT)] {
        let (workflow, priority, isolation) = (WorkflowId(id), 0, STRICT);
        host.say(Event::WorkflowOpened { workflow, priority, isolation, parallelism: 0, pool });
        let (job, set, stage, tasks) = (JobId(id), SetId(id), StageId(id), 4);
        host.say(Event::JobSubmitted { job, workflow, continues: false });
        let (profile, fills_cache, kind) = (P, false, StageKind::Result);
        host.say(Event::SetSubmitted { set, job, stage, tasks, profile, fills_cache, kind });
    }
    host
}

#[test]
fn every_second_ask_is_refused_and_a_tick_wakes_it() {
    for policy in [Policy::Static, Policy::Timeout, Policy::Ssr] {
        let mut host = guarded(Config { policy, ..Config::default() });
        for round in 0..3 {
            host.now = u64::from(round) * 10 * CLOSED_NS;
            assert_eq!(host.ask(1, 0, 4 - round), Verdict::Allow);
            host.launch(round, 1, round, 0);
            assert_eq!(host.ask(1, 0, 3 - round), Verdict::Veto(VetoReason::Held));
            assert_eq!(host.engine.admits(SetId(1)), Ok(false));
            let free = Resources::cpu(1_000);
            assert_eq!(
                host.engine.barrier_room(SetId(1), holdfast_engine::ExecutorId(0), &free),
                Ok(0)
            );
            assert_eq!(host.ask(2, 0, 3 - round), Verdict::Allow, "it guards one pool only");
            assert!(host.engine.restricts());
            let opens = host.now + CLOSED_NS;
            assert_eq!(host.engine.next_deadline(), Some(Time(opens)));
            assert_eq!(host.at(opens - 1), []);
            assert_eq!(host.at(opens), [Decision::Reoffer]);
            assert_eq!(host.ask(1, 0, 3 - round), Verdict::Allow);
        }
    }
}

#[test]
fn hosts_see_that_the_answers_depend_on_the_set() {
    let host = guarded(Config::default());
    let class = |set| host.engine.ask_class(SetId(set)).expect("known");
    assert!(!class(1).shared && class(2).shared && class(2).by_holds);
    assert_ne!(class(1).number, class(2).number);
}

#[test]
fn spark_as_it_is_has_no_gates() {
    let mut host = guarded(Config { policy: Policy::Stock, ..Config::default() });
    host.launch(0, 1, 0, 0);
    assert_eq!(host.ask(1, 0, 3), Verdict::Allow);
    assert!(!host.engine.enforces() && !host.engine.restricts());
}

#[test]
fn classes_follow_who_may_hold() {
    let class = |config: Config| guarded(config).engine.ask_class(SetId(2)).expect("known");
    let all = class(Config { hold_for: HoldFor::All, ..Config::default() });
    assert!(!all.shared && all.may_widen);
    let aside = class(Config { policy: Policy::Static, ..Config::default() });
    assert!(aside.shared && !aside.by_holds);
}
