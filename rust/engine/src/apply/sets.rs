//! Task sets: how they come and end.

use crate::api::config::NeedRule;
use crate::api::error::EngineError;
use crate::api::event::StageKind;
use crate::api::ids::{JobId, ProfileId, SetId, StageId};
use crate::apply::gaps::{arrive, begin_gap, has_live_job};
use crate::ledger::keys::{JobKey, WorkflowKey};
use crate::ledger::sets::{Copying, Follows, Input, Set, SetKind, SetWatch};
use crate::ledger::{Job, Peak};
use crate::policies::ssr::copies::may_copy;
use crate::policies::ssr::look_ahead;
use crate::policies::ssr::need::peak_is_valid;
use crate::state::Core;
use crate::step::{Applied, Out};
use crate::watch::last_wave::renew_barrier;
use crate::watch::spread::begin_spread;
use crate::watch::unforeseen::watch_width;

/// More tasks in one set are taken for garbage.
const MAX_TASKS: u32 = 1 << 24;

pub(crate) fn set_submitted(
    core: &mut Core,
    id: SetId,
    job: JobId,
    stage: StageId,
    SetShape { tasks, profile, fills_cache, kind }: SetShape,
) -> Applied {
    if core.ledger.set_ids.contains_key(&id) {
        return Err(EngineError::KnownSet);
    }
    let job = *core.ledger.job_ids.get(&job).ok_or(EngineError::UnknownJob)?;
    let demand = core.ledger.executors.demand(profile).ok_or(EngineError::UnknownProfile)?;
    if tasks == 0 || tasks > MAX_TASKS {
        return Err(EngineError::BadTaskCount);
    }
    let workflow = core.ledger.jobs[job].workflow;
    let demand_key = core.ledger.demand_key(demand);
    core.ledger.jobs[job].done = false;
    arrive(core, workflow);
    supersede(core, job, stage);
    let (next, next_profile, signature) = take_from_plan(core, job, stage);
    learn_pattern(core, job, signature, tasks);
    let mut buffer = core.ledger.spares.tasks.take();
    buffer.resize(tasks as usize, Default::default());
    core.ledger.set_serial += 1;
    let foreseen = core.ledger.workflows.slab[workflow].width.foreseen.map(|f| f.next);
    let may_copy = core.rules.copies_on_holds() && may_copy(&core.rules, kind);
    let key = core.ledger.sets.insert(Set {
        id,
        serial: core.ledger.set_serial,
        workflow,
        job,
        stage,
        tasks: buffer,
        unfinished: 0,
        pending: 0,
        profile,
        demand,
        demand_key,
        zombie: false,
        kind: SetKind { may_copy, together: kind == StageKind::Barrier, fills_cache },
        follows: Follows { tasks: next, profile: next_profile, foreseen },
        watch: SetWatch {
            input: Input { places: core.ledger.spares.places.take(), ..Input::default() },
            copies: Copying { running: core.ledger.spares.running.take(), ..Copying::default() },
            ..SetWatch::default()
        },
    });
    core.ledger.set_ids.insert(id, key);
    core.ledger.jobs[job].sets.push(key);
    core.ledger.add_unfinished(key, tasks.cast_signed());
    core.ledger.add_pending(key, tasks.cast_signed());
    begin_episode(core, workflow, profile, demand, tasks);
    renew_barrier(core, workflow);
    watch_width(core, workflow);
    if fills_cache {
        begin_spread(core, key);
    }
    Ok(())
}

fn begin_episode(
    core: &mut Core,
    workflow: WorkflowKey,
    profile: ProfileId,
    demand: crate::Resources,
    tasks: u32,
) {
    let valid = peak_is_valid(&core.rules, core.now, &core.ledger.workflows.slab[workflow]);
    let w = &mut core.ledger.workflows.slab[workflow];
    w.slots.latest = Some((profile, demand));
    w.set_slot(w.slots.latest);
    w.holding.episode = None;
    w.flags.exhausted = false;
    if !valid || tasks >= w.width.peak.width {
        w.width.peak = Peak { width: tasks, at: core.now };
    }
}

/// Earlier sets of the same stage launch nothing any more.
fn supersede(core: &mut Core, job: JobKey, stage: StageId) {
    for i in 0..core.ledger.jobs[job].sets.len() {
        let set = core.ledger.jobs[job].sets[i];
        if core.ledger.sets[set].stage == stage {
            core.ledger.make_zombie(set);
        }
    }
}

