//! Where attempts were launched.

use serde::Serialize;

/// One attempt that was launched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Placement {
    /// When, in nanoseconds.
    pub at_ns: u64,
    /// Where.
    pub executor: u32,
    /// Spark's number of the stage.
    pub stage: u32,
    /// Which attempt of the stage.
    pub stage_attempt: u32,
    /// Which partition.
    pub partition: u32,
    /// Which attempt of the task.
    pub attempt: u32,
    /// Whether it began while another attempt of the task ran.
    pub copy: bool,
}
