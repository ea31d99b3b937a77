//! The text that `holdfast whatif` writes.

use std::io::{self, Write};

use holdfast_study::whatif::rows::{Rows, TERMS, percent, pool, rounded, seconds, slots_lost};
use holdfast_study::whatif::sentences::{of_runs, takers, verdict, worst};
use holdfast_trace::report::{ApplicationReport, RunReport};
use holdfast_words::{count, shown, shown_path};

use crate::text::{HEAD, table};

/// The most workflows that get a line below the table.
const STORIES: usize = 5;

pub(super) fn show(
    report: &ApplicationReport,
    rows: &Rows<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    head(report, rows, out)?;
    if rows.all == 0 {
        return Ok(());
    }
    let mut columns = vec!["workflow"];
    columns.extend(rows.pools.then_some("pool"));
    columns.push("JCT, s");
    columns.extend(TERMS);
    columns.extend(["slots lost", "barriers", "with loss"]);
    let named = |(name, run): &(String, &RunReport)| {
        let mut named = vec![name.clone()];
        named.extend(rows.pools.then(|| pool(run)));
        row(named, run)
    };
    let mut cells: Vec<Vec<String>> = rows.shown.iter().map(named).collect();
    cells.push(total(rows));
    writeln!(out)?;
    table(out, &columns, &cells)?;
    if rows.shown.len() < rows.all {
        writeln!(out, "({} of {} shown; --limit 0 shows all)", rows.shown.len(), rows.all)?;
    }
    stories(rows, out)
}

fn head(report: &ApplicationReport, rows: &Rows<'_>, out: &mut dyn Write) -> io::Result<()> {
    let id = report.id.as_deref().map_or_else(|| shown_path(&report.log), shown);
    let name = report.name.as_ref().map(|name| format!(" \"{}\"", shown(name))).unwrap_or_default();
    writeln!(
        out,
        "{HEAD}{id}{HEAD:#}{name}: Spark {}, {}, {} s, {}, at most {}, {} of their time in use",
        report.spark.as_deref().map_or_else(|| "of an unknown version".to_owned(), shown),
        if report.fair { "FAIR" } else { "FIFO" },
        seconds(report.last_ms - report.first_ms),
        count(report.executors, "executor"),
        count(report.slots, "slot"),
        percent(report.busy_slot_ms, report.all_slot_ms),
    )?;
    let of = of_runs(rows);
    let jobs = count(rows.sum.jobs, "Spark job");
    writeln!(
        out,
        "{jobs}, {of}; at least two had stages at the same time for {} s",
        seconds(report.shared_ms)
    )?;
    for line in verdict(report, rows) {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

fn row(mut cells: Vec<String>, run: &RunReport) -> Vec<String> {
    cells.push(seconds(run.jct_us / 1_000));
    cells.extend(rounded(&run.terms).map(seconds));
    let crossings = run.barriers.all + run.gaps.all;
    let with_loss = run.barriers.with_loss + run.gaps.with_loss;
    cells.extend([slots_lost(run).to_string(), crossings.to_string(), with_loss.to_string()]);
    cells
}

fn total(rows: &Rows<'_>) -> Vec<String> {
    let sum = &rows.sum;
    let mut cells = vec!["all".to_owned()];
    cells.extend(rows.pools.then(String::new));
    cells.push(seconds(sum.terms.sum() / 1_000));
    cells.extend(rounded(&sum.terms).map(seconds));
    let counts = [sum.slots_lost, sum.crossings, sum.crossings_with_loss];
    cells.extend(counts.map(|n| n.to_string()));
    cells
}

/// Says which workflows took slots, and where that cost most.
fn stories(rows: &Rows<'_>, out: &mut dyn Write) -> io::Result<()> {
    let losers = rows.shown.iter().filter(|(_, run)| run.terms.lost_at_barriers > 0);
    for (i, (name, run)) in losers.take(STORIES).enumerate() {
        if i == 0 {
            writeln!(out)?;
        }
        writeln!(out, "{name}: lost to {}{}", takers(&run.lost_to), worst(run))?;
    }
    Ok(())
}
