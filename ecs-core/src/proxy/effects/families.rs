//! Children of the templates that a system spawns: they are staged with their parents.

use crate::entity::{PendingBatch, PendingEntity};
use crate::signature::access::{Links, SpawnedBy};
use crate::signature::family::{FamilyBy, assert_links, relation_of};
use crate::signature::{Declaration, Effects, HasRelation, SpawnOrder, SystemName, spawn_order};
use crate::storage::{FamilyLink, Storage};

impl<'w, D: Declaration, N: SystemName<D>> Effects<'w, D, N> {
    /// Stages the children of `len` staged entities, from a number of their batch on.
    #[inline(always)]
    pub(super) fn spawn_children_of<B: SpawnedBy<N, D>>(
        &mut self,
        order: SpawnOrder,
        number: usize,
        len: usize,
    ) {
        if const { B::DESCENDANTS > 0 } {
            let first = PendingEntity::new(order.position, order.rank, number);
            B::spawn_children(PendingBatch::new(first, len), self);
        }
    }
}

impl<'w, D: Declaration, N: SystemName<D>> FamilyBy<N, D> for Effects<'w, D, N> {
    type Parents = PendingBatch<'w>;

    fn spawn<X: 'static, B: SpawnedBy<N, D> + Default>(
        &mut self,
        parents: PendingBatch<'w>,
        count: usize,
    ) where
        D: HasRelation<X>,
        N: Links<X, D>,
    {
        const { assert_links::<D, N, X>() };
        let order = const { spawn_order::<D, N, B>() };
        let batch = self.work.staged.batches.spawns::<D, B::Stored>(order);
        let (number, len) = (batch.count(), parents.len() * count);
        batch.extend((0..len).map(|_| B::default().stored()));
        let first = PendingEntity::new(order.position, order.rank, number);
        let children = PendingBatch::new(first, len);
        let (child, parent) = (children.key(), parents.key());
        self.work.staged.pending.push(move |resolving| {
            let relation = const { relation_of::<D, X>() };
            for number in 0..len {
                let (child, parent) = (child.after(number), parent.after(number / count));
                let (Some(child), Some(parent)) = (resolving.row(child), resolving.row(parent))
                else {
                    // One that has found no room has no links.
                    continue;
                };
                let Storage { entities, families, .. } = &mut *resolving.core.storage;
                let (child, parent) = (entities.rows()[child], entities.rows()[parent]);
                families.links.push(FamilyLink { relation, child, parent });
            }
        });
        B::spawn_children(children, self);
    }
}
