//! The gate for tests: pools of one weight are shut out for a millisecond after each of their launches, until a tick.

use holdfast_engine::{Event, Policy};

use super::Reference;
use super::state::Set;

const WEIGHT: u32 = 77_777;
const CLOSED_NS: u64 = 1_000_000;

impl Reference {
    fn is_guarded(&self, set: &Set) -> bool {
        let pool = self.workflows[&set.workflow].pool;
        cfg!(feature = "test-gate")
            && self.pools.get(&pool).is_some_and(|pool| pool.weight == WEIGHT)
    }

    pub(super) fn shuts_out(&self, set: &Set) -> bool {
        self.shut_until.is_some() && self.is_guarded(set)
    }

    pub(super) fn shut_after(&mut self, event: &Event) {
        let Event::Launched { set, .. } = event else { return };
        if self.config.policy != Policy::Stock && self.is_guarded(&self.sets[set]) {
            self.shut_until = Some(self.now.after(CLOSED_NS));
        }
    }

    pub(super) fn open_gate(&mut self) {
        if self.shut_until.is_some_and(|until| until <= self.now) {
            self.shut_until = None;
            self.reoffer = true;
        }
    }
}
