//! What becomes of jobs and stages (`DAGScheduler` of Spark 4.1).

mod job_numbers;
mod jobs;
mod retries;
mod submit;
