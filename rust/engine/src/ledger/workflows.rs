//! Workflows and their total order.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use slab::Slab;

use super::holds::List;
use super::memory::{Memories, Memory};
use super::pattern::{Foreseen, Pattern, Transition};
use super::places::Home;
use super::tenants::Tenants;
use crate::api::account::Account;
use crate::api::ids::{ExecutorId, ProfileId, Resources, TenantId, Time, WorkflowId};
use crate::math::pareto::Tail;
use crate::tables::pages::IdMap;

/// Sorts more important workflows first; unique, since arrivals are.
type Rank = (Reverse<i32>, u64);

/// The wait between two jobs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gap {
    pub start: Time,
    pub deadline: Time,
    /// Serial of the latest set that had been submitted by then.
    pub latest_set: u32,
}

/// The widest set seen of late.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Peak {
    pub width: u32,
    pub at: Time,
}

/// What every launch and every end touches comes first, in three cache lines, and then what workflows that hold need.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct Workflow {
    pub priority: i32,
    pub running: u32,
    pub held: u32,
    /// P in millionths.
    pub isolation: u32,
    pub pending: u64,
    /// Up to when its sums go.
    charged_at: Time,
    /// Slot-time with a task, in slots x nanoseconds; the other sums are in the account.
    busy_ns: u64,
    pub pool: usize,
    pub id: WorkflowId,
    pub active: bool,
    pub closed: bool,
    /// Opened, and no job has come since: it must not be forgotten in between.
    pub awaited: bool,
    /// Its slot has changed, so that holds of it may not fit any more.
    pub misfits: bool,
    /// The cap of this episode has passed.
    pub exhausted: bool,
    /// Whether it is in the list of those.
    hungry: bool,
    /// Since it became active a set of it has filled the cache.
    pub has_filled: bool,
    /// An earlier run has shown how long its gaps are.
    pub knows_gaps: bool,
    /// Tasks of its set that ended last.
    pub last_m: u32,

    /// What its attempts occupy.
    pub using: Resources,
    /// Profile of its latest set, and what a task of it asks for.
    pub latest: Option<(ProfileId, Resources)>,
    /// The same of what it will launch next: what its holds are.
    pub slot: Option<(ProfileId, Resources)>,

    pub peak: Peak,
    /// Since when it needs less than it will want again.
    pub narrow: Option<Time>,
    /// Here, since its entry in the slab is told from a vacant one by it.
    pub jobs: Vec<usize>,
    pub arrival: u64,

    /// Its sums, without the slot-time with a task: see [`Workflow::sums`].
    pub account: Account,
    pub gap: Option<Gap>,
    pub largest_gap: u64,
    /// When the gap began that was longer than its linger; none once its next job has come.
    pub missed_gap: Option<Time>,
    /// How wide it is when it claims, and until when that stays so; none since it was touched.
    pub wide: Option<(u32, Time)>,
    /// When its first set since it became active came, and how wide it is known to be; none before that.
    pub known_width: Option<(Time, u32)>,
    /// n as the user has declared it; 0 for none.
    pub declared: u32,
    /// Whose it is.
    pub tenant: TenantId,
    /// The deadline that its holds have from its barrier now.
    pub barrier: Option<Time>,
    /// Start of the span that the cap counts over.
    pub episode: Option<Time>,
    /// Its holds, in the order of making.
    pub holds: List,
    /// What follows its latest set.
    pub foreseen: Option<Foreseen>,
    /// Where its input lies.
    pub home: Home,
    /// How many times longer a task takes away from its input than next to it, in thousandths.
    pub remote_slowdown_milli: Option<u64>,
    /// When the first task away from its input finished on an executor.
    pub away: FxHashMap<ExecutorId, Time>,
    /// What it repeats.
    pub pattern: Pattern,
    /// The shape of its task durations.
    pub tail: Tail,
}

const _: () = assert!(std::mem::offset_of!(Workflow, account) == 3 * 64);

impl Workflow {
    pub fn rank(&self) -> Rank {
        (Reverse(self.priority), self.arrival)
    }

