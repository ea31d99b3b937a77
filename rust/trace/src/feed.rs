//! The events of a log as they are told: in the order of their times, each once, with what was lost in its place.

use std::collections::VecDeque;
use std::iter::Peekable;
use std::path::Path;
use std::vec;

use crate::TraceError;
use crate::input::Lines;
use crate::moment;
use crate::order::{Late, Order};
use crate::rebuild::{Ledger, Patch, Rebuilt, Spot};
use crate::spark_event::{EventReader, Millis, SparkEvent};

/// Reads a log.
pub(crate) struct Feed {
    events: EventReader,
    order: Order,
    ledger: Ledger,
    patches: Peekable<vec::IntoIter<Patch>>,
    /// Events of one time that are still to be told.
    moment: VecDeque<SparkEvent>,
    at: Millis,
    /// The next event of the log, and its number.
    next: Option<(Millis, u64, SparkEvent)>,
    drains: bool,
}

impl Feed {
    /// Reads lines, with what an earlier reading has found lost.
    pub(crate) fn new(lines: Lines, lost: Rebuilt) -> Self {
        Self {
            events: EventReader::of_lines(lines),
            order: Order::default(),
            ledger: Ledger::default(),
            patches: lost.into_patches().peekable(),
            moment: VecDeque::new(),
            at: 0,
            next: None,
            drains: false,
        }
    }

    /// Reads all of a log for what it has lost.
    ///
    /// # Errors
    ///
    /// File and line of what cannot be read or understood.
    pub(crate) fn scan(lines: Lines) -> Result<Rebuilt, TraceError> {
        let mut feed = Self::new(lines, Rebuilt::default());
        while feed.read()?.is_some() {}
        Ok(feed.lost())
    }

    /// Returns what the log has lost, when all has been read.
    pub(crate) fn lost(self) -> Rebuilt {
        self.ledger.finish()
    }

    pub(crate) fn path(&self) -> &Path {
        self.events.path()
    }

    pub(crate) const fn cut_off(&self) -> bool {
        self.events.cut_off()
    }

    pub(crate) const fn bytes(&self) -> u64 {
        self.events.bytes()
    }

    pub(crate) const fn late(&self) -> Late {
        self.order.late()
    }

    /// Returns the next event and its time, which never goes back.
    ///
    /// # Errors
    ///
    /// File and line of what cannot be read or understood.
    pub(crate) fn read(&mut self) -> Result<Option<(Millis, SparkEvent)>, TraceError> {
        if self.moment.is_empty() {
            self.fill()?;
        }
        Ok(self.moment.pop_front().map(|event| (self.at, event)))
    }

    /// Takes the events of the next time that has any.
    fn fill(&mut self) -> Result<(), TraceError> {
        if self.next.is_none() {
            self.next = self.of_log()?;
        }
        let times = (self.next.as_ref().map(|next| next.0), self.patches.peek().map(|p| p.at));
        let at = match times {
            (Some(next), Some(patch)) => next.min(patch),
            (Some(at), None) | (None, Some(at)) => at,
            (None, None) => return Ok(()),
        };
        let mut events: Vec<(Spot, SparkEvent)> = Vec::new();
        while let Some((_, number, event)) = self.next.take_if(|next| next.0 == at) {
            events.push((Spot::At(number), event));
            self.next = self.of_log()?;
        }
        while let Some(patch) = self.patches.next_if(|patch| patch.at <= at) {
            events.push((patch.spot, patch.event));
        }
        events.sort_by_key(|(spot, _)| *spot);
        self.at = at;
        self.moment = moment::arrange(at, events.into_iter().map(|(_, event)| event).collect());
        Ok(())
    }

    /// Returns the next event of the log that is not there again.
    fn of_log(&mut self) -> Result<Option<(Millis, u64, SparkEvent)>, TraceError> {
        loop {
            let next = if self.drains { self.order.drain() } else { self.order.pop() };
            if let Some((at, event)) = next {
                if self.ledger.take(at, &event) {
                    return Ok(Some((at, self.ledger.number(), event)));
                }
            } else if self.drains {
                return Ok(None);
            } else if let Some(timed) = self.events.read()? {
                self.order.push(timed);
            } else {
                self.drains = true;
            }
        }
    }
}
