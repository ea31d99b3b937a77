//! Workflows become known when they end, and are told in the order of their arrivals: those that have ended wait here
//! for the earlier ones that have not.

use std::collections::{BTreeMap, BTreeSet};

use crate::format::Workflow;

/// Puts workflows in order.
#[derive(Default)]
pub(crate) struct Arrivals {
    open: BTreeSet<(u64, u64)>,
    done: BTreeMap<(u64, u64), Workflow>,
}

impl Arrivals {
    /// A workflow has arrived; `id` tells it from others.
    pub(crate) fn arrived(&mut self, at: u64, id: u64) {
        self.open.insert((at, id));
    }

    /// It has ended.
    pub(crate) fn ended(&mut self, at: u64, id: u64, workflow: Workflow) {
        self.open.remove(&(at, id));
        self.done.insert((at, id), workflow);
    }

    /// It has ended, and nothing is to be told of it.
    pub(crate) fn dropped(&mut self, at: u64, id: u64) {
        self.open.remove(&(at, id));
    }

    /// Returns the next one, if none that is open, and none that may still arrive before `horizon`, comes before it.
    pub(crate) fn pop(&mut self, horizon: u64) -> Option<Workflow> {
        let first = self.done.first_entry()?;
        let key = *first.key();
        if key.0 >= horizon || self.open.first().is_some_and(|open| *open < key) {
            return None;
        }
        Some(first.remove())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str, arrival_ms: u64) -> Workflow {
        Workflow { name: name.to_owned(), arrival_ms, ..Workflow::default() }
    }

    #[test]
    fn a_workflow_waits_for_earlier_ones() {
        let mut arrivals = Arrivals::default();
        arrivals.arrived(10, 1);
        arrivals.arrived(20, 2);
        arrivals.arrived(20, 3);
        arrivals.ended(20, 2, named("b", 20));
        assert_eq!(arrivals.pop(100), None, "the first is open");
        arrivals.ended(10, 1, named("a", 10));
        assert_eq!(arrivals.pop(10), None, "another may come at 10");
        assert_eq!(arrivals.pop(100), Some(named("a", 10)));
        assert_eq!(arrivals.pop(100), Some(named("b", 20)));
        arrivals.dropped(20, 3);
        assert_eq!(arrivals.pop(100), None);
    }
}
