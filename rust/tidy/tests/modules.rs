//! No circles among packages and modules, and the logger knows nothing of what runs.

use holdfast_tidy::modules::{Uses, java_packages, on_circles, rust_modules};
use holdfast_tidy::{relative, root, sources};

fn check(what: &str, uses: &Uses) {
    let circle = on_circles(uses);
    let shown: Vec<_> =
        circle.iter().map(|module| format!("{module} -> {:?}", uses[module])).collect();
    assert!(circle.is_empty(), "{what} has modules on circles:\n{}", shown.join("\n"));
}

#[test]
fn circles_are_found() {
    let uses = |pairs: &[(&str, &str)]| {
        let mut uses = Uses::new();
        for (from, to) in pairs {
            uses.entry((*from).to_owned()).or_default().insert((*to).to_owned());
        }
        uses
    };
    assert_eq!(on_circles(&uses(&[("a", "b"), ("b", "c"), ("c", "b")])), ["b", "c"]);
    assert!(on_circles(&uses(&[("a", "b"), ("a", "c"), ("b", "c")])).is_empty());
}

#[test]
fn java_packages_have_no_circle() {
    let uses = java_packages(&root().join("jvm-shim/src/main/java"), "io.holdfast");
    assert!(!uses.is_empty(), "no Java package was found");
    check("the shim", &uses);
}

#[test]
fn the_engines_modules_have_no_circle() {
    check("the engine", &rust_modules(&root().join("rust/engine/src")));
}

#[test]
fn the_simulators_modules_have_no_circle() {
    check("the simulator", &rust_modules(&root().join("rust/sim/src")));
}

#[test]
fn the_logger_touches_no_global_state() {
    let shim = sources(&root().join("jvm-shim/src"), &["Notices.java"]);
    assert!(!shim.is_empty(), "there is no logger");
    for (path, text) in shim {
        for state in ["Status", "Session"] {
            let named = text.split(|c: char| !c.is_alphanumeric()).any(|word| word == state);
            assert!(!named, "{} names {state}", relative(&path));
        }
    }
}
