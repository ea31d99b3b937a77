//! What `holdfast sim` launches and measures.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::line::Line;
use crate::logs::Sums;
use crate::program::{file, holdfast};

/// A file that the program writes.
fn written(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("frozen-{name}"))
}

/// Runs `sim` with each variant: a line for each run, its fingerprint and its launches, and one for all measures.
pub fn each_variant(name: &str, args: &[&str]) -> Vec<Line> {
    let file = written("runs.jsonl");
    let _ = fs::remove_file(&file);
    let asked = ["--variant", "all", "--background", "--jsonl", file.to_str().unwrap()];
    let ran = holdfast(&[&["sim"], args, &asked].concat());
    let text = fs::read_to_string(file).unwrap_or_default();
    let runs = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut lines: Vec<Line> = runs
        .filter(|line| line["kind"] == "run")
        .map(|run| {
            let said = |what: &str| run[what].as_str().unwrap().to_owned();
            let launches = run["attempts"].as_f64().unwrap_or_default();
            let share = run["isolation"].as_f64().filter(|&share| share > 0.0 && share < 1.0);
            let share = share.map(|share| format!(" at {share}")).unwrap_or_default();
            let name = format!("{name}: sim {}{share}", said("variant"));
            #[expect(clippy::cast_possible_truncation, reason = "a count, written as a float")]
            Line::new(name, said("fingerprint"), launches as u64)
        })
        .collect();
    lines.push(Line::of_text(format!("{name}: sim, measures"), &text));
    lines.push(Line::of_text(format!("{name}: sim, table"), &format!("{}\n{}", ran.code, ran.out)));
    lines
}

/// The scenarios that the program prints.
pub fn examples() -> Vec<Line> {
    let names = ["shared-cluster", "mixed-speeds", "executor-losses"];
    let runs = names.into_iter().flat_map(|name| {
        let example = holdfast(&["sim", "--example", name]);
        assert_eq!(example.code, 0, "{}", example.err);
        let world = file(&format!("frozen-{name}.jsonc"), example.out);
        let world = world.to_str().unwrap();
        let name = format!("example {name}");
        let mut lines = each_variant(&name, &[world]);
        let name = format!("{name}, isolation");
        lines.extend(each_variant(&name, &[world, "--isolation", "0.4,0.9", "--speculation"]));
        lines
    });
    runs.collect()
}

/// The presets, and what may be of interest in each.
pub const PRESETS: [&str; 3] = ["paper", "paper-long", "paper-far"];
pub const FOREGROUNDS: [&str; 3] = ["sql", "mllib", "mllib-wide"];

/// Each of these presets with each of these foregrounds.
pub fn presets(nodes: u32, presets: &[&str], foregrounds: &[&str]) -> Vec<Line> {
    let mut lines = Vec::new();
    let number = nodes.to_string();
    for preset in presets {
        for foreground in foregrounds {
            let name = format!("{preset} {foreground}, {nodes} nodes");
            let asked = ["--preset", preset, "--foreground", foreground, "--nodes", &number];
            lines.extend(each_variant(&name, &asked));
        }
    }
    lines
}

/// The decision logs of the paper's set-up.
pub fn paper_log(nodes: u32) -> Vec<Line> {
    let (file, number) = (written("paper.hflog"), nodes.to_string());
    let lines =
        ["static", "timeout", "literal-copies", "lookahead"].into_iter().flat_map(|variant| {
            let asked =
                ["sim", "--preset", "paper", "--nodes", &number, "--variant", variant, "--log"];
            let ran = holdfast(&[&asked[..], &[file.to_str().unwrap()]].concat());
            assert_eq!(ran.code, 0, "{}", ran.err);
            let mut sums = Sums::default();
            sums.add(&fs::read(&file).unwrap());
            sums.lines(&format!("paper, {nodes} nodes: log of {variant}"))
        });
    let lines = lines.collect();
    let _ = fs::remove_file(&file);
    lines
}
