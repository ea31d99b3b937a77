//! The DAG scheduler's part: jobs, their stages, and what waits for what (`DAGScheduler` of Spark 4.1).

use crate::cached::Cached;
use crate::check::parents;
use crate::draw::About;
use crate::host::{Event, Host, MILLI};
use crate::set::NONE;
use crate::stage::Stage;
use crate::world::{JobSpec, Preference};

/// A job that was submitted.
#[derive(Debug)]
pub struct Job {
    /// Spark's number.
    pub id: u32,
    /// Its workflow and its place in that.
    pub of: (u32, u32),
    /// The first of its stages in the table of stages; the others follow.
    pub first_stage: u32,
    /// How many there are.
    pub stages: u32,
    /// It is over.
    pub over: bool,
    /// The engine's workflow, once a task set has been submitted.
    pub flow: Option<u32>,
    /// Stages that the engine has a plan for.
    pub planned: Vec<bool>,
    /// The listener has heard that it is over, whether it went well; sets of it still launch.
    pub ending: Option<bool>,
    /// Sets of it that have not left the scheduler.
    pub sets: Vec<u32>,
}

/// A workflow of the world.
#[derive(Debug)]
pub struct Run {
    /// Jobs that have ended.
    ended: Vec<bool>,
    /// Jobs that were planned.
    planned: Vec<bool>,
    /// Jobs that have not ended.
    left: u32,
    /// The engine's workflow, if it has a name.
    pub flow: Option<u32>,
    /// Of its jobs from now on.
    pub priority: i32,
    /// Where the partitions of the latest job's stages ran.
    pub memory: Vec<Vec<u32>>,
    /// The same of attempts that were not first.
    pub vain: Vec<Vec<u32>>,
    /// Numbers that were drawn for jobs which have not been submitted, by their places.
    pub numbers: Vec<(u32, u32)>,
    /// Where those ran whose cached partitions others read.
    pub cached: Cached,
}

