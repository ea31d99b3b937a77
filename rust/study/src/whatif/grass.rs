//! What stragglers cost each workflow, and what GRASS would give where all partitions count (error 0): the application
//! simulated as it was recorded, without stragglers, and with copies.

use std::collections::BTreeMap;
use std::fmt::Write;

use holdfast_engine::{Config, Copies, HoldFor, Policy, Stragglers};
use holdfast_sim::world::{Durations, ProgressSpec, StageSpec};
use holdfast_sim::{Options, Outcome, World, batch};
use holdfast_words::{count, fits, html};
use serde::Serialize;

use super::Request;
use super::rows::seconds;
use crate::workload::{self, Workload};

/// A task straggles that takes more than so many times its stage's median (NSDI'14, section 2.2).
const STRAGGLES: f64 = 1.5;
/// A copy takes what a drawn task took: so many draws of all copies, of which the median counts.
const SEEDS: u64 = 5;

/// What is said of an application.
#[derive(Serialize)]
pub struct Grass {
    /// Why nothing was simulated, if so.
    pub not_simulated: Option<String>,
    /// Tasks that took more than 1.5 times the median of their stage.
    pub stragglers: u64,
    /// Of so many tasks.
    pub tasks: u64,
    /// Their slot-time beyond that, in slot-milliseconds.
    pub beyond_slot_ms: u64,
    /// Those whom stragglers cost most first.
    pub workflows: Vec<Straggling>,
    /// Of all, with copies where a second run is safe by the configuration, and of all tasks.
    pub copying: Vec<Copying>,
}

/// A workflow, in milliseconds.
#[derive(Serialize)]
pub struct Straggling {
    /// Its name.
    pub workflow: String,
    /// Its runs whose end the log has; times are their sums.
    pub runs: usize,
    /// Simulated as it was recorded.
    pub as_recorded_ms: u64,
    /// The same if no task took more than 1.5 times the median of its stage.
    pub without_stragglers_ms: u64,
    /// With GRASS, by the settings of `Grass::copying`.
    pub grass_ms: Vec<u64>,
}

/// A setting, over all workflows: the median of the draws.
#[derive(Serialize)]
pub struct Copying {
    /// `spark.holdfast.copies`.
    pub copies: &'static str,
    /// Copies that were launched, and that won.
    pub copies_launched: u64,
    /// Those that won.
    pub copies_won: u64,
    /// Slot-time of attempts beside another that ended their task, in slot-milliseconds.
    pub lost_slot_ms: u64,
}

impl Grass {
    pub(super) fn none(why: &str) -> Self {
        Self {
            not_simulated: Some(why.to_owned()),
            stragglers: 0,
            tasks: 0,
            beyond_slot_ms: 0,
            workflows: Vec::new(),
            copying: Vec::new(),
        }
    }
}

/// Sentences that say what stragglers are here, and how far the simulation is to be trusted.
pub fn sentences(grass: &Grass) -> Vec<String> {
    if let Some(why) = &grass.not_simulated {
        return vec![format!("Not simulated: {why}.")];
    }
    let mut lines = vec![format!(
        "{} of {} took more than 1.5 times the median of their stage, {} beyond that.",
        grass.stragglers,
        count(grass.tasks, "task"),
        count(grass.beyond_slot_ms / 1_000, "slot-second"),
    )];
    lines.extend(grass.copying.iter().map(|copying| {
        format!(
            "With copies={}: {} launched, {} won, {} of copying lost.",
            copying.copies,
            count_of(copying.copies_launched),
            copying.copies_won,
            count(copying.lost_slot_ms / 1_000, "slot-second"),
        )
    }));
    lines.push(
        "A copy takes what a task of its stage drawn by chance took, so a task that reads more than others counts as a \
         straggler, and its copy as a shorter one."
            .to_owned(),
    );
    lines
}

fn count_of(copies: u64) -> String {
    if copies == 1 { "1 copy".to_owned() } else { format!("{copies} copies") }
}

/// Returns the change of a time in percent, with its sign.
pub fn change(now: u64, before: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "a ratio")]
    let ratio = now as f64 / before.max(1) as f64 - 1.0;
    format!("{:+.1} %", ratio * 100.0)
}

