//! A round of offers (`TaskSchedulerImpl.resourceOffers` of Spark 4.1, and what the shim adds to it).
//!
//! Spark asks every set about every executor, level by level. Here a set is looked at only where an answer could be
//! something else than "no, and nothing changes": the crate's README says why that is the same.

use crate::ids::index;
use std::cmp::Reverse;

use holdfast_engine::{Event as EngineEvent, ExecutorId, ProfileId};

use crate::cluster::executors::Waiter;
use crate::cluster::level::Level;
use crate::driver::round::order::Cursor;
use crate::driver::state::Host;
use crate::driver::tasks::set::{Class, TaskSet};

impl Host<'_> {
    /// `makeOffers()`: all executors with room.
    pub(crate) fn offer_all(&mut self) {
        if !self.cluster.free.is_empty() {
            self.offers.begin_all(self.shuffle(), &self.cluster);
            self.round(None);
        }
    }

    /// `makeOffers(executor)`; a backend without a timer offers everything instead.
    pub(crate) fn offer(&mut self, executor: u32) {
        let is_new = !self.cluster.executors[executor as usize].known;
        if !is_new && !self.cluster.has_room(executor) {
            return;
        }
        if self.world.spark.revive_ms == 0 {
            self.offers.begin_all(self.shuffle(), &self.cluster);
        } else {
            self.offers.begin_single(executor);
        }
        self.round(is_new.then_some(executor));
    }

    /// An executor is offered for the first time.
    fn introduce(&mut self, executor: u32) {
        self.tell_profile(0);
        let e = &mut self.cluster.executors[executor as usize];
        e.known = true;
        let capacity = e.capacity;
        self.joined += 1;
        let (executor, profile) = (ExecutorId(executor), ProfileId(0));
        self.tell(EngineEvent::ExecutorAdded { executor, profile, capacity });
    }

    pub(crate) fn tell_profile(&mut self, profile: u32) {
        if self.profiles_told & (1 << profile) == 0 {
            self.profiles_told |= 1 << profile;
            let demand = self.demand(profile);
            let (profile, runs_on) = (ProfileId(profile), ProfileId(0));
            self.tell(EngineEvent::ProfileDefined { profile, runs_on, demand });
        }
    }

    fn round(&mut self, new: Option<u32>) {
        // What is over is over in this round, however late the timer is.
        if self.wire.is_overdue(self.now) {
            self.tell(EngineEvent::Tick);
        }
        if let Some(executor) = new {
            self.introduce(executor);
        }
        if self.exhaustive {
            return self.exhaustive_round(new.is_some());
        }
        self.wake_waiters();
        self.admit(new.is_some());
        self.order.begin();
        self.in_round = true;
        self.gather();
        let (mut cursor, mut blocked, mut epoch) = (None, self.refused(), self.epoch);
        self.missed += u64::from(blocked != 0 || !self.plain_admitted);
        while self.has_offers() {
            if epoch != self.epoch {
                (blocked, epoch) = (self.refused(), self.epoch);
                self.join_owed(cursor);
            }
            let Some((at, set)) = self.next_set(cursor, blocked) else { break };
            cursor = Some(at);
            let turn = self.visit(set);
            let s = &self.sets[set as usize];
            if turn.vetoed && !turn.launched && !turn.settled && self.is_plain(s.flow) {
                blocked |= 1 << s.profile;
                self.missed += 1;
            }
            self.touched.push(set);
            self.join_holders(at);
        }
        self.in_round = false;
        self.finish_round();
    }

    /// Profiles of which nobody who never holds anything gets a slot in this round, as far as it is known.
    fn refused(&self) -> u64 {
        match self.offers.single() {
            Some(executor) => self.cluster.executors[executor as usize].refused(),
            None if self.cluster.open == 0 => u64::MAX,
            None => 0,
        }
    }

    fn has_offers(&self) -> bool {
        match self.offers.single() {
            Some(executor) => self.cluster.has_room(executor),
            None => !self.cluster.free.is_empty(),
        }
    }

    /// Waits for locality that are over: any executor may do from now on.
    fn wake_waiters(&mut self) {
        while let Some(&Reverse((at, stamp, set))) = self.waits.peek()
            && at <= self.now
        {
            self.waits.pop();
            let Some(s) = self.sets.get_mut(set as usize).filter(|s| s.stamp == stamp) else {
                continue;
            };
            if s.class == Class::Local && s.delay.until() > self.now {
                // It began anew meanwhile.
                self.waits.push(Reverse((s.delay.until(), stamp, set)));
                continue;
            }
            s.wait_planned = false;
            s.owed = true;
            if s.class == Class::Local {
                s.fresh = true;
                self.classify(set);
            }
        }
    }

    /// Who takes part in this round (`isSchedulable` of the shim), and whose locality levels are computed anew.
    fn admit(&mut self, is_new: bool) {
        let asking = self.wire.may_skip();
        self.plain_admitted = true;
        if asking && self.wire.plain {
            // Those that wait for locality are to sit out a round, too, in which a hold ends.
            let waits = |&set: &u32| self.is_plain(self.sets[set as usize].flow);
            let some = self.order.some_open(|lane| lane.priority <= 0);
            let some = some.or_else(|| self.local.iter().copied().find(waits));
            let some = some.map(|set| self.sets[set as usize].id);
            self.plain_admitted = some.is_none_or(|id| self.wire.admits(id));
        }
        if asking || self.some_skipped {
            self.some_skipped = false;
            for i in 0..self.special.len() {
                self.admit_special(self.special[i]);
            }
        }
        if is_new || (self.plain_behind && self.plain_admitted) {
            self.levels_of_all();
        }
    }

    fn admit_special(&mut self, set: u32) {
        let s = &mut self.sets[set as usize];
        if !s.is_schedulable() {
            // With something to launch it is to be asked for again; with copies only it takes part.
            s.skipped &= !self.wire.wants_copies(s.id);
            self.some_skipped |= s.skipped;
            return;
        }
        let was = s.skipped;
        s.skipped = !self.wire.admits(s.id);
        self.some_skipped |= s.skipped;
        if was && !s.skipped && s.seen != self.joined {
            self.levels_anew(set);
        }
    }

    /// An executor has joined: everybody in the round hears it; those who sit it out hear it when they are back.
    fn levels_of_all(&mut self) {
        self.plain_behind = !self.plain_admitted;
        let sets: Vec<u32> = self.sets.iter().map(|(set, _)| index(set)).collect();
        for set in sets {
            let s = &self.sets[set as usize];
            let admitted = if self.is_plain(s.flow) { self.plain_admitted } else { !s.skipped };
            if s.is_schedulable() && admitted && s.seen != self.joined {
                self.levels_anew(set);
            }
        }
    }

    /// Sets that are not open, and that some offer of this round may concern.
    fn gather(&mut self) {
        self.extras.clear();
        match self.offers.single() {
            Some(executor) => self.gather_on(executor),
            None if self.world.spark.revive_ms == 0 => {
                for i in 0..self.cluster.free.len() {
                    self.gather_on(self.cluster.free[i]);
                }
            }
            None => {
                self.gather_owed();
                self.gather_reopened();
                self.reopened.clear();
                for i in 0..self.special.len() {
                    self.add_extra(self.special[i]);
                }
            }
        }
        self.extras.sort_unstable();
        self.extras.dedup();
    }

    fn gather_owed(&mut self) {
        if self.wire.plain && self.cluster.open == 0 {
            // They are refused everything; the others are asked in every round of all.
            return;
        }
        let mut owed = std::mem::take(&mut self.owed);
        owed.retain(|&set| {
            let Some(s) = self.sets.get_mut(set as usize) else { return false };
            s.listed = s.owed && s.class == Class::Local;
            if s.listed {
                self.extras.push((self.order.cursor(s), set));
            }
            s.listed
        });
        self.owed = owed;
    }

    fn gather_reopened(&mut self) {
        for i in 0..self.reopened.len() {
            if self.cluster.has_room(self.reopened[i]) {
                self.gather_on(self.reopened[i]);
            }
        }
    }

    fn gather_on(&mut self, executor: u32) {
        let Self { cluster, sets, calls, extras, order, .. } = self;
        let e = &mut cluster.executors[executor as usize];
        let calls = |w: &Waiter| calls[w.set as usize] == w.stamp;
        e.waiters.retain(|w| {
            let waits = |s: &mut TaskSet| s.waits_for(w.place, false);
            let found = |s: &TaskSet| extras.push((order.cursor(s), w.set));
            calls(w) && concerns(sets, w, waits, |_| true, found)
        });
        let allowed = |s: &TaskSet| {
            s.delay.current() >= Level::Node || s.delay.levels().has(Level::NoPreference)
        };
        cluster.tidy_host(executor, |w| {
            let waits = |s: &mut TaskSet| s.waits_for(w.place, true);
            let found = |s: &TaskSet| extras.push((order.cursor(s), w.set));
            calls(w) && concerns(sets, w, waits, allowed, found)
        });
        for i in 0..self.cluster.executors[executor as usize].holders().len() {
            self.add_sets_of(self.cluster.executors[executor as usize].holders()[i]);
        }
    }

    fn add_sets_of(&mut self, flow: u32) {
        for i in 0..self.flows[flow as usize].sets.len() {
            self.add_extra(self.flows[flow as usize].sets[i]);
        }
    }

    fn add_extra(&mut self, set: u32) {
        let s = &self.sets[set as usize];
        let for_copies = match self.launched.is_empty() {
            true => self.wire.wants_copies(s.id),
            false => self.copiers.contains(&set),
        };
        if !s.zombie && (s.is_schedulable() || for_copies) {
            self.extras.push((self.order.cursor(s), set));
        }
    }

    /// A hold has ended: those who were refused what it kept are to see that now.
    fn join_owed(&mut self, cursor: Option<Cursor>) {
        if self.offers.single().is_none() && self.world.spark.revive_ms > 0 {
            self.gather_owed();
            self.gather_reopened();
            self.extras.retain(|&(at, _)| cursor.is_none_or(|cursor| at > cursor));
            self.extras.sort_unstable();
            self.extras.dedup();
        }
    }

    /// Owners of holds that were made just now: their sets behind `at`.
    fn join_holders(&mut self, at: Cursor) {
        if self.new_holders.is_empty() {
            return;
        }
        let mut owners = std::mem::take(&mut self.new_holders);
        owners.sort_unstable();
        owners.dedup();
        for &flow in &owners {
            self.add_sets_of(flow);
        }
        owners.clear();
        self.new_holders = owners;
        self.extras.retain(|&(cursor, _)| cursor > at);
        self.extras.sort_unstable();
        self.extras.dedup();
    }

    /// The next set behind `cursor` in the order of the round.
    fn next_set(&mut self, cursor: Option<Cursor>, blocked: u64) -> Option<(Cursor, u32)> {
        let (plain, admitted) = (self.wire.plain, self.plain_admitted);
        let sits_out = |priority: i32, profile: u32| {
            plain && priority <= 0 && (!admitted || blocked & (1 << profile) != 0)
        };
        let mut after = cursor;
        loop {
            let open = self.order.next(after, |lane| sits_out(lane.priority, lane.profile));
            let behind = after.map_or(0, |after| self.extras.partition_point(|e| e.0 <= after));
            let next = match (open, self.extras.get(behind).copied()) {
                (Some(open), Some(extra)) => open.min(extra),
                (open, extra) => open.or(extra)?,
            };
            let s = &self.sets[next.1 as usize];
            let priority = self.order.lanes[s.lane as usize].priority;
            if !s.zombie && !s.skipped && !sits_out(priority, s.profile) {
                return Some(next);
            }
            self.sets[next.1 as usize].owed = true;
            self.touched.push(next.1);
            after = Some(next.0);
        }
    }

    /// What a round has changed: where sets stand, and what runs from now on.
    pub(crate) fn finish_round(&mut self) {
        self.new_holders.clear();
        let mut touched = std::mem::take(&mut self.touched);
        for set in touched.drain(..) {
            self.classify(set);
        }
        self.touched = touched;
        let mut launched = std::mem::take(&mut self.launched);
        // The backend sends them off executor by executor.
        launched.sort_by_key(|&(place, _)| place);
        for (_, attempt) in launched.drain(..) {
            self.start(attempt);
        }
        self.launched = launched;
    }
}

/// Whether an executor's or host's entry of a set stays; if the set waits for locality and `allowed`, it is `found`.
fn concerns(
    sets: &mut slab::Slab<TaskSet>,
    waiter: &Waiter,
    prefers: impl Fn(&mut TaskSet) -> bool,
    allowed: impl Fn(&TaskSet) -> bool,
    found: impl FnOnce(&TaskSet),
) -> bool {
    let Some(s) = sets.get_mut(waiter.set as usize).filter(|s| s.stamp == waiter.stamp) else {
        return false;
    };
    if s.class == Class::Open && !s.fresh {
        // Any executor will do. Should that end, it registers anew.
        s.registered = false;
        return false;
    }
    // First what the set itself says: where its tasks are listed is further away in memory.
    if s.zombie || s.waiting == 0 {
        return false;
    }
    let local = s.class == Class::Local;
    if local && !allowed(s) {
        return true;
    }
    let stays = prefers(s);
    if stays && local {
        found(s);
    }
    stays
}