impl Host<'_> {
    pub(crate) fn begin_workflows(&mut self) {
        for (place, workflow) in (0..).zip(&self.world.workflows) {
            let jobs = workflow.jobs.len();
            self.runs.push(Run {
                ended: vec![false; jobs],
                planned: vec![false; jobs],
                left: crate::number(jobs),
                flow: None,
                priority: workflow.priority,
                memory: Vec::new(),
                vain: Vec::new(),
                numbers: Vec::new(),
                cached: Cached::new(workflow),
            });
            if self.only.is_none_or(|only| only == place as usize) {
                self.plan_jobs(place, workflow.arrival_ms * MILLI);
            }
        }
    }

    /// Jobs of a workflow that wait for nothing any more.
    fn plan_jobs(&mut self, workflow: u32, after: u64) {
        let jobs = &self.world.workflows[workflow as usize].jobs;
        for (place, spec) in (0..).zip(jobs) {
            let run = &mut self.runs[workflow as usize];
            let ready = match &spec.after {
                Some(before) => before.iter().all(|&job| run.ended[job]),
                None => place == 0 || run.ended[place as usize - 1],
            };
            if ready && !run.planned[place as usize] {
                run.planned[place as usize] = true;
                self.plan_job(workflow, place, after + spec.gap_ms * MILLI);
            }
        }
    }

    /// The job as the world says.
    pub(crate) fn job_spec(&self, job: u32) -> &JobSpec {
        let (workflow, place) = self.jobs[job as usize].of;
        &self.world.workflows[workflow as usize].jobs[place as usize]
    }

    /// `runJob`.
    pub(crate) fn submit_job(&mut self, workflow: u32, place: u32) {
        let world = self.world;
        let spec = &world.workflows[workflow as usize].jobs[place as usize];
        let number = self.number_of(workflow, place);
        let id = crate::number(self.jobs.len());
        let first_stage = crate::number(self.stages.len());
        let remembers = self.runs[workflow as usize].cached.asks;
        for (stage, s) in (0..).zip(&spec.stages) {
            let tasks = s.tasks as usize;
            self.stages.push(Stage {
                id: self.next_stage,
                job: id,
                place: stage,
                of: (workflow, place),
                done: vec![false; tasks],
                missing: s.tasks,
                attempts: 0,
                active: false,
                ran_on: if remembers { vec![NONE; tasks] } else { Vec::new() },
                ran_in_vain_on: Vec::new(),
            });
            self.next_stage += 1;
        }
        self.jobs.push(Job {
            id: number,
            of: (workflow, place),
            first_stage,
            stages: crate::number(spec.stages.len()),
            over: false,
            flow: None,
            planned: vec![false; spec.stages.len()],
            ending: None,
            sets: Vec::new(),
        });
        if let Some(millis) = spec.cancel_after_ms {
            self.plan(millis * MILLI, Event::Cancel(id));
        }
        self.meter.submitted(self.now, workflow);
        let last = crate::number(spec.stages.len()) - 1;
        self.submit_stage(id, last);
    }

    /// A stage, or first those that it waits for (`submitStage`).
    pub(crate) fn submit_stage(&mut self, job: u32, place: u32) {
        let first = self.jobs[job as usize].first_stage;
        let stage = &self.stages[(first + place) as usize];
        if stage.active || stage.is_complete() {
            return;
        }
        let mut missing = parents(self.job_spec(job), place as usize);
        missing.retain(|&parent| !self.stages[first as usize + parent].is_complete());
        missing.sort_unstable();
        if missing.is_empty() {
            return self.submit_set(first + place);
        }
        for parent in missing {
            self.submit_stage(job, crate::number(parent));
        }
    }

    /// The event loop hears that a task is done.
    pub(crate) fn done(&mut self, stage: u32, partition: u32, attempt: u32) {
        let s = &mut self.stages[stage as usize];
        let job = s.job;
        if self.jobs[job as usize].over {
            return;
        }
        s.complete(partition);
        if attempt + 1 < s.attempts {
            self.queue.plan(self.now, Event::Elsewhere(stage, partition));
        }
        if !self.stages[stage as usize].is_complete() {
            // Most of the time; the job's part of the world is far away in memory.
            return;
        }
        let Job { first_stage, stages, .. } = self.jobs[job as usize];
        let results = stage + 1 == first_stage + stages && !self.job_spec(job).ends_in_shuffle;
        let s = &mut self.stages[stage as usize];
        // Results are taken in any case; shuffle output only while the stage runs.
        if s.active || results {
            s.active = false;
            self.stage_done(job, stage);
        }
    }

    fn stage_done(&mut self, job: u32, stage: u32) {
        let Job { first_stage, stages, .. } = self.jobs[job as usize];
        if stage + 1 == first_stage + stages {
            return self.end_job(job, true);
        }
        let place = (stage - first_stage) as usize;
        for child in place + 1..stages as usize {
            if parents(self.job_spec(job), child).contains(&place) {
                let child = first_stage + crate::number(child);
                if self.stages[child as usize].is_complete() {
                    // Its attempts that went on have made all of it after one of them lacked input.
                    self.stage_done(job, child);
                } else {
                    self.submit_stage(job, child - first_stage);
                }
            }
        }
    }

    /// A partition was made by an earlier attempt of its stage (`markPartitionCompleted`).
    pub(crate) fn done_elsewhere(&mut self, stage: u32, partition: u32) {
        let job = &self.jobs[self.stages[stage as usize].job as usize];
        let sets = &self.sets;
        let of_stage = |set: &&u32| {
            let s = &sets[**set as usize];
            s.stage == stage && !s.zombie
        };
        let Some(set) = job.sets.iter().find(of_stage).copied() else { return };
        let s = &mut self.sets[set as usize];
        let task = match &s.parts {
            None => Some(partition),
            Some(parts) => parts.binary_search(&partition).ok().map(crate::number),
        };
        let Some(task) = task.filter(|&t| !s.tasks[t as usize].successful) else { return };
        let t = &mut s.tasks[task as usize];
        s.waiting -= u32::from(t.waits());
        t.successful = true;
        s.done += 1;
        s.fresh = true;
        let id = s.id;
        let complete = s.done as usize == s.tasks.len();
        if !s.over {
            self.tell(holdfast_engine::Event::FinishedElsewhere { set: id, task });
        }
        if complete {
            self.take_out(set);
        } else {
            self.classify(set);
        }
        self.maybe_finish(set);
    }

    /// A job is over: what still runs of it is killed, and what waits for it is planned.
    pub(crate) fn end_job(&mut self, job: u32, succeeded: bool) {
        if std::mem::replace(&mut self.jobs[job as usize].over, true) {
            return;
        }
        let Job { of: (workflow, place), first_stage, stages, .. } = self.jobs[job as usize];
        let mut sets = self.jobs[job as usize].sets.clone();
        sets.sort_by_key(|&set| self.sets[set as usize].stage);
        for set in sets {
            self.suspend(set);
        }
        self.jobs[job as usize].ending = Some(succeeded);
        self.plan(self.world.spark.lag_ms * MILLI, Event::JobEnded(job));
        let run = &mut self.runs[workflow as usize];
        let read: Vec<usize> = run.cached.read_of(place as usize).collect();
        for stage in read {
            let ran_on = self.stages[first_stage as usize + stage].ran_on.clone();
            run.cached.keep(place as usize, stage, ran_on);
        }
        let range = first_stage as usize..(first_stage + stages) as usize;
        run.memory.clear();
        run.vain.clear();
        for stage in &mut self.stages[range] {
            run.memory.push(std::mem::take(&mut stage.ran_on));
            run.vain.push(std::mem::take(&mut stage.ran_in_vain_on));
            stage.done = Vec::new();
        }
        run.ended[place as usize] = true;
        run.left -= 1;
        if run.left == 0 {
            self.open -= 1;
            (run.memory, run.vain) = (Vec::new(), Vec::new());
            run.cached.clear();
            self.meter.ended(self.now, workflow);
        } else {
            self.plan_jobs(workflow, 0);
        }
    }

    /// `killAllTaskAttempts` of one set, in the order of launches.
    pub(crate) fn suspend(&mut self, set: u32) {
        let mut running: Vec<u32> = self.sets[set as usize]
            .tasks
            .iter()
            .flat_map(|task| {
                std::iter::successors((task.latest != NONE).then_some(task.latest), |&a| {
                    let next = self.attempts[a as usize].next;
                    (next != NONE).then_some(next)
                })
            })
            .collect();
        running.sort_unstable_by_key(|&attempt| self.attempts[attempt as usize].number);
        for attempt in running {
            self.kill(attempt);
        }
        self.take_out(set);
        self.maybe_finish(set);
    }

    /// Where a task of a stage would like to run, drawn or remembered.
    pub(crate) fn wished(&self, stage: u32, partition: u32) -> Option<u32> {
        let s = &self.stages[stage as usize];
        let spec = s.spec(self.world);
        match spec.preference {
            Preference::Anywhere | Preference::Output => None,
            Preference::Hosts | Preference::Executors => {
                let most = crate::number(self.cluster.alive.len()).checked_sub(1)?;
                let draw = s.draw(self.draw.about(About::Preference)).of(u64::from(partition));
                Some(self.cluster.alive[draw.up_to(most) as usize])
            }
            Preference::Before => {
                let job = &self.jobs[s.job as usize];
                let parents = parents(self.job_spec(s.job), s.place as usize);
                let before = match parents.first() {
                    Some(&parent) => &self.stages[job.first_stage as usize + parent].ran_on,
                    None => {
                        let memory = &self.runs[s.of.0 as usize].memory;
                        memory.get(s.place as usize).or_else(|| memory.first())?
                    }
                };
                let place = (partition as usize).checked_rem(before.len())?;
                Some(before[place]).filter(|&e| self.cluster.stays(e))
            }
            Preference::CachedBy { job, stage } => {
                let own = self.jobs[s.job as usize].first_stage as usize + stage;
                let by = if job == s.of.1 as usize {
                    &self.stages[own].ran_on
                } else {
                    self.runs[s.of.0 as usize].cached.of(job, stage)?
                };
                by.get(partition as usize).copied().filter(|&e| self.cluster.stays(e))
            }
        }
    }
}
