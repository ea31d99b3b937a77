//! Spark's part: the state of a driver, and its loop over what happens.

use crate::ids::index;
use holdfast_engine::{Event as EngineEvent, HoldId, PoolId, Resources, Time};
use rustc_hash::FxHashMap;
use slab::Slab;

use crate::cluster::executors::Cluster;
use crate::cluster::level::Level;
use crate::dag::job::{Job, Run};
use crate::dag::stage::Stage;
use crate::driver::read_ahead::Ahead;
use crate::driver::round::offers::Offers;
use crate::driver::round::order::{Cursor, Order};
use crate::driver::tasks::attempt::Attempt;
use crate::driver::tasks::set::TaskSet;
use crate::host::queue::{Queue, Ticket};
use crate::host::wire::Wire;
use crate::measure::meter::Meter;
use crate::measure::placement::Placement;
use crate::run::options::Options;
use crate::world::World;
use crate::world::draw::{About, Draw, Shuffle};

/// A millisecond in nanoseconds.
pub const MILLI: u64 = 1_000_000;

/// What happens.
#[derive(Clone, Copy, Debug)]
pub enum Event {
    /// The driver submits a job of a workflow.
    Submit(u32, u32),
    /// A thread of the driver draws the number of a job.
    Number(u32, u32),
    /// The user cancels a job.
    Cancel(u32),
    /// An executor joins: nodes of the world, host.
    Join(u32, u32),
    /// A loss of the world begins.
    Lose(u32),
    /// An executor that was being decommissioned is gone; the world's loss.
    Gone(u32, u32),
    /// The timer of the backend.
    Revive,
    /// Somebody asked for a round.
    ReviveAsked,
    /// An attempt ends by itself.
    End(u32),
    /// A kill arrives: attempt, its number.
    Killed(u32, u32),
    /// The driver looks at a result.
    Settle(u32),
    /// The DAG scheduler hears that a task is done: stage, partition, attempt of the stage.
    Done(u32, u32, u32),
    /// The DAG scheduler hears that a task runs again: stage, partition.
    Resubmitted(u32, u32),
    /// A partition of a stage is done by an earlier attempt of the stage.
    Elsewhere(u32, u32),
    /// The listener hears that a job is over.
    JobEnded(u32),
    /// The DAG scheduler hears that a task did not find its input: stage, attempt of the stage.
    FetchFailed(u32, u32),
    /// The DAG scheduler hears that a task of a barrier stage is lost: stage, attempt of the stage.
    BarrierFailed(u32, u32),
    /// The DAG scheduler submits what a job lacks, since this stage of it failed.
    Resubmit(u32),
    /// A change of the world's: a workflow's priority.
    Prioritise(u32),
    /// Spark looks for slow tasks.
    Speculate,
}

/// A workflow as the engine knows it: named ones, or one job of a nameless one.
#[derive(Debug)]
pub struct Flow {
    /// In the world.
    pub workflow: u32,
    /// Larger is more important.
    pub priority: i32,
    /// Jobs of it that the engine knows, and has not been told to be over.
    pub jobs: u32,
    /// Its live sets.
    pub sets: Vec<u32>,
    /// Its holds: which, and where.
    pub holds: Vec<(HoldId, u32)>,
    /// Since it last submitted a set: a hold of it has expired.
    pub expired: bool,
    /// Since it last submitted a set: a slot of it was held.
    pub held: bool,
}

/// An attempt launched in this round: its place among the offers, and which.
pub type Launched = (u32, u32);

