//! Tasks that are done, or not any more, without an attempt of their set.

use crate::api::error::EngineError;
use crate::api::ids::SetId;
use crate::state::Core;
use crate::step::Applied;
use crate::watch::last_wave::watch_wave;

/// Events that only policies take care of are about tasks that are known.
pub(crate) fn known_task(core: &Core, set: SetId, task: u32) -> Applied {
    let (_, set) = core.ledger.known_set(set)?;
    if task < set.width() { Ok(()) } else { Err(EngineError::TaskOutOfRange) }
}

pub(crate) fn unfinished(core: &mut Core, set: SetId, task: u32) -> Applied {
    let set = *core.ledger.set_ids.get(&set).ok_or(EngineError::UnknownSet)?;
    let s = &core.ledger.sets[set];
    let t = s.tasks.get(task as usize).ok_or(EngineError::TaskOutOfRange)?;
    if !t.finished || s.zombie {
        return Ok(());
    }
    let (idle, since) = (t.running == 0, t.since);
    let done_on = t.done_on();
    core.ledger.change_task(set, task, |t| {
        t.finished = false;
        t.set_done_on(None);
    });
    let s = &mut core.ledger.sets[set];
    if let Some(executor) = done_on {
        s.lost_on(executor);
    }
    s.watch.copies.youngest = None;
    if s.kind.may_copy && !idle {
        s.watch.copies.running.launched((since, task), &s.tasks, s.unfinished);
    }
    core.ledger.add_unfinished(set, 1);
    if idle {
        core.ledger.add_pending(set, 1);
    }
    watch_wave(core, set);
    Ok(())
}

pub(crate) fn finished_elsewhere(core: &mut Core, set: SetId, task: u32) -> Applied {
    let set = *core.ledger.set_ids.get(&set).ok_or(EngineError::UnknownSet)?;
    let s = &core.ledger.sets[set];
    let t = s.tasks.get(task as usize).ok_or(EngineError::TaskOutOfRange)?;
    if t.finished || s.zombie {
        return Ok(());
    }
    let idle = t.running == 0;
    core.ledger.change_task(set, task, |t| t.finished = true);
    core.ledger.add_unfinished(set, -1);
    if idle {
        core.ledger.add_pending(set, -1);
    }
    watch_wave(core, set);
    Ok(())
}
