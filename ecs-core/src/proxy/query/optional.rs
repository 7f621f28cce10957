//! Optional terms of a query: a component by reference, where present.

use super::QueryFor;
use super::term::{CursorOf, TableOf, just, no_slice};
use crate::rows::{PageWords, Presence};
use crate::signature::access::{ReadsOptional, WritesOptional};
use crate::signature::{HasComponent, QueryTerms, SystemName};
use crate::storage::{Storage, Stored};
use crate::types::IndexSet;
use core::ops::Range;

/// The table of the values `T` of one component, and the rows that have one.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct OptionalTable<'a, T> {
    pub(super) values: T,
    pub(super) presence: &'a Presence,
}

/// The values `T` of one component in a page, and the rows that have one.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct OptionalPage<'a, T>(pub(super) Option<(T, &'a PageWords)>);

/// A pointer to the value of the row at `offset`, if it has one.
#[inline(always)]
pub(super) fn optional_at<D: HasComponent<C>, C: 'static>(
    page: OptionalPage<'_, CursorOf<'_, D, C>>,
    offset: usize,
) -> Option<*mut C> {
    let (values, words) = page.0?;
    let present = words[offset / 64] >> (offset % 64) & 1 == 1;
    // SAFETY: the row is in the presence set, so it has a `C`.
    present.then(|| unsafe { D::Strategy::at::<D>(values, offset) })
}

/// What the terms `Option<&C>` and `Option<&mut C>` have in common: all but the access rights and the item.
macro_rules! where_present {
    ($note_writes:expr) => {
        type Table<'a> = OptionalTable<'a, TableOf<'a, D, C>>;
        type Cursor<'a> = OptionalPage<'a, CursorOf<'a, D, C>>;
        const ALIAS_FREE: bool = true;

        #[inline(always)]
        fn table(storage: &Storage, rows: Range<usize>) -> Self::Table<'_> {
            $note_writes(storage, rows);
            let presence = storage.presence_at(<D as HasComponent<C>>::INDEX);
            OptionalTable { values: D::Strategy::table::<D>(storage), presence }
        }

        #[inline(always)]
        fn shorten<'long: 'short, 'short>(table: Self::Table<'long>) -> Self::Table<'short> {
            OptionalTable { values: D::Strategy::shorten(table.values), presence: table.presence }
        }

        #[inline(always)]
        fn page<'a>(table: Self::Table<'a>, page: usize) -> Option<Self::Cursor<'a>> {
            let values = D::Strategy::page(table.values, page);
            Some(OptionalPage(values.zip(table.presence.page(page))))
        }

        no_slice!();
    };
}

// SAFETY: as for `&C`, where the presence word says that there is one.
unsafe impl<D: HasComponent<C>, C: 'static> QueryTerms<D> for Option<&C> {
    type Item<'a> = Option<&'a C>;
    const REQUIRED: IndexSet = IndexSet::EMPTY;
    const READS: IndexSet = just::<D, C>();
    const WRITES: IndexSet = IndexSet::EMPTY;
    const UNMARKED: IndexSet = IndexSet::EMPTY;
    const OPTIONAL: IndexSet = just::<D, C>();

    where_present!(|_: &Storage, _| {});

    #[inline(always)]
    unsafe fn fetch<'a>(&page: &Self::Cursor<'a>, offset: usize) -> Self::Item<'a> {
        // SAFETY: the presence word says that the row has a `C`. There are no writes to it meanwhile.
        optional_at::<D, C>(page, offset).map(|value| unsafe { &*value })
    }
}

// SAFETY: as for `&mut C`, where the presence word says that there is one.
unsafe impl<D: HasComponent<C>, C: 'static> QueryTerms<D> for Option<&mut C> {
    type Item<'a> = Option<&'a mut C>;
    const REQUIRED: IndexSet = IndexSet::EMPTY;
    const READS: IndexSet = IndexSet::EMPTY;
    const WRITES: IndexSet = just::<D, C>();
    const UNMARKED: IndexSet = just::<D, C>();
    const OPTIONAL: IndexSet = just::<D, C>();

    where_present!(Storage::note_writes::<D, C>);

    #[inline(always)]
    unsafe fn fetch<'a>(&page: &Self::Cursor<'a>, offset: usize) -> Self::Item<'a> {
        // SAFETY: the presence word says that the row has a `C`. There is no other access to it meanwhile.
        optional_at::<D, C>(page, offset).map(|value| unsafe { &mut *value })
    }
}

impl<D, N, C> QueryFor<D, N> for Option<&C>
where
    D: HasComponent<C>,
    N: SystemName<D> + ReadsOptional<C, D>,
    C: 'static,
{
}
impl<D, N, C> QueryFor<D, N> for Option<&mut C>
where
    D: HasComponent<C>,
    N: SystemName<D> + WritesOptional<C, D>,
    C: 'static,
{
}
