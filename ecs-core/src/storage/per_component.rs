//! A list with an entry for each component, of which the first ones lie in the world itself.

use core::ops::{Index, IndexMut};

use crate::parallel::{Workers, fork_each};

/// The number of entries that lie in the list.
const FIRST: usize = 4;

/// An entry for each component.
///
/// The first entries are no further away than the list, which is a part of the world. So a loop that has the world to itself, and
/// writes values, need not read the entry anew for each value: the compiler sees that no value lies there.
#[derive(Debug)]
pub(super) struct PerComponent<T> {
    first: [T; FIRST],
    rest: Vec<T>,
    len: usize,
}

impl<T> PerComponent<T> {
    /// The entries, and `none` in the places that are left over.
    pub(super) fn of(entries: impl IntoIterator<Item = T>, none: fn() -> T) -> Self {
        let mut len = 0;
        let mut entries = entries.into_iter().fuse().inspect(|_| len += 1);
        let first = core::array::from_fn(|_| entries.next().unwrap_or_else(none));
        let rest = entries.collect();
        Self { first, rest, len }
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.first[..self.len.min(FIRST)].iter().chain(&self.rest)
    }

    #[inline]
    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.first[..self.len.min(FIRST)].iter_mut().chain(&mut self.rest)
    }

    /// Calls `f` with each entry and its index, in parallel as `workers` allow.
    pub(super) fn fork_each(&mut self, workers: &Workers, f: &(impl Fn(usize, &mut T) + Sync))
    where
        T: Send,
    {
        fork_each(workers, &mut self.first[..self.len.min(FIRST)], f);
        fork_each(workers, &mut self.rest, &|index, entry: &mut T| f(FIRST + index, entry));
    }

    /// The entry at an index, without a test of the index.
    ///
    /// # Safety
    /// The index must be below the length.
    #[inline(always)]
    pub(super) unsafe fn get_unchecked(&self, index: usize) -> &T {
        debug_assert!(index < self.len, "no entry");
        match index.checked_sub(FIRST) {
            None => &self.first[index],
            // SAFETY: by the contract.
            Some(index) => unsafe { self.rest.get_unchecked(index) },
        }
    }

    /// The same, mutable.
    ///
    /// # Safety
    /// The index must be below the length.
    #[inline(always)]
    pub(super) unsafe fn get_unchecked_mut(&mut self, index: usize) -> &mut T {
        debug_assert!(index < self.len, "no entry");
        match index.checked_sub(FIRST) {
            None => &mut self.first[index],
            // SAFETY: by the contract.
            Some(index) => unsafe { self.rest.get_unchecked_mut(index) },
        }
    }
}

impl<T> Index<usize> for PerComponent<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, index: usize) -> &T {
        match index.checked_sub(FIRST) {
            None => &self.first[..self.len.min(FIRST)][index],
            Some(index) => &self.rest[index],
        }
    }
}

impl<T> IndexMut<usize> for PerComponent<T> {
    #[inline(always)]
    fn index_mut(&mut self, index: usize) -> &mut T {
        match index.checked_sub(FIRST) {
            None => &mut self.first[..self.len.min(FIRST)][index],
            Some(index) => &mut self.rest[index],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_found_by_index_wherever_they_lie() {
        for len in [0, 1, FIRST - 1, FIRST, FIRST + 1, 3 * FIRST] {
            let mut list = PerComponent::of(0..len, || usize::MAX);
            assert_eq!(list.len(), len);
            assert!(list.iter().copied().eq(0..len));
            list.iter_mut().for_each(|entry| *entry += 1);
            list.iter_mut().enumerate().for_each(|(index, entry)| *entry += index);
            list.fork_each(&Workers::inline(), &|index, entry| *entry += index);
            for index in 0..len {
                assert_eq!(list[index], 3 * index + 1);
                list[index] = index;
                // SAFETY: the index is below the length.
                assert_eq!(unsafe { *list.get_unchecked(index) }, index);
                // SAFETY: as above.
                unsafe { *list.get_unchecked_mut(index) += 5 };
            }
            assert!(list.iter().copied().eq(5..len + 5));
            let beyond = || list[len];
            assert!(std::panic::catch_unwind(beyond).is_err());
        }
    }
}
