//! Small random worlds: crowded, so that workflows get in each other's way.
#![allow(dead_code, reason = "each test file uses some of it")]

use holdfast_engine::{Config, Copies, HoldFor, NeedRule, Policy};
use holdfast_sim::World;
use holdfast_sim::draw::{About, Draw};
use holdfast_sim::world::{
    ChangeSpec, Durations, Faults, JobSpec, LossSpec, NodesSpec, PoolSpec, Preference, Speculation,
    StageSpec, WarmUp, WorkflowSpec,
};

/// A world that goes on for longer is stuck, and fails: a day in nanoseconds.
pub const DAY: u64 = 24 * 3600 * 1_000_000_000;

/// A source of numbers.
pub struct Random(Draw, u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(Draw::new(seed).about(About::Workload), 0)
    }

    fn next(&mut self) -> Draw {
        self.1 += 1;
        self.0.of(self.1)
    }

    pub fn between(&mut self, least: u32, most: u32) -> u32 {
        least + self.next().up_to(most - least)
    }

    pub fn chance(&mut self, share: f64) -> bool {
        self.next().uniform() < share
    }

    /// Small ones as likely as large ones.
    pub fn spread(&mut self, least: f64, most: f64) -> u64 {
        (least * (most / least).powf(self.next().uniform())) as u64
    }

    pub fn from<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.between(0, values.len() as u32 - 1) as usize]
    }
}

/// A world of a few executors and workflows.
pub fn world(seed: u64) -> World {
    let mut r = Random::new(seed);
    let local = r.chance(0.15);
    let cluster: Vec<NodesSpec> = if local {
        vec![NodesSpec::new(1, r.between(1, 6))]
    } else {
        (0..r.between(1, 7))
            .map(|_| {
                let mut nodes = NodesSpec::new(1, r.between(1, 4));
                nodes.first_host = Some(r.between(0, 3));
                nodes
            })
            .collect()
    };
    let slots: u32 = cluster.iter().map(|n| n.capacity.0[0] / 1000).sum();
    let fair = r.chance(0.5);
    let pools = pools(&mut r, fair);
    let count = r.between(2, 8);
    let workflows = (0..count).map(|_| workflow(&mut r, slots, local, pools.len())).collect();
    let mut world = World::new(seed, cluster, workflows);
    world.pools = pools;
    world.spark.fair = fair;
    world.spark.locality_wait_ms = r.from(&[3000, 200, 0]);
    world.spark.revive_ms = if local { 0 } else { 1000 };
    world.spark.shuffled = r.chance(0.7);
    world.spark.lag_ms = r.from(&[0, 1, 5]);
    world.spark.result_ms = r.from(&[0, 0, 10]);
    world.spark.kill_ms = r.from(&[0, 20]);
    world.spark.tick_lag_ms = r.from(&[0, 0, 3]);
    world.spark.remote_penalty = r.from(&[1.0, 5.0]);
    if r.chance(0.2) {
        world.spark.warm_up = Some(WarmUp { attempts: 2, factor: 3.0 });
    }
    if r.chance(0.25) {
        world.spark.speculation =
            Some(Speculation { quantile: 0.5, multiplier: 1.5, ..Speculation::default() });
    }
    if r.chance(0.4) {
        world.faults = Faults {
            failing: r.from(&[0.0, 0.05]),
            fetch_failing: r.from(&[0.0, 0.03]),
            stubborn: r.from(&[0.0, 0.3]),
        };
    }
    if !local && r.chance(0.4) {
        let executors = world.cluster.len() as u32;
        world.losses = (0..r.between(1, 2)).map(|_| loss(&mut r, executors)).collect();
    }
    let named: Vec<usize> = (0..count as usize).filter(|&w| world.workflows[w].named).collect();
    if !named.is_empty() && r.chance(0.3) {
        world.changes = (0..r.between(1, 3)).map(|_| change(&mut r, &named)).collect();
    }
    world
}

fn pools(r: &mut Random, fair: bool) -> Vec<PoolSpec> {
    let count = if fair { r.between(0, 3) } else { 0 };
    (0..count)
        .map(|i| PoolSpec {
            name: format!("pool-{i}"),
            fair: r.chance(0.5),
            weight: r.between(1, 3),
            min_share: r.between(0, 2),
        })
        .collect()
}

fn loss(r: &mut Random, executors: u32) -> LossSpec {
    LossSpec {
        at_ms: r.spread(50.0, 6000.0),
        executor: r.between(0, executors - 1) as usize,
        replaced_after_ms: Some(r.spread(10.0, 3000.0)),
        announced_ms: if r.chance(0.3) { Some(r.spread(50.0, 2000.0)) } else { None },
    }
}

