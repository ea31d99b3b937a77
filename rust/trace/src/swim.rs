//! SWIM's traces of Facebook's clusters: tab-separated lines, one MapReduce job each: name, submission and gap before
//! it in seconds, bytes of map input, shuffle and reduce output. They have neither tasks nor durations: these are
//! modelled from the bytes, and the trace's header says how.

use std::collections::BTreeMap;

use holdfast_words::count;

use crate::TraceError;
use crate::format::{Header, Job, Stage, Workflow};
use crate::input::Lines;

/// How tasks and their durations follow from bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SwimModel {
    /// Input of a map task, in bytes.
    pub map_bytes: u64,
    /// Shuffle input, or output where that is larger, of a reduce task, in bytes.
    pub reduce_bytes: u64,
    /// What a task processes in a second, in bytes.
    pub bytes_per_second: u64,
    /// What a task takes at least, in milliseconds.
    pub start_ms: u64,
    /// No stage has more tasks: larger ones get longer tasks.
    pub most_tasks: u64,
}

impl Default for SwimModel {
    /// HDFS blocks of 128 MiB, 1 GiB for a reducer (Hive's default of that time), 20 MiB/s, one second to start.
    fn default() -> Self {
        Self {
            map_bytes: 128 << 20,
            reduce_bytes: 1 << 30,
            bytes_per_second: 20 << 20,
            start_ms: 1_000,
            most_tasks: 10_000,
        }
    }
}

impl SwimModel {
    fn assumed(&self) -> BTreeMap<String, String> {
        [
            ("map_bytes", self.map_bytes),
            ("reduce_bytes", self.reduce_bytes),
            ("bytes_per_second", self.bytes_per_second),
            ("start_ms", self.start_ms),
            ("most_tasks", self.most_tasks),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_string()))
        .into()
    }

    /// Returns a stage that processes `bytes`, in tasks of up to `each`: equal tasks.
    fn stage(&self, bytes: u64, each: u64, parents: Vec<u32>) -> Stage {
        let tasks = bytes.div_ceil(each.max(1)).clamp(1, self.most_tasks.max(1));
        let per_task = bytes / tasks;
        let millis = u128::from(per_task) * 1_000 / u128::from(self.bytes_per_second.max(1));
        let took = u64::try_from(millis).unwrap_or(u64::MAX).saturating_add(self.start_ms);
        let count = usize::try_from(tasks).unwrap_or(usize::MAX);
        Stage { parents, tasks_ms: vec![took; count], ..Stage::default() }
    }
}

/// Reads such a file, compressed or not, as workflows of one job with one or two stages.
pub struct SwimReader {
    lines: Lines,
    model: SwimModel,
    latest: u64,
}

impl SwimReader {
    /// Reads lines; they are in the order of submission.
    pub const fn new(lines: Lines, model: SwimModel) -> Self {
        Self { lines, model, latest: 0 }
    }

    /// Returns the header of such a trace.
    pub fn header(&self) -> Header {
        Header { assumed: self.model.assumed(), ..Header::new("swim") }
    }

    /// Returns the next job.
    ///
    /// # Errors
    ///
    /// File and line of what cannot be read or understood.
    pub fn read(&mut self) -> Result<Option<Workflow>, TraceError> {
        loop {
            let Some(line) = self.lines.next(|_| true)? else { return Ok(None) };
            if line.bytes.trim_ascii().is_empty() {
                continue;
            }
            let parsed = parse(line.bytes);
            let (name, seconds, [input, shuffle, output]) =
                parsed.map_err(|what| self.lines.error(what))?;
            let arrival_ms = seconds * 1_000;
            if arrival_ms < self.latest {
                return Err(self.lines.error("it is submitted before the job of the line before"));
            }
            self.latest = arrival_ms;
            let mut stages = vec![self.model.stage(input, self.model.map_bytes, Vec::new())];
            if shuffle > 0 {
                let bytes = shuffle.max(output);
                stages.push(self.model.stage(bytes, self.model.reduce_bytes, vec![0]));
            }
            let jobs = vec![Job { stages, ..Job::default() }];
            return Ok(Some(Workflow { name, arrival_ms, jobs, ..Workflow::default() }));
        }
    }
}

fn columns(fields: &[&str]) -> String {
    format!("{}, 6 are wanted, with tabs between", count(fields.len() as u64, "column"))
}

/// Submissions later than this, in seconds, are no trace's: ten thousand years.
const LAST_SECOND: u64 = 400_000_000_000;

fn parse(line: &[u8]) -> Result<(String, u64, [u64; 3]), String> {
    let text = std::str::from_utf8(line).map_err(|_| "this is no text".to_owned())?;
    let fields: Vec<&str> = text.trim_end().split('\t').map(str::trim).collect();
    let [name, submitted, gap, bytes @ ..] = fields.as_slice() else {
        return Err(columns(&fields));
    };
    let number = |what: &str, text: &str| {
        text.parse::<u64>().map_err(|_| format!("{what}: {text:?} is no whole number"))
    };
    let [input, shuffle, output] = bytes else {
        return Err(columns(&fields));
    };
    let seconds = number("the submission", submitted)?;
    if seconds > LAST_SECOND {
        return Err(format!("the submission: {seconds} s is too late"));
    }
    number("the gap", gap)?;
    let bytes = [
        number("the map input", input)?,
        number("the shuffle", shuffle)?,
        number("the reduce output", output)?,
    ];
    Ok(((*name).to_owned(), seconds, bytes))
}
