//! Why a study does not come to its result.

use holdfast_trace::TraceError;

/// Why a study does not come to its result. The text is for the user, whole.
#[derive(Debug)]
pub enum Failure {
    /// What was asked for is not there, or makes no sense.
    Usage(String),
    /// A file or folder cannot be read or written, or a simulation fails.
    Input(String),
}

impl From<TraceError> for Failure {
    fn from(error: TraceError) -> Self {
        Self::Input(error.to_string())
    }
}
