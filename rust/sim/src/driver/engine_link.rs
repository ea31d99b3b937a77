//! What the engine is told, and the holds that it decides on, by executor and by workflow.

use holdfast_engine::{Decision, EndCause, Event as EngineEvent, HoldId, WorkflowId};

use crate::driver::state::Host;

impl Host<'_> {
    /// Tells the engine something, and does what it decides.
    pub(crate) fn tell(&mut self, event: EngineEvent) {
        self.wire.step(self.now, &event);
        for i in 0..self.wire.decided() {
            match self.wire.decision(i) {
                Decision::Reoffer => self.wire.reoffer = true,
                Decision::Held { hold, workflow, executor, .. } => {
                    self.held(hold, workflow, executor.0);
                }
                Decision::HoldEnded { hold, cause } => self.hold_ended(hold, cause),
            }
        }
    }

    fn held(&mut self, hold: HoldId, WorkflowId(flow): WorkflowId, executor: u32) {
        self.holders.insert(hold, (flow, executor));
        self.cluster.hold(executor, flow);
        let owner = &mut self.flows[flow as usize];
        owner.holds.push((hold, executor));
        owner.held = true;
        self.meter.held(self.now, 1);
        if self.in_round {
            self.new_holders.push(flow);
        }
    }

    fn hold_ended(&mut self, hold: HoldId, cause: EndCause) {
        let Some((flow, executor)) = self.holders.remove(&hold) else { return };
        let owner = &mut self.flows[flow as usize];
        if let Some(place) = owner.holds.iter().position(|&(id, _)| id == hold) {
            owner.holds.swap_remove(place);
        }
        owner.expired |= cause == EndCause::Expired;
        self.meter.held(self.now, -1);
        self.cluster.release(executor, flow);
        if self.wire.by_holds {
            self.reopened.push(executor);
        }
        self.epoch += 1;
    }
}
