//! Locality levels (`TaskLocality` of Spark; racks are left out, standalone Spark knows none).

/// How near a task is to its input, nearest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// On the executor that has it (`PROCESS_LOCAL`).
    Process,
    /// On its host (`NODE_LOCAL`).
    Node,
    /// It has no preference (`NO_PREF`).
    NoPreference,
    /// Anywhere (`ANY`).
    Any,
}

/// The levels that matter for a set, nearest first; the last one is [`Level::Any`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Levels {
    all: [Level; 4],
    len: u8,
}

impl Levels {
    /// Keeps, of the levels before [`Level::Any`], those that are there.
    #[must_use]
    pub fn new(process: bool, node: bool, no_preference: bool) -> Self {
        let mut levels = Self { all: [Level::Any; 4], len: 0 };
        let nearer = [
            (process, Level::Process),
            (node, Level::Node),
            (no_preference, Level::NoPreference),
            (true, Level::Any),
        ];
        for (_, level) in nearer.into_iter().filter(|(there, _)| *there) {
            levels.all[usize::from(levels.len)] = level;
            levels.len += 1;
        }
        levels
    }

    /// Returns them as a slice.
    #[must_use]
    pub fn as_slice(&self) -> &[Level] {
        &self.all[..usize::from(self.len)]
    }

    /// Returns the place of the last one.
    #[must_use]
    pub fn last(&self) -> u8 {
        self.len - 1
    }

    /// Returns the place of a level, or of the next one that is there (`getLocalityIndex`).
    #[must_use]
    pub fn index_of(&self, level: Level) -> u8 {
        let mut indices = (0..).zip(self.as_slice());
        indices.find(|&(_, &l)| l >= level).map_or(self.last(), |(index, _)| index)
    }

    /// Returns whether a level is there.
    #[must_use]
    pub fn has(&self, level: Level) -> bool {
        self.as_slice().contains(&level)
    }
}
