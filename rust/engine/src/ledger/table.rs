//! Tables by id. Ids are given in order: neighbours in time shall be neighbours in memory.

use std::collections::hash_map::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// By id. Nothing is drawn: equal contents are in equal order, and no decision looks at that.
pub(crate) type IdMap<K, V> = HashMap<K, V, BuildHasherDefault<IdHasher>>;

/// The place of an id in a table is the id: what is new is beside what came just before, and the oldest entries are the
/// only ones far away. Ids that are far apart by powers of two would all be in one place; hosts count (see `ids`).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct IdHasher(u64);

impl Hasher for IdHasher {
    fn write(&mut self, bytes: &[u8]) {
        // Nobody does: ids are hashed as what they are.
        bytes.iter().for_each(|&byte| self.0 = self.0.rotate_left(8) ^ u64::from(byte));
    }

    /// The place is taken from the low bits; the highest tell neighbours apart without looking at them.
    #[inline]
    fn write_u32(&mut self, id: u32) {
        self.0 = u64::from(id) | u64::from(id.wrapping_mul(0x9e37_79b9)) << 32;
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::AttemptId;

    #[test]
    fn it_is_a_map() {
        let mut map: IdMap<AttemptId, u32> = IdMap::default();
        let ids = || (0..500u32).map(|i| i.wrapping_mul(0x0100_0003).wrapping_add(u32::MAX - 250));
        for (value, id) in (0..).zip(ids()) {
            assert_eq!(map.insert(AttemptId(id), value), None);
        }
        for (value, id) in (0..).zip(ids()).step_by(2) {
            assert_eq!(map.remove(&AttemptId(id)), Some(value));
        }
        for (value, id) in (0..).zip(ids()) {
            assert_eq!(map.get(&AttemptId(id)).copied(), (value % 2 == 1).then_some(value));
        }
    }
}
