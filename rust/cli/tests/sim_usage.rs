//! What `holdfast sim` cannot do as it is asked is refused, by name and reason, and not left out.
#![allow(clippy::unwrap_used, reason = "tests")]

mod program;

use std::fs;

use program::{IMPORTANT, LOG, Ran, WORLD, file, holdfast};
use serde_json::Value;

const SWIM: &str = "job0\t0\t0\t268435456\t10485760\t0\njob1\t5\t5\t0\t0\t0\n";

fn sim(args: &[&str]) -> Ran {
    holdfast(&[&["sim"], args].concat())
}

/// Each is refused as wrong usage, with these words.
fn refused(cases: &[(&[&str], &[&str])]) {
    for (args, says) in cases {
        let ran = sim(args);
        assert_eq!(ran.code, 2, "{args:?}: {} {}", ran.out, ran.err);
        assert!(ran.out.is_empty(), "{args:?}: {}", ran.out);
        for says in *says {
            assert!(ran.err.contains(says), "{args:?}: {}", ran.err);
        }
    }
}

#[test]
fn options_of_traces_are_not_for_presets() {
    for option in [
        ["--slots", "2"],
        ["--scale", "2"],
        ["--conf", IMPORTANT],
        ["--until", "5s"],
        ["--most-tasks", "7"],
    ] {
        refused(&[(
            &[&["--preset", "paper"], &option[..]].concat(),
            &[option[0], "cannot be used with"],
        )]);
    }
    refused(&[(
        &["--preset", "paper", "--foreground", "sql", "--priority", "3"],
        &["--priority", "cannot be used with"],
    )]);
}

#[test]
fn options_of_traces_are_not_for_worlds() {
    let world = file("usage-world.json", WORLD);
    let world = world.to_str().unwrap();
    for option in [["--slots", "2"], ["--scale", "2"], ["--most-tasks", "7"], ["--until", "5s"]] {
        let says = format!("{} is for presets and traces: the file is a world", option[0]);
        refused(&[(&[&[world], &option[..]].concat(), &[&says])]);
    }
}

#[test]
fn a_comparison_is_one_run_and_writes_nothing_else() {
    for option in [
        &["--variant", "spark"][..],
        &["--isolation", "0.5"],
        &["--seeds", "2"],
        &["--speculation"],
        &["--csv", "x.csv"],
        &["--jsonl", "x.jsonl"],
        &["--out", "x"],
        &["--placements", "x"],
        &["--check"],
    ] {
        let args = [&[LOG, "--compare"], option].concat();
        refused(&[(&args, &["--compare", option[0], "cannot be used with"])]);
    }
}

#[test]
fn a_trace_is_written_of_what_was_recorded() {
    let (swim, to) = (file("usage.tsv", SWIM), file("usage-out.jsonl", "left as it is"));
    let (swim, to) = (swim.to_str().unwrap(), to.to_str().unwrap());
    for option in [
        &["--scale", "2"][..],
        &["--slots", "2"],
        &["--nodes", "2"],
        &["--foreground", "job0"],
        &["--most-tasks", "7"],
        &["--variant", "spark"],
        &["--seed", "2"],
        &["--seeds", "2"],
        &["--json"],
        &["--csv", "x.csv"],
        &["--check"],
    ] {
        let args = [&[swim, "--trace", to], option].concat();
        refused(&[(&args, &["--trace", option[0], "cannot be used with"])]);
    }
    refused(&[(&[swim, "--trace", to, "--conf", IMPORTANT], &["--conf is for event logs"])]);
    assert_eq!(fs::read_to_string(to).unwrap(), "left as it is");
}

#[test]
fn options_that_need_another_one_say_so() {
    let (world, swim) = (file("usage-need.json", WORLD), file("usage-need.tsv", SWIM));
    refused(&[
        (&[world.to_str().unwrap(), "--background"], &["--jsonl and --out"]),
        (&[swim.to_str().unwrap(), "--priority", "3"], &["--foreground"]),
        (&[LOG, "--slots", "3"], &["--slots is for other nodes", "--nodes"]),
    ]);
}

#[test]
fn who_is_in_the_foreground_is_somebody() {
    let swim = file("usage-who.tsv", SWIM);
    let swim = swim.to_str().unwrap();
    let says = "--foreground: etl-* fits no name here; there are job0, job1\n";
    refused(&[
        (&[swim, "--foreground", "etl-*"], &[says]),
        (&[LOG, "--foreground", "etl-*", "--compare"], &["etl-* fits no name here; there are "]),
    ]);
    assert_eq!(sim(&[swim, "--foreground", "*1"]).code, 0);
}

#[test]
fn what_conf_says_is_understood() {
    let says = "--conf spark.locality.wait: soon; write a time such as 500ms, 3s or 2min";
    refused(&[
        (&[LOG, "--conf", "spark.locality.wait=soon"], &[says]),
        (
            &[LOG, "--compare", "--conf", "spark.holdfast.pool.important.priority=high"],
            &["high; write a whole"],
        ),
        (
            &[LOG, "--trace", "never-written", "--conf", "spark.holdfast.isolation=2"],
            &["2; write a share"],
        ),
    ]);
}

