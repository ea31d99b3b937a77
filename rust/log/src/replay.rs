//! Decides everything once more and compares, byte for byte (R15).

use std::io::Read;

use holdfast_engine::{Decision, Engine, Event, Time, Totals};

use crate::codec::put_event;
use crate::{Entry, Header, Problem, ReadError, Reader, Record};

/// Tasks of all sets that live at once. A driver with as many would need far more memory than replay: whoever forges a log
/// needs ten bytes for each set.
const MOST_TASKS: u64 = 1 << 24;

/// What one step gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The decisions, in order.
    pub decisions: Vec<Decision>,
    /// The code of the error, if the event was refused.
    pub error: Option<i32>,
}

/// Where replay and log part.
#[derive(Clone, Debug)]
pub struct Difference {
    /// Number of the record.
    pub number: u64,
    /// Its offset in the file.
    pub offset: u64,
    /// The host's time.
    pub now: Time,
    /// What the engine was told.
    pub event: Event,
    /// What the log says.
    pub recorded: Step,
    /// What this engine says.
    pub got: Step,
}

/// What replay found.
#[derive(Debug)]
pub struct Replayed {
    /// Records read.
    pub records: u64,
    /// Events among them.
    pub events: u64,
    /// Decisions compared.
    pub decisions: u64,
    /// Whether the log was closed by its writer.
    pub ended: bool,
    /// Whether that was since its space was used up.
    pub full: bool,
    /// Where the log is damaged; all before it was read.
    pub damage: Option<ReadError>,
    /// The first difference; nothing after it was read.
    pub difference: Option<Difference>,
    /// The engine's counters after the last event.
    pub totals: Totals,
    /// Holds that live then.
    pub left: u64,
}

/// Decides along with a log, and bounds the memory that its events ask for.
#[derive(Debug)]
pub struct Along {
    engine: Engine,
    step: Step,
    /// Tasks of the sets that live, and of some that have ended.
    tasks: u64,
}

impl Along {
    /// Begins with the configuration in a log's header.
    #[must_use]
    pub fn new(header: &Header) -> Self {
        Self {
            engine: Engine::new(header.config.clone()),
            step: Step { decisions: Vec::new(), error: None },
            tasks: 0,
        }
    }

    /// The engine after the last step.
    #[must_use]
    pub const fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Tells the engine of a record's `event`; gives what this build decides.
    ///
    /// # Errors
    /// More tasks would live than any driver has: the log is forged, and the engine was not told.
    pub fn step(&mut self, record: &Record, event: &Event) -> Result<&Step, ReadError> {
        if !self.admits(event) {
            let (offset, records) = (record.offset, record.number);
            let problem = Problem::Value("sets with more than 2^24 tasks live at once");
            return Err(ReadError { offset, records, problem });
        }
        self.step.decisions.clear();
        let result = self.engine.step(record.now, event, &mut self.step.decisions);
        self.step.error = result.err().map(|e| e.code());
        Ok(&self.step)
    }

    fn admits(&mut self, event: &Event) -> bool {
        let Event::SetSubmitted { tasks, .. } = *event else { return true };
        if u64::from(tasks) > MOST_TASKS {
            return true; // the engine refuses it
        }
        if self.tasks + u64::from(tasks) > MOST_TASKS {
            self.tasks = self.engine.sets().iter().map(|set| u64::from(set.tasks)).sum();
        }
        self.tasks += u64::from(tasks);
        self.tasks <= MOST_TASKS
    }
}

/// Replays what `reader` has left, from the configuration in its header, up to the first difference or damage.
pub fn replay<R: Read>(reader: &mut Reader<R>) -> Replayed {
    let mut along = Along::new(reader.header());
    let mut previous = Time(0);
    let mut bytes = Vec::new();
    let (mut events, mut decisions) = (0, 0);
    let (mut difference, mut damage) = (None, None);
    while let Some(record) = reader.next() {
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                damage = Some(error);
                break;
            }
        };
        let Entry::Event { event, decisions: recorded, error } = &record.entry else {
            continue;
        };
        let step = match along.step(&record, event) {
            Ok(step) => step,
            Err(error) => {
                damage = Some(error);
                break;
            }
        };
        bytes.clear();
        put_event(&mut bytes, previous, record.now, event, &step.decisions, step.error);
        previous = record.now;
        events += 1;
        decisions += recorded.len() as u64;
        if bytes != reader.raw() {
            difference = Some(Difference {
                number: record.number,
                offset: record.offset,
                now: record.now,
                event: *event,
                recorded: Step { decisions: recorded.clone(), error: *error },
                got: step.clone(),
            });
            break;
        }
    }
    Replayed {
        records: reader.records(),
        events,
        decisions,
        ended: reader.ended(),
        full: reader.full(),
        damage,
        difference,
        totals: *along.engine.totals(),
        left: along.engine.left() as u64,
    }
}
