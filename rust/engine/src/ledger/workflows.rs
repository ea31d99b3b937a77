//! Workflows and their total order.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::keys::{PoolKey, WorkflowKey};
use super::memory::{Memories, Memory};
use super::pattern::{Course, Known, Transition};
use super::tenants::Tenants;
use super::workflow::{Flags, Holding, Learned, Meter, Peak, Rank, Slots, Width, Workflow};
use crate::api::account::Account;
use crate::api::ids::{TenantId, Time, WorkflowId};
use crate::tables::arena::{Arena, Key};
use crate::tables::pages::IdMap;

#[derive(Clone, Debug, Default)]
pub(crate) struct Workflows {
    pub slab: Arena<WorkflowKey, Workflow>,
    pub ids: IdMap<WorkflowId, WorkflowKey>,
    /// Active workflows by rank. The only list of them that may be long.
    pub active: BTreeSet<(Rank, WorkflowKey)>,
    /// Workflows with holds by rank.
    pub holders: Vec<WorkflowKey>,
    /// Active workflows that may own less than they may claim, by rank. All others own that much for as long as they
    /// release nothing and nothing about them changes.
    pub hungry: Vec<WorkflowKey>,
    /// Workflows in a gap, in no order.
    pub gaps: Vec<WorkflowKey>,
    /// Workflows in a narrow phase, in no order.
    pub narrow: Vec<WorkflowKey>,
    arrivals: u64,
    /// Whose they are, where that bounds what they hold.
    pub tenants: Tenants,
    /// What those left behind that are gone.
    pub gone: Memories,
}

impl Workflows {
    pub fn rank(&self, key: WorkflowKey) -> Rank {
        self.slab[key].rank()
    }

    pub fn insert(&mut self, id: WorkflowId, priority: i32, isolation: u32) -> WorkflowKey {
        let Memory { largest_gap, missed_gap, tail, known, home, account } = self.gone.take(id);
        let key = self.slab.insert(Workflow {
            id,
            priority,
            pool: PoolKey::default(),
            arrival: 0,
            isolation,
            running: 0,
            held: 0,
            pending: 0,
            jobs: Vec::new(),
            meter: Meter { charged_at: Time::default(), busy_ns: account.busy_ns },
            flags: Flags { awaited: true, ..Flags::default() },
            slots: Slots::default(),
            width: Width::default(),
            holding: Holding::new(account, largest_gap, missed_gap),
            learned: Learned { home, known, tail, ..Learned::default() },
        });
        self.ids.insert(id, key);
        key
    }

    /// Forgets a workflow that nothing refers to any more, but for what it has taught.
    pub fn forget_if_unused(&mut self, key: WorkflowKey) {
        let w = &self.slab[key];
        if w.flags.active || w.flags.awaited || !w.jobs.is_empty() || w.running > 0 {
            return;
        }
        self.with_known(key, |course, known| course.restart(known, Time::default()));
        let w = self.slab.remove(key);
        self.ids.remove(&w.id);
        self.tenants.join(w.holding.tenant, TenantId::NONE, w.held);
        let account = if w.holding.account.is_reported() { w.sums() } else { Account::default() };
        let Holding { largest_gap, missed_gap, .. } = w.holding;
        let Learned { tail, known, home, .. } = w.learned;
        self.gone.put(w.id, Memory { largest_gap, missed_gap, tail, known, home, account });
    }

    /// The sums of those that have held and are gone; without an id, of those that nobody remembers.
    pub fn accounts_of_the_gone(&self) -> impl Iterator<Item = (Option<WorkflowId>, Account)> {
        let remembered = self.gone.all().map(|(id, memory)| (Some(id), memory.account));
        let all = remembered.chain([(None, self.gone.forgotten())]);
        all.filter(|(_, account)| account.is_reported())
    }

    /// What those repeated that are gone and remembered.
    pub fn patterns_of_the_gone(&self) -> impl Iterator<Item = (WorkflowId, &[Transition])> {
        self.gone.all().map(|(id, memory)| (id, memory.known.steps()))
    }

    /// What it has learned, or the one that it is akin to, as long as that is known.
    pub fn known(&mut self, key: WorkflowKey) -> &mut Known {
        let akin = self.slab[key].learned.akin;
        if let Some(&other) = akin.and_then(|akin| self.ids.get(&akin)) {
            return &mut self.slab[other].learned.known;
        }
        match akin.and_then(|akin| self.gone.of(akin)) {
            Some(memory) => &mut memory.known,
            None => &mut self.slab[key].learned.known,
        }
    }

    /// What it is akin to is still of use.
    pub fn touch_kin(&mut self, key: WorkflowKey) {
        if let Some(akin) = self.slab[key].learned.akin {
            self.gone.touch(akin);
        }
    }

