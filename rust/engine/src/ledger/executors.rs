//! Executors, the slots they offer, and which of them have room.

use crate::ledger::keys::{DemandKey, ExecutorKey, WorkflowKey};
use crate::tables::arena::Arena;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::executor::{Executor, Users};
use super::lists::List;
use crate::api::error::EngineError;
use crate::api::ids::{ExecutorId, ProfileId, Resources, short};
use crate::tables::pages::Pages;
use crate::tables::rooms::Rooms;

#[derive(Clone, Debug)]
struct Profile {
    /// Of the executors that its tasks run on.
    runs_on: ProfileId,
    demand: Resources,
    slots: u32,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Executors {
    pub slab: Arena<ExecutorKey, Executor>,
    ids: Pages<ExecutorId, ExecutorKey>,
    profiles: FxHashMap<ProfileId, Profile>,
    /// Slab keys in the order of ids.
    order: Vec<ExecutorKey>,
    /// Where slots of the known sizes fit: few different ones, of many profiles.
    rooms: SmallVec<[Rooms; 1]>,
    /// Executors on which slots are set aside, and how many.
    aside: FxHashMap<ExecutorKey, u32>,
}

impl Executors {
    /// Its key in the slab.
    pub fn key(&self, id: ExecutorId) -> Option<ExecutorKey> {
        self.ids.get(id)
    }

    /// An executor that a host names.
    #[inline]
    pub fn known(&self, id: ExecutorId) -> Result<ExecutorKey, EngineError> {
        self.key(id).ok_or(EngineError::UnknownExecutor)
    }

    pub fn demand(&self, profile: ProfileId) -> Option<Resources> {
        self.profiles.get(&profile).map(|p| p.demand)
    }

    /// Whether all slots are alike.
    pub fn one_profile(&self) -> bool {
        self.profiles.len() == 1
    }

    /// Where tasks of a profile run.
    pub fn runs_on(&self, profile: ProfileId) -> Option<ProfileId> {
        self.profiles.get(&profile).map(|p| p.runs_on)
    }

    pub fn define(&mut self, profile: ProfileId, runs_on: ProfileId, demand: Resources) {
        let before = self.profiles.insert(profile, Profile { runs_on, demand, slots: 0 });
        let slots =
            self.slab.iter().map(|(_, e)| self.slots_of(e, profile)).fold(0, u32::saturating_add);
        if let Some(p) = self.profiles.get_mut(&profile) {
            p.slots = slots;
        }
        self.watch_room(runs_on, demand);
        if let Some(before) = before.filter(|before| before.runs_on != runs_on) {
            // Its sets of before ask for what it asked for then, on other executors from now on.
            for i in 0..self.rooms.len() {
                if self.rooms[i].profile == before.runs_on {
                    self.watch_room(runs_on, self.rooms[i].demand);
                }
            }
        }
    }

    /// How many profiles are known.
    pub fn profiles(&self) -> usize {
        self.profiles.len()
    }

    /// Forgets profiles that nobody names, and where slots of sizes fit that none of the others has.
    pub fn keep_profiles(
        &mut self,
        named: &FxHashSet<ProfileId>,
        asked: &[(ProfileId, Resources)],
    ) {
        let homes = named.iter().filter_map(|profile| self.runs_on(*profile));
        let homes: FxHashSet<ProfileId> = homes.collect();
        self.profiles.retain(|profile, _| named.contains(profile) || homes.contains(profile));
        let sizes = self.profiles.values().map(|p| (p.runs_on, p.demand));
        let sizes: Vec<_> = sizes
            .chain(asked.iter().filter_map(|&(p, demand)| Some((self.runs_on(p)?, demand))))
            .collect();
        self.rooms.retain(|rooms| sizes.contains(&(rooms.profile, rooms.demand)));
    }

    fn watch_room(&mut self, runs_on: ProfileId, demand: Resources) {
        if self.rooms.iter().all(|rooms| (rooms.profile, rooms.demand) != (runs_on, demand)) {
            self.rooms.push(Rooms::new(runs_on, demand, self.order.len()));
            (0..self.order.len()).for_each(|place| self.refresh(self.order[place]));
        }
    }

    pub fn slots(&self, profile: ProfileId) -> u32 {
        self.profiles.get(&profile).map_or(0, |p| p.slots)
    }

    /// Slots of all profiles that have executors of their own.
    pub fn total(&self) -> u64 {
        let own = self.profiles.iter().filter(|(profile, p)| p.runs_on == **profile);
        own.map(|(_, p)| u64::from(p.slots)).sum()
    }

    /// Slots of `profile` on one executor: 0 unless it is usable for it.
    fn slots_of(&self, e: &Executor, profile: ProfileId) -> u32 {
        let known = self.profiles.get(&profile).filter(|p| !e.barred && p.runs_on == e.profile);
        known.map_or(0, |p| p.demand.fit_into(&e.capacity))
    }

    pub fn slots_on(&self, key: ExecutorKey, profile: ProfileId) -> u32 {
        self.slots_of(&self.slab[key], profile)
    }

    pub fn insert(
        &mut self,
        id: ExecutorId,
        profile: ProfileId,
        capacity: Resources,
    ) -> ExecutorKey {
        let key = self.slab.insert(Executor {
            id,
            profile,
            capacity,
            running: Resources::default(),
            held: Resources::default(),
            barred: false,
            users: SmallVec::new(),
            holds: List::default(),
            place: 0,
        });
        self.ids.insert(id, key);
        let place = self.order.partition_point(|&k| self.slab[k].id < id);
        self.order.insert(place, key);
        self.renumber(place);
        self.count(key, true);
        key
    }

