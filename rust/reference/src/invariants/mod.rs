//! What holds after every step, whatever happened (R1 to R20 of the design).

mod r1;
mod r10;
mod r11;
mod r16;
mod r19;
mod r2;
mod r20;
mod r3;
mod r4;
mod r5;
mod r6;
mod r7;
mod r8;
mod r9;

use std::collections::BTreeMap;

use holdfast_engine::{
    Decision, EngineError, Event, ExecutorId, ProfileId, Resources, SetId, StageKind, Stragglers,
};

use crate::model::Snapshot;

/// The stable name of an invariant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Invariant {
    /// Capacity: running + held fits, in every resource.
    R1,
    /// Deadlines: no hold is live at its deadline, none gets older than the cap.
    R2,
    /// No hold without its workflow or executor, none on a barred one.
    R3,
    /// All views of the holds agree.
    R4,
    /// No lost wake-up.
    R5,
    /// A hold vetoes whoever it is kept from, and never its owner nor anybody ranked before it.
    R6,
    /// An override ends the least important hold.
    R7,
    /// Each hold ends exactly once, with a cause.
    R8,
    /// A new hold is needed.
    R9,
    /// Copies: only on own holds unless a rule for stragglers picks them, one for a task, never beside the original.
    R10,
    /// No future, no holds.
    R11,
    /// An error changes nothing.
    R16,
    /// When arrivals stop everything finishes and nothing remains.
    R17,
    /// No rule for stragglers picks a copy while a more important workflow waits.
    R19,
    /// Nothing is launched of a set whose error bound is met.
    R20,
}

/// One step, from all sides.
#[derive(Debug)]
pub struct Step<'a> {
    /// Before it.
    pub before: &'a Snapshot,
    /// What happened.
    pub event: &'a Event,
    /// What was said to it.
    pub result: Result<(), EngineError>,
    /// What was decided.
    pub decisions: &'a [Decision],
    /// After it.
    pub after: &'a Snapshot,
    /// Where the event freed a slot.
    pub freed_on: Option<ExecutorId>,
    /// What a task of each set asks for.
    pub demands: &'a BTreeMap<SetId, Resources>,
    /// What each set leaves behind.
    pub kinds: &'a BTreeMap<SetId, StageKind>,
    /// The profile of the executors that each set runs on.
    pub profiles: &'a BTreeMap<SetId, ProfileId>,
    /// Every attempt: its set, its task, where it runs.
    pub running: &'a [(SetId, u32, ExecutorId)],
    /// `hold.max`.
    pub hold_max_ns: u64,
    /// What is done about tasks that take long.
    pub stragglers: Stragglers,
}

/// All invariants, with what they have to remember.
#[derive(Clone, Debug, Default)]
pub struct Checker {
    wake_ups: r5::WakeUps,
    ends: r8::Ends,
    errors: r20::Errors,
}

impl Checker {
    /// Checks one step.
    ///
    /// # Errors
    /// The first invariant that does not hold, and why.
    pub fn check(&mut self, step: &Step) -> Result<(), (Invariant, String)> {
        let of = |invariant| move |why: String| (invariant, why);
        r8::check(&mut self.ends, step).map_err(of(Invariant::R8))?;
        r1::check(step).map_err(of(Invariant::R1))?;
        r2::check(step).map_err(of(Invariant::R2))?;
        r3::check(step).map_err(of(Invariant::R3))?;
        r4::check(step).map_err(of(Invariant::R4))?;
        r6::check(step).map_err(of(Invariant::R6))?;
        r7::check(step).map_err(of(Invariant::R7))?;
        r9::check(step).map_err(of(Invariant::R9))?;
        r10::check(step).map_err(of(Invariant::R10))?;
        r11::check(step).map_err(of(Invariant::R11))?;
        r16::check(step).map_err(of(Invariant::R16))?;
        r19::check(step).map_err(of(Invariant::R19))?;
        r20::check(&mut self.errors, step).map_err(of(Invariant::R20))?;
        r5::check(&mut self.wake_ups, step).map_err(of(Invariant::R5))
    }
}
