//! Runs: each variant on the world of each seed, on all cores. What comes of them does not depend on how many there
//! are.

use std::num::NonZeroU32;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use holdfast_engine::{Config, HoldFor};
use holdfast_sim::variant::Variant;
use holdfast_sim::{Failure as Failed, Options, Outcome, Progress, World, simulate, slowdown};
use rayon::prelude::*;

use super::request::Request;
use super::source::Source;
use crate::Failure;

/// P that is strict, in millionths.
const STRICT: u32 = 1_000_000;

/// Hears how far runs are, and may end them.
pub trait Watch: Sync {
    /// Ends all runs when it becomes true.
    fn ended(&self) -> &AtomicBool;
    /// Something of a run is done; `seen` is this run's own, for what has been heard of it.
    fn hear(&self, progress: Progress, seen: &AtomicU64);
    /// A workflow is done that has a world for itself.
    fn alone(&self);
    /// A run is done; its own simulation took so long.
    fn done(&self, outcome: &Outcome, elapsed: Duration);
}

/// Runs that differ by their seeds only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Series {
    /// The variant that decides; none: as the file says.
    variant: Option<Variant>,
    /// The isolation that everybody asks for, in millionths; none: as the world says.
    isolation: Option<u32>,
}

impl Series {
    /// As it is called in tables.
    pub fn name(&self) -> &'static str {
        self.variant.map_or("file", Variant::name)
    }

    /// As it is called in a sentence.
    pub fn who(&self) -> &'static str {
        self.variant.map_or("as the file says", Variant::name)
    }

    /// Returns a world under it.
    pub fn world(&self, world: World) -> World {
        let mut world = match self.variant {
            Some(variant) => variant.of(&world),
            None => world,
        };
        if let Some(ppm) = self.isolation {
            world.workflows.iter_mut().for_each(|w| w.isolation_ppm = Some(ppm));
        }
        world
    }
}

/// Returns what is compared: each variant, for each isolation if it holds by that.
///
/// # Errors
/// Isolation is asked for, and no variant goes by it.
pub fn series(asked: &Request, source: &Source) -> Result<Vec<Series>, Failure> {
    let mut variants: Vec<Option<Variant>> = asked.variants.iter().copied().map(Some).collect();
    if variants.is_empty() {
        variants.push(source.file().map_or(Some(Variant::Lookahead), |_| None));
    }
    let goes_by_it = |variant: Option<Variant>| match variant {
        Some(variant) => variant.holds_by_isolation(),
        None => {
            source.file().is_some_and(|w| w.engine.as_ref().is_some_and(Config::holds_by_isolation))
        }
    };
    if !asked.isolation.is_empty() && !variants.iter().any(|&variant| goes_by_it(variant)) {
        let names = Variant::ALL.iter().filter(|v| v.holds_by_isolation()).map(|v| v.name());
        return Err(Failure::Usage(format!(
            "--isolation: none of the variants holds by it; these do: {}",
            names.collect::<Vec<_>>().join(", ")
        )));
    }
    let of = |variant| {
        let swept = goes_by_it(variant) && !asked.isolation.is_empty();
        let isolations: Vec<Option<u32>> =
            if swept { asked.isolation.iter().copied().map(Some).collect() } else { vec![None] };
        isolations.into_iter().map(move |isolation| Series { variant, isolation })
    };
    Ok(variants.into_iter().flat_map(of).collect())
}

/// Returns the isolation that all workflows that may hold ask for, in millionths; none if the policy does not hold by
/// it, or if they differ.
fn asked_of(world: &World) -> Option<u32> {
    let engine = world.engine.as_ref().filter(|engine| engine.holds_by_isolation())?;
    let may_hold =
        world.workflows.iter().filter(|w| engine.hold_for == HoldFor::All || w.priority > 0);
    let mut asked = may_hold.map(|w| w.isolation_ppm.unwrap_or(STRICT));
    let first = asked.next()?;
    asked.all(|other| other == first).then_some(first)
}

