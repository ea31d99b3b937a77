//! Worlds written by hand.
#![allow(dead_code, reason = "each test file uses some of it")]

use holdfast_sim::world::{Durations, JobSpec, NodesSpec, StageSpec, WorkflowSpec};
use holdfast_sim::{Options, Outcome, World, simulate};

use crate::invariants;

/// The engine's invariants hold.
pub fn run(world: &World) -> Outcome {
    let outcome = simulate(world, &Options { log: true, ..Options::default() }).unwrap();
    invariants::check(world, &outcome);
    outcome
}

/// Job completion times in milliseconds.
pub fn jcts(world: &World) -> Vec<u64> {
    run(world).workflows.iter().map(|times| times.jct_ns() / 1_000_000).collect()
}

pub fn constant(tasks: u32, ms: u64) -> StageSpec {
    StageSpec::new(tasks, Durations::Constant { ms })
}

pub fn recorded(ms: &[u64]) -> StageSpec {
    StageSpec::new(ms.len() as u32, Durations::Recorded { ms: ms.to_vec() })
}

pub fn one_job(priority: i32, arrival_ms: u64, stages: Vec<StageSpec>) -> WorkflowSpec {
    let mut workflow = WorkflowSpec::new(priority, arrival_ms, vec![JobSpec::new(stages)]);
    // Another job may follow one that has a name.
    workflow.named = false;
    workflow
}

pub fn world(nodes: u32, slots: u32, workflows: Vec<WorkflowSpec>) -> World {
    let mut world = World::new(1, vec![NodesSpec::new(nodes, slots)], workflows);
    world.spark.shuffled = false;
    world
}
