//! Iterators over all entities of a world that have certain components.

use core::iter::FusedIterator;

use super::iter::Walk;
use super::term::just;
use crate::rows::{BLOCK_ROWS, BLOCKS_PER_PAGE, Blocks, Presence};
use crate::signature::{Declaration, HasComponent, Item, QueryTerms};
use crate::state::opaque_debug;
use crate::storage::Storage;

/// Iterates over the entities of a world that have what the query `Q` requires, in ascending order of rows: see
/// [`World::iter`](crate::World::iter). [`with`](Self::with) and [`without`](Self::without) leave out some of them.
///
/// ```
/// # use ecs_core::{World, world};
/// # struct Position(f32);
/// # struct Frozen;
/// # world! { world Line; component Position; component Frozen: empty; }
/// let mut world = World::<Line>::new();
/// world.spawn((Position(1.0),));
/// world.spawn((Position(2.0), Frozen));
/// assert!(world.iter::<&Position>().map(|position| position.0).eq([1.0, 2.0]));
/// let free = world.iter::<&Position>().without::<Frozen>();
/// assert!(free.map(|position| position.0).eq([1.0]));
/// ```
pub struct Living<'a, D: Declaration, Q: QueryTerms<D>> {
    walk: Walk<'a, D, Q>,
    storage: &'a Storage,
    with: Box<[&'a Presence]>,
    without: Box<[&'a Presence]>,
}

/// The entities that are alive and have some components, but not others.
#[derive(Clone, Copy)]
struct Matching<'b, 'a> {
    alive: &'b Presence,
    with: &'b [&'a Presence],
    without: &'b [&'a Presence],
}

impl Blocks for Matching<'_, '_> {
    #[inline(always)]
    fn word(self, block: usize) -> u64 {
        let with =
            self.with.iter().fold(self.alive.word(block), |rows, set| rows & set.word(block));
        self.without.iter().fold(with, |rows, set| rows & !set.word(block))
    }
}

impl<'a, D: Declaration, Q: QueryTerms<D>> Living<'a, D, Q> {
    /// # Safety
    /// `Q::ALIAS_FREE` must hold. Until `'a` ends there must be no other write to what the items read, and no other
    /// access to what they write.
    pub(crate) unsafe fn over(storage: &'a Storage) -> Self {
        let mut required = Q::REQUIRED;
        let with = core::iter::from_fn(|| required.pop()).map(|index| storage.presence_at(index));
        let blocks = storage.entities.alive().page_count() * BLOCKS_PER_PAGE;
        let table = Q::table(storage, 0..blocks * BLOCK_ROWS);
        let walk = Walk::new(table, (0, blocks));
        Self { walk, storage, with: with.collect(), without: Box::default() }
    }

    /// Only those entities that have a `C`, too. O(1).
    ///
    /// # Panics
    /// If the iterator has been advanced.
    #[must_use]
    pub fn with<C: 'static>(mut self) -> Self
    where
        D: HasComponent<C>,
    {
        self.assert_new();
        let more = self.presence::<C>();
        self.with = and(self.with, more);
        self
    }

    /// Only those entities that have no `C`. O(1).
    ///
    /// # Panics
    /// If the iterator has been advanced.
    #[must_use]
    pub fn without<C: 'static>(mut self) -> Self
    where
        D: HasComponent<C>,
    {
        self.assert_new();
        let more = self.presence::<C>();
        self.without = and(self.without, more);
        self
    }

    fn presence<C: 'static>(&self) -> &'a Presence
    where
        D: HasComponent<C>,
    {
        const { just::<D, C>() };
        self.storage.presence_at(<D as HasComponent<C>>::INDEX)
    }

    fn assert_new(&self) {
        assert!(self.walk.is_new(), "an iterator over a world is filtered before it is advanced");
    }
}

/// The list with one more element.
fn and<T>(list: Box<[T]>, element: T) -> Box<[T]> {
    list.into_iter().chain([element]).collect()
}

impl<'a, D: Declaration, Q: QueryTerms<D>> Iterator for Living<'a, D, Q> {
    type Item = Item<'a, Q, D>;

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let alive = self.storage.entities.alive();
        // SAFETY: the set is that of the entities that are alive and have, by the words of presence, the components that
        // `Q` requires, among others. It is always the same, as it changes only before the iterator is advanced. The
        // creator of the iterator guarantees the rest.
        unsafe { self.walk.next(Matching { alive, with: &self.with, without: &self.without }) }
    }
}

impl<D: Declaration, Q: QueryTerms<D>> FusedIterator for Living<'_, D, Q> {}

opaque_debug! { [D: Declaration, Q: QueryTerms<D>] Living<'_, D, Q>: |_| world = D::NAME }
