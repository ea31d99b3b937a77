//! Spark's part: a driver that submits stages, offers executors in rounds and hears how attempts end.

mod classify;
mod decisions;
mod ends;
pub(crate) mod events;
mod losses;
mod offers;
mod order;
mod parts;
mod priorities;
pub(crate) mod read_ahead;
mod reports;
mod round;
mod sizes;
mod speculate;
mod stages;
pub(crate) mod state;
mod tasks;
mod timers;
