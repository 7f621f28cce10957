//! References to tracked components, which mark that they are written through.

use core::fmt;
use core::hint::assert_unchecked;
use core::ops::Range;
use core::ops::{Deref, DerefMut};
use core::slice;

use super::optional::{OptionalPage, OptionalTable, optional_at};
use super::run::interleaved;
use super::term::{CursorOf, TableOf, just, no_slice};
use super::{MemberFor, QueryFor, RunTerms};
use crate::rows::{LanesView, PAGE_ROWS};
use crate::signature::access::{
    Queries, Shows, ShowsOptional, Writes, WritesMembers, WritesOptional,
};
use crate::signature::{HasComponent, QueryTerms, SystemName};
use crate::storage::{HasColumn, LaneCount, Storage, Stored};
use crate::types::IndexSet;

/// An exclusive reference to a *tracked* component: one that a system names in `changed` or `added`. It marks the component
/// as changed when it is written through, and not when it is handed out.
///
/// Reading goes through [`Deref`], and writing through [`DerefMut`], so a `Mut<C>` is used as a `&mut C` is. The variable
/// that holds it must be `mut`. [`set_if_changed`](Self::set_if_changed) writes and marks only what differs.
///
/// A query asks for `Mut<C>` in the place of `&mut C`, which does not compile for tracked components
/// ([`ECS0150`](crate::errors::ecs0150)), as does a parameter of code in the declaration. In entries, the fields of tracked
/// components that the system writes have this type. Of a component that is not tracked, it marks nothing.
///
/// `Mut` is not `Send`: 64 rows share a word of marks. To write on another thread, pass it `&mut *health`, which marks here.
///
/// ```
/// use ecs_core::{Mut, World, world};
///
/// #[derive(PartialEq)]
/// struct Health(i32);
/// #[derive(Default)]
/// struct Bars(usize);
///
/// world! {
///     world Arena;
///     component Health;
///     resource Bars;
///
///     /// Heals entities below full health.
///     system Heal {
///         each: |mut health: Mut<Health>| {
///             if health.0 < 10 {
///                 health.0 += 1;
///             }
///         },
///     }
///
///     /// Draws the bars that are no longer right.
///     system Draw {
///         read: [Health],
///         changed: [Health],
///         write_resources: [Bars],
///         dependencies: [Heal],
///         run: |data| data.resources.get_mut::<Bars>().0 = data.own.changed::<Health, &Health>().count(),
///     }
/// }
///
/// let mut world = World::<Arena>::new();
/// world.spawn_batch([3, 9, 10].map(|health| (Health(health),)));
/// let mut drawn = Vec::new();
/// for _ in 0..4 {
///     world.tick()?;
///     drawn.push(world.resource::<Bars>().0);
/// }
/// // All are new at first. The second one is healed in the first step.
/// assert_eq!(drawn, [3, 1, 1, 1]);
/// # Ok::<_, ecs_core::StepError>(())
/// ```
pub struct Mut<'a, C> {
    value: &'a mut C,
    /// Those of the row's page.
    lanes: LanesView<'a>,
    count: LaneCount,
    /// The position of the row in the page.
    offset: usize,
}

// SAFETY: through `&Mut` the value is only read, and nothing is marked.
unsafe impl<C: Sync> Sync for Mut<'_, C> {}

impl<C> Mut<'_, C> {
    /// Writes the value, and marks the component as changed, if it differs from the value that is there. Returns whether
    /// it does.
    ///
    /// ```
    /// # use ecs_core::{Mut, world, World};
    /// # #[derive(PartialEq)]
    /// # struct Team(u32);
    /// # world! {
    /// #     world Match;
    /// #     component Team;
    /// #     system Ask { read: [Team], changed: [Team], run: |_| {} }
    /// # }
    /// # let mut world = World::<Match>::new();
    /// # world.spawn((Team(1),));
    /// for mut team in world.iter_mut::<Mut<Team>>() {
    ///     assert!(!team.set_if_changed(Team(1)));
    ///     assert!(team.set_if_changed(Team(2)));
    /// }
    /// ```
    #[doc(alias = "set_if_neq")]
    #[inline]
    pub fn set_if_changed(&mut self, value: C) -> bool
    where
        C: PartialEq,
    {
        let differs = *self.value != value;
        if differs {
            **self = value;
        }
        differs
    }
}

