//! Executors, hosts, and which executors have room.

use holdfast_engine::Resources;
use rustc_hash::FxHashMap;

use crate::set::NONE;
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

/// An executor.
#[derive(Clone, Debug)]
pub struct Executor {
    /// Its host.
    pub host: u32,
    /// All it has.
    pub capacity: Resources,
    /// What no attempt occupies.
    pub free: Resources,
    /// Compared with others.
    pub speed: f64,
    /// It is there.
    pub alive: bool,
    /// It has been offered.
    pub known: bool,
    /// It is decommissioned: it gets nothing new.
    pub leaving: bool,
    /// Owners of the holds on it, one entry for each hold.
    pub holders: Vec<u32>,
    /// Sets with tasks that would like to run here.
    pub waiters: Vec<Waiter>,
    /// Its place among those with room.
    place: u32,
}

/// A host.
#[derive(Clone, Debug, Default)]
pub struct Host {
    /// Its executors that are there.
    pub executors: Vec<u32>,
    /// Sets with tasks that would like to run here.
    pub waiters: Vec<Waiter>,
}

/// The executors.
#[derive(Debug)]
pub struct Cluster {
    /// All that ever joined, in that order.
    pub executors: Vec<Executor>,
    /// By number.
    pub hosts: Vec<Host>,
    /// Those that may be offered something, with room for a task of some profile; in no order.
    pub free: Vec<u32>,
    /// Those that are there, in the order of joining.
    pub alive: Vec<u32>,
    demands: Vec<Resources>,
    /// (workflow, executor) -> attempts that began there, where executors warm up.
    pub warmth: FxHashMap<(u32, u32), u32>,
}

impl Cluster {
    /// Without executors.
    #[must_use]
    pub fn new(world: &World) -> Self {
        Self {
            executors: Vec::new(),
            hosts: Vec::new(),
            free: Vec::new(),
            alive: Vec::new(),
            demands: world.profiles.clone(),
            warmth: FxHashMap::default(),
        }
    }

    /// An executor joins; its number.
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
            waiters: Vec::new(),
            place: NONE,
        });
        if self.hosts.len() <= host as usize {
            self.hosts.resize_with(host as usize + 1, Host::default);
        }
        self.hosts[host as usize].executors.push(number);
        self.alive.push(number);
        self.refresh(number);
        number
    }

    /// An executor is gone.
    pub fn lose(&mut self, executor: u32) {
        let e = &mut self.executors[executor as usize];
        e.alive = false;
        let host = e.host;
        e.waiters = Vec::new();
        self.hosts[host as usize].executors.retain(|&other| other != executor);
        self.alive.retain(|&other| other != executor);
        self.refresh(executor);
    }

    /// What is free on an executor changes.
    pub fn change(&mut self, executor: u32, change: impl FnOnce(Resources) -> Resources) {
        let e = &mut self.executors[executor as usize];
        e.free = change(e.free);
        self.refresh(executor);
    }

    /// Whether a task of some profile fits there.
    #[must_use]
    pub fn has_room(&self, executor: u32) -> bool {
        self.executors[executor as usize].place != NONE
    }

    /// Whether it is there and stays (`isExecutorAlive`).
    #[must_use]
    pub fn stays(&self, executor: u32) -> bool {
        self.executors.get(executor as usize).is_some_and(|e| e.alive && e.known && !e.leaving)
    }

    /// Whether an executor of a host does (`hasExecutorsAliveOnHost`).
    #[must_use]
    pub fn host_stays(&self, host: u32) -> bool {
        let host = self.hosts.get(host as usize);
        host.is_some_and(|host| host.executors.iter().any(|&e| self.stays(e)))
    }

    /// Brings its place among those with room up to date.
    pub fn refresh(&mut self, executor: u32) {
        let e = &self.executors[executor as usize];
        let room = e.alive && !e.leaving && self.demands.iter().any(|d| e.free.covers(d));
        let place = e.place;
        if room == (place != NONE) {
            return;
        }
        if room {
            self.executors[executor as usize].place =
                u32::try_from(self.free.len()).unwrap_or(NONE);
            self.free.push(executor);
        } else {
            self.executors[executor as usize].place = NONE;
            self.free.swap_remove(place as usize);
            if let Some(&moved) = self.free.get(place as usize) {
                self.executors[moved as usize].place = place;
            }
        }
    }
}
