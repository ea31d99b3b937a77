//! The program as a user runs it, and files for it.
#![allow(dead_code, reason = "each test file uses some of it")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// KMeans in the pool `important` beside eight background jobs on 8 slots: Spark 4.1.0, stock, FAIR.
pub const LOG: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../trace/tests/data/stock-4.1.0.zstd");
pub const IMPORTANT: &str = "spark.holdfast.pool.important.priority=10";

/// A foreground of two phases and a background: alone 4 s; 5 s if one of two slots is its own; 13 s if both are taken when
/// the first phase's tasks end, at 1 s and 3 s, as Spark offers a slot before it submits what comes next.
pub const WORLD: &str = r#"{
  "cluster": [{"nodes": 2, "executors_per_node": 1, "capacity": [1000, 0, 0, 0]}],
  "workflows": [
    {"priority": 10, "foreground": true, "arrival_ms": 0, "jobs": [{"stages": [
      {"tasks": 2, "durations": {"kind": "recorded", "ms": [1000, 3000]}},
      {"tasks": 2, "durations": {"kind": "constant", "ms": 1000}}]}]},
    {"arrival_ms": 500, "jobs": [{"stages": [
      {"tasks": 4, "durations": {"kind": "constant", "ms": 10000}}]}]}]
}"#;

/// What a run said, and how it ended.
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Ran {
    pub fn of(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

pub fn holdfast(args: &[&str]) -> Ran {
    Ran::of(Command::new(env!("CARGO_BIN_EXE_holdfast")).args(args).output().unwrap())
}

/// A file of that name, which no other test may use.
pub fn file(name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, bytes).unwrap();
    path
}