impl<C> Deref for Mut<'_, C> {
    type Target = C;

    #[inline(always)]
    fn deref(&self) -> &C {
        self.value
    }
}

impl<C> DerefMut for Mut<'_, C> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut C {
        // Here, so that a component that is not written costs nothing more. Panics if a storage that tracks the component has
        // no lanes for the block: the change would have no mark.
        self.lanes.mark(self.offset, self.count);
        self.value
    }
}

impl<C: fmt::Debug> fmt::Debug for Mut<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

/// The slice of a kernel for a *tracked* component: `&mut [C]`, which marks the whole run as changed when it is written
/// through.
///
/// Each write through it marks the run once more, which takes a step for each 64 rows. So a kernel that indexes borrows the
/// slice once: `let positions = &mut *positions;`. It passes that to other threads, too, as `MutRun` is not `Send`.
///
/// ```
/// use ecs_core::{Entity, Mut, Run, World, world};
/// struct Position(f32);
/// struct Velocity(f32);
/// #[derive(Default)]
/// struct Moved(usize);
///
/// world! {
///     world Line;
///     component Position, Velocity;
///     resource Moved;
///     system Move {
///         read: [Velocity],
///         write: [Position],
///         run: |data| data.own.for_runs::<(Mut<Position>, &Velocity)>(kernel),
///     }
///     system Count {
///         read: [Position],
///         changed: [Position],
///         write_resources: [Moved],
///         dependencies: [Move],
///         run: |data| data.resources.get_mut::<Moved>().0 += data.own.changed::<Position, Entity>().count(),
///     }
/// }
///
/// fn kernel((mut positions, velocities): Run<'_, (Mut<'_, Position>, &Velocity), Line>) {
///     for (position, velocity) in positions.iter_mut().zip(velocities) {
///         position.0 += velocity.0;
///     }
/// }
///
/// let mut world = World::<Line>::new();
/// world.spawn_batch((0..100_u8).map(|i| (Position(0.0), Velocity(f32::from(i)))));
/// world.tick()?;
/// world.tick()?;
/// assert_eq!(world.resource::<Moved>().0, 200);
/// # Ok::<_, ecs_core::StepError>(())
/// ```
pub struct MutRun<'a, C> {
    values: &'a mut [C],
    lanes: LanesView<'a>,
    count: LaneCount,
    /// The row of the first value.
    first: usize,
}

// SAFETY: through `&MutRun` the values are only read, and nothing is marked.
unsafe impl<C: Sync> Sync for MutRun<'_, C> {}

impl<C> MutRun<'_, C> {
    fn mark(&mut self) {
        self.lanes.mark_all(self.first..self.first + self.values.len(), self.count);
    }
}

impl<C> Deref for MutRun<'_, C> {
    type Target = [C];

    #[inline(always)]
    fn deref(&self) -> &[C] {
        self.values
    }
}

impl<C> DerefMut for MutRun<'_, C> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [C] {
        self.mark();
        self.values
    }
}

impl<C: fmt::Debug> fmt::Debug for MutRun<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

/// The lanes of `C`, as the storage of `D` has them.
pub(super) const fn lanes<D: HasComponent<C>, C: 'static>() -> LaneCount {
    <D as HasColumn<C>>::LANES
}

/// A table or a page of values, and its lanes.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Marked<'a, T>(T, LanesView<'a>);

