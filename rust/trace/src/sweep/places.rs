//! Executors that get no tasks, and those that the log does not announce.

use std::collections::BTreeMap;

use super::executor::Executor;
use super::slots::{Slots, fits};
use crate::spark_event::{ExecutorAdded, Place, StageKey};

impl Slots {
    /// A place gets no tasks, or again.
    pub fn exclude(&mut self, place: Place, excluded: bool) {
        let host = match place {
            Place::Executor(executor) => {
                self.change(executor, |executor| executor.excluded = excluded);
                return;
            }
            Place::Host(host) => host,
        };
        let on_host = self.executors.iter().filter(|(_, executor)| *executor.host == *host);
        for executor in on_host.map(|(number, _)| *number).collect::<Vec<_>>() {
            self.change(executor, |executor| executor.host_excluded = excluded);
        }
        if excluded {
            self.excluded_hosts.insert(host);
        } else {
            self.excluded_hosts.remove(&host);
        }
    }

    /// A place gets no tasks of a stage attempt.
    pub fn bar(&mut self, key: StageKey, place: Place) {
        self.barred.entry(key).or_default().push(place);
    }

    /// A stage attempt is over.
    pub fn forget(&mut self, key: StageKey) {
        self.barred.remove(&key);
    }

    /// Returns how many free slots of a profile none of these stage attempts may use.
    pub fn barred(&self, profile: u32, stages: &(impl Iterator<Item = StageKey> + Clone)) -> u64 {
        if self.barred.is_empty() {
            return 0;
        }
        let profile = if self.rooms.contains_key(&profile) { profile } else { 0 };
        let is_barred = |key: &StageKey, number: u32, executor: &Executor| {
            self.barred.get(key).into_iter().flatten().any(|place| match place {
                Place::Executor(barred) => *barred == number,
                Place::Host(host) => *executor.host == **host,
            })
        };
        let of_none = |(number, executor): &(&u32, &Executor)| {
            executor.profile == profile
                && stages.clone().all(|key| is_barred(&key, **number, executor))
        };
        self.executors.iter().filter(of_none).map(|(_, executor)| executor.free()).sum()
    }

    /// Returns the slots of an executor that was not announced, as far as anything says its cores.
    pub(crate) fn usual_capacity(&self) -> Option<u32> {
        let of_profile = || self.profiles.get(&0)?.executor.get("cores").copied();
        let whole = |cores: f64| fits(cores, 1.0);
        let cores = of_profile().map(whole).or(self.cores).or(self.like)?;
        let (host, resources) = (String::new(), BTreeMap::new());
        Some(self.capacity(&ExecutorAdded { executor: 0, host, cores, resources, profile: 0 }))
    }

    /// Executors that were not announced.
    pub fn unannounced(&self) -> u64 {
        self.unannounced.len() as u64
    }

    /// Returns those of them whose cores nothing says.
    pub fn unsized_ones(&self) -> u64 {
        self.unannounced.values().filter(|known| !**known).count() as u64
    }
}
