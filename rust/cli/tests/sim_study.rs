//! `holdfast sim` over several variants and seeds, as a user runs it.
#![allow(clippy::unwrap_used, reason = "tests")]

mod program;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use program::WORLD;
use roxmltree::Document;
use serde_json::Value;

/// A folder that goes with its test.
struct Dir(PathBuf);

impl Dir {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    /// Everything in one of its folders, by name.
    fn files(&self, name: &str) -> BTreeMap<String, String> {
        let entries = fs::read_dir(self.0.join(name)).unwrap().map(|entry| entry.unwrap().path());
        let text = |path: PathBuf| fs::read_to_string(path).unwrap();
        entries
            .map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), text(path)))
            .collect()
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn command(threads: Option<u32>, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_holdfast"));
    command.arg("sim").args(args);
    match threads {
        Some(threads) => command.env("RAYON_NUM_THREADS", threads.to_string()),
        None => command.env_remove("RAYON_NUM_THREADS"),
    };
    command
}

fn sim(args: &[&str]) -> Output {
    command(None, args).output().unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn variants_stand_beside_each_other() {
    let dir = Dir::new("study-table");
    let world = dir.file("world.json", WORLD);
    let csv = dir.path("out.csv");
    let variants = "spark,priority,static,timeout,literal";
    let ran = sim(&[&world, "--variant", variants, "--seeds", "3", "--csv", &csv]);
    assert_eq!(code(&ran), 0, "{}", text(&ran.stderr));
    let out = text(&ran.stdout);
    assert!(out.starts_with("1 foreground workflow, 1 other, 2 slots, seeds 0 to 2\n"), "{out}");
    let csv = fs::read_to_string(csv).unwrap();
    assert_eq!(csv.lines().next(), Some("variant,isolation,measure,value,lo,hi,n,seed"));
    let row = |wanted: &str| csv.lines().find(|line| line.starts_with(wanted)).unwrap().to_owned();
    // By hand: 13 / 4, 5 / 4 or 4 / 4, whatever the seed, as nothing in this world is drawn.
    for (variant, isolation, slowdown) in [
        ("spark", "", "3.250000"),
        ("priority", "0", "3.250000"),
        ("static", "", "1.250000"),
        ("timeout", "", "1.000000"),
        ("literal", "1", "1.000000"),
    ] {
        let line = row(&format!("{variant},{isolation},slowdown_p95,"));
        let rest = format!("{slowdown},{slowdown},{slowdown},3,0");
        assert!(line.ends_with(&rest), "{line}");
    }
    // One barrier with a hold, which is kept; 1 slot x 2 s of 2 slots x 23 s.
    assert!(row("literal,1,isolation_achieved,").contains(",1.000000,1.000000,1.000000,3,0"));
    assert!(row("spark,,isolation_achieved,").ends_with(",,,,0,0"));
    assert!(row("spark,,held,").contains(",0.000000,"));
}

/// Scripts read these.
#[test]
fn the_csv_file_has_these_measures() {
    let dir = Dir::new("study-measures");
    let (world, csv) = (dir.file("world.json", WORLD), dir.path("out.csv"));
    assert_eq!(code(&sim(&[&world, "--csv", &csv])), 0);
    let csv = fs::read_to_string(csv).unwrap();
    let lines: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert!(lines.iter().all(|line| line.len() == 8), "{csv}");
    assert!(lines[1..].iter().all(|line| line[4..6] == ["", ""]), "one seed has no interval");
    let measures: Vec<&str> = lines[1..].iter().map(|line| line[2]).collect();
    let expected = "slowdown_mean slowdown_p50 slowdown_p95 slowdown_p99 slowdown_max jct_mean_s jct_p50_s jct_p95_s jct_p99_s \
        background_jct_mean_s background_jct_p50_s background_jct_p95_s background_jct_p99_s busy held free \
        isolation_achieved barriers_held barriers_kept local_foreground local_background copies_launched copies_won \
        attempts wasted end_s events steps decisions asks vetoes";
    assert_eq!(measures, expected.split_whitespace().collect::<Vec<_>>());
}

#[test]
fn threads_change_no_byte() {
    let dir = Dir::new("study-threads");
    let run = |name: &str, threads, seed: &str| {
        let out = dir.path(name);
        let args = ["--preset", "paper", "--nodes", "10", "--seeds", "3", "--seed", seed];
        let variants = ["--variant", "priority,literal,literal-copies,lookahead"];
        let isolation = ["--isolation", "0.2,0.9", "--background", "--out", &out];
        let ran = command(threads, &[&args[..], &variants, &isolation].concat()).output().unwrap();
        assert_eq!(code(&ran), 0, "{}", text(&ran.stderr));
        (text(&ran.stdout), dir.files(name))
    };
    let one = run("one", Some(1), "5");
    assert!(one == run("many", Some(4), "5"), "four threads");
    assert!(one == run("default", None, "5"), "as many as there are");
    assert!(one != run("other", None, "6"), "another seed draws other numbers");
    let names: Vec<&str> = one.1.keys().map(String::as_str).collect();
    let expected =
        ["isolation.svg", "sim.csv", "sim.html", "sim.jsonl", "slots.svg", "slowdowns.svg"];
    assert_eq!(names, expected);
    for name in ["isolation.svg", "slots.svg", "slowdowns.svg"] {
        let drawn = Document::parse(&one.1[name]).unwrap();
        assert!(drawn.descendants().any(|node| node.has_tag_name("text")), "{name}");
        assert!(one.1["sim.html"].contains(one.1[name].trim_end()), "{name} is part of the page");
    }
    let command = "holdfast sim --preset paper --nodes 10 --variant priority,literal,literal-copies,lookahead \
                   --isolation 0.2,0.9 --seed 5 --seeds 3 --background --out DIR";
    assert!(one.1["sim.html"].contains(command));
    for other in ["href", "src=", "url("] {
        assert!(!one.1["sim.html"].contains(other), "the page needs nothing else: {other}");
    }
}

#[test]
fn each_run_and_each_foreground_is_a_line() {
    let dir = Dir::new("study-lines");
    let (world, file) = (dir.file("world.json", WORLD), dir.path("out.jsonl"));
    let lines = |more: &[&str]| -> Vec<Value> {
        let args = [&world, "--variant", "priority,literal", "--seeds", "2", "--jsonl", &file];
        let ran = sim(&[&args[..], more].concat());
        assert_eq!(code(&ran), 0, "{}", text(&ran.stderr));
        let text = fs::read_to_string(&file).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let few = lines(&[]);
    let of = |line: &Value| {
        let text = |name: &str| line[name].as_str().unwrap().to_owned();
        (text("kind"), text("variant"), line["seed"].as_u64().unwrap())
    };
    let got: Vec<_> = few.iter().map(of).collect();
    let expected = ["priority", "literal"].into_iter().flat_map(|variant| {
        let each = move |seed| ["run", "workflow"].map(|kind| (kind.into(), variant.into(), seed));
        (0..2).flat_map(each)
    });
    assert_eq!(got, expected.collect::<Vec<_>>());
    let workflow = &few[1];
    assert_eq!(workflow["jct_ns"], 13_000_000_000_u64);
    assert_eq!(workflow["alone_ns"], 4_000_000_000_u64);
    assert_eq!(workflow["slowdown"], 3.25);
    assert_eq!((&few[4]["isolation"], &few[4]["copies_launched"]), (&1.0.into(), &0.0.into()));
    let all = lines(&["--background"]);
    assert_eq!(all.len(), 4 * 3);
    assert_eq!((&all[2]["foreground"], &all[2]["slowdown"]), (&false.into(), &Value::Null));
}

#[test]
fn several_runs_are_one_json_document() {
    let dir = Dir::new("study-json");
    let world = dir.file("world.json", WORLD);
    let ran = sim(&[&world, "--variant", "literal", "--seeds", "2", "--seed", "7", "--json"]);
    assert_eq!(code(&ran), 0, "{}", text(&ran.stderr));
    let document: Value = serde_json::from_slice(&ran.stdout).unwrap();
    assert_eq!(document["seeds"], Value::from(vec![7, 8]));
    assert_eq!(document["interrupted"], false);
    let measure = &document["series"][0]["measures"]["slowdown_p50"];
    assert_eq!((&measure["value"], &measure["n"]), (&1.0.into(), &2.into()));
}

#[test]
fn isolation_is_swept_where_it_matters() {
    let dir = Dir::new("study-sweep");
    let (world, csv) = (dir.file("world.json", WORLD), dir.path("out.csv"));
    let args = [&world, "--variant", "spark,literal,lookahead", "--isolation", "0,0.5,1"];
    let ran = sim(&[&args[..], &["--csv", &csv]].concat());
    assert_eq!(code(&ran), 0, "{}", text(&ran.stderr));
    let csv = fs::read_to_string(csv).unwrap();
    let rows = csv.lines().filter(|line| line.contains(",held,"));
    let of: Vec<String> =
        rows.map(|row| row.split(',').take(2).collect::<Vec<_>>().join(" ")).collect();
    let expected = [
        "spark ",
        "literal 0",
        "literal 0.5",
        "literal 1",
        "lookahead 0",
        "lookahead 0.5",
        "lookahead 1",
    ];
    assert_eq!(of, expected);
    let held = |wanted: &str| {
        let line = csv.lines().find(|line| line.starts_with(wanted)).unwrap();
        line.split(',').nth(3).unwrap().parse::<f64>().unwrap()
    };
    assert!(held("literal,0,held") == 0.0 && held("literal,1,held") > 0.0, "{csv}");
}

#[test]
fn all_variants_are_simulated_each_once() {
    let dir = Dir::new("study-all");
    let world = dir.file("world.json", WORLD);
    let ran = sim(&[&world, "--variant", "fifo,all,fifo", "--json"]);
    assert_eq!(code(&ran), 0, "{}", text(&ran.stderr));
    let document: Value = serde_json::from_slice(&ran.stdout).unwrap();
    let series = document["series"].as_array().unwrap();
    let mut names: Vec<&str> = series.iter().map(|s| s["variant"].as_str().unwrap()).collect();
    assert_eq!((names.len(), names[0], names[1]), (14, "fifo", "spark"));
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 14);
}

#[test]
fn examples_are_printed_and_run() {
    let dir = Dir::new("study-examples");
    for name in ["shared-cluster", "mixed-speeds", "executor-losses"] {
        let printed = sim(&["--example", name]);
        assert_eq!(code(&printed), 0, "{}", text(&printed.stderr));
        let file = dir.file(&format!("{name}.jsonc"), &text(&printed.stdout));
        let variants = "spark,fifo,fair,priority,timeout,literal-copies,lookahead";
        let ran = sim(&[&file, "--variant", variants, "--seeds", "2", "--json"]);
        assert_eq!(code(&ran), 0, "{name}: {}", text(&ran.stderr));
        let document: Value = serde_json::from_slice(&ran.stdout).unwrap();
        let series = document["series"].as_array().unwrap();
        let of = |variant: &str| {
            let own = series.iter().find(|s| s["variant"] == variant).unwrap();
            own["measures"]["slowdown_mean"]["value"].as_f64().unwrap()
        };
        // What each scenario is there to show.
        assert!(of("spark") > of("lookahead"), "{name}: {} {}", of("spark"), of("lookahead"));
        assert!(of("priority") > of("lookahead"), "{name}");
    }
    assert_eq!(code(&sim(&["--example", "nothing"])), 2);
    assert_eq!(code(&sim(&["--example", "shared-cluster", "--seeds", "2"])), 2);
}

#[test]
fn what_cannot_be_asked_for_is_refused() {
    let dir = Dir::new("study-usage");
    let world = dir.file("world.json", WORLD);
    let refused: [&[&str]; 7] = [
        &["--variant", "stock"],
        &["--isolation", "1.5", "--variant", "literal"],
        &["--isolation", "0.5", "--variant", "spark,timeout"],
        &["--isolation", "0.5"],
        &["--seeds", "0"],
        &["--seeds", "2", "--check"],
        &["--variant", "spark,literal", "--log", "never-written.hflog"],
    ];
    for args in refused {
        let ran = sim(&[&[world.as_str()], args].concat());
        assert_eq!(code(&ran), 2, "{args:?}: {}", text(&ran.stderr));
        assert!(ran.stdout.is_empty(), "{args:?}");
    }
    let nowhere = dir.path("no-such-folder/out.csv");
    assert_eq!(code(&sim(&[&world, "--csv", &nowhere])), 3);
}

/// Begins a study, ends it after a while, and says what it wrote to standard output and error.
#[cfg(unix)]
fn interrupted(args: &[&str], first: &str, after: std::time::Duration) -> (String, String) {
    use std::io::{BufRead, BufReader, Read};
    use std::process::Stdio;

    let mut run = command(Some(1), args);
    let mut run = run.stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut err = BufReader::new(run.stderr.take().unwrap());
    let mut line = String::new();
    err.read_line(&mut line).unwrap();
    assert_eq!(line, first);
    std::thread::sleep(after);
    let kill = Command::new("kill").args(["-INT", &run.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let mut rest = String::new();
    err.read_to_string(&mut rest).unwrap();
    let ran = run.wait_with_output().unwrap();
    assert_eq!(code(&ran), 130, "{rest}");
    (text(&ran.stdout), rest)
}

/// Ends a study that would take minutes, as soon as it has begun: what is written then is whole.
#[cfg(unix)]
#[test]
fn ctrl_c_ends_it_at_once() {
    let dir = Dir::new("study-at-once");
    let (csv, jsonl) = (dir.path("out.csv"), dir.path("out.jsonl"));
    let args = ["--preset", "paper", "--nodes", "2000", "--seeds", "500", "--csv", &csv];
    let first = "note: 500 runs; Ctrl-C keeps what is done\n";
    let (_, err) =
        interrupted(&[&args[..], &["--jsonl", &jsonl]].concat(), first, std::time::Duration::ZERO);
    assert!(err.contains("interrupted: ") && err.contains(" of 500 runs are done"), "{err}");
    let csv = fs::read_to_string(csv).unwrap();
    assert!(csv.starts_with("variant,isolation,measure,") && csv.ends_with('\n'), "{csv}");
    let jsonl = fs::read_to_string(jsonl).unwrap();
    assert!(jsonl.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()));
}

/// The first run takes no time. The second has one slot, which `static` sets aside, and waits for an executor that joins
/// after nine years, with a timer that rings each millisecond: only Ctrl-C ends it. How long the first one takes is not
/// known, so it is given more and more time.
#[cfg(unix)]
#[test]
fn ctrl_c_ends_it_and_keeps_what_is_done() {
    let dir = Dir::new("study-interrupt");
    let late = "[1000, 0, 0, 0]}, {\"nodes\": 1, \"executors_per_node\": 1, \"joins_ms\": 283824000000, \"capacity\": [1000, 0, 0, 0]}]";
    let world = WORLD
        .replace("\"nodes\": 2", "\"nodes\": 1")
        .replacen("[1000, 0, 0, 0]}]", late, 1)
        .replacen('{', "{\"spark\": {\"revive_ms\": 1},", 1);
    let (world, out) = (dir.file("world.json", &world), dir.path("out"));
    let args = [&world, "--variant", "spark,static", "--out", &out];
    let first = "note: 2 runs; Ctrl-C keeps what is done\n";
    let ended = (4..16).find_map(|power| {
        let (table, err) = interrupted(&args, first, std::time::Duration::from_millis(1 << power));
        assert!(!err.contains("2 of 2 runs"), "{err}");
        err.contains("interrupted: 1 of 2 runs are done\n").then_some(table)
    });
    let table = ended.unwrap();
    let names = |name: &str| table.lines().filter(|line| line.starts_with(name)).count();
    assert_eq!((names("spark "), names("static ")), (2, 0), "{table}");
    let files = dir.files("out");
    let csv: Vec<&str> = files["sim.csv"].lines().collect();
    assert!(csv.len() > 30 && csv[1..].iter().all(|line| line.starts_with("spark,")), "{csv:?}");
    let lines = files["sim.jsonl"].lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let kinds: Vec<Value> = lines.map(|line| line["kind"].clone()).collect();
    assert_eq!(kinds, ["run", "workflow"]);
    assert!(files["sim.html"].contains("It was ended before all runs were done."));
}
