//! Runs: whole slices of columns, for *kernels* (thesis, 13.1).

use core::ops::Range;
use core::slice;

use crate::entity::Entity;
use crate::proxy::for_tuples;
use crate::rows::{PAGE_ROWS, Slice, SparseSet};
use crate::signature::{Declaration, HasComponent, Message, QueryTerms};
use crate::storage::{Storage, Stored, layout_of};
use crate::types::IndexSet;

/// The slices of one run for the terms `Q`, all of one length.
///
/// ```
/// use ecs_core::{Run, World, world};
/// struct Position(f32);
/// struct Velocity(f32);
///
/// world! {
///     world Line;
///     component Position, Velocity;
///     system Move {
///         read: [Velocity],
///         write: [Position],
///         run: |data| data.own.for_runs::<(&mut Position, &Velocity)>(kernel),
///     }
/// }
///
/// fn kernel((positions, velocities): Run<'_, (&mut Position, &Velocity), Line>) {
///     for (position, velocity) in positions.iter_mut().zip(velocities) {
///         position.0 += velocity.0;
///     }
/// }
///
/// let mut world = World::<Line>::new();
/// let disc = world.spawn((Position(1.0), Velocity(0.5)));
/// world.tick()?;
/// assert_eq!(world.get::<Position>(disc).unwrap().0, 1.5);
/// # Ok::<_, ecs_core::StepError>(())
/// ```
pub type Run<'a, Q, D> = <Q as RunTerms<D>>::Run<'a>;

/// What a kernel asks for: `&C` (a `&[C]` per run), `&mut C` (a `&mut [C]`), `Mut<C>` (a [`MutRun`](crate::MutRun), if a system asks for
/// changes of `C`), `Entity` (a `&[Entity]`), or a tuple of these.
///
/// Each component must have its own `contiguous_buffer`; that is checked at compile time. There are no optional
/// terms: where rows have no `C`, there is no slice of them.
///
/// # Safety
/// `run` must make slices of the components in `READS` (shared) and `WRITES` (exclusive) of exactly the rows that
/// it is given, and of nothing else.
///
/// ```
/// use ecs_core::RunTerms;
/// # struct Position(f32);
/// # ecs_core::world! { world Line; component Position; }
/// fn has_slices<Q: RunTerms<Line>>() {}
///
/// has_slices::<(ecs_core::Entity, &mut Position)>();
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0069] `{Self}` is nothing that a kernel can ask for",
    label = "no slice",
    note = "ask for `&C` or `&mut C` with a component `C` of `{D}`, for `Entity`, or for a tuple of these"
)]
pub unsafe trait RunTerms<D: Declaration>: QueryTerms<D> {
    /// The slices of one run.
    type Run<'a>;

    /// The addresses of row 0.
    #[doc(hidden)]
    type Columns<'a>: Copy;

    /// The components that do not have a column of their own.
    #[doc(hidden)]
    const INTERLEAVED: IndexSet;

    /// The addresses of row 0, by which no values but those in `rows` are written. They are looked up once, because the
    /// compiler cannot exclude that a kernel writes to the storage.
    #[doc(hidden)]
    fn columns(storage: &Storage, rows: Range<usize>) -> Self::Columns<'_>;

    /// The slices of `len` rows from `first` on.
    ///
    /// # Safety
    /// Each of these rows must hold an entity that has every component in `REQUIRED`. No component may be in
    /// `INTERLEAVED`. Until the lifetime ends there must be no other write to what the slices read, and no other
    /// access to what they write.
    #[doc(hidden)]
    unsafe fn run<'a>(columns: Self::Columns<'a>, first: usize, len: usize) -> Self::Run<'a>;
}

/// Fails to compile if a component of `Q` shares its buffer with others, or is not in a buffer.
pub(crate) const fn assert_columns<D: Declaration, Q: RunTerms<D>>(system: usize) {
    if let Some(c) = Q::INTERLEAVED.first_outside(&IndexSet::EMPTY) {
        Message::new()
            .text("[ECS0082] a kernel of the system `")
            .text(D::SYSTEMS[system].name())
            .text("` asks for slices of `")
            .text(D::COMPONENTS[c].name())
            .text("`, whose values do not lie side by side\nhelp: give `")
            .text(D::COMPONENTS[c].name())
            .text("` a `contiguous_buffer` of its own, or use `query`")
            .raise();
    }
}

