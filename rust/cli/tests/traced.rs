//! `holdfast sim` of what has run somewhere, as a user runs it.
#![allow(clippy::unwrap_used, reason = "tests")]

mod program;

use std::path::Path;

use holdfast_trace::Options;
use holdfast_trace::format::{TraceReader, Workflow};
use holdfast_trace::input::logs_at;
use holdfast_trace::recording::{Recorded, Recording};
use program::{IMPORTANT, LOG, Ran, file, holdfast};
use serde_json::Value;

fn sim(args: &[&str]) -> Ran {
    holdfast(&[&["sim"], args].concat())
}

fn json(path: &Path, args: &[&str]) -> Value {
    let ran = sim(&[&[path.to_str().unwrap(), "--json"], args].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    serde_json::from_str(&ran.out).unwrap()
}

/// Milliseconds from arrival to end of each workflow.
fn jcts(outcome: &Value) -> Vec<u64> {
    let times = outcome["outcome"]["workflows"].as_array().unwrap();
    let jct = |w: &Value| w["ended_ns"].as_u64().unwrap() - w["arrived_ns"].as_u64().unwrap();
    times.iter().map(|w| jct(w) / 1_000_000).collect()
}

/// [`program::WORLD`] as a trace: 4 s with a held slot, 13 s without.
const TRACE: &str = concat!(
    r#"{"format":"holdfast-trace","version":1,"source":"hand","slots":2}"#,
    "\n",
    r#"{"name":"etl","arrival_ms":0,"jobs":[{"stages":[{"tasks_ms":[1000,3000]},{"parents":[0],"tasks_ms":[1000,1000]}]}]}"#,
    "\n",
    r#"{"name":"crowd","arrival_ms":500,"jobs":[{"stages":[{"tasks_ms":[10000,10000,10000,10000]}]}]}"#,
    "\n",
);

#[test]
fn a_trace_is_simulated_and_scaled() {
    let trace = file("trace.jsonl", TRACE);
    let two = ["--nodes", "2", "--slots", "1"];
    assert_eq!(jcts(&json(&trace, &two)), [13_000, 22_500]);
    let held = [&two[..], &["--foreground", "et?", "--variant", "lookahead"]].concat();
    let held = json(&trace, &held);
    assert_eq!(jcts(&held), [4_000, 23_500]);
    assert_eq!(held["slowdowns"], serde_json::json!([[0, 1.0]]));
    // Twice the tasks on twice the slots; half of them alone; only what comes first.
    let wide = [&["--scale", "2", "--slots", "2"][..], &two[..2]].concat();
    assert_eq!(jcts(&json(&trace, &wide)), [13_000, 22_500]);
    let first = [&two[..], &["--until", "400ms"]].concat();
    assert_eq!(jcts(&json(&trace, &first)), [4_000]);
    let ran = sim(&[trace.to_str().unwrap(), "--slots", "1"]);
    assert!(ran.err.contains("2 nodes of 1 slot; --nodes and --slots"), "{}", ran.err);
    assert!(ran.err.contains("no workflow is in the foreground"), "{}", ran.err);
}

#[test]
fn traces_of_clusters_are_simulated() {
    // Two maps of 1 s + 128 MiB / 20 MiB/s, one reducer of 1 s + 10 MiB / 20 MiB/s.
    let swim = file("swim.tsv", "job0\t0\t0\t268435456\t10485760\t0\njob1\t5\t5\t0\t0\t0\n");
    assert_eq!(jcts(&json(&swim, &["--nodes", "1"])), [7_400 + 1_500, 1_000]);
    let row = |at: u64, job: u32, kind: u8| {
        format!("{at},,{job},0,m,{kind},u,2,{},0.1,0.1,0.0,0\n", if job == 2 { 9 } else { 0 })
    };
    let rows = [(1, 1, 0), (1, 2, 0), (2, 1, 1), (2, 2, 1), (5, 1, 4), (8, 2, 4)];
    let table: String = rows.map(|(s, job, kind)| row(s * 1_000_000, job, kind)).concat();
    let table = file("part-00000-of-00500.csv", &table);
    let told = json(&table, &["--nodes", "1", "--slots", "1"]);
    assert_eq!(jcts(&told), [3_000, 9_000]);
    assert_eq!(told["slowdowns"], serde_json::json!([[1, 1.5]]), "the highest priority");
}

#[test]
fn an_event_log_is_simulated_on_its_own_executors() {
    let ran = sim(&[LOG, "--conf", IMPORTANT]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("9 workflows, 672 attempts, 8 slots"), "{}", ran.out);
    assert!(ran.out.contains("slowdown of 1 foreground workflow"), "{}", ran.out);
    let ran = sim(&[LOG, "--nodes", "3", "--slots", "5"]);
    assert!(ran.out.contains("15 slots"), "{}", ran.out);
    let log = sim(&[LOG, "--conf", IMPORTANT, "--variant", "lookahead", "--check"]);
    assert!(log.code == 0 && log.out.contains("the same"), "{} {}", log.out, log.err);
}

#[test]
fn simulated_times_are_set_beside_recorded_ones() {
    let ran = sim(&[LOG, "--conf", IMPORTANT, "--compare"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for expected in ["Simulated as recorded: 9 runs", "pool:important #1", "recorded, s"] {
        assert!(ran.out.contains(expected), "{expected}: {}", ran.out);
    }
    let compared: Value =
        serde_json::from_str(&sim(&[LOG, "--conf", IMPORTANT, "--compare", "--json"]).out).unwrap();
    let runs = compared["runs"].as_array().unwrap();
    assert_eq!((runs.len(), &runs[8]["workflow"]), (9, &"pool:important".into()));
}

/// What a trace has.
fn workflows(trace: &Path) -> Vec<Workflow> {
    let mut reader = TraceReader::open(trace).unwrap();
    std::iter::from_fn(|| reader.read().unwrap()).collect()
}

/// What the log has when it is read as a whole, and not as a stream.
fn recorded() -> Vec<Workflow> {
    let (key, value) = IMPORTANT.split_once('=').unwrap();
    let spark = [(key.to_owned(), value.to_owned())].into();
    let log = logs_at(Path::new(LOG)).unwrap().pop().unwrap();
    match Recording::of(&log, &Options { spark, ..Options::default() }, u64::MAX).unwrap() {
        Recorded::Whole(recording) => recording.workflows,
        Recorded::TooMany => Vec::new(),
    }
}

/// Two maps and a reducer, as in `traces_of_clusters_are_simulated`, and a map of nothing.
fn maps_and_reduces() -> Vec<Workflow> {
    let of = |text: &str| serde_json::from_str(text).unwrap();
    vec![
        of(
            r#"{"name":"job0","arrival_ms":0,"jobs":[{"stages":[{"tasks_ms":[7400,7400]},{"parents":[0],"tasks_ms":[1500]}]}]}"#,
        ),
        of(r#"{"name":"job1","arrival_ms":5000,"jobs":[{"stages":[{"tasks_ms":[1000]}]}]}"#),
    ]
}

#[test]
fn a_trace_is_written_and_is_the_same_workload() {
    let swim = file("written.tsv", "job0\t0\t0\t268435456\t10485760\t0\njob1\t5\t5\t0\t0\t0\n");
    let to = file("written.jsonl", "");
    let nodes = ["--nodes", "1"];
    for (from, conf) in [(swim.to_str().unwrap(), &[][..]), (LOG, &["--conf", IMPORTANT])] {
        let ran = sim(&[&[from, "--trace", to.to_str().unwrap()], conf].concat());
        assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{}", ran.err);
        let text = std::fs::read_to_string(&to).unwrap();
        assert!(text.starts_with("{\"format\":\"holdfast-trace\",\"version\":1,\"source\":\""));
        let [written, read] = [to.as_path(), Path::new(from)].map(|path| {
            // A log's FIFO or FAIR, and its driver's times, are not in a trace.
            let told = json(path, &[&nodes[..], &["--slots", "8"], conf].concat());
            let outcome = &told["outcome"];
            let arrivals: Vec<_> = outcome["workflows"]
                .as_array()
                .unwrap()
                .iter()
                .map(|w| w["arrived_ns"].clone())
                .collect();
            (outcome["attempts"].clone(), outcome["usage"]["busy_ns"].clone(), arrivals)
        });
        assert_eq!(written, read, "{from}");
        assert!(read.0.as_u64() > Some(0) && read.1.as_u64() > Some(0), "{from}: {read:?}");
        // Written once more it is the same, byte for byte.
        let again = file("written-again.jsonl", "");
        sim(&[to.to_str().unwrap(), "--trace", again.to_str().unwrap()]);
        assert!(std::fs::read_to_string(&again).unwrap() == text, "{from}");
        let expected = if from == LOG { recorded() } else { maps_and_reduces() };
        assert_eq!(workflows(&to), expected, "{from}");
    }
    let first = sim(&[swim.to_str().unwrap(), "--trace", to.to_str().unwrap(), "--until", "1s"]);
    assert!(first.err.contains("note: 1 workflow written to "), "{}", first.err);
    let world = file("written.json", program::WORLD);
    let ran = sim(&[world.to_str().unwrap(), "--trace", to.to_str().unwrap()]);
    assert!(ran.code == 2 && ran.err.contains("written.json is a world"), "{}", ran.err);
}

#[test]
fn what_is_read_is_not_written_over() {
    let swim = file("over.tsv", "job0\t0\t0\t268435456\t10485760\t0\n");
    let folder = swim.with_file_name(format!("eventlog_v2_over-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let part = folder.join("events_1_over");
    std::fs::copy(LOG, &part).unwrap();
    let before = std::fs::read(&part).unwrap();
    for to in [part.clone(), folder.join("new.jsonl")] {
        let ran = sim(&[folder.to_str().unwrap(), "--trace", to.to_str().unwrap()]);
        assert!(ran.code == 2 && ran.err.contains("is what is read, or in it"), "{}", ran.err);
        assert_eq!(std::fs::read(&part).unwrap(), before);
    }
    let ran = sim(&[swim.to_str().unwrap(), "--trace", swim.to_str().unwrap()]);
    assert!(ran.code == 2 && ran.err.contains("is what is read"), "{}", ran.err);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn what_does_not_fit_is_refused() {
    let trace = file("refused.jsonl", TRACE);
    let trace = trace.to_str().unwrap();
    let world = file(
        "plain.json",
        r#"{"cluster":[{"nodes":1,"executors_per_node":1,"capacity":[1000,0,0,0]}],"workflows":[]}"#,
    );
    let aeon =
        file("aeon.jsonl", TRACE.replace("\"arrival_ms\":500", "\"arrival_ms\":999999999999"));
    let huge = file("huge.jsonl", TRACE.replace("\"slots\":2", "\"slots\":18446744073709551615"));
    let cases: [(&[&str], i32, &str); 9] = [
        (
            &[aeon.to_str().unwrap()],
            3,
            "aeon.jsonl: workflow crowd: a time in it, or its arrival, is",
        ),
        (&[huge.to_str().unwrap()], 3, "executors; write at most 1048576; --nodes and --slots"),
        (
            &[trace, "--scale", "10000", "--most-tasks", "100"],
            2,
            "--scale 10000 makes 80000 tasks of 8, at most 100 are simulated; --most-tasks allows more",
        ),
        (&[trace, "--compare"], 2, "is no event log"),
        (&[trace, "--most-tasks", "7"], 3, "more than 7 tasks: --until"),
        (&[LOG, "--most-tasks", "7"], 3, "more than 7 tasks"),
        (&[trace, "--scale", "0"], 2, "write a number above 0, at most 10000"),
        (&[world.to_str().unwrap(), "--nodes", "3"], 2, "--nodes is for presets and traces"),
        (&["--preset", "paper", "--foreground", "etl"], 2, "a preset has no foreground etl"),
    ];
    for (args, code, says) in cases {
        let ran = sim(args);
        assert_eq!(ran.code, code, "{args:?}: {}", ran.err);
        assert!(ran.err.contains(says), "{args:?}: {}", ran.err);
    }
}
