//! Scenarios: worlds in files, and those to start from.

use std::fmt;
use std::io::Read;
use std::path::Path;

use clap::builder::PossibleValue;
use holdfast_sim::World;
use holdfast_sim::scenario::parse;
use holdfast_trace::input::decoder;
use holdfast_words::shown_path;

use crate::Failure;

/// Name, what it is about, text.
const EXAMPLES: [(&str, &str, &str); 3] = [
    (
        "shared-cluster",
        "An important job with barriers beside a crowd, on 16 slots",
        include_str!("../../scenarios/shared-cluster.jsonc"),
    ),
    (
        "mixed-speeds",
        "Fast and slow nodes, heavy-tailed tasks, copies of stragglers",
        include_str!("../../scenarios/mixed-speeds.jsonc"),
    ),
    (
        "executor-losses",
        "Executors that are lost and replaced, fair pools, failing tasks",
        include_str!("../../scenarios/executor-losses.jsonc"),
    ),
];

/// Their names, as arguments.
pub(super) fn names() -> impl Iterator<Item = PossibleValue> {
    EXAMPLES.iter().map(|(name, about, _)| PossibleValue::new(*name).help(*about))
}

/// The text of one.
pub(super) fn example(name: &str) -> &'static str {
    EXAMPLES.iter().find(|(known, ..)| *known == name).map_or("", |(.., text)| *text)
}

/// The world in a file, compressed or not.
///
/// # Errors
/// It cannot be read, or is no world: with the place in the file, the field, the value, and what to write instead.
pub(super) fn read(path: &Path) -> Result<World, Failure> {
    let wrong = |why: &dyn fmt::Display| Failure::Input(format!("{}{why}", shown_path(path)));
    let mut text = String::new();
    let read = decoder(path)?.read_to_string(&mut text);
    read.map_err(|why| wrong(&format_args!(": {why}")))?;
    parse(&text).map_err(|why| wrong(&why))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_worlds() {
        for (name, _, text) in EXAMPLES {
            let world = parse(text).unwrap_or_else(|why| panic!("{name}{why}"));
            assert!(world.workflows.iter().any(|workflow| workflow.foreground), "{name}");
            assert!(world.engine.is_none(), "{name}: variants decide");
        }
    }
}
