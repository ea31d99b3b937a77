//! What the program says of its own work, and that it says nothing of it unless it is asked to.
#![allow(clippy::unwrap_used, reason = "tests")]

#[path = "../../trace/tests/common/mod.rs"]
mod common;
mod program;

use std::process::Command;

use common::Log;
use program::{file, holdfast};

/// A log that has lost the start of its second task, with one event of a kind that is not read.
fn log() -> String {
    let mut log = Log::new(&[2]);
    log.job(0, 0, &[(0, &[])], &[]);
    log.stage(0, 0, 2);
    log.task(10, 0, 0, 0, "e0");
    log.line(r#"{"Event":"SparkListenerBlockManagerAdded","Timestamp":1}"#);
    log.task_end((10, 900), 0, 0, 0, "e0", "Success");
    log.task_end((20, 950), 0, 1, 1, "e0", "Success");
    log.stage_end(1_000, 0);
    log.job_end(1_000, 0);
    log.end(2_000);
    log.0
}

#[test]
fn readers_say_what_they_skip_and_rebuild_when_asked() {
    let path = file("verbose", log());
    let path = path.to_str().unwrap();
    let run = |words: &[&str]| holdfast(&[words, &["whatif", path]].concat());
    let (quiet, once, twice) = (run(&[]), run(&["-v"]), run(&["-vv"]));
    assert!(!quiet.err.contains("info: "), "{}", quiet.err);
    assert!(once.err.contains("events read; 1 line skipped"), "{}", once.err);
    assert!(once.err.contains("info: 1 event rebuilt"), "{}", once.err);
    assert!(!once.err.contains("debug: "), "{}", once.err);
    assert!(twice.err.contains("1 x SparkListenerBlockManagerAdded skipped"), "{}", twice.err);
    assert!(twice.err.contains("debug: rebuilt, at "), "{}", twice.err);
    assert_eq!((&quiet.out, &quiet.out), (&once.out, &twice.out), "the output is the same");
    assert_eq!(holdfast(&["whatif", path, "-v"]).err, once.err, "anywhere in the line");
}

#[test]
fn the_environment_chooses_for_each_part() {
    let path = file("verbose-env", log());
    let run = |filter: &str| {
        let program = Command::new(env!("CARGO_BIN_EXE_holdfast"))
            .args(["whatif", path.to_str().unwrap()])
            .env("RUST_LOG", filter)
            .output();
        String::from_utf8(program.unwrap().stderr).unwrap()
    };
    assert!(run("holdfast_trace::rebuild=debug").contains("debug: rebuilt"));
    assert!(!run("holdfast_trace::rebuild=debug").contains("events read"));
    assert!(!run("off").contains("info: "));
}

#[test]
fn simulations_say_what_they_draw() {
    let ran = holdfast(&["sim", "--preset", "paper", "--nodes", "5", "-v"]);
    assert!(ran.err.contains("info: seed 1: "), "{}", ran.err);
}

#[test]
fn help_says_how() {
    assert!(holdfast(&["--help"]).out.contains("RUST_LOG"));
}