/// The driver.
pub struct Host<'w> {
    pub(crate) world: &'w World,
    pub(crate) now: Time,
    pub(crate) draw: Draw,
    pub(crate) queue: Queue<Event>,
    pub(crate) cluster: Cluster,
    pub(crate) order: Order,
    pub(crate) sets: Slab<TaskSet>,
    pub(crate) attempts: Slab<Attempt>,
    pub(crate) stages: Vec<Stage>,
    pub(crate) jobs: Vec<Job>,
    pub(crate) runs: Vec<Run>,
    pub(crate) flows: Vec<Flow>,
    pub(crate) wire: Wire,
    pub(crate) holders: FxHashMap<HoldId, (u32, u32)>,
    pub(crate) meter: Meter,
    /// The only workflow that comes, if not all do.
    pub(crate) only: Option<usize>,
    /// Workflows that have not ended.
    pub(crate) open: u32,
    /// Since when nothing but timers is left, where a timer has found that.
    pub(crate) idle_since: Option<Time>,
    pub(crate) next_attempt: u32,
    pub(crate) next_set: u32,
    pub(crate) next_stage: u32,
    pub(crate) next_job: u32,
    pub(crate) stamps: u64,
    /// Of each set the stamp of its entries at executors and hosts, where some task of it is to be launched; else 0.
    /// Most entries are void when they are met, and sets are far away in memory.
    pub(crate) calls: Vec<u64>,
    pub(crate) profiles_told: u64,
    pub(crate) pools_told: u32,
    pub(crate) joined: u32,
    pub(crate) revive_asked: bool,
    /// Sets of workflows that may hold.
    pub(crate) special: Vec<u32>,
    /// Those that are to see the next round of all, and some that have.
    pub(crate) owed: Vec<u32>,
    /// When waits for locality are over: time, set, stamp.
    pub(crate) waits: std::collections::BinaryHeap<std::cmp::Reverse<(Time, u64, u32)>>,

    // Of the round that goes on.
    pub(crate) offers: Offers,
    pub(crate) extras: Vec<(Cursor, u32)>,
    pub(crate) launched: Vec<Launched>,
    pub(crate) touched: Vec<u32>,
    pub(crate) near: Vec<(u32, u32)>,
    pub(crate) in_round: bool,
    /// Executors where a hold has ended since all were offered.
    pub(crate) reopened: Vec<u32>,
    /// Changes with every hold that ends.
    pub(crate) epoch: u64,
    /// Owners of holds made in this round.
    pub(crate) new_holders: Vec<u32>,
    /// Sets that took part in this round for copies only, once it has launched something.
    pub(crate) copiers: Vec<u32>,
    /// Sets that wait for locality.
    pub(crate) local: rustc_hash::FxHashSet<u32>,
    /// Rounds in which sets of workflows that hold nothing were left out.
    pub(crate) missed: u64,
    /// Whether sets of workflows that hold nothing take part in this round.
    pub(crate) plain_admitted: bool,
    /// An executor joined while they did not.
    pub(crate) plain_behind: bool,
    /// A set of a workflow that may hold sat out the round before.
    pub(crate) some_skipped: bool,
    /// Launches, if they are wanted.
    pub(crate) placements: Option<Vec<Placement>>,
    pub(crate) ahead: Ahead,
    /// Every set is asked about every offer.
    pub(crate) exhaustive: bool,
    /// Follows from all launches.
    pub(crate) fingerprint: Draw,
}

impl<'w> Host<'w> {
    pub(crate) fn new(world: &'w World, options: &Options) -> Result<Self, String> {
        let only = options.only.or(world.only);
        let come = (0..).zip(&world.workflows).filter(|&(w, _)| only.is_none_or(|only| only == w));
        let jobs = || come.clone().flat_map(|(_, workflow)| &workflow.jobs);
        // A table that grows is copied, and what it leaves behind seldom fits anything.
        let stages = jobs().map(|job| job.stages.len()).sum();
        Ok(Self {
            world,
            now: Time(0),
            draw: Draw::new(world.seed),
            queue: Queue::default(),
            cluster: Cluster::new(world),
            order: Order::new(world),
            sets: Slab::new(),
            attempts: Slab::new(),
            stages: Vec::with_capacity(stages),
            jobs: Vec::with_capacity(jobs().count()),
            runs: Vec::with_capacity(world.workflows.len()),
            flows: Vec::new(),
            wire: Wire::new(world.engine.as_ref(), options.log, world.spark.tick_lag_ms)?,
            holders: FxHashMap::default(),
            meter: Meter::new(world),
            only,
            open: index(only.map_or(world.workflows.len(), |_| 1)),
            idle_since: None,
            next_attempt: 0,
            next_set: 0,
            next_stage: 0,
            next_job: 0,
            stamps: 0,
            calls: Vec::new(),
            profiles_told: 0,
            pools_told: 0,
            joined: 0,
            revive_asked: false,
            special: Vec::new(),
            owed: Vec::new(),
            waits: std::collections::BinaryHeap::new(),
            offers: Offers::default(),
            extras: Vec::new(),
            launched: Vec::new(),
            touched: Vec::new(),
            near: Vec::new(),
            in_round: false,
            reopened: Vec::new(),
            epoch: 0,
            new_holders: Vec::new(),
            copiers: Vec::new(),
            local: rustc_hash::FxHashSet::default(),
            missed: 0,
            plain_admitted: true,
            plain_behind: false,
            some_skipped: false,
            placements: options.placements.then(Vec::new),
            ahead: Ahead::default(),
            exhaustive: options.exhaustive,
            fingerprint: Draw::new(0),
        })
    }

