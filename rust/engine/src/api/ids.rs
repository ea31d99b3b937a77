//! Identifiers and quantities. Ids are interned by the host: small, opaque, never interpreted here.

use serde::{Deserialize, Serialize};

/// An identifier, as the number that it is.
pub(crate) trait Id: Copy {
    fn number(self) -> u32;
    fn of(number: u32) -> Self;
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub u32);

        impl Id for $name {
            fn number(self) -> u32 {
                self.0
            }

            fn of(number: u32) -> Self {
                Self(number)
            }
        }
    };
}

id!(
    /// An executor.
    ExecutorId
);
id!(
    /// A workflow: the computation a user sees as one job; may span many Spark jobs.
    WorkflowId
);
id!(
    /// A Spark job (one action, or one AQE query stage).
    JobId
);
id!(
    /// A stage of a job's plan, as Spark numbers it; all its attempts share it.
    StageId
);
id!(
    /// A task set: one attempt of a stage.
    SetId
);
id!(
    /// One run of a task (the low 32 bits of Spark's task id).
    AttemptId
);
id!(
    /// A resource profile: what one task asks for.
    ProfileId
);
id!(
    /// A pool of Spark's fair scheduler.
    PoolId
);
id!(
    /// Who shares a bound with others: a user of a server.
    TenantId
);
id!(
    /// A hold, numbered in the order of making, from 0.
    HoldId
);

impl PoolId {
    /// What all pools are in, and workflows without one.
    pub const ROOT: Self = Self(0);
}

impl TenantId {
    /// No tenant, and no bound.
    pub const NONE: Self = Self(0);
}

/// A key of a table in half the space: there are fewer than 2^32.
pub(crate) fn short(key: usize) -> u32 {
    u32::try_from(key).unwrap_or(u32::MAX)
}

/// Number of resources in [`Resources`].
pub const RESOURCES: usize = 4;

/// A small fixed vector of resources: CPU in thousandths of a core, memory in MiB, and two custom
/// resources in thousandths (for example GPUs).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Resources(pub [u32; RESOURCES]);

impl Resources {
    /// Only CPU, in thousandths of a core.
    #[must_use]
    pub const fn cpu(milli: u32) -> Self {
        Self([milli, 0, 0, 0])
    }

    /// Whether every component of `self` is at least that of `other`.
    #[inline]
    #[must_use]
    pub fn covers(&self, other: &Self) -> bool {
        self.0.iter().zip(other.0).all(|(a, b)| *a >= b)
    }

    /// Componentwise sum, saturating.
    #[inline]
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i].saturating_add(other.0[i])))
    }

    /// Componentwise difference, not below zero.
    #[inline]
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i].saturating_sub(other.0[i])))
    }

    /// So often, saturating.
    #[must_use]
    pub fn times(self, times: u32) -> Self {
        Self(std::array::from_fn(|i| self.0[i].saturating_mul(times)))
    }

    /// Componentwise maximum.
    #[inline]
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i].max(other.0[i])))
    }

    /// How many demands of this size fit into `room`; 0 for an empty demand.
    #[must_use]
    pub fn fit_into(&self, room: &Self) -> u32 {
        let each = (0..RESOURCES).filter(|&i| self.0[i] > 0).map(|i| room.0[i] / self.0[i]);
        each.min().unwrap_or(0)
    }
}

/// A point in time, in nanoseconds since an origin the host chooses.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Time(pub u64);

impl Time {
    /// Later than everything.
    pub const NEVER: Self = Self(u64::MAX);

    /// `self` plus a duration in nanoseconds, saturating.
    #[inline]
    #[must_use]
    pub fn after(self, nanos: u64) -> Self {
        Self(self.0.saturating_add(nanos))
    }

    /// Nanoseconds since `earlier`, 0 if that is later.
    #[inline]
    #[must_use]
    pub fn since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}
