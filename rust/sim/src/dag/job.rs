//! Jobs that were submitted, and the workflows that they are of.

use holdfast_engine::Time;

use crate::dag::cached::Cached;
use crate::dag::edges::Edges;
use crate::ids::index;
use crate::world::parents;
use crate::world::{BoundSpec, JobSpec, WorkflowSpec};

/// A job that was submitted.
#[derive(Debug)]
pub struct Job {
    /// Spark's number.
    pub id: u32,
    /// Its workflow and its place in that.
    pub of: (u32, u32),
    /// The first of its stages in the table of stages; the others follow.
    pub first_stage: u32,
    /// How many there are.
    pub stages: u32,
    /// Which of them are whose parents.
    pub edges: Edges,
    /// It is over.
    pub over: bool,
    /// The engine's workflow, once a task set has been submitted.
    pub owner: Option<u32>,
    /// Stages that the engine has a plan for.
    pub planned: Vec<bool>,
    /// Whether it went well, once it is over for the DAG scheduler. The listener hears it later; sets of it still launch.
    pub ending: Option<bool>,
    /// Sets of it that have not left the scheduler.
    pub sets: Vec<u32>,
    /// When it was submitted.
    pub submitted: Time,
    /// What it can do without.
    pub bound: Option<BoundSpec>,
}

/// A workflow of the world.
#[derive(Debug)]
pub struct WorkflowState {
    /// For how many others each job still waits.
    pub waits: Vec<u32>,
    /// Which job waits for which.
    pub edges: Edges,
    /// Jobs that have not ended.
    pub left: u32,
    /// The engine's workflow of its latest job; one with a name keeps it.
    pub owner: Option<u32>,
    /// Of its jobs from now on.
    pub priority: i32,
    /// Where the partitions of the latest job's stages ran.
    pub memory: Vec<Vec<u32>>,
    /// The same of attempts that were not first.
    pub vain: Vec<Vec<u32>>,
    /// Numbers that were drawn for jobs which have not been submitted, by their places.
    pub numbers: Vec<(u32, u32)>,
    /// Where those ran whose cached partitions others read.
    pub cached: Cached,
}

impl WorkflowState {
    /// Makes the state of a workflow of which no job has begun.
    #[must_use]
    pub fn new(workflow: &WorkflowSpec) -> Self {
        let jobs = workflow.jobs.len();
        let mut pairs = Vec::new();
        for (place, job) in (0_u32..).zip(&workflow.jobs) {
            match &job.after {
                Some(before) => pairs.extend(before.iter().map(|&b| (index(b), place))),
                None => pairs.extend(place.checked_sub(1).map(|before| (before, place))),
            }
        }
        let edges = Edges::new(pairs);
        let mut waits = vec![0; jobs];
        edges.all().for_each(|(_, job)| waits[job as usize] += 1);
        Self {
            waits,
            edges,
            left: index(jobs),
            owner: None,
            priority: workflow.priority,
            memory: Vec::new(),
            vain: Vec::new(),
            numbers: Vec::new(),
            cached: Cached::new(workflow),
        }
    }
}

/// Returns which stages of a job are whose parents.
pub(crate) fn edges(spec: &JobSpec) -> Edges {
    let of = |child: usize| {
        let parents = parents(spec, child).into_iter();
        parents.map(move |parent| (index(parent), index(child)))
    };
    Edges::new((0..spec.stages.len()).flat_map(of).collect())
}