/// n of a stage that is submitted, of what profile, and its signature if this is the first time.
fn take_from_plan(core: &mut Core, job: JobKey, stage: StageId) -> (u32, ProfileId, Option<u32>) {
    let Some((entry, first)) = core.ledger.jobs[job].submit(stage) else {
        return (0, ProfileId(0), None);
    };
    (entry.next, entry.next_profile, first.then_some(entry.signature))
}

/// A stage of a workflow that may go on teaches what follows what; not when it runs again.
/// Stages of a job that run side by side want their slots at the same time.
fn learn_pattern(core: &mut Core, job: JobKey, signature: Option<u32>, tasks: u32) {
    let Job { workflow, continues, unfinished: beside, .. } = core.ledger.jobs[job];
    let (Some(signature), true) = (signature, continues) else { return };
    let soon = look_ahead::wait(&core.ledger, &core.rules);
    let ahead = core.rules.need == NeedRule::Lookahead;
    let now = core.now;
    core.ledger.workflows.touch_kin(workflow);
    let foreseen = core.ledger.workflows.with_known(workflow, |course, known| {
        course.add(known, now, signature, tasks.saturating_add(beside));
        course.foresee(known, soon)
    });
    core.ledger.workflows.slab[workflow].width.foreseen = foreseen.filter(|_| ahead);
}

pub(crate) fn set_ended(core: &mut Core, id: SetId, out: &mut Out) {
    let Some(done) = end_set(core, id) else { return };
    let job = &mut core.ledger.jobs[done.job];
    let active = job.sets.iter().any(|&set| !core.ledger.sets[set].zombie);
    job.done |= done.final_and_complete && job.plan_is_submitted() && !active;
    let (workflow, continues) = (job.workflow, job.continues);
    let w = &core.ledger.workflows.slab[workflow];
    if w.flags.active && w.holding.gap.is_none() && !has_live_job(core, workflow) {
        begin_gap(core, workflow, continues, out);
    }
}

/// Takes a set out of the books; `None` if it is unknown.
pub(crate) fn end_set(core: &mut Core, id: SetId) -> Option<EndedSet> {
    let key = core.ledger.set_ids.remove(&id)?;
    let (zombie, unfinished) = (core.ledger.sets[key].zombie, core.ledger.sets[key].unfinished);
    core.ledger.make_zombie(key);
    if core.ledger.sets[key].watch.spread_until.is_some() {
        core.spreads.forget(key);
    }
    let mut set = core.ledger.sets.remove(key);
    if !zombie && unfinished == 0 {
        core.ledger.workflows.slab[set.workflow]
            .learned
            .home
            .completed(&mut set.watch.input.places, set.kind.fills_cache);
    }
    let (width, continues) = (set.width(), core.ledger.jobs[set.job].continues);
    let w = &core.ledger.workflows.slab[set.workflow];
    let (closed, declared) = (w.flags.closed, w.width.declared);
    let n = set.n(continues && !closed, declared);
    core.ledger.spares.tasks.put(std::mem::take(&mut set.tasks));
    core.ledger.spares.running.put(std::mem::take(&mut set.watch.copies.running));
    core.ledger.spares.places.put(std::mem::take(&mut set.watch.input.places));
    core.ledger.workflows.slab[set.workflow].width.last_m = width;
    note_width(core, set.workflow, width);
    let job = &mut core.ledger.jobs[set.job];
    job.sets.retain(|&other| other != key);
    renew_barrier(core, set.workflow);
    let job = &mut core.ledger.jobs[set.job];
    if !zombie {
        job.last_n = if unfinished > 0 { unfinished } else { n };
        if unfinished > 0 {
            job.replan(set.stage, unfinished);
        }
    }
    let final_and_complete = !zombie && unfinished == 0 && set.follows.tasks == 0;
    Some(EndedSet { job: set.job, final_and_complete })
}

/// The workflow still uses the width of its peak.
pub(crate) fn note_width(core: &mut Core, workflow: WorkflowKey, width: u32) {
    let w = &mut core.ledger.workflows.slab[workflow];
    if width >= w.width.peak.width {
        w.width.peak.at = core.now;
        w.width.narrow = w.width.narrow.map(|_| core.now);
    }
}

/// What is said of a set when it comes.
pub(crate) struct SetShape {
    pub tasks: u32,
    pub profile: ProfileId,
    pub fills_cache: bool,
    pub kind: StageKind,
}

/// What ending a set leaves to decide.
pub(crate) struct EndedSet {
    job: JobKey,
    final_and_complete: bool,
}
