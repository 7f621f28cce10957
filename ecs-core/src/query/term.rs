//! One term of a query: a component by reference, optional or not, or the entity itself.

use crate::component::IndexSet;
use crate::entity::{Entity, Place};
use crate::signature::access::{Reads, ReadsOptional, Writes, WritesOptional};
use crate::signature::{Declaration, HasComponent, SystemName};
use crate::storage::{PAGE_ROWS, PageWords, Presence, Storage, layout_of};

/// What the query `Q` yields for one entity.
pub type Item<'a, Q, D> = <Q as QueryTerms<D>>::Item<'a>;

/// What to hand out of each entity: `&C`, `&mut C`, `Option<&C>`, `Option<&mut C>`, `Entity`, `Place`,
/// or a tuple of these (tuples nest).
///
/// # Safety
/// For a page with a row that has every component in `REQUIRED`, `table` and `page` must give a cursor
/// over the rows of that page (not `None`), through which `fetch` yields, for such a row, references
/// to the components in `READS` (shared) and `WRITES` (exclusive) of this very row and to nothing
/// else.
#[diagnostic::on_unimplemented(
    message = "[E0069] `{Self}` is nothing that a query can ask for",
    label = "not a query",
    note = "ask for `&C`, `&mut C`, `Option<&C>`, `Option<&mut C>` with a component `C` of `{D}`, for `Entity`, for `Place`, or for a tuple of these"
)]
pub unsafe trait QueryTerms<D: Declaration> {
    /// What is yielded for one entity.
    type Item<'a>;

    /// Where the pages of the components are.
    #[doc(hidden)]
    type Table<'a>: Copy;

    /// Where the components of one page of rows are.
    #[doc(hidden)]
    type Cursor<'a>: Copy;

    /// Components that the entity must have.
    const REQUIRED: IndexSet;

    /// Components handed out by shared reference.
    const READS: IndexSet;

    /// Components handed out by exclusive reference.
    const WRITES: IndexSet;

    /// Components handed out only where present.
    const OPTIONAL: IndexSet;

    /// Whether no component is handed out twice where one of the two could write.
    const ALIAS_FREE: bool;

    /// The pages of the components.
    #[doc(hidden)]
    fn table(storage: &Storage) -> Self::Table<'_>;

    /// The same pages, for a shorter time.
    #[doc(hidden)]
    fn shorten<'long: 'short, 'short>(table: Self::Table<'long>) -> Self::Table<'short>;

    /// The components of one page of rows. `None` if the page holds no entity with all of
    /// [`REQUIRED`](Self::REQUIRED).
    #[doc(hidden)]
    fn page<'a>(table: Self::Table<'a>, page: usize) -> Option<Self::Cursor<'a>>;

    /// The components of the row at `offset` in the page.
    ///
    /// # Safety
    /// An entity that has every component in `REQUIRED` must live in the row. Until the item's
    /// lifetime ends nobody else may write what it reads, nor access what it writes.
    #[doc(hidden)]
    unsafe fn fetch<'a>(cursor: Self::Cursor<'a>, offset: usize) -> Self::Item<'a>;
}

/// The query asks for nothing that the system `N` does not declare.
#[diagnostic::on_unimplemented(
    message = "[E0069] `{Self}` is nothing that a query of the system `{N}` can ask for",
    label = "not a query",
    note = "ask for `&C`, `&mut C`, `Option<&C>`, `Option<&mut C>` with a component `C` of `{D}`, for `Entity`, or for a tuple of these"
)]
pub trait QueryFor<D: Declaration, N: SystemName<D>>: QueryTerms<D> {}

/// Where the pages of one component are.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct ColumnTable<'a> {
    pages: &'a [*mut u8],
    offset: usize,
}

impl<'a> ColumnTable<'a> {
    fn new<D: HasComponent<C>, C: 'static>(storage: &'a Storage) -> Self {
        let (pages, offset) = storage.pages::<D, C>();
        Self { pages, offset }
    }

    #[inline(always)]
    fn page(self, page: usize) -> Option<Base> {
        let start = self.pages.get(page).copied().filter(|start| !start.is_null())?;
        Some(Base(start.wrapping_add(self.offset)))
    }
}

