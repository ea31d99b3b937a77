//! Which files a name stands for, and what is said of one that is none of those that were meant.
#![allow(clippy::unwrap_used, reason = "tests")]

#[path = "../../log/tests/common/mod.rs"]
mod decisions;
#[path = "../../trace/tests/common/mod.rs"]
mod events;
mod program;

use std::fs;
use std::path::{Path, PathBuf};

use events::Log;
use program::{Ran, file, holdfast};
use serde_json::Value;

/// A folder with these files, which no other test may use.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("folder-{name}"));
    let _ = fs::remove_dir_all(&path);
    for (name, text) in files {
        let file = path.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    path
}

/// One job of one task that takes a second.
fn log() -> Log {
    let mut log = Log::new(&[1]);
    log.job(0, 0, &[(0, &[])], &[]);
    log.stage(0, 0, 1);
    log.task(0, 0, 0, 0, "e0");
    log.task_end((0, 1_000), 0, 0, 0, "e0", "Success");
    log.stage_end(1_000, 0);
    log.job_end(1_000, 0);
    log.end(1_000);
    log
}

fn whatif(path: &Path, more: &[&str]) -> Ran {
    holdfast(&[&["whatif", path.to_str().unwrap()], more].concat())
}

fn json(ran: &Ran) -> Value {
    serde_json::from_str(&ran.out).unwrap_or_else(|why| panic!("{why}: {}{}", ran.out, ran.err))
}

#[test]
fn a_folder_that_is_no_log_does_not_hide_the_logs_beside_it() {
    let good = log().0;
    let files = [
        ("app-1", good.as_str()),
        ("eventlog_v2_app-2/appstatus_app-2.inprogress", ""),
        ("eventlog_v2_app-3/events_2_app-3", &good),
        ("eventlog_v2_app-4/events_1_app-4", &good),
    ];
    let many = folder("one-bad", &files);
    let page = Path::new(env!("CARGO_TARGET_TMPDIR")).join("folder-one-bad.html");
    let ran = whatif(&many, &["--html", page.to_str().unwrap()]);
    assert_eq!((ran.code, ran.out.matches("app-1 \"hand\": Spark 4.1.0").count()), (3, 2));
    let html = fs::read_to_string(&page).unwrap();
    let told = json(&whatif(&many, &["--json"]));
    let unread = told["unread"].as_array().unwrap();
    assert_eq!((unread.len(), told["applications"].as_array().unwrap().len()), (2, 2));
    assert!(ran.err.contains("2 of 4 logs cannot be read"), "{}", ran.err);
    for (i, why) in
        ["eventlog_v2_app-2: has no event log in it", "app-3: its first file, events_1_"]
            .into_iter()
            .enumerate()
    {
        for told in [&ran.err, &html, unread[i].as_str().unwrap()] {
            assert!(told.contains(why), "{why}: {told}");
        }
    }
}

/// Databricks rolls each hour; the parts are packed.
#[test]
fn a_log_that_databricks_has_rolled_is_one() {
    let text = log().0;
    let begin = text.find("{\"Event\":\"SparkListenerTaskStart").unwrap();
    let end = text.find("{\"Event\":\"SparkListenerJobEnd").unwrap();
    let parts = [
        ("eventlog", &text[end..]),
        ("eventlog-2026-01-02--00-00.gz", &text[begin..end]),
        ("eventlog-2026-01-01--23-00", &text[..begin]),
    ];
    for (name, prefix) in [("databricks", ""), ("databricks-above", "1234567/")] {
        let named: Vec<(String, &str)> =
            parts.iter().map(|(name, text)| (format!("{prefix}{name}"), *text)).collect();
        let named: Vec<(&str, &str)> = named.iter().map(|(n, text)| (n.as_str(), *text)).collect();
        let told = json(&whatif(&folder(name, &named), &["--json"]));
        let [application] = told["applications"].as_array().unwrap().as_slice() else {
            panic!("{told}")
        };
        assert_eq!(application["runs"][0]["jct_us"], 1_000_000, "{told}");
        assert_eq!(application["ended"], true);
    }
}

