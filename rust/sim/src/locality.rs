//! Which tasks of a set wait where, and how far from there they may go by now: Spark's delay scheduling
//! (`TaskSetManager` of Spark 4.1: `addPendingTask`, `dequeueTask`, `getAllowedLocalityLevel`).

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use holdfast_engine::Time;

/// Deterministic whatever the platform: nothing is ever read in the order of a map.
type Map = HashMap<u32, Vec<u32>, BuildHasherDefault<std::hash::DefaultHasher>>;

/// How near a task is to its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// On the executor that has it.
    Process,
    /// On its host.
    Node,
    /// It has no preference.
    NoPreference,
    /// On a host of its rack.
    Rack,
    /// Anywhere.
    Any,
}

/// Where a task would like to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Nowhere in particular.
    Anywhere,
    /// On a host.
    Host(u32),
    /// On an executor, which is on a host.
    Executor(u32, u32),
}

/// An executor as the lists see it.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    /// Its number.
    pub executor: u32,
    /// Its host's.
    pub host: u32,
    /// The rack's of that, if there are racks.
    pub rack: Option<u32>,
}

/// Pending tasks by where they would like to run. The last of a list is the next; what has been launched stays in the
/// other lists until somebody comes upon it.
#[derive(Default)]
pub struct Pending {
    executors: Map,
    hosts: Map,
    racks: Map,
    anywhere: Vec<u32>,
    all: Vec<u32>,
}

impl Pending {
    /// Adds a task; `rack` is that of its host.
    pub fn add(&mut self, task: u32, place: Place, rack: Option<u32>) {
        match place {
            Place::Anywhere => self.anywhere.push(task),
            Place::Host(host) => self.add_host(task, host, rack),
            Place::Executor(executor, host) => {
                self.executors.entry(executor).or_default().push(task);
                self.add_host(task, host, rack);
            }
        }
        self.all.push(task);
    }

    fn add_host(&mut self, task: u32, host: u32, rack: Option<u32>) {
        self.hosts.entry(host).or_default().push(task);
        if let Some(rack) = rack {
            self.racks.entry(rack).or_default().push(task);
        }
    }

    /// Whether nothing is in the lists.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Takes the next task for an executor, no further away than `most`. `waits` says of a task whether it is still to be
    /// launched.
    pub fn take(
        &mut self,
        site: Site,
        most: Level,
        waits: &impl Fn(u32) -> bool,
    ) -> Option<(u32, Level)> {
        let Self { executors, hosts, racks, anywhere, all } = self;
        let near = executors.get_mut(&site.executor).and_then(|list| next(list, waits));
        if let Some(task) = near {
            return Some((task, Level::Process));
        }
        if most >= Level::Node
            && let Some(task) = hosts.get_mut(&site.host).and_then(|list| next(list, waits))
        {
            return Some((task, Level::Node));
        }
        if most >= Level::NoPreference
            && let Some(task) = next(anywhere, waits)
        {
            // Spark reports these as the nearest there is.
            return Some((task, Level::Process));
        }
        if most >= Level::Rack
            && let Some(rack) = site.rack
            && let Some(task) = racks.get_mut(&rack).and_then(|list| next(list, waits))
        {
            return Some((task, Level::Rack));
        }
        if most >= Level::Any
            && let Some(task) = next(all, waits)
        {
            return Some((task, Level::Any));
        }
        None
    }

    /// The levels that matter for this set, nearest first; `alive` says whether an executor or a host is there.
    #[must_use]
    pub fn levels(
        &self,
        executor_alive: impl Fn(u32) -> bool,
        host_alive: impl Fn(u32) -> bool,
        rack_alive: impl Fn(u32) -> bool,
    ) -> Vec<Level> {
        let mut levels = Vec::with_capacity(5);
        if self.executors.keys().any(|&e| executor_alive(e)) {
            levels.push(Level::Process);
        }
        if self.hosts.keys().any(|&h| host_alive(h)) {
            levels.push(Level::Node);
        }
        if !self.anywhere.is_empty() {
            levels.push(Level::NoPreference);
        }
        if self.racks.keys().any(|&r| rack_alive(r)) {
            levels.push(Level::Rack);
        }
        levels.push(Level::Any);
        levels
    }

