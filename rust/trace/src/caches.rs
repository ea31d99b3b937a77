//! Which stage left in memory what another one reads.
//!
//! As Spark looks for the executors that a task prefers (`DAGScheduler.getPreferredLocs`): from the stage's last RDD to
//! its parents, depth first, until one is kept in memory, or has places of its own: a file, or shuffle output of which
//! some executor has a fifth. A log does not say whether an RDD has such places.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::runs::RunId;
use crate::spark_event::StageRdd;

/// A stage of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) run: RunId,
    /// The place of its job in the run.
    pub(crate) job: usize,
    /// Spark's number.
    pub(crate) stage: u32,
    /// How many tasks it has.
    pub(crate) tasks: u32,
}

/// What a stage has to do with memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Use {
    /// It leaves something there.
    pub(crate) fills: bool,
    /// Whose it reads.
    pub(crate) reads: Option<Place>,
    /// An RDD that may have places of its own comes before that: then tasks prefer those.
    pub(crate) doubtful: bool,
}

/// RDDs that are kept, by the stage that computed each.
#[derive(Default)]
pub(crate) struct Caches {
    filled: FxHashMap<u32, Place>,
    /// Which each run has filled.
    of_run: FxHashMap<RunId, Vec<u32>>,
}

impl Caches {
    /// Notes that a stage begins that computes these RDDs, its last one first; returns what it uses.
    pub(crate) fn submitted(&mut self, stage: Place, rdds: &[StageRdd]) -> Use {
        let mut found = Use::default();
        if rdds.iter().all(|rdd| !rdd.persisted) {
            return found;
        }
        let own: FxHashMap<u32, &StageRdd> = rdds.iter().map(|rdd| (rdd.rdd, rdd)).collect();
        let mut seen = FxHashSet::default();
        let mut next: Vec<u32> = rdds.first().map(|last| last.rdd).into_iter().collect();
        while let Some(rdd) = next.pop() {
            let Some(known) = own.get(&rdd).filter(|_| seen.insert(rdd)) else { continue };
            if known.persisted {
                // One that computed only some of the partitions (`take`, `first`) has not filled it.
                let filled = self.filled.get(&rdd).filter(|filled| filled.tasks >= stage.tasks);
                if let Some(&filled) = filled.filter(|&&filled| filled != stage) {
                    found.reads.get_or_insert(filled);
                    continue;
                }
                let before = self.filled.insert(rdd, stage);
                if before.is_none_or(|before| before.run != stage.run) {
                    self.of_run.entry(stage.run).or_default().push(rdd);
                }
                found.fills = true;
            }
            let computed_here = known.parents.iter().any(|parent| own.contains_key(parent));
            found.doubtful |= found.reads.is_none() && !computed_here;
            next.extend(known.parents.iter().rev());
        }
        found.reads = found.reads.filter(|filled| filled.run == stage.run);
        found
    }

    /// A run is over.
    pub(crate) fn forget(&mut self, run: RunId) {
        for rdd in self.of_run.remove(&run).unwrap_or_default() {
            if self.filled.get(&rdd).is_some_and(|filled| filled.run == run) {
                self.filled.remove(&rdd);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rdd(rdd: u32, parents: &[u32], persisted: bool) -> StageRdd {
        StageRdd { rdd, parents: parents.to_vec(), persisted }
    }

    #[test]
    fn the_nearest_kept_ancestor_is_read() {
        let mut caches = Caches::default();
        let of = |run, stage| Place { run: RunId(run), job: 0, stage, tasks: 4 };
        let reads = |by| Use { reads: Some(by), ..Use::default() };
        let fills = Use { fills: true, doubtful: true, ..Use::default() };
        // A first look takes one partition.
        let look = caches.submitted(Place { tasks: 1, ..of(0, 9) }, &[rdd(1, &[], true)]);
        assert_eq!(look, fills);
        // 1 is kept; 3 zips 2, made of 1, with 1; 4 of another stage is not looked at.
        let load = caches.submitted(of(0, 0), &[rdd(1, &[0], true), rdd(0, &[], false)]);
        assert_eq!(load, fills);
        let zipped =
            [rdd(3, &[2, 1], true), rdd(1, &[0], true), rdd(2, &[1, 4], false), rdd(0, &[], false)];
        assert_eq!(caches.submitted(of(0, 1), &zipped), Use { fills: true, ..reads(of(0, 0)) });
        let again = [rdd(5, &[3], false), rdd(3, &[2, 1], true), rdd(1, &[0], true)];
        assert_eq!(caches.submitted(of(0, 2), &again), reads(of(0, 1)));
        // Another run reads it as well, but where is not told: places are of the same run.
        assert_eq!(caches.submitted(of(1, 3), &again), Use::default());
        caches.forget(RunId(0));
        assert_eq!(caches.submitted(of(1, 4), &again), fills);
        // 7 reads shuffle output of 6, which another stage has written; 8 zips it with 1.
        let behind = [rdd(8, &[7, 1], false), rdd(7, &[6], false), rdd(1, &[0], true)];
        let doubtful = Use { doubtful: true, ..reads(of(1, 4)) };
        assert_eq!(caches.submitted(of(1, 6), &behind), doubtful);
        assert_eq!(caches.submitted(of(1, 5), &[rdd(9, &[], false)]), Use::default());
    }
}
