//! What is true on the host's side: kept by the events alone, apart from any model.

use std::collections::{BTreeMap, BTreeSet};

use holdfast_engine::{
    AttemptId, Event, ExecutorId, JobId, Outcome, ProfileId, Resources, SetId, StageId, StageKind,
    WorkflowId,
};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Attempt {
    pub(crate) set: SetId,
    pub(crate) task: u32,
    pub(crate) executor: ExecutorId,
}

#[derive(Clone, Debug)]
pub(crate) struct Set {
    pub(crate) job: JobId,
    pub(crate) stage: StageId,
    pub(crate) tasks: u32,
    pub(crate) finished: BTreeSet<u32>,
    pub(crate) zombie: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Job {
    /// The stages in the order in which they run, and whether they are done.
    pub(crate) stages: Vec<(StageId, u32, bool)>,
}

/// The host's books.
#[derive(Clone, Debug, Default)]
pub(crate) struct Truth {
    /// Where tasks of a profile run, and what each asks for.
    pub(crate) profiles: BTreeMap<ProfileId, (ProfileId, Resources)>,
    pub(crate) executors: BTreeMap<ExecutorId, ProfileId>,
    pub(crate) workflows: BTreeSet<WorkflowId>,
    pub(crate) jobs: BTreeMap<JobId, Job>,
    pub(crate) sets: BTreeMap<SetId, Set>,
    pub(crate) attempts: BTreeMap<AttemptId, Attempt>,
    /// What a task of each set asked for when it was submitted, ended ones too.
    pub(crate) demands: BTreeMap<SetId, Resources>,
    /// How large a task is, if that was said before its set's first launch.
    pub(crate) sizes: BTreeMap<(SetId, u32), u32>,
    /// The kind of each of these.
    pub(crate) kinds: BTreeMap<SetId, StageKind>,
    /// The profile of the executors that each of these runs on.
    pub(crate) set_profiles: BTreeMap<SetId, ProfileId>,
}

impl Truth {
    /// Books an event that was not refused.
    pub(crate) fn apply(&mut self, event: &Event) {
        match *event {
            Event::ProfileDefined { profile, runs_on, demand } => {
                self.profiles.insert(profile, (runs_on, demand));
            }
            Event::ExecutorAdded { executor, profile, .. } => {
                self.executors.insert(executor, profile);
            }
            Event::ExecutorLost { executor } => {
                self.executors.remove(&executor);
                self.attempts.retain(|_, attempt| attempt.executor != executor);
            }
            Event::WorkflowOpened { workflow, .. } => {
                self.workflows.insert(workflow);
            }
            Event::JobSubmitted { job, .. } => {
                self.jobs.insert(job, Job { stages: Vec::new() });
            }
            Event::StagePlanned { job, stage, tasks, .. } => {
                if let Some(job) = self.jobs.get_mut(&job) {
                    job.stages.retain(|(known, ..)| *known != stage);
                    job.stages.push((stage, tasks, false));
                }
            }
            Event::JobEnded { job, .. } => {
                self.jobs.remove(&job);
                self.sets.retain(|_, set| set.job != job);
            }
            Event::SetSubmitted { .. } => self.submitted(event),
            Event::SetEnded { set } => self.ended(set),
            Event::Launched { attempt, set, task, executor, .. } => {
                self.attempts.insert(attempt, Attempt { set, task, executor });
            }
            Event::SlotFreed { attempt, outcome } => {
                let Some(gone) = self.attempts.remove(&attempt) else {
                    return;
                };
                if outcome == Outcome::Finished
                    && let Some(set) = self.sets.get_mut(&gone.set)
                {
                    set.finished.insert(gone.task);
                }
            }
            Event::Unfinished { set, task } => {
                self.sets.entry(set).and_modify(|set| {
                    set.finished.remove(&task);
                });
            }
            Event::FinishedElsewhere { set, task } => {
                self.sets.entry(set).and_modify(|set| {
                    set.finished.insert(task);
                });
            }
            Event::WorkflowClosed { .. } | Event::ExecutorBarred { .. } | Event::Tick => {}
            Event::Recalled { .. } | Event::PoolDefined { .. } | Event::Bounded { .. } => {}
            Event::RunEnded { .. } | Event::Akin { .. } => {}
            Event::TaskSized { set, task, units } => {
                if !self.attempts.values().any(|attempt| attempt.set == set) {
                    self.sizes.insert((set, task), units.max(1));
                }
            }
            Event::StageBounded { .. } | Event::Progressed { .. } | Event::Sampled { .. } => {}
        }
    }

    fn submitted(&mut self, event: &Event) {
        let Event::SetSubmitted { set, job, stage, tasks, profile, kind, .. } = *event else {
            return;
        };
        for old in self.sets.values_mut() {
            old.zombie |= old.job == job && old.stage == stage;
        }
        // Attempts of an earlier set of that name belong to none any more.
        for attempt in self.attempts.values_mut().filter(|attempt| attempt.set == set) {
            attempt.set = SetId(u32::MAX);
        }
        self.sizes.retain(|(sized, _), _| *sized != set);
        self.sets.insert(set, Set { job, stage, tasks, finished: BTreeSet::new(), zombie: false });
        let (runs_on, demand) =
            self.profiles.get(&profile).copied().unwrap_or((profile, Resources::default()));
        self.set_profiles.insert(set, runs_on);
        self.kinds.insert(set, kind);
        self.demands.insert(set, demand);
    }

    fn ended(&mut self, id: SetId) {
        let Some(set) = self.sets.remove(&id) else {
            return;
        };
        let complete = set.finished.len() == set.tasks as usize && !set.zombie;
        let Some(job) = self.jobs.get_mut(&set.job) else {
            return;
        };
        for stage in job.stages.iter_mut().filter(|stage| stage.0 == set.stage) {
            stage.2 |= complete;
        }
    }

    /// Tasks of a set that are neither finished nor running, in order.
    pub(crate) fn pending(&self, id: SetId) -> Vec<u32> {
        let Some(set) = self.sets.get(&id).filter(|set| !set.zombie) else {
            return Vec::new();
        };
        let running: BTreeSet<u32> =
            self.attempts.values().filter(|a| a.set == id).map(|a| a.task).collect();
        let open = |task: &u32| !set.finished.contains(task) && !running.contains(task);
        (0..set.tasks).filter(open).take(64).collect()
    }

    pub(crate) fn complete(&self, id: SetId) -> bool {
        self.sets.get(&id).is_some_and(|s| s.zombie || s.finished.len() == s.tasks as usize)
    }

    /// Stages of a job that are not done and have no live set.
    pub(crate) fn waiting_stage(&self, id: JobId) -> Option<(StageId, u32)> {
        let live = |stage: StageId| {
            self.sets.values().any(|set| set.job == id && set.stage == stage && !set.zombie)
        };
        let open = |(stage, _, done): &&(StageId, u32, bool)| !done && !live(*stage);
        self.jobs[&id].stages.iter().find(open).map(|(stage, tasks, _)| (*stage, *tasks))
    }

    /// Whether a set of that job runs.
    pub(crate) fn busy(&self, id: JobId) -> bool {
        self.sets.values().any(|set| set.job == id && !set.zombie)
    }

    pub(crate) fn ended_all_stages(&self, id: JobId) -> bool {
        let stages = &self.jobs[&id].stages;
        !stages.is_empty() && stages.iter().all(|(_, _, done)| *done) && !self.busy(id)
    }
}
