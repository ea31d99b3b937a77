//! Sets whose launches are spread.

use rustc_hash::FxHashMap;

use super::keys::{ExecutorKey, SetKey};

/// The sets whose launches are spread now, and how much of each executor they have had.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spreads {
    pub sets: Vec<SetKey>,
    pub launches: FxHashMap<(SetKey, ExecutorKey), u32>,
}

impl Spreads {
    pub fn forget(&mut self, set: SetKey) {
        self.sets.retain(|&other| other != set);
        self.launches.retain(|&(other, _), _| other != set);
    }
}