impl<'a, T> Marked<'a, T> {
    /// The table of the values, and all lanes.
    #[inline(always)]
    fn table<D: HasComponent<C>, C: 'static>(
        values: T,
        storage: &'a Storage,
        rows: Range<usize>,
    ) -> Self {
        storage.note_writes::<D, C>(rows);
        Self(values, LanesView::new(storage.lanes::<D, C>().words()))
    }

    /// The lanes of a page; `None` if no row of it has had a `C`.
    #[inline(always)]
    fn lanes_of_page<D: HasComponent<C>, C: 'static>(&self, page: usize) -> Option<LanesView<'a>> {
        self.1.of_page(page, const { lanes::<D, C>() })
    }
}

// SAFETY: as for `&mut C`. The words are atomic, and no component.
unsafe impl<D: HasComponent<C>, C: 'static> QueryTerms<D> for Mut<'_, C> {
    type Item<'a> = Mut<'a, C>;
    type Table<'a> = Marked<'a, TableOf<'a, D, C>>;
    type Cursor<'a> = Marked<'a, CursorOf<'a, D, C>>;
    const REQUIRED: IndexSet = just::<D, C>();
    const READS: IndexSet = IndexSet::EMPTY;
    const WRITES: IndexSet = just::<D, C>();
    const UNMARKED: IndexSet = IndexSet::EMPTY;
    const OPTIONAL: IndexSet = IndexSet::EMPTY;
    const ALIAS_FREE: bool = true;

    #[inline(always)]
    fn table(storage: &Storage, rows: Range<usize>) -> Self::Table<'_> {
        Marked::table::<D, C>(D::Strategy::table::<D>(storage), storage, rows)
    }

    #[inline(always)]
    fn shorten<'long: 'short, 'short>(table: Self::Table<'long>) -> Self::Table<'short> {
        Marked(D::Strategy::shorten(table.0), table.1)
    }

    #[inline(always)]
    fn page<'a>(table: Self::Table<'a>, page: usize) -> Option<Self::Cursor<'a>> {
        let lanes = table.lanes_of_page::<D, C>(page).unwrap_or(LanesView::empty());
        Some(Marked(D::Strategy::page(table.0, page)?, lanes))
    }

    #[inline(always)]
    unsafe fn page_of_some<'a>(table: Self::Table<'a>, page: usize) -> Self::Cursor<'a> {
        // SAFETY: an entity in the page has a `C`, by the contract.
        let values = unsafe { D::Strategy::page_of_some(table.0, page) };
        // All of its words, so that marks need no check of their own.
        let lanes = table.lanes_of_page::<D, C>(page);
        Marked(values, lanes.expect("a page with a tracked component has lanes"))
    }

    #[inline(always)]
    unsafe fn fetch<'a>(page: &Self::Cursor<'a>, offset: usize) -> Self::Item<'a> {
        // SAFETY: the row has a `C`, by the contract.
        let value = unsafe { D::Strategy::at::<D>(page.0, offset) };
        // SAFETY: it is the position of a row in its page, by the contract.
        unsafe { assert_unchecked(offset < PAGE_ROWS) };
        let count = const { lanes::<D, C>() };
        // SAFETY: `at` points to the row's live `C`. There is no other access to it meanwhile, by the contract.
        Mut { value: unsafe { &mut *value }, lanes: page.1, count, offset }
    }

    #[inline(always)]
    fn prefetch(page: Self::Cursor<'_>, offset: usize) {
        D::Strategy::prefetch::<D>(page.0, offset);
    }

    no_slice!();
}

// SAFETY: as for `Option<&mut C>`. The words are atomic, and no component.
unsafe impl<D: HasComponent<C>, C: 'static> QueryTerms<D> for Option<Mut<'_, C>> {
    type Item<'a> = Option<Mut<'a, C>>;
    type Table<'a> = Marked<'a, OptionalTable<'a, TableOf<'a, D, C>>>;
    type Cursor<'a> = Marked<'a, OptionalPage<'a, CursorOf<'a, D, C>>>;
    const REQUIRED: IndexSet = IndexSet::EMPTY;
    const READS: IndexSet = IndexSet::EMPTY;
    const WRITES: IndexSet = just::<D, C>();
    const UNMARKED: IndexSet = IndexSet::EMPTY;
    const OPTIONAL: IndexSet = just::<D, C>();
    const ALIAS_FREE: bool = true;

