//! `holdfast sim`.

pub(crate) mod args;
pub(crate) mod watch;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use anstream::stderr;
use holdfast_engine::HoldFor;
use holdfast_sim::paper::{Foreground, Setting, Variant, world};
use holdfast_sim::{Locality, Options, Outcome, World, many, simulate};
use serde_json::json;

use self::args::{Sim, SimForeground, SimPreset, SimVariant};
use self::watch::Watch;
use crate::Failure;
use crate::text::{BAD, GOOD, count, seconds, table};

pub(crate) fn run(asked: &Sim, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    let world = world_of(asked)?;
    let watch = Watch::begin()?;
    let progress = |progress| watch.note(progress);
    let (progress, interrupt) = (Some(&progress as _), Some(watch.interrupt()));
    let (log, placements) = (asked.log.is_some(), asked.check);
    let options = Options { log, placements, progress, interrupt, ..Options::default() };
    let begin = Instant::now();
    let outcome = simulated(&world, &options)?;
    note_speed(&outcome, begin.elapsed().as_secs_f64());
    if let (Some(path), Some(log)) = (&asked.log, &outcome.log) {
        write_log(path, log)?;
    }
    let slowdowns = many::slowdowns(&world, &outcome).map_err(input)?;
    watch.go_on()?;
    if asked.json {
        let document = json!({ "outcome": outcome, "slowdowns": slowdowns });
        writeln!(out, "{document:#}")?;
    } else {
        show(&world, &outcome, &slowdowns, out)?;
    }
    if !asked.check {
        return Ok(ExitCode::SUCCESS);
    }
    let options = Options { placements, literal: true, progress, interrupt, ..Options::default() };
    check(&world, &outcome, &options, out)
}

fn input(why: impl std::fmt::Display) -> Failure {
    Failure::Input(why.to_string())
}

fn simulated(world: &World, options: &Options) -> Result<Outcome, Failure> {
    simulate(world, options).map_err(|why| match why {
        holdfast_sim::Failure::Interrupted => Failure::Interrupted,
        why => input(why),
    })
}

fn world_of(asked: &Sim) -> Result<World, Failure> {
    let Some(path) = &asked.world else { return Ok(preset(asked)) };
    let wrong = |why: &dyn std::fmt::Display| Failure::Input(format!("{}: {why}", path.display()));
    let text = fs::read_to_string(path).map_err(|e| wrong(&e))?;
    let mut world: World = serde_json::from_str(&text).map_err(|e| wrong(&e))?;
    if let Some(seed) = asked.seed {
        world.seed = seed;
    }
    if let Some(variant) = asked.variant {
        world = variant_of(variant).of(&world);
    }
    world.check().map_err(|e| wrong(&e))?;
    Ok(world)
}

fn preset(asked: &Sim) -> World {
    let (long, penalty) = match asked.preset.unwrap_or(SimPreset::Paper) {
        SimPreset::Paper => (1.0, 5.0),
        SimPreset::PaperLong => (2.0, 5.0),
        SimPreset::PaperFar => (1.0, 10.0),
    };
    let foreground = match asked.foreground {
        SimForeground::Sql => Foreground::Sql,
        SimForeground::Mllib => Foreground::Mllib,
        SimForeground::MllibWide => Foreground::MllibWide,
    };
    let seed = asked.seed.unwrap_or(1);
    let setting =
        Setting { seed, nodes: asked.nodes, long, penalty, foreground, ..Setting::default() };
    variant_of(asked.variant.unwrap_or(SimVariant::Lookahead)).of(&world(&setting))
}

fn variant_of(asked: SimVariant) -> Variant {
    match asked {
        SimVariant::Spark => Variant::Spark,
        SimVariant::Priority => Variant::Priority,
        SimVariant::Static => Variant::Static,
        SimVariant::Timeout => Variant::Timeout,
        SimVariant::Literal => Variant::Literal,
        SimVariant::LiteralCopies => Variant::LiteralCopies,
        SimVariant::Lookahead => Variant::Lookahead,
    }
}

