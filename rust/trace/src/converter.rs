//! From an event log to a trace, as a stream.

use crate::TraceError;
use crate::convert::Conversion;
use crate::event::EventReader;
use crate::format::{Header, Workflow};
use crate::input::Lines;
use crate::order::Order;
use crate::whatif::Options;

/// Turns a log's events into workflows, in the order of their arrivals. Memory is bounded by what lives, and by what
/// has ended since the earliest workflow that lives has arrived.
pub struct Converter {
    events: EventReader,
    order: Order,
    conversion: Conversion,
    ended: bool,
}

impl Converter {
    /// Reads a log's lines; an application's begin is the origin of times.
    pub fn new(lines: Lines, options: &Options) -> Self {
        Self {
            events: EventReader::of_lines(lines),
            order: Order::default(),
            conversion: Conversion::new(options),
            ended: false,
        }
    }

    /// The header of such a trace.
    pub fn header() -> Header {
        Header::new("spark-event-log")
    }

    /// The next workflow.
    ///
    /// # Errors
    ///
    /// File and line of what cannot be read or understood.
    pub fn read(&mut self) -> Result<Option<Workflow>, TraceError> {
        loop {
            if let Some(workflow) = self.conversion.pop() {
                return Ok(Some(workflow));
            }
            if self.ended {
                return Ok(None);
            }
            if let Some(timed) = self.events.read()? {
                self.order.push(timed);
                while let Some((at, event)) = self.order.pop() {
                    self.conversion.apply(at, &event);
                }
            } else {
                while let Some((at, event)) = self.order.drain() {
                    self.conversion.apply(at, &event);
                }
                self.conversion.finish();
                self.ended = true;
            }
        }
    }
}
