//! Executors, hosts, and which executors have room.

use std::hint::black_box;
use std::ops::BitXor;

use holdfast_engine::Resources;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::ids::{NONE, index};
use crate::world::World;

/// A set that waits for locality, and the number it had when it said so.
#[derive(Clone, Copy, Debug)]
pub struct Waiter {
    /// Its place in the table of sets.
    pub set: u32,
    /// Void when the set has another one by now.
    pub stamp: u64,
    /// The place of the executor or host in the set's lists.
    pub place: u32,
}

/// An executor: two cache lines, the first of which is enough where nothing is held.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Executor {
    /// What no attempt occupies.
    pub free: Resources,
    /// Sets with tasks that would like to run here: rarely more than one.
    pub waiters: SmallVec<[Waiter; 1]>,
    /// Compared with others.
    pub speed: f64,
    /// Its host.
    pub host: u32,
    /// It is there.
    pub alive: bool,
    /// It has been offered.
    pub known: bool,
    /// It is decommissioned: it gets nothing new.
    pub leaving: bool,
    /// It has room for a task of some profile that was not refused.
    open: bool,
    /// A workflow holds something there.
    held: bool,
    /// Something was refused there.
    refuses: bool,
    /// Sets wait at its host.
    pub host_has_waiters: bool,
    /// One bit for each profile: sets that share asks were refused a slot for it here, and nothing has been
    /// freed or given back since.
    refused: u64,
    /// Owners of the holds on it, one entry for each hold.
    holders: Vec<u32>,
    /// All it has.
    pub capacity: Resources,
}

const _: () = assert!(std::mem::offset_of!(Executor, refused) == 64);
const _: () = assert!(size_of::<Executor>() == 2 * 64 && size_of::<Host>() == 64);

impl Executor {
    /// Returns the owners of the holds on it, one entry for each hold.
    #[must_use]
    pub fn holders(&self) -> &[u32] {
        if self.held { &self.holders } else { &[] }
    }

    /// Returns the profiles of which slots are refused there to sets that share asks, as far as it is known.
    #[must_use]
    pub fn refused(&self) -> u64 {
        if self.refuses { self.refused } else { 0 }
    }

    fn forget_refusals(&mut self) {
        if self.refuses {
            (self.refuses, self.refused) = (false, 0);
        }
    }
}

/// A host: one cache line.
#[derive(Clone, Debug, Default)]
#[repr(align(64))]
pub struct Host {
    /// Its executors that are there.
    pub executors: SmallVec<[u32; 4]>,
    /// Sets with tasks that would like to run here: rarely more than two.
    pub waiters: SmallVec<[Waiter; 2]>,
}

/// The executors.
#[derive(Debug)]
pub struct Cluster {
    /// All that ever joined, in that order.
    pub executors: Vec<Executor>,
    /// By number.
    pub hosts: Vec<Host>,
    /// Of each host its executor, if there is only one.
    alone: Vec<u32>,
    /// Of each its place among those with room. Many are looked at in a round, and few of those are used.
    places: Vec<u32>,
    /// Those that may be offered something, with room for a task of some profile; in no order.
    pub free: Vec<u32>,
    /// How many of them have not refused everything to sets that share asks.
    pub open: usize,
    /// Those that are there, in the order of joining.
    pub alive: Vec<u32>,
    demands: Vec<Resources>,
    /// How many have been offered for the first time.
    pub introduced: u32,
    /// (workflow, executor) -> attempts that began there, where executors warm up.
    pub warmth: FxHashMap<(u32, u32), u32>,
}

impl Cluster {
    /// Makes a cluster without executors.
    #[must_use]
    pub fn new(world: &World) -> Self {
        let planned =
            world.cluster.iter().map(|n| n.nodes as usize * n.executors_per_node as usize);
        let most = planned.sum();
        Self {
            executors: Vec::with_capacity(most),
            hosts: Vec::new(),
            alone: Vec::new(),
            places: Vec::with_capacity(most),
            free: Vec::new(),
            open: 0,
            alive: Vec::new(),
            demands: world.profiles.clone(),
            introduced: 0,
            warmth: FxHashMap::default(),
        }
    }

    /// Adds an executor that joins. Returns its number.
    pub fn join(&mut self, host: u32, capacity: Resources, speed: f64) -> u32 {
        let number = u32::try_from(self.executors.len()).unwrap_or(NONE);
        self.executors.push(Executor {
            host,
            capacity,
            free: capacity,
            speed,
            alive: true,
            known: false,
            leaving: false,
            holders: Vec::new(),
            waiters: SmallVec::new(),
            refused: 0,
            open: false,
            held: false,
            refuses: false,
            host_has_waiters: false,
        });
        self.places.push(NONE);
        if self.hosts.len() <= host as usize {
            self.hosts.resize_with(host as usize + 1, Host::default);
            self.alone.resize(host as usize + 1, NONE);
        }
        let waited = !self.hosts[host as usize].waiters.is_empty();
        self.executors[number as usize].host_has_waiters = waited;
        self.hosts[host as usize].executors.push(number);
        self.note_alone(host);
        self.alive.push(number);
        self.refresh(number);
        number
    }

    /// Removes an executor that is gone.
    pub fn lose(&mut self, executor: u32) {
        let e = &mut self.executors[executor as usize];
        e.alive = false;
        let host = e.host;
        e.waiters = SmallVec::new();
        self.hosts[host as usize].executors.retain(|&mut other| other != executor);
        self.note_alone(host);
        self.alive.retain(|&other| other != executor);
        self.refresh(executor);
    }

