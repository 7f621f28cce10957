//! The entities of a system that goes along a relation: parents before their children.

use super::own::by_ranges;
use crate::proxy::effects::relations::assert_follows;
use crate::proxy::query::{QueryFor, Visit, assert_rights, for_range};
use crate::proxy::step::levels::LevelBlocks;
use crate::relations::NONE;
use crate::rows::{BLOCK_ROWS, PAGE_ROWS, SparseSet, bits};
use crate::signature::access::FollowsParents;
use crate::signature::{Data, Declaration, Effects, Item, QueryTerms, SystemName};

impl<'w, D: Declaration, N: SystemName<D>> Data<'w, D, N> {
    /// Calls `f` for each entity of this subtask: with its components, with what `Q` asks for of its parent in the relation
    /// that the system names in `after_parent`, and with the effects. A parent comes before its children, so what `f` has written
    /// there is seen here. Entities with as many ancestors come in the order of iteration.
    ///
    /// `Q` reads: `&C`, `Option<&C>`, [`Entity`](crate::Entity), or a tuple of these. The parent is `None` if there is none, or if that is
    /// no entity of the system.
    ///
    /// ```
    /// # use ecs_core::{World, world};
    /// struct Local(i32);
    /// struct Global(i32);
    /// struct ChildOf;
    ///
    /// world! {
    ///     world Scene;
    ///     component Local, Global;
    ///     relation ChildOf: one_to_many, on_despawn: despawn;
    ///     system Propagate {
    ///         parallelism: split_evenly(cores),
    ///         after_parent: ChildOf,
    ///         read: [Local],
    ///         write: [Global],
    ///         run: |data| data.for_after_parent::<&Global>(|one, parent, _| {
    ///             one.global.0 = parent.map_or(0, |parent| parent.0) + one.local.0;
    ///         }),
    ///     }
    /// }
    ///
    /// let mut world = World::<Scene>::new();
    /// let [hand, arm, body] = [1, 20, 300].map(|local| world.spawn((Local(local), Global(0))));
    /// world.link::<ChildOf>(hand, arm)?;
    /// world.link::<ChildOf>(arm, body)?;
    /// world.tick()?;
    /// assert_eq!(world.get::<Global>(hand).unwrap().0, 321);
    /// # Ok::<_, ecs_core::StepError>(())
    /// ```
    ///
    /// Levels follow one another, and the subtasks of one level run in parallel; small levels that follow one another are one
    /// subtask. O(entities + blocks of 64 rows with entities of each level).
    ///
    /// Sixteen siblings or more in rows side by side are a loop over slices of those components that have their own
    /// `contiguous_buffer`, with what is read of the parent looked up once. The compiler can vectorise it, unless the system stages
    /// work. Entities that are spawned in a batch, siblings after siblings, lie so.
    ///
    /// # Panics
    /// If `own` and `effects` are not of one world: if they were exchanged with those of another one.
    pub fn for_after_parent<Q: QueryFor<D, N>>(
        &mut self,
        mut f: impl FnMut(N::Entry<'_>, Option<Item<'_, Q, D>>, &mut Effects<'w, D, N>),
    ) where
        N: FollowsParents<D>,
    {
        let relation = const { assert_follows::<D, N>() };
        const {
            assert_rights::<D, N, N::Terms>();
            assert_rights::<D, N, Q>();
            assert_reads_only::<D, N, Q>();
        }
        let Self { own, effects, .. } = self;
        let core = effects.core;
        assert!(
            core::ptr::eq(own.storage, &raw const core.storage),
            "`for_after_parent` was called for the entities of another world: exchange them back"
        );
        let (forest, set, storage) = (core.forest(relation), own.set, own.storage);
        let along = effects.work.along.clone();
        let all = || set.rows_of(set.whole());
        let table = N::Terms::table(storage, all());
        let above =
            Parents::<D, Q> { table: Q::table(storage, all()), set, are_own: along.has_parents };
        let mut blocks = LevelBlocks::new(forest, set, &along);
        while blocks.next_level() {
            while let Some((block, mut rows)) = blocks.next() {
                let first = block * BLOCK_ROWS;
                let parents = forest.parents_in(block);
                // SAFETY: rows of the page are in the subscription of `N`, with what its terms require.
                let page = unsafe { N::Terms::page_of_some(table, first / PAGE_ROWS) };
                loop {
                    // In a run the parent's components can stay in registers, and the loop can be vectorised.
                    let run = if const { by_ranges::<D, N>() } {
                        blocks.next_run(block, rows, parents)
                    } else {
                        None
                    };
                    let single = run.as_ref().map_or(rows, |run| rows & !(u64::MAX << run.start));
                    for bit in bits(single) {
                        // SAFETY: as above. The table orders every other system that would access the same components of
                        // the same entities. Only this subtask has the row: it is in the set of one level, and of one part
                        // of that (`levels.rs`). It is not the parent's, and comes once. The item ends with the call.
                        let own = unsafe { N::Terms::fetch(&page, (first + bit) % PAGE_ROWS) };
                        f(N::entry(own), above.get(parents[bit % BLOCK_ROWS]), effects);
                    }
                    let Some(run) = run else { break };
                    let parent = parents[run.start];
                    let mut end = first + run.end;
                    if end.is_multiple_of(BLOCK_ROWS) {
                        end = blocks.extend_run(end / BLOCK_ROWS, parent);
                    }
                    let rest = u64::MAX.checked_shl(run.end as u32);
                    rows &= rest.unwrap_or(0);
                    let start = (first + run.start) % PAGE_ROWS;
                    let siblings = start..start + (end - first - run.start);
                    let mut visit =
                        Siblings { f: &mut f, above: &above, parent, effects: &mut *effects };
                    // SAFETY: as for one row above, for each of them. They are in one page, side by side, and not empty.
                    unsafe { for_range::<D, N::Terms>(page, siblings, &mut visit) };
                }
            }
        }
    }
}

/// The entities among which parents are.
struct Parents<'a, D: Declaration, Q: QueryTerms<D>> {
    table: Q::Table<'a>,
    set: &'a SparseSet,
    /// Whether all are entities of the system.
    are_own: bool,
}

