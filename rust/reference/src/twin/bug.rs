//! Known bugs, to be put back on purpose: the harness has to catch each one.

/// Declares each bug once: what is wrong, its name, and `invariant` where one notices it without a comparison.
macro_rules! bugs {
    ($($(#[$what:meta])+ $name:ident $(=> $noticed_by:ident)?,)+) => {
        /// A bug that somebody once made, or easily could make.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Bug {
            $($(#[$what])+ $name,)+
        }

        impl Bug {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$name,)+];

            /// Says whether the bug breaks an invariant, so that no comparison is needed to notice it.
            #[must_use]
            pub const fn breaks_an_invariant(self) -> bool {
                match self {
                    $(Self::$name => !stringify!($($noticed_by)?).is_empty(),)+
                }
            }

            /// Returns the bug of this name.
            #[must_use]
            pub fn named(name: &str) -> Option<Self> {
                match name {
                    $(stringify!($name) => Some(Self::$name),)+
                    _ => None,
                }
            }
        }
    };
}

bugs! {
    /// A workflow's own hold counts against it (SSR-6).
    OwnerVetoed => invariant,
    /// Equal priorities block each other: rank is not total.
    RankNotTotal => invariant,
    /// An expired hold is not announced by a reoffer.
    ExpiryNotReoffered => invariant,
    /// A released hold is not announced by a reoffer.
    ReleaseNotReoffered => invariant,
    /// A change of priority is not announced by a reoffer.
    PriorityNotReoffered => invariant,
    /// An executor that is usable again is not announced by a reoffer.
    UnbarNotReoffered => invariant,
    /// The holds of a workflow that is over stay.
    HoldOutlivesWorkflow => invariant,
    /// The holds of a barred executor stay, and new ones are made there.
    HoldOnBarred => invariant,
    /// The holds of a lost executor stay.
    HoldOnLost => invariant,
    /// Claiming restarts the cap.
    CapRestartedByClaim,
    /// An override ends one hold too many.
    OverrideEndsTwo,
    /// An override ends the most important hold.
    OverrideTakesFirst => invariant,
    /// A gap never ends.
    GapNeverEnds => invariant,
    /// Nobody is told what a workflow lacked that became wider than was known.
    UnforeseenIgnored,
    /// Nothing yields in a stall.
    StallIgnored,
    /// Holds are made without looking at the capacity.
    CapacityIgnored => invariant,
    /// Slots are held without looking at the need.
    NeedIgnored => invariant,
    /// A launch uses up the hold with the latest deadline.
    LatestUsedFirst,
    /// A launch elsewhere ends no hold.
    MoveForgotten,
    /// A hold is live at its deadline.
    DeadlineInclusive => invariant,
    /// An expired workflow may hold again at once.
    NeverExhausted,
    /// The final stage of a job is held for, although nothing follows.
    FinalStageHeld,
    /// Slots that a barrier set is about to use are claimed.
    PromisedSlotsClaimed,
    /// Released slots of an equally important workflow are claimed.
    EqualsClaim,
    /// Gaps are never learned from.
    GapNotLearned,
    /// A gap that was longer than its linger is never learned from.
    MissedGapNotLearned,
    /// The end of a run shortens no gap.
    RunEndIgnored,
    /// A run that follows another one goes before what has come since that began.
    NextRunKeepsRank,
    /// The time between two runs is learned like a gap's length.
    RunEndTeaches,
    /// While no gap is known slots are kept for the first linger, however long they would be waited for.
    UnknownGapIsShort,
    /// A short gap at the beginning of the first run says how long those after it are.
    OneGapIsEnough,
    /// A job that was waiting before the gap began ends its holds in a stall.
    EverybodyEndsGaps,
    /// Zombie sets count as unfinished work.
    ZombieCounts,
    /// A failed job's workflow waits for a successor.
    FailureLingers,
    /// A task set that ends early is not planned again.
    RetryForgotten,
    /// The end of a cap on cache-filling launches is not announced by a reoffer.
    SpreadEndNotReoffered => invariant,
    /// A barrier's deadline counts from the first wave.
    FirstWaveCounts,
    /// Tasks count as if they had begun with their last wave.
    AgesForgotten,
    /// A barrier that was kept in time expires all the same.
    KeptBarrierExpires,
    /// Short barriers are held for less than the floor.
    FloorIgnored,
    /// A barrier that was given up counts as kept.
    LateBarrierCountsAsKept,
    /// A barrier whose slots were given back before its deadline counts as kept.
    LostBarrierCountsAsKept,
    /// What is held idle in a gap counts as held towards a barrier.
    GapCountsAsBarrier,
    /// The declared parallelism counts for nothing.
    DeclarationIgnored,
    /// The idle budget is not kept.
    BudgetIgnored,
    /// A tenant's bound is not kept.
    BoundIgnored,
    /// Slots are claimed for a wider stage as soon as it is known.
    PreReservesAtOnce,
    /// Tasks run away from their input, whatever it costs.
    WidensAnyhow,
    /// What a later stage will want is kept for ever.
    RentIgnored,
    /// A task that has come of age for a copy is not announced by a reoffer.
    CopyNotReoffered => invariant,
    /// A copy runs beside its original.
    CopyBesideOriginal => invariant,
    /// A task that has failed is copied.
    CopyAfterFailure,
    /// A task gets a second copy.
    CopiedTwice,
    /// Holds are as large as what ran last.
    SizeIgnored,
    /// A pool takes a held slot on a tie.
    TieTakesHold => invariant,
    /// Whose turn has come is not told.
    TurnNotReoffered => invariant,
    /// Who holds more than its share keeps it when somebody arrives.
    SharesKept => invariant,
    /// What a workflow repeats counts for nothing.
    PatternIgnored,
    /// What follows a stage does not depend on what came before it.
    PatternOfOrderOne,
    /// Of stages that run side by side the widest is foreseen.
    SideBySideIgnored,
    /// Where not all that comes soon is known, only the next stage is foreseen.
    KnownPartIgnored,
    /// Earlier runs count for nothing.
    RunsIgnored,
    /// Where a run has ended before says nothing.
    EndNotRemembered,
    /// Stages that run side by side have to come in the same order again.
    RunsInOrder,
    /// Runs that came one after the other at once count as one only.
    EndedRunsIgnored,
    /// What another workflow has shown counts for nothing.
    AkinIgnored,
    /// What kin share goes when the one is forgotten that has shown it.
    KinGoWithTheFirst,
    /// The latest run counts although this one goes another way.
    RunsUnchecked,
    /// Slots are claimed wherever they are.
    HomeIgnored,
    /// While a set runs, what it has written so far counts for nothing.
    ActiveSetsMakeNoHome,
    /// Tasks that wait for a slot read nothing.
    PendingTasksReadNothing,
    /// No hold is given up for a better one.
    NeverSwaps,
    /// The newest hold goes first, wherever it is.
    NewestGoesFirst,
    /// What a task costs on an executor that is new to the workflow counts for ever.
    NewExecutorsTeach,
    /// Whoever waits for a slot next to its input waits for one wave.
    OneWaveWaits,
    /// Under timeout reservation all holds of an episode end together.
    TimeoutOfEpisode,
    /// Timeout reservation releases what nothing follows.
    TimeoutNeedsPlan,
    /// Whoever runs on slots that are set aside counts as one of those they are for.
    AsideForAll,
    /// That other slots are set aside now is not announced by a reoffer.
    AsideNotReoffered,
    /// A reoffer follows where nobody could have been refused anything.
    ReoffersToAll,
    /// RAS counts only one of the two attempts that a copy makes.
    RasForgetsSecondCost,
    /// GS copies a task although the copy would end later.
    GsCopiesAnyway,
    /// An error bound is met with one task too few.
    OneTaskTooFew,
    /// What cannot end by the deadline is copied all the same.
    TimeLeftIgnored,
    /// A copy is picked where the original runs.
    PickBesideOriginal => invariant,
    /// A task that has failed is picked for a copy.
    PickAfterFailure,
    /// Although its bound is met a set goes on launching.
    MetBoundLaunches => invariant,
    /// A copy is made while a more important workflow waits.
    CopyBeforeImportant => invariant,
    /// A report that goes back is taken.
    ReportGoesBack,
    /// Sizes are taken after the first launch.
    SizedLate,
    /// Copies that more important workflows prevented are not announced by a reoffer.
    RankNotReoffered => invariant,
    /// No copy that a rule for stragglers wants is announced by a reoffer.
    PickNotReoffered => invariant,
    /// A deadline that has passed still bounds its set.
    PassedBoundCounts,
    /// A job that explores goes over to GS.
    ExplorersSwitch,
    /// No job goes over to GS.
    NeverGoesOver,
    /// All samples are alike.
    FactorsIgnored,
    /// No more running tasks may get copies than are needed.
    CopiesOfNeededOnly,
    /// A retried stage wants the bound's share of its own tasks.
    RetryCountsAnew,
    /// Sets that need all tasks learn nothing.
    ExactNeverLearns,
    /// LATE runs any number of copies.
    LateUncapped,
    /// Mantri copies what saves slot-time in half of all cases.
    MantriWantsHalf,
}
