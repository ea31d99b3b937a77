//! `holdfast whatif` as a user runs it, on a log of Spark 4.1.0: KMeans beside eight background jobs, all stock.
#![allow(clippy::unwrap_used, reason = "tests")]

mod program;

use std::fs;
use std::path::Path;

use program::{IMPORTANT, LOG, Ran, file, holdfast};
use serde_json::Value;

fn whatif(args: &[&str]) -> Ran {
    holdfast(&[&["whatif"], args].concat())
}

#[test]
fn the_text_names_who_lost_what_to_whom() {
    let ran = whatif(&[LOG, "--conf", IMPORTANT]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    for expected in [
        "Spark 4.1.0, FAIR",
        "Lost at barriers: ",
        "pool:important",
        "lost to jobs of pool background",
    ] {
        assert!(ran.out.contains(expected), "{expected}: {}", ran.out);
    }
    assert!(!ran.out.contains('\u{1b}'), "no colours in a pipe");
}

/// Seconds of a cell as milliseconds.
fn millis(cell: &str) -> u64 {
    let (whole, part) = cell.split_once('.').unwrap();
    whole.parse::<u64>().unwrap() * 1_000 + part.parse::<u64>().unwrap()
}

#[test]
fn the_terms_that_are_shown_add_up_to_the_time_that_is_shown() {
    let ran = whatif(&[LOG, "--limit", "0"]);
    let mut rows = 0;
    for line in ran.out.lines().skip_while(|line| !line.starts_with("workflow")).skip(1) {
        let cells: Vec<&str> = line.split_whitespace().rev().take(9).collect();
        if cells.len() < 9 || !cells[8].contains('.') {
            break;
        }
        let terms: u64 = cells[3..8].iter().map(|cell| millis(cell)).sum();
        assert_eq!(terms, millis(cells[8]), "{line}");
        rows += 1;
    }
    assert!(rows > 8, "{}", ran.out);
}

#[test]
fn json_has_a_version_and_exact_terms() {
    let ran = whatif(&[LOG, "--json", "--conf", IMPORTANT, "--workflow", "pool:*"]);
    let json: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&json["format"], &json["version"]), (&"holdfast-whatif".into(), &1.into()));
    let runs = json["applications"][0]["runs"].as_array().unwrap();
    assert!(!runs.is_empty());
    for run in runs {
        let terms = ["computing", "first_wait", "lost_at_barriers", "locality_wait", "driver_gaps"];
        let sum: u64 = terms.map(|t| run[format!("{t}_us")].as_u64().unwrap()).iter().sum();
        assert_eq!(sum, run["jct_us"].as_u64().unwrap());
        assert_eq!(run["workflow"], "pool:important");
    }
}

/// Two queries of one user's pool at the same time: the log of a small application.
#[test]
fn queries_of_one_pool_have_rows_of_their_own() {
    let started = |execution: u32, at: u32| {
        [
            format!(
                r#"{{"Event":"org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart","executionId":{execution},"description":"q","time":{at}}}"#
            ),
            format!(
                r#"{{"Event":"SparkListenerJobStart","Job ID":{execution},"Submission Time":{at},"Stage IDs":[{execution}],"Properties":{{"spark.scheduler.pool":"important","spark.sql.execution.id":"{execution}"}}}}"#
            ),
        ]
    };
    let ended = |execution: u32, at: u32| {
        [
            format!(
                r#"{{"Event":"SparkListenerJobEnd","Job ID":{execution},"Completion Time":{at}}}"#
            ),
            format!(
                r#"{{"Event":"org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd","executionId":{execution},"time":{at}}}"#
            ),
        ]
    };
    let begun = r#"{"Event":"SparkListenerLogStart","Spark Version":"4.1.0"}"#;
    let lines = [started(0, 1_000), started(1, 1_500), ended(1, 2_000), ended(0, 4_000)].concat();
    let log = file("two-queries", format!("{begun}\n{}\n", lines.join("\n")));
    let rows = |by: &[&str]| -> Vec<(String, u64)> {
        let all = ["--json", "--simulate", "0", "--conf", IMPORTANT, log.to_str().unwrap()];
        let ran = whatif(&[&all, by].concat());
        let json: Value = serde_json::from_str(&ran.out).unwrap();
        let runs = json["applications"][0]["runs"].as_array().unwrap().iter();
        runs.map(|r| (r["workflow"].as_str().unwrap().to_owned(), r["jct_us"].as_u64().unwrap()))
            .collect()
    };
    let executions = [("sql:1".to_owned(), 500_000), ("sql:0".to_owned(), 3_000_000)];
    assert_eq!(rows(&["--by", "execution"]), executions);
    assert_eq!(rows(&[]), [("pool:important".to_owned(), 3_000_000)]);
    assert_eq!(rows(&["--by", "workflow"]), rows(&[]));
}

