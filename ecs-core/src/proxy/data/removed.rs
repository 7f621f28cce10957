//! Reads of what was removed since the system last ran.

use crate::signature::access::AsksRemoved;
use crate::signature::tables::removed;
use crate::signature::{Declaration, HasComponent, Own, SystemName, undeclared};
use crate::storage::Removed;

impl<D: Declaration, N: SystemName<D>> Own<'_, D, N> {
    /// What was removed of `C` since the system last ran, of any entity: its handle, and the last value. The system declares
    /// `removed: [C]`, and need not access `C`.
    ///
    /// A component is removed by `remove`, or as its entity is despawned, by whatever does that. The value has moved out of the
    /// storage; it is dropped when all systems that name `C` in `removed` have run. An insertion or update that replaces a
    /// value removes nothing, and neither does a restoration of a snapshot. The entity may be despawned, and its handle is then no
    /// longer valid, or may have got another `C` since then.
    ///
    /// What is staged can be read after the refresh that applies it, what is removed at once, by a step or a `sequential`
    /// system, in the next phase. It makes no difference whether the system has run in each step: removals wait for it, in
    /// memory, and nothing else limits their number ([`World::forget_removed`](crate::World::forget_removed) does). In its first
    /// run a system reads all that was removed before.
    ///
    /// Removals come in the order of the refreshes that have made them, or of the phases before which they were made at once.
    /// Within that they come by row, and for one row in the order of changes. Each subtask of the system reads all of them.
    ///
    /// O(1), and O(1) for each removal.
    ///
    /// ```
    /// use ecs_core::{Entity, World, world};
    /// use std::collections::BTreeMap;
    ///
    /// struct Cell(u32);
    /// #[derive(Default)]
    /// struct ByCell(BTreeMap<u32, Entity>);
    ///
    /// world! {
    ///     world Board;
    ///     component Cell;
    ///     resource ByCell;
    ///     system Find {
    ///         read: [Cell],
    ///         added: [Cell],
    ///         removed: [Cell],
    ///         write_resources: [ByCell],
    ///         run: |data| {
    ///             let ByCell(index) = data.resources.get_mut::<ByCell>();
    ///             for (entity, cell) in data.own.removed::<Cell>() {
    ///                 assert_eq!(index.remove(&cell.0), Some(entity));
    ///             }
    ///             for (entity, cell) in data.own.added::<Cell, (Entity, &Cell)>() {
    ///                 index.insert(cell.0, entity);
    ///             }
    ///         },
    ///     }
    /// }
    ///
    /// let mut world = World::<Board>::new();
    /// let pieces = world.spawn_batch([3, 5].map(|cell| (Cell(cell),)));
    /// world.tick()?;
    /// world.despawn(pieces[0]);
    /// world.tick()?;
    /// assert!(world.resource::<ByCell>().0.iter().eq([(&5, &pieces[1])]));
    /// # Ok::<_, ecs_core::StepError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn removed<C: 'static>(&self) -> Removed<'_, C>
    where
        D: HasComponent<C>,
        N: AsksRemoved<C, D>,
    {
        self.storage.removed::<D, C>(const { reader_of::<D, N, C>() })
    }
}

/// The number of `N` among the readers of `C`. Fails to compile if the table does not have it.
const fn reader_of<D: HasComponent<C>, N: SystemName<D>, C: 'static>() -> usize {
    let component = <D as HasComponent<C>>::INDEX;
    match removed::reader(D::SYSTEMS, N::INDEX, component) {
        Some(reader) => reader,
        None => undeclared::<D, N>("read what was removed of", D::COMPONENTS[component].name()),
    }
}
