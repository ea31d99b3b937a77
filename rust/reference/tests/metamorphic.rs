//! What must not matter, on random histories: the names of executors, the unit of time, workflows that
//! rank later; and equal input gives equal output (R15).

use holdfast_engine::pareto::STRICT;
use holdfast_engine::{
    AttemptId, Config, Decision, Engine, Event, ExecutorId, HoldFor, HoldId, JobId, Policy, PoolId,
    ProfileId, Resources, SetId, StageId, StageKind, Stragglers, Time, WorkflowId,
};
use holdfast_reference::Reference;
use holdfast_reference::history::{Checks, Played, Reached, Timed, play};
use holdfast_reference::model::{Ask, Snapshot};

const HISTORIES: u64 = 300;
/// Ids that no history uses.
const OWN: u32 = 4_000_000_000;

/// What one step decided, and what the engine answered after it.
type Answers = (Vec<Decision>, Vec<Ask>, Option<Time>);

fn histories() -> impl Iterator<Item = Played> {
    let nothing = Checks { compare: false, invariants: false };
    let models = |config: &Config| (Engine::new(config.clone()), Reference::new(config.clone()));
    (1..=HISTORIES).map(move |seed| play(seed, nothing, &mut Reached::default(), models))
}

fn run(config: &Config, steps: &[Timed]) -> Vec<Answers> {
    let mut engine = Engine::new(config.clone());
    let mut answers = Vec::with_capacity(steps.len());
    for step in steps {
        let mut decisions = Vec::new();
        // A refused event is part of the history.
        let _refused = engine.step(step.now, &step.event, &mut decisions).is_err();
        answers.push((decisions, Snapshot::of(&engine).asks, engine.next_deadline()));
    }
    answers
}

/// A task that runs for ever in a workflow of its own, so that nothing ever stalls: the stall time is a
/// constant, so it does not scale.
fn occupied(workflow: u32) -> Vec<Timed> {
    let (profile, executor, amount) = (ProfileId(OWN), ExecutorId(OWN), Resources::cpu(1));
    let (attempt, set) = (AttemptId(OWN), SetId(OWN));
    let before = [
        Event::ProfileDefined { profile, runs_on: profile, demand: amount },
        Event::ExecutorAdded { executor, profile, capacity: amount },
    ];
    let launched = Event::Launched { attempt, set, task: 0, executor, local: true };
    let all = before.into_iter().chain(last_in_rank(workflow, OWN, 1)).chain([launched]);
    all.map(|event| Timed { now: Time(0), event }).collect()
}

/// A workflow that ranks after everybody, and its set of so many tasks; `id` is the job's, the set's and the stage's.
fn last_in_rank(workflow: u32, id: u32, tasks: u32) -> [Event; 3] {
    let (workflow, job, set, stage) = (WorkflowId(workflow), JobId(id), SetId(id), StageId(id));
    let (profile, kind) = (ProfileId(OWN), StageKind::Result);
    let (priority, pool) = (i32::MIN, PoolId::ROOT);
    [
        Event::WorkflowOpened { workflow, priority, isolation: STRICT, parallelism: 0, pool },
        Event::JobSubmitted { job, workflow, continues: true },
        Event::SetSubmitted { set, job, stage, tasks, profile, fills_cache: false, kind },
    ]
}

/// Keeps the order of ids, which is what claims go by.
fn renamed(id: ExecutorId) -> ExecutorId {
    ExecutorId(id.0 * 3 + 7)
}

fn with_renamed_executors(event: Event) -> Event {
    match event {
        Event::ExecutorAdded { executor, profile, capacity } => {
            Event::ExecutorAdded { executor: renamed(executor), profile, capacity }
        }
        Event::ExecutorBarred { executor, barred } => {
            Event::ExecutorBarred { executor: renamed(executor), barred }
        }
        Event::ExecutorLost { executor } => Event::ExecutorLost { executor: renamed(executor) },
        Event::Launched { attempt, set, task, executor, local } => {
            Event::Launched { attempt, set, task, executor: renamed(executor), local }
        }
        other => other,
    }
}

#[test]
fn renumbered_executors_rename_the_decisions() {
    for played in histories() {
        let rename = |s: &Timed| Timed { now: s.now, event: with_renamed_executors(s.event) };
        let other: Vec<Timed> = played.steps.iter().map(rename).collect();
        let mut expected = run(&played.config, &played.steps);
        for (decisions, asks, _) in &mut expected {
            for decision in decisions {
                if let Decision::Held { executor, .. } = decision {
                    *executor = renamed(*executor);
                }
            }
            asks.iter_mut().for_each(|ask| ask.executor = renamed(ask.executor));
        }
        assert_eq!(run(&played.config, &other), expected);
    }
}

/// D is the least within 2^-24 of the span that is searched, and a nanosecond: it does not scale exactly.
fn near(a: Time, b: Time) -> bool {
    a.0.abs_diff(b.0) <= 3 + a.0.max(b.0) / (1 << 20)
}

