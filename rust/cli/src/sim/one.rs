//! A single run, in detail.

use std::io::Write;

use holdfast_engine::HoldFor;
use holdfast_sim::{Locality, World};
use holdfast_study::sim::study::{Run, Series};
use holdfast_study::statistics::{mean, quantile};
use holdfast_words::{count, verb};

use crate::Failure;
use crate::text::{BAD, GOOD, seconds, table};

/// From 0 to 1.
fn asked(run: &Run) -> Option<f64> {
    run.asked.map(|ppm| f64::from(ppm) / 1e6)
}

pub(super) fn show(
    (series, world): (&Series, &World),
    run: &Run,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let outcome = &run.outcome;
    let isolation = asked(run).map(|asked| format!(", P {asked}")).unwrap_or_default();
    write!(out, "{}{isolation}, seed {}: ", series.who(), run.seed)?;
    let workflows = count(outcome.workflows.len() as u64, "workflow");
    let attempts = count(outcome.attempts, "attempt");
    let end = seconds(u128::from(outcome.end_ns));
    writeln!(out, "{workflows}, {attempts}, {}: {end} s", count(world.slots(), "slot"))?;
    let [busy, held, free] = outcome.usage.shares().map(|share| share * 100.0);
    writeln!(out, "slots: {busy:.1} % busy, {held:.2} % held idle, {free:.1} % free")?;
    let (barriers, copies) = (outcome.barriers, outcome.copies);
    if world.engine.as_ref().is_some_and(|e| e.hold_for == HoldFor::All) || barriers.held > 0 {
        let kept = barriers.kept;
        let were = verb(kept, ("was", "were"));
        writeln!(out, "barriers and gaps held: {}, of which {kept} {were} kept", barriers.held)?;
    }
    let were = verb(copies.won, ("was", "were"));
    writeln!(out, "copies: {}, of which {} {were} first", copies.launched, copies.won)?;
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

pub(super) fn show_check(run: &Run, is_same: bool, out: &mut dyn Write) -> Result<(), Failure> {
    let launches = run.outcome.placements.len() as u64;
    let launches = count(launches, "launch");
    let said =
        if is_same { format!("{GOOD}the same{GOOD:#}") } else { format!("{BAD}differs{BAD:#}") };
    writeln!(out, "{launches}, every set asked about every offer: {said}")?;
    Ok(())
}
