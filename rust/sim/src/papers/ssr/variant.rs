//! What decides: Spark alone, the paper's baselines, and its algorithm with and without its parts.

use holdfast_engine::{Config, Copies, NeedRule, Policy};

use crate::world::{PoolSpec, World};

/// What decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Variant {
    /// Spark without Holdfast, FIFO or FAIR as the world says: no workflow is more important.
    Spark,
    /// The same with `spark.scheduler.mode=FIFO`.
    Fifo,
    /// The same with `spark.scheduler.mode=FAIR`. A world without pools gets two of equal weight, fair inside: one for
    /// workflows with a priority, one for all others.
    Fair,
    /// Priorities, and nothing is held: the paper's work conservation.
    Priority,
    /// Static reservation (section III-A): a tenth of the slots, at least one, is for the foreground only.
    Static,
    /// Timeout reservation (section III-A): what the foreground releases is held for five seconds.
    Timeout,
    /// Algorithm 1 with pre-reservation, without copies, and without a cap on holds.
    Literal,
    /// The same with copies of stragglers, as soon as slots suffice for all that run, however young these are.
    LiteralCopies,
    /// Algorithm 1 without pre-reservation (SSR-4) and without copies.
    LiteralNoPrereserve,
    /// The same with copies of stragglers.
    LiteralCopiesNoPrereserve,
    /// Holdfast's defaults: need looks ahead, shuffle stages are copied, with pre-reservation.
    Lookahead,
    /// The defaults without copies.
    LookaheadNoCopies,
    /// The defaults without pre-reservation.
    LookaheadNoPrereserve,
    /// The defaults without copies and without pre-reservation.
    LookaheadPlain,
}

/// Static reservation sets aside one slot in this many.
const ASIDE: u64 = 10;
/// For how long timeout reservation holds.
const TIMEOUT_NS: u64 = 5_000_000_000;
/// The paper knows no cap on holds: a day, in which every stage has ended.
const UNCAPPED_NS: u64 = 24 * 3600 * 1_000_000_000;
/// A finished fraction that no stage reaches, in millionths: nothing is reserved before it is wanted.
const NEVER_PPM: u32 = 1_000_001;

impl Variant {
    /// All of them, from what does least.
    pub const ALL: [Self; 14] = [
        Self::Spark,
        Self::Fifo,
        Self::Fair,
        Self::Priority,
        Self::Static,
        Self::Timeout,
        Self::Literal,
        Self::LiteralCopies,
        Self::LiteralNoPrereserve,
        Self::LiteralCopiesNoPrereserve,
        Self::Lookahead,
        Self::LookaheadNoCopies,
        Self::LookaheadNoPrereserve,
        Self::LookaheadPlain,
    ];

    /// Returns its name, as users write it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Spark => "spark",
            Self::Fifo => "fifo",
            Self::Fair => "fair",
            Self::Priority => "priority",
            Self::Static => "static",
            Self::Timeout => "timeout",
            Self::Literal => "literal",
            Self::LiteralCopies => "literal-copies",
            Self::LiteralNoPrereserve => "literal-no-prereserve",
            Self::LiteralCopiesNoPrereserve => "literal-copies-no-prereserve",
            Self::Lookahead => "lookahead",
            Self::LookaheadNoCopies => "lookahead-no-copies",
            Self::LookaheadNoPrereserve => "lookahead-no-prereserve",
            Self::LookaheadPlain => "lookahead-plain",
        }
    }

    /// Returns what it does, in one line.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::Spark => "Spark without Holdfast, FIFO or FAIR as the world says",
            Self::Fifo => "Spark without Holdfast, FIFO",
            Self::Fair => {
                "Spark without Holdfast, FAIR with the world's pools, else one for priorities"
            }
            Self::Priority => "Priorities, and nothing is held",
            Self::Static => "A tenth of the slots is for workflows with a priority only",
            Self::Timeout => "What workflows with a priority release is held for five seconds",
            Self::Literal => "The paper's algorithm with pre-reservation",
            Self::LiteralCopies => "The same with copies of stragglers",
            Self::LiteralNoPrereserve => "The paper's algorithm without pre-reservation",
            Self::LiteralCopiesNoPrereserve => "The same with copies of stragglers",
            Self::Lookahead => {
                "Holdfast's defaults: look-ahead, pre-reservation, copies in shuffle stages"
            }
            Self::LookaheadNoCopies => "The defaults without copies",
            Self::LookaheadNoPrereserve => "The defaults without pre-reservation",
            Self::LookaheadPlain => "The defaults without copies and without pre-reservation",
        }
    }

    /// Returns the variant of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|variant| variant.name() == name)
    }

    /// Returns the engine's configuration; none for Spark alone. How many slots are set aside depends on the world.
    #[must_use]
    pub fn config(self) -> Option<Config> {
        let defaults = Config::default;
        let off = |config: Config| Config { copies: Copies::Off, ..config };
        let late = |config: Config| Config { prereserve_ppm: NEVER_PPM, ..config };
        let literal = || Config {
            need: NeedRule::Literal,
            spread: false,
            copies: Copies::All,
            copy_age_ns: 0,
            copy_age_factor: 0,
            hold_max_ns: UNCAPPED_NS,
            ..Config::default()
        };
        let config = match self {
            Self::Spark | Self::Fifo | Self::Fair => return None,
            Self::Priority => off(defaults()),
            Self::Static => Config { policy: Policy::Static, ..defaults() },
            Self::Timeout => {
                Config { policy: Policy::Timeout, hold_max_ns: TIMEOUT_NS, ..defaults() }
            }
            Self::Literal => off(literal()),
            Self::LiteralCopies => literal(),
            Self::LiteralNoPrereserve => off(late(literal())),
            Self::LiteralCopiesNoPrereserve => late(literal()),
            Self::Lookahead => defaults(),
            Self::LookaheadNoCopies => off(defaults()),
            Self::LookaheadNoPrereserve => late(defaults()),
            Self::LookaheadPlain => off(late(defaults())),
        };
        Some(config)
    }

    /// Returns whether it holds slots for as long as the isolation P of a workflow asks for.
    #[must_use]
    pub const fn holds_by_isolation(self) -> bool {
        !matches!(
            self,
            Self::Spark | Self::Fifo | Self::Fair | Self::Priority | Self::Static | Self::Timeout
        )
    }

    /// Returns a world under this variant.
    #[must_use]
    pub fn of(self, world: &World) -> World {
        let mut world = world.clone();
        world.engine = self.config();
        let aside = u32::try_from(world.slots() / ASIDE).unwrap_or(u32::MAX).max(1);
        match self {
            Self::Fifo => world.spark.fair = false,
            Self::Fair => share_fairly(&mut world),
            Self::Priority => world.workflows.iter_mut().for_each(|w| w.isolation_ppm = Some(0)),
            Self::Static => {
                world.engine = world.engine.map(|e| Config { static_slots: aside, ..e });
            }
            _ => {}
        }
        world
    }
}

/// In the world's pools; where it has none, in one for workflows with a priority and one for all others. In Spark's own
/// pool all would be alike.
fn share_fairly(world: &mut World) {
    world.spark.fair = true;
    if !world.pools.is_empty() {
        return;
    }
    let pool = |name: &str| PoolSpec { name: name.into(), fair: true, weight: 1, min_share: 0 };
    world.pools = vec![pool("important"), pool("others")];
    for workflow in &mut world.workflows {
        workflow.pool = Some(usize::from(workflow.priority <= 0));
    }
}
