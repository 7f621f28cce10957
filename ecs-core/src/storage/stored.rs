//! Access of the library to the values of a component: storage strategies as types.

#![expect(private_bounds, reason = "sealed: declarations have columns, and nothing else")]
#![expect(private_interfaces, reason = "sealed: only the library makes a seal")]

use core::marker::PhantomData;
use core::ops::Range;
use core::slice;

use super::strategy::{ExternalColumn, MakeExternal};
use super::{Column, HasColumn, PAGE_ROWS, Storage, StorageStrategy, Values, layout_of, many};
use crate::entity::Locate;
use crate::rows::{BLOCK_ROWS, Presence};
use crate::types::{Brand, Component, Sealed, prefetch};

/// How the values of `C` are stored: [`ContiguousBuffer`], or [`External`] with a
/// [`StorageStrategy`]. Implemented only for these two.
///
/// # Safety
/// For a row with a `C`, `page` and `page_of_some` must return a cursor (`page` not `None`) for
/// which `at` points to the row's live `C`, as must `value`. Different rows must have different addresses. All this
/// must hold as long as the storage is borrowed. `rejoin` must return a cursor that does the same
/// for the rows that `slice` was given.
pub unsafe trait Stored<C>: 'static {
    /// Creates the external storage, if the values are not in a buffer.
    #[doc(hidden)]
    const EXTERNAL: Option<MakeExternal>;

    /// All values.
    #[doc(hidden)]
    type Table<'a>: Copy;

    /// One page of values.
    #[doc(hidden)]
    type Cursor<'a>: Copy;

    /// All values.
    #[doc(hidden)]
    fn table<D: HasColumn<C, Strategy = Self>>(storage: &Storage) -> Self::Table<'_>;

    /// The same table with a shorter lifetime.
    #[doc(hidden)]
    fn shorten<'long: 'short, 'short>(table: Self::Table<'long>) -> Self::Table<'short>;

    /// One page. May be `None` if no row of the page has a value.
    #[doc(hidden)]
    fn page<'a>(table: Self::Table<'a>, page: usize) -> Option<Self::Cursor<'a>>;

    /// A page in which some row has a value.
    ///
    /// # Safety
    /// A row of the page must have a `C`.
    #[doc(hidden)]
    unsafe fn page_of_some<'a>(table: Self::Table<'a>, page: usize) -> Self::Cursor<'a>;

    /// The address of the value of the row.
    ///
    /// # Safety
    /// The row must have a `C`.
    #[doc(hidden)]
    unsafe fn value<D: HasColumn<C, Strategy = Self>>(table: Self::Table<'_>, row: usize)
    -> *mut C;

    /// The address of the value of the row at `offset` in the page.
    ///
    /// # Safety
    /// The row must have a `C` and must belong to the cursor: it is a row of the page or, for a
    /// cursor from [`rejoin`](Self::rejoin), one of the rows of the slice.
    #[doc(hidden)]
    unsafe fn at<D: HasColumn<C, Strategy = Self>>(
        cursor: Self::Cursor<'_>,
        offset: usize,
    ) -> *mut C;

    /// The values of some rows of a page, where they lie side by side: see
    /// [`QueryTerms::apart`](crate::QueryTerms::apart).
    #[doc(hidden)]
    type Slice<'a>;

    /// The values of these rows of the page.
    ///
    /// # Safety
    /// There must be at least one row. Each row must have a `C`, which nothing else may access while
    /// the storage is borrowed.
    #[doc(hidden)]
    unsafe fn slice<'a, D: HasColumn<C, Strategy = Self>>(
        cursor: Self::Cursor<'a>,
        rows: Range<usize>,
    ) -> Self::Slice<'a>;

    /// A cursor over the rows of a [`slice`](Self::slice), of which `first` is the first one.
    #[doc(hidden)]
    fn rejoin<'a, D: HasColumn<C, Strategy = Self>>(
        cursor: Self::Cursor<'a>,
        slice: Self::Slice<'a>,
        first: usize,
    ) -> Self::Cursor<'a>;

    /// Prefetches the value of the row at `offset` in the page, if its address is known without the
    /// strategy. The row need not have a value.
    #[doc(hidden)]
    #[inline(always)]
    fn prefetch<D: HasColumn<C, Strategy = Self>>(_: Self::Cursor<'_>, _: usize) {}

    /// Inserts a value into the row and returns the old one.
    #[doc(hidden)]
    fn insert<D: HasColumn<C, Strategy = Self>>(
        storage: &mut Storage,
        row: usize,
        value: C,
    ) -> Option<C>;

    /// Removes the value of the row.
    #[doc(hidden)]
    fn remove<D: HasColumn<C, Strategy = Self>>(storage: &mut Storage, row: usize) -> Option<C>;

    /// Inserts the value of each entity that is alive. Returns the number of these entities.
    #[doc(hidden)]
    fn insert_batch<D: HasColumn<C, Strategy = Self>, L: Locate>(
        storage: &mut Storage,
        pairs: impl Iterator<Item = (L, C)>,
    ) -> usize;

    /// Removes the values of these entities. Returns the number of values.
    #[doc(hidden)]
    fn remove_batch<D: HasColumn<C, Strategy = Self>, L: Locate>(
        storage: &mut Storage,
        entities: impl Iterator<Item = L>,
    ) -> usize {
        let mut count = 0;
        for entity in entities {
            let Some(row) = entity.living_row(&storage.entities) else { continue };
            count += usize::from(Self::remove::<D>(storage, row).is_some());
        }
        count
    }
}