fn write_log(path: &Path, log: &[u8]) -> Result<(), Failure> {
    fs::write(path, log)
        .map_err(|e| Failure::Input(format!("cannot write {}: {e}", path.display())))
}

/// Where it does not disturb the output: it is another one each time.
fn note_speed(outcome: &Outcome, elapsed: f64) {
    #[expect(clippy::cast_precision_loss, reason = "a rate")]
    let rate = outcome.events as f64 / elapsed.max(1e-9) / 1e6;
    let events = count(outcome.events, "event");
    let _ = writeln!(stderr(), "note: {events} in {elapsed:.2} s, {rate:.2} million a second");
}

fn show(
    world: &World,
    outcome: &Outcome,
    slowdowns: &[(usize, f64)],
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let workflows = count(outcome.workflows.len() as u64, "workflow");
    let attempts = count(outcome.attempts, "attempt");
    let end = seconds(u128::from(outcome.end_ns));
    writeln!(out, "{workflows}, {attempts}, {} slots: {end} s", world.slots())?;
    let [busy, held, free] = outcome.usage.shares().map(|share| share * 100.0);
    writeln!(out, "slots: {busy:.1} % busy, {held:.2} % held idle, {free:.1} % free")?;
    let (barriers, copies) = (outcome.barriers, outcome.copies);
    if world.engine.as_ref().is_some_and(|e| e.hold_for == HoldFor::All) || barriers.held > 0 {
        let kept = barriers.kept;
        writeln!(out, "barriers and gaps held: {}, of which {kept} were kept", barriers.held)?;
    }
    writeln!(out, "copies: {}, of which {} were first", copies.launched, copies.won)?;
    let names = ["background", "foreground"];
    let rows: Vec<Vec<String>> =
        names.iter().zip(&outcome.locality).map(|(name, l)| locality_row(name, l)).collect();
    writeln!(out)?;
    table(out, &["launches", "executor", "host", "elsewhere", "no preference"], &rows)?;
    show_slowdowns(slowdowns, out)
}

fn locality_row(name: &str, l: &Locality) -> Vec<String> {
    let numbers = [l.process, l.node, l.any, l.none].map(|n| n.to_string());
    [name.to_owned()].into_iter().chain(numbers).collect()
}

fn show_slowdowns(slowdowns: &[(usize, f64)], out: &mut dyn Write) -> Result<(), Failure> {
    if slowdowns.is_empty() {
        return Ok(());
    }
    let mut sorted: Vec<f64> = slowdowns.iter().map(|&(_, slowdown)| slowdown).collect();
    sorted.sort_by(f64::total_cmp);
    #[expect(clippy::cast_precision_loss, reason = "a mean")]
    let mean = sorted.iter().sum::<f64>() / sorted.len() as f64;
    let (median, worst) = (sorted[sorted.len() / 2], sorted[sorted.len() - 1]);
    writeln!(
        out,
        "\nslowdown of {} against alone: mean {mean:.2}, median {median:.2}, worst {worst:.2}",
        count(slowdowns.len() as u64, "foreground workflow")
    )?;
    Ok(())
}

/// The same world once more, every set asked about every offer.
fn check(
    world: &World,
    outcome: &Outcome,
    options: &Options,
    out: &mut dyn Write,
) -> Result<ExitCode, Failure> {
    let literal = simulated(world, options)?;
    let mut pairs = outcome.placements.iter().zip(&literal.placements);
    let launches = count(outcome.placements.len() as u64, "launch").replace("launchs", "launches");
    if outcome.placements.len() == literal.placements.len() && pairs.all(|(a, b)| a == b) {
        writeln!(out, "{launches}, every set asked about every offer: {GOOD}the same{GOOD:#}")?;
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(out, "{launches}, every set asked about every offer: {BAD}differs{BAD:#}")?;
    Ok(ExitCode::from(1))
}
