//! The state of a driver: parts, and what needs several of them to be said.

use holdfast_engine::{PoolId, Resources};

use crate::cluster::executors::Cluster;
use crate::cluster::level::Level;
use crate::dag::preferences::Preferences;
use crate::dag::tables::Dag;
use crate::driver::order::Order;
use crate::driver::parts::{Admission, Ahead, Queues, Record, Round, Tasks};
use crate::host::agenda::{Agenda, MILLI};
use crate::host::shim::Shim;
use crate::host::wire::Wire;
use crate::measure::meter::Meter;
use crate::world::World;
use crate::world::draw::{About, Draw, Shuffle};

/// What a driver is to do besides playing its world.
#[derive(Clone, Copy, Default)]
pub(crate) struct Wanted {
    /// The log of what the engine is told and decides.
    pub log: bool,
    /// Every launch.
    pub placements: bool,
    /// Every set is asked about every offer.
    pub exhaustive: bool,
    /// The only workflow that comes, if not all do.
    pub only: Option<usize>,
}

/// The driver.
pub(crate) struct Driver<'w> {
    pub world: &'w World,
    pub draw: Draw,
    pub agenda: Agenda,
    pub shim: Shim,
    pub cluster: Cluster,
    pub dag: Dag,
    pub tasks: Tasks,
    pub queues: Queues,
    pub admission: Admission,
    pub round: Round,
    pub meter: Meter,
    pub record: Record,
    pub ahead: Ahead,
    /// Every set is asked about every offer.
    pub exhaustive: bool,
}

impl<'w> Driver<'w> {
    /// Makes a driver to which nothing has happened.
    ///
    /// # Errors
    /// The log cannot begin.
    pub(crate) fn new(world: &'w World, wanted: Wanted) -> Result<Self, String> {
        let only = wanted.only.or(world.only);
        let wire = Wire::new(world.engine.as_ref(), wanted.log, world.spark.tick_lag_ms)?;
        let picks = wire.picks;
        Ok(Self {
            world,
            draw: Draw::new(world.seed),
            agenda: Agenda::default(),
            shim: Shim::new(wire),
            cluster: Cluster::new(world),
            dag: Dag::new(world, only),
            tasks: Tasks::default(),
            queues: Queues::new(Order::new(world)),
            admission: Admission::default(),
            round: Round::default(),
            meter: Meter::new(world),
            record: Record {
                placements: wanted.placements.then(Vec::new),
                fingerprint: Draw::new(0),
                bounded: Vec::new(),
            },
            ahead: Ahead::default(),
            // Where the engine picks, an answer may change whatever a set has seen.
            exhaustive: wanted.exhaustive || picks,
        })
    }

    /// Returns the order of offers now. Two rounds of one moment are shuffled alike.
    pub(crate) fn shuffle(&self) -> Shuffle {
        let executors = u32::try_from(self.cluster.executors.len()).unwrap_or(u32::MAX);
        if self.world.spark.shuffled {
            let moment = self.agenda.now.0 / MILLI;
            Shuffle::drawn(self.draw.about(About::Shuffle).of(moment), executors)
        } else {
            Shuffle::sorted(executors)
        }
    }

    /// Returns the engine's pool of a workflow: none under FIFO.
    pub(crate) fn engine_pool(&self, pool: u32) -> PoolId {
        PoolId(self.queues.order.pools[pool as usize].engine_number.unwrap_or(0))
    }

    /// Returns what a task of a profile asks for.
    pub(crate) fn demand(&self, profile: u32) -> Resources {
        self.world.profiles[profile as usize]
    }

    /// Returns the best level that a set has (`myLocalityLevels.head`).
    pub(crate) fn nearest(&self, set: u32) -> Level {
        self.tasks.sets[set as usize].delay.levels().as_slice()[0]
    }

    /// Returns whether sets keep attempts that have ended.
    pub(crate) fn keeps_ended(&self) -> bool {
        !self.world.losses.is_empty() || self.world.spark.speculation.is_some()
    }

    /// Returns what says where tasks would like to run.
    pub(crate) fn preferences(&self) -> Preferences<'_> {
        let Self { world, draw, dag, cluster, .. } = self;
        Preferences { world, draw: *draw, dag, cluster }
    }
}
