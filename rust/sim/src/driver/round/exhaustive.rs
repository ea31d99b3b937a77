//! Rounds as Spark makes them: every set is asked about every offer. Slow; tests compare the quick way with it.

use crate::cluster::level::Level;
use crate::driver::round::order::Cursor;
use crate::driver::round::visit::{Pass, Turn};
use crate::driver::state::Host;
use crate::ids::index;

impl Host<'_> {
    /// The task sets of a round that has begun (`getSortedTaskSetQueue`).
    fn all_sets(&mut self) -> Vec<(Cursor, u32)> {
        let all: Vec<u32> = self.sets.iter().map(|(set, _)| index(set)).collect();
        let mut queue = Vec::new();
        for set in all {
            let s = &self.sets[set as usize];
            let id = s.id;
            let takes_part = if s.is_schedulable() {
                self.wire.admits(id)
            } else {
                !s.zombie && self.wire.wants_copies(id)
            };
            self.sets[set as usize].skipped = !takes_part;
            if takes_part {
                queue.push((self.order.cursor(&self.sets[set as usize]), set));
            }
        }
        queue.sort_unstable();
        queue
    }

    /// A round; `new` if an executor has joined with it.
    pub(crate) fn exhaustive_round(&mut self, new: bool) {
        self.order.begin();
        let queue = self.all_sets();
        for &(_, set) in &queue {
            let s = &self.sets[set as usize];
            if s.is_schedulable() && (new || s.sat_out) && s.seen != self.joined {
                self.levels_anew(set);
            }
        }
        for (_, s) in &mut self.sets {
            s.sat_out = s.skipped && (s.sat_out || s.is_schedulable());
        }
        for (_, set) in queue {
            self.visit(set);
            self.touched.push(set);
        }
        self.finish_round();
    }

    /// One pass over all offers at one level. Whether it launched something.
    pub(crate) fn exhaustive_pass(&mut self, set: u32, most: Level, turn: &mut Turn) -> bool {
        let mut pass = Pass::new(set, most, 0);
        while let Some(executor) = self.offers.get(pass.number, &self.cluster) {
            pass.number += 1;
            self.try_offer(&mut pass, executor, turn);
        }
        turn.launched |= pass.launches > 0;
        pass.launches > 0
    }
}
