//! What is said of a report, in sentences that text and page have in common.

use std::collections::BTreeMap;

use holdfast_trace::report::{ApplicationReport, RunReport};
use holdfast_words::{count, shown, verb};

use super::rows::{Rows, percent, rounded, seconds};

/// The most takers of slots that are named for each workflow.
const TAKERS: usize = 3;

fn crossings(n: u64) -> String {
    format!("{n} {}", verb(n, ("barrier or gap", "barriers and gaps")))
}

/// Returns how many runs there are, of how many workflows.
pub fn of_runs(rows: &Rows<'_>) -> String {
    let (runs, workflows) = (rows.all as u64, rows.workflows as u64);
    if workflows < runs {
        format!("{} of {}", count(runs, "run"), count(workflows, "workflow"))
    } else {
        count(runs, "workflow")
    }
}

/// Returns what the application's log says, in sentences that hold whatever it is.
pub fn verdict(report: &ApplicationReport, rows: &Rows<'_>) -> Vec<String> {
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

/// Returns names the workflows that took slots, and how many tasks they ran there.
pub fn takers(lost_to: &BTreeMap<String, u64>) -> String {
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

/// Returns where that cost most.
pub fn worst(run: &RunReport) -> String {
    let Some(worst) = &run.worst else { return String::new() };
    format!(
        "; most before stage {}, after a {}: {} s, {}",
        worst.stage,
        if worst.gap { "gap between jobs" } else { "barrier" },
        seconds(worst.lost_us / 1_000),
        count(worst.slots_lost, "slot")
    )
}