    fn note_alone(&mut self, host: u32) {
        let executors = &self.hosts[host as usize].executors;
        self.alone[host as usize] = if executors.len() == 1 { executors[0] } else { NONE };
    }

    /// Returns the executor of a host, if it has only one.
    #[must_use]
    pub fn only_one(&self, host: u32) -> Option<u32> {
        self.alone.get(host as usize).copied().filter(|&executor| executor != NONE)
    }

    /// Returns the executors of a known host. Most have one, and are not looked at for it.
    pub fn on(&self, host: u32) -> impl Iterator<Item = u32> {
        let only = self.only_one(host);
        let several = only.is_none().then(|| self.hosts[host as usize].executors.iter().copied());
        only.into_iter().chain(several.into_iter().flatten())
    }

    /// Notes that a set waits at an executor, if that is there.
    pub fn wait_at_executor(&mut self, executor: u32, waiter: Waiter) {
        if let Some(e) = self.executors.get_mut(executor as usize).filter(|e| e.alive) {
            e.waiters.push(waiter);
        }
    }

    /// Notes that a set waits at a host.
    pub fn wait_at_host(&mut self, host: u32, waiter: Waiter) {
        let Some(host) = self.hosts.get_mut(host as usize) else { return };
        host.waiters.push(waiter);
        host.executors.iter().for_each(|&e| self.executors[e as usize].host_has_waiters = true);
    }

    /// Drops the sets that do not wait at an executor's host any more.
    pub fn tidy_host(&mut self, executor: u32, stays: impl FnMut(&mut Waiter) -> bool) {
        let e = &self.executors[executor as usize];
        if e.host_has_waiters {
            let host = &mut self.hosts[e.host as usize];
            host.waiters.retain(stays);
            let waited = !host.waiters.is_empty();
            host.executors
                .iter()
                .for_each(|&e| self.executors[e as usize].host_has_waiters = waited);
        }
    }

    /// Takes what an attempt asks for that begins there.
    pub fn take(&mut self, executor: u32, demand: Resources) {
        let e = &mut self.executors[executor as usize];
        e.free = e.free.minus(demand);
        self.refresh(executor);
    }

    /// Gives back what an attempt had that has ended there.
    pub fn give(&mut self, executor: u32, demand: Resources) {
        let e = &mut self.executors[executor as usize];
        e.free = e.free.plus(demand);
        e.forget_refusals();
        self.refresh(executor);
    }

    /// Notes that sets that share asks are refused slots of a profile there, until something is freed or given back.
    pub fn refuse(&mut self, executor: u32, profile: u32) {
        let e = &mut self.executors[executor as usize];
        (e.refuses, e.refused) = (true, e.refused | 1 << profile);
        self.refresh(executor);
    }

    /// Notes that a workflow holds a slot there.
    pub fn hold(&mut self, executor: u32, owner: u32) {
        let e = &mut self.executors[executor as usize];
        e.holders.push(owner);
        e.held = true;
    }

    /// Notes that a hold of a workflow has ended there.
    pub fn release(&mut self, executor: u32, owner: u32) {
        let e = &mut self.executors[executor as usize];
        if let Some(place) = e.holders.iter().position(|&other| other == owner) {
            e.holders.swap_remove(place);
        }
        e.held = !e.holders.is_empty();
        e.forget_refusals();
        self.refresh(executor);
    }

    /// Returns whether a task of some profile fits there.
    #[must_use]
    pub fn has_room(&self, executor: u32) -> bool {
        self.places[executor as usize] != NONE
    }

    /// Returns whether it is there and stays (`isExecutorAlive`).
    #[must_use]
    pub fn stays(&self, executor: u32) -> bool {
        self.executors.get(executor as usize).is_some_and(|e| e.alive && e.known && !e.leaving)
    }

    /// Returns whether an executor of a host does (`hasExecutorsAliveOnHost`).
    #[must_use]
    pub fn host_stays(&self, host: u32) -> bool {
        let host = self.hosts.get(host as usize);
        host.is_some_and(|host| host.executors.iter().any(|&e| self.stays(e)))
    }

    /// Reads what is free on executors before their turn; some may never have joined.
    pub fn read_free(&self, executors: impl Iterator<Item = u32>) {
        if !cfg!(feature = "read-ahead") {
            return;
        }
        let free = |executor| self.executors.get(executor as usize).map(|e| e.free.0[0]);
        black_box(executors.filter_map(free).fold(0, u32::bitxor));
    }

    /// Brings its place among those with room up to date.
    pub fn refresh(&mut self, executor: u32) {
        let e = &mut self.executors[executor as usize];
        let offered = e.alive && !e.leaving;
        let has = |d: &Resources| offered && e.free.covers(d);
        let room = self.demands.iter().any(has);
        let mut profiles = (0..).zip(&self.demands);
        let refused = e.refused();
        let open = room && profiles.any(|(p, d)| refused & (1 << p) == 0 && has(d));
        if open != e.open {
            e.open = open;
            if open { self.open += 1 } else { self.open -= 1 }
        }
        let place = self.places[executor as usize];
        if room == (place != NONE) {
            return;
        }
        if room {
            self.places[executor as usize] = index(self.free.len());
            self.free.push(executor);
        } else {
            self.places[executor as usize] = NONE;
            self.free.swap_remove(place as usize);
            if let Some(&moved) = self.free.get(place as usize) {
                self.places[moved as usize] = place;
            }
        }
    }
}
