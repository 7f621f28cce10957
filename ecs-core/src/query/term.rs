//! One term of a query: a component by reference, or the entity itself.

use core::ops::Range;

use crate::component::IndexSet;
use crate::entity::{Entity, Place};
use crate::signature::access::{Reads, Writes};
use crate::signature::{Declaration, HasComponent, SystemName};
use crate::storage::{PAGE_ROWS, Storage, Stored};

/// The item that the query `Q` yields for one entity.
pub type Item<'a, Q, D> = <Q as QueryTerms<D>>::Item<'a>;

/// What a query asks for about each entity: `&C`, `&mut C`, `Option<&C>`, `Option<&mut C>`, `Entity`, `Place`,
/// or a tuple of these (tuples nest).
///
/// # Safety
/// For a page with a row that has every component in `REQUIRED`, `table` and `page` (or `page_of_some`) must
/// give a cursor over the rows of that page (not `None`). Through the cursor `fetch` must yield, for such a
/// row, references to the components in `READS` (shared) and `WRITES` (exclusive) of this very row and to
/// nothing else. `apart` must call `f` once, with a cursor that does the same for the rows that it is given.
#[diagnostic::on_unimplemented(
    message = "[E0069] `{Self}` is nothing that a query can ask for",
    label = "not a query",
    note = "ask for `&C`, `&mut C`, `Option<&C>`, `Option<&mut C>` with a component `C` of `{D}`, for `Entity`, for `Place`, or for a tuple of these"
)]
pub unsafe trait QueryTerms<D: Declaration> {
    /// The item for one entity.
    type Item<'a>;

    /// The table of the components' pages.
    #[doc(hidden)]
    type Table<'a>: Copy;

    /// The components of one page of rows.
    #[doc(hidden)]
    type Cursor<'a>: Copy;

    /// Components that the entity must have.
    const REQUIRED: IndexSet;

    /// Components yielded by shared reference.
    const READS: IndexSet;

    /// Components yielded by exclusive reference.
    const WRITES: IndexSet;

    /// Components yielded only where present.
    const OPTIONAL: IndexSet;

    /// Whether no component is yielded twice where one of the two could write.
    const ALIAS_FREE: bool;

    /// The table of the components' pages.
    #[doc(hidden)]
    fn table(storage: &Storage) -> Self::Table<'_>;

    /// The same table, for a shorter lifetime.
    #[doc(hidden)]
    fn shorten<'long: 'short, 'short>(table: Self::Table<'long>) -> Self::Table<'short>;

    /// The components of one page of rows. `None` if the page holds no entity with all of
    /// [`REQUIRED`](Self::REQUIRED).
    #[doc(hidden)]
    fn page<'a>(table: Self::Table<'a>, page: usize) -> Option<Self::Cursor<'a>>;

    /// The [`page`](Self::page), where there is such an entity.
    ///
    /// # Safety
    /// The page must contain an entity that has every component in `REQUIRED`.
    #[doc(hidden)]
    #[inline(always)]
    unsafe fn page_of_some<'a>(table: Self::Table<'a>, page: usize) -> Self::Cursor<'a> {
        // SAFETY: an entity in the page has all required components, so there is a cursor.
        unsafe { Self::page(table, page).unwrap_unchecked() }
    }

    /// The components of the row at `offset` in the page.
    ///
    /// # Safety
    /// The row must hold an entity that has every component in `REQUIRED`. It must be one of those that the
    /// cursor is for: those of the page, or those of [`apart`](Self::apart). Until the item's lifetime ends
    /// there must be no other write to what it reads, and no other access to what it writes.
    #[doc(hidden)]
    unsafe fn fetch<'a>(cursor: Self::Cursor<'a>, offset: usize) -> Self::Item<'a>;

    /// Calls `f` with an item. Each element of a tuple is passed as a function parameter on the way, so that
    /// the optimiser knows that no two of them overlap, whatever `f` does with them. (It treats a tuple within
    /// a tuple as a whole.)
    #[doc(hidden)]
    #[inline(always)]
    fn hand<'a, F: FnMut(Self::Item<'a>)>(item: Self::Item<'a>, f: &mut F) {
        f(item);
    }

    /// Calls `f` with a cursor over these rows of the page. The components to write are passed as function
    /// parameters on the way, as slices if they are contiguous. So the optimiser knows in all of `f` that
    /// nothing else overlaps them, and can vectorise a loop over the rows.
    ///
    /// # Safety
    /// `rows` must not be empty. For each of the rows, and until `'a` ends, the conditions of
    /// [`fetch`](Self::fetch) must hold.
    #[doc(hidden)]
    #[inline(always)]
    unsafe fn apart<'a, F: FnOnce(Self::Cursor<'a>)>(
        cursor: Self::Cursor<'a>,
        _: Range<usize>,
        f: F,
    ) {
        f(cursor);
    }

    /// Prefetches the components of the row at this offset.
    #[doc(hidden)]
    #[inline(always)]
    fn prefetch(_: Self::Cursor<'_>, _: usize) {}
}

