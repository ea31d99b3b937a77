//! Runs of workflows: when they begin and end.
//!
//! A run lives while a Spark job of its workflow is active, or a SQL execution that has submitted one. It begins with
//! the first of them: the SQL execution is known to be the workflow's only by its first job, so its beginning counts
//! from then on. It ends when the last of them ends, unless another comes within the linger: then the time between is
//! part of it. A job by itself, a SQL execution and a streaming query's micro-batch end without a linger.

use std::collections::{BTreeSet, VecDeque};

use rustc_hash::FxHashMap;

use crate::spark_event::{JobNames, Kind, Millis};

/// A run; later ones have larger numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RunId(pub u32);

/// A run that begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opened {
    /// Its workflow's name, unique in the application.
    pub workflow: String,
    /// What the name comes from.
    pub kind: Kind,
    /// How many runs the workflow has had, with this one.
    pub number: u32,
    /// The pool of its first job.
    pub pool: Option<String>,
    /// The description of its first job, or of its SQL execution.
    pub description: Option<String>,
    /// When it began.
    pub arrival: Millis,
}

/// What a job's begin means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Started {
    /// The run that the job belongs to.
    pub run: RunId,
    /// If the run begins with it, or gets its name from it: until then only broadcasts of its SQL execution were seen.
    pub opened: Option<Opened>,
}

struct Run {
    workflow: Box<str>,
    kind: Kind,
    /// Jobs and SQL executions that have not ended.
    active: u32,
    /// Whether a SQL execution tells when it ends.
    has_execution: bool,
    /// Whether all its jobs compute broadcasts for a SQL execution: what that belongs to is not known yet.
    helpers: bool,
    arrival: Millis,
    idle_since: Millis,
}

struct Execution {
    began: Millis,
    description: Option<String>,
    run: Option<RunId>,
}

/// Keeps the books of runs.
pub struct Runs {
    linger: Millis,
    /// Whether each SQL execution is a workflow of its own, whatever else names its jobs.
    by_execution: bool,
    next: u32,
    runs: FxHashMap<RunId, Run>,
    by_name: FxHashMap<Box<str>, RunId>,
    /// Runs of workflows whose names come again.
    numbers: FxHashMap<Box<str>, u32>,
    executions: FxHashMap<u64, Execution>,
    jobs: FxHashMap<u32, RunId>,
    /// Runs that may have ended, by when: those that linger, and those that do not.
    lingering: VecDeque<(Millis, RunId)>,
    ending: VecDeque<(Millis, RunId)>,
}

impl Runs {
    /// The default linger in milliseconds: that of `spark.holdfast.linger.max`.
    pub const LINGER: Millis = 5_000;

    /// Runs with a linger in milliseconds.
    pub fn new(linger: Millis) -> Self {
        Self {
            linger,
            by_execution: false,
            next: 0,
            runs: FxHashMap::default(),
            by_name: FxHashMap::default(),
            numbers: FxHashMap::default(),
            executions: FxHashMap::default(),
            jobs: FxHashMap::default(),
            lingering: VecDeque::new(),
            ending: VecDeque::new(),
        }
    }

    /// Makes each SQL execution a workflow of its own, whatever else names its jobs.
    #[must_use]
    pub fn by_execution(self, by_execution: bool) -> Self {
        Self { by_execution, ..self }
    }

    /// A SQL execution begins.
    pub fn execution_started(&mut self, at: Millis, execution: u64, description: Option<String>) {
        let new = Execution { began: at, description, run: None };
        self.executions.insert(execution, new);
    }

    /// Ends a SQL execution; returns its run, if that has become idle.
    pub fn execution_ended(&mut self, at: Millis, execution: u64) -> Option<RunId> {
        let run = self.executions.remove(&execution).and_then(|execution| execution.run)?;
        self.leave(at, run).then_some(run)
    }

    /// Returns the run of a SQL execution that has submitted a job.
    pub fn of_execution(&self, execution: u64) -> Option<RunId> {
        self.executions.get(&execution)?.run
    }

    /// When the earliest of the SQL executions began that have submitted no job yet.
    pub fn earliest_without_job(&self) -> Option<Millis> {
        let waiting = self.executions.values().filter(|execution| execution.run.is_none());
        waiting.map(|execution| execution.began).min()
    }

