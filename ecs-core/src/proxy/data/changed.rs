//! Iteration over the entities of which a component has changed since the system last ran.

use core::iter::FusedIterator;
use core::sync::atomic::AtomicU64;

use ecs_rules::List;

use crate::proxy::query;
use crate::proxy::query::QueryFor;
use crate::rows::{BLOCK_ROWS, BLOCKS_PER_PAGE, SparseSet, bits, marked};
use crate::signature::access::{AsksAdded, AsksChanged};
use crate::signature::tables::tracking;
use crate::signature::{Declaration, HasComponent, Item, Own, QueryTerms, SystemName, undeclared};
use crate::state::opaque_debug;
use crate::storage::HasColumn;

impl<D: Declaration, N: SystemName<D>> Own<'_, D, N> {
    /// The entities of this subtask of which `C` has changed since the system last ran, with the components that `Q` asks
    /// for, in ascending order of rows. The system declares `changed: [C]`.
    ///
    /// A change is a write through [`Mut`](crate::Mut) or through a [kernel's](Self::for_runs) slice, an insertion or an
    /// update, a spawn with a `C`, and any `get_mut` of a world, a step or a deferred function. What systems before this one
    /// have written in the same execution is seen in it, what later ones write the next time. It makes no difference whether
    /// the system has run in each step. What the system writes itself is seen for the rest of its run, and not the next
    /// time.
    ///
    /// O(blocks of the subtask + entities that have changed): 64 unchanged rows are skipped at once.
    ///
    /// ```
    /// use ecs_core::{Entity, Mut, World, world};
    ///
    /// struct Position(f32);
    /// struct Velocity(f32);
    /// #[derive(Default)]
    /// struct Moved(Vec<Entity>);
    ///
    /// world! {
    ///     world Line;
    ///     component Position, Velocity;
    ///     resource Moved;
    ///     system Move {
    ///         each: |mut position: Mut<Position>, velocity: &Velocity| {
    ///             if velocity.0 != 0.0 {
    ///                 position.0 += velocity.0;
    ///             }
    ///         },
    ///     }
    ///     system Report {
    ///         read: [Position],
    ///         changed: [Position],
    ///         write_resources: [Moved],
    ///         dependencies: [Move],
    ///         run: |data| data.resources.get_mut::<Moved>().0 = data.own.changed::<Position, Entity>().collect(),
    ///     }
    /// }
    ///
    /// let mut world = World::<Line>::new();
    /// let discs = world.spawn_batch([0.0, 1.0].map(|velocity| (Position(0.0), Velocity(velocity))));
    /// world.tick()?;
    /// assert_eq!(world.resource::<Moved>().0, discs, "both are new");
    /// world.tick()?;
    /// assert_eq!(world.resource::<Moved>().0, [discs[1]]);
    /// # Ok::<_, ecs_core::StepError>(())
    /// ```
    #[inline]
    pub fn changed<C: 'static, Q: QueryFor<D, N>>(&mut self) -> Changed<'_, D, Q>
    where
        D: HasComponent<C>,
        N: AsksChanged<C, D>,
    {
        self.in_lane::<C, Q>(const { lane_of::<D, N, C>(List::Changed) })
    }

    /// The entities of this subtask that have got a `C` since the system last ran: by an insertion where there was none, or
    /// as they were spawned. All else is as for [`changed`](Self::changed). The system declares `added: [C]`.
    ///
    /// ```
    /// use ecs_core::{World, world};
    ///
    /// struct Health(i32);
    /// #[derive(Default)]
    /// struct Log(Vec<i32>);
    ///
    /// world! {
    ///     world Arena;
    ///     component Health;
    ///     resource Log;
    ///     system Greet {
    ///         read: [Health],
    ///         added: [Health],
    ///         write_resources: [Log],
    ///         run: |data| {
    ///             let new = data.own.added::<Health, &Health>().map(|health| health.0);
    ///             data.resources.get_mut::<Log>().0.extend(new);
    ///         },
    ///     }
    /// }
    ///
    /// let mut world = World::<Arena>::new();
    /// let first = world.spawn((Health(1),));
    /// world.tick()?;
    /// world.insert(first, Health(2)).unwrap();
    /// world.spawn((Health(3),));
    /// world.tick()?;
    /// assert_eq!(world.resource::<Log>().0, [1, 3]);
    /// # Ok::<_, ecs_core::StepError>(())
    /// ```
    #[inline]
    pub fn added<C: 'static, Q: QueryFor<D, N>>(&mut self) -> Changed<'_, D, Q>
    where
        D: HasComponent<C>,
        N: AsksAdded<C, D>,
    {
        self.in_lane::<C, Q>(const { lane_of::<D, N, C>(List::Added) })
    }

    #[inline]
    fn in_lane<C: 'static, Q: QueryFor<D, N>>(&mut self, lane: usize) -> Changed<'_, D, Q>
    where
        D: HasComponent<C>,
    {
        const { query::assert_allowed::<D, N, Q>() };
        let (block, end) = self.slice.blocks();
        Changed {
            table: Q::table(self.storage, self.set.rows_of(self.slice)),
            set: self.set,
            words: self.storage.lanes::<D, C>().words(),
            lane,
            lanes: const { <D as HasColumn<C>>::LANES.all },
            block,
            end,
            rest: 0,
            page: None,
        }
    }
}

