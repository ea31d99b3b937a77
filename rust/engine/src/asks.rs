//! Asks: may this set use a slot of this executor now? Queries, not logged, a few nanoseconds where
//! an executor carries no holds.

use crate::api::ask_class::AskClass;
use crate::api::config::Policy;
use crate::api::decision::{Verdict, VetoReason};
use crate::api::error::EngineError;
use crate::api::ids::{ExecutorId, Resources, SetId};
use crate::engine::Engine;
use crate::holds::fair::blocks;
use crate::ledger::{Set, Side};
use crate::policies::ssr::widen::pays;
use crate::policies::r#static::kept_from;

impl Engine {
    /// May this set use a slot of this executor now? `free` is what the host's round offers there,
    /// less what was launched from it in this round.
    ///
    /// SSR-6 with a total rank: a hold blocks whoever ranks after its owner, and nobody else; the
    /// owner always passes (the paper's Algorithm 1, line 19, would veto it).
    ///
    /// # Errors
    /// The set or the executor is unknown.
    pub fn verdict(
        &self,
        set: SetId,
        executor: ExecutorId,
        free: &Resources,
    ) -> Result<Verdict, EngineError> {
        let (set_key, set) = self.known_set(set)?;
        let key = self.ledger.executors.key(executor).ok_or(EngineError::UnknownExecutor)?;
        if self.config.policy == Policy::Stock {
            return Ok(Verdict::Allow);
        }
        if self.has_its_share(set_key, set, key) {
            return Ok(Verdict::Veto(VetoReason::Spread));
        }
        if self.config.policy == Policy::Static {
            let left = free.minus(self.kept_from(set, key));
            let allowed = left.covers(&set.demand);
            return Ok(if allowed { Verdict::Allow } else { Verdict::Veto(VetoReason::Aside) });
        }
        let (blocked, own) = self.blocked(set, key);
        if !free.minus(blocked).covers(&set.demand) {
            return Ok(Verdict::Veto(VetoReason::Held));
        }
        let widens =
            own && self.config.grow && pays(&self.ledger.workflows.slab[set.workflow], set);
        Ok(if widens { Verdict::AllowHeld } else { Verdict::Allow })
    }

    /// How many tasks of a barrier set fit here now. A barrier set is allowed or refused as a
    /// whole: the host sums this over its round.
    ///
    /// # Errors
    /// The set or the executor is unknown.
    pub fn barrier_room(
        &self,
        set: SetId,
        executor: ExecutorId,
        free: &Resources,
    ) -> Result<u32, EngineError> {
        let (_, set) = self.known_set(set)?;
        let key = self.ledger.executors.key(executor).ok_or(EngineError::UnknownExecutor)?;
        let kept = match self.config.policy {
            Policy::Static => self.kept_from(set, key),
            _ => self.blocked(set, key).0,
        };
        Ok(set.demand.fit_into(&free.minus(kept)))
    }

    /// Whether this set could use any slot at all now. False only if no verdict could be an allow:
    /// the host may then leave the set out of its round.
    ///
    /// # Errors
    /// The set is unknown.
    pub fn admits(&self, set: SetId) -> Result<bool, EngineError> {
        let (_, set) = self.known_set(set)?;
        if self.config.policy == Policy::Stock || self.ledger.executors.any_room() {
            return Ok(true);
        }
        if self.config.policy == Policy::Static {
            return Ok(false);
        }
        let holders = self.ledger.workflows.holders.iter().rev();
        // Every slot is busy or held. By rank, the last holder blocks this set only if all do.
        let some = if self.ledger.pools.any_fair { usize::MAX } else { 1 };
        Ok(holders.take(some).any(|&owner| !self.is_kept(owner, set))
            || self.ledger.workflows.slab[set.workflow].held > 0)
    }

    /// Returns the class of a set's asks. Sets of one class get equal answers everywhere, so that a host may ask for one of
    /// them and skip the others.
    ///
    /// # Errors
    /// The set is unknown.
    pub fn ask_class(&self, set: SetId) -> Result<AskClass, EngineError> {
        /// Apart from the keys of demands, which are the numbers that sets share.
        const OWN: u64 = 1 << 32;
        let (_, set) = self.known_set(set)?;
        let shared = self.config.asks_alike(self.ledger.workflows.slab[set.workflow].priority);
        let number = if shared { set.demand_key.into() } else { OWN + u64::from(set.serial) };
        let by_holds = shared && self.config.policy.holds();
        let may_widen = !shared && self.config.may_widen();
        Ok(AskClass { number, shared, by_holds, may_widen })
    }

    /// Returns whether the host has anything to enforce: priorities sort task sets, and asks may be refused.
    #[must_use]
    pub fn enforces(&self) -> bool {
        self.config.policy.enforces()
    }

    pub(crate) fn known_set(&self, set: SetId) -> Result<(usize, &Set), EngineError> {
        let key = *self.ledger.set_ids.get(&set).ok_or(EngineError::UnknownSet)?;
        Ok((key, &self.ledger.sets[key]))
    }

    /// Whether a hold of `owner` stands in the way of a set. Barrier sets go by rank only: two of them that hold half of
    /// a cluster each would wait for ever.
    fn is_kept(&self, owner: usize, set: &Set) -> bool {
        if set.together {
            return self.ledger.workflows.rank(owner) < self.ledger.workflows.rank(set.workflow);
        }
        blocks(&self.ledger, owner, set.workflow, 1)
    }

    fn kept_from(&self, set: &Set, executor: usize) -> Resources {
        kept_from(&self.ledger, &self.ledger.workflows.slab[set.workflow], executor)
    }

    /// What is held on an executor against a workflow, and whether it has a hold of its own there.
    fn blocked(&self, set: &Set, executor: usize) -> (Resources, bool) {
        let holds = self.ledger.executors.slab[executor].holds;
        let (mut blocked, mut own) = (Resources::default(), false);
        for key in self.ledger.holds.oldest_first(holds, Side::Executor) {
            let hold = self.ledger.holds.get(key);
            if hold.owner == set.workflow {
                own = true;
            } else if self.is_kept(hold.owner, set) {
                blocked = blocked.plus(hold.size);
            }
        }
        (blocked, own)
    }
}
