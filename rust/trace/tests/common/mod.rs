//! A Spark event log written by hand: each function gives one line as `JsonProtocol` writes it, less what is not read.
#![allow(dead_code, reason = "each test file uses its own part")]

use std::fmt::Write;
use std::io::Cursor;
use std::path::Path;

use holdfast_trace::input::Lines;
use holdfast_trace::report::{ApplicationReport, RunReport};
use holdfast_trace::{Options, TraceError, whatif_of_lines};

/// Times in a hand-written log count from here, in milliseconds since 1970.
pub const ORIGIN: u64 = 1_700_000_000_000;

/// Local properties of a job in group `a`.
pub const A: [(&str, &str); 1] = [("spark.jobGroup.id", "a")];
/// The same in group `b`.
pub const B: [(&str, &str); 1] = [("spark.jobGroup.id", "b")];
/// Executors that are idle for ten seconds are given back.
pub const GIVES_BACK: [(&str, &str); 2] = [
    ("spark.dynamicAllocation.enabled", "true"),
    ("spark.dynamicAllocation.executorIdleTimeout", "10s"),
];

/// A log.
#[derive(Clone, Default)]
pub struct Log(pub String);

impl Log {
    /// An application with executors `e0`, `e1`, ... that have so many cores.
    pub fn new(cores: &[u32]) -> Self {
        let mut log = Self::begun();
        log.environment(&[]);
        for (i, &cores) in cores.iter().enumerate() {
            log.executor(0, &format!("e{i}"), cores);
        }
        log
    }