    /// Before the number of its slots changes, or what its holds wait for.
    pub fn charge(&mut self, now: Time) {
        let nanos = now.since(self.charged_at);
        let slot_time = |slots: u32| nanos.saturating_mul(slots.into());
        self.busy_ns = self.busy_ns.saturating_add(slot_time(self.running));
        if self.held > 0 {
            let idle = slot_time(self.held);
            self.account.idle_ns = self.account.idle_ns.saturating_add(idle);
            if self.gap.is_none() && self.barrier.is_some() {
                self.account.barrier_idle_ns = self.account.barrier_idle_ns.saturating_add(idle);
            }
        }
        self.charged_at = now;
    }

    /// All its sums.
    pub fn sums(&self) -> Account {
        Account { busy_ns: self.busy_ns, ..self.account }
    }

    /// Slots that it occupies or holds.
    pub fn used(&self) -> u32 {
        self.running + self.held
    }

    pub fn set_slot(&mut self, slot: Option<(ProfileId, Resources)>) {
        self.misfits |= self.slot != slot;
        self.slot = slot;
    }

    /// What comes next has slots of another size, or elsewhere.
    pub fn is_resized(&self) -> bool {
        self.slot != self.latest
    }

    /// Slots of what it will launch next: those that it holds, and what its attempts will leave.
    pub fn owned(&self) -> u32 {
        match self.slot {
            Some((_, demand)) if self.is_resized() => self.held + demand.fit_into(&self.using),
            _ => self.used(),
        }
    }

