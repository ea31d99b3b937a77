//! The rows of `holdfast whatif` and the sentences around them: told apart, in their place, and in a person's grammar.
#![allow(clippy::unwrap_used, reason = "tests")]

#[path = "../../trace/tests/common/mod.rs"]
mod common;
mod program;

use std::fs;
use std::path::Path;

use common::Log;
use program::{Ran, file, holdfast};
use serde_json::Value;

fn whatif(name: &str, log: &Log, more: &[&str]) -> Ran {
    let path = file(name, &log.0);
    let ran = holdfast(&[&["whatif", path.to_str().unwrap()], more].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    ran
}

/// A job of one stage and one task, from a time to another.
fn job(log: &mut Log, (from, to): (u64, u64), id: u32, properties: &[(&str, &str)]) {
    log.job(from, id, &[(id, &[])], properties);
    log.stage(from, id, 1);
    log.task(from, id, u64::from(id), 0, "e0");
    log.task_end((from, to), id, u64::from(id), 0, "e0", "Success");
    log.stage_end(to, id);
    log.job_end(to, id);
}

/// Each context of an application numbers its SQL executions from 0.
fn two_contexts() -> Log {
    let mut log = Log::new(&[1]);
    for (id, at) in [(0, 0), (1, 60_000)] {
        log.execution(at, 0);
        job(&mut log, (at + 100, at + 1_000), id, &[("spark.sql.execution.id", "0")]);
        log.execution_end(at + 1_000, 0);
    }
    log.end(62_000);
    log
}

#[test]
fn two_runs_of_one_name_are_told_apart() {
    let ran = whatif("two-contexts", &two_contexts(), &[]);
    for row in ["\nsql:0 #1 (select 1)  ", "\nsql:0 #2 (select 1)  "] {
        assert_eq!(ran.out.matches(row).count(), 1, "{row}: {}", ran.out);
    }
    let told: Value =
        serde_json::from_str(&whatif("two-contexts", &two_contexts(), &["--json"]).out).unwrap();
    let runs = told["applications"][0]["runs"].as_array().unwrap();
    let numbers: Vec<_> = runs.iter().map(|run| run["run"].as_u64().unwrap()).collect();
    assert_eq!(numbers, [1, 2]);
}

#[test]
fn a_row_names_its_pool() {
    let mut log = Log::new(&[1]);
    job(&mut log, (0, 1_000), 0, &[("spark.scheduler.pool", "reports")]);
    job(&mut log, (2_000, 3_000), 1, &[]);
    log.end(4_000);
    let ran = whatif("pools-of-rows", &log, &["--simulate", "0"]);
    let cells =
        |line: &str| -> Vec<String> { line.split_whitespace().map(str::to_owned).collect() };
    let row = |name: &str| cells(ran.out.lines().find(|line| line.starts_with(name)).unwrap());
    assert_eq!(row("workflow")[1], "pool");
    assert_eq!((row("job:0")[1].as_str(), row("job:0")[2].as_str()), ("reports", "1.000"));
    assert_eq!(row("job:1")[1], "1.000", "it is in none");
    assert_eq!(row("job:0").len(), row("job:1").len() + 1);
}

/// Two long names that differ at their ends, one in letters that are twice as wide.
#[test]
fn long_names_stay_in_their_place() {
    let long = "nightly-report-of-all-regions-and-all-products-with-totals";
    let wide = "売上の夜間レポート全地域と全製品の合計および前年比の詳細な内訳を含む長い名前";
    let mut log = Log::new(&[1]);
    job(&mut log, (0, 1_000), 0, &[("spark.jobGroup.id", long)]);
    job(&mut log, (10_000, 11_000), 1, &[("spark.jobGroup.id", long)]);
    job(&mut log, (20_000, 21_000), 2, &[("spark.jobGroup.id", wide)]);
    log.end(22_000);
    let page = Path::new(env!("CARGO_TARGET_TMPDIR")).join("long-names.html");
    let ran = whatif("long-names", &log, &["--simulate", "0", "--html", page.to_str().unwrap()]);
    for number in ["#1", "#2"] {
        assert_eq!(ran.out.matches(&format!("… {number}")).count(), 1, "{}", ran.out);
    }
    // Where the numbers begin, in columns: the wide letters take two.
    let columns = |text: &str| -> usize {
        text.chars().map(|c| if ('\u{2e80}'..='\u{ffef}').contains(&c) { 2 } else { 1 }).sum()
    };
    let begins: Vec<usize> = ran
        .out
        .lines()
        .filter(|line| line.starts_with("group:"))
        .map(|line| columns(&line[..line.find("1.000").unwrap()]))
        .collect();
    assert!(begins.len() == 3 && begins.iter().all(|at| at == &begins[0]), "{}", ran.out);

    // A name is in an image of its own, which cuts it off before the bars begin.
    let html = fs::read_to_string(&page).unwrap();
    let bars = html.split("aria-label=\"A bar for each workflow\"").nth(1).unwrap();
    let bars = &bars[..bars.find("</svg>\n").unwrap()];
    let number = |tag: &str, name: &str| -> f64 {
        tag.split(&format!("{name}=\"")).nth(1).unwrap().split('"').next().unwrap().parse().unwrap()
    };
    let first_bar = number(bars.split("<rect").nth(1).unwrap(), "x");
    let names: Vec<&str> = bars.split("<svg").skip(1).collect();
    assert_eq!(names.len(), 3);
    for name in names {
        assert!(number(name, "x") + number(name, "width") < first_bar, "{name}");
    }
    assert!(bars.contains(&format!("<title>group:{long}</title>")), "{bars}");
}

/// `1 runs`, and what is true of no run.
#[test]
fn numbers_and_words_agree() {
    let mut open = Log::new(&[1]);
    open.job(0, 0, &[(0, &[])], &[]);
    open.stage(0, 0, 1);
    open.task(0, 0, 0, 0, "e0");
    open.task_end((0, 1_000), 0, 0, 0, "e0", "Success");
    let none = whatif("no-run-to-compare", &open, &[]);
    assert!(!none.out.contains("0 runs") && !none.out.contains("1.00 times"), "{}", none.out);
    assert!(none.out.contains("No run has an end in the log"), "{}", none.out);
    let path = file("no-run-to-compare-sim", &open.0);
    let sim = holdfast(&["sim", path.to_str().unwrap(), "--compare"]);
    assert!(sim.code == 0 && sim.out.starts_with("No run has an end in the log"), "{}", sim.out);

    let mut one = Log::new(&[1]);
    job(&mut one, (0, 1_000), 0, &[]);
    one.end(2_000);
    let page = Path::new(env!("CARGO_TARGET_TMPDIR")).join("one-run.html");
    let told = whatif("one-run", &one, &["--html", page.to_str().unwrap(), "--workflow", "job:0"]);
    assert!(told.out.contains("Simulated as recorded, 1 run takes 1."), "{}", told.out);
    let path = file("one-run-sim", &one.0);
    let path = path.to_str().unwrap();
    let trace = file(
        "one-run.jsonl",
        "{\"format\":\"holdfast-trace\",\"version\":1,\"source\":\"x\"}\n{\"name\":\"a\",\"arrival_ms\":0,\"jobs\":[{\"stages\":[{\"tasks_ms\":[1000]}]}]}\n",
    );
    let trace = trace.to_str().unwrap();
    let commands = [
        vec!["sim", path],
        vec!["sim", path, "--compare"],
        vec!["sim", path, "--check"],
        vec!["sim", trace, "--slots", "1", "--foreground", "a", "--variant", "lookahead,stock"],
        vec!["sim", trace, "--scale", "2", "--most-tasks", "1"],
        vec!["whatif", path, "--most-tasks", "0", "--workflow", "*"],
    ];
    let mut outputs =
        vec![none.out, none.err, told.out, told.err, fs::read_to_string(&page).unwrap()];
    for command in commands {
        let ran = holdfast(&command);
        outputs.extend([ran.out, ran.err]);
    }
    let nouns = [
        "run",
        "slot",
        "executor",
        "workflow",
        "task",
        "event",
        "node",
        "log",
        "hold",
        "seed",
        "attempt",
        "Spark job",
        "other",
        "slot-second",
        "barrier and gap",
    ];
    for output in outputs {
        let words: Vec<&str> = output.split(|c: char| !c.is_alphanumeric() && c != '-').collect();
        for noun in nouns {
            let plural = format!("{noun}s");
            let last = plural.split(' ').next_back().unwrap();
            for pair in words.windows(2) {
                assert!(pair[0] != "1" || pair[1] != last, "1 {last}: {output}");
            }
        }
    }
}

/// Two jobs were there before the table begins, one finishes no task, one is evicted once.
#[test]
fn what_is_dropped_of_a_cluster_trace_is_told_with_its_reason() {
    let row =
        |s: u64, job: u32, kind: u8| format!("{},,{job},0,5,{kind},u,3,9,0,0,0,0\n", s * 1_000_000);
    let rows = [
        (0, 1, 0),
        (0, 2, 0),
        (10, 1, 1),
        (10, 2, 1),
        (11, 3, 0),
        (12, 3, 1),
        (13, 4, 0),
        (14, 4, 1),
        (20, 4, 3),
        (50, 1, 4),
        (60, 2, 2),
        (61, 3, 2),
        (62, 3, 0),
        (63, 3, 1),
        (70, 3, 4),
    ];
    let table = file("dropped.csv", rows.map(|(s, job, kind)| row(s, job, kind)).concat());
    let trace = Path::new(env!("CARGO_TARGET_TMPDIR")).join("dropped.jsonl");
    let (table, trace) = (table.to_str().unwrap(), trace.to_str().unwrap());
    for args in [vec!["sim", table], vec!["sim", table, "--trace", trace]] {
        let ran = holdfast(&args);
        assert_eq!(ran.code, 0, "{}", ran.err);
        for says in [
            "note: 2 jobs that were there before the trace begins are left out, as their arrival is not known: 6 rows\n",
            "note: 1 job of which no task finished is left out\n",
            "note: 2 runs of tasks are left out: evicted, failed, killed, lost, or not finished when the trace ends\n",
        ] {
            assert!(ran.err.contains(says), "{says}: {}", ran.err);
        }
    }
}
