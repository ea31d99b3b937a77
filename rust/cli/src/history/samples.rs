//! What bounded jobs taught (GR-5), as applications left it: one row for each size, bound and rule.

use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::date::date;
use crate::history::files::{File, Taught};
use crate::text::table;

/// Of one size, bound and rule.
#[derive(Default)]
struct Row {
    samples: Vec<[u64; 6]>,
    applications: u64,
    when: u64,
}

/// As the engine tells sizes apart (NSDI'14, section 6.1).
const SIZES: [(&str, u64); 3] =
    [("up to 50 tasks", 50), ("51 to 500 tasks", 500), ("above 500 tasks", u64::MAX)];

/// Writes what all files say together; nothing without samples.
pub(super) fn show(files: &[File], out: &mut dyn Write) -> io::Result<bool> {
    let mut rows: BTreeMap<(usize, u64), Row> = BTreeMap::new();
    for file in files {
        let mut of_file: BTreeMap<(usize, u64), Row> = BTreeMap::new();
        for Taught { when, samples } in &file.taught {
            for sample in samples {
                let row = of_file.entry((size(sample[1]), sample[0])).or_default();
                row.samples.push(*sample);
                row.when = row.when.max(*when);
            }
        }
        for (key, of_file) in of_file {
            let row = rows.entry(key).or_default();
            row.samples.extend(of_file.samples);
            row.applications += 1;
            row.when = row.when.max(of_file.when);
        }
    }
    if rows.is_empty() {
        return Ok(false);
    }
    let head = [
        "bounded jobs",
        "bound",
        "rule",
        "samples",
        "applications",
        "median bound",
        "median result",
        "last seen",
    ];
    let cells: Vec<Vec<String>> =
        rows.into_iter().map(|((size, kind), row)| cells(size, kind, &row)).collect();
    table(out, &head, &cells)?;
    Ok(true)
}

fn size(tasks: u64) -> usize {
    SIZES.iter().position(|&(_, most)| tasks <= most).unwrap_or(SIZES.len() - 1)
}

fn cells(size: usize, kind: u64, row: &Row) -> Vec<String> {
    let median = |number: usize| {
        let mut all: Vec<u64> = row.samples.iter().map(|sample| sample[number]).collect();
        all.sort_unstable();
        all[(all.len() - 1) / 2]
    };
    let (value, score) = (median(2), median(5));
    let times = |milli: u64| format!("{}.{} task times", milli / 1_000, milli / 100 % 10);
    let (bound, value, score) = if kind < 2 {
        ("deadline", times(value), format!("{}.{} % done", score / 10_000, score / 1_000 % 10))
    } else {
        ("error", format!("{value} tasks"), times(score))
    };
    vec![
        SIZES[size].0.to_owned(),
        bound.to_owned(),
        if kind % 2 == 1 { "GS" } else { "RAS" }.to_owned(),
        row.samples.len().to_string(),
        row.applications.to_string(),
        value,
        score,
        date(row.when),
    ]
}
