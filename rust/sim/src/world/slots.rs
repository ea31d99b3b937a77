//! How many slots a world has at most at one time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use holdfast_engine::Resources;

use crate::world::spec::{NodesSpec, World};

impl World {
    /// Returns the most slots of tasks of the first profile that are there at once.
    #[must_use]
    pub fn slots(&self) -> u64 {
        self.slots_of(&self.profiles.first().copied().unwrap_or_default())
    }

    /// Returns the most slots of `demand` that are there at once, with executors that join later or are lost.
    #[must_use]
    pub fn slots_of(&self, demand: &Resources) -> u64 {
        most(self, demand)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    /// Executors join: their number, and the slots of each.
    Join(u64, u64),
    /// A loss of the world begins.
    Lose(usize),
    /// That executor is gone, by that loss.
    Gone(usize, usize),
}

/// Returns the most slots of tasks that ask for so much which are there at once. An executor counts from when it joins
/// until it is lost or, where that is announced, until then: from there on it gets no task.
fn most(world: &World, demand: &Resources) -> u64 {
    let slots = |n: &NodesSpec| u64::from(demand.fit_into(&n.capacity));
    let count = |n: &NodesSpec| u64::from(n.nodes) * u64::from(n.executors_per_node);
    let all = || world.cluster.iter().map(|n| count(n).saturating_mul(slots(n)));
    // A replacement comes after the executor that it replaces: there are never more than at the beginning.
    if world.losses.is_empty() || world.cluster.iter().all(|n| n.joins_ms == 0) {
        return all().fold(0, u64::saturating_add);
    }
    let mut there = There::new(world.cluster.iter().map(count).sum::<u64>(), world.losses.len());
    let mut events = Events::default();
    for nodes in &world.cluster {
        events.plan(nodes.joins_ms, What::Join(count(nodes), slots(nodes)));
    }
    for (place, loss) in world.losses.iter().enumerate() {
        events.plan(loss.at_ms, What::Lose(place));
    }
    while let Some((at, what)) = events.next() {
        match what {
            What::Join(count, slots) => (0..count).for_each(|_| there.join(slots)),
            What::Lose(place) => {
                let loss = &world.losses[place];
                let Some(executor) = there.at(loss.executor) else { continue };
                there.bar(executor);
                events.plan(
                    at.saturating_add(loss.announced_ms.unwrap_or(0)),
                    What::Gone(executor, place),
                );
            }
            What::Gone(executor, place) => {
                let Some(slots) = there.lose(executor) else { continue };
                if let Some(after) = world.losses[place].replaced_after_ms {
                    events.plan(at.saturating_add(after), What::Join(1, slots));
                }
            }
        }
    }
    there.most
}

/// By time, those of one time in the order of planning.
#[derive(Default)]
struct Events {
    heap: BinaryHeap<Reverse<(u64, u64, What)>>,
    planned: u64,
}

impl Events {
    fn plan(&mut self, at: u64, what: What) {
        self.planned += 1;
        self.heap.push(Reverse((at, self.planned, what)));
    }

    fn next(&mut self) -> Option<(u64, What)> {
        self.heap.pop().map(|Reverse((at, _, what))| (at, what))
    }
}

/// Executors by their numbers, in the order of joining.
struct There {
    /// Slots of each that has joined; whether it gets tasks; whether it is there.
    executors: Vec<(u64, bool, bool)>,
    /// A Fenwick tree: how many are there.
    tree: Vec<u32>,
    slots: u64,
    most: u64,
}

impl There {
    fn new(joining: u64, losses: usize) -> Self {
        let most = usize::try_from(joining).unwrap_or(0) + losses;
        let tree = vec![0; (most + 1).next_power_of_two()];
        Self { executors: Vec::new(), tree, slots: 0, most: 0 }
    }

    fn count(&mut self, executor: usize, change: i32) {
        let mut place = executor + 1;
        while let Some(sum) = self.tree.get_mut(place) {
            *sum = sum.wrapping_add_signed(change);
            place += place & place.wrapping_neg();
        }
    }

