//! Simulations of the paper's world (ICDCS'17, section VI-B): what several figures measure in them.

use holdfast_sim::paper::{Foreground, Setting, Variant, world};
use holdfast_sim::{Options, Outcome, World, simulate, slowdown};
use rayon::prelude::*;

use crate::Failure;
use crate::figures::ask::Ask;
use crate::statistics::mean;

/// What runs in the foreground, in the order of Fig. 15.
pub(super) const FOREGROUNDS: [Foreground; 3] =
    [Foreground::Sql, Foreground::Mllib, Foreground::MllibWide];
/// Their names.
pub(super) const NAMES: [&str; 3] = ["SQL", "MLlib", "MLlib x2"];
const NANOS: f64 = 1e9;

/// The policy of a simulation.
#[derive(Clone, Copy)]
pub(super) struct Policy {
    /// As in legends.
    pub(super) name: &'static str,
    pub(super) variant: Variant,
    /// R in millionths, if not the usual one.
    pub(super) prereserve_ppm: Option<u32>,
    /// Whether slots that others release are claimed at all.
    pub(super) claims: bool,
    /// So much later than else the foreground comes, in milliseconds.
    pub(super) later_ms: u64,
}

impl Policy {
    pub(super) const fn new(name: &'static str, variant: Variant) -> Self {
        Self { name, variant, prereserve_ppm: None, claims: true, later_ms: 0 }
    }

    /// Returns the world under this policy.
    fn of(&self, world: &World) -> World {
        let mut world = self.variant.of(world);
        if let Some(engine) = &mut world.engine {
            engine.prereserve_ppm = self.prereserve_ppm.unwrap_or(engine.prereserve_ppm);
            engine.grow &= self.claims;
        }
        for foreground in world.workflows.iter_mut().filter(|w| w.foreground) {
            foreground.arrival_ms += self.later_ms;
        }
        world
    }
}

/// What came of one simulation.
#[derive(Clone)]
pub(super) struct Run {
    /// How long each foreground took, in seconds.
    pub(super) jcts: Vec<f64>,
    /// How long background jobs took on average, in seconds: all, those of one stage, and those of several.
    pub(super) background: f64,
    pub(super) simple: f64,
    pub(super) staged: f64,
    /// Shares of slot-time: busy, and held idle.
    pub(super) busy: f64,
    pub(super) held: f64,
}

/// What came of one world.
#[derive(Clone)]
pub(super) struct Runs {
    /// How long each foreground takes alone, without Holdfast, in seconds; empty if not asked for.
    pub(super) alone: Vec<f64>,
    /// By policy.
    pub(super) runs: Vec<Run>,
}

impl Runs {
    /// Returns how many times as long as alone the foregrounds take under a policy: each by itself.
    pub(super) fn slowdowns(&self, policy: usize) -> impl Iterator<Item = f64> {
        self.runs[policy].jcts.iter().zip(&self.alone).map(|(jct, alone)| jct / alone)
    }

    /// Returns their average.
    pub(super) fn slowdown(&self, policy: usize) -> f64 {
        mean(&self.slowdowns(policy).collect::<Vec<_>>())
    }

    /// By which share of its time under policy `from` the average background job takes longer under `to`.
    pub(super) fn background_slowed(&self, from: usize, to: usize) -> f64 {
        self.runs[to].background / self.runs[from].background - 1.0
    }

    /// Returns the same of background jobs of one stage, which read nothing of their own.
    pub(super) fn simple_slowed(&self, from: usize, to: usize) -> f64 {
        self.runs[to].simple / self.runs[from].simple - 1.0
    }

    /// Returns the same of background jobs of several stages, which lose what they read.
    pub(super) fn staged_slowed(&self, from: usize, to: usize) -> f64 {
        self.runs[to].staged / self.runs[from].staged - 1.0
    }
}

/// A world of a figure, without its seed.
pub(super) struct Case {
    pub(super) name: String,
    pub(super) setting: Setting,
}

/// Simulates all worlds from all seeds under all policies, on all cores: by world, then by seed. `alone`: also each
/// foreground by itself.
///
/// # Errors
/// Those of a simulation.
pub(super) fn simulated(
    ask: &Ask,
    usual: u32,
    cases: &[Case],
    policies: &[Policy],
    alone: bool,
) -> Result<Vec<Vec<Runs>>, Failure> {
    let seeds = ask.seeds(usual);
    let progress = ask.progress(seeds.len() * cases.len() * policies.len(), "simulations");
    // Seed by seed, so that the slow worlds of one kind do not all come last.
    let all: Vec<(u64, &Case)> =
        seeds.iter().flat_map(|&seed| cases.iter().map(move |case| (seed, case))).collect();
    let one = |&(seed, case): &(u64, &Case)| {
        let world = world(&Setting { seed, nodes: ask.nodes(), ..case.setting });
        let run = |policy: &Policy| {
            let outcome = outcome(&policy.of(&world))?;
            progress.one_done(&format!("{}, {}, seed {seed}", case.name, policy.name));
            Ok(measured(&world, &outcome))
        };
        let alone = if alone { times_alone(&world)? } else { Vec::new() };
        Ok(Runs { alone, runs: policies.iter().map(run).collect::<Result<_, Failure>>()? })
    };
    let by_seed: Vec<Runs> = all.par_iter().map(one).collect::<Result<_, Failure>>()?;
    let of_case = |c: usize| by_seed.iter().skip(c).step_by(cases.len()).cloned().collect();
    Ok((0..cases.len()).map(of_case).collect())
}