    /// What its holds wait for, at the latest: their caps count besides.
    pub fn holds_until(&self) -> Time {
        self.gap.map(|gap| gap.deadline).or(self.barrier).unwrap_or(Time(u64::MAX))
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Workflows {
    pub slab: Slab<Workflow>,
    pub ids: IdMap<WorkflowId, usize>,
    /// Active workflows by rank. The only list of them that may be long.
    pub active: BTreeSet<(Rank, usize)>,
    /// Workflows with holds by rank.
    pub holders: Vec<usize>,
    /// Active workflows that may own less than they may claim, by rank. All others own that much for as long as they
    /// release nothing and nothing about them changes.
    pub hungry: Vec<usize>,
    /// Workflows in a gap, in no order.
    pub gaps: Vec<usize>,
    /// Workflows in a narrow phase, in no order.
    pub narrow: Vec<usize>,
    arrivals: u64,
    /// Whose they are, where that bounds what they hold.
    pub tenants: Tenants,
    /// What those left behind that are gone.
    pub gone: Memories,
}

impl Workflows {
    pub fn rank(&self, key: usize) -> Rank {
        self.slab[key].rank()
    }

    pub fn insert(&mut self, id: WorkflowId, priority: i32, isolation: u32) -> usize {
        let Memory { largest_gap, missed_gap, tail, pattern, home, account } = self.gone.take(id);
        let key = self.slab.insert(Workflow {
            id,
            priority,
            pool: 0,
            arrival: 0,
            active: false,
            closed: false,
            awaited: true,
            jobs: Vec::new(),
            running: 0,
            held: 0,
            pending: 0,
            latest: None,
            slot: None,
            misfits: false,
            using: Resources::default(),
            peak: Peak::default(),
            last_m: 0,
            pattern,
            foreseen: None,
            remote_slowdown_milli: None,
            away: FxHashMap::default(),
            home,
            narrow: None,
            gap: None,
            largest_gap,
            missed_gap,
            has_filled: false,
            knows_gaps: false,
            account,
            wide: None,
            known_width: None,
            charged_at: Time::default(),
            busy_ns: account.busy_ns,
            isolation,
            declared: 0,
            tenant: TenantId::NONE,
            tail,
            barrier: None,
            episode: None,
            exhausted: false,
            hungry: false,
            holds: List::default(),
        });
        self.ids.insert(id, key);
        key
    }

    /// Forgets a workflow that nothing refers to any more, but for what it has taught.
    pub fn forget_if_unused(&mut self, key: usize) {
        let w = &self.slab[key];
        if w.active || w.awaited || !w.jobs.is_empty() || w.running > 0 {
            return;
        }
        let mut w = self.slab.remove(key);
        self.ids.remove(&w.id);
        self.tenants.join(w.tenant, TenantId::NONE, w.held);
        w.pattern.restart(Time::default());
        let account = if w.account.is_reported() { w.sums() } else { Account::default() };
        let Workflow { largest_gap, missed_gap, tail, pattern, home, .. } = w;
        self.gone.put(w.id, Memory { largest_gap, missed_gap, tail, pattern, home, account });
    }

    /// The sums of those that have held and are gone; without an id, of those that nobody remembers.
    pub fn accounts_of_the_gone(&self) -> impl Iterator<Item = (Option<WorkflowId>, Account)> {
        let remembered = self.gone.all().map(|(id, memory)| (Some(id), memory.account));
        let all = remembered.chain([(None, self.gone.forgotten())]);
        all.filter(|(_, account)| account.is_reported())
    }

    /// What those repeated that are gone and remembered.
    pub fn patterns_of_the_gone(&self) -> impl Iterator<Item = (WorkflowId, &[Transition])> {
        self.gone.all().map(|(id, memory)| (id, memory.pattern.steps()))
    }

    /// A workflow arrives (again).
    pub fn activate(&mut self, key: usize, now: Time) {
        self.arrivals += 1;
        let w = &mut self.slab[key];
        w.arrival = self.arrivals;
        w.active = true;
        w.peak = Peak::default();
        w.last_m = 0;
        w.pattern.restart(now);
        w.foreseen = None;
        w.known_width = None;
        w.has_filled = false;
        w.knows_gaps = w.largest_gap > 0;
        w.episode = None;
        w.exhausted = false;
        self.active.insert((self.rank(key), key));
    }

    pub fn deactivate(&mut self, key: usize) {
        self.set_hungry(key, false);
        self.set_narrow(key, None);
        self.active.remove(&(self.rank(key), key));
        self.slab[key].active = false;
        self.slab[key].peak = Peak::default();
    }

    pub fn change_priority(&mut self, key: usize, priority: i32) {
        self.active.remove(&(self.rank(key), key));
        Self::leave(&mut self.holders, &self.slab, key);
        self.set_hungry(key, false);
        self.slab[key].priority = priority;
        if self.slab[key].active {
            self.active.insert((self.rank(key), key));
        }
        self.update_holder(key);
    }

    /// Whether an active workflow may own less than it may claim.
    pub fn set_hungry(&mut self, key: usize, hungry: bool) {
        let w = &mut self.slab[key];
        if w.hungry != hungry && w.active {
            w.hungry = hungry;
            if hungry {
                Self::enter(&mut self.hungry, &self.slab, key);
            } else {
                Self::leave(&mut self.hungry, &self.slab, key);
            }
        }
    }

    /// Since when a workflow needs less than it will want again; most never do.
    pub fn set_narrow(&mut self, key: usize, since: Option<Time>) {
        let place = self.narrow.iter().position(|&other| other == key);
        match (place, since) {
            (None, None) => return,
            (None, Some(_)) => self.narrow.push(key),
            (Some(place), None) => {
                self.narrow.swap_remove(place);
            }
            (Some(_), Some(_)) => {}
        }
        self.slab[key].narrow = since;
    }

    /// Keeps `holders` in step with the number of holds.
    pub fn update_holder(&mut self, key: usize) {
        // Only the changes 0 -> 1 and 1 -> 0 matter.
        match (self.slab[key].held, Self::place(&self.holders, &self.slab, key).is_ok()) {
            (0, true) => Self::leave(&mut self.holders, &self.slab, key),
            (0, false) | (_, true) => {}
            (_, false) => Self::enter(&mut self.holders, &self.slab, key),
        }
    }

    fn enter(list: &mut Vec<usize>, slab: &Slab<Workflow>, key: usize) {
        let (Ok(place) | Err(place)) = Self::place(list, slab, key);
        list.insert(place, key);
    }

    /// Active workflows as important as this one, by rank.
    pub fn equals(&self, key: usize) -> impl Iterator<Item = usize> {
        let priority = Reverse(self.slab[key].priority);
        let equals = ((priority, 0), 0)..=((priority, u64::MAX), usize::MAX);
        self.active.range(equals).map(|&(_, key)| key)
    }

    /// The rank of a workflow does not change while it is in a list.
    fn leave(list: &mut Vec<usize>, slab: &Slab<Workflow>, key: usize) {
        if let Ok(place) = Self::place(list, slab, key) {
            list.remove(place);
        }
    }

    /// Where a workflow is in a list sorted by rank, or would be.
    fn place(list: &[usize], slab: &Slab<Workflow>, key: usize) -> Result<usize, usize> {
        let rank = slab[key].rank();
        list.binary_search_by_key(&rank, |&other| slab[other].rank())
    }
}