#[test]
fn who_names_nothing_to_simulate_hears_what_there_is() {
    refused(&[(&[], &["name a FILE", "--preset paper", "--example"])]);
}

/// As `whatif` does.
#[test]
fn a_log_that_is_cut_off_is_read_if_its_name_says_so() {
    let bytes = &fs::read(LOG).unwrap()[..300];
    let ran = sim(&[file("usage-cut.zstd", bytes).to_str().unwrap()]);
    let says = "line 1: the log is cut off here. If its application died, let the name of the file end in .inprogress";
    assert!(ran.code == 3 && ran.err.contains(says), "{}", ran.err);
    let ran = sim(&[file("usage-cut.zstd.inprogress", bytes).to_str().unwrap()]);
    assert!(ran.code == 3 && ran.err.contains("nothing ran"), "{}", ran.err);
}

#[test]
fn one_seed_has_no_interval() {
    let world = file("usage-interval.json", WORLD);
    let args = [world.to_str().unwrap(), "--variant", "spark,literal", "--seeds"];
    for (seeds, is_said) in [("1", false), ("2", true)] {
        let ran = sim(&[&args[..], &[seeds]].concat());
        assert_eq!(ran.out.contains("confidence interval"), is_said, "{}", ran.out);
    }
}

/// The last seed that there is has none after it.
#[test]
fn seeds_are_numbers() {
    let world = file("usage-seed.json", WORLD);
    let world = world.to_str().unwrap();
    let last = u64::MAX.to_string();
    refused(&[(
        &[world, "--seed", &last, "--seeds", "2"],
        &["--seed: 18446744073709551615; with 2 seeds", "write at most 18446744073709551613"],
    )]);
    let of_file =
        file("usage-own-seed.json", WORLD.replacen('{', "{\"seed\": 18446744073709551615,", 1));
    refused(&[(&[of_file.to_str().unwrap()], &["--seed: 18446744073709551615; with 1 seed"])]);
    assert_eq!(sim(&[world, "--seed", &(u64::MAX - 2).to_string(), "--seeds", "2"]).code, 0);
    let ran = holdfast(&["figures", "--out", "never-made", "--seed", &last]);
    assert!(ran.code == 2 && ran.err.contains("--seed"), "{}", ran.err);
}

/// A log is read as a whole, so that `--until` would not help.
#[test]
fn advice_about_too_many_tasks_helps() {
    let swim = file("usage-many.tsv", SWIM);
    let ran = sim(&[LOG, "--most-tasks", "7", "--until", "1ms"]);
    assert_eq!(ran.code, 3);
    assert!(
        ran.err.contains("more than 7 tasks: --most-tasks allows more (a log is"),
        "{}",
        ran.err
    );
    let ran = sim(&[swim.to_str().unwrap(), "--most-tasks", "3"]);
    assert!(
        ran.code == 3 && ran.err.contains("--until takes those that come first"),
        "{}",
        ran.err
    );
    assert_eq!(sim(&[swim.to_str().unwrap(), "--most-tasks", "3", "--until", "1s"]).code, 0);
}