    /// Begins a job; one of the same number must have ended. `pools` are those that give workflows a name.
    pub fn job_started(
        &mut self,
        at: Millis,
        job: u32,
        names: &JobNames,
        pools: &BTreeSet<String>,
    ) -> Started {
        let (kind, workflow) = match names.root() {
            Some(execution) if self.by_execution => (Kind::Sql, format!("sql:{execution}")),
            _ => names.workflow(job, pools),
        };
        let served = names.root().and_then(|root| self.executions.get(&root)?.run);
        let (run, opened) = match (self.by_name.get(workflow.as_str()), served) {
            (_, Some(served)) if names.helper => (served, None),
            (Some(&run), _) => (run, None),
            (None, Some(served)) if self.runs.get(&served).is_some_and(|run| run.helpers) => {
                (served, self.rename(served, kind, &workflow, names))
            }
            (None, _) => self.open(at, kind, &workflow, names),
        };
        self.enter(run);
        if let Some(run) = self.runs.get_mut(&run) {
            run.helpers &= names.helper;
        }
        self.jobs.insert(job, run);
        for execution in [names.root(), names.execution].into_iter().flatten() {
            if let Some(known) = self.executions.get_mut(&execution)
                && known.run.is_none()
            {
                known.run = Some(run);
                self.enter(run);
                if let Some(run) = self.runs.get_mut(&run) {
                    run.has_execution = true;
                }
            }
        }
        Started { run, opened }
    }

    fn open(
        &mut self,
        at: Millis,
        kind: Kind,
        workflow: &str,
        names: &JobNames,
    ) -> (RunId, Option<Opened>) {
        let began = |id: Option<u64>| Some(self.executions.get(&id?)?.began);
        let arrival = [began(names.root()), began(names.execution)]
            .into_iter()
            .flatten()
            .fold(at, Millis::min);
        let id = RunId(self.next);
        self.next += 1;
        let run = Run {
            workflow: workflow.into(),
            kind,
            active: 0,
            has_execution: false,
            helpers: names.helper,
            arrival,
            idle_since: at,
        };
        self.runs.insert(id, run);
        self.by_name.insert(workflow.into(), id);
        (id, Some(self.opened(arrival, kind, workflow, names)))
    }

    /// Renames a run whose jobs have all been broadcasts to this workflow.
    fn rename(
        &mut self,
        id: RunId,
        kind: Kind,
        workflow: &str,
        names: &JobNames,
    ) -> Option<Opened> {
        let run = self.runs.get_mut(&id)?;
        self.by_name.remove(&run.workflow);
        self.by_name.insert(workflow.into(), id);
        run.workflow = workflow.into();
        run.kind = kind;
        let arrival = run.arrival;
        Some(self.opened(arrival, kind, workflow, names))
    }

    fn opened(&mut self, arrival: Millis, kind: Kind, workflow: &str, names: &JobNames) -> Opened {
        let number = if matches!(kind, Kind::Sql | Kind::Job) {
            1
        } else {
            let number = self.numbers.entry(workflow.into()).or_insert(0);
            *number += 1;
            *number
        };
        let of_root = names.root().and_then(|root| self.executions.get(&root)?.description.clone());
        Opened {
            workflow: workflow.to_owned(),
            kind,
            number,
            pool: names.pool.clone(),
            description: names.description.clone().or(of_root),
            arrival,
        }
    }

    /// Ends a job; returns its run, if that has become idle.
    pub fn job_ended(&mut self, at: Millis, job: u32) -> Option<RunId> {
        let run = self.jobs.remove(&job)?;
        self.leave(at, run).then_some(run)
    }

    fn enter(&mut self, run: RunId) {
        if let Some(run) = self.runs.get_mut(&run) {
            run.active += 1;
        }
    }

    /// Something of a run has ended; whether that was the last.
    fn leave(&mut self, at: Millis, id: RunId) -> bool {
        let Some(run) = self.runs.get_mut(&id) else { return false };
        run.active = run.active.saturating_sub(1);
        if run.active > 0 {
            return false;
        }
        run.idle_since = at;
        let at_once = match run.kind {
            Kind::Job => true,
            Kind::Sql | Kind::Stream => run.has_execution,
            _ => false,
        };
        if at_once { &mut self.ending } else { &mut self.lingering }.push_back((at, id));
        true
    }

    /// Returns the next run that has ended before `now`, and when; ask until there is none.
    pub fn expired(&mut self, now: Millis) -> Option<(RunId, Millis)> {
        let (runs, linger) = (&self.runs, self.linger);
        let next = |queue: &mut VecDeque<(Millis, RunId)>, linger: Millis| {
            while let Some(&(since, id)) = queue.front() {
                if since.saturating_add(linger) >= now {
                    break;
                }
                queue.pop_front();
                let over = |run: &Run| run.active == 0 && run.idle_since == since;
                if runs.get(&id).is_some_and(over) {
                    return Some((id, since));
                }
            }
            None
        };
        let ended = next(&mut self.ending, 0).or_else(|| next(&mut self.lingering, linger))?;
        self.forget(ended.0);
        Some(ended)
    }