/// One simulation.
pub struct Run {
    /// Its place among the series.
    pub series: usize,
    /// What its world was drawn from.
    pub seed: u64,
    /// The most slots that are there at once.
    pub slots: u64,
    /// The isolation that was asked for, in millionths; none if the policy does not hold by it, or if workflows differ.
    pub asked: Option<u32>,
    /// What came of it.
    pub outcome: Outcome,
    /// Foreground workflows, and how long each takes alone, in nanoseconds.
    pub alone: Alone,
    /// How many times as long as alone they take, ascending. Alone they have Spark without Holdfast.
    pub slowdowns: Vec<f64>,
    /// How long they take, in seconds, ascending.
    pub foreground: Vec<f64>,
    /// How long all others take, in seconds, ascending.
    pub background: Vec<f64>,
}

impl Run {
    /// Makes a run of what came of a world.
    pub fn new(
        (series, seed): (usize, u64),
        world: &World,
        outcome: Outcome,
        alone: Alone,
    ) -> Self {
        let ascending = |mut values: Vec<f64>| {
            values.sort_unstable_by(f64::total_cmp);
            values
        };
        let jct = |w: usize| outcome.workflows[w].jct_ns();
        // A scenario may leave some of its workflows out.
        let came = |w: usize| outcome.workflows[w].ended_ns != u64::MAX;
        let compared = alone.iter().filter(|&&(w, _)| came(w));
        let slowdowns = compared.map(|&(w, alone)| slowdown::slowdown(jct(w), alone)).collect();
        let seconds = |foreground: bool| {
            let own =
                (0..world.workflows.len()).filter(|&w| world.workflows[w].foreground == foreground);
            ascending(own.filter(|&w| came(w)).map(|w| jct(w) as f64 / 1e9).collect())
        };
        Self {
            series,
            seed,
            slots: world.slots(),
            asked: asked_of(world),
            slowdowns: ascending(slowdowns),
            foreground: seconds(true),
            background: seconds(false),
            outcome,
            alone,
        }
    }
}

/// What was run.
pub struct Study {
    /// What was compared.
    pub series: Vec<Series>,
    /// From which seeds.
    pub seeds: Range<u64>,
    /// Those that are done, by series and seed.
    pub runs: Vec<Run>,
    /// Why others are not, by series and seed.
    pub failed: Vec<String>,
    /// Whether the user ended it before all were done.
    pub interrupted: bool,
}

impl Study {
    /// Returns `count` seeds from the first.
    ///
    /// # Errors
    /// There are no such numbers.
    pub fn seeds(first: u64, count: NonZeroU32) -> Result<Range<u64>, Failure> {
        let count = u64::from(count.get());
        let end = first.checked_add(count).ok_or_else(|| {
            let most = u64::MAX - count;
            Failure::Usage(format!(
                "--seed: {first}; with {} there is none that follows; write at most {most}",
                holdfast_words::count(count, "seed")
            ))
        })?;
        Ok(first..end)
    }

    /// Runs everything: each foreground alone, then all at once. Where some worlds cannot be simulated, or do not end,
    /// the others are kept.
    ///
    /// # Errors
    /// None can be, or does.
    pub fn run(
        source: &Source,
        series: Vec<Series>,
        seeds: Range<u64>,
        options: &Options,
        watch: &dyn Watch,
    ) -> Result<Self, Failure> {
        let places: Vec<(usize, u64)> =
            (0..series.len()).flat_map(|s| seeds.clone().map(move |seed| (s, seed))).collect();
        let alone = all_alone(source, &seeds, watch);
        let one = |&(place, seed): &(usize, u64)| {
            let alone = seeds.clone().zip(&alone).find(|(s, _)| *s == seed)?.1;
            let run = one((place, seed), alone.as_ref(), source, &series[place], options, watch);
            let name = series[place].name();
            let failed = |why| format!("{}, variant {name}, seed {seed}: {why}", source.name());
            run.map_err(failed).transpose()
        };
        // By series and seed, on one thread and on many.
        let all: Vec<Result<Run, String>> = places.par_iter().filter_map(one).collect();
        let interrupted = all.len() < places.len();
        let (mut runs, mut failed) = (Vec::new(), Vec::new());
        for run in all {
            match run {
                Ok(run) => runs.push(run),
                Err(why) => failed.push(why),
            }
        }
        match failed.first() {
            Some(why) if runs.is_empty() => Err(Failure::Input(why.clone())),
            _ => Ok(Self { series, seeds, runs, failed, interrupted }),
        }
    }
}

