//! Only one file may ask which policy runs: whatever else depends on a policy belongs behind a role.

use holdfast_tidy::{relative, root, sources};

/// Checks what is configured before there is an engine: `static` needs slots, and `stock` takes no library.
const BEFORE_THE_ENGINE: &str = "config/Settings.java";

/// Returns whether a text asks which policy runs.
fn asks(text: &str) -> bool {
    let packed: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let words =
        [".policy ==", ".policy !=", "policy.equals(", "policy().equals(", ".equals(policy"];
    let compares = words.iter().any(|&word| packed.contains(word));
    let asked = |keyword: &str, end: &[char]| {
        packed.split(keyword).skip(1).any(|rest| {
            let first = rest.split(end).next().unwrap_or_default();
            first.ends_with("policy") || first.trim_end().ends_with(".policy")
        })
    };
    compares || asked("matches!(", &[',']) || asked("match ", &['{'])
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
    assert!(
        asks("settings.policy.equals(\"stock\")") && asks("settings.policy().equals(\"stock\")")
    );
    assert!(asks("if config.policy != Policy::Stock {") && asks("match self.config.policy {"));
    assert!(!asks("match self.need { Need::Ssr => {} }"));
}

#[test]
fn one_file_asks_which_policy_runs() {
    let engine = asking(&["rust/engine/src"]);
    assert!(engine.len() <= 1, "one file of the engine may ask: {engine:?}");
    let others =
        asking(&["rust/sim/src", "rust/jni/src", "rust/cli/src", "rust/study/src", "jvm-shim/src"]);
    let others: Vec<_> = others.iter().filter(|file| !file.ends_with(BEFORE_THE_ENGINE)).collect();
    assert!(others.is_empty(), "the roles know the policy: {others:?}");
}
