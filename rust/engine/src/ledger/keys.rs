//! Keys of the books' entries. Ids are what hosts say; keys are where the books keep it.

use crate::tables::arena::key;

key!(
    /// Of an executor.
    ExecutorKey
);
key!(
    /// Of a hold.
    HoldKey
);
key!(
    /// Of a Spark job.
    JobKey
);
key!(
    /// Of a pool.
    PoolKey
);
key!(
    /// Of a task set.
    SetKey
);
key!(
    /// Of a workflow.
    WorkflowKey
);
key!(
    /// Of a demand: what one task asks for.
    DemandKey
);
