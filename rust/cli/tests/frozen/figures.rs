//! The numbers of `holdfast figures`.

use std::fs;
use std::path::Path;

use crate::line::Line;
use crate::program::holdfast;

/// The CSV of each figure, with so many nodes and seeds.
pub fn numbers(nodes: u32, seeds: u32) -> Vec<Line> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("frozen-figures");
    let _ = fs::remove_dir_all(&folder);
    let (number, count) = (nodes.to_string(), seeds.to_string());
    let asked = ["figures", "--nodes", &number, "--seeds", &count, "--out"];
    let ran = holdfast(&[&asked[..], &[folder.to_str().unwrap()]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let names = ["fig08", "fig10", "fig15", "fig16", "fig17"];
    let lines = names.into_iter().map(|name| {
        let text = fs::read_to_string(folder.join(format!("{name}.csv"))).unwrap();
        Line::of_text(format!("{name}.csv, {nodes} nodes, {seeds} seeds"), &text)
    });
    lines.collect()
}
