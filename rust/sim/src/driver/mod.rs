//! Spark's part: a driver that submits stages, offers executors in rounds and hears how attempts end.

mod classify;
mod ends;
mod engine_link;
mod losses;
mod priorities;
mod read_ahead;
mod round;
mod stages;
pub(crate) mod state;
mod tasks;
mod timers;