    #[inline(always)]
    fn table(storage: &Storage, rows: Range<usize>) -> Self::Table<'_> {
        let presence = storage.presence_at(<D as HasComponent<C>>::INDEX);
        let values = OptionalTable { values: D::Strategy::table::<D>(storage), presence };
        Marked::table::<D, C>(values, storage, rows)
    }

    #[inline(always)]
    fn shorten<'long: 'short, 'short>(table: Self::Table<'long>) -> Self::Table<'short> {
        let Marked(OptionalTable { values, presence }, lanes) = table;
        Marked(OptionalTable { values: D::Strategy::shorten(values), presence }, lanes)
    }

    #[inline(always)]
    fn page<'a>(table: Self::Table<'a>, page: usize) -> Option<Self::Cursor<'a>> {
        let values = D::Strategy::page(table.0.values, page);
        let values = OptionalPage(values.zip(table.0.presence.page(page)));
        let lanes = table.lanes_of_page::<D, C>(page).unwrap_or(LanesView::empty());
        Some(Marked(values, lanes))
    }

    #[inline(always)]
    unsafe fn fetch<'a>(page: &Self::Cursor<'a>, offset: usize) -> Self::Item<'a> {
        let value = optional_at::<D, C>(page.0, offset)?;
        let count = const { lanes::<D, C>() };
        // SAFETY: the presence word says that the row has a `C`. There is no other access to it meanwhile.
        Some(Mut { value: unsafe { &mut *value }, lanes: page.1, count, offset })
    }

    no_slice!();
}

// SAFETY: as for `&mut C`. The words are atomic, and no component.
unsafe impl<D: HasComponent<C>, C: 'static> RunTerms<D> for Mut<'_, C> {
    type Run<'a> = MutRun<'a, C>;
    type Columns<'a> = Marked<'a, *mut C>;
    const INTERLEAVED: IndexSet = interleaved::<D, C>();

    #[inline]
    fn columns(storage: &Storage, rows: Range<usize>) -> Self::Columns<'_> {
        Marked::table::<D, C>(storage.values::<D, C>().first().cast(), storage, rows)
    }

    #[inline(always)]
    unsafe fn run<'a>(columns: Self::Columns<'a>, first: usize, len: usize) -> Self::Run<'a> {
        let Marked(column, all) = columns;
        // SAFETY: `len` live values are contiguous from here on, in one buffer, which is one allocation. There is no other
        // access to them meanwhile, by the contract.
        let values = unsafe { slice::from_raw_parts_mut(column.wrapping_add(first), len) };
        MutRun { values, lanes: all, count: const { lanes::<D, C>() }, first }
    }
}

impl<D, N, C> QueryFor<D, N> for Mut<'_, C>
where
    D: HasComponent<C>,
    N: SystemName<D> + Writes<C, D>,
    C: 'static,
{
}

impl<D, N, C> QueryFor<D, N> for Option<Mut<'_, C>>
where
    D: HasComponent<C>,
    N: SystemName<D> + WritesOptional<C, D>,
    C: 'static,
{
}

impl<D, N, Q, C> MemberFor<D, N, Q> for Mut<'_, C>
where
    D: HasComponent<C>,
    N: SystemName<D> + WritesMembers<C, D> + Queries<Q, D, Members: Shows<C, Q, D>>,
    Q: SystemName<D>,
    C: 'static,
{
}

impl<D, N, Q, C> MemberFor<D, N, Q> for Option<Mut<'_, C>>
where
    D: HasComponent<C>,
    N: SystemName<D> + WritesMembers<C, D> + Queries<Q, D, Members: ShowsOptional<C, Q, D>>,
    Q: SystemName<D>,
    C: 'static,
{
}