fn outcome(world: &World) -> Result<Outcome, Failure> {
    simulate(world, &Options::default())
        .map_err(|why| Failure::Input(format!("a simulation failed: {why}")))
}

fn foregrounds(world: &World) -> impl Iterator<Item = usize> {
    (0..world.workflows.len()).filter(|&w| world.workflows[w].foreground)
}

/// Returns the least times: each foreground has the cluster for itself, and nothing is held.
fn times_alone(world: &World) -> Result<Vec<f64>, Failure> {
    let mut alone = slowdown::alone(world, 0);
    let one = |w: usize| {
        alone.only = Some(w);
        Ok(seconds(outcome(&alone)?.workflows[w].jct_ns()))
    };
    foregrounds(world).map(one).collect()
}

fn seconds(nanos: u64) -> f64 {
    nanos as f64 / NANOS
}

fn measured(world: &World, outcome: &Outcome) -> Run {
    let jct = |w: usize| seconds(outcome.workflows[w].jct_ns());
    let is_simple =
        |w: usize| matches!(&world.workflows[w].jobs[..], [job] if job.stages.len() == 1);
    let background = (0..world.workflows.len()).filter(|&w| !world.workflows[w].foreground);
    let (simple, others): (Vec<usize>, Vec<usize>) = background.partition(|&w| is_simple(w));
    let mean_of =
        |of: &mut dyn Iterator<Item = &usize>| mean(&of.map(|&w| jct(w)).collect::<Vec<_>>());
    let [busy, held, _] = outcome.usage.shares();
    Run {
        jcts: foregrounds(world).map(jct).collect(),
        background: mean_of(&mut simple.iter().chain(&others)),
        simple: mean_of(&mut simple.iter()),
        staged: mean_of(&mut others.iter()),
        busy,
        held,
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::*;

    /// Alone 2 and 4 s; 3 and 5 s under the second policy are 1.5 and 1.25 times as much.
    #[test]
    fn slowdowns_by_hand() {
        let run = |jcts: [f64; 2], background| Run {
            jcts: jcts.to_vec(),
            background,
            simple: background / 2.0,
            staged: background * 2.0 - 60.0,
            busy: 0.0,
            held: 0.0,
        };
        let runs =
            Runs { alone: vec![2.0, 4.0], runs: vec![run([4.0; 2], 80.0), run([3.0, 5.0], 88.0)] };
        assert_eq!(runs.slowdowns(0).collect::<Vec<_>>(), [2.0, 1.0]);
        assert_eq!(runs.slowdown(1), 1.375);
        assert!((runs.background_slowed(0, 1) - 0.1).abs() < 1e-12);
        assert!((runs.simple_slowed(1, 0) + 1.0 / 11.0).abs() < 1e-12);
        // 100 and 116 s.
        assert!((runs.staged_slowed(0, 1) - 0.16).abs() < 1e-12);
    }

    #[test]
    fn worlds_and_seeds_stay_in_their_order() {
        let case = |name: &str, foreground| Case {
            name: name.to_owned(),
            setting: Setting { foreground, ..Setting::default() },
        };
        let cases = [case("SQL", Foreground::Sql), case("MLlib", Foreground::Mllib)];
        let policies = [
            Policy::new("priority", Variant::Priority),
            Policy { prereserve_ppm: Some(0), ..Policy::new("SSR", Variant::Literal) },
        ];
        let ask = Ask::new("test", 4, NonZeroU32::new(2), 5);
        let all = simulated(&ask, 9, &cases, &policies, true).ok().unwrap();
        assert_eq!(all.iter().map(Vec::len).collect::<Vec<_>>(), [2, 2]);
        for (c, case) in cases.iter().enumerate() {
            for (seed, runs) in (4..).zip(&all[c]) {
                let world = world(&Setting { seed, nodes: 5, ..case.setting });
                let outcome = outcome(&policies[1].of(&world)).ok().unwrap();
                assert_eq!(runs.runs[1].jcts, measured(&world, &outcome).jcts);
                assert_eq!((runs.runs.len(), runs.alone.len()), (2, 20));
                // No job is faster than alone.
                assert!(runs.slowdowns(0).all(|slowdown| slowdown >= 1.0), "{:?}", runs.alone);
            }
        }
        assert!(all[0][0].alone != all[0][1].alone, "another seed is another world");
    }
}