/// The lane of this question of the system `N`. Fails to compile if the table does not have the question.
const fn lane_of<D: HasComponent<C>, N: SystemName<D>, C: 'static>(list: List) -> usize {
    let component = <D as HasComponent<C>>::INDEX;
    match tracking::lane(D::SYSTEMS, N::INDEX, list, component) {
        Some(lane) => lane,
        None => undeclared::<D, N>("ask for changes of", D::COMPONENTS[component].name()),
    }
}

/// The entities of a subtask that are marked, with the components that the query `Q` asks for: see
/// [`Own::changed`](crate::Own::changed) and [`Own::added`](crate::Own::added).
///
/// ```
/// use ecs_core::{Changed, Entity, World, world};
/// struct Health(i32);
///
/// world! {
///     world Arena;
///     component Health;
///     system Watch {
///         read: [Health],
///         changed: [Health],
///         output: Vec<Entity>,
///         run: |data| data.effects.output().extend(hurt(data.own.changed::<Health, (Entity, &Health)>())),
///     }
/// }
///
/// /// Those of the entities that have less than full health.
/// fn hurt<'a>(changed: Changed<'a, Arena, (Entity, &'a Health)>) -> impl Iterator<Item = Entity> + 'a {
///     changed.filter(|(_, health)| health.0 < 10).map(|(entity, _)| entity)
/// }
///
/// let mut world = World::<Arena>::new();
/// let fighters = world.spawn_batch([10, 3].map(|health| (Health(health),)));
/// world.tick()?;
/// assert!(world.outputs_of::<Watch>().flatten().eq(&fighters[1..]));
/// # Ok::<_, ecs_core::StepError>(())
/// ```
pub struct Changed<'a, D: Declaration, Q: QueryTerms<D>> {
    table: Q::Table<'a>,
    set: &'a SparseSet,
    /// The words of all lanes of the component.
    words: &'a [AtomicU64],
    lane: usize,
    lanes: usize,
    /// The first block that was not looked at.
    block: usize,
    end: usize,
    /// The rows of the block before it that are still to come.
    rest: u64,
    /// The page of that block, once one was found.
    page: Option<(usize, Q::Cursor<'a>)>,
}

impl<'a, D: Declaration, Q: QueryTerms<D>> Changed<'a, D, Q> {
    /// Goes to the next block with marked rows; `None` if there is none.
    #[inline]
    fn next_block(&mut self) -> Option<()> {
        while self.rest == 0 {
            if self.block >= self.end {
                return None;
            }
            // Of most blocks nothing else is read.
            let marked = marked(self.words, self.block, self.lane, self.lanes);
            if marked != 0 {
                self.rest = marked & self.set.block(self.block);
            }
            self.block += 1;
        }
        let page = (self.block - 1) / BLOCKS_PER_PAGE;
        if self.page.is_none_or(|(at, _)| at != page) {
            // SAFETY: a row of the page is in the set, so it holds an entity with the required components.
            self.page = Some((page, unsafe { Q::page_of_some(self.table, page) }));
        }
        Some(())
    }
}

impl<'a, D: Declaration, Q: QueryTerms<D>> Iterator for Changed<'a, D, Q> {
    type Item = Item<'a, Q, D>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.rest == 0 {
            self.next_block()?;
        }
        let (_, page) = self.page.as_ref()?;
        let first = (self.block - 1) % BLOCKS_PER_PAGE * BLOCK_ROWS;
        let offset = first + self.rest.trailing_zeros() as usize;
        self.rest &= self.rest - 1;
        // SAFETY: the row is in the subtask's slice of the subscription, so it holds an entity with the required components.
        // `in_lane` has asserted that the system may access what `Q` asks for. The table orders every system that would
        // access the same components of the same entities, no other subtask has a row of the slice, and the iterator has
        // borrowed the subtask's entities. Each row comes once.
        Some(unsafe { Q::fetch(page, offset) })
    }

    /// Goes over a block of which all rows are marked without a look at the single ones.
    #[inline]
    fn fold<B, F: FnMut(B, Self::Item) -> B>(mut self, init: B, mut f: F) -> B {
        let mut sum = init;
        while self.next_block().is_some() {
            let Some((_, page)) = &self.page else { break };
            let first = (self.block - 1) % BLOCKS_PER_PAGE * BLOCK_ROWS;
            // SAFETY: as in `next`.
            let mut fetch = |sum, offset| f(sum, unsafe { Q::fetch(page, offset) });
            if self.rest == u64::MAX {
                sum = (first..first + BLOCK_ROWS).fold(sum, &mut fetch);
            } else {
                sum = bits(self.rest).fold(sum, |sum, bit| fetch(sum, first + bit));
            }
            self.rest = 0;
        }
        sum
    }
}

impl<D: Declaration, Q: QueryTerms<D>> FusedIterator for Changed<'_, D, Q> {}

opaque_debug! { [D: Declaration, Q: QueryTerms<D>] Changed<'_, D, Q>: |_| world = D::NAME }