    /// Returns the runs that are left when the log ends: idle ones ended when they became idle, the others have no end.
    pub fn rest(&mut self) -> Vec<(RunId, Option<Millis>)> {
        let end = |run: &Run| (run.active == 0).then_some(run.idle_since);
        let mut left: Vec<_> = self.runs.iter().map(|(id, run)| (*id, end(run))).collect();
        left.sort();
        for (id, _) in &left {
            self.forget(*id);
        }
        left
    }

    fn forget(&mut self, id: RunId) {
        if let Some(run) = self.runs.remove(&id) {
            self.by_name.remove(&run.workflow);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(name: &str, execution: Option<u64>) -> JobNames {
        JobNames { group: Some(name.to_owned()), execution, ..JobNames::default() }
    }

    fn start(
        runs: &mut Runs,
        at: Millis,
        job: u32,
        names: &JobNames,
    ) -> (u32, Option<(u32, Millis)>) {
        let started = runs.job_started(at, job, names, &BTreeSet::new());
        (started.run.0, started.opened.map(|opened| (opened.number, opened.arrival)))
    }

    #[test]
    fn jobs_within_the_linger_are_one_run_and_later_ones_another() {
        let mut runs = Runs::new(5_000);
        let etl = group("etl", None);
        assert_eq!(start(&mut runs, 1_000, 0, &etl), (0, Some((1, 1_000))));
        assert_eq!(runs.job_ended(2_000, 0), Some(RunId(0)));
        assert_eq!(runs.expired(7_000), None);
        assert_eq!(start(&mut runs, 7_000, 1, &etl), (0, None));
        runs.job_ended(8_000, 1);
        assert_eq!(runs.expired(13_001), Some((RunId(0), 8_000)));
        assert_eq!(runs.expired(13_001), None);
        assert_eq!(start(&mut runs, 13_001, 2, &etl), (1, Some((2, 13_001))));
        assert_eq!(runs.rest(), [(RunId(1), None)]);
    }

    #[test]
    fn a_run_begins_and_ends_with_its_sql_execution() {
        let mut runs = Runs::new(5_000);
        let sql = JobNames { execution: Some(3), ..JobNames::default() };
        runs.execution_started(100, 3, None);
        assert_eq!(start(&mut runs, 400, 0, &sql), (0, Some((1, 100))));
        runs.job_ended(500, 0);
        // Planning may take longer than the linger: the execution is active.
        assert_eq!(runs.expired(90_000), None);
        assert_eq!(start(&mut runs, 90_000, 1, &sql), (0, None));
        runs.job_ended(91_000, 1);
        runs.execution_ended(91_500, 3);
        assert_eq!(runs.expired(91_500), None, "something else may happen at the same time");
        assert_eq!(runs.expired(91_501), Some((RunId(0), 91_500)));
    }

    #[test]
    fn jobs_of_an_execution_that_the_log_does_not_know_linger() {
        let mut runs = Runs::new(5_000);
        let sql = JobNames { root_execution: Some(3), ..JobNames::default() };
        start(&mut runs, 400, 0, &sql);
        runs.job_ended(500, 0);
        assert_eq!(runs.expired(5_500), None);
        assert_eq!(start(&mut runs, 5_500, 1, &sql), (0, None));
    }

    #[test]
    fn broadcasts_before_the_first_job_of_a_group_are_of_its_run() {
        let mut runs = Runs::new(5_000);
        let helper = JobNames { execution: Some(3), helper: true, ..JobNames::default() };
        runs.execution_started(100, 3, None);
        assert_eq!(start(&mut runs, 200, 0, &helper), (0, Some((1, 100))));
        assert_eq!(start(&mut runs, 210, 1, &helper), (0, None));
        runs.job_ended(300, 0);
        runs.job_ended(310, 1);
        let started = runs.job_started(400, 2, &group("q66", Some(3)), &BTreeSet::new());
        let opened = started.opened.unwrap();
        assert_eq!((started.run, opened.arrival), (RunId(0), 100));
        assert_eq!((opened.workflow.as_str(), opened.number), ("group:q66", 1));
        // Another SQL execution of the group, and a broadcast in the middle of the first.
        assert_eq!(start(&mut runs, 410, 3, &group("q66", None)), (0, None));
        assert_eq!(start(&mut runs, 420, 4, &helper), (0, None));
    }

    #[test]
    fn a_job_by_itself_ends_at_once_and_executions_without_jobs_are_no_run() {
        let mut runs = Runs::new(5_000);
        runs.execution_started(1, 8, None);
        start(&mut runs, 10, 0, &JobNames::default());
        runs.execution_ended(15, 8);
        runs.job_ended(20, 0);
        assert_eq!(runs.expired(21), Some((RunId(0), 20)));
        assert!(runs.rest().is_empty());
    }
}