    /// An application that has said no more than that it begins.
    pub fn begun() -> Self {
        let mut log = Self::default();
        log.line(r#"{"Event":"SparkListenerLogStart","Spark Version":"4.1.0"}"#);
        log.line(&format!(
            r#"{{"Event":"SparkListenerApplicationStart","App Name":"hand","App ID":"app-1","Timestamp":{ORIGIN},"User":"u"}}"#
        ));
        log
    }

    /// Spark's configuration; the last one counts.
    pub fn environment(&mut self, spark: &[(&str, &str)]) {
        self.line(&format!(
            r#"{{"Event":"SparkListenerEnvironmentUpdate","Spark Properties":{{{}}}}}"#,
            fields(spark)
        ));
    }

    pub fn line(&mut self, line: &str) {
        let _ = writeln!(self.0, "{line}");
    }

    pub fn executor(&mut self, at: u64, name: &str, cores: u32) {
        self.executor_on("h", at, name, cores);
    }

    pub fn executor_on(&mut self, host: &str, at: u64, name: &str, cores: u32) {
        self.line(&format!(
            r#"{{"Event":"SparkListenerExecutorAdded","Timestamp":{},"Executor ID":"{name}","Executor Info":{{"Host":"{host}","Total Cores":{cores},"Log Urls":{{}},"Resources":{{}},"Resource Profile Id":0}}}}"#,
            ORIGIN + at
        ));
    }

    pub fn executor_removed(&mut self, at: u64, name: &str) {
        self.line(&format!(
            r#"{{"Event":"SparkListenerExecutorRemoved","Timestamp":{},"Executor ID":"{name}","Removed Reason":"idle"}}"#,
            ORIGIN + at
        ));
    }

    /// A job with stages, each with its parents, and local properties.
    pub fn job(
        &mut self,
        at: u64,
        job: u32,
        stages: &[(u32, &[u32])],
        properties: &[(&str, &str)],
    ) {
        let infos: Vec<String> = stages
            .iter()
            .map(|(stage, parents)| {
                format!(r#"{{"Stage ID":{stage},"Stage Attempt ID":0,"Stage Name":"s","Number of Tasks":1,"RDD Info":[],"Parent IDs":{parents:?},"Details":"","Accumulables":[]}}"#)
            })
            .collect();
        let ids: Vec<u32> = stages.iter().map(|(stage, _)| *stage).collect();
        self.line(&format!(
            r#"{{"Event":"SparkListenerJobStart","Job ID":{job},"Submission Time":{},"Stage Infos":[{}],"Stage IDs":{ids:?},"Properties":{{{}}}}}"#,
            ORIGIN + at,
            infos.join(","),
            fields(properties)
        ));
    }

    pub fn job_end(&mut self, at: u64, job: u32) {
        self.line(&format!(
            r#"{{"Event":"SparkListenerJobEnd","Job ID":{job},"Completion Time":{},"Job Result":{{"Result":"JobSucceeded"}}}}"#,
            ORIGIN + at
        ));
    }

    pub fn stage(&mut self, at: u64, stage: u32, tasks: u32) {
        self.stage_named(at, stage, tasks, &[]);
    }

    /// A stage whose thread has these local properties.
    pub fn stage_named(&mut self, at: u64, stage: u32, tasks: u32, properties: &[(&str, &str)]) {
        self.line(&format!(
            r#"{{"Event":"SparkListenerStageSubmitted","Stage Info":{{"Stage ID":{stage},"Stage Attempt ID":0,"Number of Tasks":{tasks},"Submission Time":{},"Resource Profile Id":0}},"Properties":{{{}}}}}"#,
            ORIGIN + at,
            fields(properties)
        ));
    }

    /// A stage whose tasks start all together.
    pub fn barrier_stage(&mut self, at: u64, stage: u32, tasks: u32) {
        self.line(&format!(
            r#"{{"Event":"SparkListenerStageSubmitted","Stage Info":{{"Stage ID":{stage},"Number of Tasks":{tasks},"RDD Info":[{{"RDD ID":5,"Barrier":true}}],"Submission Time":{}}}}}"#,
            ORIGIN + at
        ));
    }

    /// The end of a stage that was submitted when the log begins.
    pub fn stage_end(&mut self, at: u64, stage: u32) {
        self.stage_end_from((0, at), stage, 1);
    }

    /// The end of a stage of so many tasks that was submitted at `from`.
    pub fn stage_end_from(&mut self, (from, at): (u64, u64), stage: u32, tasks: u32) {
        self.line(&format!(
            r#"{{"Event":"SparkListenerStageCompleted","Stage Info":{{"Stage ID":{stage},"Stage Attempt ID":0,"Number of Tasks":{tasks},"Submission Time":{},"Completion Time":{}}}}}"#,
            ORIGIN + from,
            ORIGIN + at
        ));
    }

    pub fn task(&mut self, at: u64, stage: u32, task: u64, index: u32, executor: &str) {
        self.line(&format!(
            r#"{{"Event":"SparkListenerTaskStart","Stage ID":{stage},"Stage Attempt ID":0,"Task Info":{}}}"#,
            info(task, index, executor, at, None)
        ));
    }

    /// The end of a task that was launched at `from`.
    pub fn task_end(
        &mut self,
        (from, at): (u64, u64),
        stage: u32,
        task: u64,
        index: u32,
        executor: &str,
        reason: &str,
    ) {
        self.line(&format!(
            r#"{{"Event":"SparkListenerTaskEnd","Stage ID":{stage},"Stage Attempt ID":0,"Task Type":"ResultTask","Task End Reason":{{"Reason":"{reason}"}},"Task Info":{},"Task Metrics":{{"Executor Run Time":1}}}}"#,
            info(task, index, executor, from, Some(at))
        ));
    }

    /// A task from its launch to its end, with nothing between them.
    pub fn ran(
        &mut self,
        (from, at): (u64, u64),
        stage: u32,
        task: u64,
        index: u32,
        executor: &str,
    ) {
        self.task(from, stage, task, index, executor);
        self.task_end((from, at), stage, task, index, executor, "Success");
    }

    pub fn execution(&mut self, at: u64, execution: u64) {
        self.line(&format!(
            r#"{{"Event":"org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart","executionId":{execution},"rootExecutionId":{execution},"description":"select\n 1","time":{}}}"#,
            ORIGIN + at
        ));
    }

    pub fn execution_end(&mut self, at: u64, execution: u64) {
        self.line(&format!(
            r#"{{"Event":"org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd","executionId":{execution},"time":{},"errorMessage":""}}"#,
            ORIGIN + at
        ));
    }

    pub fn end(&mut self, at: u64) {
        self.line(&format!(
            r#"{{"Event":"SparkListenerApplicationEnd","Timestamp":{}}}"#,
            ORIGIN + at
        ));
    }

    pub fn lines(&self, in_progress: bool) -> Lines {
        let bytes = self.0.clone().into_bytes();
        Lines::of_reader(Path::new("hand"), Box::new(Cursor::new(bytes)), in_progress)
    }

    pub fn analyse(&self) -> Result<ApplicationReport, TraceError> {
        whatif_of_lines(|| self.lines(false), &Options::default())
    }

    /// The report; every run's terms add up.
    pub fn report(&self) -> ApplicationReport {
        let report = self.analyse().unwrap();
        for run in &report.runs {
            assert!(run.adds_up(), "{run:?}");
        }
        report
    }
}

/// Texts by name, as JSON's fields.
fn fields(pairs: &[(&str, &str)]) -> String {
    let pairs: Vec<String> = pairs.iter().map(|(k, v)| format!("\"{k}\":\"{v}\"")).collect();
    pairs.join(",")
}

fn info(task: u64, index: u32, executor: &str, from: u64, to: Option<u64>) -> String {
    let finished = to.map_or(0, |to| ORIGIN + to);
    format!(
        r#"{{"Task ID":{task},"Index":{index},"Attempt":0,"Partition ID":{index},"Launch Time":{},"Executor ID":"{executor}","Host":"h","Locality":"PROCESS_LOCAL","Speculative":false,"Getting Result Time":0,"Finish Time":{finished},"Failed":false,"Killed":false,"Accumulables":[]}}"#,
        ORIGIN + from
    )
}

/// Milliseconds: computing, first wait, lost at barriers, locality wait, driver gaps.
pub fn terms(run: &RunReport) -> [f64; 5] {
    run.terms.in_order().map(|micros| micros as f64 / 1_000.0)
}

pub fn run<'a>(report: &'a ApplicationReport, workflow: &str) -> &'a RunReport {
    report.runs.iter().find(|run| run.workflow == workflow).unwrap()
}