fn change(r: &mut Random, named: &[usize]) -> ChangeSpec {
    ChangeSpec {
        at_ms: r.spread(50.0, 6000.0),
        workflow: r.from(named),
        priority: r.from(&[0, 1, 5, 20]),
    }
}

fn workflow(r: &mut Random, slots: u32, local: bool, pools: usize) -> WorkflowSpec {
    let count = r.between(1, 4);
    let jobs = (0..count).map(|_| job(r, slots, local)).collect();
    let mut workflow =
        WorkflowSpec::new(r.from(&[0, 0, 0, 1, 5, 5, 10]), r.spread(1.0, 3000.0), jobs);
    workflow.named = r.chance(0.7);
    workflow.isolation_ppm = r.from(&[None, None, Some(900_000), Some(400_000), Some(0)]);
    if pools > 0 && r.chance(0.8) {
        workflow.pool = Some(r.between(0, pools as u32 - 1) as usize);
    }
    workflow
}

fn job(r: &mut Random, slots: u32, local: bool) -> JobSpec {
    let count = r.between(1, 4) as usize;
    let mut stages: Vec<StageSpec> = (0..count).map(|_| stage(r, slots, local)).collect();
    if count > 2 && r.chance(0.4) {
        // Two roots that are joined.
        stages[1].parents = Some(Vec::new());
        stages[2].parents = Some(vec![0, 1]);
    }
    let mut job = JobSpec::new(stages).after_gap(r.spread(1.0, 3000.0));
    job.ends_in_shuffle = r.chance(0.15);
    job.cancel_after_ms = if r.chance(0.05) { Some(r.spread(1.0, 2000.0)) } else { None };
    job
}

fn stage(r: &mut Random, slots: u32, local: bool) -> StageSpec {
    let tasks = r.spread(1.0, f64::from(2 * slots).min(24.0) + 0.99).max(1) as u32;
    let most = r.spread(20.0, 1500.0);
    let durations = match r.between(0, 2) {
        0 => Durations::Uniform { least: 1, most: 5 },
        1 => Durations::Uniform { least: 20, most: most.max(20) },
        _ => {
            Durations::Pareto { least: r.spread(20.0, 200.0) as f64, alpha: 1.5, most: Some(15e3) }
        }
    };
    let all = [Preference::Anywhere, Preference::Hosts, Preference::Executors, Preference::Before];
    let mut stage = StageSpec::new(tasks, durations);
    stage.preference = if local { Preference::Anywhere } else { r.from(&all) };
    stage.fills_cache = r.chance(0.2);
    if tasks <= slots && r.chance(0.07) {
        stage.barrier = true;
        stage.preference = Preference::Anywhere;
    }
    stage
}

/// An engine for the world of a seed: mostly speculative slot reservation.
pub fn config(seed: u64) -> Config {
    const MILLI: u64 = 1_000_000;
    let mut r = Random::new(seed ^ 0x55);
    let ours = Config {
        hold_for: r.from(&[HoldFor::Prioritised, HoldFor::Prioritised, HoldFor::All]),
        need: r.from(&[NeedRule::Lookahead, NeedRule::Lookahead, NeedRule::Literal]),
        idle_budget_ppm: r.from(&[None, None, Some(20_000), Some(500_000)]),
        hold_floor_ns: r.from(&[250, 10]) * MILLI,
        hold_max_ns: r.from(&[60_000, 60_000, 800]) * MILLI,
        linger_first_ns: r.from(&[1000, 50]) * MILLI,
        grow: r.chance(0.7),
        prereserve_ppm: r.from(&[500_000, 0, 1_000_000]),
        spread: r.chance(0.5),
        copies: r.from(&[Copies::Shuffle, Copies::All, Copies::Off]),
        ..Config::default()
    };
    let world = world(seed);
    let stages = world.workflows.iter().flat_map(|w| &w.jobs).flat_map(|job| &job.stages);
    // What is set aside leaves others a slot, and all those that a barrier stage needs at once.
    let widest = stages.filter(|s| s.barrier).map(|s| s.tasks).max().unwrap_or(1);
    let aside = u32::try_from(world.slots()).unwrap() - widest;
    let policy = r.from(&[
        Policy::Ssr,
        Policy::Ssr,
        Policy::Ssr,
        Policy::Ssr,
        Policy::Static,
        Policy::Timeout,
    ]);
    Config { policy, static_slots: r.between(0, aside), ..ours }
}
