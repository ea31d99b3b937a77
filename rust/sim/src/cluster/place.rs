//! Where tasks would like to run, and where they may.

/// Where a task would like to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Nowhere in particular.
    Anywhere,
    /// On a host.
    Host(u32),
    /// On an executor, which is on a host.
    Executor(u32, u32),
}

/// An executor and its host.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    /// Its number.
    pub executor: u32,
    /// Its host's.
    pub host: u32,
}