    /// Whether tasks still wait at a level; lists in which none does are forgotten, as Spark does.
    fn more(&mut self, level: Level, waits: &impl Fn(u32) -> bool) -> bool {
        match level {
            Level::Process => some_wait(&mut self.executors, waits),
            Level::Node => some_wait(&mut self.hosts, waits),
            Level::NoPreference => !self.anywhere.is_empty(),
            Level::Rack => some_wait(&mut self.racks, waits),
            Level::Any => true,
        }
    }
}

/// Whether some list has a task that waits, at its end; tasks that do not are dropped on the way.
fn some_wait(lists: &mut Map, waits: &impl Fn(u32) -> bool) -> bool {
    lists.retain(|_, list| {
        while list.last().is_some_and(|&task| !waits(task)) {
            list.pop();
        }
        !list.is_empty()
    });
    !lists.is_empty()
}

fn next(list: &mut Vec<u32>, waits: &impl Fn(u32) -> bool) -> Option<u32> {
    while let Some(task) = list.pop() {
        if waits(task) {
            return Some(task);
        }
    }
    None
}

/// Delay scheduling of one set: how far away from their input its tasks may run by now.
pub struct Delay {
    levels: Vec<Level>,
    /// Of the level that is allowed.
    current: usize,
    reset: Time,
    wait_ns: u64,
}

impl Delay {
    /// `levels` nearest first, the last one [`Level::Any`].
    #[must_use]
    pub fn new(levels: Vec<Level>, now: Time, wait_ns: u64) -> Self {
        Self { levels, current: 0, reset: now, wait_ns }
    }

    /// The levels, nearest first.
    #[must_use]
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// Whether that is as near as it gets for this set.
    #[must_use]
    pub fn is_nearest(&self, level: Level) -> bool {
        self.levels.first().is_none_or(|&first| level <= first)
    }

    /// The level that is allowed now; `getAllowedLocalityLevel`.
    pub fn allowed(
        &mut self,
        now: Time,
        pending: &mut Pending,
        waits: &impl Fn(u32) -> bool,
    ) -> Level {
        while self.current + 1 < self.levels.len() {
            let level = self.levels[self.current];
            if !pending.more(level, waits) {
                self.reset = now;
            } else if now.since(self.reset) >= self.wait_of(level) {
                self.reset = self.reset.after(self.wait_of(level));
            } else {
                return level;
            }
            self.current += 1;
        }
        self.levels[self.current]
    }

    /// A round launched at this level, and delay scheduling refused nothing; `resetDelayScheduleTimer`.
    pub fn launched(&mut self, now: Time, nearest: Option<Level>) {
        self.reset = now;
        if let Some(level) = nearest {
            self.current = self.index_of(level);
        }
    }

    /// The levels have changed with the executors; the allowed one stays what it was, at most; `recomputeLocality`.
    pub fn renew(&mut self, levels: Vec<Level>) {
        let before = self.levels[self.current];
        let wait_began = self.reset;
        self.levels = levels;
        self.current = self.index_of(before);
        // A nearer level that is new may be used at once.
        let nearer = self.levels.iter().position(|&l| l < before);
        if let Some(first) = nearer
            && self.current > first
            && self.levels[first] < before
        {
            self.current = first;
        }
        self.reset = wait_began;
    }

    fn index_of(&self, level: Level) -> usize {
        self.levels.iter().position(|&l| l >= level).unwrap_or(self.levels.len() - 1)
    }

    /// Tasks without a preference are not waited for.
    fn wait_of(&self, level: Level) -> u64 {
        if matches!(level, Level::NoPreference | Level::Any) { 0 } else { self.wait_ns }
    }
}
