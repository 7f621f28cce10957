//! The entities of a system that goes along a relation: parents before their children.

use crate::proxy::effects::relations::assert_follows;
use crate::proxy::query::{QueryFor, assert_rights};
use crate::proxy::step::levels::for_blocks;
use crate::rows::{BLOCK_ROWS, PAGE_ROWS, rows_of};
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
        // The parent of the last entity, and where its components lie if it is an entity of the system. Siblings often follow
        // one another.
        let (mut above, mut place) = (None, None);
        for_blocks(forest, set, &along, |block, rows| {
            let table = N::Terms::table(storage);
            // SAFETY: rows of the page are in the subscription of `N`, with what its terms require.
            let own_page = unsafe { N::Terms::page_of_some(table, block * BLOCK_ROWS / PAGE_ROWS) };
            for row in rows_of(block, rows) {
                let parent = forest.parent(row);
                if parent != above {
                    above = parent;
                    let is_own =
                        |row: &usize| set.block(row / BLOCK_ROWS) >> (row % BLOCK_ROWS) & 1 == 1;
                    place = parent.filter(is_own).map(|row| {
                        // SAFETY: the row is in the subscription of `N`, so it holds an entity with what `Q` requires, which is
                        // part of what the subscription requires (`assert_rights`).
                        let page = unsafe { Q::page_of_some(Q::table(storage), row / PAGE_ROWS) };
                        (page, row % PAGE_ROWS)
                    });
                }
                let parent = place.as_ref().map(|(page, row)| {
                    // SAFETY: as above. `Q` writes nothing. `N` declares to read what `Q` reads of its own entities, and the
                    // parent is one, so the table orders every other system that would write it. `N` itself writes only the
                    // rows of levels: here, in one call after the other; and in subtasks beside this one, those of the
                    // level that this row is on (`Along`). The parent is one level higher (`Forest`), and the item ends
                    // with the call.
                    unsafe { Q::fetch(page, *row) }
                });
                // SAFETY: as above. The table orders every other system that would access the same components of the same
                // entities. Only this subtask has the row: it is in the set of one level, and of one part of that
                // (`levels.rs`). It is not the parent's, and comes once. The item ends with the call.
                let own = unsafe { N::Terms::fetch(&own_page, row % PAGE_ROWS) };
                f(N::entry(own), parent, effects);
            }
        });
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