/// The query asks for nothing that the system `N` does not declare.
#[diagnostic::on_unimplemented(
    message = "[E0069] `{Self}` is nothing that a query of the system `{N}` can ask for",
    label = "not a query",
    note = "ask for `&C`, `&mut C`, `Option<&C>`, `Option<&mut C>` with a component `C` of `{D}`, for `Entity`, or for a tuple of these"
)]
pub trait QueryFor<D: Declaration, N: SystemName<D>>: QueryTerms<D> {}

/// The storage strategy of the component `C`.
type StrategyOf<D, C> = <D as HasComponent<C>>::Strategy;
/// The table of the values of the component `C`.
pub(super) type TableOf<'a, D, C> = <StrategyOf<D, C> as Stored<C>>::Table<'a>;
/// The values of the component `C` in one page.
pub(super) type CursorOf<'a, D, C> = <StrategyOf<D, C> as Stored<C>>::Cursor<'a>;

pub(super) const fn just<D: HasComponent<C>, C: 'static>() -> IndexSet {
    assert!(
        <D as HasComponent<C>>::INDEX < D::COMPONENTS.len(),
        "[E0070] the index of a component is out of range"
    );
    IndexSet::EMPTY.with(<D as HasComponent<C>>::INDEX)
}

// SAFETY: the row has a `C`, so `Stored::at` points to it, which is in `READS`.
unsafe impl<D: HasComponent<C>, C: 'static> QueryTerms<D> for &C {
    type Item<'a> = &'a C;
    type Table<'a> = TableOf<'a, D, C>;
    type Cursor<'a> = CursorOf<'a, D, C>;
    const REQUIRED: IndexSet = just::<D, C>();
    const READS: IndexSet = just::<D, C>();
    const WRITES: IndexSet = IndexSet::EMPTY;
    const OPTIONAL: IndexSet = IndexSet::EMPTY;
    const ALIAS_FREE: bool = true;

    fn table(storage: &Storage) -> Self::Table<'_> {
        D::Strategy::table::<D>(storage)
    }

    #[inline(always)]
    fn shorten<'long: 'short, 'short>(table: Self::Table<'long>) -> Self::Table<'short> {
        D::Strategy::shorten(table)
    }

    #[inline(always)]
    fn page<'a>(table: Self::Table<'a>, page: usize) -> Option<Self::Cursor<'a>> {
        D::Strategy::page(table, page)
    }

    #[inline(always)]
    unsafe fn page_of_some<'a>(table: Self::Table<'a>, page: usize) -> Self::Cursor<'a> {
        // SAFETY: an entity in the page has a `C`, by the contract.
        unsafe { D::Strategy::page_of_some(table, page) }
    }

    #[inline(always)]
    unsafe fn fetch<'a>(base: Self::Cursor<'a>, offset: usize) -> Self::Item<'a> {
        // SAFETY: the row has a `C`, by the contract.
        let value = unsafe { D::Strategy::at::<D>(base, offset) };
        // SAFETY: `at` points to the row's live `C`. There are no writes to it meanwhile, by the contract.
        unsafe { &*value }
    }

    #[inline(always)]
    fn prefetch(base: Self::Cursor<'_>, offset: usize) {
        D::Strategy::prefetch::<D>(base, offset);
    }
}

