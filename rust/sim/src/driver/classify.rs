//! Where a set stands in the scheduler: among the open ones, among those that wait for locality, or out.

use std::cmp::Reverse;

use holdfast_engine::Time;

use crate::cluster::executors::Waiter;
use crate::driver::state::Host;
use crate::driver::tasks::set::{Class, TaskSet};

impl Host<'_> {
    /// Brings a set's place up to date. Not while a round goes on: its order is that of its beginning.
    pub(crate) fn classify(&mut self, set: u32) {
        let moves = self.order.moves(self.sets[set as usize].lane);
        let key = moves.then(|| self.key_of(set));
        let s = &mut self.sets[set as usize];
        let class = s.class_now();
        let key = key.unwrap_or(s.key);
        if class == Class::Local && s.class != Class::Local && s.missed != self.missed {
            // While any executor did, it was left out of rounds together with others.
            s.owed = true;
        }
        if class == Class::Local && s.owed && !s.listed {
            s.listed = true;
            self.owed.push(set);
        }
        if class == s.class && key == s.key && (class != Class::Local || s.registered) {
            return;
        }
        let (was, old, lane) = (s.class, s.key, s.lane);
        s.class = class;
        s.key = key;
        if (was == Class::Local) != (class == Class::Local) {
            if class == Class::Local {
                self.local.insert(set)
            } else {
                self.local.remove(&set)
            };
        }
        if was == Class::Open {
            self.order.put(lane, old, set, false);
        }
        if class == Class::Open {
            self.order.put(lane, key, set, true);
        }
        if class == Class::Local {
            self.register(set);
        }
    }

    pub(crate) fn key_of(&self, set: u32) -> u128 {
        let s = &self.sets[set as usize];
        let pool = self.order.lanes[s.lane as usize].pool;
        self.order.key(pool, self.jobs[s.job as usize].id, self.stages[s.stage as usize].id, s)
    }

    /// Its executors and hosts know that it waits, and it is planned when that is over.
    fn register(&mut self, set: u32) {
        let s = &mut self.sets[set as usize];
        if !s.registered {
            self.stamps += 1;
            s.stamp = self.stamps;
            self.calls[set as usize] = if s.waiting > 0 { s.stamp } else { 0 };
            s.registered = true;
            s.wait_planned = false;
            let stamp = s.stamp;
            for place in s.pending.executors.places() {
                if s.waits_for(place, false) {
                    let executor = s.pending.executors.key(place);
                    self.cluster.wait_at_executor(executor, Waiter { set, stamp, place });
                }
            }
            for place in s.pending.hosts.places() {
                // Who waits for a host's only executor is found there.
                let host = s.pending.hosts.key(place);
                let only = self.cluster.only_one(host);
                let there = |executor| s.pending.all_prefer(executor, place);
                if !only.is_some_and(there) && s.waits_for(place, true) {
                    self.cluster.wait_at_host(host, Waiter { set, stamp, place });
                }
            }
        }
        if !s.wait_planned && s.delay.until() != Time::NEVER {
            s.wait_planned = true;
            self.waits.push(Reverse((s.delay.until(), s.stamp, set)));
        }
    }

    /// Its locality levels, with the executors that are there (`recomputeLocality`).
    pub(crate) fn levels_anew(&mut self, set: u32) {
        let s = &mut self.sets[set as usize];
        s.seen = self.joined;
        if s.zombie {
            return;
        }
        let cluster = &self.cluster;
        let levels = TaskSet::levels(&s.pending, |e| cluster.stays(e), |h| cluster.host_stays(h));
        s.delay.recompute(levels);
        s.fresh = true;
        s.owed = true;
        s.registered = false;
        self.classify(set);
    }

    /// Takes a set out of everything that offers it something.
    pub(crate) fn take_out(&mut self, set: u32) {
        let s = &mut self.sets[set as usize];
        s.zombie = true;
        s.stamp = 0;
        self.calls[set as usize] = 0;
        s.registered = false;
        self.classify(set);
    }
}
