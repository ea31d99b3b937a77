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

/// What is done about tasks that take long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stragglers {
    /// Copies on own held slots once no more tasks run than those (SSR-10).
    Holds,
    /// RAS, and GS near the bound, from a point that is learned (NSDI'14).
    Grass,
    /// A copy wherever it ends sooner than what runs (NSDI'14, GR-2).
    Gs,
    /// A copy where it saves slot-time, too (NSDI'14, GR-3).
    Ras,
    /// Copies of slow tasks with the longest time to end (OSDI'08).
    Late,
    /// A copy where it probably saves slot-time (OSDI'10).
    Mantri,
    /// No copies.
    Off,
}

/// When `grass` goes over from RAS to GS.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GrassSwitch {
    /// Where samples of earlier jobs say so (NSDI'14, section 4).
    Learned,
    /// Two waves before the bound (NSDI'14, section 4): for comparison.
    Waves,
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
    /// `spark.holdfast.linger.query`: how long slots are kept between two runs.
    #[serde(skip_serializing_if = "linger_query_ns_is_default")]
    pub linger_query_ns: u64,
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
    /// `spark.holdfast.stragglers`.
    #[serde(skip_serializing_if = "stragglers_is_default")]
    pub stragglers: Stragglers,
    /// `spark.holdfast.grass.explore`: xi, the share of bounded jobs that explore, in millionths.
    #[serde(skip_serializing_if = "explore_ppm_is_default")]
    pub explore_ppm: u32,
    /// `spark.holdfast.grass.seed`: which jobs explore.
    #[serde(skip_serializing_if = "explore_seed_is_default")]
    pub explore_seed: u32,
    /// `spark.holdfast.grass.switch`.
    #[serde(skip_serializing_if = "grass_switch_is_default")]
    pub grass_switch: GrassSwitch,
    /// How old an attempt must be at least to be copied, and how many times older than its stage's median.
    pub copy_age_ns: u64,
    /// See `copy_age_ns`.
    pub copy_age_factor: u32,
    /// Which factors `grass` tells jobs apart by: 1 for the bound, 2 for the utilization, 4 for the accuracy.
    #[serde(skip_serializing_if = "grass_factors_is_default")]
    pub grass_factors: u32,
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
            linger_query_ns: 500 * MILLIS,
            grow: true,
            prereserve_ppm: 500_000,
            spread: true,
            spread_max_ns: 5_000 * MILLIS,
            copies: Copies::Shuffle,
            stragglers: Stragglers::Holds,
            explore_ppm: 150_000,
            explore_seed: 1,
            grass_switch: GrassSwitch::Learned,
            copy_age_ns: 100 * MILLIS,
            copy_age_factor: 2,
            grass_factors: 7,
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's")]
fn linger_query_ns_is_default(value: &u64) -> bool {
    *value == Config::default().linger_query_ns
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's")]
fn stragglers_is_default(value: &Stragglers) -> bool {
    *value == Config::default().stragglers
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's")]
fn explore_ppm_is_default(value: &u32) -> bool {
    *value == Config::default().explore_ppm
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's")]
fn explore_seed_is_default(value: &u32) -> bool {
    *value == Config::default().explore_seed
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's")]
fn grass_switch_is_default(value: &GrassSwitch) -> bool {
    *value == Config::default().grass_switch
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's")]
fn grass_factors_is_default(value: &u32) -> bool {
    *value == Config::default().grass_factors
}
