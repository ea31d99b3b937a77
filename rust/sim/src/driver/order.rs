//! The order of task sets in a round: FIFO, FAIR with pools (`Pool`, `SchedulingAlgorithm` of Spark 4.1), and before
//! both the priority of their workflows (the shim's root pool).
//!
//! Only sets that any executor's offer may change are kept here, sorted; the others are found through the executors.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::ops::Bound;

use crate::driver::tasks::set::TaskSet;
use crate::world::{PoolSpec, World};

/// What sorts sets of different lanes: priority, then the place of the pool.
pub type Group = u64;

/// A pool of the scheduler.
#[derive(Debug)]
pub struct Pool {
    /// What it was configured with.
    pub spec: PoolSpec,
    /// Attempts of its sets that occupy a slot.
    pub running: u32,
    /// The engine's number for it, once it has been told.
    pub engine_number: Option<u32>,
    /// Its place in this round.
    rank: u32,
}

/// Sets of one priority, pool and profile, of which the asks are shared, or of none.
#[derive(Debug)]
pub struct Lane {
    /// Of their workflows; 0 for all of them where priorities do not sort.
    pub priority: i32,
    /// Their pool.
    pub pool: u32,
    /// What their tasks ask for.
    pub profile: u32,
    /// Their asks are shared: the engine answers all of them alike.
    pub shared: bool,
    open: BTreeSet<(u128, u32)>,
    group: Group,
}

/// Where a round is: behind this set.
pub type Cursor = (Group, u128);

/// All pools and lanes.
#[derive(Debug)]
pub struct Order {
    /// Pools; under FIFO the one pool is the root itself.
    pub pools: Vec<Pool>,
    /// Lanes, in the order of making.
    pub lanes: Vec<Lane>,
    fair: bool,
    /// Pools by their rank.
    ranked: Vec<u32>,
    /// Lanes with open sets, in this round's order.
    active: Vec<u32>,
}

impl Order {
    /// Makes the world's pools, and Spark's own.
    #[must_use]
    pub fn new(world: &World) -> Self {
        // Spark's own pool is FIFO next to pools of the world; without any it shares fairly.
        let fair = world.spark.fair && world.pools.is_empty();
        let own = PoolSpec { name: "default".into(), fair, weight: 1, min_share: 0 };
        let mut specs = if world.spark.fair { world.pools.clone() } else { Vec::new() };
        if !specs.iter().any(|p| p.name == own.name) {
            specs.push(own);
        }
        let pools: Vec<Pool> = specs
            .into_iter()
            .map(|spec| Pool { spec, running: 0, engine_number: None, rank: 0 })
            .collect();
        let ranked = (0..u32::try_from(pools.len()).unwrap_or(0)).collect();
        Self { pools, lanes: Vec::new(), fair: world.spark.fair, ranked, active: Vec::new() }
    }

    /// Returns the pool of a workflow that names one, or none.
    #[must_use]
    pub fn pool_of(&self, named: Option<usize>) -> u32 {
        let own = || self.pools.iter().position(|p| p.spec.name == "default").unwrap_or(0);
        let pool = named.filter(|_| self.fair).unwrap_or_else(own);
        u32::try_from(pool).unwrap_or(0)
    }

    /// Returns the lane of sets of that priority, pool and profile, of which the asks are shared or not.
    pub fn lane(&mut self, priority: i32, pool: u32, profile: u32, shared: bool) -> u32 {
        let of = (priority, pool, profile, shared);
        let same = |l: &Lane| (l.priority, l.pool, l.profile, l.shared) == of;
        let place = self.lanes.iter().position(same).unwrap_or_else(|| {
            let open = BTreeSet::new();
            self.lanes.push(Lane { priority, pool, profile, shared, open, group: 0 });
            let last = self.lanes.len() - 1;
            self.lanes[last].group = self.group_of(last);
            last
        });
        u32::try_from(place).unwrap_or(0)
    }

    /// Returns the place of a set in its pool: by job and stage, or by what runs of it and its name.
    #[must_use]
    pub fn key(&self, pool: u32, job: u32, stage: u32, set: &TaskSet) -> u128 {
        if self.pools[pool as usize].spec.fair && self.fair {
            return u128::from(set.count.running) << 96 | name_key(stage, set.source.stage_attempt);
        }
        u128::from(job) << 32 | u128::from(stage)
    }

    /// Returns whether a set's place depends on what runs of it.
    #[must_use]
    pub fn moves(&self, lane: u32) -> bool {
        self.fair && self.pools[self.lanes[lane as usize].pool as usize].spec.fair
    }

    /// Adds an open set, or removes one that is open no longer.
    pub fn put(&mut self, lane: u32, key: u128, set: u32, open: bool) {
        let lane = &mut self.lanes[lane as usize].open;
        if open {
            lane.insert((key, set));
        } else {
            lane.remove(&(key, set));
        }
    }