    fn join(&mut self, slots: u64) {
        self.executors.push((slots, true, true));
        self.count(self.executors.len() - 1, 1);
        self.slots += slots;
        self.most = self.most.max(self.slots);
    }

    /// Returns the one at a place among those that are there.
    fn at(&self, place: usize) -> Option<usize> {
        let (mut found, mut left) = (0, u32::try_from(place).ok()?);
        let mut step = self.tree.len() / 2;
        while step > 0 {
            if self.tree[found + step] <= left {
                left -= self.tree[found + step];
                found += step;
            }
            step /= 2;
        }
        self.executors.get(found).filter(|(.., there)| *there).map(|_| found)
    }

    /// Bars one from further tasks.
    fn bar(&mut self, executor: usize) {
        let (slots, gets, _) = &mut self.executors[executor];
        if std::mem::take(gets) {
            self.slots -= *slots;
        }
    }

    /// Removes one. Returns its slots, if it was there.
    fn lose(&mut self, executor: usize) -> Option<u64> {
        let (slots, _, there) = &mut self.executors[executor];
        let (slots, was) = (*slots, std::mem::take(there));
        was.then(|| {
            self.count(executor, -1);
            slots
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::spec::LossSpec;

    fn nodes(joins_ms: u64, slots: u32) -> NodesSpec {
        NodesSpec { joins_ms, ..NodesSpec::new(1, slots) }
    }

    fn loss(at_ms: u64, executor: usize) -> LossSpec {
        LossSpec { at_ms, executor, replaced_after_ms: None, announced_ms: None }
    }

    fn slots(cluster: &[NodesSpec], losses: &[LossSpec]) -> u64 {
        let mut world = World::new(1, cluster.to_vec(), Vec::new());
        world.losses = losses.to_vec();
        world.slots()
    }

    #[test]
    fn who_comes_when_another_has_gone_adds_nothing() {
        assert_eq!(slots(&[nodes(0, 4), nodes(10, 4), nodes(20, 4)], &[]), 12);
        assert_eq!(slots(&[nodes(0, 4), nodes(10, 4), nodes(20, 4)], &[loss(15, 0)]), 8);
        assert_eq!(
            slots(&[nodes(0, 4), nodes(10, 4), nodes(20, 4)], &[loss(5, 0), loss(15, 0)]),
            4
        );
        assert_eq!(slots(&[nodes(0, 4), nodes(10, 4)], &[loss(10, 0)]), 8, "it joins first");
    }

    #[test]
    fn places_are_those_among_who_is_there() {
        // Checked before times are.
        assert_eq!(
            slots(
                &[nodes(0, 4), nodes(u64::MAX, 4)],
                &[LossSpec { announced_ms: Some(u64::MAX), ..loss(u64::MAX, 0) }]
            ),
            8
        );
        // The second goes, then the new second one, of one slot.
        let cluster = [nodes(0, 4), nodes(0, 2), nodes(0, 1), nodes(9, 8)];
        assert_eq!(slots(&cluster, &[loss(1, 1), loss(2, 1)]), 12);
        assert_eq!(slots(&cluster, &[loss(1, 1), loss(2, 2)]), 13, "nobody is at that place");
        let announced =
            |at_ms, executor| LossSpec { announced_ms: Some(5), ..loss(at_ms, executor) };
        assert_eq!(
            slots(&cluster, &[announced(1, 1), announced(2, 1)]),
            13,
            "it is announced twice"
        );
        assert_eq!(slots(&cluster, &[announced(1, 1), loss(7, 1)]), 12, "it is gone by then");
    }

    #[test]
    fn who_replaces_another_counts_from_then_on() {
        let replaced = |after| LossSpec { replaced_after_ms: Some(after), ..loss(1, 0) };
        assert_eq!(slots(&[nodes(0, 4), nodes(9, 8)], &[replaced(2)]), 12);
        assert_eq!(slots(&[nodes(0, 4), nodes(9, 8)], &[replaced(20), loss(12, 0)]), 8);
    }
}
