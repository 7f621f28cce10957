//! Iterators over the entities of a subscription, for `for` loops.

use core::iter::FusedIterator;
use core::mem::MaybeUninit;
use core::ops::Range;

use super::for_each;
use crate::rows::{Blocks, Runs, Slice, SparseSet};
use crate::signature::{Declaration, Item, QueryTerms, SystemName};
use crate::state::opaque_debug;

/// The place of an iterator among the rows of a set: a run of contiguous rows, and the runs after it.
pub(super) struct Walk<'a, D: Declaration, Q: QueryTerms<D>> {
    table: Q::Table<'a>,
    /// Initialised after the first run.
    cursor: MaybeUninit<Q::Cursor<'a>>,
    /// The offsets in the page of the rest of the current run.
    next: usize,
    end: usize,
    runs: Runs,
    /// Whether there is certainly no other run. It never changes.
    is_only: bool,
}

impl<'a, D: Declaration, Q: QueryTerms<D>> Walk<'a, D, Q> {
    /// Goes over these blocks.
    #[inline(always)]
    pub(super) fn new(table: Q::Table<'a>, blocks: (usize, usize)) -> Self {
        let runs = Runs::over(blocks);
        Self { table, cursor: MaybeUninit::uninit(), next: 0, end: 0, runs, is_only: false }
    }

    /// Goes to the first run. `len` is the number of rows.
    ///
    /// # Safety
    /// As for [`next`](Self::next).
    #[inline(always)]
    unsafe fn begin(&mut self, blocks: impl Blocks, len: usize) {
        // SAFETY: the caller guarantees it.
        let _ = unsafe { self.next_run(blocks) };
        self.is_only = self.end - self.next == len;
    }

    /// The components of the next row.
    ///
    /// The iterator is never passed by reference, so that it is held in registers. The optimiser makes a loop of its own
    /// for an iterator that `is_only` one run. Addresses grow evenly in it, so that it can be vectorised.
    ///
    /// # Safety
    /// `blocks` must always be the same set. Each entity in it must have the components in `Q::REQUIRED` in the storage
    /// of the table. Until `'a` ends there must be no other write to what the items read, and no other access to what
    /// they write.
    #[inline(always)]
    pub(super) unsafe fn next(&mut self, blocks: impl Blocks) -> Option<Item<'a, Q, D>> {
        if self.next == self.end {
            if self.is_only {
                return None;
            }
            // SAFETY: the caller guarantees it.
            unsafe { self.next_run(blocks)? };
        }
        let offset = self.next;
        self.next += 1;
        // SAFETY: the run that the offset is of came with a cursor, or after another run of its block.
        let cursor = unsafe { self.cursor.assume_init() };
        // SAFETY: the row is in the set, so it holds an entity with the required components; each row comes once; the
        // caller guarantees the rest.
        Some(unsafe { Q::fetch(&cursor, offset) })
    }

    /// Goes to the next run; `None` if there is none.
    ///
    /// # Safety
    /// As for [`next`](Self::next).
    #[inline(always)]
    unsafe fn next_run(&mut self, blocks: impl Blocks) -> Option<()> {
        let run = if let Some(run) = self.runs.next_in_block() {
            run
        } else {
            // SAFETY: the caller guarantees that entities of the set have the required components.
            let (runs, found) = unsafe { refill::<D, Q>(self.table, self.runs, blocks) };
            self.runs = runs;
            let (cursor, run) = found?;
            self.cursor = MaybeUninit::new(cursor);
            run
        };
        (self.next, self.end) = (run.start, run.end);
        // SAFETY: a run is not empty.
        unsafe { core::hint::assert_unchecked(self.next < self.end) };
        Some(())
    }

    /// Whether nothing was read.
    pub(super) fn is_new(&self) -> bool {
        self.runs.unread().0 == 0
    }

    /// The number of rows left of the block that was read last, and of full blocks before it. O(1).
    #[inline(always)]
    fn left_in_block(&self) -> usize {
        self.end - self.next + self.runs.rest()
    }
}

/// The cursor of a page, and the offsets of a run in there.
type Found<'a, D, Q> = (<Q as QueryTerms<D>>::Cursor<'a>, Range<usize>);

/// The next run that begins in an unread block, with the cursor of its page, and what is left then.
///
/// # Safety
/// Each entity in `blocks` must have the components in `Q::REQUIRED` in the storage of the table.
#[cold]
#[inline(never)]
unsafe fn refill<'a, D: Declaration, Q: QueryTerms<D>>(
    table: Q::Table<'a>,
    mut runs: Runs,
    blocks: impl Blocks,
) -> (Runs, Option<Found<'a, D, Q>>) {
    let found = runs.next_block(blocks);
    let found = found.map(|(page, run)| {
        // SAFETY: a run is not empty, and its rows hold entities with the required components.
        (unsafe { Q::page_of_some(table, page) }, run)
    });
    (runs, found)
}

