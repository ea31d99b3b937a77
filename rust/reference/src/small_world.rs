//! Small worlds, exhaustively: 2 executors of 2 slots, 2 workflows, 2 priorities, all histories of a
//! small alphabet up to a depth. Equal states are merged.

use std::collections::HashSet;
use std::sync::Mutex;

use holdfast_engine::pareto::STRICT;
use holdfast_engine::{
    AttemptId, Bound, Config, Copies, Engine, Event, ExecutorId, JobId, Outcome, PoolId, ProfileId,
    Resources, SetId, StageId, StageKind, Stragglers, Time, Verdict, WorkflowId,
};

use crate::Reference;
use crate::history::{Checks, Failure, Pair, Reached, Timed};

const SECOND: u64 = 1_000_000_000;
const IMPORTANT: WorkflowId = WorkflowId(0);
const BACKGROUND: WorkflowId = WorkflowId(1);

/// How large the enumeration was.
#[derive(Clone, Copy, Debug, Default)]
pub struct Explored {
    /// Histories played.
    pub histories: u64,
    /// States that differ.
    pub states: usize,
}

/// The configuration of the small worlds: short deadlines, so that everything expires in reach.
#[must_use]
pub fn config() -> Config {
    Config {
        hold_max_ns: 4 * SECOND,
        linger_first_ns: 2 * SECOND,
        linger_factor: 1,
        linger_max_ns: 2 * SECOND,
        linger_query_ns: SECOND,
        copy_age_ns: SECOND / 2,
        copy_age_factor: 1,
        ..Config::default()
    }
}

/// The same with a rule for stragglers: then there are bounds, sizes and progress, too.
#[must_use]
pub fn with_rule(stragglers: Stragglers) -> Config {
    Config { stragglers, copies: Copies::All, explore_ppm: 0, ..config() }
}

/// Two executors, two workflows of one job each, planned in two stages.
fn opening() -> Vec<Event> {
    let profile = ProfileId(0);
    let mut events =
        vec![Event::ProfileDefined { profile, runs_on: profile, demand: Resources::cpu(1_000) }];
    for executor in [ExecutorId(0), ExecutorId(1)] {
        let capacity = Resources::cpu(2_000);
        events.push(Event::ExecutorAdded { executor, profile, capacity });
    }
    for (workflow, priority) in [(IMPORTANT, 1), (BACKGROUND, 0)] {
        events.push(Event::WorkflowOpened {
            workflow,
            priority,
            isolation: STRICT,
            parallelism: 0,
            pool: PoolId::ROOT,
        });
        let job = JobId(workflow.0);
        events.push(Event::JobSubmitted { job, workflow, continues: true });
        events.push(Event::StagePlanned {
            job,
            stage: StageId(workflow.0),
            tasks: 2,
            next: 0,
            next_profile: profile,
            signature: 1,
        });
        let (set, stage) = (SetId(workflow.0), StageId(workflow.0));
        let kind = StageKind::ShuffleMap;
        let submitted =
            Event::SetSubmitted { set, job, stage, tasks: 2, profile, fills_cache: false, kind };
        events.push(submitted);
    }
    events
}

/// What may happen next: events, and after how many half seconds.
fn alphabet(step: usize, pair: &World) -> Vec<(Event, u64)> {
    let mut all = vec![(Event::Tick, 1), (Event::Tick, 5)];
    for set in pair.first().sets() {
        launches(step, set.id, pair, &mut all);
        all.push((Event::SetEnded { set: set.id }, 0));
    }
    for (at, attempt) in pair.running().into_iter().enumerate() {
        all.push((Event::SlotFreed { attempt, outcome: Outcome::Finished }, 0));
        if at == 0 {
            all.push((Event::SlotFreed { attempt, outcome: Outcome::NotFinished }, 0));
        }
    }
    for workflow in [IMPORTANT, BACKGROUND] {
        let job = JobId(workflow.0 + 2);
        all.push((Event::JobSubmitted { job, workflow, continues: false }, 0));
        let (set, stage) = (SetId(workflow.0 + 2), StageId(workflow.0 + 2));
        let (profile, fills_cache, kind) = (ProfileId(0), false, StageKind::Result);
        all.push((
            Event::SetSubmitted { set, job, stage, tasks: 3, profile, fills_cache, kind },
            0,
        ));
        all.push((Event::JobEnded { job: JobId(workflow.0), succeeded: true }, 0));
    }
    if pair.first().config().picks() {
        bounds(pair, &mut all);
    }
    all.push((
        Event::WorkflowOpened {
            workflow: BACKGROUND,
            priority: 1,
            isolation: STRICT,
            parallelism: 0,
            pool: PoolId::ROOT,
        },
        0,
    ));
    all.push((Event::WorkflowClosed { workflow: IMPORTANT }, 0));
    all.push((Event::RunEnded { workflow: IMPORTANT }, 0));
    all.push((Event::ExecutorBarred { executor: ExecutorId(1), barred: true }, 0));
    all.push((Event::ExecutorBarred { executor: ExecutorId(1), barred: false }, 0));
    all.push((Event::ExecutorLost { executor: ExecutorId(0) }, 0));
    all
}

