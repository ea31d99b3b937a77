//! Small worlds, exhaustively: 2 executors of 2 slots, 2 workflows, 2 priorities, all histories of a
//! small alphabet up to a depth. Equal states are merged.

use std::collections::HashSet;

use holdfast_engine::{
    AttemptId, Config, Engine, Event, ExecutorId, JobId, Outcome, ProfileId, Resources, SetId,
    StageId, Time, Verdict, WorkflowId,
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
        ..Config::default()
    }
}

/// Two executors, two workflows of one job each, planned in two stages.
fn opening() -> Vec<Event> {
    let profile = ProfileId(0);
    let mut events = vec![Event::ProfileDefined { profile, demand: Resources::cpu(1_000) }];
    for executor in [ExecutorId(0), ExecutorId(1)] {
        let capacity = Resources::cpu(2_000);
        events.push(Event::ExecutorAdded { executor, profile, capacity });
    }
    for (workflow, priority) in [(IMPORTANT, 1), (BACKGROUND, 0)] {
        events.push(Event::WorkflowOpened { workflow, priority });
        let job = JobId(workflow.0);
        events.push(Event::JobSubmitted { job, workflow, continues: true });
        events.push(Event::StagePlanned { job, stage: StageId(workflow.0), tasks: 2, next: 0 });
        let (set, stage) = (SetId(workflow.0), StageId(workflow.0));
        let submitted =
            Event::SetSubmitted { set, job, stage, tasks: 2, profile, fills_cache: false };
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
        let (profile, fills_cache) = (ProfileId(0), false);
        all.push((Event::SetSubmitted { set, job, stage, tasks: 3, profile, fills_cache }, 0));
        all.push((Event::JobEnded { job: JobId(workflow.0), succeeded: true }, 0));
    }
    all.push((Event::WorkflowOpened { workflow: BACKGROUND, priority: 1 }, 0));
    all.push((Event::WorkflowClosed { workflow: IMPORTANT }, 0));
    all.push((Event::ExecutorBarred { executor: ExecutorId(1), barred: true }, 0));
    all.push((Event::ExecutorBarred { executor: ExecutorId(1), barred: false }, 0));
    all.push((Event::ExecutorLost { executor: ExecutorId(0) }, 0));
    all
}

/// Launches of the first pending task; by the verdict anywhere, against it on the first executor.
fn launches(step: usize, set: SetId, pair: &World, all: &mut Vec<(Event, u64)>) {
    let Some(task) = pair.first_pending(set) else {
        return;
    };
    let attempt = AttemptId(u32::try_from(step).unwrap_or(u32::MAX));
    for view in pair.first().executors() {
        let free = view.capacity.minus(view.running);
        let allowed = !matches!(pair.first().verdict(set, view.id, &free), Ok(Verdict::Veto(_)));
        if allowed || view.id == ExecutorId(0) {
            all.push((Event::Launched { attempt, set, task, executor: view.id }, 0));
        }
    }
}

type World = Pair<Engine, Reference>;

/// A history and the world it leads to.
type Reachable = (Vec<Timed>, World);

fn opened(reached: &mut Reached) -> Result<Reachable, (Vec<Timed>, Failure)> {
    let config = config();
    let mut world = Pair::new(Engine::new(config.clone()), Reference::new(config), Checks::ALL);
    let mut history = Vec::new();
    for event in opening() {
        history.push(Timed { now: Time(0), event });
        world
            .step(Timed { now: Time(0), event }, reached)
            .map_err(|failure| (history.clone(), failure))?;
    }
    Ok((history, world))
}

/// All histories of at most `depth` events after the opening.
///
/// # Errors
/// The first history that fails, and how.
pub fn explore(
    depth: usize,
    reached: &mut Reached,
    mut progress: impl FnMut(usize, Explored),
) -> Result<Explored, (Vec<Timed>, Failure)> {
    let mut frontier = vec![opened(reached)?];
    let mut seen: HashSet<u64> = HashSet::new();
    let mut explored = Explored::default();
    for level in 1..=depth {
        let mut next = Vec::new();
        for (history, world) in frontier {
            for (event, halves) in alphabet(level, &world) {
                let now = world.first().now().after(halves * SECOND / 2);
                let mut longer = history.clone();
                longer.push(Timed { now, event });
                let mut after = world.clone();
                explored.histories += 1;
                if let Err(failure) = after.step(Timed { now, event }, reached) {
                    return Err((longer, failure));
                }
                if seen.insert(after.second().fingerprint()) && level < depth {
                    next.push((longer, after));
                }
            }
        }
        explored.states = seen.len();
        progress(level, explored);
        frontier = next;
    }
    Ok(explored)
}