    /// Everything that is known from the beginning.
    pub(crate) fn begin(&mut self) {
        let mut first = 0;
        for (place, nodes) in (0..).zip(&self.world.cluster) {
            first = nodes.first_host.unwrap_or(first);
            for host in first..first + nodes.nodes {
                for _ in 0..nodes.executors_per_node {
                    self.plan(nodes.joins_ms * MILLI, Event::Join(place, host));
                }
            }
            first += nodes.nodes;
        }
        for (place, loss) in (0..).zip(&self.world.losses) {
            self.plan(loss.at_ms * MILLI, Event::Lose(place));
        }
        for (place, change) in (0..).zip(&self.world.changes) {
            self.plan(change.at_ms * MILLI, Event::Prioritise(place));
        }
        if self.world.spark.revive_ms > 0 {
            self.plan(self.world.spark.revive_ms * MILLI, Event::Revive);
        }
        if let Some(speculation) = &self.world.spark.speculation {
            self.plan(speculation.interval_ms * MILLI, Event::Speculate);
        }
        self.begin_workflows();
    }

    /// Plans an event so many nanoseconds from now.
    pub(crate) fn plan(&mut self, after: u64, event: Event) -> Ticket {
        self.queue.plan(self.now.after(after), event)
    }

    /// What is due or wanted now; then the next event, or the next deadline. Whether there was one.
    pub(crate) fn turn(&mut self) -> bool {
        self.serve();
        let due = self.wire.due();
        match (self.queue.next_at(), due) {
            (Some(at), due) if due.is_none_or(|due| due >= at) => {
                if let Some((at, event)) = self.queue.pop() {
                    self.now = at;
                    self.happen(event);
                }
                true
            }
            (_, Some(due)) => {
                self.now = self.now.max(due);
                true
            }
            _ => false,
        }
    }

    /// What the shim's timer thread does: deadlines, and offers that are wanted again.
    fn serve(&mut self) {
        loop {
            let due = self.wire.is_due(self.now);
            if due {
                self.tell(EngineEvent::Tick);
            }
            let reoffer = std::mem::take(&mut self.wire.reoffer) && self.wire.enforces;
            if reoffer {
                self.revive_offers();
            }
            if !due && !reoffer {
                return;
            }
        }
    }

    /// A message to the backend: offer everything. One is enough at a time.
    pub(crate) fn revive_offers(&mut self) {
        if !self.revive_asked {
            self.revive_asked = true;
            self.plan(0, Event::ReviveAsked);
        }
    }

    fn happen(&mut self, event: Event) {
        match event {
            Event::Submit(workflow, job) => self.submit_job(workflow, job),
            Event::Number(workflow, job) => self.draw_number(workflow, job),
            Event::Cancel(job) => self.end_job(job, false),
            Event::Join(nodes, host) => self.join(nodes, host),
            Event::Lose(loss) => self.lose(loss),
            Event::Gone(executor, loss) => self.lose_executor(executor, loss),
            Event::Revive => self.revive(),
            Event::ReviveAsked => {
                self.revive_asked = false;
                self.offer_all();
            }
            Event::End(attempt) => self.end_by_itself(attempt),
            Event::Killed(attempt, number) => self.killed(attempt, number),
            Event::Settle(attempt) => self.settle(attempt),
            Event::Done(stage, partition, attempt) => self.done(stage, partition, attempt),
            Event::Resubmitted(stage, partition) => self.stages[stage as usize].undo(partition),
            Event::Elsewhere(stage, partition) => self.done_elsewhere(stage, partition),
            Event::JobEnded(job) => self.job_ended(job),
            Event::FetchFailed(stage, attempt) => self.fetch_failed(stage, attempt),
            Event::BarrierFailed(stage, attempt) => self.barrier_failed(stage, attempt),
            Event::Resubmit(stage) => self.advance(stage),
            Event::Prioritise(change) => self.prioritise(change),
            Event::Speculate => self.speculate(),
        }
    }

    /// The order of offers now. Two rounds of one moment are shuffled alike.
    pub(crate) fn shuffle(&self) -> Shuffle {
        let executors = u32::try_from(self.cluster.executors.len()).unwrap_or(u32::MAX);
        if self.world.spark.shuffled {
            Shuffle::drawn(self.draw.about(About::Shuffle).of(self.now.0 / MILLI), executors)
        } else {
            Shuffle::sorted(executors)
        }
    }

    /// Whether a workflow never holds anything, and is below all that do.
    pub(crate) fn is_plain(&self, flow: u32) -> bool {
        self.wire.plain && self.flows[flow as usize].priority <= 0
    }

    /// The engine's pool of a workflow: none under FIFO.
    pub(crate) fn engine_pool(&self, pool: u32) -> PoolId {
        PoolId(self.order.pools[pool as usize].told.unwrap_or(0))
    }

    /// What a task of a profile asks for.
    pub(crate) fn demand(&self, profile: u32) -> Resources {
        self.world.profiles[profile as usize]
    }

    /// The best level that a set has (`myLocalityLevels.head`).
    pub(crate) fn nearest(&self, set: u32) -> Level {
        self.sets[set as usize].delay.levels().as_slice()[0]
    }
}
