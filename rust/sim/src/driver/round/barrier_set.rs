//! Barrier sets: all tasks start together, or none does (`TaskSchedulerImpl.resourceOffers` of Spark 4.1, and the shim's
//! `Asks.barrierFits`).

use crate::cluster::level::Level;
use crate::cluster::place::Site;
use crate::driver::round::visit::Turn;
use crate::driver::state::Host;

/// A task that has been given a slot: place of the offer, executor, task, level.
type Given = (u32, u32, u32, Level);

impl Host<'_> {
    /// The turn of a barrier set in a round.
    pub(crate) fn visit_together(&mut self, set: u32) -> Turn {
        let mut turn = Turn::default();
        let s = &self.sets[set as usize];
        // Spark takes back what it has given to some of the tasks only.
        if s.waiting as usize != s.tasks.len() {
            return turn;
        }
        let mut rooms = self.rooms_for(set);
        let room: u64 = rooms.iter().map(|&(_, room)| u64::from(room)).sum();
        if room < self.sets[set as usize].tasks.len() as u64 {
            return turn;
        }
        let mut given = self.give(set, &mut rooms);
        // Spark numbers and tells them in the order of tasks.
        given.sort_unstable_by_key(|&(_, _, task, _)| task);
        for (_, executor, task, level) in given {
            self.launch(set, task, level, executor, false);
        }
        let (now, all) = (self.now, self.offers.all);
        let s = &mut self.sets[set as usize];
        s.pending.clear();
        if all || s.no_rejects {
            s.delay.launched(now, Some(Level::Process));
        }
        (turn.launched, turn.settled) = (true, true);
        turn
    }

    /// The offers of this round in their order, and how many tasks of a barrier set fit on each.
    fn rooms_for(&mut self, set: u32) -> Vec<(u32, u32)> {
        let (id, demand) = (self.sets[set as usize].id, self.sets[set as usize].demand);
        let mut rooms = Vec::new();
        let mut number = self.offers.first(&self.cluster);
        while let Some(executor) = self.offers.get(number, &self.cluster) {
            number += 1;
            let free = self.cluster.executors[executor as usize].free;
            let room = self.wire.barrier_room(id, &demand, executor, &free);
            if room > 0 {
                rooms.push((executor, room));
            }
        }
        rooms
    }

    /// One task for each offer with room, again and again, until each has a slot.
    fn give(&mut self, set: u32, rooms: &mut [(u32, u32)]) -> Vec<Given> {
        let mut given = Vec::new();
        let tasks = self.sets[set as usize].tasks.len();
        while given.len() < tasks {
            for (executor, room) in rooms.iter_mut().filter(|(_, room)| *room > 0) {
                if given.len() == tasks {
                    break;
                }
                let host = self.cluster.executors[*executor as usize].host;
                let site = Site { executor: *executor, host };
                let Some((task, level)) = self.sets[set as usize].take(site, Level::Any) else {
                    return given;
                };
                given.push((self.offers.place(*executor), *executor, task, level));
                *room -= 1;
            }
        }
        given
    }
}
