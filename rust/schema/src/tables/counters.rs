//! Counters.

use crate::Counter;
use crate::Source::{self, Nanos, Session, Totals};

const fn counter(
    place: usize,
    name: &'static str,
    owner: &'static str,
    source: Source,
    doc: &'static str,
) -> Counter {
    Counter { place, name, doc, owner, source }
}

/// The mechanism of holds, which every policy that holds shares.
const HOLDS: &str = "holds";
/// Speculative slot reservation alone (SSR-10).
const COPIES: &str = "ssr";
/// Every rule for stragglers.
const STRAGGLERS: &str = "stragglers";
/// Bounded jobs.
const GRASS: &str = "grass";
/// The host's own clock and calls.
const HOST: &str = "host";

/// All counters, in the order of `Totals`. Places are numbers in the host's calls: a new counter takes the next one.
pub const COUNTERS: &[Counter] = &[
    counter(0, "made", HOLDS, Totals, "Holds made."),
    counter(1, "used", HOLDS, Totals, "Ended because the owner launched there."),
    counter(2, "moved", HOLDS, Totals, "Ended because the owner launched elsewhere."),
    counter(
        3,
        "overridden",
        HOLDS,
        Totals,
        "Ended because a more important workflow took the slot.",
    ),
    counter(4, "expired", HOLDS, Totals, "Ended by their deadline."),
    counter(5, "not_needed", HOLDS, Totals, "Ended because the need fell."),
    counter(6, "workflow_over", HOLDS, Totals, "Ended with their workflow."),
    counter(7, "executor_gone", HOLDS, Totals, "Ended with their executor."),
    counter(8, "left", HOLDS, Session, "Holds that live now."),
    counter(9, "idle_held", HOLDS, Nanos, "Idle held slot-time, in slots x nanoseconds."),
    counter(
        12,
        "copies",
        COPIES,
        Totals,
        "Attempts launched beside a running attempt of their task.",
    ),
    counter(13, "copies_won", COPIES, Totals, "Those of them that ended their task."),
    counter(
        14,
        "copies_lost",
        STRAGGLERS,
        Nanos,
        "Slot-time of attempts beside another that ended their task, in slots x nanoseconds.",
    ),
    counter(
        15,
        "copies_before_equals",
        STRAGGLERS,
        Totals,
        "Copies that were launched while tasks of equally important workflows waited.",
    ),
    counter(
        16,
        "bounds_met",
        GRASS,
        Totals,
        "Error-bounded stages with enough tasks done, and stages that were done before their deadline.",
    ),
    counter(17, "bounds_passed", GRASS, Totals, "Deadlines that came before all tasks were done."),
    counter(10, "regressions", HOST, Totals, "How often the host's clock went back."),
    counter(11, "events", HOST, Session, "Events that the engine was told."),
];
