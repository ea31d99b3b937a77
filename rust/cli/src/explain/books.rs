//! The books of a log: names of workflows, executors and stages, and which belong together.

use std::collections::BTreeMap;

use holdfast_engine::pareto::STRICT;
use holdfast_engine::{
    AttemptId, Decision, Event, ExecutorId, JobId, Outcome, SetId, StageId, WorkflowId,
};
use holdfast_log::{Entry, NameKind, Record, event_to_wire};
use holdfast_schema::EVENTS;
use holdfast_words::{count, shown};
use rustc_hash::{FxHashMap, FxHashSet};

/// A task set, as far as a reader cares.
#[derive(Clone, Copy)]
pub(super) struct Set {
    pub(super) stage: StageId,
    workflow: Option<WorkflowId>,
}

/// An attempt that occupies a slot.
#[derive(Clone, Copy)]
pub(super) struct Attempt {
    pub(super) set: Set,
    pub(super) task: u32,
    pub(super) executor: ExecutorId,
}

/// Names and relations up to some record.
#[derive(Default)]
pub(super) struct Books {
    executors: BTreeMap<u32, Option<String>>,
    workflows: BTreeMap<u32, Option<String>>,
    /// Whose latest job a workflow's was.
    users: BTreeMap<u32, String>,
    /// What a client chose that gave a workflow something.
    claims: BTreeMap<u32, String>,
    priorities: FxHashMap<WorkflowId, i32>,
    jobs: FxHashMap<JobId, WorkflowId>,
    sets: FxHashMap<SetId, Set>,
    attempts: FxHashMap<AttemptId, Attempt>,
    stages: FxHashSet<u32>,
    holds: u64,
}

/// An empty name takes back what was said.
fn put(names: &mut BTreeMap<u32, String>, id: u32, name: &str) {
    names.remove(&id);
    if !name.is_empty() {
        names.insert(id, shown(name));
    }
}

impl Books {
    /// Takes a record in.
    pub(super) fn see(&mut self, record: &Record) {
        match &record.entry {
            Entry::Name { kind: NameKind::Executor, id, name } => {
                self.executors.insert(*id, Some(shown(name)));
            }
            Entry::Name { kind: NameKind::Workflow, id, name } => {
                self.workflows.insert(*id, Some(shown(name)));
            }
            Entry::Name { kind: NameKind::User, id, name } => {
                put(&mut self.users, *id, name);
            }
            Entry::Name { kind: NameKind::Claim, id, name } => {
                put(&mut self.claims, *id, name);
            }
            Entry::Event { event, decisions, error } => {
                let made = decisions.iter().filter(|d| matches!(d, Decision::Held { .. }));
                self.holds += made.count() as u64;
                if error.is_none() {
                    self.apply(event);
                }
            }
        }
    }

    fn apply(&mut self, event: &Event) {
        match *event {
            Event::ExecutorAdded { executor, .. } => {
                self.executors.entry(executor.0).or_default();
            }
            Event::ExecutorLost { executor } => {
                self.attempts.retain(|_, attempt| attempt.executor != executor);
            }
            Event::WorkflowOpened { workflow, priority, .. } => {
                self.workflows.entry(workflow.0).or_default();
                self.priorities.insert(workflow, priority);
            }
            Event::JobSubmitted { job, workflow, .. } => {
                self.jobs.insert(job, workflow);
            }
            Event::JobEnded { job, .. } => {
                self.jobs.remove(&job);
            }
            Event::SetSubmitted { set, job, stage, .. } => {
                let workflow = self.jobs.get(&job).copied();
                self.sets.insert(set, Set { stage, workflow });
                self.stages.insert(stage.0);
            }
            Event::SetEnded { set } => {
                self.sets.remove(&set);
            }
            Event::Launched { attempt, set, task, executor, .. } => {
                if let Some(&set) = self.sets.get(&set) {
                    self.attempts.insert(attempt, Attempt { set, task, executor });
                }
            }
            Event::SlotFreed { attempt, .. } => {
                self.attempts.remove(&attempt);
            }
            _ => {}
        }
    }

