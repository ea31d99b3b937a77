//! A log in several files is read as one.
#![allow(clippy::unwrap_used, reason = "tests")]

#[path = "../../log/tests/common/mod.rs"]
mod common;
mod program;

use std::fs;
use std::path::{Path, PathBuf};

use holdfast_log::LogWriter;
use program::holdfast;

/// A folder of this test's, with a log in so many files; their paths.
fn parts(test: &str, number: usize) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir(&folder).unwrap();
    let log = common::recorded(|_, _| {});
    let pieces = log.chunks(log.len().div_ceil(number));
    let names = (1..).map(|n| if n == 1 { String::new() } else { format!(".{n}") });
    let files = pieces.zip(names).map(|(piece, end)| {
        let file = folder.join(format!("app.hflog{end}"));
        fs::write(&file, piece).unwrap();
        file
    });
    files.collect()
}

fn path(file: &Path) -> &str {
    file.to_str().unwrap()
}

#[test]
fn any_part_names_the_log() {
    // From ten on the order of names is not that of numbers.
    let parts = parts("any-part", 12);
    fs::write(parts[0].with_file_name("app.hflog.x"), "not a part").unwrap();
    fs::write(parts[0].with_file_name("other.hflog.40"), "of another log").unwrap();
    let whole = holdfast(&["replay", path(&parts[0])]);
    assert!(whole.code == 0 && whole.out.contains("app.hflog: ") && whole.err.is_empty());
    let told = holdfast(&["explain", path(&parts[0])]);
    assert!(told.code == 0 && told.out.contains("kmeans"), "{}", told.err);
    for part in &parts {
        assert_eq!(holdfast(&["replay", path(part)]).out, whole.out);
        assert_eq!(holdfast(&["explain", path(part)]).out, told.out);
    }
    let all: Vec<&str> = std::iter::once("replay").chain(parts.iter().map(|p| path(p))).collect();
    assert_eq!(holdfast(&all).out, whole.out, "a log that is named by all its files is one");
}

#[test]
fn a_missing_part_is_named() {
    for missing in [0, 2] {
        let parts = parts("missing-part", 5);
        fs::remove_file(&parts[missing]).unwrap();
        for command in ["replay", "explain"] {
            let ran = holdfast(&[command, path(&parts[1])]);
            let named = format!("{} is missing: {}", path(&parts[missing]), path(&parts[4]));
            assert!(ran.code == 3 && ran.err.contains(&named), "{} {}", ran.out, ran.err);
        }
    }
    let parts = parts("missing-last", 5);
    fs::remove_file(&parts[4]).unwrap();
    let ran = holdfast(&["replay", path(&parts[0])]);
    assert!(ran.err.contains("is cut off here") || ran.err.contains("has no end"), "{}", ran.err);
}

#[test]
fn a_full_log_says_that_its_application_went_on() {
    let mut log = LogWriter::new(&common::header()).unwrap();
    log.fill();
    let file = program::file("full.hflog", log.rest());
    for command in ["replay", "explain"] {
        let ran = holdfast(&[command, path(&file)]);
        assert!(ran.code == 0 && ran.err.contains("was full"), "{} {}", ran.out, ran.err);
    }
}
