//! Finds the names that commands in pages may use: Gradle tasks and crates.

use std::collections::BTreeSet;

use crate::{root, sources};

/// Tasks that Gradle and its plugins bring.
const BROUGHT: [&str; 8] = ["assemble", "build", "check", "clean", "help", "jar", "tasks", "test"];

/// Options of Gradle whose value is a word of its own.
const VALUED: [&str; 3] = ["--write-verification-metadata", "-x", "--tests"];

/// Returns the names of all Gradle tasks: those that a call of `register...` names, and those that plugins bring.
pub fn gradle_tasks() -> BTreeSet<String> {
    let mut found: BTreeSet<_> = BROUGHT.iter().map(ToString::to_string).collect();
    for (_, text) in sources(&root(), &[".gradle"]) {
        for part in text.split("egister").skip(1) {
            let Some((call, rest)) = part.split_once(['\'', '"']) else { continue };
            let name = rest.split(['\'', '"']).next().unwrap_or_default();
            if call.len() < 24 && call.contains('(') && !call.contains([',', '\n']) {
                found.insert(name.to_owned());
            }
        }
    }
    found
}

/// Returns the projects of the Gradle build.
pub fn gradle_projects() -> Vec<String> {
    let settings =
        std::fs::read_to_string(root().join("settings.gradle")).expect("settings.gradle");
    let included = settings.lines().filter(|line| line.starts_with("include "));
    included.flat_map(|line| line.split('\'').skip(1).step_by(2)).map(str::to_owned).collect()
}

/// Returns the packages of the workspace.
pub fn packages() -> BTreeSet<String> {
    let manifests = sources(&root().join("rust"), &["Cargo.toml"]);
    let names = manifests.iter().filter_map(|(_, text)| {
        let line = text.lines().find(|line| line.starts_with("name = "))?;
        Some(line.split('"').nth(1)?.to_owned())
    });
    names.collect()
}

/// Returns the tasks that Gradle commands in a text ask for, as written (`:integration:test`).
pub fn tasks_asked_for(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in code.lines() {
        for command in line.split("./gradlew").skip(1) {
            let command = command.split(['#', '|', ';', '&']).next().unwrap_or_default();
            let (mut quoted, mut before) = (false, "");
            for token in command.split_whitespace() {
                let bare =
                    !quoted && !VALUED.contains(&before) && !token.starts_with(['-', '\'', '"']);
                before = token;
                quoted ^= token.matches('\'').count() % 2 == 1;
                let name = token.trim_matches(|c: char| !c.is_alphanumeric() && c != ':');
                if bare && !name.is_empty() && !token.contains(['=', '<', '.', '/', '\\']) {
                    found.push(name.to_owned());
                }
            }
        }
    }
    found
}

/// Returns the packages that cargo commands in a text name with `-p`.
pub fn packages_asked_for(code: &str) -> Vec<String> {
    let lines = code.lines().filter(|line| line.contains("cargo "));
    lines
        .flat_map(|line| line.split(" -p ").skip(1))
        .filter_map(|rest| rest.split_whitespace().next())
        .map(|name| name.trim_matches(|c: char| !c.is_alphanumeric() && c != '-').to_owned())
        .collect()
}
