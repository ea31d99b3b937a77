//! `holdfast history` as a user runs it.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

const HEAD: &str = "{\"holdfast_history\":1,\"application\":\"app-1\"}\n";
const DAY_MS: u64 = 86_400_000;

fn holdfast(args: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_holdfast")).args(args).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// A folder that goes with its test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("history-{name}"));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir(&path).unwrap();
        Self(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }

    fn write(&self, name: &str, text: &str) -> &Self {
        fs::write(self.0.join(name), text).unwrap();
        self
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn entry(workflow: &str, when: u64, runs: u32, tasks: &[u32]) -> String {
    let steps: Vec<String> = tasks.iter().map(|n| format!("[0,7,{n},{n},250]")).collect();
    let steps = steps.join(",");
    format!(
        "{{\"workflow\":\"{workflow}\",\"shape\":\"00c0ffee\",\"when\":{when},\"runs\":{runs},\"steps\":[{steps}]}}\n"
    )
}

fn two_applications(name: &str) -> Folder {
    let folder = Folder::new(name);
    let (old, new) = (entry("etl", DAY_MS, 2, &[4]), entry("etl", 2 * DAY_MS, 3, &[1, 400]));
    folder.write("app-1.json", &[HEAD, &old, &entry("pool:sql", 3 * DAY_MS, 1, &[8])].concat());
    folder.write("app-2.json", &[HEAD, &new].concat());
    folder
}

#[test]
fn workflows_are_told_over_all_applications_the_latest_first() {
    let folder = two_applications("table");
    let (code, out, err) = holdfast(&["history", folder.path()]);
    assert_eq!((code, err.as_str()), (0, ""));
    let expected = "\
workflow     shape  runs  applications  widest  steps         last seen
pool:sql  00c0ffee     1             1       8      1  1970-01-04 00:00
etl       00c0ffee     5             2     400      2  1970-01-03 00:00
";
    assert_eq!(out, expected);
    let uri = format!("file://{}", folder.path());
    let (code, out, _) = holdfast(&["history", &uri, "--workflow", "e*"]);
    assert_eq!((code, out.lines().count()), (0, 2), "{out}");
}

fn taught(when: u64, samples: &[[u64; 6]]) -> String {
    let samples: Vec<String> = samples.iter().map(|sample| format!("{sample:?}")).collect();
    format!("{{\"when\":{when},\"samples\":[{}]}}\n", samples.join(","))
}

#[test]
fn samples_of_bounded_jobs_are_told_by_size_bound_and_rule() {
    let folder = two_applications("samples");
    let deadline = |score| [0, 120, 10_000, 500_000, 700_000, score];
    let first = taught(DAY_MS, &[deadline(910_000), deadline(870_000), deadline(880_000)]);
    let second = taught(2 * DAY_MS, &[deadline(100_000), [3, 40, 36, 900_000, 650_000, 8_200]]);
    folder.write("app-3.json", &[HEAD, &first].concat());
    folder.write("app-4.json", &[HEAD, &second].concat());
    let (code, out, err) = holdfast(&["history", folder.path()]);
    assert_eq!((code, err.as_str()), (0, ""));
    let expected = "\
bounded jobs        bound  rule  samples  applications     median bound   median result         last seen
up to 50 tasks      error    GS        1             1         36 tasks  8.2 task times  1970-01-03 00:00
51 to 500 tasks  deadline   RAS        4             2  10.0 task times     87.0 % done  1970-01-03 00:00
";
    let workflows = "workflow     shape  runs";
    assert!(out.starts_with(workflows), "{out}");
    assert_eq!(out.split_once("\n\n").unwrap().1, expected, "{out}");
    let (_, out, _) = holdfast(&["history", folder.path(), "--workflow", "etl"]);
    assert_eq!(out.lines().count(), 2, "{out}");
    let alone = Folder::new("samples-alone");
    alone.write("app-4.json", &[HEAD, &second].concat());
    let (code, out, _) = holdfast(&["history", alone.path()]);
    assert!(code == 0 && out.starts_with("bounded jobs"), "{out}");
    // Their age is that of the file.
    let prune = ["history", "prune", alone.path(), "--older-than", "30d"];
    assert!(holdfast(&prune).1.starts_with("removed app-4.json: last seen 1970-01-03"));
}

#[test]
fn samples_that_cannot_be_are_skipped_and_named() {
    let folder = Folder::new("bad-samples");
    let whole = taught(1, &[[0, 7, 1, 1, 1, 1]]);
    let rows = [
        taught(1, &[[4, 7, 1, 1, 1, 1]]),
        taught(1, &[[0, 7, 1, 1, 1, 1]; 129]),
        whole.replace("1]]", "1.5]]"),
        whole.clone(),
        whole[..whole.len() - 9].to_owned(),
    ];
    folder.write("a.json", &(HEAD.to_owned() + &rows.concat()));
    let many = taught(1, &[[0, 7, 1, 1, 1, 1]; 128]).repeat(19);
    folder.write("many.json", &(HEAD.to_owned() + &many));
    let (code, out, err) = holdfast(&["history", folder.path()]);
    assert_eq!(code, 0);
    assert!(out.contains(" 2305 "), "{out}");
    let expected = "\
note: a.json: line 2: a sample's number is out of range: skipped
note: a.json: line 3: more than 128 samples: skipped
note: a.json: line 4: the field \"samples[0][5]\" is 1.5; wanted is a whole number, at least 0 (column 40): skipped
note: a.json: line 6: the text ends where a value is wanted, in or behind the field \"samples[0]\" (column 33): skipped
note: many.json: line 20: the file has more than 2304 samples: skipped
";
    assert_eq!(err, expected);
}

#[test]
fn names_do_not_steer_the_terminal() {
    let folder = Folder::new("names");
    folder.write("a.json", &(HEAD.to_owned() + &entry("clear\\u001b[2J", DAY_MS, 1, &[8])));
    let (code, out, _) = holdfast(&["history", folder.path()]);
    assert_eq!(code, 0);
    assert!(out.contains("clear\\u{1b}[2J"), "{out}");
    let (code, _, err) = holdfast(&["history", folder.path(), "--workflow", "etl"]);
    assert!(code == 2 && err.contains("there are: clear\\u{1b}[2J"), "{err}");
}

#[test]
fn what_cannot_be_read_is_skipped_and_named() {
    let folder = two_applications("skipped");
    let whole = [HEAD, &entry("etl", 1, 1, &[1])].concat();
    folder.write("cut.json", &whole[..whole.len() - 9]);
    folder.write("future.json", &whole.replace(":1,\"app", ":2,\"app"));
    folder.write("foreign.json", "{}");
    folder.write("notes.txt", "not asked for");
    let (code, out, err) = holdfast(&["history", folder.path()]);
    assert_eq!((code, out.lines().count()), (0, 3));
    let expected = "\
note: cut.json: line 2: the text ends where a value is wanted, in or behind the field \"steps[0]\" (column 71): skipped
note: foreign.json: it is no history of Holdfast: skipped
note: future.json: version 2 is not known here: skipped
";
    assert_eq!(err, expected);
}

#[test]
fn what_an_application_would_not_read_is_not_read_here() {
    let folder = two_applications("large");
    let many: String = (0..300).map(|i| entry(&format!("w{i}"), 1, 1, &[1])).collect();
    folder.write("many.json", &(HEAD.to_owned() + &many));
    folder.write("steps.json", &(HEAD.to_owned() + &entry("long", 1, 1, &[1; 65])));
    folder.write("vast.json", &(HEAD.to_owned() + &" ".repeat(5 << 20)));
    let (code, out, err) = holdfast(&["history", folder.path()]);
    assert_eq!((code, out.lines().count()), (0, 3 + 256));
    let expected = "\
note: many.json: it has more than 256 workflows: skipped
note: steps.json: line 2: more than 64 steps: skipped
note: vast.json: it is larger than 4 MiB: skipped
";
    assert_eq!(err, expected);
}

#[test]
fn what_is_not_there_is_named() {
    let folder = two_applications("missing");
    let (code, _, err) = holdfast(&["history", folder.path(), "--workflow", "x*"]);
    assert_eq!(code, 2);
    assert!(err.contains("no workflow fits x*; there are: etl, pool:sql"), "{err}");
    let (code, _, err) = holdfast(&["history", "no-such-folder"]);
    assert_eq!(code, 3);
    assert!(err.contains("cannot read no-such-folder: "), "{err}");
    let (code, _, err) = holdfast(&["history", "hdfs://host/history"]);
    assert_eq!(code, 2);
    assert!(err.contains("copy it here first"), "{err}");
    let empty = Folder::new("empty");
    let (code, out, _) = holdfast(&["history", empty.path()]);
    assert!(code == 0 && out.ends_with("holds no history.\n"), "{out}");
}

#[test]
fn prune_removes_only_histories_all_of_whose_workflows_are_old() {
    let folder = Folder::new("prune");
    let now = u64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis());
    let now = now.unwrap();
    let old = entry("etl", now - 31 * DAY_MS, 1, &[4]);
    let new = entry("sql", now - 29 * DAY_MS, 1, &[4]);
    folder.write("old.json", &[HEAD, &old].concat());
    folder.write("mixed.json", &[HEAD, &old, &new].concat());
    folder.write("future.json", &[HEAD, &old].concat().replace(":1,\"app", ":2,\"app"));
    folder.write("foreign.json", "{}").write(".old.json.tmp", HEAD).write("notes.txt", "");
    let all = folder.names();
    let prune = ["history", "prune", folder.path(), "--older-than", "30d"];
    let (code, out, err) = holdfast(&[&prune[..], &["--dry-run"]].concat());
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.starts_with("would remove old.json: last seen 20"), "{out}");
    assert!(out.ends_with("1 of 3 files would be removed\n"), "{out}");
    assert_eq!(folder.names(), all);
    let (code, out, _) = holdfast(&prune);
    assert!(code == 0 && out.ends_with("1 of 3 files removed\n"), "{out}");
    let left = [".old.json.tmp", "foreign.json", "future.json", "mixed.json", "notes.txt"];
    assert_eq!(folder.names(), left);
    // What an application that was killed has left is as old as its file.
    let (code, ..) = holdfast(&["history", "prune", folder.path(), "--older-than", "0m"]);
    assert_eq!((code, folder.names().len()), (0, 3));
}

#[test]
fn help_and_errors_teach() {
    let (code, out, _) = holdfast(&["history", "--help"]);
    assert_eq!(code, 0);
    for part in ["--workflow", "prune", "spark.holdfast.history.dir", "--older-than 30d"] {
        assert!(out.contains(part), "{part}: {out}");
    }
    let (code, _, err) = holdfast(&["history", "prune", "x", "--older-than", "30"]);
    assert!(code == 2 && err.contains("30d, 12h or 2w"), "{err}");
    assert_eq!(holdfast(&["history"]).0, 2);
    assert_eq!(holdfast(&["history", "prune", "x"]).0, 2);
}
