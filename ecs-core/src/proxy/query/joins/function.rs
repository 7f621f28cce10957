//! The function of an index from a component to the key of a member.

use core::ptr::NonNull;

use super::key::Record;

/// A function from a component `C` and the settings `S` of an index to a key.
///
/// The type of a closure has no name, so an index holds pointers. A call by pointer for each of many components would take
/// longer than most functions do. So there is a second pointer, to a loop in which the optimiser has seen the function.
pub(super) struct KeyFunction<C, S, K> {
    one: fn(&C, S) -> K,
    many: fn(&[C], S, u32, &mut Vec<Record<K>>),
}

impl<C, S, K> Clone for KeyFunction<C, S, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C, S, K> Copy for KeyFunction<C, S, K> {}

impl<C, S: Copy, K> KeyFunction<C, S, K> {
    /// A function of a type without a size: a closure that captures nothing, or a `fn` by its name.
    pub(super) const fn of<F>(_: F) -> Self
    where
        F: Fn(&C, S) -> K + Copy + Send + Sync + 'static,
    {
        const {
            assert!(
                size_of::<F>() == 0,
                "[ECS0069] the function of an index captures a value\nhelp: write a closure that captures nothing"
            );
        }
        Self {
            // SAFETY: there was a value, and it has no size.
            one: |component, settings| unsafe { conjure::<F>() }(component, settings),
            many: |components, settings, first, records| {
                // SAFETY: as above.
                let key = unsafe { conjure::<F>() };
                let rows = components.iter().zip(first..);
                records.extend(rows.map(|(component, row)| (key(component, settings), row)));
            },
        }
    }

    /// The key of a component.
    #[inline]
    pub(super) fn key(self, component: &C, settings: S) -> K {
        (self.one)(component, settings)
    }

    /// Appends a record of each of these components, which lie in rows from `first` on.
    #[inline]
    pub(super) fn append(
        self,
        components: &[C],
        settings: S,
        first: usize,
        records: &mut Vec<Record<K>>,
    ) {
        (self.many)(components, settings, first as u32, records);
    }
}

/// A copy of a value without a size, made without the value.
///
/// # Safety
/// There must have been a value of the type, and it must have no size.
unsafe fn conjure<F: Copy + Send + Sync + 'static>() -> F {
    // SAFETY: Reads nothing, from an aligned address. A copy of a value that was there is valid, for all of the program and on
    // any thread by the bounds.
    unsafe { NonNull::<F>::dangling().read() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_or_many() {
        let times = KeyFunction::of(|number: &u32, by: u64| u64::from(*number) * by);
        assert_eq!(times.key(&4, 2), 8);
        let mut records = Vec::new();
        times.append(&[1, 2, 5], 3, 7, &mut records);
        times.append(&[4], 1, 100, &mut records);
        assert_eq!(records, [(3, 7), (6, 8), (15, 9), (4, 100)]);
    }
}
