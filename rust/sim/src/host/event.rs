//! What happens in a simulation.

/// Something that happens at a planned time.
#[derive(Clone, Copy, Debug)]
pub enum SimEvent {
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
    /// A round that was asked for begins.
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
    BarrierStageFailed(u32, u32),
    /// The DAG scheduler submits what a job lacks, since this stage of it failed.
    Resubmit(u32),
    /// A change of the world's: a workflow's priority.
    Prioritise(u32),
    /// Spark looks for slow tasks.
    Speculate,
    /// A job's deadline.
    Deadline(u32),
    /// An attempt reports: its number, and which of its reports.
    Report(u32, u32, u32),
}