impl<'a, D: Declaration, Q: QueryTerms<D>> Parents<'a, D, Q> {
    /// What the query asks for of the parent in this row, if it is an entity of the system.
    #[inline(always)]
    fn get(&self, parent: u32) -> Option<Item<'a, Q, D>> {
        let row = parent as usize;
        let is_own = parent != NONE
            && (self.are_own || self.set.block(row / BLOCK_ROWS) >> (row % BLOCK_ROWS) & 1 == 1);
        is_own.then(|| {
            // SAFETY: The row is in the subscription of the system, so it holds an entity with what `Q` requires, which is part
            // of what the subscription requires (`assert_rights`). `Q` writes nothing. The system `N` declares to read what `Q`
            // reads of its own entities, and the parent is one, so the table orders every other system that would write it. `N`
            // itself writes only the rows of levels: here, in one call after the other; and in subtasks beside this one, those
            // of the level of the entity that this is the parent of (`Along`). The parent is one level higher (`Forest`), and
            // the item ends with the call for such an entity.
            unsafe { Q::fetch_row(self.table, row) }
        })
    }
}

/// Calls `f` with entities that have one parent.
struct Siblings<'f, 'a, 'w, D: Declaration, N: SystemName<D>, Q: QueryTerms<D>, F> {
    f: &'f mut F,
    above: &'f Parents<'a, D, Q>,
    parent: u32,
    effects: &'f mut Effects<'w, D, N>,
}

impl<'a, 'w, D, N, Q, F> Visit<'a, D, N::Terms> for Siblings<'_, 'a, 'w, D, N, Q, F>
where
    D: Declaration,
    N: SystemName<D>,
    Q: QueryTerms<D>,
    F: FnMut(N::Entry<'_>, Option<Item<'_, Q, D>>, &mut Effects<'w, D, N>),
{
    #[inline(always)]
    fn visit(&mut self, terms: Item<'a, N::Terms, D>) {
        (self.f)(N::entry(terms), self.above.get(self.parent), self.effects);
    }
}

/// Fails to compile if the query would write to the parent.
const fn assert_reads_only<D: Declaration, N: SystemName<D>, Q: QueryTerms<D>>() {
    if let Some(c) = Q::WRITES.first_outside(&crate::types::IndexSet::EMPTY) {
        crate::signature::Message::new()
            .text("[ECS0166] the system `")
            .text(D::SYSTEMS[N::INDEX].name)
            .text("` asks for `&mut ")
            .text(D::COMPONENTS[c].name())
            .text("` of a parent, which is the parent of other entities, too\nhelp: ask for `&")
            .text(D::COMPONENTS[c].name())
            .text("`")
            .raise();
    }
}