/// Adds a section to a page.
pub(super) fn section(grass: &Grass, page: &mut String) {
    page.push_str("<h3>What stragglers cost</h3>\n<p>");
    for line in sentences(grass) {
        let _ = write!(page, "{} ", html(&line));
    }
    page.push_str("</p>\n");
    if grass.workflows.is_empty() {
        return;
    }
    page.push_str("<div class=\"scroll\"><table><thead><tr><th>workflow</th><th>as recorded, s</th><th>without stragglers, s</th>");
    for copying in &grass.copying {
        let _ = write!(page, "<th>grass, copies={}, s</th><th>change</th>", copying.copies);
    }
    page.push_str("</tr></thead><tbody>\n");
    for workflow in &grass.workflows {
        let before = workflow.as_recorded_ms;
        let without = workflow.without_stragglers_ms;
        let name = html(&workflow.workflow);
        let _ = write!(
            page,
            "<tr><td>{name}</td><td>{}</td><td>{}</td>",
            seconds(before),
            seconds(without)
        );
        for &now in &workflow.grass_ms {
            let _ = write!(page, "<td>{}</td><td>{}</td>", seconds(now), change(now, before));
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</tbody></table></div>\n");
}

/// Simulates an application that was recorded. `stock` is as it was recorded.
pub(super) fn grass(
    (workload, world, kept): (&Workload, &World, &[usize]),
    stock: &Outcome,
    options: &Options<'_>,
    asked: &Request,
) -> Grass {
    let mut grass = counted(world);
    let own = workload::config(&workload.conf).copies;
    let settings = if own == Copies::All { vec![own] } else { vec![own, Copies::All] };
    let draws = settings.iter().flat_map(|&copies| (0..SEEDS).map(move |seed| (copies, seed)));
    let draws: Vec<(Copies, u64)> = draws.collect();
    let make = |place: usize| match place.checked_sub(1) {
        None => without_stragglers(world),
        Some(draw) => with_copies(world, &workload.conf, draws[draw]),
    };
    let outcomes: Result<Vec<Outcome>, _> =
        batch::simulate_all(1 + draws.len(), make, options).into_iter().collect();
    let outcomes = match outcomes {
        Ok(outcomes) => outcomes,
        Err(why) => return Grass::none(&why.to_string()),
    };
    let (without, copied) = (&outcomes[0], &outcomes[1..]);
    let by_setting: Vec<&[Outcome]> = copied.chunks(draws.len() / settings.len()).collect();
    let mut names: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (place, &of) in kept.iter().enumerate() {
        let workflow = &workload.workflows[of];
        let fitting = asked.workflow.as_ref().is_none_or(|glob| fits(glob, &workflow.name));
        if fitting && workflow.took_ms.is_some() {
            names.entry(&workflow.name).or_default().push(place);
        }
    }
    for (name, places) in names {
        let total = |outcome: &Outcome| {
            let times = places.iter().map(|&place| outcome.workflows[place].jct_ns());
            times.sum::<u64>() / 1_000_000
        };
        grass.workflows.push(Straggling {
            workflow: name.to_owned(),
            runs: places.len(),
            as_recorded_ms: total(stock),
            without_stragglers_ms: total(without),
            grass_ms: by_setting.iter().map(|draws| median(draws.iter().map(total))).collect(),
        });
    }
    let cost = |w: &Straggling| i128::from(w.as_recorded_ms) - i128::from(w.without_stragglers_ms);
    grass.workflows.sort_by_key(|workflow| std::cmp::Reverse(cost(workflow)));
    grass.copying = settings.iter().zip(&by_setting).map(|(&c, draws)| copying(c, draws)).collect();
    grass
}

/// Counts what straggles.
fn counted(world: &World) -> Grass {
    let stages = world.workflows.iter().flat_map(|w| &w.jobs).flat_map(|job| &job.stages);
    let mut grass = Grass { not_simulated: None, ..Grass::none("") };
    for stage in stages {
        grass.tasks += u64::from(stage.tasks);
        if let (Durations::Recorded { ms }, Some(most)) = (&stage.durations, most(stage)) {
            grass.stragglers += ms.iter().filter(|&&ms| ms > most).count() as u64;
            grass.beyond_slot_ms += ms.iter().map(|&ms| ms.saturating_sub(most)).sum::<u64>();
        }
    }
    grass
}

fn copying(copies: Copies, draws: &[Outcome]) -> Copying {
    let lost = |outcome: &Outcome| {
        let lost = outcome.totals.as_ref().map_or(0, |totals| totals.copies_lost_ns / 1_000_000);
        u64::try_from(lost).unwrap_or(u64::MAX)
    };
    Copying {
        copies: match copies {
            Copies::Off => "off",
            Copies::Shuffle => "shuffle",
            Copies::All => "all",
        },
        copies_launched: median(draws.iter().map(|outcome| outcome.copies.launched)),
        copies_won: median(draws.iter().map(|outcome| outcome.copies.won)),
        lost_slot_ms: median(draws.iter().map(lost)),
    }
}

fn median(numbers: impl Iterator<Item = u64>) -> u64 {
    let mut sorted: Vec<u64> = numbers.collect();
    sorted.sort_unstable();
    sorted.get(sorted.len().saturating_sub(1) / 2).copied().unwrap_or(0)
}

/// Above which a task of a stage straggles.
fn most(stage: &StageSpec) -> Option<u64> {
    let Durations::Recorded { ms } = &stage.durations else { return None };
    #[expect(clippy::cast_precision_loss, reason = "milliseconds")]
    let most = median(ms.iter().copied()) as f64 * STRAGGLES;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
    let most = most.ceil() as u64;
    Some(most)
}

fn altered(world: &World, alter: impl Fn(&mut StageSpec)) -> World {
    let mut world = world.clone();
    let jobs = world.workflows.iter_mut().flat_map(|workflow| &mut workflow.jobs);
    jobs.flat_map(|job| &mut job.stages).for_each(alter);
    world
}

fn without_stragglers(world: &World) -> World {
    altered(world, |stage| {
        let most = most(stage);
        if let (Durations::Recorded { ms }, Some(most)) = (&mut stage.durations, most) {
            ms.iter_mut().for_each(|ms| *ms = (*ms).min(most));
        }
    })
}

/// The world with GRASS, whatever else the log's Holdfast did: nothing is held.
fn with_copies(
    world: &World,
    conf: &BTreeMap<String, String>,
    (copies, seed): (Copies, u64),
) -> World {
    let mut world = altered(world, |stage| {
        if let Durations::Recorded { ms } = &mut stage.durations {
            stage.durations = Durations::Resampled { ms: std::mem::take(ms) };
        }
    });
    world.seed = world.seed.wrapping_add(seed);
    world.spark.progress = Some(ProgressSpec::default());
    world.spark.speculation = None;
    let config = workload::config(conf);
    let stragglers = Stragglers::Grass;
    let hold_for = HoldFor::Prioritised;
    world.engine = Some(Config { policy: Policy::Ssr, hold_for, stragglers, copies, ..config });
    world.workflows.iter_mut().for_each(|workflow| workflow.priority = 0);
    world
}
