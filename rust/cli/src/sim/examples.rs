//! Scenarios to start from.

use clap::builder::PossibleValue;

/// Name, description and text.
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

/// Returns their names, as arguments.
pub(super) fn names() -> impl Iterator<Item = PossibleValue> {
    EXAMPLES.iter().map(|(name, about, _)| PossibleValue::new(*name).help(*about))
}

/// Returns the text of one.
pub(super) fn example(name: &str) -> &'static str {
    EXAMPLES.iter().find(|(known, ..)| *known == name).map_or("", |(.., text)| *text)
}

#[cfg(test)]
mod tests {
    use holdfast_sim::scenario::parse;

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
