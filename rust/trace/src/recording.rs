//! A log in memory: what ran, and on what. What a simulation of it starts from.

use crate::TraceError;
use crate::convert::Converter;
use crate::event::Millis;
use crate::format::Workflow;
use crate::input::{Lines, LogFiles};
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
}

/// What came of reading.
pub enum Recorded {
    /// All of it.
    Whole(Box<Recording>),
    /// There are more tasks than were asked for; reading ended there.
    TooMany,
}

impl Recording {
    /// Reads a log that has at most so many tasks.
    ///
    /// # Errors
    ///
    /// File and line of what cannot be read or understood.
    pub fn of(log: &LogFiles, options: &Options, most_tasks: u64) -> Result<Recorded, TraceError> {
        Self::of_lines(Lines::new(log), options, most_tasks)
    }

    /// The same for lines from anywhere.
    ///
    /// # Errors
    ///
    /// As [`Recording::of`].
    pub fn of_lines(
        lines: Lines,
        options: &Options,
        most_tasks: u64,
    ) -> Result<Recorded, TraceError> {
        let mut converter = Converter::new(lines, options).at_most(most_tasks);
        let mut workflows = Vec::new();
        while let Some(workflow) = converter.read()? {
            workflows.push(workflow);
        }
        if converter.too_many() {
            return Ok(Recorded::TooMany);
        }
        let (surroundings, origin) = converter.into_surroundings();
        Ok(Recorded::Whole(Box::new(Self { workflows, surroundings, origin })))
    }

    /// When an executor joined, and when it left, in milliseconds from [`Recording::origin`].
    pub fn life(&self, executor: &Executor) -> (u64, Option<u64>) {
        let since = |at: Millis| at.saturating_sub(self.origin);
        (since(executor.joined), executor.left.map(since))
    }
}
