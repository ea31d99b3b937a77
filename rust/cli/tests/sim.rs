//! `holdfast sim` as a user runs it.
#![allow(clippy::unwrap_used, reason = "tests")]

mod program;

use std::fs;
use std::path::Path;

use program::{Ran, WORLD, file, holdfast};

fn sim(args: &[&str]) -> Ran {
    holdfast(&[&["sim"], args].concat())
}

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

/// A frame of zstd with one block, which is stored as it is.
fn zstd(bytes: &[u8]) -> Vec<u8> {
    let size = u16::try_from(bytes.len() - 256).unwrap().to_le_bytes();
    let block = (u32::try_from(bytes.len()).unwrap() << 3 | 1).to_le_bytes();
    [b"\x28\xb5\x2f\xfd\x60", &size[..], &block[..3], bytes].concat()
}

#[test]
fn a_compressed_world_is_the_same_world() {
    let (plain, packed) =
        (file("plain-world.json", WORLD), file("world.zst", zstd(WORLD.as_bytes())));
    let [plain, packed] = [plain, packed].map(|path| sim(&[path.to_str().unwrap(), "--json"]));
    assert_eq!((packed.code, packed.err.contains("holdfast:")), (0, false), "{}", packed.err);
    assert_eq!(packed.out, plain.out);
    let broken = file("broken.zst", zstd(WORLD.replace("tasks", "task").as_bytes()));
    let ran = sim(&[broken.to_str().unwrap()]);
    assert!(ran.code == 3 && ran.err.contains("did you mean tasks?"), "{}", ran.err);
}

#[test]
fn its_log_is_replayed() {
    let world = file("logged.json", WORLD);
    let log = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sim.hflog");
    let log = log.to_str().unwrap();
    let ran = sim(&[world.to_str().unwrap(), "--variant", "lookahead", "--log", log]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let replayed = holdfast(&["replay", log]);
    assert_eq!(replayed.code, 0, "{}", replayed.out);
    assert!(replayed.out.contains(": the same\n"), "{}", replayed.out);
}

#[test]
fn its_launches_are_written() {
    let world = file("placed.json", WORLD);
    let placements = Path::new(env!("CARGO_TARGET_TMPDIR")).join("placements.jsonl");
    let ran = sim(&[world.to_str().unwrap(), "--placements", placements.to_str().unwrap()]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let text = fs::read_to_string(placements).unwrap();
    assert_eq!(text.lines().count(), 8);
    // The slot that the foreground frees at 1 s goes to the background.
    let third = text.lines().nth(2).unwrap();
    let attempt = r#""stage":2,"stage_attempt":0,"partition":0,"attempt":0,"copy":false}"#;
    assert!(third.starts_with(r#"{"at_ns":1000000000,"executor":"#), "{third}");
    assert!(third.ends_with(attempt), "{third}");
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
        ("no-json", "{", "no-json:1:1: the text ends inside of an object: a } is missing\n"),
        ("no-trace", "hello\n", "neither a world in JSON, nor a trace"),
        ("no-room", &WORLD.replace("[1000, 0, 0, 0]", "[500, 0, 0, 0]"), "no executor has room"),
        (
            "no-parents",
            &WORLD.replace("\"tasks\": 4,", "\"tasks\": 4, \"parents\": [3],"),
            "parents",
        ),
        ("unknown", &WORLD.replace("\"arrival_ms\": 500", "\"arrives\": 500"), "there is no field \"arrives\" here"),
        (
            "too-late",
            &WORLD.replace("\"arrival_ms\": 500", "\"arrival_ms\": 18446744073709551615"),
            "too-late: workflows[1].arrival_ms: 18446744073709551615; write at most 946080000000",
        ),
        (
            "too-large",
            &WORLD.replace("\"nodes\": 2", "\"nodes\": 4294967295"),
            "too-large: cluster: 4294967295 executors; write at most 1048576",
        ),
        (
            "no-end",
            &WORLD.replace(
                "\"workflows\"",
                "\"losses\": [{\"at_ms\": 10, \"executor\": 0}, {\"at_ms\": 10, \"executor\": 0}], \"workflows\"",
            ),
            "no-end, variant file, seed 0: it comes to no end: from 15 s on nothing happens",
        ),
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
