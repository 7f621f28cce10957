//! One term of a query: a component by reference, or the entity itself.

use core::ops::Range;

use super::HandsOutOnce;
use crate::entity::{Entity, Place};
use crate::rows::PAGE_ROWS;
use crate::signature::access::{Reads, Writes};
use crate::signature::tables::tracking;
use crate::signature::{Declaration, HasComponent, Message, QueryTerms, SystemName};
use crate::storage::{Storage, Stored};
use crate::types::IndexSet;

/// The query asks for nothing that the system `N` does not declare.
///
/// ```
/// use ecs_core::QueryFor;
/// # struct Position(f32);
/// # struct Velocity(f32);
/// # ecs_core::world! {
/// #     world Line;
/// #     component Position, Velocity;
/// #     system Move { read: [Velocity], write: [Position], run: |_| {} }
/// # }
/// fn move_may_ask_for<Q: QueryFor<Line, Move>>() {}
///
/// move_may_ask_for::<(&mut Position, &Velocity)>();
/// move_may_ask_for::<ecs_core::Entity>();
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0069] `{Self}` is nothing that a query of the system `{N}` can ask for",
    label = "not a query",
    note = "ask for `&C`, `&mut C`, `Option<&C>`, `Option<&mut C>` with a component `C` of `{D}`, for `Entity`, or for a tuple of these"
)]
pub trait QueryFor<D: Declaration, N: SystemName<D>>: QueryTerms<D> + HandsOutOnce<D> {}

/// The storage strategy of the component `C`.
type StrategyOf<D, C> = <D as HasComponent<C>>::Strategy;
/// The table of the values of the component `C`.
pub(super) type TableOf<'a, D, C> = <StrategyOf<D, C> as Stored<C>>::Table<'a>;
/// The values of the component `C` in one page.
pub(super) type CursorOf<'a, D, C> = <StrategyOf<D, C> as Stored<C>>::Cursor<'a>;

pub(super) const fn just<D: HasComponent<C>, C: 'static>() -> IndexSet {
    assert!(
        <D as HasComponent<C>>::INDEX < D::COMPONENTS.len(),
        "[ECS0070] the index of a component is out of range"
    );
    IndexSet::EMPTY.with(<D as HasComponent<C>>::INDEX)
}

/// Fails to compile if the query `Q` would write a tracked component without a mark. If a system asks, that is its index.
pub(crate) const fn assert_marks<D: Declaration, Q: QueryTerms<D>>(system: Option<usize>) {
    let mut unmarked = Q::UNMARKED;
    while let Some(component) = unmarked.pop() {
        if !tracking::count::<D>(component).is_tracked() {
            continue;
        }
        let name = D::COMPONENTS[component].name();
        let message = Message::new().text("[ECS0150] ");
        let message = match system {
            Some(system) => {
                message.text("a query of the system `").text(D::SYSTEMS[system].name()).text("`")
            }
            None => message.text("a query"),
        };
        message
            .text(" asks for `&mut ")
            .text(name)
            .text("`, which would leave no mark of a change, and a system asks for changes of `")
            .text(name)
            .text("`\nhelp: ask for `Mut<")
            .text(name)
            .text(">`, which marks when it is written through")
            .raise();
    }
}

/// For a term that writes nothing, or not in slices.
macro_rules! no_slice {
    () => {
        type Slice<'a> = ();

        #[inline(always)]
        unsafe fn slice<'a>(_: Self::Cursor<'a>, _: core::ops::Range<usize>) -> Self::Slice<'a> {}

        #[inline(always)]
        fn rejoin<'a>(cursor: Self::Cursor<'a>, (): Self::Slice<'a>, _: usize) -> Self::Cursor<'a> {
            cursor
        }
    };
}
pub(super) use no_slice;

/// What the terms `&C` and `&mut C` have in common: all but the access rights and the item.
macro_rules! by_strategy {
    ($note_writes:expr) => {
        type Table<'a> = TableOf<'a, D, C>;
        type Cursor<'a> = CursorOf<'a, D, C>;
        const OPTIONAL: IndexSet = IndexSet::EMPTY;
        const ALIAS_FREE: bool = true;

        #[inline(always)]
        fn table(storage: &Storage, rows: Range<usize>) -> Self::Table<'_> {
            $note_writes(storage, rows);
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
        fn prefetch(base: Self::Cursor<'_>, offset: usize) {
            D::Strategy::prefetch::<D>(base, offset);
        }
    };
}

// SAFETY: the row has a `C`, so `Stored::at` points to it, which is in `READS`.
unsafe impl<D: HasComponent<C>, C: 'static> QueryTerms<D> for &C {
    type Item<'a> = &'a C;
    const REQUIRED: IndexSet = just::<D, C>();
    const READS: IndexSet = just::<D, C>();
    const WRITES: IndexSet = IndexSet::EMPTY;
    const UNMARKED: IndexSet = IndexSet::EMPTY;

    by_strategy!(|_: &Storage, _| {});

    #[inline(always)]
    unsafe fn fetch<'a>(&base: &Self::Cursor<'a>, offset: usize) -> Self::Item<'a> {
        // SAFETY: the row has a `C`, by the contract.
        let value = unsafe { D::Strategy::at::<D>(base, offset) };
        // SAFETY: `at` points to the row's live `C`. There are no writes to it meanwhile, by the contract.
        unsafe { &*value }
    }

    #[inline(always)]
    unsafe fn fetch_row<'a>(table: Self::Table<'a>, row: usize) -> Self::Item<'a> {
        // SAFETY: the row has a `C`, by the contract.
        let value = unsafe { D::Strategy::value::<D>(table, row) };
        // SAFETY: a live value lies there. (So an option of the reference needs no test of it.)
        unsafe { core::hint::assert_unchecked(!value.is_null()) };
        // SAFETY: as in `fetch`.
        unsafe { &*value }
    }

    no_slice!();
}

