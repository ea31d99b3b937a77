//! Handles: numbers that cannot be mistaken for a later engine's.

use std::panic::{AssertUnwindSafe, catch_unwind};

use parking_lot::Mutex;

use crate::fault::{Fault, caught};

/// How many may be open at a time. A driver has one; test suites a few.
const SLOTS: usize = 64;

/// Values behind handles, each with its own lock.
///
/// A handle is `generation << 32 | index`. A slot's generation grows with each value, so that a handle finds its own
/// value or none.
pub(crate) struct Table<T> {
    slots: [Mutex<Slot<T>>; SLOTS],
}

struct Slot<T> {
    generation: i32,
    value: Option<T>,
    /// Why the value must not be used any more.
    broken: Option<String>,
}

impl<T> Slot<T> {
    const EMPTY: Self = Self { generation: 0, value: None, broken: None };
}

impl<T> Table<T> {
    pub(crate) const fn new() -> Self {
        Self { slots: [const { Mutex::new(Slot::EMPTY) }; SLOTS] }
    }

    /// The handle of a new value, above 0.
    pub(crate) fn insert(&self, value: T) -> Result<i64, Fault> {
        for (index, slot) in (0i64..).zip(&self.slots) {
            let mut slot = slot.lock();
            if slot.value.is_none() && slot.generation < i32::MAX {
                slot.generation += 1;
                slot.value = Some(value);
                slot.broken = None;
                return Ok(i64::from(slot.generation) << 32 | index);
            }
        }
        Err(Fault::BadArgument(format!("{SLOTS} engines are open: close some")))
    }

    /// Calls `f` with the value. A panic of `f` is caught, and breaks the handle: the value may be half changed.
    pub(crate) fn with<R>(
        &self,
        handle: i64,
        f: impl FnOnce(&mut T) -> Result<R, Fault>,
    ) -> Result<R, Fault> {
        let (slot, generation) = self.slot(handle)?;
        let mut slot = slot.lock();
        let slot = &mut *slot;
        let value = match &mut slot.value {
            Some(value) if slot.generation == generation => value,
            _ => return Err(Fault::BadHandle(handle)),
        };
        if let Some(message) = &slot.broken {
            return Err(Fault::Panic(message.clone()));
        }
        catch_unwind(AssertUnwindSafe(|| f(value))).unwrap_or_else(|payload| {
            let message = caught(&*payload);
            slot.broken = Some(message.clone());
            Err(Fault::Panic(message))
        })
    }

    /// Takes the value out, and whether it is broken; the handle is void from now on.
    pub(crate) fn remove(&self, handle: i64) -> Result<(T, bool), Fault> {
        let (slot, generation) = self.slot(handle)?;
        let mut slot = slot.lock();
        if slot.generation != generation {
            return Err(Fault::BadHandle(handle));
        }
        let broken = slot.broken.take().is_some();
        slot.value.take().map(|value| (value, broken)).ok_or(Fault::BadHandle(handle))
    }

    fn slot(&self, handle: i64) -> Result<(&Mutex<Slot<T>>, i32), Fault> {
        let slot = usize::try_from(handle & 0xffff_ffff).ok().and_then(|i| self.slots.get(i));
        let generation = i32::try_from(handle >> 32).ok().filter(|&g| g > 0);
        slot.zip(generation).ok_or(Fault::BadHandle(handle))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_finds_its_value_until_it_is_removed() {
        let table = Table::new();
        let (a, b) = (table.insert("a").unwrap(), table.insert("b").unwrap());
        assert!(a > 0 && b > 0 && a != b);
        assert_eq!(table.with(a, |v| Ok(*v)), Ok("a"));
        assert_eq!(table.remove(a), Ok(("a", false)));
        assert_eq!(table.remove(a), Err(Fault::BadHandle(a)));
        assert_eq!(table.with(a, |v| Ok(*v)), Err(Fault::BadHandle(a)));
        assert_eq!(table.with(b, |v| Ok(*v)), Ok("b"));
    }

    #[test]
    fn an_old_handle_does_not_find_a_later_value() {
        let table = Table::new();
        let mut old = Vec::new();
        for i in 0..1000 {
            let handle = table.insert(i).unwrap();
            assert!(!old.contains(&handle));
            for &o in &old {
                assert_eq!(table.with(o, |v| Ok(*v)), Err(Fault::BadHandle(o)));
            }
            table.remove(handle).unwrap();
            old.push(handle);
        }
    }

    #[test]
    fn no_number_is_a_handle_by_chance() {
        let table = Table::new();
        let handle = table.insert(()).unwrap();
        for wrong in
            [0, 1, -1, i64::MIN, i64::MAX, handle + 1, -handle, handle | 1 << 62, 64 | 1 << 32]
        {
            assert_eq!(table.with(wrong, |()| Ok(())), Err(Fault::BadHandle(wrong)), "{wrong}");
            assert!(table.remove(wrong).is_err());
        }
    }

    #[test]
    fn a_panic_breaks_its_handle_and_no_other() {
        let table = Table::new();
        let (a, b) = (table.insert(1).unwrap(), table.insert(2).unwrap());
        let result: Result<(), Fault> = table.with(a, |_| panic!("one {}", "thing"));
        assert_eq!(result, Err(Fault::Panic("one thing".to_owned())));
        for _ in 0..2 {
            assert_eq!(table.with(a, |v| Ok(*v)).unwrap_err().code(), -101);
        }
        assert_eq!(table.with(b, |v| Ok(*v)), Ok(2));
        assert_eq!(table.remove(a), Ok((1, true)));
        let again = table.insert(3).unwrap();
        assert_eq!(table.with(again, |v| Ok(*v)), Ok(3), "a new value is not broken");
    }

    #[test]
    fn a_full_table_says_so() {
        let table = Table::new();
        let handles: Vec<_> = (0..SLOTS).map(|_| table.insert(()).unwrap()).collect();
        assert!(table.insert(()).unwrap_err().to_string().contains("close some"));
        table.remove(handles[7]).unwrap();
        assert!(table.insert(()).is_ok());
    }

    #[test]
    fn threads_exclude_each_other_on_one_handle() {
        let table = Table::new();
        let handle = table.insert(0u32).unwrap();
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..1000 {
                        table
                            .with(handle, |v| {
                                let seen = *v;
                                std::hint::spin_loop();
                                *v = seen + 1;
                                Ok(())
                            })
                            .unwrap();
                    }
                });
            }
        });
        assert_eq!(table.remove(handle), Ok((8000, false)));
    }
}