#[test]
fn a_file_of_another_kind_is_told_which_command_takes_it() {
    let path = |name: &str, bytes: &[u8]| file(name, bytes).to_str().unwrap().to_owned();
    let swim = path("other-kind.tsv", b"job0\t0\t0\t1\t2\t3\n");
    let table = path("other-kind.csv", b"0,,1,0,0,0,u,3,9,0,0,0,0\n");
    let trace = path(
        "other-kind.jsonl",
        b"{\"format\":\"holdfast-trace\",\"version\":1,\"source\":\"x\"}\n",
    );
    let world = path("other-kind.jsonc", program::WORLD.as_bytes());
    let history = path("other-kind.json", b"{\"holdfast_history\":1,\"application\":\"a\"}\n");
    let events = path("other-kind-log", log().0.as_bytes());
    let decided = path("other-kind.hflog", &decisions::recorded(|_, _| {}));
    for (command, file, says) in [
        ("whatif", &swim, "is a trace of SWIM's: `holdfast sim FILE`"),
        ("whatif", &table, "is a table of ClusterData2011-2: `holdfast sim FILE`"),
        ("whatif", &trace, "is a trace: `holdfast sim FILE`"),
        ("whatif", &world, "is a world of the simulator: `holdfast sim FILE`"),
        ("whatif", &history, "`holdfast history DIR`"),
        ("whatif", &decided, "is a decision log: `holdfast explain FILE`"),
        ("sim", &decided, "is a decision log of Holdfast: `holdfast explain FILE`"),
        ("sim", &history, "`holdfast history DIR`"),
        ("explain", &events, "is one of Spark's event logs: `holdfast whatif FILE`"),
        ("replay", &events, "is one of Spark's event logs: `holdfast whatif FILE`"),
        ("replay", &swim, "is a trace of SWIM's"),
        ("history", &events, "is one of Spark's event logs: `holdfast whatif FILE`"),
    ] {
        let ran = holdfast(&[command, file]);
        assert_eq!((ran.code, ran.out.as_str()), (3, ""), "{command} {file}: {}", ran.err);
        assert!(ran.err.contains(says), "{command} {file}: {}", ran.err);
    }
    let ran = holdfast(&["history", &history]);
    assert!(ran.code == 2 && ran.err.contains("name its folder"), "{}", ran.err);
}

/// Whatever reads it: a person's words, the line and the field.
#[test]
fn what_is_wrong_with_json_is_told_by_line_and_field() {
    let begin = "{\"Event\":\"SparkListenerLogStart\",\"Spark Version\":\"4.1.0\"}\n";
    let header = "{\"format\":\"holdfast-trace\",\"version\":1,\"source\":\"x\"}\n";
    let cases = [
        ("whatif", "not json".to_owned(), "line 1: this is no event of a Spark event log: "),
        (
            "whatif",
            "[1]\n".to_owned(),
            "line 1: this is no event of a Spark event log: the field \"[0]\" is 1",
        ),
        (
            "whatif",
            format!("{begin}{{\"Event\":\"SparkListenerJobEnd\"}}\n"),
            "line 2: SparkListenerJobEnd: the field \"Job ID\" is missing",
        ),
        (
            "whatif",
            format!(
                "{begin}{{\"Event\":\"SparkListenerStageSubmitted\",\"Stage Info\":{{\"Stage ID\":\"0\"}}}}\n"
            ),
            "line 2: SparkListenerStageSubmitted: the field \"Stage Info.Stage ID\" is the text \"0\"; wanted is a whole number",
        ),
        (
            "whatif",
            format!("{begin}{{\"Event\":\"SparkListenerJobEnd\",\"Job ID\":}}\n"),
            "line 2: SparkListenerJobEnd: a value is missing",
        ),
        (
            "sim",
            format!("{header}{{\"name\":\"a\"}}\n"),
            "line 2: the field \"arrival_ms\" is missing",
        ),
        (
            "sim",
            format!(
                "{header}{{\"name\":\"a\",\"arrival_ms\":0,\"jobs\":[{{\"stages\":[{{\"tasks_ms\":[1,-1]}}]}}]}}\n"
            ),
            "line 2: the field \"jobs[0].stages[0].tasks_ms[1]\" is -1; wanted is a whole number, at least 0",
        ),
        (
            "sim",
            header.replace('1', "\"one\""),
            "line 1: this is no header of a trace: the field \"version\" is the text \"one\"",
        ),
        ("sim", program::WORLD.replace("10000", "\"ten\""), "stages[0].durations"),
        (
            "sim",
            program::WORLD.replace("\"nodes\": 2", "\"nodes\": 2.5"),
            "the field \"cluster[0].nodes\" is 2.5; wanted is a whole number",
        ),
    ];
    for (i, (command, text, says)) in cases.iter().enumerate() {
        let ran = holdfast(&[command, file(&format!("wrong-{i}"), text).to_str().unwrap()]);
        assert_eq!((ran.code, ran.out.as_str()), (3, ""), "{text}");
        assert!(ran.err.contains(says), "{text}: {}", ran.err);
        for word in ["struct", "expected ", "invalid type", "u32", "column 0"] {
            assert!(!ran.err.contains(word), "{word}: {}", ran.err);
        }
    }
}
