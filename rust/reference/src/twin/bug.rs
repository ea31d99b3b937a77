//! Known bugs, to be put back on purpose: the harness has to catch each one.

/// A bug that somebody once made, or easily could make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bug {
    /// A workflow's own hold counts against it (SSR-6).
    OwnerVetoed,
    /// Equal priorities block each other: rank is not total.
    RankNotTotal,
    /// An expired hold is not announced by a reoffer.
    ExpiryNotReoffered,
    /// A released hold is not announced by a reoffer.
    ReleaseNotReoffered,
    /// A change of priority is not announced by a reoffer.
    PriorityNotReoffered,
    /// An executor that is usable again is not announced by a reoffer.
    UnbarNotReoffered,
    /// The holds of a workflow that is over stay.
    HoldOutlivesWorkflow,
    /// The holds of a barred executor stay, and new ones are made there.
    HoldOnBarred,
    /// The holds of a lost executor stay.
    HoldOnLost,
    /// Claiming restarts the cap.
    CapRestartedByClaim,
    /// An override ends one hold too many.
    OverrideEndsTwo,
    /// An override ends the most important hold.
    OverrideTakesFirst,
    /// A gap never ends.
    GapNeverEnds,
    /// Nobody is told what a workflow lacked that became wider than was known.
    UnforeseenIgnored,
    /// Nothing yields in a stall.
    StallIgnored,
    /// Holds are made without looking at the capacity.
    CapacityIgnored,
    /// Slots are held without looking at the need.
    NeedIgnored,
    /// A launch uses up the hold with the latest deadline.
    LatestUsedFirst,
    /// A launch elsewhere ends no hold.
    MoveForgotten,
    /// A hold is live at its deadline.
    DeadlineInclusive,
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
    SpreadEndNotReoffered,
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
    CopyNotReoffered,
    /// A copy runs beside its original.
    CopyBesideOriginal,
    /// A task that has failed is copied.
    CopyAfterFailure,
    /// A task gets a second copy.
    CopiedTwice,
    /// Holds are as large as what ran last.
    SizeIgnored,
    /// A pool takes a held slot on a tie.
    TieTakesHold,
    /// Whose turn has come is not told.
    TurnNotReoffered,
    /// Who holds more than its share keeps it when somebody arrives.
    SharesKept,
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
}

impl Bug {
    /// All of them.
    pub const ALL: [Self; 72] = [
        Self::OwnerVetoed,
        Self::RankNotTotal,
        Self::ExpiryNotReoffered,
        Self::ReleaseNotReoffered,
        Self::PriorityNotReoffered,
        Self::UnbarNotReoffered,
        Self::HoldOutlivesWorkflow,
        Self::HoldOnBarred,
        Self::HoldOnLost,
        Self::CapRestartedByClaim,
        Self::OverrideEndsTwo,
        Self::OverrideTakesFirst,
        Self::GapNeverEnds,
        Self::UnforeseenIgnored,
        Self::StallIgnored,
        Self::CapacityIgnored,
        Self::NeedIgnored,
        Self::LatestUsedFirst,
        Self::MoveForgotten,
        Self::DeadlineInclusive,
        Self::NeverExhausted,
        Self::FinalStageHeld,
        Self::PromisedSlotsClaimed,
        Self::EqualsClaim,
        Self::GapNotLearned,
        Self::MissedGapNotLearned,
        Self::UnknownGapIsShort,
        Self::OneGapIsEnough,
        Self::EverybodyEndsGaps,
        Self::ZombieCounts,
        Self::FailureLingers,
        Self::RetryForgotten,
        Self::SpreadEndNotReoffered,
        Self::FirstWaveCounts,
        Self::AgesForgotten,
        Self::KeptBarrierExpires,
        Self::FloorIgnored,
        Self::LateBarrierCountsAsKept,
        Self::LostBarrierCountsAsKept,
        Self::GapCountsAsBarrier,
        Self::DeclarationIgnored,
        Self::BudgetIgnored,
        Self::BoundIgnored,
        Self::PreReservesAtOnce,
        Self::WidensAnyhow,
        Self::RentIgnored,
        Self::CopyNotReoffered,
        Self::CopyBesideOriginal,
        Self::CopyAfterFailure,
        Self::CopiedTwice,
        Self::SizeIgnored,
        Self::TieTakesHold,
        Self::TurnNotReoffered,
        Self::SharesKept,
        Self::PatternIgnored,
        Self::PatternOfOrderOne,
        Self::SideBySideIgnored,
        Self::KnownPartIgnored,
        Self::RunsIgnored,
        Self::RunsUnchecked,
        Self::HomeIgnored,
        Self::ActiveSetsMakeNoHome,
        Self::PendingTasksReadNothing,
        Self::NeverSwaps,
        Self::NewestGoesFirst,
        Self::NewExecutorsTeach,
        Self::OneWaveWaits,
        Self::TimeoutOfEpisode,
        Self::TimeoutNeedsPlan,
        Self::AsideForAll,
        Self::AsideNotReoffered,
        Self::ReoffersToAll,
    ];

    /// Those that break an invariant, so that no comparison is needed to see them.
    pub const BROKEN_INVARIANT: [Self; 20] = [
        Self::OwnerVetoed,
        Self::RankNotTotal,
        Self::ExpiryNotReoffered,
        Self::ReleaseNotReoffered,
        Self::PriorityNotReoffered,
        Self::UnbarNotReoffered,
        Self::HoldOutlivesWorkflow,
        Self::HoldOnBarred,
        Self::HoldOnLost,
        Self::OverrideTakesFirst,
        Self::GapNeverEnds,
        Self::CapacityIgnored,
        Self::NeedIgnored,
        Self::DeadlineInclusive,
        Self::SpreadEndNotReoffered,
        Self::CopyNotReoffered,
        Self::CopyBesideOriginal,
        Self::TieTakesHold,
        Self::TurnNotReoffered,
        Self::SharesKept,
    ];
}
