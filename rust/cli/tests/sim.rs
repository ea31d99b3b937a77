//! `holdfast sim` as a user runs it.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

struct Ran {
    code: i32,
    out: String,
    err: String,
}

fn sim(args: &[&str]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_holdfast"));
    let output = command.arg("sim").args(args).output().unwrap();
    Ran {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

fn file(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).unwrap();
    path
}

/// A foreground of two phases and a background: 4 s with a held slot, 13 s without.
const WORLD: &str = r#"{
  "cluster": [{"nodes": 2, "executors_per_node": 1, "capacity": [1000, 0, 0, 0]}],
  "workflows": [
    {"priority": 10, "foreground": true, "arrival_ms": 0, "jobs": [{"stages": [
      {"tasks": 2, "durations": {"kind": "recorded", "ms": [1000, 3000]}},
      {"tasks": 2, "durations": {"kind": "constant", "ms": 1000}}]}]},
    {"arrival_ms": 500, "jobs": [{"stages": [
      {"tasks": 4, "durations": {"kind": "constant", "ms": 10000}}]}]}]
}"#;

#[test]
fn a_world_in_a_file_is_simulated() {
    let path = file("world.json", WORLD);
    let path = path.to_str().unwrap();
    let spark = sim(&[path]);
    assert_eq!(spark.code, 0, "{}", spark.err);
    assert!(spark.out.contains("2 workflows, 8 attempts, 2 slots: 23.000 s"), "{}", spark.out);
    assert!(spark.out.contains("mean 3.25, median 3.25, worst 3.25"), "{}", spark.out);
    let held = sim(&[path, "--variant", "literal", "--check"]);
    assert_eq!(held.code, 0, "{}", held.err);
    assert!(held.out.contains("mean 1.00"), "{}", held.out);
    assert!(held.out.contains("the same"), "{}", held.out);
    // The slot that is set aside runs the second phase's tasks one after the other.
    for (variant, mean) in [("static", "mean 1.25"), ("timeout", "mean 1.00")] {
        let ran = sim(&[path, "--variant", variant, "--check"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(ran.out.contains(mean) && ran.out.contains("the same"), "{}", ran.out);
    }
    assert_eq!(sim(&[path, "--json"]).out, sim(&[path, "--json"]).out);
}

#[test]
fn its_log_is_replayed() {
    let world = file("logged.json", WORLD);
    let log = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sim.hflog");
    let log = log.to_str().unwrap();
    let ran = sim(&[world.to_str().unwrap(), "--variant", "lookahead", "--log", log]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let mut replay = Command::new(env!("CARGO_BIN_EXE_holdfast"));
    let output = replay.args(["replay", log]).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_preset_is_simulated() {
    let ran = sim(&["--preset", "paper", "--nodes", "20", "--seed", "3"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("slowdown of 20 foreground workflows against alone"), "{}", ran.out);
}

#[test]
fn what_is_no_world_is_refused() {
    let cases = [
        ("no-json", "{", "EOF"),
        ("no-room", &WORLD.replace("[1000, 0, 0, 0]", "[500, 0, 0, 0]"), "no executor has room"),
        (
            "no-parents",
            &WORLD.replace("\"tasks\": 4,", "\"tasks\": 4, \"parents\": [3],"),
            "parents",
        ),
        ("unknown", &WORLD.replace("\"arrival_ms\": 500", "\"arrives\": 500"), "unknown field"),
    ];
    for (name, text, says) in cases {
        let path = file(name, text);
        let ran = sim(&[path.to_str().unwrap()]);
        assert_eq!(ran.code, 3, "{name}: {}", ran.out);
        assert!(ran.err.contains(says), "{name}: {}", ran.err);
    }
    assert_eq!(sim(&["no-such-file.json"]).code, 3);
}

#[test]
fn wrong_usage_is_refused() {
    assert_eq!(sim(&[]).code, 2);
    assert_eq!(sim(&["--preset", "papers"]).code, 2);
    assert_eq!(sim(&["world.json", "--preset", "paper"]).code, 2);
}

/// A run that takes long says how far it is, and ends when the user wants it to.
#[test]
#[cfg(unix)]
fn a_long_run_says_how_far_it_is_and_ends_when_asked_to() {
    let log = Path::new(env!("CARGO_TARGET_TMPDIR")).join("interrupted.hflog");
    let _ = fs::remove_file(&log);
    let mut command = Command::new(env!("CARGO_BIN_EXE_holdfast"));
    command.args(["sim", "--preset", "paper", "--nodes", "20000", "--log"]).arg(&log);
    let mut running = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut err = BufReader::new(running.stderr.take().unwrap());
    let mut line = String::new();
    err.read_line(&mut line).unwrap();
    assert!(line.starts_with("note: at ") && line.contains(" s of simulated time, "), "{line}");
    let killed = Command::new("kill").args(["-INT", &running.id().to_string()]).status().unwrap();
    assert!(killed.success());
    assert_eq!(running.wait().unwrap().code(), Some(130));
    let mut rest = String::new();
    err.read_to_string(&mut rest).unwrap();
    assert!(rest.ends_with("holdfast: interrupted\n"), "{rest}");
    let mut out = String::new();
    running.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    assert_eq!((out.as_str(), log.exists()), ("", false));
}