#[test]
fn json_with_a_check_is_json() {
    let world = file("usage-check.json", WORLD);
    let ran = sim(&[world.to_str().unwrap(), "--variant", "literal", "--json", "--check"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let document: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(document["check"], serde_json::json!({ "launches": 8, "same": true }));
    let plain = sim(&[world.to_str().unwrap(), "--variant", "literal", "--json"]);
    let plain: Value = serde_json::from_str(&plain.out).unwrap();
    assert!(plain["check"].is_null() && plain["outcome"] == document["outcome"]);
}

/// Who decided, from which seed, is in what is shown of one run, too.
#[test]
fn one_run_says_what_it_is_of() {
    let (world, lines) = (file("usage-one.json", WORLD), file("usage-one.jsonl", ""));
    let asked = ["--variant", "literal", "--isolation", "0.9", "--seed", "3"];
    let args =
        [&[world.to_str().unwrap(), "--jsonl", lines.to_str().unwrap()], &asked[..]].concat();
    let text = sim(&args);
    assert!(text.out.starts_with("literal, P 0.9, seed 3: 2 workflows, "), "{}", text.out);
    let json = sim(&[&args[..], &["--json"]].concat());
    let one: Value = serde_json::from_str(&json.out).unwrap();
    let lines = fs::read_to_string(&lines).unwrap();
    let line: Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    for field in ["variant", "isolation", "seed", "slots"] {
        assert!(!one[field].is_null() && one[field] == line[field], "{field}: {}", json.out);
    }
    for (name, value) in one["measures"].as_object().unwrap() {
        assert_eq!(value, &line[name], "{name}");
    }
    assert_eq!(one["outcome"]["fingerprint"], line["fingerprint"]);
    assert_eq!((&one["nodes"], &one["jobs"]), (&2.into(), &2.into()));
    let alone = sim(&[world.to_str().unwrap()]);
    assert!(alone.out.starts_with("as the file says, seed "), "{}", alone.out);
}

#[test]
fn rows_of_a_table_are_in_the_order_of_time() {
    let row = |at: u64, kind: u8| format!("{at},,1,0,m,{kind},u,2,0,0.1,0.1,0.0,0\n");
    let rows = [row(1_000_000, 0), row(5_000_000, 1), row(2_000_000, 4)].concat();
    let table = file("usage-order.csv", rows);
    let ran = sim(&[table.to_str().unwrap(), "--nodes", "1"]);
    assert_eq!(ran.code, 3, "{}", ran.out);
    let says = "usage-order.csv: line 3: the time: 2000000 comes before that of an earlier line, 5000000; sort";
    assert!(ran.err.contains(says), "{}", ran.err);
}

/// With one slot, which `static` sets aside, nobody else ever runs.
#[test]
fn a_variant_that_fails_leaves_the_others() {
    let one = WORLD.replace("\"nodes\": 2", "\"nodes\": 1");
    let (world, csv) = (file("usage-failed.json", one), file("usage-failed.csv", ""));
    let args = [world.to_str().unwrap(), "--variant", "spark,static,literal", "--seeds", "2"];
    let ran = sim(&[&args[..], &["--csv", csv.to_str().unwrap()]].concat());
    assert_eq!(ran.code, 3, "{} {}", ran.out, ran.err);
    let names = |out: &str| -> Vec<String> {
        let rows = out.lines().filter_map(|line| line.split_whitespace().next());
        rows.filter(|name| ["spark", "static", "literal"].contains(name))
            .map(str::to_owned)
            .collect()
    };
    assert_eq!(names(&ran.out), ["spark", "literal", "spark", "literal"], "in both tables");
    for seed in [0, 1] {
        let says = format!("variant static, seed {seed}: it comes to no end");
        assert!(ran.err.contains(&says), "{}", ran.err);
    }
    let csv = fs::read_to_string(csv).unwrap();
    assert!(csv.contains("\nspark,") && csv.contains("\nliteral,") && !csv.contains("\nstatic,"));
    let ran = sim(&[&args[..], &["--json"]].concat());
    assert_eq!(ran.code, 3);
    let document: Value = serde_json::from_str(&ran.out).unwrap();
    let lengths = ["failed", "series"].map(|what| document[what].as_array().unwrap().len());
    assert_eq!((lengths, &document["interrupted"]), ([2, 2], &false.into()));
    // Where none is left it is an error as of one run.
    let ran = sim(&[&args[..1], &["--variant", "static", "--seeds", "2"]].concat());
    assert!(ran.code == 3 && ran.out.is_empty(), "{}", ran.out);
}

/// `holdfast sim app.zstd --csv app.zstd` once replaced the log.
#[test]
fn nothing_that_is_read_or_written_is_written_over() {
    let world = file("usage-over.jsonc", WORLD);
    let (world, other) = (world.to_str().unwrap(), file("usage-over.out", "before"));
    let other = other.to_str().unwrap();
    for option in ["--csv", "--jsonl", "--log", "--placements"] {
        refused(&[
            (&[world, option, world], &[option, "is what is read"]),
            (&[world, "--seed", "2", "--placements", other, "--log", other], &["--log writes"]),
        ]);
    }
    let folder = std::path::Path::new(world).parent().unwrap().join("usage-over");
    fs::create_dir_all(&folder).unwrap();
    let named = folder.join("sim.jsonl");
    fs::write(&named, WORLD).unwrap();
    let (folder, named) = (folder.to_str().unwrap(), named.to_str().unwrap());
    refused(&[(&[named, "--out", folder], &["--out", "is what is read"])]);
    assert_eq!(fs::read_to_string(named).unwrap(), WORLD);
    assert_eq!(fs::read_to_string(world).unwrap(), WORLD);
    assert_eq!(fs::read_to_string(other).unwrap(), "before");
}

/// It is found out at once, and what can be written is not there when something else cannot be done.
#[test]
fn what_cannot_be_written_is_found_out_before() {
    let world = file("usage-nowhere.json", WORLD);
    let (world, csv) = (world.to_str().unwrap(), world.with_file_name("usage-nowhere.csv"));
    let below = format!("{world}/out");
    for (option, path) in [("--jsonl", "/nonexist/x"), ("--out", below.as_str())] {
        let ran = sim(&[world, "--csv", csv.to_str().unwrap(), option, path]);
        assert_eq!(ran.code, 3, "{}", ran.err);
        let why = format!("cannot write {path}: ");
        assert!(ran.err.contains(&why) && ran.err.contains(option), "{}", ran.err);
        assert!(!ran.err.contains("note: 1 run"), "nothing is computed: {}", ran.err);
        assert!(!csv.exists());
    }
}
