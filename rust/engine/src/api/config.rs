// Generated from the tables of rust/schema: cargo run -p holdfast-schema -- write
//! The effective configuration: part of every log, so that a log replays without its host.

use serde::{Deserialize, Serialize};

const MILLIS: u64 = 1_000_000;

/// Which policy fills the roles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Policy {
    /// Never holds: Spark as it is.
    Stock,
    /// Static reservation (ICDCS'17, section III-A): some slots are for workflows with a priority only, always.
    Static,
    /// Timeout reservation (ICDCS'17, section III-A): whatever such a workflow releases is held for a fixed time.
    Timeout,
    /// Speculative slot reservation (ICDCS'17).
    Ssr,
}

/// Who may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HoldFor {
    /// Workflows with a priority above 0.
    Prioritised,
    /// Everybody, up to an equal share of the slots; prioritised workflows up to all.
    All,
}

/// How far a workflow's need looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NeedRule {
    /// Past narrow stages, to the widest that is still to come or was seen of late.
    Lookahead,
    /// Only to what comes next (Algorithm 1 of the paper).
    Literal,
}

/// Which running tasks may be copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Copies {
    /// None.
    Off,
    /// Those of shuffle map stages.
    Shuffle,
    /// Those of result stages too: only where a task may run twice, as with `spark.speculation`.
    All,
}

/// The engine's configuration. Durations are nanoseconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// `spark.holdfast.policy`.
    pub policy: Policy,
    /// `spark.holdfast.static.slots`: how many slots the policy `static` sets aside.
    pub static_slots: u32,
    /// `spark.holdfast.hold.for`.
    pub hold_for: HoldFor,
    /// `spark.holdfast.need`.
    pub need: NeedRule,
    /// `spark.holdfast.idle.budget`: the share of all slot-time that may be held idle, in millionths.
    pub idle_budget_ppm: Option<u32>,
    /// `spark.holdfast.hold.floor`: the least that a barrier is held for, unless the isolation is 0.
    pub hold_floor_ns: u64,
    /// `spark.holdfast.hold.max`: the absolute cap of every hold.
    pub hold_max_ns: u64,
    /// `spark.holdfast.linger.first`: linger before any gap has been seen, and the least later on.
    pub linger_first_ns: u64,
    /// `spark.holdfast.linger.factor`: times the largest gap seen.
    pub linger_factor: u32,
    /// `spark.holdfast.linger.max`.
    pub linger_max_ns: u64,
    /// `spark.holdfast.grow`: claim what others release until the need is owned, and no locality wait on own idle
    /// holds.
    pub grow: bool,
    /// `spark.holdfast.prereserve.fraction`: R, from which finished fraction of a stage on slots are claimed for a
    /// wider one that follows (SSR-4), in millionths.
    pub prereserve_ppm: u32,
    /// `spark.holdfast.spread`: cap cache-filling sets per executor for a while (contended only).
    pub spread: bool,
    /// `spark.holdfast.spread.max`: for how long.
    pub spread_max_ns: u64,
    /// `spark.holdfast.copies`: copies of stragglers on own held slots (SSR-10).
    pub copies: Copies,
    /// How old an attempt must be at least to be copied, and how many times older than its stage's median.
    pub copy_age_ns: u64,
    /// See `copy_age_ns`.
    pub copy_age_factor: u32,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            policy: Policy::Ssr,
            static_slots: 0,
            hold_for: HoldFor::Prioritised,
            need: NeedRule::Lookahead,
            idle_budget_ppm: None,
            hold_floor_ns: 250 * MILLIS,
            hold_max_ns: 60_000 * MILLIS,
            linger_first_ns: 1_000 * MILLIS,
            linger_factor: 4,
            linger_max_ns: 5_000 * MILLIS,
            grow: true,
            prereserve_ppm: 500_000,
            spread: true,
            spread_max_ns: 5_000 * MILLIS,
            copies: Copies::Shuffle,
            copy_age_ns: 100 * MILLIS,
            copy_age_factor: 2,
        }
    }
}