/// Where the pages of one component are, and which rows have one.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct OptionalTable<'a> {
    column: ColumnTable<'a>,
    presence: &'a Presence,
}

impl<'a> OptionalTable<'a> {
    fn new<D: HasComponent<C>, C: 'static>(storage: &'a Storage) -> Self {
        let index = <D as HasComponent<C>>::INDEX;
        Self { column: ColumnTable::new::<D, C>(storage), presence: storage.presence_at(index) }
    }

    fn page(self, page: usize) -> OptionalBase<'a> {
        OptionalBase(self.column.page(page).zip(self.presence.page(page)))
    }
}

/// Start of the values of one component in a page.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Base(*mut u8);

impl Base {
    /// Where the value of the row at `offset` lies.
    #[inline(always)]
    fn at<D: HasComponent<C>, C: 'static>(self, offset: usize) -> *mut C {
        // A constant, so that the compiler sees a plain array where the component has a column.
        let stride = const { layout_of::<D>(<D as HasComponent<C>>::INDEX).stride };
        self.0.wrapping_add(offset * stride).cast()
    }
}

/// Start of the values of one component in a page, and which rows have one.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct OptionalBase<'a>(Option<(Base, &'a PageWords)>);

impl OptionalBase<'_> {
    /// Where the value of the row at `offset` lies, if it has one.
    #[inline(always)]
    fn at<D: HasComponent<C>, C: 'static>(self, offset: usize) -> Option<*mut C> {
        let (base, words) = self.0?;
        (words[offset / 64] >> (offset % 64) & 1 == 1).then(|| base.at::<D, C>(offset))
    }
}

const fn just<D: HasComponent<C>, C: 'static>() -> IndexSet {
    assert!(
        <D as HasComponent<C>>::INDEX < D::COMPONENTS.len(),
        "[E0070] the index of a component is out of range"
    );
    IndexSet::EMPTY.with(<D as HasComponent<C>>::INDEX)
}

// SAFETY: the cursor is the start of the component's values in the page (`Storage::pages` asserts
// the type); the row has one, so `at` points to a live `C`, which is in `READS`.
unsafe impl<D: HasComponent<C>, C: 'static> QueryTerms<D> for &C {
    type Item<'a> = &'a C;
    type Table<'a> = ColumnTable<'a>;
    type Cursor<'a> = Base;
    const REQUIRED: IndexSet = just::<D, C>();
    const READS: IndexSet = just::<D, C>();
    const WRITES: IndexSet = IndexSet::EMPTY;
    const OPTIONAL: IndexSet = IndexSet::EMPTY;
    const ALIAS_FREE: bool = true;

    fn table(storage: &Storage) -> ColumnTable<'_> {
        ColumnTable::new::<D, C>(storage)
    }

    #[inline(always)]
    fn shorten<'long: 'short, 'short>(table: Self::Table<'long>) -> Self::Table<'short> {
        table
    }

    #[inline(always)]
    fn page<'a>(table: Self::Table<'a>, page: usize) -> Option<Self::Cursor<'a>> {
        table.page(page)
    }

    #[inline(always)]
    unsafe fn fetch<'a>(base: Self::Cursor<'a>, offset: usize) -> Self::Item<'a> {
        // SAFETY: the row has a `C`, by the contract; nobody writes it meanwhile.
        unsafe { &*base.at::<D, C>(offset) }
    }
}