/// Inserts one value after the other.
fn insert_each<D: HasColumn<C>, C: 'static, L: Locate>(
    storage: &mut Storage,
    pairs: impl Iterator<Item = (L, C)>,
) -> usize {
    let mut count = 0;
    for (entity, value) in pairs {
        let Some(row) = entity.living_row(&storage.entities) else { continue };
        drop(storage.insert::<D, C>(row, value));
        count += 1;
    }
    count
}

/// How values of `C` are staged. Implemented for each [`Stored`], but only if `C` is a [`Component`].
///
/// It is the one bound that requires this of what a declaration lists, so it is reported there, once: other code works
/// with every type that a declaration has. By `Staged`, such code knows that values are `Send`.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "[ECS0068] `{C}` cannot be a component: threads cannot share it, or it borrows",
    label = "must be `Send + Sync + 'static`",
    note = "put `Arc` in the place of `Rc`, an atomic or a `Mutex` in the place of `Cell` or `RefCell`, and a value in the place of a reference"
)]
pub trait Stages<C>: Stored<C> {
    /// A `C` while it is staged.
    type Staged: Send + 'static;

    /// Only the library makes one.
    const SEAL: Sealed;

    /// The value, to be staged.
    fn stage(value: C) -> Self::Staged;

    /// The value, as it was.
    fn staged(value: Self::Staged) -> C;
}

#[diagnostic::do_not_recommend]
impl<C: Component> Stages<C> for ContiguousBuffer {
    type Staged = C;
    const SEAL: Sealed = Sealed(());

    #[inline(always)]
    fn stage(value: C) -> C {
        value
    }

    #[inline(always)]
    fn staged(value: C) -> C {
        value
    }
}

impl<C: Component, S: StorageStrategy<C>> Stages<C> for External<S> {
    type Staged = C;
    const SEAL: Sealed = Sealed(());

    #[inline(always)]
    fn stage(value: C) -> C {
        value
    }

    #[inline(always)]
    fn staged(value: C) -> C {
        value
    }
}

/// Values in pages at a fixed stride: in a column of their own, or interleaved with other
/// components (thesis, 9.1; `contiguous_buffer` in a declaration).
#[derive(Debug)]
pub enum ContiguousBuffer {}

/// Values in external storage, with the strategy `S` (`hash_map`, `sparse_set` and `storage(…)` in
/// a declaration).
#[derive(Debug)]
pub struct External<S>(Brand<S>);

