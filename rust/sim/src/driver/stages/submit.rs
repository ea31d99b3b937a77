//! Task sets: what is told of them before they come, and how they leave (`submitTasks` of Spark 4.1 and of the shim;
//! the shim's `Session` and `Jobs`).

use holdfast_engine::{
    Event as EngineEvent, JobId, PoolId, ProfileId, SetId, StageId, StageKind, WorkflowId,
};
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::cluster::place::Place;
use crate::driver::state::{Flow, Host, MILLI};
use crate::driver::tasks::delay::Delay;
use crate::driver::tasks::pending::Pending;
use crate::driver::tasks::set::{Class, Task, TaskSet};
use crate::driver::tasks::speculation::Speculated;
use crate::ids::{NONE, index};
use crate::world::Durations;
use crate::world::Preference;
use crate::world::draw::About;
use crate::world::parents;

impl Host<'_> {
    /// `submitMissingTasks`, `submitTasks`.
    pub(crate) fn submit_set(&mut self, stage: u32) {
        let s = &mut self.stages[stage as usize];
        s.attempts += 1;
        s.active = true;
        let job = s.job;
        let parts = s.some_missing();
        let tasks = s.missing;
        self.tell_job(job);
        let set = self.new_set(stage, parts, tasks);
        self.tell_set(stage, self.sets[set as usize].id, tasks);
        // A stage has one set that launches.
        let others = self.jobs[job as usize].sets.clone();
        for other in others {
            if self.sets[other as usize].stage == stage {
                self.take_out(other);
            }
        }
        self.jobs[job as usize].sets.push(set);
        let flow = self.sets[set as usize].flow;
        let known = &mut self.flows[flow as usize];
        let (held, expired) = (std::mem::take(&mut known.held), std::mem::take(&mut known.expired));
        self.meter.barrier(held, expired);
        self.flows[flow as usize].sets.push(set);
        if self.wire.enforces && !self.is_plain(flow) {
            self.special.push(set);
        }
        self.classify(set);
        self.revive_offers();
    }

    fn new_set(&mut self, stage: u32, parts: Option<Box<[u32]>>, tasks: u32) -> u32 {
        let places = self.places(stage, parts.as_deref(), tasks);
        let s = &self.stages[stage as usize];
        let (job, spec) = (s.job, s.spec(self.world));
        let of = &self.jobs[job as usize];
        let speculation = self.world.spark.speculation.as_ref().filter(|_| !spec.barrier);
        let speculated =
            speculation.map(|config| Box::new(Speculated::new(tasks, places.clone(), config)));
        let pending = Pending::new(tasks, places);
        let cluster = &self.cluster;
        let levels = TaskSet::levels(&pending, |e| cluster.stays(e), |h| cluster.host_stays(h));
        let delay = Delay::new(levels, self.now, self.world.spark.locality_wait_ms * MILLI);
        let flow = of.flow.unwrap_or(NONE);
        let workflow = &self.world.workflows[of.of.0 as usize];
        let pool = self.order.pool_of(workflow.pool);
        let priority = self.sorting_priority(flow);
        let profile = index(spec.profile);
        let lane = self.order.lane(priority, pool, profile);
        let fresh =
            Task { copies: 0, attempts: 0, successful: false, latest: NONE, executor: NONE };
        let id = SetId(self.next_set);
        self.next_set += 1;
        let shuffle = s.place + 1 < of.stages || self.job_spec(job).ends_in_shuffle;
        let durations = match &spec.durations {
            Durations::Recorded { .. } => None,
            drawn => Some(drawn.clone()),
        };
        let set = TaskSet {
            id,
            stage,
            stage_id: s.id,
            durations,
            job,
            flow,
            stage_attempt: s.attempts - 1,
            parts,
            tasks: vec![fresh; tasks as usize],
            done: 0,
            waiting: tasks,
            running: 0,
            unsettled: 0,
            zombie: false,
            finished: false,
            over: false,
            foreground: workflow.foreground,
            together: spec.barrier,
            shuffle,
            demand: self.demand(profile),
            profile,
            pending,
            delay,
            no_rejects: true,
            speculated,
            ended: Vec::new(),
            draw: s.draw(self.draw.about(About::Duration)),
            class: Class::Out,
            fresh: true,
            owed: true,
            listed: false,
            stamp: 0,
            registered: false,
            wait_planned: false,
            lane,
            key: 0,
            skipped: false,
            sat_out: false,
            seen: self.joined,
            missed: self.missed,
        };
        let set = index(self.sets.insert(set));
        self.calls.resize(self.sets.capacity().max(self.calls.len()), 0);
        self.sets[set as usize].key = self.key_of(set);
        set
    }

    fn places(&self, stage: u32, parts: Option<&[u32]>, tasks: u32) -> Vec<Place> {
        let preference = self.stages[stage as usize].spec(self.world).preference;
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

    /// Where what a stage reads under `Output` was written, of all its parents or of the job before; and where attempts of
    /// the same tasks ran that were not first.
    fn outputs(&self, stage: u32) -> (Vec<&[u32]>, Vec<&[u32]>) {
        let s = &self.stages[stage as usize];
        let first = self.jobs[s.job as usize].first_stage as usize;
        let parents = parents(self.job_spec(s.job), s.place as usize);
        if parents.is_empty() {
            let run = &self.runs[s.of.0 as usize];
            let place = if run.memory.len() > s.place as usize { s.place as usize } else { 0 };
            return (at(&run.memory, place), at(&run.vain, place));
        }
        let parents = parents.iter().map(|parent| &self.stages[first + parent]);
        parents.map(|p| (p.ran_on.as_slice(), p.ran_in_vain_on.as_slice())).unzip()
    }

    /// Whether a stage reads under `Output` what was written on an executor.
    pub(crate) fn reads_output_of(&self, stage: u32, executor: u32) -> bool {
        if self.stages[stage as usize].spec(self.world).preference != Preference::Output {
            return false;
        }
        let (first, in_vain) = self.outputs(stage);
        first.iter().chain(&in_vain).any(|ran_on| ran_on.contains(&executor))
    }

    /// Places next to the output of a stage's parents, for as many tasks as the parents have: where attempts ran, first or
    /// not; free ones first.
    fn near_output(&self, stage: u32, tasks: u32) -> Vec<Place> {
        let s = &self.stages[stage as usize];
        let demand = self.demand(index(s.spec(self.world).profile));
        let (first, in_vain) = self.outputs(stage);
        let minding = first.iter().map(|ran_on| ran_on.len()).sum();
        let written = minding + in_vain.iter().map(|ran_on| ran_on.len()).sum::<usize>();
        let mut room = FxHashMap::with_capacity_and_hasher(written, FxBuildHasher);
        let (mut free, mut taken) = (Vec::with_capacity(written.max(tasks as usize)), Vec::new());
        let stays = |&executor: &u32| self.cluster.stays(executor);
        let all = first.into_iter().chain(in_vain).flatten().copied();
        self.read_free(all.clone());
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

    /// What the engine has to know of a job before its first task set.
    fn tell_job(&mut self, job: u32) {
        if self.jobs[job as usize].flow.is_some() {
            return;
        }
        let (workflow, place) = self.jobs[job as usize].of;
        let spec = &self.world.workflows[workflow as usize];
        for stage in &spec.jobs[place as usize].stages {
            self.tell_profile(index(stage.profile));
        }
        let pool = self.order.pool_of(spec.pool);
        if self.world.spark.fair {
            self.tell_pool(pool);
        }
        let known = self.runs[workflow as usize].flow.filter(|_| spec.named);
        let flow = known.unwrap_or_else(|| self.new_flow(workflow));
        self.runs[workflow as usize].flow = Some(flow);
        self.jobs[job as usize].flow = Some(flow);
        self.open_flow(flow);
        self.flows[flow as usize].jobs += 1;
        let continues = spec.named || spec.jobs[place as usize].ends_in_shuffle;
        let (job, workflow) = (JobId(job), WorkflowId(flow));
        self.tell(EngineEvent::JobSubmitted { job, workflow, continues });
    }

    fn new_flow(&mut self, workflow: u32) -> u32 {
        let priority = self.runs[workflow as usize].priority;
        let (sets, holds) = (Vec::new(), Vec::new());
        self.flows.push(Flow {
            workflow,
            priority,
            jobs: 0,
            sets,
            holds,
            expired: false,
            held: false,
        });
        index(self.flows.len() - 1)
    }

    fn tell_pool(&mut self, pool: u32) {
        if self.pools_told == 0 {
            self.pools_told = 1;
            let (pool, fair, weight, min_share) = (PoolId::ROOT, true, 1, 0);
            self.tell(EngineEvent::PoolDefined { pool, fair, weight, min_share });
        }
        let known = &mut self.order.pools[pool as usize];
        if known.told.is_none() {
            known.told = Some(self.pools_told);
            let (fair, weight, min_share) =
                (known.spec.fair, known.spec.weight, known.spec.min_share);
            let pool = PoolId(self.pools_told);
            self.pools_told += 1;
            self.tell(EngineEvent::PoolDefined { pool, fair, weight, min_share });
        }
    }

    /// The plan of the job, as far as it is new, and the set.
    fn tell_set(&mut self, stage: u32, set: SetId, tasks: u32) {
        let s = &self.stages[stage as usize];
        let (job, place, spec) = (s.job, s.place, s.spec(self.world));
        let (id, profile) = (StageId(s.id), ProfileId(index(spec.profile)));
        // A barrier stage starts as a whole: spreading it would refuse some of its tasks.
        let (fills_cache, barrier) = (spec.fills_cache && !spec.barrier, spec.barrier);
        if !self.jobs[job as usize].planned[place as usize] {
            self.tell_plan(job);
        }
        let shuffle =
            place + 1 < self.jobs[job as usize].stages || self.job_spec(job).ends_in_shuffle;
        let kind = match (barrier, shuffle) {
            (true, _) => StageKind::Barrier,
            (_, true) => StageKind::ShuffleMap,
            _ => StageKind::Result,
        };
        let (job, stage) = (JobId(job), id);
        self.tell(EngineEvent::SetSubmitted { set, job, stage, tasks, profile, fills_cache, kind });
    }

    /// All stages of a job that have to run and were not planned yet.
    fn tell_plan(&mut self, job: u32) {
        let Self { world, .. } = *self;
        let (workflow, place) = self.jobs[job as usize].of;
        let spec = &world.workflows[workflow as usize].jobs[place as usize];
        let first = self.jobs[job as usize].first_stage as usize;
        // What directly follows: the widest child. Children come after their parents.
        let mut next = vec![(0u32, 0usize); spec.stages.len()];
        for child in 0..spec.stages.len() {
            let missing = self.stages[first + child].missing;
            for parent in parents(spec, child).into_iter().filter(|_| missing > 0) {
                if missing > next[parent].0 {
                    next[parent] = (missing, spec.stages[child].profile);
                }
            }
        }
        for (i, stage) in spec.stages.iter().enumerate() {
            let missing = self.stages[first + i].missing;
            if missing == 0 || std::mem::replace(&mut self.jobs[job as usize].planned[i], true) {
                continue;
            }
            let (width, profile) = next[i];
            let profile = if width > 0 { profile } else { stage.profile };
            self.tell(EngineEvent::StagePlanned {
                job: JobId(job),
                stage: StageId(self.stages[first + i].id),
                tasks: missing,
                next: width,
                next_profile: ProfileId(index(profile)),
                signature: stage.signature.unwrap_or(stage.tasks),
            });
        }
    }

    /// A set has left the scheduler: so may its job.
    pub(crate) fn leave_job(&mut self, set: u32) {
        let job = self.sets[set as usize].job;
        self.jobs[job as usize].sets.retain(|&other| other != set);
    }

    /// The listener hears that a job is over. All its sets are zombies by then.
    pub(crate) fn job_ended(&mut self, job: u32) {
        let j = &self.jobs[job as usize];
        let succeeded = j.ending.unwrap_or(false);
        let flow = j.flow;
        for i in 0..self.jobs[job as usize].sets.len() {
            let set = self.jobs[job as usize].sets[i];
            self.sets[set as usize].over = true;
        }
        if let Some(flow) = flow {
            self.flows[flow as usize].jobs -= 1;
            self.tell(EngineEvent::JobEnded { job: JobId(job), succeeded });
        }
    }
}

/// What ran at one place of a run, if anything did.
fn at(runs: &[Vec<u32>], place: usize) -> Vec<&[u32]> {
    runs.get(place).map(Vec::as_slice).into_iter().collect()
}
