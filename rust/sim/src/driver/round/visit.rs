//! The turn of one set in a round: level by level, pass by pass (`TaskSchedulerImpl.resourceOfferSingleTaskSet` and
//! `TaskSetManager.resourceOffer` of Spark 4.1, and the shim's `allowed`).

use holdfast_engine::Verdict;

use crate::cluster::level::Level;
use crate::cluster::place::Site;
use crate::driver::state::Host;

/// What a set's turn in a round has come to.
#[derive(Debug, Default)]
pub(crate) struct Turn {
    /// Something was launched.
    pub launched: bool,
    /// The nearest level of all launches, and of those that did not leave out the locality wait.
    nearest: Option<Level>,
    ordinary: Option<Level>,
    widened: bool,
    /// Delay scheduling refused an offer (`noDelayScheduleRejects` is false).
    rejected: bool,
    /// At this level no offer was near enough, and nothing has been launched since.
    exhausted: Option<Level>,
    /// An offer was looked at after the last launch.
    pub settled: bool,
    /// The engine refused an offer.
    pub vetoed: bool,
}

/// Where one pass over the offers is.
pub(crate) struct Pass {
    set: u32,
    most: Level,
    /// The next offer to look at when any executor will do.
    pub number: usize,
    /// The place of the latest launch.
    after: Option<u32>,
    /// The executors of the offers before this one have been read ahead.
    pub read: usize,
    pub launches: u32,
}

impl Pass {
    pub fn new(set: u32, most: Level, number: usize) -> Self {
        Self { set, most, number, after: None, read: number, launches: 0 }
    }

    fn is_behind(&self, place: u32) -> bool {
        self.after.is_none_or(|after| place > after)
    }
}

