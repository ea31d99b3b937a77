//! The parts of a driver's state.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use holdfast_engine::Time;
use rustc_hash::FxHashSet;
use slab::Slab;

use crate::driver::offers::Offers;
use crate::driver::order::{Cursor, Order};
use crate::driver::tasks::attempt::Attempt;
use crate::driver::tasks::set::TaskSet;
use crate::measure::bounded::BoundedJob;
use crate::measure::placement::Placement;
use crate::world::draw::Draw;

/// Task sets and attempts.
#[derive(Default)]
pub(crate) struct Tasks {
    /// Sets that have not left the scheduler, or of which an attempt is not settled.
    pub sets: Slab<TaskSet>,
    /// Attempts that are not settled.
    pub attempts: Slab<Attempt>,
    pub next_attempt: u32,
    pub next_set: u32,
    pub stamps: u64,
    /// Of each set the stamp of its entries at executors and hosts, where some task of it is to be launched; else 0.
    /// Most entries are void when they are met, and sets are far away in memory.
    pub calls: Vec<u64>,
}

/// Where sets queue between rounds.
pub(crate) struct Queues {
    /// Open sets, by Spark's order.
    pub order: Order,
    /// Sets with asks of their own: of workflows that may hold.
    pub special: Vec<u32>,
    /// Sets that are to see the next round of all, and some that have.
    pub owed: Vec<u32>,
    /// When waits for locality are over: time, stamp, set.
    pub waits: BinaryHeap<Reverse<(Time, u64, u32)>>,
    /// Sets that wait for locality.
    pub local: FxHashSet<u32>,
}

impl Queues {
    pub(crate) fn new(order: Order) -> Self {
        let (special, owed, waits) = (Vec::new(), Vec::new(), BinaryHeap::new());
        Self { order, special, owed, waits, local: FxHashSet::default() }
    }
}

/// Which sets rounds leave out. Sets whose asks are shared (`AskClass::shared`) are left out together.
pub(crate) struct Admission {
    /// Rounds in which sets that share asks were left out.
    pub missed: u64,
    /// Some set that has come shares its asks.
    pub some_shared: bool,
    /// Some set that has come is refused for holds only.
    pub some_by_holds: bool,
    /// Sets that share asks take part in this round.
    pub shared_admitted: bool,
    /// An executor joined while they did not.
    pub shared_behind: bool,
    /// A set with asks of its own sat out the round before.
    pub some_skipped: bool,
}

impl Default for Admission {
    fn default() -> Self {
        Self {
            missed: 0,
            some_shared: false,
            some_by_holds: false,
            shared_admitted: true,
            shared_behind: false,
            some_skipped: false,
        }
    }
}

/// An attempt launched in this round: its place among the offers, and which.
type Launched = (u32, u32);

/// The round that goes on.
#[derive(Default)]
pub(crate) struct Round {
    pub offers: Offers,
    /// Sets that are not open, and that an offer may concern.
    pub extras: Vec<(Cursor, u32)>,
    pub launched: Vec<Launched>,
    /// Sets whose queue may have changed.
    pub touched: Vec<u32>,
    /// Offers near to the set that is asked: place and executor.
    pub near: Vec<(u32, u32)>,
    /// A round goes on.
    pub in_round: bool,
    /// Executors where a hold has ended since all were offered.
    pub reopened: Vec<u32>,
    /// Changes with every hold that ends.
    pub epoch: u64,
    /// Owners of holds made in this round.
    pub new_holders: Vec<u32>,
    /// Sets that took part in this round for copies only, once it has launched something.
    pub copiers: Vec<u32>,
}

/// What is kept of launches.
pub(crate) struct Record {
    /// All of them, if they are wanted.
    pub placements: Option<Vec<Placement>>,
    /// Follows from all launches.
    pub fingerprint: Draw,
    /// Bounded jobs that have ended.
    pub bounded: Vec<BoundedJob>,
}

/// What is read ahead.
#[derive(Default)]
pub(crate) struct Ahead {
    /// Attempts that end soon.
    pub ending: Vec<Attempt>,
    /// Executors that are offered soon.
    pub executors: Vec<u32>,
}
