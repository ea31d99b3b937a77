//! A single run, in detail.

use std::io::Write;
use std::process::ExitCode;

use holdfast_engine::HoldFor;
use holdfast_sim::{Failure as Failed, Locality, Options, Outcome, World, simulate};
use serde_json::json;

use super::study::Run;
use super::watch;
use crate::Failure;
use crate::figures::statistics::{mean, quantile};
use crate::text::{BAD, GOOD, count, seconds, table};

/// All of it as JSON.
pub(super) fn show_json(run: &Run, out: &mut dyn Write) -> Result<(), Failure> {
    let jct = |w: usize| run.outcome.workflows[w].jct_ns();
    let slowdowns: Vec<(usize, f64)> = run
        .alone
        .iter()
        .map(|&(w, alone)| (w, holdfast_sim::many::slowdown(jct(w), alone)))
        .collect();
    let document = json!({ "outcome": run.outcome, "slowdowns": slowdowns });
    writeln!(out, "{document:#}")?;
    Ok(())
}

pub(super) fn show(world: &World, run: &Run, out: &mut dyn Write) -> Result<(), Failure> {
    let outcome = &run.outcome;
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
    show_slowdowns(&run.slowdowns, out)
}

fn locality_row(name: &str, l: &Locality) -> Vec<String> {
    let numbers = [l.process, l.node, l.any, l.none].map(|n| n.to_string());
    [name.to_owned()].into_iter().chain(numbers).collect()
}

fn show_slowdowns(ascending: &[f64], out: &mut dyn Write) -> Result<(), Failure> {
    let Some(worst) = ascending.last() else { return Ok(()) };
    let [median, p95, p99] = [0.5, 0.95, 0.99].map(|q| quantile(ascending, q));
    writeln!(
        out,
        "\nslowdown of {} against alone: mean {:.2}, median {median:.2}, worst {worst:.2}; p95 {p95:.2}, p99 {p99:.2}",
        count(ascending.len() as u64, "foreground workflow"),
        mean(ascending),
    )?;
    Ok(())
}

/// The same world once more, every set asked about every offer.
pub(super) fn check(
    world: &World,
    outcome: &Outcome,
    out: &mut dyn Write,
) -> Result<ExitCode, Failure> {
    let interrupt = Some(watch::flag());
    let options = Options { placements: true, literal: true, interrupt, ..Options::default() };
    let literal = match simulate(world, &options) {
        Ok(literal) => literal,
        Err(Failed::Interrupted) => return Ok(ExitCode::from(watch::INTERRUPTED)),
        Err(why) => return Err(Failure::Input(why.to_string())),
    };
    let mut pairs = outcome.placements.iter().zip(&literal.placements);
    let launches = count(outcome.placements.len() as u64, "launch").replace("launchs", "launches");
    if outcome.placements.len() == literal.placements.len() && pairs.all(|(a, b)| a == b) {
        writeln!(out, "{launches}, every set asked about every offer: {GOOD}the same{GOOD:#}")?;
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(out, "{launches}, every set asked about every offer: {BAD}differs{BAD:#}")?;
    Ok(ExitCode::from(1))
}
