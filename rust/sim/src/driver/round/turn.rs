//! The turn of one set in a round, and one pass over its offers.

use crate::cluster::level::Level;

/// What a set's turn in a round has come to.
#[derive(Debug, Default)]
pub(crate) struct Turn {
    /// Something was launched.
    pub launched: bool,
    /// The nearest level of all launches, and of those that did not leave out the locality wait.
    pub nearest: Option<Level>,
    pub ordinary: Option<Level>,
    pub widened: bool,
    /// Delay scheduling refused an offer (`noDelayScheduleRejects` is false).
    pub rejected: bool,
    /// At this level no offer was near enough, and nothing has been launched since.
    pub exhausted: Option<Level>,
    /// An offer was looked at after the last launch.
    pub settled: bool,
    /// The engine refused an offer.
    pub vetoed: bool,
}

/// Where one pass over the offers is.
pub(crate) struct Pass {
    pub set: u32,
    pub most: Level,
    /// The next offer to look at when any executor will do.
    pub number: usize,
    /// The place of the latest launch.
    pub after: Option<u32>,
    /// The executors of the offers before this one have been read ahead.
    pub read: usize,
    pub launches: u32,
}

impl Pass {
    pub fn new(set: u32, most: Level, number: usize) -> Self {
        Self { set, most, number, after: None, read: number, launches: 0 }
    }

    pub fn is_behind(&self, place: u32) -> bool {
        self.after.is_none_or(|after| place > after)
    }
}
