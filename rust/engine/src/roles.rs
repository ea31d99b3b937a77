//! The five questions that policies answer. Each is a trait; `wiring` has the closed list of who answers it.
//!
//! Whoever answers reads the books and never writes them. What it learns is a state of its own.

use crate::api::choice::Choice;
use crate::api::config::Config;
use crate::api::decision::{Verdict, VetoReason};
use crate::api::event::Event;
use crate::api::ids::{Resources, Time};
use crate::api::totals::Totals;
use crate::ledger::Spreads;
use crate::ledger::keys::{ExecutorKey, SetKey, WorkflowKey};
use crate::ledger::{Ledger, Set, Workflow};
use crate::step::Step;

/// What answers read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Books<'a> {
    pub ledger: &'a Ledger,
    pub config: &'a Config,
    pub now: Time,
    pub spreads: &'a Spreads,
}

/// "May this set use a slot of this executor now?"
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ask<'a> {
    pub key: SetKey,
    pub set: &'a Set,
    pub executor: ExecutorKey,
    /// What the host's round offers there, less what was launched from it.
    pub free: &'a Resources,
}

/// What the answers of a gate to a set depend on, besides the executor and its free room. Later ones depend on more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Depends {
    /// It lets the set pass always.
    Nothing,
    /// What is held on the executor, and what a task asks for.
    Holds,
    /// What a task asks for, and other things that are the same for all sets.
    Demand,
    /// The set, or its workflow.
    Set,
}

/// Gate: may a workflow take one more slot? A slot needs every gate.
pub(crate) trait Gate: Sized {
    /// Returns the gate if the configuration has it.
    fn of(config: &Config) -> Option<Self>;

    /// Returns whether it may refuse anything now.
    fn restricts(&self, books: &Books<'_>) -> bool;

    /// Answers one ask.
    fn ask(&self, books: &Books<'_>, ask: &Ask<'_>) -> Verdict;

    /// Returns how many tasks of a barrier set it lets pass on one executor; `u32::MAX` if it sets no bound.
    fn room(&self, books: &Books<'_>, ask: &Ask<'_>) -> u32;

    /// Returns whether it might let the set pass on some executor.
    fn admits(&self, books: &Books<'_>, set: &Set) -> bool;

    /// Returns what its answers to a set depend on. Sets for which it says less than `Set` must all be treated alike.
    fn depends(&self, books: &Books<'_>, set: &Set) -> Depends;

    /// Learns from an event that was taken.
    fn on_event(&mut self, _ledger: &Ledger, _now: Time, _event: &Event) {}

    /// Returns when it will let something pass without any event.
    fn deadline(&self) -> Option<Time> {
        None
    }

    /// Ends what is due. It says in `step` that something may be allowed now.
    fn expire(&mut self, _now: Time, _step: &mut Step) {}
}

/// Returns the verdict of a gate.
#[inline]
pub(crate) fn allow_or(reason: VetoReason, allowed: bool) -> Verdict {
    if allowed { Verdict::Allow } else { Verdict::Veto(reason) }
}

/// How wide a workflow will be.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Wants {
    /// In what comes next.
    pub literal: u32,
    /// In all that is known of what comes; not less.
    pub ahead: u32,
}

/// Need: how many slots should a workflow own, until when, and may others' releases be claimed?
pub(crate) trait Needs {
    /// Returns whether released slots are held at all.
    fn holds(self) -> bool;

    /// Returns whether it knows plans and inputs, so that slots are claimed and launches spread.
    fn plans(self) -> bool;

    /// Returns whether one cap counts over all holds of a barrier or gap. If not, each hold has a time of its own.
    fn has_episodes(self) -> bool;

    /// Returns the isolation that is kept where a user asks for this one, in millionths.
    fn isolation(self, asked: u32) -> u32;

    /// Returns how wide an active workflow that may hold will be.
    fn wants(self, ledger: &Ledger, config: &Config, now: Time, w: &Workflow) -> Wants;

    /// Returns how long a workflow without a job keeps its holds, in nanoseconds.
    fn linger(self, config: &Config, largest_gap: u64, wait: u64) -> u64;

    /// Returns for how much of that it keeps them once its run has ended, in nanoseconds.
    fn bridge(self, config: &Config) -> u64;
}

/// Order: which workflow goes first among those of equal priority?
pub(crate) trait Orders {
    /// Returns its key; less goes first. Equal keys leave the order to the host.
    fn key(self, books: &Books<'_>, workflow: WorkflowKey) -> u64;
}

/// Pick: which task next, a pending one or a copy of a running one?
pub(crate) trait Picks: Sized {
    /// Returns who picks if the configuration has it.
    fn of(config: &Config) -> Option<Self>;

    /// Returns what a set launches on an executor; on any, without one.
    fn choose(&self, books: &Books<'_>, set: SetKey, executor: Option<ExecutorKey>) -> Choice;

    /// Learns from an event that was taken. It counts in `totals`, and says in `step` that a copy may be offered.
    fn on_event(&mut self, _books: &Books<'_>, _event: &Event, _counts: (&mut Totals, &mut Step)) {}

    /// Returns when it will answer otherwise without any event.
    fn deadline(&self) -> Option<Time> {
        None
    }

    /// Does what is due.
    fn expire(&mut self, _books: &Books<'_>, _counts: (&mut Totals, &mut Step)) {}
}

/// Fit: which executor suits a set best?
pub(crate) trait Fits {
    /// Returns the score of an executor; more is better. `None`: it does not matter.
    fn score(self, books: &Books<'_>, set: SetKey, executor: ExecutorKey) -> Option<u64>;
}
