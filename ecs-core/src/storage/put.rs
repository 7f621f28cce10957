//! What becomes of a staged value: how it meets the component that the entity has.

use super::chunk::ChunkColumn;
use super::{HasColumn, Storage};
use crate::types::Accumulate;

/// The staged values of a batch are insertions, updates or accumulations.
pub(crate) trait Put<C>: 'static {
    /// Whether a value is ignored where the entity has no component, or unordered systems have put one.
    const UPDATES: bool = false;
    /// Whether the old value does not matter, so that it can be overwritten if it need not be dropped.
    const REPLACES: bool = false;
    /// Whether the value meets the old one in code of the user, which may panic.
    const MERGES: bool = false;

    /// Puts the value into the row. Returns what is left over.
    fn into_chunk<D: HasColumn<C>>(
        column: &mut ChunkColumn<'_, D, C>,
        row: usize,
        value: C,
    ) -> Option<C>;

    /// The same, if the component does not lie in a buffer.
    fn into_storage<D: HasColumn<C>>(storage: &mut Storage, row: usize, value: C) -> Option<C>;
}

/// The value replaces the old one, if there is one.
pub(crate) enum Insertion {}

/// The value replaces the old one, and is dropped if there is none.
pub(crate) enum Replacement {}

/// The value is merged into the old one, or inserted if there is none.
pub(crate) enum Accumulation {}

impl<C: 'static> Put<C> for Insertion {
    const REPLACES: bool = true;

    #[inline]
    fn into_chunk<D: HasColumn<C>>(
        column: &mut ChunkColumn<'_, D, C>,
        row: usize,
        value: C,
    ) -> Option<C> {
        column.insert(row, value)
    }

    #[inline]
    fn into_storage<D: HasColumn<C>>(storage: &mut Storage, row: usize, value: C) -> Option<C> {
        storage.insert::<D, C>(row, value)
    }
}

impl<C: 'static> Put<C> for Replacement {
    const UPDATES: bool = true;

    #[inline]
    fn into_chunk<D: HasColumn<C>>(
        column: &mut ChunkColumn<'_, D, C>,
        row: usize,
        value: C,
    ) -> Option<C> {
        Some(column.update(row, value))
    }

    #[inline]
    fn into_storage<D: HasColumn<C>>(storage: &mut Storage, row: usize, value: C) -> Option<C> {
        Some(storage.update::<D, C>(row, value))
    }
}

impl<C: Accumulate> Put<C> for Accumulation {
    const MERGES: bool = true;

    #[inline]
    fn into_chunk<D: HasColumn<C>>(
        column: &mut ChunkColumn<'_, D, C>,
        row: usize,
        value: C,
    ) -> Option<C> {
        match column.get_mut(row) {
            Some(place) => {
                place.accumulate(value);
                None
            }
            None => column.insert(row, value),
        }
    }

    #[inline]
    fn into_storage<D: HasColumn<C>>(storage: &mut Storage, row: usize, value: C) -> Option<C> {
        match storage.get_mut::<D, C>(row) {
            Some(place) => {
                place.accumulate(value);
                None
            }
            None => storage.insert::<D, C>(row, value),
        }
    }
}