/// Calls `f` with each run of contiguous rows in the slice, in ascending order of rows: the first row, and the run.
///
/// # Safety
/// Every entity in `set` must have the components in `Q::REQUIRED`, and `assert_columns` must have been
/// evaluated. Until `'a` ends there must be no other write to what the runs read, and no other access to what
/// they write.
#[inline(always)]
pub(crate) unsafe fn for_each_run<'a, D: Declaration, Q: RunTerms<D>>(
    storage: &'a Storage,
    set: &SparseSet,
    slice: Slice,
    mut f: impl FnMut(usize, Run<'a, Q, D>),
) {
    let columns = Q::columns(storage, set.rows_of(slice));
    let mut call = |first, len| {
        // SAFETY: the rows are in `set`, so they hold entities with the required components; each row is in
        // one run; the caller guarantees the rest.
        f(first, unsafe { Q::run(columns, first, len) });
    };
    // The run that is not yet at its end: it may go on in the next page.
    let (mut first, mut end) = (0, 0);
    for page in set.pages(slice) {
        page.for_each_run(|offset, len| {
            let next = page.index * PAGE_ROWS + offset;
            if next != end {
                if first < end {
                    call(first, end - first);
                }
                first = next;
            }
            end = next + len;
        });
    }
    if first < end {
        call(first, end - first);
    }
}

/// `C`, if it shares a buffer, or a row of its buffer is larger than a value, or it is in external storage.
pub(super) const fn interleaved<D: HasComponent<C>, C: 'static>() -> IndexSet {
    let index = <D as HasComponent<C>>::INDEX;
    if <D::Strategy as Stored<C>>::EXTERNAL.is_some() {
        return IndexSet::EMPTY.with(index);
    }
    let layout = layout_of::<D>(index);
    if layout.stride == size_of::<C>() && layout.offset == 0 {
        IndexSet::EMPTY
    } else {
        IndexSet::EMPTY.with(index)
    }
}

/// What the terms `&C` and `&mut C` have in common: all but the slices.
macro_rules! in_column {
    ($note_writes:expr) => {
        type Columns<'a> = *mut C;

        #[inline]
        fn columns(storage: &Storage, rows: Range<usize>) -> Self::Columns<'_> {
            $note_writes(storage, rows);
            storage.values::<D, C>().first().cast()
        }
    };
}

// SAFETY: `Storage::values` asserts the type; the rows have one `C` each, contiguously, as `C` is not
// interleaved; `C` is in `READS`.
unsafe impl<D: HasComponent<C>, C: 'static> RunTerms<D> for &C {
    type Run<'a> = &'a [C];
    const INTERLEAVED: IndexSet = interleaved::<D, C>();

    in_column!(|_: &Storage, _| {});

    #[inline(always)]
    unsafe fn run<'a>(column: *mut C, first: usize, len: usize) -> Self::Run<'a> {
        // SAFETY: `len` live values are contiguous from here on, in one buffer, which is one allocation. There
        // are no writes to them meanwhile, by the contract.
        unsafe { slice::from_raw_parts(column.wrapping_add(first), len) }
    }
}

// SAFETY: as for `&C`, but the component is in `WRITES`.
unsafe impl<D: HasComponent<C>, C: 'static> RunTerms<D> for &mut C {
    type Run<'a> = &'a mut [C];
    const INTERLEAVED: IndexSet = interleaved::<D, C>();

    in_column!(Storage::note_writes::<D, C>);

    #[inline(always)]
    unsafe fn run<'a>(column: *mut C, first: usize, len: usize) -> Self::Run<'a> {
        // SAFETY: as for `&C`, but there is no other access to the values meanwhile, by the contract.
        unsafe { slice::from_raw_parts_mut(column.wrapping_add(first), len) }
    }
}

// SAFETY: a row with an entity is below the end of `rows`; handles are not components.
unsafe impl<D: Declaration> RunTerms<D> for Entity {
    type Run<'a> = &'a [Entity];
    type Columns<'a> = &'a [Entity];
    const INTERLEAVED: IndexSet = IndexSet::EMPTY;

    #[inline]
    fn columns(storage: &Storage, _: Range<usize>) -> Self::Columns<'_> {
        storage.entities.rows()
    }

    #[inline(always)]
    unsafe fn run<'a>(rows: Self::Columns<'a>, first: usize, len: usize) -> Self::Run<'a> {
        // SAFETY: each of the rows holds an entity, so they are before the end.
        unsafe { rows.get_unchecked(first..first + len) }
    }
}

macro_rules! tuple_runs {
    ($($T:ident $column:ident),+) => {
        // SAFETY: each term keeps its own contract.
        unsafe impl<D: Declaration, $($T: RunTerms<D>),+> RunTerms<D> for ($($T,)+) {
            type Run<'a> = ($($T::Run<'a>,)+);
            type Columns<'a> = ($($T::Columns<'a>,)+);
            const INTERLEAVED: IndexSet = IndexSet::EMPTY$(.union($T::INTERLEAVED))+;

            #[inline]
            fn columns(storage: &Storage, rows: Range<usize>) -> Self::Columns<'_> {
                ($($T::columns(storage, rows.clone()),)+)
            }

            #[inline(always)]
            unsafe fn run<'a>(
                ($($column,)+): Self::Columns<'a>,
                first: usize,
                len: usize,
            ) -> Self::Run<'a> {
                // SAFETY: the caller guarantees it for the rows and for every term's components.
                ($(unsafe { $T::run($column, first, len) },)+)
            }
        }
    };
}

for_tuples! { tuple_runs: A a, B b, C c, E e, F f, G g, H h, I i, J j, K k, L l, M m }