#[test]
fn the_page_needs_nothing_else() {
    let page = Path::new(env!("CARGO_TARGET_TMPDIR")).join("whatif.html");
    let ran = whatif(&[LOG, "--conf", IMPORTANT, "--html", page.to_str().unwrap()]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let html = fs::read_to_string(&page).unwrap();
    assert!(html.starts_with("<!doctype html>") && html.ends_with("</html>\n"));
    for expected in ["<svg", "url(#lost)", "pool:important", "<title>lost at barriers: "] {
        assert!(html.contains(expected), "{expected}");
    }
    for foreign in ["http://", "https://", "<script", "src="] {
        assert!(!html.contains(foreign), "{foreign}");
    }
    for tag in ["svg", "table", "h3", "h4"] {
        let (open, close) = (format!("<{tag}"), format!("</{tag}>"));
        assert_eq!(html.matches(&open).count(), html.matches(&close).count(), "{tag}");
    }
}

#[test]
fn several_logs_are_told_one_after_the_other() {
    let ran = whatif(&[LOG, LOG]);
    assert_eq!(ran.out.matches("Spark 4.1.0, FAIR").count(), 2);
}

#[test]
fn what_cannot_be_read_ends_with_three_and_the_line() {
    let damaged = file(
        "damaged-log",
        "{\"Event\":\"SparkListenerLogStart\",\"Spark Version\":\"4.1.0\"}\n{\"Event\":\"SparkListenerJobEnd\"}\n",
    );
    let ran = whatif(&[damaged.to_str().unwrap()]);
    assert_eq!((ran.code, ran.out.as_str()), (3, ""));
    assert!(
        ran.err.contains(
            "damaged-log: line 2: SparkListenerJobEnd: the field \"Job ID\" is missing (column 31)"
        ),
        "{}",
        ran.err
    );
    let ran = whatif(&["no-such-log"]);
    assert_eq!(ran.code, 3);
    assert!(ran.err.contains("no-such-log: cannot be opened"), "{}", ran.err);
    let ran = whatif(&[LOG, "--workflow", "nobody"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("no workflow fits nobody"), "{}", ran.err);
    let ran = whatif(&[LOG, "--linger", "soon"]);
    assert!(ran.code == 2 && ran.err.contains("write for example 5s or 500ms"), "{}", ran.err);
}

#[test]
fn a_log_that_cannot_be_read_does_not_hide_the_others() {
    let damaged = file("damaged-among-others", "{\"Event\":\"SparkListenerJobEnd\"}\n");
    let damaged = damaged.to_str().unwrap();
    let ran = whatif(&["no-such-log", LOG, damaged, "--simulate", "0"]);
    assert_eq!(ran.code, 3);
    assert_eq!(ran.out.matches("Spark 4.1.0, FAIR").count(), 1);
    assert!(
        ran.err.starts_with("holdfast: 2 of 3 logs cannot be read:\n  no-such-log: "),
        "{}",
        ran.err
    );
    assert!(
        ran.err.contains("\n  ") && ran.err.contains("damaged-among-others: line 1: "),
        "{}",
        ran.err
    );
    let ran = whatif(&[LOG, damaged, "--simulate", "0", "--json"]);
    let json: Value = serde_json::from_str(&ran.out).unwrap();
    let lengths = ["applications", "unread"].map(|what| json[what].as_array().unwrap().len());
    assert_eq!((ran.code, lengths), (3, [1, 1]));
}

#[test]
fn names_of_others_stay_in_their_cells() {
    let lines = [
        r#"{"Event":"SparkListenerLogStart","Spark Version":"4.1.0"}"#,
        r#"{"Event":"SparkListenerApplicationStart","App Name":"a\u001b[2J","App ID":"app-1","Timestamp":1000}"#,
        r#"{"Event":"SparkListenerJobStart","Job ID":0,"Submission Time":1000,"Stage IDs":[0],"Properties":{"spark.jobGroup.id":"etl\n\u001b[2J","spark.job.description":"SELECT\n1"}}"#,
        r#"{"Event":"SparkListenerStageSubmitted","Stage Info":{"Stage ID":0,"Number of Tasks":1,"Submission Time":1000}}"#,
        r#"{"Event":"SparkListenerJobEnd","Job ID":0,"Completion Time":2000}"#,
    ];
    let log = file("names-of-others", lines.join("\n") + "\n");
    let ran = whatif(&[log.to_str().unwrap(), "--simulate", "0"]);
    for expected in ["app-1 \"a\\u{1b}[2J\": ", "group:etl\\n\\u{1b}[2J (SELECT 1)"] {
        assert!(ran.out.contains(expected), "{expected}: {}{}", ran.out, ran.err);
    }
}

#[test]
fn tasks_of_whose_end_a_log_has_nothing_are_counted() {
    let lines = [
        r#"{"Event":"SparkListenerLogStart","Spark Version":"4.1.0"}"#,
        r#"{"Event":"SparkListenerExecutorAdded","Timestamp":1000,"Executor ID":"1","Executor Info":{"Host":"h","Total Cores":1}}"#,
        r#"{"Event":"SparkListenerJobStart","Job ID":0,"Submission Time":1000,"Stage IDs":[0]}"#,
        r#"{"Event":"SparkListenerStageSubmitted","Stage Info":{"Stage ID":0,"Number of Tasks":1,"Submission Time":1000}}"#,
        r#"{"Event":"SparkListenerTaskStart","Stage ID":0,"Task Info":{"Task ID":0,"Index":0,"Launch Time":1001,"Executor ID":"1","Locality":"ANY","Finish Time":0}}"#,
        r#"{"Event":"SparkListenerJobEnd","Job ID":0,"Completion Time":2000}"#,
        r#"{"Event":"SparkListenerApplicationEnd","Timestamp":3000}"#,
    ];
    let log = file("dropped-events", lines.join("\n") + "\n");
    let ran = whatif(&[log.to_str().unwrap(), "--simulate", "0"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("dropped-events: 1 task without an end in the log"), "{}", ran.err);
}

#[test]
fn a_log_without_an_end_says_so() {
    let log =
        file("open-log", "{\"Event\":\"SparkListenerLogStart\",\"Spark Version\":\"4.1.0\"}\n");
    let ran = whatif(&[log.to_str().unwrap()]);
    assert_eq!(ran.code, 0);
    assert!(ran.err.contains("open-log: the log has no end"), "{}", ran.err);
    assert!(ran.out.contains("No Spark job ran."), "{}", ran.out);
}

/// The whole of what the simulation says of the important pool.
fn simulated(args: &[&str]) -> Value {
    let ran = whatif(&[&[LOG, "--json", "--conf", IMPORTANT], args].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let json: Value = serde_json::from_str(&ran.out).unwrap();
    json["applications"][0]["ssr"].clone()
}

#[test]
fn what_holdfast_would_give_is_simulated() {
    let ssr = simulated(&["--workflow", "pool:important"]);
    assert_eq!(ssr["not_simulated"], Value::Null);
    let [important] = ssr["workflows"].as_array().unwrap().as_slice() else { panic!("{ssr}") };
    let settings = important["settings"].as_array().unwrap();
    let tried: Vec<f64> = settings.iter().map(|s| s["isolation"].as_f64().unwrap()).collect();
    assert_eq!(tried, [0.0, 0.4, 0.9, 1.0]);
    let ms = |of: &Value, what: &str| of[what].as_u64().unwrap();
    let (stock, alone) = (ms(important, "as_recorded_ms"), ms(important, "alone_ms"));
    assert_eq!(ms(&settings[0], "held_slot_ms"), 0, "P = 0 holds nothing");
    // Full isolation is next to having the executors alone, and idles slots for it.
    let full = &settings[3];
    assert!(ms(full, "jct_ms") < stock / 2 && ms(full, "jct_ms") >= alone, "{important}");
    assert!(ms(full, "held_slot_ms") > 0 && full["held_share"].as_f64().unwrap() < 0.5);
    assert!(full["others_mean"].as_f64().unwrap() > 0.9, "{important}");
}

#[test]
fn those_that_lost_most_are_simulated_unless_others_are_named() {
    let of = |ssr: &Value| -> Vec<String> {
        let workflows = ssr["workflows"].as_array().unwrap().iter();
        workflows.map(|w| w["workflow"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(of(&simulated(&[])), ["pool:important"], "nobody else lost anything");
    let named = simulated(&["--workflow", "job:*", "--simulate", "2"]);
    assert_eq!(of(&named).len(), 2);
    for (args, why) in [
        (&["--simulate", "0"][..], "--simulate 0"),
        (&["--most-tasks", "600"], "more than 600 tasks; --most-tasks allows more"),
    ] {
        assert_eq!(simulated(args)["not_simulated"], why);
    }
}

#[test]
fn the_text_says_what_holdfast_would_give_and_how_far_to_trust_it() {
    let ran = whatif(&[LOG, "--conf", IMPORTANT]);
    for expected in [
        "What Holdfast would give",
        "Simulated as recorded, 9 runs",
        "priority 10, P = 0.4",
        "alone",
    ] {
        assert!(ran.out.contains(expected), "{expected}: {}", ran.out);
    }
    let ran = whatif(&[LOG]);
    assert!(ran.out.contains("job:"), "{}", ran.out);
}

/// `holdfast whatif s.zstd --html s.zstd` once replaced the log.
#[test]
fn the_page_does_not_replace_a_log() {
    let log = file("page-over.zstd", fs::read(LOG).unwrap());
    let before = fs::read(&log).unwrap();
    let log = log.to_str().unwrap();
    let ran = whatif(&[LOG, log, "--html", log]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(ran.err.contains("--html") && ran.err.contains("is what is read"), "{}", ran.err);
    assert_eq!(fs::read(log).unwrap(), before);
    let ran = whatif(&[LOG, "--html", "/nonexist/page.html"]);
    assert_eq!((ran.code, ran.out.as_str()), (3, ""));
    assert!(ran.err.contains("cannot write /nonexist/page.html"), "{}", ran.err);
}

/// Two jobs of a map and a reduce stage, four tasks each, beside a crowd and before a query: `rust/trace/tests/spark_3_5.rs`
/// says more of this log, which is a rolling one with lz4.
#[test]
fn a_log_of_spark_3_5_is_told_and_simulated() {
    let log = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../trace/tests/data/spark-3.5.6/eventlog_v2_app-20261124233620-0000"
    );
    let ran = whatif(&[log]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    for expected in [
        "app-20261124233620-0000 \"report\": Spark 3.5.6, FAIR, 46.182 s, 2 executors, at most 4 slots",
        "6 Spark jobs, 3 workflows",
        "group:report (report): lost to group:crowd (4 tasks); most before stage 3, after a barrier: 1.273 s, 4 slots",
        "Simulated as recorded, 3 runs take 1.02 times what they took (median); 3 within 20 %.",
    ] {
        assert!(ran.out.contains(expected), "{expected}: {}", ran.out);
    }
}

/// `spark.scheduler.mode=XX` once made FIFO of FAIR without a word.
#[test]
fn what_conf_says_is_understood() {
    for (conf, says) in [
        ("spark.scheduler.mode=XX", "spark.scheduler.mode: XX; write FIFO or FAIR"),
        ("spark.locality.wait=abc", "abc; write a time"),
        ("spark.holdfast.isolation=7", "7; write a share"),
        ("spark.holdfast.pool.p.priority=abc", "abc; write a whole number"),
    ] {
        let ran = whatif(&[LOG, "--conf", conf]);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{conf}");
        assert!(ran.err.contains(says), "{}", ran.err);
    }
    let ran = whatif(&[LOG, "--conf", "spark.scheduler.allocation.file=/nonexist"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(
        ran.err.contains("pools have weight 1 and no minimum share: /nonexist is not here"),
        "{}",
        ran.err
    );
}
