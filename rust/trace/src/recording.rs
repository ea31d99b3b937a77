//! A log in memory: what ran, and on what. What a simulation of it starts from.

use crate::TraceError;
use crate::convert::Conversion;
use crate::feed::Feed;
use crate::format::Workflow;
use crate::input::{Lines, LogFiles};
use crate::notes::Note;
use crate::rebuild::Rebuilt;
use crate::spark_event::{Millis, SparkEvent};
use crate::surroundings::{Executor, Surroundings};
use crate::whatif::Options;

/// A log that has been read. Its memory grows with the number of tasks: about 20 bytes for each.
pub struct Recording {
    /// Runs of workflows in the order of their arrivals; times count from [`Recording::origin`].
    pub workflows: Vec<Workflow>,
    /// Executors, configuration, what the driver took.
    pub surroundings: Surroundings,
    /// The log's first time, in milliseconds since 1970.
    pub origin: Millis,
    /// What the log has lost.
    pub notes: Vec<Note>,
}

/// What came of reading.
pub enum Recorded {
    /// All of it.
    Whole(Box<Recording>),
    /// There are more tasks than were asked for; reading ended there.
    TooMany,
}

impl Recording {
    /// Reads a log that has at most `most` tasks.
    ///
    /// # Errors
    ///
    /// File and line of what cannot be read or understood.
    pub fn of(log: &LogFiles, options: &Options, most_tasks: u64) -> Result<Recorded, TraceError> {
        read(&|| Lines::new(log), log.can_be_read_again(), options, most_tasks)
    }

    /// Returns the same for lines from anywhere, which are asked for again if something in them is lost.
    ///
    /// # Errors
    ///
    /// As [`Recording::of`].
    pub fn of_lines(
        lines: impl Fn() -> Lines,
        options: &Options,
        most_tasks: u64,
    ) -> Result<Recorded, TraceError> {
        read(&lines, true, options, most_tasks)
    }

    /// When an executor joined, and when it left, in milliseconds from [`Recording::origin`].
    pub fn life(&self, executor: &Executor) -> (u64, Option<u64>) {
        let since = |at: Millis| at.saturating_sub(self.origin);
        (since(executor.joined), executor.left.map(since))
    }

    /// When the last attempt ended, in milliseconds from [`Recording::origin`].
    pub fn last_end(&self) -> Option<u64> {
        self.surroundings.last_end.map(|at| at.saturating_sub(self.origin))
    }
}

/// Reads a log, and again if that can put back what it has lost.
fn read(
    lines: &dyn Fn() -> Lines,
    again: bool,
    options: &Options,
    most_tasks: u64,
) -> Result<Recorded, TraceError> {
    let (mut lost, mut notes) = (Rebuilt::default(), Vec::new());
    loop {
        let is_second = !lost.is_empty();
        let mut feed = Feed::new(lines(), lost);
        let mut recorder = Recorder::new(options, most_tasks);
        while let Some((at, event)) = feed.read()? {
            recorder.apply(at, &event);
            if recorder.too_many() {
                return Ok(Recorded::TooMany);
            }
        }
        lost = feed.lost();
        if !is_second {
            notes = lost.notes(again);
        }
        if is_second || !again || lost.is_empty() {
            let mut recorded = recorder.finish();
            if let Recorded::Whole(recording) = &mut recorded {
                recording.notes = notes;
            }
            return Ok(recorded);
        }
    }
}

/// Makes a recording of the events that it is told.
pub(crate) struct Recorder {
    most_tasks: u64,
    workflows: Vec<Workflow>,
    /// None when there were too many tasks.
    conversion: Option<Conversion>,
}

impl Recorder {
    pub(crate) fn new(options: &Options, most_tasks: u64) -> Self {
        let conversion = Some(Conversion::new(options));
        Self { most_tasks, workflows: Vec::new(), conversion }
    }

    /// Takes the next event, in the order of their times.
    pub(crate) fn apply(&mut self, at: Millis, event: &SparkEvent) {
        let Some(conversion) = &mut self.conversion else { return };
        conversion.apply(at, event);
        self.workflows.extend(std::iter::from_fn(|| conversion.pop()));
        if conversion.tasks() > self.most_tasks {
            self.conversion = None;
            self.workflows = Vec::new();
        }
    }

    /// Returns whether there were more tasks than were asked for.
    pub(crate) const fn too_many(&self) -> bool {
        self.conversion.is_none()
    }

    /// Returns what came of it, when all has been told.
    pub(crate) fn finish(mut self) -> Recorded {
        let Some(mut conversion) = self.conversion else { return Recorded::TooMany };
        conversion.finish();
        self.workflows.extend(std::iter::from_fn(|| conversion.pop()));
        let workflows = self.workflows;
        let (surroundings, origin) = conversion.into_surroundings();
        Recorded::Whole(Box::new(Recording { workflows, surroundings, origin, notes: Vec::new() }))
    }
}
