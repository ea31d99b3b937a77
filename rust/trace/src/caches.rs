//! Which stage left in memory what another one reads.
//!
//! As Spark looks for the executors that a task prefers (`DAGScheduler.getPreferredLocs`): from the stage's last RDD to
//! its parents, depth first, until one is kept in memory.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::event::StageRdd;
use crate::runs::RunId;

/// A stage of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) run: RunId,
    /// The place of its job in the run.
    pub(crate) job: usize,
    /// Spark's number.
    pub(crate) stage: u32,
}

/// What a stage has to do with memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Use {
    /// It leaves something there.
    pub(crate) fills: bool,
    /// Whose it reads.
    pub(crate) reads: Option<Place>,
}

/// RDDs that are kept, by the stage that computed each.
#[derive(Default)]
pub(crate) struct Caches {
    filled: FxHashMap<u32, Place>,
}

impl Caches {
    /// A stage begins that computes these RDDs, its last one first.
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
                let filled = *self.filled.entry(rdd).or_insert(stage);
                if filled != stage {
                    found.reads.get_or_insert(filled);
                    continue;
                }
                found.fills = true;
            }
            next.extend(known.parents.iter().rev());
        }
        found.reads = found.reads.filter(|filled| filled.run == stage.run);
        found
    }

    /// A run is over.
    pub(crate) fn forget(&mut self, run: RunId) {
        self.filled.retain(|_, filled| filled.run != run);
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
        let of = |run, stage| Place { run: RunId(run), job: 0, stage };
        // 1 is kept; 3 zips 2, made of 1, with 1; 4 of another stage is not looked at.
        let load = caches.submitted(of(0, 0), &[rdd(1, &[0], true), rdd(0, &[], false)]);
        assert_eq!(load, Use { fills: true, reads: None });
        let zipped =
            [rdd(3, &[2, 1], true), rdd(1, &[0], true), rdd(2, &[1, 4], false), rdd(0, &[], false)];
        assert_eq!(caches.submitted(of(0, 1), &zipped), Use { fills: true, reads: Some(of(0, 0)) });
        let again = [rdd(5, &[3], false), rdd(3, &[2, 1], true), rdd(1, &[0], true)];
        assert_eq!(caches.submitted(of(0, 2), &again), Use { fills: false, reads: Some(of(0, 1)) });
        // Another run reads it as well, but where is not told: places are of the same run.
        assert_eq!(caches.submitted(of(1, 3), &again), Use::default());
        caches.forget(RunId(0));
        assert_eq!(caches.submitted(of(1, 4), &again), Use { fills: true, reads: None });
        assert_eq!(caches.submitted(of(1, 5), &[rdd(9, &[], false)]), Use::default());
    }
}
