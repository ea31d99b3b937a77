//! What a simulation is measured by.

use holdfast_engine::{Resources, Time};
use serde::Serialize;

use crate::cluster::level::Level;
use crate::cluster::place::Place;
use crate::world::World;

/// When a workflow came and went, in nanoseconds; `u64::MAX` where it did not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct WorkflowTimes {
    /// It arrived.
    pub arrived_ns: u64,
    /// Its first job was submitted.
    pub submitted_ns: u64,
    /// Its last job ended.
    pub ended_ns: u64,
}

impl WorkflowTimes {
    /// Returns the job completion time: from arrival to end, in nanoseconds.
    #[must_use]
    pub fn jct_ns(&self) -> u64 {
        self.ended_ns.saturating_sub(self.arrived_ns)
    }
}

/// Where attempts with a preference were launched, and those without.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Locality {
    /// On the executor that they preferred.
    pub process: u64,
    /// On the host.
    pub node: u64,
    /// Elsewhere.
    pub any: u64,
    /// Without a preference.
    pub none: u64,
}

/// Slot-time until the last workflow has ended, in slots x nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Usage {
    /// Slots that were there.
    pub slot_ns: u128,
    /// Occupied by attempts.
    pub busy_ns: u128,
    /// Held and idle.
    pub held_ns: u128,
}

impl Usage {
    /// Returns shares of the slots that were there: busy, held idle, free.
    #[must_use]
    pub fn shares(&self) -> [f64; 3] {
        #[expect(clippy::cast_precision_loss, reason = "a share")]
        let of = |part: u128| part as f64 / (self.slot_ns as f64).max(1.0);
        let (busy, held) = (of(self.busy_ns), of(self.held_ns));
        [busy, held, 1.0 - busy - held]
    }
}

/// Attempts that began while another attempt of their task ran.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CopyCounts {
    /// Launched.
    pub launched: u64,
    /// First to end.
    pub won: u64,
}

/// Barriers and gaps for which slots were held, by whether all were kept until the next set came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Barriers {
    /// All of them.
    pub held: u64,
    /// Those in which no hold expired: the isolation achieved, against P asked for.
    pub kept: u64,
}

/// Measures as it goes.
#[derive(Debug)]
pub struct Meter {
    demand: Resources,
    at: Time,
    slots: u64,
    busy: u64,
    held: u64,
    usage: Usage,
    /// By workflow.
    pub(crate) times: Vec<WorkflowTimes>,
    /// Background, foreground.
    pub(crate) locality: [Locality; 2],
    pub(crate) copies: CopyCounts,
    pub(crate) barriers: Barriers,
    /// Attempts that were launched, and that were killed, lost or failed.
    pub(crate) attempts: u64,
    pub(crate) wasted: u64,
    /// Slot-time of the foreground's attempts.
    pub(crate) foreground_ns: u128,
    /// At the end of the workflow that ended last.
    at_end: Usage,
}

impl Meter {
    pub(crate) fn new(world: &World) -> Self {
        const MILLI: u64 = 1_000_000;
        let times = world.workflows.iter().map(|w| WorkflowTimes {
            arrived_ns: w.arrival_ms * MILLI,
            submitted_ns: u64::MAX,
            ended_ns: u64::MAX,
        });
        Self {
            demand: world.profiles.first().copied().unwrap_or_default(),
            at: Time(0),
            slots: 0,
            busy: 0,
            held: 0,
            usage: Usage::default(),
            times: times.collect(),
            locality: [Locality::default(); 2],
            copies: CopyCounts::default(),
            barriers: Barriers::default(),
            attempts: 0,
            wasted: 0,
            foreground_ns: 0,
            at_end: Usage::default(),
        }
    }

    /// Returns the number of attempts that occupy a slot.
    pub(crate) fn busy(&self) -> u64 {
        self.busy
    }

    /// Returns the slot-time until the last workflow has ended.
    pub(crate) fn usage_at_end(&self) -> Usage {
        self.at_end
    }

    fn charge(&mut self, now: Time) {
        let span = u128::from(now.since(self.at));
        if span > 0 {
            self.usage.slot_ns += span * u128::from(self.slots);
            self.usage.busy_ns += span * u128::from(self.busy);
            self.usage.held_ns += span * u128::from(self.held);
            self.at = now;
        }
    }

    pub(crate) fn joined(&mut self, now: Time, capacity: &Resources, joined: bool) {
        self.charge(now);
        let slots = u64::from(self.demand.fit_into(capacity));
        self.slots = if joined { self.slots + slots } else { self.slots - slots };
    }

    pub(crate) fn held(&mut self, now: Time, change: i64) {
        self.charge(now);
        self.held = self.held.saturating_add_signed(change);
    }

    pub(crate) fn submitted(&mut self, now: Time, workflow: u32) {
        let times = &mut self.times[workflow as usize];
        times.submitted_ns = times.submitted_ns.min(now.0);
    }

    pub(crate) fn ended(&mut self, now: Time, workflow: u32) {
        self.charge(now);
        self.at_end = self.usage;
        self.times[workflow as usize].ended_ns = now.0;
    }

    pub(crate) fn launched(
        &mut self,
        now: Time,
        foreground: bool,
        place: Place,
        level: Level,
        copy: bool,
    ) {
        self.charge(now);
        self.busy += 1;
        self.attempts += 1;
        self.copies.launched += u64::from(copy);
        let locality = &mut self.locality[usize::from(foreground)];
        let counter = match (place, level) {
            (Place::Anywhere, _) => &mut locality.none,
            (_, Level::Process) => &mut locality.process,
            (_, Level::Node) => &mut locality.node,
            _ => &mut locality.any,
        };
        *counter += 1;
    }

    pub(crate) fn freed(&mut self, now: Time, foreground: bool, nanos: u64, wasted: bool) {
        self.charge(now);
        self.busy -= 1;
        self.wasted += u64::from(wasted);
        self.foreground_ns += if foreground { u128::from(nanos) } else { 0 };
    }

    /// Counts a task that is done.
    pub(crate) fn finished(&mut self, copy: bool) {
        self.copies.won += u64::from(copy);
    }

    /// Counts a barrier that is over: slots were `held` for what comes, or not, and some of these holds `expired`, or
    /// none.
    pub(crate) fn barrier(&mut self, held: bool, expired: bool) {
        if held {
            self.barriers.held += 1;
            self.barriers.kept += u64::from(!expired);
        }
    }
}
