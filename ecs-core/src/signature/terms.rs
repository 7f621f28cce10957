//! What a query asks for about each entity. The terms are in `query/`.

use core::ops::Range;

use super::Declaration;
use crate::rows::PAGE_ROWS;
use crate::storage::Storage;
use crate::types::IndexSet;

/// The item that the query `Q` yields for one entity.
///
/// ```
/// use ecs_core::{Item, World, world};
/// struct Position(f32);
///
/// world! {
///     world Line;
///     component Position;
///     system Move { write: [Position], run: |data| data.own.query::<&mut Position>().for_each(push) }
/// }
///
/// fn push(position: Item<'_, &mut Position, Line>) {
///     position.0 += 1.0;
/// }
///
/// let mut world = World::<Line>::new();
/// let disc = world.spawn((Position(1.0),));
/// world.tick()?;
/// assert_eq!(world.get::<Position>(disc).unwrap().0, 2.0);
/// # Ok::<_, ecs_core::StepError>(())
/// ```
pub type Item<'a, Q, D> = <Q as QueryTerms<D>>::Item<'a>;

/// What a query asks for about each entity: `&C`, `&mut C`, `Option<&C>`, `Option<&mut C>`, `Entity`, `Place`,
/// or a tuple of these (tuples nest). Of a tracked component, [`Mut<C>`](crate::Mut) takes the place of `&mut C`.
///
/// # Safety
/// For a page with a row that has every component in `REQUIRED`, `table` and `page` (or `page_of_some`) must
/// give a cursor over the rows of that page (not `None`). Through the cursor `fetch`, and through the table `fetch_row`, must
/// yield, for such a row, references to the components in `READS` (shared) and `WRITES` (exclusive) of this very row and to
/// nothing else. `rejoin` must return a cursor that does the same for the rows that `slice` was given, and `apart` must call
/// `f` once with it.
///
/// ```
/// use ecs_core::{Entity, QueryTerms};
/// # struct Position(f32);
/// # struct Velocity(f32);
/// # ecs_core::world! { world Line; component Position, Velocity; }
/// fn is_a_query<Q: QueryTerms<Line>>() {}
///
/// is_a_query::<(Entity, &mut Position, Option<&Velocity>)>();
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0069] `{Self}` is nothing that a query can ask for",
    label = "not a query",
    note = "ask for `&C`, `&mut C`, `Option<&C>`, `Option<&mut C>` with a component `C` of `{D}`, for `Entity`, for `Place`, or for a tuple of these"
)]
pub unsafe trait QueryTerms<D: Declaration> {
    /// The item for one entity.
    type Item<'a>;

    /// The table of the components' pages, by which no values but those in `rows` are written.
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

    /// Those of [`WRITES`](Self::WRITES) that are yielded by plain references, which leave no mark of a change.
    #[doc(hidden)]
    const UNMARKED: IndexSet;

    /// Components yielded only where present.
    const OPTIONAL: IndexSet;

    /// Whether no component is yielded twice where one of the two could write.
    const ALIAS_FREE: bool;

    /// The table of the components' pages, by which no values but those in `rows` are written.
    #[doc(hidden)]
    fn table(storage: &Storage, rows: Range<usize>) -> Self::Table<'_>;

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
    /// cursor is for: those of the page, or those of a [`slice`](Self::slice). Until the item's lifetime ends
    /// there must be no other write to what it reads, and no other access to what it writes.
    #[doc(hidden)]
    unsafe fn fetch<'a>(cursor: &Self::Cursor<'a>, offset: usize) -> Self::Item<'a>;

    /// The components of any row. For rows in no order: a term whose storage finds values by row skips the page.
    ///
    /// # Safety
    /// As for `fetch`, of a row of the table.
    #[doc(hidden)]
    #[inline(always)]
    unsafe fn fetch_row<'a>(table: Self::Table<'a>, row: usize) -> Self::Item<'a> {
        // SAFETY: by the contract; an entity in the page has all required components.
        let cursor = unsafe { Self::page_of_some(table, row / PAGE_ROWS) };
        // SAFETY: by the contract.
        unsafe { Self::fetch(&cursor, row % PAGE_ROWS) }
    }

    /// Calls `f` with an item. Each element of a tuple is passed as a function parameter on the way, so that
    /// the optimiser knows that no two of them overlap, whatever `f` does with them. (It treats a tuple within
    /// a tuple as a whole.)
    #[doc(hidden)]
    #[inline(always)]
    fn hand<'a, F: FnMut(Self::Item<'a>)>(item: Self::Item<'a>, f: &mut F) {
        f(item);
    }

    /// The components to write of some rows of a page, where they are contiguous.
    #[doc(hidden)]
    type Slice<'a>;

    /// The components to write of these rows of the page.
    ///
    /// # Safety
    /// `rows` must not be empty. For each of the rows, and until `'a` ends, the conditions of
    /// [`fetch`](Self::fetch) must hold.
    #[doc(hidden)]
    unsafe fn slice<'a>(cursor: Self::Cursor<'a>, rows: Range<usize>) -> Self::Slice<'a>;

    /// A cursor over the rows of a [`slice`](Self::slice), of which `first` is the first one.
    #[doc(hidden)]
    fn rejoin<'a>(
        cursor: Self::Cursor<'a>,
        slice: Self::Slice<'a>,
        first: usize,
    ) -> Self::Cursor<'a>;

    /// Calls `f` with a cursor over these rows of the page. The components to write are passed as function
    /// parameters on the way, as slices if they are contiguous. So the optimiser knows in all of `f` that
    /// nothing else overlaps them, and can vectorise a loop over the rows. (In a tuple within a tuple it does not.)
    ///
    /// # Safety
    /// As for [`slice`](Self::slice).
    #[doc(hidden)]
    #[inline(always)]
    unsafe fn apart<'a, F: FnOnce(Self::Cursor<'a>)>(
        cursor: Self::Cursor<'a>,
        rows: Range<usize>,
        f: F,
    ) {
        let first = rows.start;
        // SAFETY: by the contract.
        let slice = unsafe { Self::slice(cursor, rows) };
        // Called by pointer: otherwise the compiler would inline it before the optimiser has seen its parameters.
        let pass: fn(Self::Cursor<'a>, Self::Slice<'a>, usize, F) =
            |cursor, slice, first, f| f(Self::rejoin(cursor, slice, first));
        pass(cursor, slice, first, f);
    }

    /// Prefetches the components of the row at this offset.
    #[doc(hidden)]
    #[inline(always)]
    fn prefetch(_: Self::Cursor<'_>, _: usize) {}
}
