//! The DAG scheduler's part: jobs, their stages, and what waits for what (`DAGScheduler` of Spark 4.1).

use rustc_hash::FxHashSet;

use crate::dag::job::{Job, Run, edges};
use crate::dag::stage::Stage;
use crate::driver::state::{Event, Host, MILLI};
use crate::ids::{NONE, index};
use crate::world::draw::About;
use crate::world::parents;
use crate::world::{JobSpec, Preference};

impl Host<'_> {
    pub(crate) fn begin_workflows(&mut self) {
        for (place, workflow) in (0..).zip(&self.world.workflows) {
            let run = Run::new(workflow);
            let ready: Vec<u32> =
                (0..).zip(&run.waits).filter(|(_, w)| **w == 0).map(|(job, _)| job).collect();
            self.runs.push(run);
            if self.only.is_none_or(|only| only == place as usize) {
                self.plan_jobs(place, &ready, workflow.arrival_ms * MILLI);
            }
        }
    }

    /// Jobs of a workflow that wait for nothing any more.
    fn plan_jobs(&mut self, workflow: u32, ready: &[u32], after: u64) {
        let jobs = &self.world.workflows[workflow as usize].jobs;
        for &place in ready {
            let gap_ms = jobs[place as usize].gap_ms;
            self.plan_job(workflow, place, after + gap_ms * MILLI);
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
        let id = index(self.jobs.len());
        let first_stage = index(self.stages.len());
        let edges = edges(spec);
        let remembers = self.runs[workflow as usize].cached.asks;
        for (stage, s) in (0..).zip(&spec.stages) {
            let (of, at) = ((workflow, place), (id, stage));
            self.stages.push(Stage::new(self.next_stage, at, of, s.tasks, remembers));
            self.next_stage += 1;
        }
        self.jobs.push(Job {
            id: number,
            of: (workflow, place),
            first_stage,
            stages: index(spec.stages.len()),
            edges,
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
        let last = index(spec.stages.len()) - 1;
        self.submit_stage(id, last);
    }

    /// A stage, or first those that it waits for (`submitStage`). Not by calling itself: a chain may have any length.
    pub(crate) fn submit_stage(&mut self, job: u32, place: u32) {
        let first = self.jobs[job as usize].first_stage;
        let mut seen = FxHashSet::default();
        let mut next = vec![place];
        while let Some(place) = next.pop() {
            let stage = &self.stages[(first + place) as usize];
            if stage.active || stage.is_complete() || !seen.insert(place) {
                continue;
            }
            let mut missing = parents(self.job_spec(job), place as usize);
            missing.retain(|&parent| !self.stages[first as usize + parent].is_complete());
            if missing.is_empty() {
                self.submit_set(first + place);
                continue;
            }
            // The last one is taken first.
            missing.sort_unstable_by(|a, b| b.cmp(a));
            next.extend(missing.into_iter().map(index));
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
        let mut next = vec![stage - first_stage];
        let mut is_first = true;
        while let Some(place) = next.pop() {
            // A child may be complete, too: its attempts that went on have made all of it after one of them lacked input.
            if !std::mem::take(&mut is_first)
                && !self.stages[(first_stage + place) as usize].is_complete()
            {
                self.submit_stage(job, place);
            } else if place + 1 == stages {
                self.end_job(job, true);
            } else {
                next.extend(self.jobs[job as usize].edges.after(place).into_iter().rev());
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
            Some(parts) => parts.binary_search(&partition).ok().map(index),
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
            stage.forget();
        }
        let mut ready = run.edges.after(place);
        ready.retain(|&job| {
            run.waits[job as usize] -= 1;
            run.waits[job as usize] == 0
        });
        run.left -= 1;
        if run.left == 0 {
            self.open -= 1;
            (run.memory, run.vain) = (Vec::new(), Vec::new());
            run.cached.clear();
            self.meter.ended(self.now, workflow);
        } else {
            self.plan_jobs(workflow, &ready, 0);
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
                let most = index(self.cluster.alive.len()).checked_sub(1)?;
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
