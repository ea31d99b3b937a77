// Generated from the tables of rust/schema: cargo run -p holdfast-schema -- write
//! What the shim's `NativeEngine` says in the same words.

use holdfast_engine::{Totals, Verdict, VetoReason};

/// Number of the interface: changes with every name, argument or meaning of it.
pub(crate) const ABI: i64 = 9;

/// Which numbers of an event kind are amounts (bit 0 is the first): they must not be negative.
pub(crate) const AMOUNTS: [u32; 25] = [
    0b111100, 0b111100, 0b0, 0b0, 0b1100, 0b0, 0b0, 0b1100, 0b0, 0b1000, 0b0, 0b100, 0b0, 0b10,
    0b10, 0b0, 0b110000, 0b1100, 0b100, 0b1000, 0b110, 0b10, 0b111110, 0b0, 0b0,
];

/// The handle is closed, or never was one.
pub(crate) const BAD_HANDLE: i32 = -100;

/// The engine panicked; from then on every call on this handle answers so.
pub(crate) const PANIC: i32 = -101;

/// An argument is out of range; nothing has changed.
pub(crate) const BAD_ARGUMENT: i32 = -102;

/// The number of an answer.
pub(crate) const fn verdict(verdict: Verdict) -> i32 {
    match verdict {
        Verdict::Allow => 0,
        Verdict::AllowHeld => 1,
        Verdict::Veto(VetoReason::Held) => 2,
        Verdict::Veto(VetoReason::Spread) => 3,
        Verdict::Veto(VetoReason::Aside) => 4,
    }
}

/// How many counters there are.
pub(crate) const TOTALS: usize = 18;

/// All counters, each in its place.
pub(crate) fn totals(engine: &Totals, left: u64, events: u64) -> [i64; TOTALS] {
    let micros = |nanos: u128| u64::try_from(nanos / 1000).unwrap_or(u64::MAX);
    [
        engine.made,
        engine.used,
        engine.moved,
        engine.overridden,
        engine.expired,
        engine.not_needed,
        engine.workflow_over,
        engine.executor_gone,
        left,
        micros(engine.idle_held_ns),
        engine.regressions,
        events,
        engine.copies,
        engine.copies_won,
        micros(engine.copies_lost_ns),
        engine.copies_before_equals,
        engine.bounds_met,
        engine.bounds_passed,
    ]
    .map(|n| i64::try_from(n).unwrap_or(i64::MAX))
}