// SAFETY: as for `&C`, but the component is in `WRITES`.
unsafe impl<D: HasComponent<C>, C: 'static> QueryTerms<D> for &mut C {
    type Item<'a> = &'a mut C;
    type Table<'a> = ColumnTable<'a>;
    type Cursor<'a> = Base;
    const REQUIRED: IndexSet = just::<D, C>();
    const READS: IndexSet = IndexSet::EMPTY;
    const WRITES: IndexSet = just::<D, C>();
    const OPTIONAL: IndexSet = IndexSet::EMPTY;
    const ALIAS_FREE: bool = true;

    fn table(storage: &Storage) -> ColumnTable<'_> {
        ColumnTable::new::<D, C>(storage)
    }

    #[inline(always)]
    fn shorten<'long: 'short, 'short>(table: Self::Table<'long>) -> Self::Table<'short> {
        table
    }

    #[inline(always)]
    fn page<'a>(table: Self::Table<'a>, page: usize) -> Option<Self::Cursor<'a>> {
        table.page(page)
    }

    #[inline(always)]
    unsafe fn fetch<'a>(base: Self::Cursor<'a>, offset: usize) -> Self::Item<'a> {
        // SAFETY: the row has a `C`, by the contract; nobody else accesses it meanwhile.
        unsafe { &mut *base.at::<D, C>(offset) }
    }
}

// SAFETY: as for `&C`, where the presence word says that there is one.
unsafe impl<D: HasComponent<C>, C: 'static> QueryTerms<D> for Option<&C> {
    type Item<'a> = Option<&'a C>;
    type Table<'a> = OptionalTable<'a>;
    type Cursor<'a> = OptionalBase<'a>;
    const REQUIRED: IndexSet = IndexSet::EMPTY;
    const READS: IndexSet = just::<D, C>();
    const WRITES: IndexSet = IndexSet::EMPTY;
    const OPTIONAL: IndexSet = just::<D, C>();
    const ALIAS_FREE: bool = true;

    fn table(storage: &Storage) -> OptionalTable<'_> {
        OptionalTable::new::<D, C>(storage)
    }

    #[inline(always)]
    fn shorten<'long: 'short, 'short>(table: Self::Table<'long>) -> Self::Table<'short> {
        table
    }

    fn page<'a>(table: Self::Table<'a>, page: usize) -> Option<Self::Cursor<'a>> {
        Some(table.page(page))
    }

    #[inline(always)]
    unsafe fn fetch<'a>(base: Self::Cursor<'a>, offset: usize) -> Self::Item<'a> {
        // SAFETY: the presence word says that the row has a `C`; nobody writes it meanwhile.
        base.at::<D, C>(offset).map(|value| unsafe { &*value })
    }
}

// SAFETY: as for `&mut C`, where the presence word says that there is one.
unsafe impl<D: HasComponent<C>, C: 'static> QueryTerms<D> for Option<&mut C> {
    type Item<'a> = Option<&'a mut C>;
    type Table<'a> = OptionalTable<'a>;
    type Cursor<'a> = OptionalBase<'a>;
    const REQUIRED: IndexSet = IndexSet::EMPTY;
    const READS: IndexSet = IndexSet::EMPTY;
    const WRITES: IndexSet = just::<D, C>();
    const OPTIONAL: IndexSet = just::<D, C>();
    const ALIAS_FREE: bool = true;

    fn table(storage: &Storage) -> OptionalTable<'_> {
        OptionalTable::new::<D, C>(storage)
    }

    #[inline(always)]
    fn shorten<'long: 'short, 'short>(table: Self::Table<'long>) -> Self::Table<'short> {
        table
    }

    fn page<'a>(table: Self::Table<'a>, page: usize) -> Option<Self::Cursor<'a>> {
        Some(table.page(page))
    }

    #[inline(always)]
    unsafe fn fetch<'a>(base: Self::Cursor<'a>, offset: usize) -> Self::Item<'a> {
        // SAFETY: the presence word says that the row has a `C`; nobody else accesses it meanwhile.
        base.at::<D, C>(offset).map(|value| unsafe { &mut *value })
    }
}

// SAFETY: hands out a copy and no reference; a row with an entity lies below the end of `rows`.
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
        // SAFETY: an entity lives in the row, by the contract, so the row lies before the end.
        unsafe { *rows.get_unchecked(offset) }
    }
}

// SAFETY: hands out a number and no reference.
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
impl<D: Declaration, N: SystemName<D>> QueryFor<D, N> for Entity {}
impl<D: Declaration, N: SystemName<D>> QueryFor<D, N> for Place {}
