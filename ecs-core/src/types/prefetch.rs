//! Look-ups of many entities with prefetching.
//!
//! For an entity that was not accessed lately, neither the entry of its handle nor its components
//! are in the cache. The address of the components is known only when the entry has arrived.
//! Separate look-ups wait for both, and the processor overlaps only a few of them. Here each
//! look-up is split into steps, with steps of other entities in between, so that the memory for the
//! next step is prefetched meanwhile.

/// Entities between two steps of one look-up. The number is large enough for a prefetch to finish,
/// and small enough for the prefetched lines to stay in the cache.
const BETWEEN: usize = 16;

/// Calls `f`, in order, with each entity for which `find` returns a value. For each entity
/// `announce` is called first, then `find`, then `f`, each some entities later than the one before.
/// So the result of `find` must still be valid some entities later.
#[inline]
pub(crate) fn for_each_prefetched<L: Copy, T: Copy>(
    entities: impl Iterator<Item = L>,
    announce: impl Fn(L),
    find: impl Fn(L) -> Option<T>,
    mut f: impl FnMut(L, T),
) {
    let mut ring = Ring { announced: [None; BETWEEN], found: [None; BETWEEN] };
    let mut count = 0;
    for entity in entities {
        announce(entity);
        ring.step(count, Some(entity), &find, &mut f);
        count = count.wrapping_add(1);
    }
    for last in 0..2 * BETWEEN {
        ring.step(count.wrapping_add(last), None, &find, &mut f);
    }
}

/// The look-ups on their way. Each place serves every 16th entity.
struct Ring<L, T> {
    announced: [Option<L>; BETWEEN],
    found: [Option<(L, T)>; BETWEEN],
}

impl<L: Copy, T: Copy> Ring<L, T> {
    /// A new entity enters, or none, and those of its place take a step. (A call for each entity would take longer than the look-up.)
    #[inline(always)]
    fn step(
        &mut self,
        number: usize,
        next: Option<L>,
        find: &impl Fn(L) -> Option<T>,
        f: &mut impl FnMut(L, T),
    ) {
        let place = number % BETWEEN;
        if let Some((entity, it)) = self.found[place] {
            f(entity, it);
        }
        self.found[place] = self.announced[place].and_then(|entity| Some((entity, find(entity)?)));
        self.announced[place] = next;
    }
}

/// Prefetches the memory at an address, on targets that support it. Any address is allowed.
#[inline(always)]
pub(crate) fn prefetch<T>(place: *const T) {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse", not(miri)))]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the target has the instruction. It is a hint, which neither reads nor faults at
        // any address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(place.cast()) };
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "sse", not(miri))))]
    let _ = place;
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[test]
    fn each_has_its_turn_in_order_however_many_there_are() {
        for count in [0, 1, 15, 16, 17, 31, 32, 33, 47, 48, 49, 1_000] {
            let (announced, looked_for) = (RefCell::new(Vec::new()), RefCell::new(Vec::new()));
            let mut found = Vec::new();
            for_each_prefetched(
                0..count,
                |n| announced.borrow_mut().push(n),
                |n| {
                    assert!(announced.borrow().contains(&n));
                    looked_for.borrow_mut().push(n);
                    (n % 3 != 1).then_some(n * n)
                },
                |n, square| found.push((n, square)),
            );
            let all: Vec<i32> = (0..count).collect();
            assert_eq!((announced.into_inner(), looked_for.into_inner()), (all.clone(), all));
            let expected = (0..count).filter(|n| n % 3 != 1).map(|n| (n, n * n));
            assert_eq!(found, expected.collect::<Vec<_>>());
        }
    }

    #[test]
    fn no_item_is_announced_much_too_early() {
        let announced = core::cell::Cell::new(0);
        let mut turns = 0;
        for_each_prefetched(
            0..100,
            |n| announced.set(n + 1),
            |n| {
                assert!(announced.get() - n <= 17);
                Some(n)
            },
            |n, _| {
                assert!(announced.get() - n <= 33);
                turns += 1;
            },
        );
        assert_eq!(turns, 100);
    }

    #[test]
    fn an_iterator_is_not_asked_beyond_its_end() {
        let mut left = 20;
        let entities = std::iter::from_fn(|| {
            assert!(left >= 0, "asked again");
            left -= 1;
            (left >= 0).then_some(left)
        });
        let mut count = 0;
        for_each_prefetched(entities, |_| {}, Some, |_, _| count += 1);
        assert_eq!(count, 20);
    }
}
