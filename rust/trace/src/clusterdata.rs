//! Google's ClusterData2011-2, table `task_events`: what each task of a job of a month went through. Lines are in the
//! order of time, columns separated by commas: microseconds, missing info, job, task index, machine, event type, user,
//! scheduling class, priority, requests of CPU, memory and disk, restriction.
//!
//! A job becomes a workflow of one job with one stage: its tasks that finished, each with the time from its last
//! scheduling to its end. The table says nothing about dependencies.

use std::collections::VecDeque;

use holdfast_words::{count, verb};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::TraceError;
use crate::arrivals::Arrivals;
use crate::format::{Header, Job, Stage, Workflow};
use crate::input::Lines;

/// Type codes of the table.
const SUBMIT: u8 = 0;
const SCHEDULE: u8 = 1;
const FINISH: u8 = 4;
const LAST_END: u8 = 6;
const LAST_TYPE: u8 = 8;

/// Times after the window have this one.
const AFTER: u64 = i64::MAX as u64;

/// What is not in the trace, and how often.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dropped {
    /// Runs of tasks that did not finish: evicted, failed, killed, lost, or still there at the end.
    pub task_runs: u64,
    /// Jobs of which no task finished.
    pub jobs: u64,
    /// Jobs that were there before the window: their arrivals are not known.
    pub jobs_before: u64,
    /// Rows of such jobs that are left out.
    pub rows_before: u64,
    /// Rows of after the window, which have no time.
    pub rows_after: u64,
}

impl Dropped {
    /// Says what is left out and why, a sentence for each reason.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.jobs_before > 0 {
            notes.push(format!(
                "{} that {} there before the trace begins {} left out, as their arrival is not known: {}",
                count(self.jobs_before, "job"),
                verb(self.jobs_before, ("was", "were")),
                verb(self.jobs_before, ("is", "are")),
                count(self.rows_before, "row"),
            ));
        }
        if self.jobs > 0 {
            let (is, jobs) = (verb(self.jobs, ("is", "are")), count(self.jobs, "job"));
            notes.push(format!("{jobs} of which no task finished {is} left out"));
        }
        if self.task_runs > 0 {
            let (is, runs) = (verb(self.task_runs, ("is", "are")), count(self.task_runs, "run"));
            notes.push(format!(
                "{runs} of tasks {is} left out: evicted, failed, killed, lost, or not finished when the trace ends"
            ));
        }
        if self.rows_after > 0 {
            let (is, rows) = (verb(self.rows_after, ("is", "are")), count(self.rows_after, "row"));
            notes.push(format!("{rows} of after the trace's end {is} left out: they have no time"));
        }
        notes
    }
}

#[derive(Default)]
struct Tasks {
    arrival: u64,
    priority: i32,
    /// When the tasks that run were scheduled.
    running: FxHashMap<u32, u64>,
    /// Tasks that were submitted and have not ended.
    live: u64,
    ended: u64,
    durations_ms: Vec<u64>,
    last: u64,
}

/// Reads the table's parts as one, in the order of time.
pub struct ClusterDataReader {
    lines: Lines,
    jobs: FxHashMap<u64, Tasks>,
    /// Jobs that were there before the window.
    before: FxHashSet<u64>,
    /// Jobs that may be over, by when they became so.
    quiet: VecDeque<(u64, u64)>,
    arrivals: Arrivals,
    ready: VecDeque<Workflow>,
    dropped: Dropped,
    /// The time of the latest line.
    latest: u64,
    ended: bool,
}

struct Row {
    at: u64,
    job: u64,
    index: u32,
    kind: u8,
    priority: i32,
}

impl ClusterDataReader {
    /// A job none of whose tasks lives for so long is over, in microseconds: an evicted task is submitted again sooner.
    pub const QUIET: u64 = 600_000_000;

    /// Reads lines: [`Lines::new`] over the parts.
    pub fn new(lines: Lines) -> Self {
        Self {
            lines,
            jobs: FxHashMap::default(),
            before: FxHashSet::default(),
            quiet: VecDeque::new(),
            arrivals: Arrivals::default(),
            ready: VecDeque::new(),
            dropped: Dropped::default(),
            latest: 0,
            ended: false,
        }
    }

    /// Returns the header of such a trace.
    pub fn header() -> Header {
        Header::new("google-cluster-data-2011-2")
    }

    /// Returns what is left out so far.
    pub const fn dropped(&self) -> Dropped {
        self.dropped
    }