// SAFETY: as for `&C`, but the component is in `WRITES`.
unsafe impl<D: HasComponent<C>, C: 'static> QueryTerms<D> for &mut C {
    type Item<'a> = &'a mut C;
    type Table<'a> = TableOf<'a, D, C>;
    type Cursor<'a> = CursorOf<'a, D, C>;
    const REQUIRED: IndexSet = just::<D, C>();
    const READS: IndexSet = IndexSet::EMPTY;
    const WRITES: IndexSet = just::<D, C>();
    const OPTIONAL: IndexSet = IndexSet::EMPTY;
    const ALIAS_FREE: bool = true;

    fn table(storage: &Storage) -> Self::Table<'_> {
        D::Strategy::table::<D>(storage)
    }

    #[inline(always)]
    fn shorten<'long: 'short, 'short>(table: Self::Table<'long>) -> Self::Table<'short> {
        D::Strategy::shorten(table)
    }

    #[inline(always)]
    fn page<'a>(table: Self::Table<'a>, page: usize) -> Option<Self::Cursor<'a>> {
        D::Strategy::page(table, page)
    }

    #[inline(always)]
    unsafe fn page_of_some<'a>(table: Self::Table<'a>, page: usize) -> Self::Cursor<'a> {
        // SAFETY: an entity in the page has a `C`, by the contract.
        unsafe { D::Strategy::page_of_some(table, page) }
    }

    #[inline(always)]
    unsafe fn fetch<'a>(base: Self::Cursor<'a>, offset: usize) -> Self::Item<'a> {
        // SAFETY: the row has a `C`, by the contract.
        let value = unsafe { D::Strategy::at::<D>(base, offset) };
        // SAFETY: `at` points to the row's live `C`. There is no other access to it meanwhile, by the contract.
        unsafe { &mut *value }
    }

    #[inline(always)]
    unsafe fn apart<'a, F: FnOnce(Self::Cursor<'a>)>(
        cursor: Self::Cursor<'a>,
        rows: Range<usize>,
        f: F,
    ) {
        // SAFETY: the range is not empty, and its rows have a `C` each, without any other access to it
        // meanwhile, by the contract.
        unsafe { D::Strategy::apart::<D, F>(cursor, rows, f) };
    }

    #[inline(always)]
    fn prefetch(base: Self::Cursor<'_>, offset: usize) {
        D::Strategy::prefetch::<D>(base, offset);
    }
}

// SAFETY: yields a copy and no reference. A row with an entity is below the end of `rows`.
unsafe impl<D: Declaration> QueryTerms<D> for Entity {
    type Item<'a> = Entity;
    type Table<'a> = &'a [Entity];
    type Cursor<'a> = &'a [Entity];
    const REQUIRED: IndexSet = IndexSet::EMPTY;
    const READS: IndexSet = IndexSet::EMPTY;
    const WRITES: IndexSet = IndexSet::EMPTY;
    const OPTIONAL: IndexSet = IndexSet::EMPTY;
    const ALIAS_FREE: bool = true;

    fn table(storage: &Storage) -> &[Entity] {
        storage.entities.rows()
    }

    #[inline(always)]
    fn shorten<'long: 'short, 'short>(table: Self::Table<'long>) -> Self::Table<'short> {
        table
    }

    #[inline(always)]
    fn page<'a>(rows: Self::Table<'a>, page: usize) -> Option<Self::Cursor<'a>> {
        rows.get(page * PAGE_ROWS..)
    }

    #[inline(always)]
    unsafe fn fetch<'a>(rows: Self::Cursor<'a>, offset: usize) -> Self::Item<'a> {
        // SAFETY: the row holds an entity, by the contract, so it is before the end.
        unsafe { *rows.get_unchecked(offset) }
    }
}

// SAFETY: yields a number and no reference.
unsafe impl<D: Declaration> QueryTerms<D> for Place {
    type Item<'a> = Place;
    type Table<'a> = ();
    /// The first row of the page.
    type Cursor<'a> = usize;
    const REQUIRED: IndexSet = IndexSet::EMPTY;
    const READS: IndexSet = IndexSet::EMPTY;
    const WRITES: IndexSet = IndexSet::EMPTY;
    const OPTIONAL: IndexSet = IndexSet::EMPTY;
    const ALIAS_FREE: bool = true;

    fn table(_: &Storage) {}

    #[inline(always)]
    fn shorten<'long: 'short, 'short>((): Self::Table<'long>) -> Self::Table<'short> {}

    #[inline(always)]
    fn page<'a>((): Self::Table<'a>, page: usize) -> Option<Self::Cursor<'a>> {
        Some(page * PAGE_ROWS)
    }

    #[inline(always)]
    unsafe fn fetch<'a>(first: Self::Cursor<'a>, offset: usize) -> Self::Item<'a> {
        Place::of(first + offset)
    }
}

impl<D: HasComponent<C>, N: SystemName<D> + Reads<C, D>, C: 'static> QueryFor<D, N> for &C {}
impl<D: HasComponent<C>, N: SystemName<D> + Writes<C, D>, C: 'static> QueryFor<D, N> for &mut C {}
impl<D: Declaration, N: SystemName<D>> QueryFor<D, N> for Entity {}
impl<D: Declaration, N: SystemName<D>> QueryFor<D, N> for Place {}
