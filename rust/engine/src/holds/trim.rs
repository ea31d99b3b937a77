//! A lowered need is worked off.

use crate::api::decision::EndCause;
use crate::holds::choice::surplus;
use crate::holds::ends::end_hold;
use crate::holds::narrow::watch_narrow;
use crate::holds::sizes::{end_misfits, watch_slot};
use crate::needs::{may_hold, need};
use crate::state::Core;
use crate::step::Out;

/// A lowered need is worked off: no kill, no hold above it.
pub(crate) fn trim(core: &mut Core, out: &mut Out) {
    let mut touched = core.ledger.touched.take();
    touched.retain(|&w| core.ledger.workflows.slab.contains(w));
    touched.sort_unstable_by_key(|&w| core.ledger.workflows.rank(w));
    touched.dedup();
    for &w in &touched {
        core.look_again(w);
        watch_slot(core, w);
        let workflow = &core.ledger.workflows.slab[w];
        if workflow.held == 0 && !may_hold(&core.rules, workflow) {
            // Almost all of them.
            core.ledger.workflows.set_narrow(w, None);
            continue;
        }
        end_misfits(core, w, out);
        watch_narrow(core, w);
        if core.ledger.workflows.slab[w].held == 0 {
            continue;
        }
        let need = need(&core.ledger, &core.rules, core.now, w);
        while let Some(newest) = surplus(core, w, need) {
            end_hold(core, newest, EndCause::NotNeeded, out);
        }
    }
    core.ledger.touched.give_back(touched);
}