    /// Ids with their names, or with what stands for one; users with the ids of their workflows.
    pub(super) fn known(&self, kind: NameKind) -> Vec<(u32, String)> {
        let names = match kind {
            NameKind::Executor => &self.executors,
            NameKind::Workflow => &self.workflows,
            NameKind::User => return self.users.clone().into_iter().collect(),
            NameKind::Claim => return self.claims.clone().into_iter().collect(),
        };
        names
            .iter()
            .map(|(id, name)| (*id, name.clone().unwrap_or_else(|| id.to_string())))
            .collect()
    }

    pub(super) fn knows_stage(&self, stage: u32) -> bool {
        self.stages.contains(&stage)
    }

    pub(super) const fn holds_made(&self) -> u64 {
        self.holds
    }

    /// Returns the priority said last; 0 when none was.
    pub(super) fn priority(&self, workflow: WorkflowId) -> i32 {
        self.priorities.get(&workflow).copied().unwrap_or(0)
    }

    pub(super) fn workflow(&self, workflow: WorkflowId) -> String {
        let name = self.workflows.get(&workflow.0).cloned().flatten();
        name.unwrap_or_else(|| format!("workflow {}", workflow.0))
    }

    pub(super) fn user(&self, workflow: WorkflowId) -> Option<&str> {
        self.users.get(&workflow.0).map(String::as_str)
    }

    /// Returns what a client chose that gave the workflow something.
    pub(super) fn claim(&self, workflow: WorkflowId) -> Option<&str> {
        self.claims.get(&workflow.0).map(String::as_str)
    }