/// What only rules for stragglers listen to.
fn bounds(pair: &World, all: &mut Vec<(Event, u64)>) {
    let (job, stage) = (JobId(0), StageId(0));
    for (bound, value) in [(Bound::Deadline, 1_500), (Bound::Error, 500_000)] {
        all.push((Event::StageBounded { job, stage, bound, value }, 0));
    }
    all.push((Event::TaskSized { set: SetId(0), task: 1, units: 3_000 }, 0));
    for attempt in pair.running() {
        all.push((Event::Progressed { attempt, done: 100_000 }, 1));
    }
}

/// Launches of the first pending task; by the verdict anywhere, against it on the first executor.
fn launches(step: usize, set: SetId, pair: &World, all: &mut Vec<(Event, u64)>) {
    let attempt = AttemptId(u32::try_from(step).unwrap_or(u32::MAX));
    for executor in [ExecutorId(0), ExecutorId(1)] {
        if let Ok(Some(task)) = pair.first().copy(set, executor) {
            all.push((Event::Launched { attempt, set, task, executor, local: true }, 0));
        }
    }
    let Some(task) = pair.first_pending(set) else {
        return;
    };
    for view in pair.first().executors() {
        let free = view.capacity.minus(view.running);
        let allowed = !matches!(pair.first().verdict(set, view.id, &free), Ok(Verdict::Veto(_)));
        if allowed || view.id == ExecutorId(0) {
            all.push((Event::Launched { attempt, set, task, executor: view.id, local: true }, 0));
        }
    }
}

type World = Pair<Engine, Reference>;

/// A history that fails, and how.
pub type Failed = (Vec<Timed>, Failure);

/// The world after the opening.
fn opened(config: &Config) -> Result<World, Failed> {
    let models = (Engine::new(config.clone()), Reference::new(config.clone()));
    let mut world = Pair::new(models.0, models.1, Checks::ALL);
    let opening = opening().into_iter().map(|event| Timed { now: Time(0), event });
    let opening: Vec<Timed> = opening.collect();
    for timed in &opening {
        let stepped = world.step(*timed, &mut Reached::default());
        stepped.map_err(|failure| (opening.clone(), failure))?;
    }
    Ok(world)
}

/// What one thread finds one event further on.
#[derive(Default)]
struct Found {
    next: Vec<Vec<Timed>>,
    histories: u64,
    reached: Reached,
}

/// Every history of `frontier`, one event longer, if it leads to a new state.
fn extend(
    start: &World,
    frontier: &[Vec<Timed>],
    seen: &Mutex<HashSet<u64>>,
) -> Result<Found, Failed> {
    let mut found = Found::default();
    for history in frontier {
        let mut world = start.clone();
        for timed in history {
            let stepped = world.step(*timed, &mut Reached::default());
            stepped.map_err(|failure| (history.clone(), failure))?;
        }
        for (event, halves) in alphabet(history.len(), &world) {
            let now = world.first().now().after(halves * SECOND / 2);
            let mut longer = history.clone();
            longer.push(Timed { now, event });
            let mut after = world.clone();
            found.histories += 1;
            if let Err(failure) = after.step(Timed { now, event }, &mut found.reached) {
                return Err((longer, failure));
            }
            let fingerprint = after.second().fingerprint();
            if seen.lock().expect("no thread panics").insert(fingerprint) {
                found.next.push(longer);
            }
        }
    }
    Ok(found)
}

/// All histories of at most `depth` events after the opening.
///
/// # Errors
/// A history (without the opening) that fails, and how.
pub fn explore(
    config: &Config,
    depth: usize,
    reached: &mut Reached,
    mut progress: impl FnMut(usize, Explored),
) -> Result<Explored, Failed> {
    let start = opened(config)?;
    let mut frontier: Vec<Vec<Timed>> = vec![Vec::new()];
    let seen = Mutex::new(HashSet::new());
    let mut explored = Explored::default();
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    for level in 1..=depth {
        let share = frontier.len().div_ceil(threads).max(1);
        let found: Vec<Result<Found, Failed>> = std::thread::scope(|scope| {
            let shares = frontier.chunks(share);
            let threads: Vec<_> =
                shares.map(|share| scope.spawn(|| extend(&start, share, &seen))).collect();
            threads.into_iter().map(|thread| thread.join().expect("no thread panics")).collect()
        });
        frontier.clear();
        for found in found {
            let found = found?;
            frontier.extend(found.next);
            explored.histories += found.histories;
            reached.merge(found.reached);
        }
        explored.states = seen.lock().expect("no thread panics").len();
        progress(level, explored);
    }
    Ok(explored)
}
