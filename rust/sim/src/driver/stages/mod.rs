//! What becomes of jobs and stages (`DAGScheduler` of Spark 4.1).

pub(super) mod announce;
mod bounds;
pub(super) mod deadlines;
pub(super) mod job_numbers;
pub(super) mod jobs;
pub(super) mod retries;
mod submit;
mod suspend;
