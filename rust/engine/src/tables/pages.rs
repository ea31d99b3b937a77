//! Tables by id. Ids are given in order: neighbours in time shall be neighbours in memory.

use std::collections::hash_map::{Entry, HashMap};
use std::hash::{BuildHasherDefault, Hasher};
use std::marker::PhantomData;

use crate::api::ids::Id;

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

/// So many ids share a page: one for each bit of a word.
const IDS: usize = u64::BITS as usize;

/// By ids of which many are there at a time, most of them beside each other: as an [`IdMap`], but what is known of an id is
/// in one place in memory, not in two, and what has not been looked at for long is not in the way of it.
#[derive(Clone, Debug)]
pub(crate) struct Pages<K, V> {
    /// By the ids' high bits.
    pages: HashMap<u32, Page<V>, BuildHasherDefault<IdHasher>>,
    /// Pages of which all ids are gone, for reuse.
    spare: Vec<Box<[V; IDS]>>,
    len: usize,
    keys: PhantomData<K>,
}

#[derive(Clone, Debug)]
struct Page<V> {
    /// One bit for each id that is there. Here, since it is looked at more often than the values.
    live: u64,
    values: Box<[V; IDS]>,
}

impl<K, V> Default for Pages<K, V> {
    fn default() -> Self {
        Self { pages: HashMap::default(), spare: Vec::new(), len: 0, keys: PhantomData }
    }
}

impl<K: Id, V: Copy + Default> Pages<K, V> {
    /// Its page, its place there, and the bit of that.
    fn place(id: K) -> (u32, usize, u64) {
        let place = id.number() as usize % IDS;
        (id.number() / u64::BITS, place, 1 << place)
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub fn contains(&self, id: K) -> bool {
        let (page, _, bit) = Self::place(id);
        self.pages.get(&page).is_some_and(|page| page.live & bit != 0)
    }

    pub fn get(&self, id: K) -> Option<V> {
        let (page, place, bit) = Self::place(id);
        self.pages.get(&page).filter(|page| page.live & bit != 0).map(|page| page.values[place])
    }

    /// What was there before is replaced.
    pub fn insert(&mut self, id: K, value: V) {
        let (page, place, bit) = Self::place(id);
        let spare = &mut self.spare;
        let page = self.pages.entry(page).or_insert_with(|| Page {
            live: 0,
            values: spare.pop().unwrap_or_else(|| Box::new([V::default(); IDS])),
        });
        self.len += usize::from(page.live & bit == 0);
        page.live |= bit;
        page.values[place] = value;
    }

    pub fn remove(&mut self, id: K) -> Option<V> {
        let (page, place, bit) = Self::place(id);
        let Entry::Occupied(mut found) = self.pages.entry(page) else { return None };
        let page = found.get_mut();
        if page.live & bit == 0 {
            return None;
        }
        let value = page.values[place];
        page.live &= !bit;
        self.len -= 1;
        if page.live == 0 {
            self.spare.push(found.remove().values);
        }
        Some(value)
    }

    /// All of it, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (K, V)> {
        self.pages.iter().flat_map(|(&page, Page { live, values })| {
            let places =
                (0..).zip(values.iter()).filter(move |(place, _)| live & (1 << place) != 0);
            places.map(move |(place, &value)| (K::of(page * u64::BITS + place), value))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::ids::AttemptId;

    #[test]
    fn pages_are_a_map() {
        let (mut pages, mut map) = (Pages::<AttemptId, u32>::default(), HashMap::new());
        // Neighbours, ids far apart, and the last ones before they begin anew.
        let ids = (0..300u32).map(|i| i / 3).chain((0..40).map(|i| i * 0x0600_0001));
        let ids: Vec<u32> = ids.chain(u32::MAX - 70..=u32::MAX).collect();
        for (value, &id) in (0..).zip(&ids) {
            assert_eq!(pages.contains(AttemptId(id)), map.contains_key(&id));
            pages.insert(AttemptId(id), value);
            map.insert(id, value);
        }
        for &id in ids.iter().step_by(2).chain(&[1 << 31, 500]) {
            assert_eq!(pages.remove(AttemptId(id)), map.remove(&id), "{id}");
        }
        assert_eq!(pages.len(), map.len());
        let mut all: Vec<(u32, u32)> = pages.iter().map(|(id, value)| (id.0, value)).collect();
        all.sort_unstable();
        let mut wanted: Vec<(u32, u32)> = map.clone().into_iter().collect();
        wanted.sort_unstable();
        assert_eq!(all, wanted);
        for &id in &ids {
            assert_eq!(pages.get(AttemptId(id)), map.get(&id).copied());
            pages.remove(AttemptId(id));
        }
        assert!(pages.is_empty() && pages.pages.is_empty());
    }

    #[test]
    fn pages_are_reused() {
        let mut pages = Pages::<AttemptId, u64>::default();
        for id in 0..100_000 {
            pages.insert(AttemptId(id), 0);
            pages.remove(AttemptId(id.wrapping_sub(1_000)));
        }
        assert_eq!(pages.pages.len() + pages.spare.len(), 1_000 / IDS + 2);
    }

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
