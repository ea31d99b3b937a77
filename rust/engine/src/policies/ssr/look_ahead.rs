//! Rent or buy: for how long may slots idle that only a later, wider stage will want?
//!
//! Ski rental (docs/mechanisms/ssr/look-ahead.md): a slot that is kept idles from now on, one that is given away takes a
//! rival's task and has to be waited for. Who keeps it for as long as that wait would be, and gives it away then, pays
//! at most twice what the best choice in hindsight would have cost.

use crate::api::config::Config;
use crate::api::ids::Time;
use crate::ledger::{Ledger, Workflow};

/// Until when slots beyond the literal need are kept; `None` while that is not less than the need.
pub(crate) fn until(ledger: &Ledger, config: &Config, w: &Workflow) -> Option<Time> {
    Some(w.width.narrow?.after(wait(ledger, config)))
}

/// How long whoever has given a slot away waits for it, in nanoseconds.
pub(crate) fn wait(ledger: &Ledger, config: &Config) -> u64 {
    let longest = ledger.rivals.get().unwrap_or(config.hold_max_ns);
    longest.max(config.hold_floor_ns).min(config.hold_max_ns)
}
