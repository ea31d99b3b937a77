//! Structs are small, the methods of a type stand together, and the engine's files are short.

use holdfast_tidy::shapes::{impls, structs};
use holdfast_tidy::{root, sources};

const FIELDS: usize = 15;
const FILES: usize = 3;

/// Configuration, events, and rows of reports are as long as what they list.
const LISTS: [&str; 10] = [
    "Config", "Event", "Args", "Options", "Row", "Report", "Totals", "Account", "Counters",
    "Outcome",
];

#[test]
fn fields_are_counted() {
    let found = structs(&root().join("rust/tidy/src"));
    assert!(found.contains(&("Page".into(), "rust/tidy/src/page.rs".into(), 4)), "{found:?}");
    assert!(found.contains(&("Place".into(), "rust/tidy/src/page.rs".into(), 4)), "{found:?}");
}

#[test]
fn structs_are_small() {
    for part in ["rust/engine/src", "rust/sim/src"] {
        let found = structs(&root().join(part));
        let large: Vec<_> = found
            .iter()
            .filter(|(name, _, fields)| {
                *fields > FIELDS && !LISTS.iter().any(|list| name.ends_with(list))
            })
            .collect();
        assert!(large.is_empty(), "more than {FIELDS} fields: {large:#?}");
    }
}

#[test]
fn methods_of_a_type_stand_together() {
    for part in ["rust/engine/src", "rust/sim/src"] {
        let found = impls(&root().join(part));
        let spread: Vec<_> = found.iter().filter(|(_, files)| files.len() > FILES).collect();
        assert!(spread.is_empty(), "methods in more than {FILES} files: {spread:#?}");
    }
}

#[test]
fn the_engines_files_are_short() {
    let files = sources(&root().join("rust/engine/src"), &[".rs"]);
    let mut lines: Vec<_> = files.iter().map(|(_, text)| text.lines().count()).collect();
    lines.sort_unstable();
    let (median, longest) = (lines[lines.len() / 2], lines[lines.len() - 1]);
    assert!(median <= 120 && longest <= 300, "median {median}, longest {longest} lines");
}