impl Host<'_> {
    /// Level by level, until nothing more is launched.
    pub(crate) fn visit(&mut self, set: u32) -> Turn {
        if self.sets[set as usize].together {
            return self.visit_together(set);
        }
        let mut turn = Turn::default();
        let (levels, before) = {
            let s = &self.sets[set as usize];
            (s.delay.levels(), s.delay.current())
        };
        for &level in levels.as_slice() {
            while self.pass(set, level, &mut turn) {}
            if !turn.settled && !self.exhaustive {
                // Nothing is offered, at whatever level.
                break;
            }
        }
        let (now, all) = (self.now, self.offers.all);
        let s = &mut self.sets[set as usize];
        if turn.settled {
            s.fresh = false;
        }
        // Where it was refused for a hold it hears of that when the hold has ended.
        let hears = self.wire.by_holds && self.order.lanes[s.lane as usize].priority <= 0;
        let sees_all = all && turn.settled && (!turn.vetoed || hears);
        let refused = turn.vetoed && !(hears && turn.settled);
        s.owed = !sees_all && (s.owed || refused || s.delay.current() > before);
        if sees_all {
            s.missed = self.missed;
        }
        if turn.rejected {
            s.no_rejects = false;
        } else if turn.launched && (all || s.no_rejects) {
            s.delay.launched(now, if turn.widened { turn.ordinary } else { turn.nearest });
            s.no_rejects = true;
            s.fresh = true;
        }
        turn
    }

    /// One pass over the offers at one level. Whether it launched something.
    fn pass(&mut self, set: u32, most: Level, turn: &mut Turn) -> bool {
        if self.exhaustive {
            return self.exhaustive_pass(set, most, turn);
        }
        // Nobody is asked where nothing is offered: then nothing changes.
        turn.settled = self.is_offered_something(set, turn);
        if !turn.settled {
            return false;
        }
        let number = self.offers.first(&self.cluster);
        let mut pass = Pass::new(set, most, number);
        loop {
            let allowed = self.allowed(set, most);
            let s = &mut self.sets[set as usize];
            let goes_on = if s.goes_anywhere(allowed) {
                self.pass_anywhere(&mut pass, turn)
            } else {
                if allowed == Level::Any {
                    // Nothing waits any more: Spark comes upon that, and clears its lists.
                    s.pending.clear();
                }
                self.pass_near(&mut pass, allowed, turn)
            };
            // Without another offer Spark looks neither at its lists nor at the level any more.
            if !goes_on || !self.has_next(&pass) {
                break;
            }
        }
        if most == Level::Any && self.sets[set as usize].is_schedulable() && pass.launches == 0 {
            turn.rejected = true;
        }
        turn.launched |= pass.launches > 0;
        pass.launches > 0
    }

    fn allowed(&mut self, set: u32, most: Level) -> Level {
        if most == Level::NoPreference {
            return most;
        }
        let now = self.now;
        self.sets[set as usize].allowed(now).min(most)
    }

    /// Whether the engine lets the set look at some offer.
    fn is_offered_something(&mut self, set: u32, turn: &mut Turn) -> bool {
        let mut number = self.offers.first(&self.cluster);
        while let Some(executor) = self.offers.get(number, &self.cluster) {
            if self.ask(set, executor, turn).is_some() {
                return true;
            }
            number += 1;
        }
        false
    }

    /// Whether a set may look at an offer, and whether the slot is held for it; `None` if it may not.
    fn ask(&mut self, set: u32, executor: u32, turn: &mut Turn) -> Option<bool> {
        let s = &self.sets[set as usize];
        let e = &self.cluster.executors[executor as usize];
        let free = e.free;
        if !free.covers(&s.demand) {
            return None;
        }
        // What is kept from these is held by somebody; only a set of a workflow that may hold can be spread.
        let by_holds = self.wire.by_holds
            && !self.exhaustive
            && self.order.lanes[s.lane as usize].priority <= 0;
        if by_holds && e.holders().is_empty() {
            return Some(false);
        }
        if by_holds && e.refused() & (1 << s.profile) != 0 {
            turn.vetoed = true;
            return None;
        }
        match self.wire.verdict(s.id, executor, &free) {
            Verdict::Allow => Some(false),
            Verdict::AllowHeld => Some(true),
            Verdict::Veto(_) => {
                turn.vetoed = true;
                if by_holds {
                    self.cluster.refuse(executor, s.profile);
                }
                None
            }
        }
    }

    /// Over all offers that are left. Whether it stopped before the last one, since not any executor will do any more.
    fn pass_anywhere(&mut self, pass: &mut Pass, turn: &mut Turn) -> bool {
        while let Some(executor) = self.offers.get(pass.number, &self.cluster) {
            if pass.number >= pass.read {
                pass.read = self.read_offers(pass.set, pass.number);
            }
            pass.number += 1;
            let place = self.offers.place(executor);
            if !pass.is_behind(place) || !self.try_offer(pass, executor, turn) {
                continue;
            }
            pass.after = Some(place);
            let allowed = self.allowed_next(pass);
            if !self.sets[pass.set as usize].goes_anywhere(allowed) {
                return true;
            }
        }
        false
    }

    /// The level of the next offer of this pass: as it will be found there, and changed only then.
    fn allowed_next(&self, pass: &Pass) -> Level {
        let s = &self.sets[pass.set as usize];
        let current = s.delay.current();
        if pass.most == Level::NoPreference { pass.most } else { current.min(pass.most) }
    }

    /// Over the offers where the set's tasks would like to run, or where its own slots are held. Whether it stopped
    /// before the last one, since its tasks may run elsewhere by now.
    fn pass_near(&mut self, pass: &mut Pass, allowed: Level, turn: &mut Turn) -> bool {
        if turn.exhausted == Some(allowed) && !self.may_use_holds(pass.set, pass.most) {
            return false;
        }
        self.find_near(pass.set, pass.most, allowed);
        self.read_near();
        let near = std::mem::take(&mut self.near);
        let (from, waited) = (pass.after, self.sets[pass.set as usize].waiting > 0);
        let mut goes_on = false;
        for &(place, executor) in &near {
            if pass.is_behind(place) && self.try_offer(pass, executor, turn) {
                pass.after = Some(place);
                let s = &self.sets[pass.set as usize];
                goes_on = if s.waiting > 0 {
                    self.allowed_after(pass) != allowed
                } else {
                    // With nothing left to launch it may be time for copies.
                    self.wire.wants_copies(s.id)
                };
                if goes_on {
                    break;
                }
            }
        }
        if pass.most == Level::Any && pass.launches > 0 && waited {
            let waits = self.sets[pass.set as usize].waiting > 0;
            let until = if goes_on || !waits { pass.after } else { None };
            self.reject_passed_over((from, until), pass.set, &near, turn);
        }
        self.near = near;
        turn.exhausted = (pass.launches == 0).then_some(allowed);
        goes_on
    }

    /// Whether own held slots are as good as near ones: without waiting for locality, or for copies.
    fn may_use_holds(&self, set: u32, most: Level) -> bool {
        let s = &self.sets[set as usize];
        if s.waiting > 0 {
            most == Level::Any && self.wire.grows && !s.delay.is_last()
        } else {
            self.wire.wants_copies(s.id)
        }
    }

    /// The level that the next offer would find, if there is one.
    fn allowed_after(&mut self, pass: &Pass) -> Level {
        if pass.most == Level::NoPreference || self.sets[pass.set as usize].has_more() {
            return self.allowed_next(pass);
        }
        if self.has_next(pass) {
            self.allowed(pass.set, pass.most)
        } else {
            self.allowed_next(pass)
        }
    }

    /// Whether the engine lets the set look at an offer that is left of this pass: behind its latest launch, if it has one.
    fn has_next(&mut self, pass: &Pass) -> bool {
        let mut ignored = Turn::default();
        let mut after = pass.after;
        while let Some((place, executor)) = self.offers.behind(after, &self.cluster) {
            after = Some(place);
            if self.ask(pass.set, executor, &mut ignored).is_some() {
                return true;
            }
        }
        false
    }

    /// Offers behind the first of two places, and not behind the second, that Spark asked about in vain while something
    /// still waited.
    fn reject_passed_over(
        &mut self,
        (from, until): (Option<u32>, Option<u32>),
        set: u32,
        near: &[(u32, u32)],
        turn: &mut Turn,
    ) {
        let (mut after, mut ignored) = (from, Turn::default());
        while let Some((place, executor)) = self.offers.behind(after, &self.cluster) {
            after = Some(place);
            if turn.rejected || until.is_some_and(|until| place > until) {
                return;
            }
            let looked_at = near.binary_search(&(place, executor)).is_ok();
            turn.rejected |= !looked_at && self.ask(set, executor, &mut ignored).is_some();
        }
    }

    /// Offers one executor to a set. Whether it launched.
    pub(crate) fn try_offer(&mut self, pass: &mut Pass, executor: u32, turn: &mut Turn) -> bool {
        let (set, most) = (pass.set, pass.most);
        let Some(held) = self.ask(set, executor, turn) else { return false };
        let allowed = self.allowed(set, most);
        let site = Site { executor, host: self.cluster.executors[executor as usize].host };
        let s = &mut self.sets[set as usize];
        let (found, copy, widened) = if let Some(found) = s.take(site, allowed) {
            (found, false, false)
        } else if let Some(found) = self.take_copy(set, site, allowed) {
            (found, true, false)
        } else {
            let s = &mut self.sets[set as usize];
            let widens = held && most > Level::NoPreference && s.waiting > 0 && !s.delay.is_last();
            match if widens { s.take(site, most) } else { None } {
                Some(found) => (found, false, true),
                None => {
                    turn.rejected |= most == Level::Any && s.is_schedulable();
                    return false;
                }
            }
        };
        let (task, level) = found;
        turn.nearest = Some(turn.nearest.map_or(level, |nearest| nearest.min(level)));
        turn.widened |= widened;
        if !widened {
            turn.ordinary = Some(turn.ordinary.map_or(level, |nearest| nearest.min(level)));
        }
        pass.launches += 1;
        turn.exhausted = None;
        self.launch(set, task, level, executor, copy);
        true
    }

    /// A task of which another attempt is to run there: Spark's own choice, else the engine's.
    fn take_copy(&mut self, set: u32, site: Site, allowed: Level) -> Option<(u32, Level)> {
        if let Some(found) = self.take_speculated(set, site, allowed) {
            return Some(found);
        }
        let s = &self.sets[set as usize];
        if s.waiting > 0 {
            return None;
        }
        let task = self.wire.copy(s.id, site.executor)?;
        let t = &s.tasks[task as usize];
        let allowed_there =
            !t.successful && t.copies == 1 && !self.ran_on(set, task, site.executor);
        allowed_there.then_some((task, allowed))
    }

    /// Fills the list of offers where a set's tasks would like to run, or where its own slots are held.
    fn find_near(&mut self, set: u32, most: Level, allowed: Level) {
        self.near.clear();
        let s = &self.sets[set as usize];
        let own = self.may_use_holds(set, most);
        let keys = s.pending.executors.known() + s.pending.hosts.known();
        if let Some(executor) = self.offers.single() {
            self.add_near(set, executor, allowed, own);
        } else if self.cluster.free.len() <= keys {
            for i in 0..self.cluster.free.len() {
                self.add_near(set, self.cluster.free[i], allowed, own);
            }
        } else {
            self.add_near_by_key(set, allowed, own);
        }
        self.near.sort_unstable();
        self.near.dedup();
    }

    fn add_near(&mut self, set: u32, executor: u32, allowed: Level, own: bool) {
        let e = &self.cluster.executors[executor as usize];
        let s = &mut self.sets[set as usize];
        if s.prefers_executor(executor)
            || (allowed >= Level::Node && s.prefers_host(e.host))
            || (own && e.holders().contains(&s.flow))
        {
            self.near.push((self.offers.place(executor), executor));
        }
    }

    fn add_near_by_key(&mut self, set: u32, allowed: Level, own: bool) {
        let Self { sets, cluster, offers, near, flows, .. } = self;
        let s = &mut sets[set as usize];
        let (tasks, pending) = (&s.tasks, &mut s.pending);
        let waits = |task: u32| tasks[task as usize].waits();
        let mut add = |executor: u32| near.push((offers.place(executor), executor));
        pending.executors.wanted(|e| cluster.has_room(e), waits, &mut add);
        if allowed >= Level::Node {
            let with_room = |host: u32| cluster.on(host).filter(|&e| cluster.has_room(e));
            let good = |host: u32| with_room(host).next().is_some();
            pending.hosts.wanted(good, waits, |host| with_room(host).for_each(&mut add));
        }
        if own {
            let held = flows[s.flow as usize].holds.iter().map(|&(_, executor)| executor);
            held.filter(|&executor| cluster.has_room(executor)).for_each(add);
        }
    }
}
