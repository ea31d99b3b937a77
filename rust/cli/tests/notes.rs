//! Notes on an application: the same in text, JSON and on the page.
#![allow(clippy::unwrap_used, reason = "tests")]

#[path = "../../trace/tests/common/mod.rs"]
mod common;
mod program;

use std::fs;
use std::path::Path;

use common::Log;
use program::{Ran, file, holdfast};
use serde_json::Value;

/// The notes of the one application in a log, by kind, after checking that text and page have the same.
fn notes(name: &str, log: impl AsRef<[u8]>, args: &[&str]) -> Vec<(String, String)> {
    let path = file(name, log);
    let page = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.html"));
    let command = ["whatif", path.to_str().unwrap(), "--html", page.to_str().unwrap()];
    let text = holdfast(&[&command[..], args].concat());
    let json = holdfast(&[&command[..], args, &["--json"]].concat());
    assert_eq!((text.code, json.code), (0, 0), "{}", text.err);
    let html = fs::read_to_string(&page).unwrap();
    let told: Value = serde_json::from_str(&json.out).unwrap();
    let listed = told["applications"][0]["notes"].as_array().unwrap().clone();
    let text_of = |note: &Value, field: &str| note[field].as_str().unwrap().to_owned();
    let notes: Vec<_> = listed.iter().map(|n| (text_of(n, "kind"), text_of(n, "text"))).collect();
    let lines: Vec<String> =
        notes.iter().map(|(_, text)| format!("note: {}: {text}", path.display())).collect();
    for Ran { err, .. } in [&text, &json] {
        assert_eq!(err.lines().collect::<Vec<_>>(), lines);
    }
    let items: Vec<&str> =
        html.lines().filter_map(|l| l.strip_prefix("<li>Note: ")?.strip_suffix("</li>")).collect();
    assert_eq!(items, notes.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>());
    notes
}

fn kinds(notes: &[(String, String)]) -> Vec<&str> {
    notes.iter().map(|(kind, _)| kind.as_str()).collect()
}

/// One job of one task that begins at 1 s and ends at 2 s.
fn job() -> Log {
    let mut log = Log::new(&[1]);
    log.job(1_000, 0, &[(0, &[])], &[]);
    log.stage(1_000, 0, 1);
    log.task(1_000, 0, 0, 0, "e0");
    log.task_end((1_000, 2_000), 0, 0, 0, "e0", "Success");
    log.stage_end_from((1_000, 2_000), 0, 1);
    log.job_end(2_000, 0);
    log
}

#[test]
fn a_whole_log_has_no_note() {
    let mut log = job();
    log.end(3_000);
    assert_eq!(notes("notes-none", &log.0, &[]), []);
}

#[test]
fn what_is_cut_left_out_or_not_read_is_told_in_all_three() {
    let open = notes("notes-open", &job().0, &[]);
    assert_eq!(kinds(&open), ["cut"]);
    assert!(open[0].1.starts_with("the log has no end"), "{open:?}");

    let whole = job().0;
    let cut = notes("notes-cut.inprogress", &whole[..whole.len() - 20], &[]);
    assert!(kinds(&cut).contains(&"cut"), "{cut:?}");
    assert!(cut[0].1.starts_with("the log stops in the middle of an event"), "{cut:?}");

    let mut late = job();
    late.job(60_000, 1, &[], &[]);
    late.job_end(61_000, 1);
    late.execution(1_500, 7);
    late.end(62_000);
    let late = notes("notes-late", &late.0, &[]);
    assert_eq!(kinds(&late), ["left_out"]);
    assert!(late[0].1.starts_with("1 event up to 0.500 s too late"), "{late:?}");

    let mut fair = job();
    fair.end(3_000);
    let args = ["--conf", "spark.scheduler.mode=FAIR"];
    let file = ["--conf", "spark.scheduler.allocation.file=/no/such/file.xml"];
    let unread = notes("notes-unread", &fair.0, &[args, file].concat());
    assert_eq!(kinds(&unread), ["unread"]);
}

#[test]
fn a_run_whose_end_was_rebuilt_is_marked() {
    let mut log = job();
    log.end(3_000);
    let lost: String =
        log.0.lines().filter(|line| !line.contains("JobEnd")).map(|l| format!("{l}\n")).collect();
    assert_eq!(kinds(&notes("notes-rebuilt", &lost, &[])), ["rebuilt"]);
    let path = file("notes-rebuilt-row", &lost);
    let text = holdfast(&["whatif", path.to_str().unwrap(), "--simulate", "0"]).out;
    assert!(text.contains("job:0 [rebuilt]"), "{text}");
}
