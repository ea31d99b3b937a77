//! What becomes of jobs and stages (`DAGScheduler` of Spark 4.1).

pub(super) mod announce;
pub(super) mod job_numbers;
pub(super) mod jobs;
pub(super) mod retries;
mod submit;
