//! The program as a user runs it.
#![allow(clippy::unwrap_used, reason = "tests")]

#[path = "../../log/tests/common/mod.rs"]
mod common;
mod program;

use std::fs;
use std::path::{Path, PathBuf};

use holdfast_engine::{Decision, Event};
use holdfast_log::NameKind;
use program::{Ran, holdfast};
use serde_json::{Value, json};

/// A file that goes with its test.
struct Log(PathBuf);

impl Log {
    fn new(name: &str, bytes: &[u8]) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::write(&path, bytes).unwrap();
        Self(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }

    fn explain(&self, options: &[&str]) -> Ran {
        holdfast(&[&["explain", self.path()], options].concat())
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn good(name: &str) -> Log {
    Log::new(name, &common::recorded(|_, _| {}))
}

#[test]
fn replay_of_an_unchanged_log_says_the_same() {
    let log = good("same.hflog");
    let ran = holdfast(&["replay", log.path()]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.contains("decisions: the same\nholds: 12 made, 8 used, 4 over"), "{}", ran.out);
    assert!(!ran.out.contains('\u{1b}'), "no colours in a pipe");
}

#[test]
fn replay_shows_where_a_log_differs() {
    let log = Log::new(
        "differs.hflog",
        &common::recorded(|i, decisions| {
            if i == 16 {
                assert!(matches!(decisions[..], [Decision::Held { .. }]), "{decisions:?}");
                decisions.clear();
            }
        }),
    );
    let ran = holdfast(&["replay", log.path()]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    for expected in [
        "differs after 16 equal events",
        "record 17 at byte ",
        "SlotFreed",
        "recorded  nothing",
        "got       Held",
    ] {
        assert!(ran.out.contains(expected), "{expected}: {}", ran.out);
    }
}

#[test]
fn replay_takes_several_logs_and_goes_on_after_one_that_differs_or_is_damaged() {
    let differs = common::recorded(|i, decisions| {
        if i == 16 {
            decisions.clear();
        }
    });
    let logs = [Log::new("first.hflog", &differs), good("second.hflog")];
    let damaged = Log::new("third.hflog", b"this is a text about logs");
    let ran = holdfast(&["replay", damaged.path(), logs[0].path(), logs[1].path()]);
    assert_eq!(ran.code, 3, "{}", ran.err);
    assert!(
        ran.err.contains("third.hflog: byte 0: this is not a Holdfast decision log"),
        "{}",
        ran.err
    );
    let both = ran.out;
    let ran = holdfast(&["replay", logs[0].path(), logs[1].path()]);
    assert_eq!((ran.code, &ran.out), (1, &both), "{}", ran.err);
    assert!(ran.out.contains("first.hflog: differs after 16 equal events"), "{}", ran.out);
    assert!(ran.out.contains("second.hflog: ") && ran.out.contains(": the same"), "{}", ran.out);
}

#[test]
fn a_damaged_log_is_refused_with_the_offset() {
    let bytes = common::recorded(|_, _| {});
    let mut damaged = bytes.clone();
    let last = damaged.len() - 1;
    damaged[last] ^= 1;
    let log = Log::new("damaged.hflog", &damaged);
    let cut = Log::new("cut.hflog", &bytes[..last]);
    for command in ["replay", "explain"] {
        let ran = holdfast(&[command, log.path()]);
        assert_eq!(ran.code, 3);
        assert!(
            ran.err.contains("damaged.hflog: byte ") && ran.err.contains("checksum"),
            "{}",
            ran.err
        );
        let ran = holdfast(&[command, cut.path()]);
        assert_eq!(ran.code, 3);
        let place =
            format!("cut.hflog: byte {last}: the log is cut off here (31 good records before)");
        assert!(ran.err.contains(&place), "{}", ran.err);
        let good = match command {
            "replay" => ": the same up to the damage",
            _ => "kmeans",
        };
        assert!(ran.out.contains(good), "what is good is told: {}", ran.out);
    }
    let ran = holdfast(&["explain", cut.path(), "--workflow", "kmeans"]);
    assert!(ran.code == 3 && ran.out.contains("Hold 4 on executor #0"), "{} {}", ran.out, ran.err);
}

/// A few bytes that ask for 24 bytes for each of 2^27 tasks, where a driver would have died before.
#[test]
fn a_forged_log_is_refused_before_its_sets_take_all_memory() {
    let sets: Vec<Event> = (0..16).map(common::large_set).collect();
    let log = Log::new("forged.hflog", &common::recorded_sets(&sets, None));
    for options in [&["replay", log.path()][..], &["explain", log.path()]] {
        let ran = holdfast(options);
        assert_eq!(ran.code, 3, "{}", ran.out);
        let told = "sets with more than 2^24 tasks live at once (5 good records before)";
        assert!(ran.err.contains(told), "{}", ran.err);
    }
}

#[test]
fn what_is_no_log_is_refused() {
    let log = Log::new("text.hflog", b"this is a text about logs");
    let ran = holdfast(&["replay", log.path()]);
    assert_eq!(ran.code, 3);
    assert!(ran.err.contains("byte 0: this is not a Holdfast decision log"), "{}", ran.err);
    let ran = holdfast(&["explain", "no-such.hflog"]);
    assert_eq!(ran.code, 3);
    assert!(ran.err.contains("cannot open no-such.hflog"), "{}", ran.err);
}

#[test]
fn a_log_that_is_still_written_replays_with_a_note() {
    let mut log = holdfast_log::LogWriter::new(&common::header()).unwrap();
    let mut bytes = Vec::new();
    log.write_to(&mut bytes).unwrap();
    let log = Log::new("running.hflog", &bytes);
    let ran = holdfast(&["replay", log.path()]);
    assert_eq!(ran.code, 0);
    assert!(ran.err.contains("has no end"), "{}", ran.err);
}

#[test]
fn the_summary_counts_by_workflow() {
    let log = good("summary.hflog");
    let ran = log.explain(&[]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.starts_with("app app-1\nengine "), "{}", ran.out);
    let row = ran.out.lines().find(|line| line.starts_with("kmeans ")).unwrap();
    let cells: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(cells[..5], ["kmeans", "10", "12", "8", "4"], "{}", ran.out);
    assert!(row.ends_with("barrier 8, grow 4"), "{row}");
    assert!(ran.out.contains("12 holds, "), "{}", ran.out);
}

#[test]
fn the_summary_says_what_became_of_the_isolation_that_was_asked_for() {
    let strict = good("strict.hflog").explain(&[]);
    assert!(!strict.out.contains("asked"), "{}", strict.out);
    let mut events = common::events();
    for (_, event) in &mut events {
        if let Event::WorkflowOpened { priority: 10, isolation, .. } = event {
            *isolation = 400_000;
        }
    }
    let log = Log::new("isolation.hflog", &common::recorded_of(events, |_, _| {}));
    let ran = log.explain(&[]);
    let mut rows = ran.out.lines().skip_while(|line| !line.contains("asked  reached"));
    let row = rows.nth(1).unwrap_or_else(|| panic!("{}", ran.out));
    let cells: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(cells[..4], ["kmeans", "2", "0.40", "1.00"], "{}", ran.out);
    // What was held towards the deadlines is a part of all, and here less than the bound.
    let [most, held, all] = [4, 5, 6].map(|i| cells[i].parse::<f64>().unwrap());
    assert!(0.0 < held && held < most && held < all, "{}", ran.out);
}

#[test]
fn users_have_their_sums_and_their_holds() {
    use NameKind::{User, Workflow};
    let all = [(Workflow, 3, "kmeans"), (User, 4, "carol"), (User, 3, "bob"), (User, 3, "alice")];
    let log = |name: &str, names: &[(NameKind, u32, &str)]| {
        Log::new(name, &common::recorded_with(names, common::events(), |_, _| {}))
    };
    let known = log("users.hflog", &all);
    let ran = known.explain(&[]);
    let row = ran.out.lines().skip_while(|line| !line.starts_with("user ")).nth(1);
    let cells: Vec<&str> = row.unwrap_or_default().split_whitespace().collect();
    assert_eq!(cells[..5], ["alice", "1", "12", "8", "4"], "{}", ran.out);
    let holds = |options: &[&str]| {
        let ran = known.explain(options);
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran.out.lines().filter(|line| line.starts_with("Hold ")).count()
    };
    assert_eq!([holds(&["--user", "alice"]), holds(&["--user", "carol"])], [12, 0]);
    assert_eq!(holds(&["--user", "carol", "--workflow", "kmeans"]), 0);
    let nobody = known.explain(&["--user", "bob"]);
    assert!(nobody.code == 2 && nobody.err.contains("no user bob; it has: alice, carol"));
    // An empty name takes it back.
    let taken_back = log("taken-back.hflog", &[&all[..], &[(User, 3, ""), (User, 4, "")]].concat());
    assert!(!taken_back.explain(&[]).out.contains("alice"));
    let none = taken_back.explain(&["--user", "alice"]);
    assert!(none.code == 2 && none.err.contains("no user alice: it names none"), "{}", none.err);
}

#[test]
fn who_lacked_slots_when_it_became_wide_is_told() {
    let recorded = common::recorded_of(common::widening(), |_, _| {});
    let ran = Log::new("widening.hflog", &recorded).explain(&[]);
    let said = "\nkmeans lacked 3 slots when it became wider than was known: others had been given them meanwhile";
    assert!(ran.out.contains(said), "{}", ran.out);
    assert!(!good("wide.hflog").explain(&[]).out.contains("lacked"));
}

#[test]
fn what_clients_claimed_is_marked() {
    use NameKind::{Claim, Workflow};
    let all = [
        (Workflow, 3, "kmeans"),
        (Claim, 3, "spark.holdfast.priority=99"),
        (Workflow, 4, "other"),
        (Claim, 4, "group report"),
        (Claim, 4, ""),
    ];
    let recorded = common::recorded_with(&all, common::events(), |_, _| {});
    let ran = Log::new("claims.hflog", &recorded).explain(&[]);
    let claims = ran.out.split("\nclaimed by clients\n").nth(1).unwrap_or_default();
    let lines: Vec<&str> = claims.lines().take_while(|line| !line.is_empty()).collect();
    assert_eq!(lines, ["kmeans (priority 10): spark.holdfast.priority=99"], "{}", ran.out);
    assert!(!good("no-claims.hflog").explain(&[]).out.contains("claimed"));
    let ran = Log::new("claim.hflog", &recorded).explain(&["--hold", "4"]);
    let title =
        "Hold 4 on executor #0 for kmeans (priority 10, claimed: spark.holdfast.priority=99)\n";
    assert!(ran.out.starts_with(title), "{}", ran.out);
}

#[test]
fn a_hold_is_told_from_its_making_to_its_end() {
    let log = good("hold.hflog");
    let ran = log.explain(&["--hold", "4"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let expected = "\
Hold 4 on executor #0 for kmeans (priority 10)
  made +0.592 s when task 0 of stage 1 (kmeans) finished on executor #0
    because what comes after the stage will want the slot: it then needed 4 slots, ran on 3 and held 1
  until +60.407 s at the latest, 59.815 s after it was made
  ended +0.814 s after 222 ms: used, task 0 of stage 2 (kmeans) was launched on executor #0
";
    assert_eq!(ran.out, expected);
}

#[test]
fn a_gap_brings_the_deadline_forward() {
    let log = good("gap.hflog");
    let ran = log.explain(&["--hold", "8"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let expected = "\
  from +1.110 s on until +6.110 s at the latest, since stage 2 (kmeans) ended
";
    assert!(ran.out.contains(expected), "{}", ran.out);
}

#[test]
fn filters_combine() {
    let log = good("filters.hflog");
    let holds = |options: &[&str]| {
        let ran = log.explain(options);
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran.out.lines().filter(|line| line.starts_with("Hold ")).count()
    };
    assert_eq!(holds(&["--workflow", "kmeans"]), 12);
    assert_eq!(holds(&["--workflow", "3", "--executor", "1"]), 6);
    assert_eq!(holds(&["--stage", "1"]), 8, "claimed for it, and left by it");
    assert_eq!(holds(&["--stage", "2", "--executor", "0"]), 4, "used by it, and left by it");
    assert_eq!(holds(&["--workflow", "kmeans", "--limit", "5"]), 5);
    assert!(log.explain(&["--workflow", "kmeans", "--limit", "5"]).out.contains("and 7 more"));
    assert_eq!(holds(&["--workflow", "kmeans", "--limit", "0"]), 12);
}

#[test]
fn json_has_each_hold_with_its_end_and_its_stages() {
    let log = good("holds-as-json.hflog");
    let holds = |options: &[&str]| {
        let ran = log.explain(&[&["--json"], options].concat());
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        let json: Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!((&json["format"], &json["version"]), (&"holdfast-explain".into(), &1.into()));
        json["holds"].as_array().unwrap().clone()
    };
    let all = holds(&["--limit", "1"]);
    let ended = |how: &str| all.iter().filter(|hold| hold["end"] == how).count();
    assert_eq!([all.len(), ended("used"), ended("over")], [12, 8, 4], "all, whatever the limit");
    assert_eq!(holds(&["--stage", "1"]).len(), 8);
    let [fourth] = holds(&["--hold", "4"]).try_into().unwrap();
    let expected = json!({
        "hold": 4, "workflow": "kmeans", "priority": 10, "executor": "executor #0", "reason": "barrier",
        "made_us": 592_000, "ended_us": 814_000, "end": "used", "left_by_stage": 1, "used_by_stage": 2,
    });
    for (key, value) in expected.as_object().unwrap() {
        let near =
            value.as_u64().zip(fourth[key].as_u64()).is_some_and(|(a, b)| a == b / 1_000 * 1_000);
        assert!(near || fourth[key] == *value, "{key}: {fourth}");
    }
    assert_eq!(log.explain(&["--json", "--stage", "1", "--task", "0"]).code, 2);
}

#[test]
fn a_workflow_that_may_not_hold_is_told_why() {
    let log = good("none.hflog");
    let ran = log.explain(&["--workflow", "4"]);
    assert_eq!(ran.code, 0);
    assert!(ran.out.contains("4 never had a priority above 0"), "{}", ran.out);
}

#[test]
fn what_the_log_does_not_have_is_named() {
    let log = good("unknown.hflog");
    for (options, expected) in [
        (["--workflow", "svm"], "no workflow svm; it has: kmeans, 4"),
        (["--executor", "7"], "no executor 7; it has: 0, 1"),
        (["--stage", "77"], "no stage 77"),
        (["--hold", "12"], "no hold 12: it has 12 holds, numbered from 0"),
    ] {
        let ran = log.explain(&options);
        assert_eq!(ran.code, 2);
        assert!(ran.err.contains(expected), "{}", ran.err);
    }
}

#[test]
fn help_and_version_teach() {
    let ran = holdfast(&["--version"]);
    assert_eq!(ran.code, 0);
    assert!(ran.out.starts_with(concat!("holdfast ", env!("CARGO_PKG_VERSION"), " (revision ")));
    assert!(ran.out.contains("log format 5"), "{}", ran.out);
    let help = holdfast(&["--help"]).out;
    for part in ["Exit codes:", "Examples:", "spark.holdfast.log.dir", "replay", "explain"] {
        assert!(help.contains(part), "{part}");
    }
    let help = holdfast(&["explain", "--help"]).out;
    assert!(help.contains("Without options: a summary by workflow"), "{help}");
    let wrong = holdfast(&["explain", "x.hflog", "--hold", "seven"]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.err.contains("'seven'") && wrong.err.contains("--hold"), "{}", wrong.err);
    assert_eq!(holdfast(&[]).code, 2);
}
