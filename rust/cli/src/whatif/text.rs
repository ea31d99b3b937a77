//! The text that `holdfast whatif` writes.

use std::collections::BTreeMap;
use std::io::{self, Write};

use holdfast_trace::report::{ApplicationReport, RunReport};
use holdfast_words::{count, shown, shown_path, verb};

use super::rows::{Rows, TERMS, percent, pool, rounded, seconds, slots_lost};
use crate::text::{HEAD, table};

/// So many of those that took slots are named for each workflow.
const TAKERS: usize = 3;
/// So many workflows that lost slots are told about below the table.
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

fn crossings(n: u64) -> String {
    format!("{n} {}", verb(n, ("barrier or gap", "barriers and gaps")))
}

fn of_runs(rows: &Rows<'_>) -> String {
    let (runs, workflows) = (rows.all as u64, rows.workflows as u64);
    if workflows < runs {
        format!("{} of {}", count(runs, "run"), count(workflows, "workflow"))
    } else {
        count(runs, "workflow")
    }
}

/// What the application's log says, in sentences that hold whatever it is.
pub(super) fn verdict(report: &ApplicationReport, rows: &Rows<'_>) -> Vec<String> {
    let sum = &rows.sum;
    let mut lines = Vec::new();
    if rows.all == 0 {
        lines.push("No Spark job ran.".to_owned());
        return lines;
    }
    lines.push(if sum.terms.lost_at_barriers > 0 {
        format!(
            "Lost at barriers: {} s by {} of {}, {} of what {} took; at {} of {}, {}.",
            seconds(rounded(&sum.terms)[2]),
            sum.losers,
            of_runs(rows),
            percent(sum.terms.lost_at_barriers, sum.losers_us),
            verb(sum.losers as u64, ("it", "these")),
            sum.crossings_with_loss,
            crossings(sum.crossings),
            count(sum.slots_lost, "slot")
        )
    } else if report.shared_ms == 0 {
        "Nothing was lost at barriers: no two workflows had stages at the same time.".to_owned()
    } else if sum.crossings == 0 {
        "Nothing was lost at barriers: there was no barrier and no gap.".to_owned()
    } else if sum.crossings == 1 {
        "Nothing was lost at barriers: at the only barrier or gap no task waited for a slot that others had taken."
            .to_owned()
    } else {
        format!(
            "Nothing was lost at barriers: at none of {} did tasks wait for slots that others had taken.",
            crossings(sum.crossings)
        )
    });
    // Of an executor that was not announced it is not known since when it was there.
    let announced = report.executors - report.unannounced_executors;
    if sum.without_executors_us > 0 && announced > 0 {
        lines.push(format!(
            "First wait: in {} s of {} s there was no executor.",
            seconds(sum.without_executors_us / 1_000),
            seconds(rounded(&sum.terms)[1])
        ));
    }
    lines
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

/// Who took slots, and where that cost most.
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

pub(super) fn takers(lost_to: &BTreeMap<String, u64>) -> String {
    if lost_to.is_empty() {
        return "others".to_owned();
    }
    let mut takers: Vec<(&String, &u64)> = lost_to.iter().collect();
    takers.sort_by_key(|(_, tasks)| std::cmp::Reverse(**tasks));
    let named = takers.iter().take(TAKERS);
    let mut parts: Vec<String> = named
        .map(|(name, tasks)| format!("{} ({})", shown(name), count(**tasks, "task")))
        .collect();
    if takers.len() > TAKERS {
        parts.push(count((takers.len() - TAKERS) as u64, "other"));
    }
    parts.join(", ")
}

pub(super) fn worst(run: &RunReport) -> String {
    let Some(worst) = &run.worst else { return String::new() };
    format!(
        "; most before stage {}, after a {}: {} s, {}",
        worst.stage,
        if worst.gap { "gap between jobs" } else { "barrier" },
        seconds(worst.lost_us / 1_000),
        count(worst.slots_lost, "slot")
    )
}
