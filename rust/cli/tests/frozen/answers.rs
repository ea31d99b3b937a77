//! What the program says of the logs in the repository's test data.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::line::Line;
use crate::program::{IMPORTANT, Ran};
use crate::runs;

const CRATE: &str = env!("CARGO_MANIFEST_DIR");

/// Runs the program in a log's folder, so that no path is in its answer.
fn said(log: &Path, command: &str, args: &[&str]) -> Ran {
    let mut program = Command::new(env!("CARGO_BIN_EXE_holdfast"));
    program.current_dir(log.parent().unwrap()).arg(command).arg(log.file_name().unwrap());
    Ran::of(program.args(args).output().unwrap())
}

/// The name of a log, its folder's before it.
fn name(log: &Path) -> String {
    let part = |path: &Path| path.file_name().and_then(OsStr::to_str).unwrap().to_owned();
    format!("{}/{}", part(log.parent().unwrap()), part(log))
}

/// What is in a folder, in the order of names.
fn inside(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(CRATE).join(folder).canonicalize().unwrap();
    let mut all: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    all.sort();
    all
}

fn line(log: &Path, command: &str, args: &[&str]) -> Line {
    let ran = said(log, command, args);
    let asked = [&[command], args].concat().join(" ");
    // How far a simulation is goes to standard error as well, and depends on the machine.
    let err = if command == "sim" { "" } else { &ran.err };
    Line::of_text(format!("{}: {asked}", name(log)), &format!("{}\n{}{err}", ran.code, ran.out))
}

/// `replay` and `explain` of each decision log.
pub fn decision_logs() -> Vec<Line> {
    let logs = ["tests/data/decisions", "../fuzz/seeds/decision_log"].into_iter().flat_map(inside);
    let lines = logs.flat_map(|log| {
        let log = &log;
        [
            line(log, "replay", &[]),
            line(log, "explain", &[]),
            line(log, "explain", &["--stage", "0", "--limit", "0"]),
        ]
    });
    lines.collect()
}

/// `whatif`, and `sim` with every variant, of each event log.
pub fn event_logs() -> Vec<Line> {
    let folders = [
        "tests/data/cells",
        "../trace/tests/data",
        "../trace/tests/data/spark-3.5.6",
        "../fuzz/seeds/event_log",
    ];
    let logs = folders.into_iter().flat_map(inside);
    // What is no log is the pools' file and the folder of other logs.
    let logs = logs.filter(|path| {
        path.extension().is_none_or(|end| end != "xml") && !path.ends_with("spark-3.5.6")
    });
    let lines = logs.flat_map(|log| {
        let mut lines = vec![
            line(&log, "whatif", &["--json", "--limit", "0"]),
            line(&log, "whatif", &["--json", "--limit", "0", "--conf", IMPORTANT]),
            line(&log, "sim", &["--compare", "--json", "--conf", IMPORTANT]),
        ];
        let path = log.to_str().unwrap();
        lines.extend(runs::each_variant(&name(&log), &[path, "--conf", IMPORTANT]));
        lines
    });
    lines.collect()
}