/// Iterates over the components of each entity in a slice, in ascending order of rows.
///
/// Methods such as `for_each`, `sum` and `collect` are loops over slices, like
/// [`for_entities`](crate::proxy::Own::for_entities): the compiler can vectorise them. It can do so with a `for` loop,
/// too, if all rows lie in one run: without a gap, and within one page ([`PAGE_ROWS`](crate::PAGE_ROWS)). Over several
/// runs a `for` loop takes one entity after the other.
///
/// The length is known: O(1) for [`len`](ExactSizeIterator::len).
///
/// ```
/// # use ecs_core::{World, world};
/// # struct Mass(f32);
/// # #[derive(Default)]
/// # struct Total(f32);
/// world! {
///     world Scale;
///     component Mass;
///     resource Total;
///     system Weigh {
///         read: [Mass],
///         write_resources: [Total],
///         run: |data| {
///             let masses = data.own.query::<&Mass>().into_iter();
///             assert_eq!(masses.len(), 3);
///             data.resources.get_mut::<Total>().0 = masses.map(|mass| mass.0).sum();
///         },
///     }
/// }
/// # let mut world = World::<Scale>::new();
/// # world.spawn_batch([1.0, 3.0, 0.5].map(|mass| (Mass(mass),)));
/// # world.tick().unwrap();
/// # assert_eq!(world.resource::<Total>().0, 4.5);
/// ```
pub struct Iter<'a, D: Declaration, Q: QueryTerms<D>> {
    walk: Walk<'a, D, Q>,
    set: &'a SparseSet,
    blocks: (usize, usize),
    has_begun: bool,
    /// Whether methods that go over everything do so by ranges.
    ranges: bool,
}

impl<'a, D: Declaration, Q: QueryTerms<D>> Iter<'a, D, Q> {
    /// The entities of the slice. `ranges` is as for [`for_each`].
    ///
    /// # Safety
    /// As for [`for_each`], over the storage that the table belongs to.
    #[inline(always)]
    pub(crate) unsafe fn over(
        table: Q::Table<'a>,
        set: &'a SparseSet,
        slice: Slice,
        ranges: bool,
    ) -> Self {
        let blocks = slice.blocks();
        let mut walk = Walk::new(table, blocks);
        // SAFETY: the caller guarantees it.
        unsafe { walk.begin(set, slice.len()) };
        Self { walk, set, blocks, has_begun: false, ranges }
    }
}

impl<'a, D: Declaration, Q: QueryTerms<D>> Iterator for Iter<'a, D, Q> {
    type Item = Item<'a, Q, D>;

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        self.has_begun = true;
        // SAFETY: the creator of the iterator guarantees it.
        unsafe { self.walk.next(self.set) }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.walk.left_in_block() + self.set.count_in(self.walk.runs.unread());
        (left, Some(left))
    }

    /// O(1).
    fn count(self) -> usize {
        self.len()
    }

    #[inline(always)]
    fn fold<B, F: FnMut(B, Self::Item) -> B>(mut self, first: B, mut f: F) -> B {
        let mut folded = Some(first);
        let mut add = |item| folded = folded.take().map(|folded| f(folded, item));
        let mut blocks = self.blocks;
        // A new iterator goes over everything, as the compiler can see.
        if self.has_begun {
            for _ in 0..self.walk.left_in_block() {
                self.next().into_iter().for_each(&mut add);
            }
            blocks = self.walk.runs.unread();
        }
        let pages = self.set.pages_of(blocks);
        // SAFETY: the creator of the iterator guarantees it; no row of these blocks was handed out.
        unsafe { for_each::<D, Q>(self.walk.table, pages, self.ranges, add) };
        folded.expect("`f` has returned")
    }
}

impl<D: Declaration, Q: QueryTerms<D>> ExactSizeIterator for Iter<'_, D, Q> {}
impl<D: Declaration, Q: QueryTerms<D>> FusedIterator for Iter<'_, D, Q> {}

opaque_debug! { [D: Declaration, Q: QueryTerms<D>] Iter<'_, D, Q>: |this| len = this.len() }

/// Iterates over the entities of one subtask of the system `N`, each with its components by name: see
/// [`Own::iter`](crate::proxy::Own::iter). It is an [`Iter`] in everything else.
///
/// ```
/// # use ecs_core::{World, world};
/// # struct Fuel(f32);
/// # #[derive(Default)]
/// # struct Empty(usize);
/// world! {
///     world Rockets;
///     component Fuel;
///     resource Empty;
///     system Count {
///         read: [Fuel],
///         write_resources: [Empty],
///         run: |data| {
///             let empty = data.own.iter().filter(|rocket| rocket.fuel.0 == 0.0).count();
///             data.resources.get_mut::<Empty>().0 = empty;
///         },
///     }
/// }
/// # let mut world = World::<Rockets>::new();
/// # world.spawn_batch([0.0, 3.0, 0.0].map(|fuel| (Fuel(fuel),)));
/// # world.tick().unwrap();
/// # assert_eq!(world.resource::<Empty>().0, 2);
/// ```
pub struct Entries<'a, D: Declaration, N: SystemName<D>>(Iter<'a, D, N::Terms>);

impl<'a, D: Declaration, N: SystemName<D>> Entries<'a, D, N> {
    #[inline(always)]
    pub(crate) fn new(terms: Iter<'a, D, N::Terms>) -> Self {
        Self(terms)
    }
}

impl<'a, D: Declaration, N: SystemName<D>> Iterator for Entries<'a, D, N> {
    type Item = N::Entry<'a>;

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(N::entry)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }

    /// O(1).
    fn count(self) -> usize {
        self.len()
    }

    #[inline(always)]
    fn fold<B, F: FnMut(B, Self::Item) -> B>(self, first: B, mut f: F) -> B {
        self.0.fold(first, |folded, terms| f(folded, N::entry(terms)))
    }
}

impl<D: Declaration, N: SystemName<D>> ExactSizeIterator for Entries<'_, D, N> {}
impl<D: Declaration, N: SystemName<D>> FusedIterator for Entries<'_, D, N> {}

opaque_debug! { [D: Declaration, N: SystemName<D>] Entries<'_, D, N>: |this| len = this.len() }