/// The values of one component. (An interleaved component lies at an offset in each row.)
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    /// The address for the value of row 0.
    pub(super) first: *mut u8,
    /// The number of rows that there is memory for.
    pub(super) count: usize,
    /// The distance between two values, in bytes. A constant where the table is made.
    pub(super) stride: usize,
    pub(super) storage: PhantomData<&'a Storage>,
}

impl Rows<'_> {
    /// The number of rows that there is memory for.
    #[inline(always)]
    pub(crate) fn count(self) -> usize {
        self.count
    }

    /// The address for the value of row 0.
    #[inline(always)]
    pub(crate) fn first(self) -> *mut u8 {
        self.first
    }
}

/// The start of the values of one component in a page. Its provenance covers the whole buffer or some
/// rows of the page.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Base(*mut u8);

// SAFETY: `Storage::values` asserts the type. A row in the component's presence set has memory, and
// a live `C` there, in a part of the row that no other component uses. The memory of a buffer does not move while the
// storage is borrowed, as only `&mut Storage` makes it grow.
unsafe impl<C: 'static> Stored<C> for ContiguousBuffer {
    const EXTERNAL: Option<MakeExternal> = None;

    type Table<'a> = Rows<'a>;
    type Cursor<'a> = Base;

    #[inline]
    fn table<D: HasColumn<C, Strategy = Self>>(storage: &Storage) -> Rows<'_> {
        storage.values::<D, C>()
    }

    #[inline(always)]
    fn shorten<'long: 'short, 'short>(table: Rows<'long>) -> Rows<'short> {
        table
    }

    #[inline(always)]
    fn page<'a>(table: Self::Table<'a>, page: usize) -> Option<Self::Cursor<'a>> {
        let first = page * PAGE_ROWS;
        (first < table.count).then(|| Base(table.first.wrapping_add(first * table.stride)))
    }

    #[inline(always)]
    unsafe fn page_of_some<'a>(table: Self::Table<'a>, page: usize) -> Self::Cursor<'a> {
        // SAFETY: a row of the page has a `C`, so that there is memory for the page's first row.
        Base(unsafe { table.first.add(page * PAGE_ROWS * table.stride) })
    }

    #[inline(always)]
    unsafe fn value<D: HasColumn<C, Strategy = Self>>(
        table: Self::Table<'_>,
        row: usize,
    ) -> *mut C {
        let stride = const { layout_of::<D>(<D as HasColumn<C>>::INDEX).stride };
        // SAFETY: the row has a `C`, so that there is memory for it.
        unsafe { table.first.add(row * stride).cast() }
    }

    #[inline(always)]
    unsafe fn at<D: HasColumn<C, Strategy = Self>>(cursor: Base, offset: usize) -> *mut C {
        // A constant, so that the compiler sees a plain array if the component has a column of its
        // own.
        let stride = const { layout_of::<D>(<D as HasColumn<C>>::INDEX).stride };
        // SAFETY: the row has a `C` and so lies in the buffer, which is one allocation of the stride
        // times its rows. No value lies outside its row. (`add` rather than `wrapping_add` lets the
        // compiler address all components of a loop by one index.)
        unsafe { cursor.0.add(offset * stride).cast() }
    }

    /// Empty if the values do not lie side by side.
    type Slice<'a> = &'a mut [C];

    #[inline(always)]
    unsafe fn slice<'a, D: HasColumn<C, Strategy = Self>>(
        cursor: Self::Cursor<'a>,
        rows: Range<usize>,
    ) -> Self::Slice<'a> {
        if const { layout_of::<D>(<D as HasColumn<C>>::INDEX).stride } != size_of::<C>() {
            return &mut [];
        }
        // SAFETY: the first row has a `C`.
        let start = unsafe { <Self as Stored<C>>::at::<D>(cursor, rows.start) };
        // SAFETY: each of these rows has a live `C`, by the contract. A row is as large as a `C`,
        // which therefore starts with the row, so the values lie side by side from `start` on,
        // aligned. They are in one buffer, which is one allocation. By the contract
        // nothing else accesses them meanwhile.
        unsafe { slice::from_raw_parts_mut(start, rows.end - rows.start) }
    }

    #[inline(always)]
    fn rejoin<'a, D: HasColumn<C, Strategy = Self>>(
        cursor: Self::Cursor<'a>,
        values: Self::Slice<'a>,
        first: usize,
    ) -> Self::Cursor<'a> {
        if const { layout_of::<D>(<D as HasColumn<C>>::INDEX).stride } != size_of::<C>() {
            return cursor;
        }
        // The start of the page again, as `at` expects, and valid for the rows of the slice.
        Base((&raw mut *values).cast::<u8>().wrapping_sub(first * size_of::<C>()))
    }

    #[inline(always)]
    fn prefetch<D: HasColumn<C, Strategy = Self>>(cursor: Base, offset: usize) {
        let stride = const { layout_of::<D>(<D as HasColumn<C>>::INDEX).stride };
        prefetch(cursor.0.wrapping_add(offset * stride));
    }

    #[inline]
    fn insert<D: HasColumn<C, Strategy = Self>>(
        storage: &mut Storage,
        row: usize,
        value: C,
    ) -> Option<C> {
        let (start, is_new) = match storage.ready_place_of::<D, C>(row) {
            Some((presence, start)) => match presence.insert_if_dirty(row) {
                Some(is_new) => (start, is_new),
                None => return insert_first::<D, C>(storage, row, value),
            },
            None => return insert_first::<D, C>(storage, row, value),
        };
        if is_new {
            // SAFETY: `ready_place_of` has asserted that the column holds values of type `C`. The address is in the row's own memory
            // at the offset that the layout reserves for `C`, so it is aligned and there is enough space. The row was not
            // in the presence set, so no live value lies there. The set contains the row from here on, and nothing can
            // panic in between.
            unsafe { start.write(value) };
            return None;
        }
        // SAFETY: as above, but the row was in the presence set, so a live `C` lies there, and `&mut Storage` excludes every other
        // reference to it.
        Some(unsafe { start.replace(value) })
    }

    #[inline]
    fn remove<D: HasColumn<C, Strategy = Self>>(storage: &mut Storage, row: usize) -> Option<C> {
        let presence = &mut storage.column_mut::<D, C>().presence;
        let was_member = match presence.remove_if_dirty(row) {
            Some(was_member) => was_member,
            None => remove_first(presence, row),
        };
        if !was_member {
            return None;
        }
        // SAFETY: the row was in the presence set until now, so a live `C` lies there.
        let value = unsafe { <Self as Stored<C>>::value::<D>(Self::table::<D>(storage), row) };
        // SAFETY: the row is out of the presence set, so the value will not be read or dropped
        // again and may move out.
        Some(unsafe { value.read() })
    }

    #[inline]
    fn insert_batch<D: HasColumn<C, Strategy = Self>, L: Locate>(
        storage: &mut Storage,
        pairs: impl Iterator<Item = (L, C)>,
    ) -> usize {
        if const { <D as HasColumn<C>>::LANES.is_tracked() } {
            return insert_each::<D, C, L>(storage, pairs);
        }
        many::insert::<D, C, L>(storage, pairs)
    }

    #[inline]
    fn remove_batch<D: HasColumn<C, Strategy = Self>, L: Locate>(
        storage: &mut Storage,
        entities: impl Iterator<Item = L>,
    ) -> usize {
        many::remove::<D, C, L>(storage, entities)
    }
}

