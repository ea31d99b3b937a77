//! Compares what engine and program answer with `tests/frozen.txt`, which was recorded once.
//!
//! One line an answer: its name, a checksum of its bytes, and how many things it holds. The header of the text file says
//! what each line is. The test computes the first part in each run, and the second part, too, with `HOLDFAST_FROZEN=all`.
//! With `HOLDFAST_FROZEN=write` it computes both parts and rewrites the file.
#![allow(clippy::unwrap_used, reason = "tests")]

mod answers;
mod figures;
mod histories;
mod line;
mod logs;
#[path = "../program/mod.rs"]
mod program;
mod runs;

use std::fs;

use line::Line;

const RECORD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/frozen.txt");
/// Where each run leaves what it computed, to be compared with the record line by line.
const COMPUTED: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/frozen.txt");
const HEADER: &str = include_str!("header.txt");

/// Seeds of random worlds in all, and those of the first part.
const SEEDS: u64 = 10_000;
const FEW_SEEDS: u64 = 2_000;
/// Nodes of the paper's cluster, and of smaller ones.
const NODES: u32 = 1_000;
const SOME_NODES: u32 = 100;
const FEW_NODES: u32 = 20;

fn first_part() -> Vec<Line> {
    let mut lines = histories::blocks(1..=FEW_SEEDS);
    lines.extend(answers::decision_logs());
    lines.extend(answers::event_logs());
    lines.extend(runs::examples());
    lines.extend(runs::presets(FEW_NODES, &runs::PRESETS, &runs::FOREGROUNDS));
    lines.extend(runs::paper_log(FEW_NODES));
    lines.extend(figures::numbers(5, 2));
    lines
}

fn second_part() -> Vec<Line> {
    let mut lines = histories::blocks(FEW_SEEDS + 1..=SEEDS);
    lines.extend(runs::paper_log(NODES));
    lines.extend(runs::presets(NODES, &runs::PRESETS[..1], &runs::FOREGROUNDS[1..2]));
    lines.extend(figures::numbers(SOME_NODES, 2));
    lines.extend(runs::presets(SOME_NODES, &runs::PRESETS, &runs::FOREGROUNDS));
    lines
}

#[test]
fn answers_are_those_that_were_recorded() {
    let asked = std::env::var("HOLDFAST_FROZEN").unwrap_or_default();
    assert!(
        ["", "all", "write"].contains(&asked.as_str()),
        "HOLDFAST_FROZEN={asked}: say all or write"
    );
    let mut lines = first_part();
    if !asked.is_empty() {
        lines.extend(second_part());
    }
    let lines: Vec<String> = lines.iter().map(Line::to_string).collect();
    let text = format!("{HEADER}\n{}\n", lines.join("\n"));
    fs::write(if asked == "write" { RECORD } else { COMPUTED }, text).unwrap();
    let text = fs::read_to_string(RECORD).unwrap();
    let recorded: Vec<&str> =
        text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    let differ = |at: &usize| recorded.get(*at).copied() != lines.get(*at).map(String::as_str);
    let compared = if asked.is_empty() { lines.len() } else { lines.len().max(recorded.len()) };
    let others: Vec<usize> = (0..compared).filter(differ).collect();
    if let Some(&first) = others.first() {
        let [recorded, now] = [recorded.get(first).copied(), lines.get(first).map(String::as_str)];
        panic!(
            "{} of {compared} answers differ from {RECORD}; all that were computed are in {COMPUTED}; the first of them:\n  \
             recorded  {}\n  now       {}",
            others.len(),
            recorded.unwrap_or("nothing"),
            now.unwrap_or("nothing"),
        );
    }
}
