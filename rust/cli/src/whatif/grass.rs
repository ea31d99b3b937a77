//! What stragglers cost, as `holdfast whatif --stragglers` writes it.

use std::io::{self, Write};

use holdfast_study::whatif::grass::{Grass, Straggling, change, sentences};
use holdfast_study::whatif::rows::seconds;
use holdfast_words::shown;

use crate::text::{HEAD, table};

pub(super) fn show(grass: &Grass, limit: usize, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\n{HEAD}What stragglers cost{HEAD:#} (a simulation on the same executors)")?;
    for line in sentences(grass) {
        writeln!(out, "{line}")?;
    }
    if grass.workflows.is_empty() {
        return Ok(());
    }
    let of_settings = grass.copying.iter().map(|copying| format!("copies={}, s", copying.copies));
    let mut head = vec!["workflow", "runs", "as recorded, s", "without, s", "cost"];
    let of_settings: Vec<String> = of_settings.collect();
    for setting in &of_settings {
        head.extend([setting.as_str(), "change"]);
    }
    let all = grass.workflows.len();
    let shown = if limit == 0 { all } else { limit.min(all) };
    let rows: Vec<Vec<String>> = grass.workflows[..shown].iter().map(row).collect();
    writeln!(out)?;
    table(out, &head, &rows)?;
    if shown < all {
        writeln!(out, "({shown} of {all} shown; --limit 0 shows all)")?;
    }
    Ok(())
}

fn row(workflow: &Straggling) -> Vec<String> {
    let before = workflow.as_recorded_ms;
    let without = workflow.without_stragglers_ms;
    let mut row = vec![
        shown(&workflow.workflow),
        workflow.runs.to_string(),
        seconds(before),
        seconds(without),
        change(before, without),
    ];
    for &now in &workflow.grass_ms {
        row.extend([seconds(now), change(now, before)]);
    }
    row
}
