//! A slab whose keys have a type: a key of one table opens no other.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

use slab::Slab;

/// A key of a table: small, and reused after its entry is gone.
pub(crate) trait Key: Copy {
    fn of(place: usize) -> Self;
    fn place(self) -> usize;
    /// The same in half the space.
    fn number(self) -> u32;
    fn of_number(number: u32) -> Self;
}

/// Defines the key of one kind of entry.
macro_rules! key {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub(crate) struct $name(u32);

        impl $crate::tables::arena::Key for $name {
            #[inline]
            fn of(place: usize) -> Self {
                Self($crate::api::ids::short(place))
            }

            #[inline]
            fn place(self) -> usize {
                self.0 as usize
            }

            #[inline]
            fn number(self) -> u32 {
                self.0
            }

            #[inline]
            fn of_number(number: u32) -> Self {
                Self(number)
            }
        }
    };
}

pub(crate) use key;

/// Entries by key.
#[derive(Clone, Debug)]
pub(crate) struct Arena<K, V> {
    slab: Slab<V>,
    key: PhantomData<K>,
}

impl<K, V> Default for Arena<K, V> {
    fn default() -> Self {
        Self { slab: Slab::new(), key: PhantomData }
    }
}

impl<K: Key, V> Arena<K, V> {
    #[inline]
    pub fn len(&self) -> usize {
        self.slab.len()
    }

    #[inline]
    pub fn get(&self, key: K) -> Option<&V> {
        self.slab.get(key.place())
    }

    #[inline]
    pub fn get_mut(&mut self, key: K) -> Option<&mut V> {
        self.slab.get_mut(key.place())
    }

    #[inline]
    pub fn contains(&self, key: K) -> bool {
        self.slab.contains(key.place())
    }

    #[inline]
    pub fn insert(&mut self, value: V) -> K {
        K::of(self.slab.insert(value))
    }

    #[inline]
    pub fn remove(&mut self, key: K) -> V {
        self.slab.remove(key.place())
    }

    /// All entries, in no useful order.
    pub fn iter(&self) -> impl Iterator<Item = (K, &V)> {
        self.slab.iter().map(|(place, value)| (K::of(place), value))
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = (K, &mut V)> {
        self.slab.iter_mut().map(|(place, value)| (K::of(place), value))
    }
}

impl<K: Key, V> Index<K> for Arena<K, V> {
    type Output = V;

    #[inline]
    fn index(&self, key: K) -> &V {
        &self.slab[key.place()]
    }
}

impl<K: Key, V> IndexMut<K> for Arena<K, V> {
    #[inline]
    fn index_mut(&mut self, key: K) -> &mut V {
        &mut self.slab[key.place()]
    }
}