// SAFETY: as for `&C`, but the component is in `WRITES`.
unsafe impl<D: HasComponent<C>, C: 'static> QueryTerms<D> for &mut C {
    type Item<'a> = &'a mut C;
    const REQUIRED: IndexSet = just::<D, C>();
    const READS: IndexSet = IndexSet::EMPTY;
    const WRITES: IndexSet = just::<D, C>();
    const UNMARKED: IndexSet = just::<D, C>();

    by_strategy!(Storage::note_writes::<D, C>);

    #[inline(always)]
    unsafe fn fetch<'a>(&base: &Self::Cursor<'a>, offset: usize) -> Self::Item<'a> {
        // SAFETY: the row has a `C`, by the contract.
        let value = unsafe { D::Strategy::at::<D>(base, offset) };
        // SAFETY: `at` points to the row's live `C`. There is no other access to it meanwhile, by the contract.
        unsafe { &mut *value }
    }

    #[inline(always)]
    unsafe fn fetch_row<'a>(table: Self::Table<'a>, row: usize) -> Self::Item<'a> {
        // SAFETY: the row has a `C`, by the contract.
        let value = unsafe { D::Strategy::value::<D>(table, row) };
        // SAFETY: a live value lies there. (So an option of the reference needs no test of it.)
        unsafe { core::hint::assert_unchecked(!value.is_null()) };
        // SAFETY: as in `fetch`.
        unsafe { &mut *value }
    }

    type Slice<'a> = <StrategyOf<D, C> as Stored<C>>::Slice<'a>;

    #[inline(always)]
    unsafe fn slice<'a>(cursor: Self::Cursor<'a>, rows: Range<usize>) -> Self::Slice<'a> {
        // SAFETY: the range is not empty, and its rows have a `C` each, without any other access to it
        // meanwhile, by the contract.
        unsafe { D::Strategy::slice::<D>(cursor, rows) }
    }

    #[inline(always)]
    fn rejoin<'a>(
        cursor: Self::Cursor<'a>,
        slice: Self::Slice<'a>,
        first: usize,
    ) -> Self::Cursor<'a> {
        D::Strategy::rejoin::<D>(cursor, slice, first)
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
    const UNMARKED: IndexSet = IndexSet::EMPTY;
    const OPTIONAL: IndexSet = IndexSet::EMPTY;
    const ALIAS_FREE: bool = true;

    #[inline(always)]
    fn table(storage: &Storage, _: Range<usize>) -> &[Entity] {
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
    unsafe fn fetch<'a>(rows: &Self::Cursor<'a>, offset: usize) -> Self::Item<'a> {
        // SAFETY: the row holds an entity, by the contract, so it is before the end.
        let entity = unsafe { rows.as_ptr().add(offset) };
        // SAFETY: as above, so it points to an element of the slice.
        unsafe { *entity }
    }

    #[inline(always)]
    unsafe fn fetch_row<'a>(rows: Self::Table<'a>, row: usize) -> Self::Item<'a> {
        // SAFETY: as in `fetch`.
        unsafe { *rows.get_unchecked(row) }
    }

    no_slice!();
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
    const UNMARKED: IndexSet = IndexSet::EMPTY;
    const OPTIONAL: IndexSet = IndexSet::EMPTY;
    const ALIAS_FREE: bool = true;

    #[inline(always)]
    fn table(_: &Storage, _: Range<usize>) {}

    #[inline(always)]
    fn shorten<'long: 'short, 'short>((): Self::Table<'long>) -> Self::Table<'short> {}

    #[inline(always)]
    fn page<'a>((): Self::Table<'a>, page: usize) -> Option<Self::Cursor<'a>> {
        Some(page * PAGE_ROWS)
    }

    #[inline(always)]
    unsafe fn fetch<'a>(first: &Self::Cursor<'a>, offset: usize) -> Self::Item<'a> {
        Place::of(first + offset)
    }

    #[inline(always)]
    unsafe fn fetch_row<'a>((): Self::Table<'a>, row: usize) -> Self::Item<'a> {
        Place::of(row)
    }

    no_slice!();
}

impl<D: HasComponent<C>, N: SystemName<D> + Reads<C, D>, C: 'static> QueryFor<D, N> for &C {}
impl<D: HasComponent<C>, N: SystemName<D> + Writes<C, D>, C: 'static> QueryFor<D, N> for &mut C {}
impl<D: Declaration, N: SystemName<D>> QueryFor<D, N> for Entity {}
impl<D: Declaration, N: SystemName<D>> QueryFor<D, N> for Place {}
