//! The table of simulated and recorded times.

use std::io::Write;

use holdfast_study::workload::{Compared, Comparison, within};
use holdfast_words::{count, shown};

use crate::Failure;
use crate::text::{HEAD, table};

/// The most runs that the table shows; `--json` has all of them.
const ROWS: usize = 30;

pub(super) fn show(compared: &Comparison, out: &mut dyn Write) -> Result<(), Failure> {
    let all = compared.runs.len();
    let Some(median) = compared.median else {
        return Ok(writeln!(out, "No run has an end in the log: there is nothing to compare.")?);
    };
    writeln!(
        out,
        "{HEAD}Simulated as recorded:{HEAD:#} {}, simulated over recorded {median:.2} (median); {} within 10 %, {} within 20 %",
        count(all as u64, "run"),
        compared.within_10_percent,
        compared.within_20_percent
    )?;
    let mut runs: Vec<_> = compared.runs.iter().collect();
    runs.sort_by_key(|run| std::cmp::Reverse((run.priority, run.recorded_ms)));
    let seconds = |ms: u64| format!("{}.{:03}", ms / 1_000, ms % 1_000);
    let pools = runs.iter().any(|run| run.pool.is_some());
    let row = |run: &&Compared| {
        let mut cells = vec![format!("{} #{}", shown(&run.workflow), run.run)];
        cells.extend(pools.then(|| run.pool.as_deref().map(shown).unwrap_or_default()));
        cells.extend([
            run.priority.to_string(),
            seconds(run.recorded_ms),
            seconds(run.simulated_ms),
            format!("{:.3}", run.ratio),
            if within(run.ratio, 0.2) { String::new() } else { "more than 20 % off".to_owned() },
        ]);
        cells
    };
    let rows: Vec<Vec<String>> = runs.iter().take(ROWS).map(row).collect();
    writeln!(out)?;
    let mut head = vec!["run"];
    head.extend(pools.then_some("pool"));
    head.extend(["priority", "recorded, s", "simulated, s", "ratio", ""]);
    table(out, &head, &rows)?;
    if rows.len() < all {
        writeln!(
            out,
            "({} of {all} shown, the most important and longest; --json has all)",
            rows.len()
        )?;
    }
    Ok(())
}
