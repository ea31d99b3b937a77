//! Where tasks would like to run: drawn, or where what they read was written.

use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::cluster::executors::Cluster;
use crate::cluster::place::Place;
use crate::dag::tables::Dag;
use crate::ids::index;
use crate::world::draw::{About, Draw};
use crate::world::{Preference, World, parents};

/// What the preferences of tasks follow from.
pub(crate) struct Preferences<'a> {
    pub world: &'a World,
    pub draw: Draw,
    pub dag: &'a Dag,
    pub cluster: &'a Cluster,
}

impl Preferences<'_> {
    /// Returns where a task of a stage would like to run, drawn or remembered.
    fn wished(&self, stage: u32, partition: u32) -> Option<u32> {
        let s = &self.dag.stages[stage as usize];
        let spec = s.spec(self.world);
        match spec.preference {
            Preference::Anywhere | Preference::Output => None,
            Preference::Hosts | Preference::Executors => {
                let most = index(self.cluster.alive.len()).checked_sub(1)?;
                let draw = s.draw(self.draw.about(About::Preference)).of(u64::from(partition));
                Some(self.cluster.alive[draw.up_to(most) as usize])
            }
            Preference::Before => {
                let job = &self.dag.jobs[s.job as usize];
                let parents = parents(self.dag.job_spec(self.world, s.job), s.place as usize);
                let before = match parents.first() {
                    Some(&parent) => &self.dag.stages[job.first_stage as usize + parent].ran_on,
                    None => {
                        let memory = &self.dag.workflows[s.of.0 as usize].memory;
                        memory.get(s.place as usize).or_else(|| memory.first())?
                    }
                };
                let place = (partition as usize).checked_rem(before.len())?;
                Some(before[place]).filter(|&e| self.cluster.stays(e))
            }
            Preference::CachedBy { job, stage } => {
                let own = self.dag.jobs[s.job as usize].first_stage as usize + stage;
                let by = if job == s.of.1 as usize {
                    &self.dag.stages[own].ran_on
                } else {
                    self.dag.workflows[s.of.0 as usize].cached.of(job, stage)?
                };
                by.get(partition as usize).copied().filter(|&e| self.cluster.stays(e))
            }
        }
    }
    /// Returns where each task of a set would like to run; `parts` are its partitions, if it has not all of them.
    pub fn places(&self, stage: u32, parts: Option<&[u32]>, tasks: u32) -> Vec<Place> {
        let preference = self.dag.stages[stage as usize].spec(self.world).preference;
        match preference {
            Preference::Anywhere => return Vec::new(),
            Preference::Output => return self.near_output(stage, tasks),
            _ => {}
        }
        let place = |task: u32| {
            let partition = parts.map_or(task, |parts| parts[task as usize]);
            let Some(executor) = self.wished(stage, partition) else { return Place::Anywhere };
            let host = self.cluster.executors[executor as usize].host;
            if preference == Preference::Hosts {
                Place::Host(host)
            } else {
                Place::Executor(executor, host)
            }
        };
        (0..tasks).map(place).collect()
    }
    /// Returns where what a stage reads under `Output` was written, of all its parents or of the job before; and where
    /// attempts of the same tasks ran that were not first.
    fn outputs(&self, stage: u32) -> (Vec<&[u32]>, Vec<&[u32]>) {
        let s = &self.dag.stages[stage as usize];
        let first = self.dag.jobs[s.job as usize].first_stage as usize;
        let parents = parents(self.dag.job_spec(self.world, s.job), s.place as usize);
        if parents.is_empty() {
            let run = &self.dag.workflows[s.of.0 as usize];
            let place = if run.memory.len() > s.place as usize { s.place as usize } else { 0 };
            return (at(&run.memory, place), at(&run.vain, place));
        }
        let parents = parents.iter().map(|parent| &self.dag.stages[first + parent]);
        parents.map(|p| (p.ran_on.as_slice(), p.ran_in_vain_on.as_slice())).unzip()
    }
    /// Returns whether a stage reads under `Output` what was written on an executor.
    pub(crate) fn reads_output_of(&self, stage: u32, executor: u32) -> bool {
        if self.dag.stages[stage as usize].spec(self.world).preference != Preference::Output {
            return false;
        }
        let (first, in_vain) = self.outputs(stage);
        first.iter().chain(&in_vain).any(|ran_on| ran_on.contains(&executor))
    }
    /// Returns places next to the output of a stage's parents, for as many tasks as the parents have: where attempts
    /// ran, first or not; free ones first.
    fn near_output(&self, stage: u32, tasks: u32) -> Vec<Place> {
        let s = &self.dag.stages[stage as usize];
        let demand = self.world.profiles[index(s.spec(self.world).profile) as usize];
        let (first, in_vain) = self.outputs(stage);
        let minding = first.iter().map(|ran_on| ran_on.len()).sum();
        let written = minding + in_vain.iter().map(|ran_on| ran_on.len()).sum::<usize>();
        let mut room = FxHashMap::with_capacity_and_hasher(written, FxBuildHasher);
        let (mut free, mut taken) = (Vec::with_capacity(written.max(tasks as usize)), Vec::new());
        let stays = |&executor: &u32| self.cluster.stays(executor);
        let all = first.into_iter().chain(in_vain).flatten().copied();
        self.cluster.read_free(all.clone());
        for executor in all.filter(stays) {
            let of = &self.cluster.executors[executor as usize];
            let place = Place::Executor(executor, of.host);
            let left = room.entry(executor).or_insert_with(|| demand.fit_into(&of.free));
            if *left > 0 {
                *left -= 1;
                free.push(place);
            } else {
                taken.push(place);
            }
        }
        free.append(&mut taken);
        free.truncate(minding); // a copy of a task is no further reason to mind
        free.resize(tasks as usize, Place::Anywhere);
        free
    }
}

/// Returns what ran at one place of a run, if anything did.
fn at(runs: &[Vec<u32>], place: usize) -> Vec<&[u32]> {
    runs.get(place).map(Vec::as_slice).into_iter().collect()
}
