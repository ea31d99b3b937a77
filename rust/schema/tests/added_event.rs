//! A new event, on a copy of the repository: what has to be written by hand is the schema, the engine's handler, and the
//! host that says it.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// An event of more numbers than the shim's `step` takes.
const ENTRY: &str = r#"    Event {
        name: "Drained",
        kind: 25,
        doc: "A copy of the repository has one event more.",
        clause: "",
        fields: &[
            id("executor", "ExecutorId", "Which executor.").after("ExecutorAdded"),
            field("capacity", Of::Resources, "What is left of it."),
            field("tasks", Of::Amount, "How many tasks still run."),
            field("change", Of::Signed, "By how much that has changed."),
            field("last", Of::Flag, "Whether it is the last one."),
        ],
    },
    Event { name: "Tick""#;

const HANDLER: &str = " | Event::Drained { .. } | Event::Tick => Ok(()),\n";

/// The host: a call with its eight numbers.
const HOST: &str = r#"
#[test]
fn the_added_event_is_told() {
    let numbers = [7, 1, 2, 3, 4, 5, -6, 1];
    let told = event(25, &numbers).unwrap();
    let Event::Drained { executor, capacity, tasks, change, last } = told else { panic!() };
    assert_eq!((executor, capacity, tasks), (ExecutorId(7), Resources([1, 2, 3, 4]), 5));
    assert!(change == -6 && last);
    assert!(event(25, &numbers[..7]).is_err() && event(25, &[7, -1, 2, 3, 4, 5, -6, 1]).is_err());
    let table = Table::new();
    let handle = open(&table, true);
    table.with(handle, |session| session.step(1, &told)).unwrap();
    let log = close(&table, handle).unwrap().unwrap();
    assert_eq!(records(&log)[0].1, told, "the log gives it back");
}
"#;

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        let skipped = ["target", "build", ".git", ".gradle"].map(OsStr::new);
        if path.is_dir() && !skipped.contains(&entry.file_name().as_os_str()) {
            copy(&path, &target);
        } else if path.is_file() {
            fs::copy(&path, &target).unwrap();
        }
    }
}

fn edit(path: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(path).unwrap();
    assert_eq!(text.matches(from).count(), 1, "{}: {from}", path.display());
    fs::write(path, text.replacen(from, to, 1)).unwrap();
}

fn cargo(root: &Path, target: &Path, arguments: &[&str]) {
    let out = Command::new(env!("CARGO"))
        .arg("--offline")
        .args(arguments)
        .current_dir(root)
        .env("CARGO_TARGET_DIR", target)
        .output()
        .unwrap();
    assert!(out.status.success(), "{arguments:?}\n{}", String::from_utf8_lossy(&out.stderr));
}

/// Compiles engine, log, library and programs once more, in a folder of its own.
#[test]
#[ignore = "takes a minute or more: cargoNightly runs it"]
fn a_new_event_is_an_entry_a_handler_and_a_host() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let target = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("added-event");
    let copied = target.join("repository");
    _ = fs::remove_dir_all(&copied);
    for folder in ["rust", "docs/reference", "jvm-shim/src/main/java"] {
        copy(&root.join(folder), &copied.join(folder));
    }
    for file in ["Cargo.toml", "Cargo.lock", "rustfmt.toml"] {
        fs::copy(root.join(file), copied.join(file)).unwrap();
    }
    let by_hand = [
        ("rust/schema/src/tables/events.rs", "    Event { name: \"Tick\"", ENTRY),
        ("rust/engine/src/apply/mod.rs", " | Event::Tick => Ok(()),\n", HANDLER),
    ];
    for (file, from, to) in by_hand {
        edit(&copied.join(file), from, to);
    }
    let host = copied.join("rust/jni/src/session_tests.rs");
    let tests = fs::read_to_string(&host).unwrap();
    fs::write(&host, tests + HOST).unwrap();
    cargo(&copied, &target, &["run", "-p", "holdfast-schema", "--", "write"]);
    cargo(&copied, &target, &["check", "-p", "holdfast-cli"]);
    cargo(&copied, &target, &["test", "-p", "holdfast-jni", "the_added_event_is_told"]);
    let written = |file: &str| fs::read_to_string(copied.join(file)).unwrap();
    assert!(written("docs/reference/events.md").contains("### 25: drained"));
    let java = written("jvm-shim/src/main/java/io/holdfast/bridge/NativeEngine.java");
    assert!(java.contains("int DRAINED = 25;") && java.contains("int MOST_NUMBERS = 8;"));
    assert_eq!(by_hand.len() + 1, 3, "files that were written by hand, the host's among them");
}