    /// How far a workflow is, and what that is compared with and adds to.
    pub fn with_known<T>(
        &mut self,
        key: WorkflowKey,
        with: impl FnOnce(&mut Course, &mut Known) -> T,
    ) -> T {
        let mut known = std::mem::take(self.known(key));
        let result = with(&mut self.slab[key].learned.course, &mut known);
        *self.known(key) = known;
        result
    }

    /// A workflow arrives (again).
    pub fn activate(&mut self, key: WorkflowKey, now: Time) {
        self.arrivals += 1;
        let w = &mut self.slab[key];
        w.arrival = self.arrivals;
        w.flags.active = true;
        w.width.peak = Peak::default();
        w.width.last_m = 0;
        w.width.foreseen = None;
        w.width.known = None;
        w.flags.has_filled = false;
        w.flags.knows_gaps = w.holding.largest_gap > 0;
        w.holding.episode = None;
        w.flags.exhausted = false;
        self.active.insert((self.rank(key), key));
        self.with_known(key, |course, known| course.restart(known, now));
    }

    pub fn deactivate(&mut self, key: WorkflowKey) {
        self.set_hungry(key, false);
        self.set_narrow(key, None);
        self.active.remove(&(self.rank(key), key));
        self.slab[key].flags.active = false;
        self.slab[key].width.peak = Peak::default();
    }

    pub fn change_priority(&mut self, key: WorkflowKey, priority: i32) {
        self.change_rank(key, |w| w.priority = priority);
    }

    /// Another run of it comes, which those go before that have come since the run before.
    pub fn arrive_anew(&mut self, key: WorkflowKey) {
        self.arrivals += 1;
        let latest = self.arrivals;
        self.change_rank(key, |w| w.arrival = latest);
    }

    fn change_rank(&mut self, key: WorkflowKey, change: impl FnOnce(&mut Workflow)) {
        self.active.remove(&(self.rank(key), key));
        Self::leave(&mut self.holders, &self.slab, key);
        self.set_hungry(key, false);
        change(&mut self.slab[key]);
        if self.slab[key].flags.active {
            self.active.insert((self.rank(key), key));
        }
        self.update_holder(key);
    }

    /// Whether an active workflow may own less than it may claim.
    #[inline]
    pub fn set_hungry(&mut self, key: WorkflowKey, hungry: bool) {
        let w = &self.slab[key];
        if w.flags.hungry != hungry && w.flags.active {
            self.change_hungry(key, hungry);
        }
    }

    fn change_hungry(&mut self, key: WorkflowKey, hungry: bool) {
        self.slab[key].flags.hungry = hungry;
        if hungry {
            Self::enter(&mut self.hungry, &self.slab, key);
        } else {
            Self::leave(&mut self.hungry, &self.slab, key);
        }
    }

    /// Since when a workflow needs less than it will want again; most never do.
    pub fn set_narrow(&mut self, key: WorkflowKey, since: Option<Time>) {
        let place = self.narrow.iter().position(|&other| other == key);
        match (place, since) {
            (None, None) => return,
            (None, Some(_)) => self.narrow.push(key),
            (Some(place), None) => {
                self.narrow.swap_remove(place);
            }
            (Some(_), Some(_)) => {}
        }
        self.slab[key].width.narrow = since;
    }

    /// Keeps `holders` in step with the number of holds.
    pub fn update_holder(&mut self, key: WorkflowKey) {
        // Only the changes 0 -> 1 and 1 -> 0 matter.
        match (self.slab[key].held, Self::place(&self.holders, &self.slab, key).is_ok()) {
            (0, true) => Self::leave(&mut self.holders, &self.slab, key),
            (0, false) | (_, true) => {}
            (_, false) => Self::enter(&mut self.holders, &self.slab, key),
        }
    }

    fn enter(list: &mut Vec<WorkflowKey>, slab: &Arena<WorkflowKey, Workflow>, key: WorkflowKey) {
        let (Ok(place) | Err(place)) = Self::place(list, slab, key);
        list.insert(place, key);
    }

    /// Active workflows as important as this one, by rank.
    #[inline]
    pub fn equals(&self, key: WorkflowKey) -> impl Iterator<Item = WorkflowKey> {
        let priority = Reverse(self.slab[key].priority);
        let equals = ((priority, 0), WorkflowKey::of_number(0))
            ..=((priority, u64::MAX), WorkflowKey::of_number(u32::MAX));
        self.active.range(equals).map(|&(_, key)| key)
    }

    /// The rank of a workflow does not change while it is in a list.
    fn leave(list: &mut Vec<WorkflowKey>, slab: &Arena<WorkflowKey, Workflow>, key: WorkflowKey) {
        if let Ok(place) = Self::place(list, slab, key) {
            list.remove(place);
        }
    }

    /// Where a workflow is in a list sorted by rank, or would be.
    fn place(
        list: &[WorkflowKey],
        slab: &Arena<WorkflowKey, Workflow>,
        key: WorkflowKey,
    ) -> Result<usize, usize> {
        let rank = slab[key].rank();
        list.binary_search_by_key(&rank, |&other| slab[other].rank())
    }
}
