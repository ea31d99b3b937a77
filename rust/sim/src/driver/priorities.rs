//! Priorities: of workflows as the engine knows them, and of their sets in the order (`Holdfast.setPriority`; the shim's
//! `Jobs.reprioritise`).

use holdfast_engine::{Event as EngineEvent, WorkflowId};

use crate::driver::state::Host;
use crate::driver::tasks::set::Class;

impl Host<'_> {
    /// The user gives a workflow another priority. One without jobs has it from its next job on.
    pub(crate) fn prioritise(&mut self, change: u32) {
        let change = &self.world.changes[change as usize];
        let run = &mut self.runs[change.workflow];
        run.priority = change.priority;
        let Some(flow) = run.flow else { return };
        let known = &self.flows[flow as usize];
        if known.jobs > 0 && known.priority != change.priority {
            self.open_flow(flow);
        }
    }

    /// Tells the engine what a workflow is, with the priority that it has now.
    pub(crate) fn open_flow(&mut self, flow: u32) {
        let workflow = self.flows[flow as usize].workflow;
        let spec = &self.world.workflows[workflow as usize];
        let priority = self.runs[workflow as usize].priority;
        let pool = self.order.pool_of(spec.pool);
        self.tell(EngineEvent::WorkflowOpened {
            workflow: WorkflowId(flow),
            priority,
            isolation: spec.isolation_ppm.unwrap_or(1_000_000),
            parallelism: spec.parallelism,
            pool: self.engine_pool(pool),
        });
        let before = std::mem::replace(&mut self.flows[flow as usize].priority, priority);
        if before != priority && self.wire.enforces {
            let sets = self.flows[flow as usize].sets.clone();
            sets.into_iter().for_each(|set| self.sort_anew(set));
        }
    }

    /// By what sets of a workflow are sorted before all else.
    pub(crate) fn sorting_priority(&self, flow: u32) -> i32 {
        let known = self.flows.get(flow as usize).filter(|_| self.wire.enforces);
        known.map_or(0, |flow| flow.priority)
    }

    /// The priority of a set's workflow has changed: its lane, and whether it is asked about on its own.
    fn sort_anew(&mut self, set: u32) {
        let s = &self.sets[set as usize];
        let (flow, old, key, open) = (s.flow, s.lane, s.key, s.class == Class::Open);
        let (pool, profile) = (self.order.lanes[old as usize].pool, s.profile);
        let lane = self.order.lane(self.sorting_priority(flow), pool, profile);
        if open {
            self.order.put(old, key, set, false);
            self.order.put(lane, key, set, true);
        }
        let plain = self.is_plain(flow);
        self.special.retain(|&other| other != set);
        let s = &mut self.sets[set as usize];
        s.lane = lane;
        s.owed = true;
        if plain {
            // Executors that came while it sat out: it hears of them when it is back.
            self.plain_behind |= s.skipped;
            s.skipped = false;
        } else {
            s.skipped = !self.plain_admitted;
            self.some_skipped |= s.skipped;
            self.special.push(set);
        }
        self.classify(set);
    }
}
