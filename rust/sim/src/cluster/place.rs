//! Where tasks would like to run, and where they may.

use crate::cluster::level::Level;

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

impl Place {
    /// Returns how near a task is that runs there.
    #[must_use]
    pub fn level(self, site: Site) -> Level {
        match self {
            Self::Anywhere => Level::NoPreference,
            Self::Executor(executor, _) if executor == site.executor => Level::Process,
            Self::Executor(_, host) | Self::Host(host) if host == site.host => Level::Node,
            Self::Executor(..) | Self::Host(_) => Level::Any,
        }
    }
}
