//! Lists of pending tasks by the executor or host that they prefer (`PendingTasksByLocality` of Spark 4.1).
use crate::ids::index;

/// Takes the latest of those put back that waits; those that stay are passed over, those that do not wait are dropped.
pub(crate) fn take_back<T: Copy>(
    back: &mut Vec<T>,
    of: impl Fn(T) -> Option<u32>,
    waits: impl Fn(u32) -> bool,
    stays: impl Fn(u32) -> bool,
) -> Option<u32> {
    let mut place = back.len();
    while place > 0 {
        place -= 1;
        let Some(task) = of(back[place]).filter(|&task| !stays(task)) else { continue };
        back.remove(place);
        if waits(task) {
            return Some(task);
        }
    }
    None
}

/// One stack for each executor or host that some task prefers.
#[derive(Debug, Default)]
pub struct Lists {
    /// Sorted.
    keys: Vec<u32>,
    /// Where the stack of each key begins, and how far it is still filled.
    spans: Vec<(u32, u32)>,
    /// The stacks, one after the other.
    tasks: Vec<u32>,
    /// (place of the key, task) of those that were put back.
    pub(crate) back: Vec<(u32, u32)>,
    /// No key before this one has a task that waits.
    first: usize,
    /// The keys before this one are forgotten: not later than `first`, and moved only where Spark looks.
    gone: usize,
    /// Keys behind it that are, too; empty until a task is put back before it.
    forgotten: Vec<bool>,
}

impl Lists {
    /// Makes stacks from (key, task) pairs.
    pub(crate) fn new(mut pairs: Vec<(u32, u32)>) -> Self {
        // The lowest task is to be on top.
        pairs.sort_unstable_by_key(|&(key, task)| (key, u32::MAX - task));
        let most = pairs.len();
        let mut lists = Self {
            keys: Vec::with_capacity(most),
            spans: Vec::with_capacity(most),
            tasks: Vec::with_capacity(most),
            ..Self::default()
        };
        for (key, task) in pairs {
            let place = u32::try_from(lists.tasks.len()).unwrap_or(u32::MAX);
            if lists.keys.last() != Some(&key) {
                lists.keys.push(key);
                lists.spans.push((place, place));
            }
            lists.tasks.push(task);
            if let Some(span) = lists.spans.last_mut() {
                span.1 = place + 1;
            }
        }
        lists
    }

    /// Returns the executors or hosts that some task prefers, in order. Spark forgets those whose lists it finds empty
    /// when it looks whether a level has more tasks.
    pub fn keys(&self) -> impl Iterator<Item = u32> {
        let places = self.gone..self.keys.len();
        places.filter(|&place| !self.is_forgotten(place)).map(|place| self.keys[place])
    }

    /// Returns the places of all keys, but for some that no task which waits prefers.
    pub fn places(&self) -> std::ops::Range<u32> {
        index(self.first)..index(self.keys.len())
    }

    /// Returns the executor or host of a place.
    #[must_use]
    pub fn key(&self, place: u32) -> u32 {
        self.keys[place as usize]
    }

    /// Returns how many places there are at most.
    #[must_use]
    pub fn known(&self) -> usize {
        self.keys.len() - self.first
    }

    pub(crate) fn is_forgotten(&self, place: usize) -> bool {
        self.forgotten.get(place).is_some_and(|&forgotten| forgotten)
    }

    /// Finds keys that are `good`, and that a task which waits prefers.
    pub fn wanted(
        &mut self,
        good: impl Fn(u32) -> bool,
        waits: impl Fn(u32) -> bool,
        mut found: impl FnMut(u32),
    ) {
        for place in self.first..self.keys.len() {
            if good(self.keys[place]) && self.has_at(place, &waits) {
                found(self.keys[place]);
            }
        }
    }

    pub(crate) fn place(&self, key: u32) -> Option<usize> {
        self.keys.binary_search(&key).ok()
    }

    /// Returns how many tasks prefer the key of a place, whatever has become of them.
    pub(crate) fn listed(&self, place: usize) -> usize {
        let end = self.spans.get(place + 1).map_or(self.tasks.len(), |next| next.0 as usize);
        end - self.spans[place].0 as usize
    }

    pub(crate) fn put_back(&mut self, key: u32, task: u32) {
        if let Some(place) = self.place(key) {
            self.back.push((index(place), task));
            self.first = self.first.min(place);
            if place < self.gone {
                self.forgotten.resize(self.keys.len(), false);
                self.forgotten[place + 1..self.gone].fill(true);
                self.gone = place;
            }
            if let Some(forgotten) = self.forgotten.get_mut(place) {
                *forgotten = false;
            }
        }
    }

    pub(crate) fn pop(&mut self, place: usize) -> Option<u32> {
        if !self.back.is_empty()
            && let Some(found) = self.back.iter().rposition(|&(of, _)| of as usize == place)
        {
            return Some(self.back.remove(found).1);
        }
        let (begin, end) = &mut self.spans[place];
        (end > begin).then(|| {
            *end -= 1;
            self.tasks[*end as usize]
        })
    }

    pub(crate) fn peek(&self, place: usize) -> Option<u32> {
        let back = self.back.iter().rev().find(|&&(of, _)| of as usize == place);
        let (begin, end) = self.spans[place];
        back.map(|&(_, task)| task).or_else(|| (end > begin).then(|| self.tasks[end as usize - 1]))
    }

    pub(crate) fn take(&mut self, key: u32, waits: impl Fn(u32) -> bool) -> Option<u32> {
        let place = self.place(key)?;
        loop {
            let task = self.pop(place)?;
            if waits(task) {
                return Some(task);
            }
        }
    }

    /// Returns whether a task that waits prefers `key`.
    pub fn has(&mut self, key: u32, waits: impl Fn(u32) -> bool) -> bool {
        self.place(key).is_some_and(|place| self.has_at(place, waits))
    }

    /// Returns whether a task that waits prefers the key of a place.
    pub fn has_at(&mut self, place: usize, waits: impl Fn(u32) -> bool) -> bool {
        while let Some(task) = self.peek(place) {
            if waits(task) {
                return true;
            }
            self.pop(place);
        }
        false
    }

    /// Returns whether a task that waits prefers anything (`moreTasksToRunIn`): keys that have none are forgotten.
    pub(crate) fn any(&mut self, waits: impl Fn(u32) -> bool) -> bool {
        let any = self.find(waits);
        self.gone = self.first;
        any
    }

    /// Returns the same where Spark does not look: nothing is forgotten.
    pub(crate) fn find(&mut self, waits: impl Fn(u32) -> bool) -> bool {
        while self.first < self.keys.len() {
            if !self.is_forgotten(self.first) && self.has_at(self.first, &waits) {
                return true;
            }
            self.first += 1;
        }
        false
    }

    /// Drops everything.
    pub(crate) fn empty(&mut self) {
        self.spans.iter_mut().for_each(|span| span.1 = span.0);
        self.back.clear();
        (self.first, self.gone) = (self.keys.len(), self.keys.len());
    }
}