    /// Begins a round: sorts pools and lanes as things are.
    pub fn begin(&mut self) {
        if self.fair {
            let Self { pools, ranked, .. } = self;
            ranked.sort_by(|&a, &b| compare(&pools[a as usize], &pools[b as usize]));
            for (rank, &pool) in ranked.iter().enumerate() {
                pools[pool as usize].rank = u32::try_from(rank).unwrap_or(u32::MAX);
            }
            for i in 0..self.lanes.len() {
                self.lanes[i].group = self.group_of(i);
            }
        }
        self.active.clear();
        for i in 0..self.lanes.len() {
            if !self.lanes[i].open.is_empty() {
                self.active.push(u32::try_from(i).unwrap_or(u32::MAX));
            }
        }
        let lanes = &self.lanes;
        self.active.sort_unstable_by_key(|&l| (lanes[l as usize].group, l));
    }

    fn group_of(&self, lane: usize) -> Group {
        let lane = &self.lanes[lane];
        let priority = (i64::from(i32::MAX) - i64::from(lane.priority)).unsigned_abs();
        priority << 32 | u64::from(self.pools[lane.pool as usize].rank)
    }

    /// Returns where a set is in this round.
    #[must_use]
    pub fn cursor(&self, set: &TaskSet) -> Cursor {
        (self.lanes[set.lane as usize].group, set.queued.key)
    }

    /// Returns the next open set behind `cursor`, leaving out lanes that `skip` names.
    #[must_use]
    pub fn next(
        &self,
        cursor: Option<Cursor>,
        skip: impl Fn(&Lane) -> bool,
    ) -> Option<(Cursor, u32)> {
        let mut best: Option<(Cursor, u32)> = None;
        for &lane in &self.active {
            let lane = &self.lanes[lane as usize];
            if best.is_some_and(|((group, _), _)| group < lane.group) {
                break;
            }
            if skip(lane) {
                continue;
            }
            let next = match cursor {
                Some((group, _)) if lane.group < group => continue,
                Some((group, key)) if lane.group == group => {
                    let behind = (Bound::Excluded((key, u32::MAX)), Bound::Unbounded);
                    lane.open.range(behind).next()
                }
                _ => lane.open.first(),
            };
            if let Some(&(key, set)) = next
                && best.is_none_or(|((_, least), _)| key < least)
            {
                best = Some(((lane.group, key), set));
            }
        }
        best
    }

    /// Returns an open set of a lane for which `is` holds, if there is one.
    #[must_use]
    pub fn some_open(&self, is: impl Fn(&Lane) -> bool) -> Option<u32> {
        let mut lanes = self.lanes.iter().filter(|lane| is(lane));
        lanes.find_map(|lane| lane.open.first().map(|&(_, set)| set))
    }
}

/// Compares pools as `FairSchedulingAlgorithm` does.
fn compare(a: &Pool, b: &Pool) -> Ordering {
    let needy = |p: &Pool| p.running < p.spec.min_share;
    let share = |p: &Pool| f64::from(p.running) / f64::from(p.spec.min_share.max(1));
    let weight = |p: &Pool| f64::from(p.running) / f64::from(p.spec.weight);
    let ratios = match (needy(a), needy(b)) {
        (true, false) => return Ordering::Less,
        (false, true) => return Ordering::Greater,
        (true, true) => share(a).total_cmp(&share(b)),
        (false, false) => weight(a).total_cmp(&weight(b)),
    };
    ratios.then_with(|| a.spec.name.cmp(&b.spec.name))
}

/// Returns a number that sorts as the text `<stage>.<attempt>` does, of which sets' names are made.
fn name_key(stage: u32, attempt: u32) -> u128 {
    let mut bytes = [0u8; 12];
    let mut place = digits(&mut bytes, 0, stage);
    if let Some(dot) = bytes.get_mut(place) {
        *dot = b'.';
        place += 1;
    }
    digits(&mut bytes, place, attempt);
    bytes.iter().fold(0, |key, &byte| key << 8 | u128::from(byte))
}

/// Writes a number from a place on, as far as there is room. Returns the place behind it.
fn digits(bytes: &mut [u8; 12], at: usize, mut number: u32) -> usize {
    let mut backwards = [0u8; 10];
    let mut count = 0;
    while number > 0 || count == 0 {
        backwards[count] = b'0' + u8::try_from(number % 10).unwrap_or(0);
        number /= 10;
        count += 1;
    }
    for (i, &digit) in backwards[..count].iter().rev().enumerate() {
        if let Some(byte) = bytes.get_mut(at + i) {
            *byte = digit;
        }
    }
    (at + count).min(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::name_key;

    #[test]
    fn names_sort_as_text() {
        let mut names: Vec<(u32, u32)> = vec![(9, 0), (10, 0), (1, 11), (1, 2), (100, 0), (0, 0)];
        let text = |&(stage, attempt): &(u32, u32)| format!("TaskSet_{stage}.{attempt}");
        let mut as_text = names.clone();
        as_text.sort_by_key(text);
        names.sort_by_key(|&(stage, attempt)| name_key(stage, attempt));
        assert_eq!(names, as_text);
    }
}