    /// Returns the next job.
    ///
    /// # Errors
    ///
    /// File and line of what cannot be read or understood.
    pub fn read(&mut self) -> Result<Option<Workflow>, TraceError> {
        loop {
            if let Some(workflow) = self.ready.pop_front() {
                return Ok(Some(workflow));
            }
            if self.ended {
                return Ok(None);
            }
            let Some(line) = self.lines.next(|_| true)? else {
                self.finish();
                continue;
            };
            if line.bytes.trim_ascii().is_empty() {
                continue;
            }
            let row = parse(line.bytes).map_err(|what| self.lines.error(what))?;
            if row.at < self.latest {
                return Err(self.lines.error(format!(
                    "the time: {} comes before that of an earlier line, {}; sort the table by its first column",
                    row.at, self.latest
                )));
            }
            self.latest = row.at;
            self.expire(row.at);
            self.apply(&row);
        }
    }

    fn finish(&mut self) {
        let mut left: Vec<u64> = self.jobs.keys().copied().collect();
        left.sort_unstable();
        for job in left {
            self.close(job);
        }
        self.ended = true;
        self.give(u64::MAX);
    }

    fn apply(&mut self, row: &Row) {
        if row.at == AFTER {
            self.dropped.rows_after += 1;
            return;
        }
        if row.at == 0 {
            return self.drop_before(row.job);
        }
        if row.kind == SUBMIT {
            let job = self.jobs.entry(row.job).or_insert_with(|| {
                self.arrivals.arrived(row.at, row.job);
                Tasks { arrival: row.at, priority: row.priority, ..Tasks::default() }
            });
            job.live += 1;
            return;
        }
        let Some(job) = self.jobs.get_mut(&row.job) else { return self.drop_before(row.job) };
        match row.kind {
            SCHEDULE => {
                job.running.insert(row.index, row.at);
            }
            2..=LAST_END => {
                let began = job.running.remove(&row.index);
                job.live = job.live.saturating_sub(1);
                job.last = row.at;
                if let Some(began) = began.filter(|_| row.kind == FINISH) {
                    job.durations_ms.push(row.at.saturating_sub(began) / 1_000);
                } else {
                    job.ended += 1;
                }
                if job.live == 0 {
                    self.quiet.push_back((row.at, row.job));
                }
            }
            // UPDATE_PENDING, UPDATE_RUNNING: other requests, the same task.
            _ => {}
        }
    }

    /// A row of a job that was there before the window, or of tasks of it.
    fn drop_before(&mut self, job: u64) {
        self.dropped.rows_before += 1;
        if self.before.insert(job) {
            self.dropped.jobs_before += 1;
        }
    }

    fn expire(&mut self, now: u64) {
        let mut closed = false;
        while let Some(&(since, job)) = self.quiet.front() {
            if since.saturating_add(Self::QUIET) >= now {
                break;
            }
            self.quiet.pop_front();
            if self.jobs.get(&job).is_some_and(|tasks| tasks.live == 0 && tasks.last == since) {
                self.close(job);
                closed = true;
            }
        }
        if closed {
            self.give(now);
        }
    }

    fn close(&mut self, job: u64) {
        let Some(tasks) = self.jobs.remove(&job) else { return };
        self.dropped.task_runs += tasks.ended + tasks.live;
        if tasks.durations_ms.is_empty() {
            self.dropped.jobs += 1;
            self.arrivals.dropped(tasks.arrival, job);
            return;
        }
        let stage = Stage { tasks_ms: tasks.durations_ms, ..Stage::default() };
        let workflow = Workflow {
            name: job.to_string(),
            arrival_ms: tasks.arrival / 1_000,
            priority: tasks.priority,
            jobs: vec![Job { stages: vec![stage], ..Job::default() }],
            ..Workflow::default()
        };
        self.arrivals.ended(tasks.arrival, job, workflow);
    }

    fn give(&mut self, horizon: u64) {
        while let Some(workflow) = self.arrivals.pop(horizon) {
            self.ready.push_back(workflow);
        }
    }
}

fn parse(line: &[u8]) -> Result<Row, String> {
    let text = std::str::from_utf8(line).map_err(|_| "this is no text".to_owned())?;
    let fields: Vec<&str> = text.trim_end().split(',').collect();
    let [at, _, job, index, _, kind, _, _, priority, ..] = fields.as_slice() else {
        let columns = count(fields.len() as u64, "column");
        return Err(format!("{columns}, 13 are wanted, with commas between"));
    };
    fn number<T: std::str::FromStr>(what: &str, text: &str) -> Result<T, String> {
        text.trim().parse().map_err(|_| format!("{what}: {text:?} is no number"))
    }
    let kind = number("the event type", kind)?;
    if kind > LAST_TYPE {
        return Err(format!("the event type: {kind} is none"));
    }
    Ok(Row {
        at: number("the time", at)?,
        job: number("the job", job)?,
        index: number("the task index", index)?,
        kind,
        priority: number("the priority", priority)?,
    })
}
