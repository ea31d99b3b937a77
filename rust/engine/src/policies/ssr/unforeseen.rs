//! Who comes narrow and becomes wide without anybody having known it: what it lacks by then, for its account.

use crate::engine::Engine;
use crate::policies::ssr::need::{may_own, wants};

impl Engine {
    /// A set has come. What is at most a quarter wider than known is no surprise, so that what grows by ones is looked at
    /// a few times only: attempts are many.
    pub(crate) fn watch_width(&mut self, workflow: usize) {
        let ahead = wants(&self.ledger, &self.config, self.now, workflow).ahead;
        let w = &mut self.ledger.workflows.slab[workflow];
        if ahead == 0 {
            return;
        }
        let (first, known) = *w.known_width.get_or_insert((self.now, ahead));
        if ahead <= known.saturating_add(known / 4) {
            return;
        }
        w.known_width = Some((first, ahead));
        let w = &self.ledger.workflows.slab[workflow];
        let lacking = ahead.min(may_own(&self.ledger, w)).saturating_sub(known.max(w.owned()));
        let room = |slot| self.ledger.executors.with_room(slot, 0).is_some();
        if lacking == 0 || w.slot.is_some_and(room) {
            return;
        }
        let workflows = &self.ledger.workflows;
        let rank = w.rank();
        let given = self.ledger.attempts.iter().filter(|(_, attempt)| {
            attempt.launched_at > first && workflows.rank(attempt.workflow()) > rank
        });
        let given = given.take(lacking as usize).count() as u64;
        self.ledger.workflows.slab[workflow].account.unforeseen += given;
    }
}