/// Inserts a value into the row, for which there may be no memory yet, and whose block may not be dirty.
#[inline(never)]
fn insert_first<D: HasColumn<C>, C: 'static>(
    storage: &mut Storage,
    row: usize,
    value: C,
) -> Option<C> {
    let (column, start) = storage.place_of::<D, C>(row);
    if column.presence.insert(row) {
        // SAFETY: `place_of` has asserted that the column holds values of type `C`, and has made memory for the row: the address is
        // aligned and there is enough space. The row was not in the presence set, so no live value lies there. The set
        // contains the row from here on, and nothing can panic in between.
        unsafe { start.write(value) };
        return None;
    }
    // SAFETY: as above, but the row was in the presence set, so a live `C` lies there, and `&mut Storage` excludes every other
    // reference to it.
    Some(unsafe { start.replace(value) })
}

/// Removes a row whose block may not be dirty. Returns whether it was a member.
#[inline(never)]
fn remove_first(presence: &mut Presence, row: usize) -> bool {
    presence.remove(row)
}

// SAFETY: `ExternalColumn::at` points to the value of exactly this row, as documented there, or
// panics.
unsafe impl<C: Component, S: StorageStrategy<C>> Stored<C> for External<S> {
    const EXTERNAL: Option<MakeExternal> = Some(MakeExternal::of::<C, S>());