#[test]
fn scaled_times_scale_the_deadlines() {
    const TIMES: u32 = 3;
    const K: u64 = TIMES as u64;
    let mut barriers = 0;
    for played in histories() {
        // The credit at the start is a constant, too.
        // Rules for stragglers ask once a second, however long everything takes.
        let stragglers = Stragglers::Holds;
        let c = &Config { idle_budget_ppm: None, stragglers, ..played.config };
        let config = Config {
            hold_floor_ns: c.hold_floor_ns * K,
            hold_max_ns: c.hold_max_ns * K,
            linger_first_ns: c.linger_first_ns * K,
            linger_max_ns: c.linger_max_ns * K,
            linger_query_ns: c.linger_query_ns * K,
            spread_max_ns: c.spread_max_ns * K,
            copy_age_ns: c.copy_age_ns * K,
            ..c.clone()
        };
        let steps: Vec<Timed> = occupied(OWN).into_iter().chain(played.steps).collect();
        let scale = |s: &Timed| {
            let mut event = s.event;
            if let Event::Recalled { after_ms, .. } = &mut event {
                *after_ms = after_ms.saturating_mul(TIMES);
            }
            Timed { now: Time(s.now.0 * K), event }
        };
        let scaled: Vec<Timed> = steps.iter().map(scale).collect();
        let mut expected = run(c, &steps);
        for ((decisions, _, next), (found, _, found_next)) in
            expected.iter_mut().zip(run(&config, &scaled))
        {
            for (decision, found) in decisions.iter_mut().zip(found) {
                if let (
                    Decision::Held { deadline, .. },
                    Decision::Held { deadline: scaled_one, .. },
                ) = (decision, found)
                {
                    deadline.0 *= K;
                    barriers += usize::from(*deadline != scaled_one);
                    if near(*deadline, scaled_one) {
                        *deadline = scaled_one;
                    }
                }
            }
            *next = next.map(|time| Time(time.0 * K));
            if next.zip(found_next).is_some_and(|(next, found)| near(next, found)) {
                *next = found_next;
            }
        }
        assert_eq!(run(&config, &scaled), expected);
    }
    assert!(barriers > 0, "no barrier had a deadline of its own (SSR-8)");
}

/// The same engine, asked for two isolations from now on.
#[test]
fn more_isolation_never_ends_a_hold_earlier() {
    let mut later = 0;
    for played in histories() {
        let mut engine = Engine::new(played.config.clone());
        for step in &played.steps {
            let _refused = engine.step(step.now, &step.event, &mut Vec::new()).is_err();
            let deadlines = |isolation: u32| -> Vec<(HoldId, Time)> {
                let mut asked = engine.clone();
                for hold in engine.holds() {
                    let workflow = hold.workflow;
                    let Some(view) = engine.workflows().into_iter().find(|w| w.id == workflow)
                    else {
                        continue;
                    };
                    let event = Event::WorkflowOpened {
                        workflow,
                        priority: view.priority,
                        isolation,
                        parallelism: 0,
                        pool: PoolId::ROOT,
                    };
                    let _refused = asked.step(step.now, &event, &mut Vec::new()).is_err();
                }
                asked.holds().iter().map(|hold| (hold.id, hold.deadline)).collect()
            };
            if engine.holds().is_empty() {
                continue;
            }
            let (low, high) = (deadlines(300_001), deadlines(900_001));
            for (id, deadline) in low {
                let other = high.iter().find(|(other, _)| *other == id).map(|(_, later)| *later);
                assert!(
                    other.is_some_and(|other| other >= deadline),
                    "{id:?}: {deadline:?}, {other:?}"
                );
                later += usize::from(other > Some(deadline));
            }
        }
    }
    assert!(later > 0, "the isolation never mattered");
}

/// A workflow with pending tasks that ranks after everybody.
fn latecomer() -> Vec<Timed> {
    let events = last_in_rank(OWN + 1, OWN + 1, 5);
    events.map(|event| Timed { now: Time(0), event }).to_vec()
}

#[test]
fn a_later_ranked_workflow_changes_no_earlier_verdict() {
    for played in histories() {
        // Growing reacts to whoever waits, and equal shares to whoever is there.
        let config = Config {
            grow: false,
            hold_for: HoldFor::Prioritised,
            idle_budget_ppm: None,
            ..played.config
        };
        let alone: Vec<Timed> = occupied(OWN).into_iter().chain(played.steps.clone()).collect();
        let together: Vec<Timed> =
            occupied(OWN).into_iter().chain(latecomer()).chain(played.steps).collect();
        let without_latecomer = |answers: Vec<Answers>| -> Vec<Vec<Ask>> {
            let asks = answers.into_iter().map(|(_, asks, _)| asks);
            asks.map(|asks| asks.into_iter().filter(|ask| ask.set.0 <= OWN).collect()).collect()
        };
        let mut together = without_latecomer(run(&config, &together));
        together.drain(occupied(OWN).len()..occupied(OWN).len() + latecomer().len());
        assert_eq!(together, without_latecomer(run(&config, &alone)));
    }
}

#[test]
fn r15_equal_input_gives_equal_output() {
    for played in histories() {
        assert_eq!(run(&played.config, &played.steps), run(&played.config, &played.steps));
    }
}

#[test]
fn r18_stock_decides_nothing() {
    for played in histories() {
        let stragglers = Stragglers::Holds;
        let config = Config { policy: Policy::Stock, stragglers, ..played.config };
        for (decisions, asks, next) in run(&config, &played.steps) {
            let held = |d: &Decision| !matches!(d, Decision::Reoffer);
            assert!(!decisions.iter().any(held) && next.is_none(), "{decisions:?}");
            assert!(asks.iter().all(|ask| ask.verdict == holdfast_engine::Verdict::Allow));
        }
    }
}