    pub fn remove(&mut self, key: ExecutorKey) {
        self.count(key, false);
        let e = self.slab.remove(key);
        self.ids.remove(e.id);
        self.aside.remove(&key);
        self.order.remove(e.place as usize);
        self.renumber(e.place as usize);
    }

    /// Changes what decides the slots of an executor.
    pub fn change(&mut self, key: ExecutorKey, change: impl FnOnce(&mut Executor)) {
        self.count(key, false);
        let place = self.slab[key].place as usize;
        self.rooms.iter_mut().for_each(|rooms| rooms.set(place, false));
        change(&mut self.slab[key]);
        self.count(key, true);
        self.refresh(key);
    }

    fn count(&mut self, key: ExecutorKey, add: bool) {
        let e = &self.slab[key];
        for p in self.profiles.values_mut().filter(|p| !e.barred && p.runs_on == e.profile) {
            let slots = p.demand.fit_into(&e.capacity);
            p.slots =
                if add { p.slots.saturating_add(slots) } else { p.slots.saturating_sub(slots) };
        }
    }

    /// After a change of the order at `from`: all later places. Ids grow, so that is mostly the last one.
    fn renumber(&mut self, from: usize) {
        self.rooms.iter_mut().for_each(|rooms| rooms.clear(from, self.order.len()));
        for place in from..self.order.len() {
            let key = self.order[place];
            self.slab[key].place = short(place);
            self.refresh(key);
        }
    }

    /// An attempt of a workflow begins; what it asks for, and the key of that.
    pub fn enter(
        &mut self,
        key: ExecutorKey,
        workflow: WorkflowKey,
        (demand_key, demand): (DemandKey, Resources),
    ) {
        let e = &mut self.slab[key];
        e.running = e.running.plus(demand);
        let own = |users: &&mut Users| (users.workflow, users.demand_key) == (workflow, demand_key);
        match e.users.iter_mut().find(own) {
            Some(users) => users.attempts += 1,
            None => e.users.push(Users { workflow, demand_key, attempts: 1 }),
        }
        self.refresh(key);
    }

    /// An attempt of a workflow is over.
    pub fn leave(
        &mut self,
        key: ExecutorKey,
        workflow: WorkflowKey,
        (demand_key, demand): (DemandKey, Resources),
    ) {
        let e = &mut self.slab[key];
        e.running = e.running.minus(demand);
        let own = |users: &Users| (users.workflow, users.demand_key) == (workflow, demand_key);
        if let Some(found) = e.users.iter().position(own) {
            e.users[found].attempts -= 1;
            if e.users[found].attempts == 0 {
                e.users.swap_remove(found);
            }
        }
        self.refresh(key);
    }

    /// Brings what has room on an executor up to date.
    pub fn refresh(&mut self, key: ExecutorKey) {
        let e = &self.slab[key];
        for rooms in &mut self.rooms {
            if rooms.profile == e.profile {
                rooms.set(e.place as usize, e.has_room(&rooms.demand));
            }
        }
    }

    /// Whether a slot is neither busy nor held anywhere.
    pub fn any_room(&self) -> bool {
        self.rooms.iter().any(|rooms| !rooms.is_empty())
    }

    /// The place of an executor in the order of ids.
    pub fn place(&self, id: ExecutorId) -> Option<usize> {
        Some(self.slab[self.key(id)?].place as usize)
    }

    /// The executor at a place, if it has room for a slot.
    pub fn room_at(&self, slot: (ProfileId, Resources), place: usize) -> Option<ExecutorKey> {
        self.rooms_for(slot)?.get(place).then(|| self.order[place])
    }

    /// The first executor with room for a slot at or after `place` in the order of ids, and its place.
    pub fn with_room(
        &self,
        slot: (ProfileId, Resources),
        place: usize,
    ) -> Option<(usize, ExecutorKey)> {
        let found = self.rooms_for(slot)?.first(place)?;
        Some((found, self.order[found]))
    }

    fn rooms_for(&self, (profile, demand): (ProfileId, Resources)) -> Option<&Rooms> {
        let profile = self.runs_on(profile)?;
        self.rooms.iter().find(|rooms| (rooms.profile, rooms.demand) == (profile, demand))
    }

    /// Sets so many slots aside, on executors in the order of ids.
    pub fn set_aside(&mut self, mut slots: u32) {
        self.aside.clear();
        for &key in &self.order {
            if slots == 0 {
                return;
            }
            let aside = self.slots_on(key, self.slab[key].profile).min(slots);
            if aside > 0 {
                self.aside.insert(key, aside);
                slots -= aside;
            }
        }
    }

    /// What is set aside on an executor, in slots of its own profile.
    pub fn aside(&self, key: ExecutorKey) -> Resources {
        let aside = self.aside.get(&key).copied();
        let demand = aside.and_then(|aside| Some((aside, self.demand(self.slab[key].profile)?)));
        demand.map_or_else(Resources::default, |(aside, demand)| demand.times(aside))
    }

    /// Slab keys in the order of ids.
    pub fn in_order(&self) -> &[ExecutorKey] {
        &self.order
    }
}