    type Table<'a> = &'a ExternalColumn<C, S>;
    /// The column, and the first row of the page.
    type Cursor<'a> = (&'a ExternalColumn<C, S>, usize);

    type Slice<'a> = ();

    #[inline(always)]
    unsafe fn slice<'a, D: HasColumn<C, Strategy = Self>>(
        _: Self::Cursor<'a>,
        _: Range<usize>,
    ) -> Self::Slice<'a> {
    }

    #[inline(always)]
    fn rejoin<'a, D: HasColumn<C, Strategy = Self>>(
        cursor: Self::Cursor<'a>,
        (): Self::Slice<'a>,
        _: usize,
    ) -> Self::Cursor<'a> {
        cursor
    }

    #[inline]
    fn table<D: HasColumn<C, Strategy = Self>>(storage: &Storage) -> Self::Table<'_> {
        match &storage.column::<D, C>().values {
            Values::External(external) => external.get::<C, S>(),
            Values::Buffered { .. } | Values::Elsewhere => Column::of_another_kind(),
        }
    }

    #[inline(always)]
    fn shorten<'long: 'short, 'short>(table: Self::Table<'long>) -> Self::Table<'short> {
        table
    }

    #[inline(always)]
    fn page<'a>(column: Self::Table<'a>, page: usize) -> Option<Self::Cursor<'a>> {
        Some((column, page * PAGE_ROWS))
    }

    #[inline(always)]
    unsafe fn page_of_some<'a>(column: Self::Table<'a>, page: usize) -> Self::Cursor<'a> {
        (column, page * PAGE_ROWS)
    }

    #[inline(always)]
    unsafe fn value<D: HasColumn<C, Strategy = Self>>(
        column: Self::Table<'_>,
        row: usize,
    ) -> *mut C {
        column.at(row)
    }

    #[inline(always)]
    unsafe fn at<D: HasColumn<C, Strategy = Self>>(
        (column, first): Self::Cursor<'_>,
        offset: usize,
    ) -> *mut C {
        column.at(first + offset)
    }

    fn insert<D: HasColumn<C, Strategy = Self>>(
        storage: &mut Storage,
        row: usize,
        value: C,
    ) -> Option<C> {
        let was_dirty = storage.column::<D, C>().presence.is_dirty(row / BLOCK_ROWS);
        let old = Self::remove::<D>(storage, row);
        let column = storage.column_mut::<D, C>();
        column.external_mut::<C, S>().insert(row, value);
        column.presence.insert(row);
        if old.is_some() && !was_dirty {
            // Presence is as before. As in buffers, a refresh has nothing to do for the value alone.
            column.presence.forget_dirty(row / BLOCK_ROWS);
        }
        old
    }

    #[inline]
    fn insert_batch<D: HasColumn<C, Strategy = Self>, L: Locate>(
        storage: &mut Storage,
        pairs: impl Iterator<Item = (L, C)>,
    ) -> usize {
        insert_each::<D, C, L>(storage, pairs)
    }

    fn remove<D: HasColumn<C, Strategy = Self>>(storage: &mut Storage, row: usize) -> Option<C> {
        let column = storage.column_mut::<D, C>();
        // The row leaves the presence set first, as the strategy may panic.
        column
            .presence
            .remove(row)
            .then(|| column.external_mut::<C, S>().take(row).into_component())
    }
}