/// Foreground workflows, and how long each takes alone, in nanoseconds.
type Alone = Vec<(usize, u64)>;

/// Returns how long each foreground takes alone on Spark without Holdfast, by seed: all variants are measured against
/// that. Either seeds are simulated at the same time or what is in them, so that few worlds are in memory.
fn all_alone(source: &Source, seeds: &Range<u64>, watch: &dyn Watch) -> Vec<Result<Alone, Failed>> {
    let together = seeds.end - seeds.start < rayon::current_num_threads() as u64;
    let of = |seed: u64| {
        let world = slowdown::bare(source.world(seed));
        tell(seed, &world);
        let one = |&workflow: &usize| Ok((workflow, alone(&world, workflow, watch)?));
        let workflows = slowdown::foregrounds(&world);
        if together {
            workflows.par_iter().map(one).collect()
        } else {
            workflows.iter().map(one).collect()
        }
    };
    if together {
        seeds.clone().map(of).collect()
    } else {
        seeds.clone().into_par_iter().map(of).collect()
    }
}

/// Says what was drawn.
fn tell(seed: u64, world: &World) {
    let stages = || world.workflows.iter().flat_map(|w| &w.jobs).flat_map(|job| &job.stages);
    log::info!(
        "seed {seed}: {} workflows, {} stages and {} tasks on {} slots",
        world.workflows.len(),
        stages().count(),
        stages().map(|stage| u64::from(stage.tasks)).sum::<u64>(),
        world.slots()
    );
}

fn alone(world: &World, workflow: usize, watch: &dyn Watch) -> Result<u64, Failed> {
    if is_ended(watch) {
        return Err(Failed::Interrupted);
    }
    let options = Options { interrupt: Some(watch.ended()), ..Options::default() };
    let took = slowdown::alone_ns(world, workflow, &options);
    watch.alone();
    took
}

/// Simulates one run; none if the user has ended it all.
fn one(
    (place, seed): (usize, u64),
    alone: Result<&Alone, &Failed>,
    source: &Source,
    series: &Series,
    options: &Options,
    watch: &dyn Watch,
) -> Result<Option<Run>, Failed> {
    let alone = match alone {
        _ if is_ended(watch) => return Ok(None),
        Ok(alone) => alone.clone(),
        Err(why) => return Err(why.clone()),
    };
    let world = series.world(source.world(seed));
    let seen = AtomicU64::new(0);
    let hear = |progress| watch.hear(progress, &seen);
    let options = Options {
        progress: Some(&hear),
        interrupt: Some(watch.ended()),
        log: options.log,
        placements: options.placements,
        ..Options::default()
    };
    let begin = Instant::now();
    let outcome = match simulate(&world, &options) {
        Ok(outcome) => outcome,
        Err(Failed::Interrupted) => return Ok(None),
        Err(why) => return Err(why),
    };
    watch.done(&outcome, begin.elapsed());
    Ok(Some(Run::new((place, seed), &world, outcome, alone)))
}

fn is_ended(watch: &dyn Watch) -> bool {
    watch.ended().load(Ordering::Relaxed)
}

/// Returns whether all launches are the same in the same world once more, every set asked about every offer; none if
/// `interrupt` has ended that.
///
/// # Errors
/// The simulation fails.
pub fn is_same(
    world: &World,
    outcome: &Outcome,
    interrupt: &AtomicBool,
) -> Result<Option<bool>, Failure> {
    let interrupt = Some(interrupt);
    let options = Options { placements: true, exhaustive: true, interrupt, ..Options::default() };
    match simulate(world, &options) {
        Ok(asked) => Ok(Some(outcome.placements == asked.placements)),
        Err(Failed::Interrupted) => Ok(None),
        Err(why) => Err(Failure::Input(why.to_string())),
    }
}
