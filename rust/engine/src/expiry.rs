//! Time: what it costs, and what it ends.

use crate::api::ids::Time;
use crate::apply::gaps::{expire_gaps, yield_gap_holds};
use crate::holds::budget::{charge_slot_time, keep_to_budget};
use crate::holds::ends::expire_holds;
use crate::state::Core;
use crate::step::Out;

pub(crate) fn advance(core: &mut Core, now: Time) {
    if now < core.now {
        core.totals.regressions += 1;
        return;
    }
    let held = core.ledger.holds.len() as u128;
    core.totals.idle_held_ns += held * u128::from(now.since(core.now));
    charge_slot_time(core, now.since(core.now));
    core.now = now;
}

pub(crate) fn expire(core: &mut Core, out: &mut Out) {
    core.gates.expire(core.now, &mut core.step);
    core.pass();
    expire_holds(core, out);
    expire_gaps(core, out);
    if core.stall.is_some_and(|stall| stall <= core.now) {
        // Who claims what is given back has a second of its own.
        core.stall = None;
        yield_gap_holds(core, out);
    }
    keep_to_budget(core, out);
}
