//! Only one file may ask which policy runs: whatever else depends on a policy belongs behind a role.

use holdfast_tidy::{relative, root, sources};

/// Returns whether a text asks which policy runs.
fn asks(text: &str) -> bool {
    let packed: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let compares = packed.contains(".policy ==") || packed.contains("policy.equals(");
    let matches = packed.split("matches!(").skip(1).any(|rest| {
        let first = rest.split(',').next().unwrap_or_default();
        first.contains("policy")
    });
    compares || matches
}

/// Returns the files below these folders that ask which policy runs.
fn asking(folders: &[&str]) -> Vec<String> {
    let found = folders
        .iter()
        .flat_map(|folder| sources(&root().join(folder), &[".rs", ".java", ".scala"]));
    found.filter(|(_, text)| asks(text)).map(|(path, _)| relative(&path)).collect()
}

#[test]
fn what_asks_is_found() {
    assert!(asks("if self.config.policy\n    == Policy::Static {"));
    assert!(asks("matches!(config.policy, Policy::Ssr | Policy::Timeout)"));
    assert!(asks("settings.policy.equals(\"stock\")"));
    assert!(!asks("match self.need { Need::Ssr => {} }"));
}

#[test]
fn one_file_asks_which_policy_runs() {
    let engine = asking(&["rust/engine/src"]);
    assert!(engine.len() <= 1, "one file of the engine may ask: {engine:?}");
    let others =
        asking(&["rust/sim/src", "rust/jni/src", "rust/cli/src", "rust/study/src", "jvm-shim/src"]);
    assert!(others.is_empty(), "the roles know the policy: {others:?}");
}
