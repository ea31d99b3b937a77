//! The code base checks itself: what a reviewer would otherwise have to remember.

use std::path::Path;

use holdfast_tidy::{root, sources};

const MAX_LINES: usize = 400;

/// Files that are one thing and longer, with their own limits.
const LONGER: [(&str, usize); 2] = [("AssembleGradle.java", 480), ("NativeEngine.java", 480)];

/// What a pure engine has no use for.
const BANNED_IN_ENGINE: [&str; 9] = [
    "std::time",
    "Instant",
    "SystemTime",
    "std::thread",
    "std::fs",
    "std::env",
    "std::collections::HashMap",
    "println!",
    "rand::",
];

/// Every invariant and mechanism of this version must be named where it is implemented or checked.
const INVARIANTS: [&str; 15] = [
    "R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8", "R9", "R10", "R11", "R15", "R16", "R19", "R20",
];
const MECHANISMS: [&str; 11] = [
    "SSR-1", "SSR-2", "SSR-3", "SSR-4", "SSR-5", "SSR-6", "SSR-7", "SSR-8", "SSR-9", "SSR-10",
    "SSR-12",
];

#[test]
fn the_engine_is_pure() {
    for (path, text) in sources(&root().join("rust/engine/src"), &[".rs"]) {
        for banned in BANNED_IN_ENGINE {
            assert!(!text.contains(banned), "{} speaks of {banned}", path.display());
        }
    }
}

#[test]
fn unsafe_code_stays_in_the_bridge() {
    for (path, text) in sources(&root().join("rust"), &[".rs"]) {
        let bridge = path.starts_with(root().join("rust/jni"));
        let here = path.ends_with("tidy/tests/code.rs");
        // An allocator that counts is the one thing a test cannot write safely.
        let counting =
            text.contains("GlobalAlloc") && path.components().any(|c| c.as_os_str() == "tests");
        let found =
            text.contains("unsafe {") || text.contains("unsafe fn") || text.contains("unsafe impl");
        assert!(bridge || here || counting || !found, "{} has unsafe code", path.display());
    }
}

#[test]
fn files_are_short() {
    let mut folders =
        vec![root().join("rust"), root().join("jvm-shim"), root().join("integration")];
    folders.push(root().join("gradle"));
    for folder in folders {
        for (path, text) in sources(&folder, &[".rs", ".scala", ".java", ".gradle"]) {
            let lines = text.lines().count();
            let own = LONGER.iter().find(|(name, _)| path.ends_with(name)).map(|&(_, limit)| limit);
            let limit = own.unwrap_or(MAX_LINES);
            assert!(lines <= limit, "{} has {lines} lines, {limit} are enough", path.display());
        }
    }
}

#[test]
fn invariants_and_mechanisms_are_named_in_code_and_in_tests() {
    let all = sources(&root().join("rust"), &[".rs"]);
    let is_test = |path: &Path| path.components().any(|c| c.as_os_str() == "tests");
    let word = |text: &str, id: &str| {
        text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_').any(|w| w == id)
    };
    for id in INVARIANTS {
        assert!(
            all.iter().any(|(path, text)| !is_test(path) && word(text, id)),
            "{id} is not named in code"
        );
    }
    for id in MECHANISMS {
        let in_tests = id.to_lowercase().replace('-', "_");
        assert!(
            all.iter().any(|(path, text)| !is_test(path) && word(text, id)),
            "{id} is not named in code"
        );
        let tested = all
            .iter()
            .any(|(path, text)| is_test(path) && (word(text, id) || text.contains(&in_tests)));
        assert!(tested, "{id} is not named in a test");
    }
}