    /// Workflows of which something was claimed.
    pub(super) fn claimed(&self) -> impl ExactSizeIterator<Item = WorkflowId> + '_ {
        self.claims.keys().map(|&id| WorkflowId(id))
    }

    pub(super) fn executor(&self, executor: ExecutorId) -> String {
        match self.executors.get(&executor.0).and_then(Option::as_ref) {
            Some(name) => format!("executor {name}"),
            None => format!("executor #{}", executor.0),
        }
    }

    /// Returns the stage whose task an event launches or takes off its slot. Ask before the event is taken in.
    pub(super) fn stage_of(&self, event: &Event) -> Option<u32> {
        let set = match event {
            Event::Launched { set, .. } => self.sets.get(set),
            Event::SlotFreed { attempt, .. } => self.attempts.get(attempt).map(|a| &a.set),
            _ => None,
        };
        set.map(|set| set.stage.0)
    }

    /// Returns a task set that has not ended.
    pub(super) fn set(&self, set: SetId) -> Option<Set> {
        self.sets.get(&set).copied()
    }

    /// Returns an attempt that runs.
    pub(super) fn attempt(&self, attempt: AttemptId) -> Option<Attempt> {
        self.attempts.get(&attempt).copied()
    }

    /// Returns the workflow of a job that has not ended, in parentheses after a space.
    pub(super) fn owner(&self, job: JobId) -> String {
        self.of(self.jobs.get(&job).copied())
    }

    /// Returns whether an attempt of a task runs: one more is a copy.
    fn runs(&self, set: Option<Set>, task: u32) -> bool {
        let same = |a: &Attempt| set.is_some_and(|set| a.set.stage == set.stage) && a.task == task;
        self.attempts.values().any(same)
    }

    /// Returns an event as a clause. Ask before the event is taken in.
    pub(super) fn clause(&self, event: &Event) -> String {
        match *event {
            Event::ExecutorAdded { executor, .. } => format!("{} joined", self.executor(executor)),
            Event::ExecutorBarred { executor, barred } => {
                let may = if barred { "may get no new tasks" } else { "may get tasks again" };
                format!("{} {may}", self.executor(executor))
            }
            Event::ExecutorLost { executor } => format!("{} was lost", self.executor(executor)),
            Event::WorkflowOpened { workflow, priority, isolation, .. } => {
                let isolation = f64::from(isolation) / f64::from(STRICT);
                let workflow = self.workflow(workflow);
                format!("{workflow} got priority {priority} and isolation {isolation}")
            }
            Event::PoolDefined { pool, fair, .. } => {
                let how = if fair { "shares fairly" } else { "goes in order" };
                format!("pool {} was defined: it {how}", pool.0)
            }
            Event::Bounded { workflow, holds, .. } => {
                let slots = count(holds.into(), "slot");
                format!("the holds of {}'s user were bounded to {slots}", self.workflow(workflow))
            }
            Event::Recalled { workflow, .. } => {
                format!("an earlier run of {} was recalled", self.workflow(workflow))
            }
            Event::Akin { workflow, to } => {
                format!("{} repeats what {} does", self.workflow(workflow), self.workflow(to))
            }
            Event::WorkflowClosed { workflow } => format!("{} was closed", self.workflow(workflow)),
            Event::RunEnded { workflow } => format!("a run of {} ended", self.workflow(workflow)),
            Event::JobSubmitted { job, workflow, .. } => {
                format!("job {} of {} was submitted", job.0, self.workflow(workflow))
            }
            Event::StagePlanned { job, stage, .. } => {
                format!("job {} planned stage {}", job.0, stage.0)
            }
            Event::JobEnded { job, succeeded } => {
                let owner = self.of(self.jobs.get(&job).copied());
                let how = if succeeded { "ended" } else { "failed or was cancelled" };
                format!("job {}{owner} {how}", job.0)
            }
            Event::SetSubmitted { job, stage, tasks, .. } => {
                let owner = self.of(self.jobs.get(&job).copied());
                format!(
                    "stage {}{owner} was submitted with {}",
                    stage.0,
                    count(tasks.into(), "task")
                )
            }
            Event::SetEnded { set } => match self.sets.get(&set) {
                Some(set) => format!("stage {}{} ended", set.stage.0, self.of(set.workflow)),
                None => "a task set ended".to_owned(),
            },
            Event::Launched { set, task, executor, .. } => {
                let copy = self.runs(self.sets.get(&set).copied(), task);
                let of = if copy { "a copy of " } else { "" };
                let task = self.task(self.sets.get(&set).copied(), task);
                format!("{of}{task} was launched on {}", self.executor(executor))
            }
            Event::SlotFreed { attempt, outcome } => {
                let how = match outcome {
                    Outcome::Finished => "finished",
                    Outcome::NotFinished => "stopped unfinished",
                    Outcome::Failed => "failed",
                };
                match self.attempts.get(&attempt) {
                    Some(a) => {
                        let task = self.task(Some(a.set), a.task);
                        format!("{task} {how} on {}", self.executor(a.executor))
                    }
                    None => format!("a task {how}"),
                }
            }
            Event::Unfinished { set, task } => {
                format!("{} has to run again", self.task(self.sets.get(&set).copied(), task))
            }
            Event::FinishedElsewhere { set, task } => {
                format!("{} was finished elsewhere", self.task(self.sets.get(&set).copied(), task))
            }
            _ => clause_without_names(event),
        }
    }

    fn task(&self, set: Option<Set>, task: u32) -> String {
        match set {
            Some(set) => format!("task {task} of stage {}{}", set.stage.0, self.of(set.workflow)),
            None => format!("task {task}"),
        }
    }

    fn of(&self, workflow: Option<WorkflowId>) -> String {
        workflow.map_or_else(String::new, |w| format!(" ({})", self.workflow(w)))
    }
}

/// The schema's clause about an event, or its name.
fn clause_without_names(event: &Event) -> String {
    let (kind, _) = event_to_wire(event);
    let event = EVENTS.iter().find(|event| event.kind == kind);
    event.map_or_else(String::new, |event| match event.clause {
        "" => event.name.to_owned(),
        clause => clause.to_owned(),
    })
}
