//! What a refresh does with relations of either form.
//!
//! A link leads from a *dependent* to an entity on which it depends: from a child to its parent, or from a source to its target.

use super::{Link, Links, ManyToMany, OnDespawn, Refused, Relation, RowSet, To};
use crate::entity::{Entities, Entity};
use crate::parallel::PanicSlot;
use crate::rows::{Presence, rows_of};
use crate::types::ThreadSafe;

/// The resource of a relation, for what is staged.
pub(crate) trait StagesLinks: ThreadSafe {
    /// A change of a link.
    type Change: ThreadSafe;

    /// The staged changes, in the order in which they take effect.
    fn staged_mut(&mut self) -> &mut Vec<Self::Change>;
}

impl<X: 'static> StagesLinks for Relation<X> {
    type Change = Link;

    #[inline]
    fn staged_mut(&mut self) -> &mut Vec<Link> {
        &mut self.links.staged
    }
}

impl<X: ThreadSafe> StagesLinks for ManyToMany<X> {
    type Change = super::Change<X>;

    #[inline]
    fn staged_mut(&mut self) -> &mut Vec<super::Change<X>> {
        &mut self.staged
    }
}

/// A relation, as a refresh knows it.
pub(crate) trait AnyRelation {
    fn on_despawn(&self) -> OnDespawn;

    /// What the refreshes of the last step have refused.
    fn refused_mut(&mut self) -> &mut Vec<Refused>;

    /// Whether changes of links are staged.
    fn is_staged(&self) -> bool;

    /// Drops the staged changes.
    fn discard(&mut self, panics: &PanicSlot);

    /// Stages the changes of links of entities that have been spawned by now.
    fn stage_those_of_spawned(&mut self);

    /// Stages links of children to their parents before all others. A relation of many to many has none of these.
    fn stage_first(&mut self, links: &mut dyn Iterator<Item = (Entity, Entity)>);

    /// Stages links of children to their parents behind all others. A relation of many to many has none of these.
    fn stage_last(&mut self, links: &mut dyn Iterator<Item = (Entity, Entity)>);

    /// Makes the staged changes, in order. Those that are not possible are refused.
    fn apply(&mut self, entities: &Entities, panics: &PanicSlot);

    /// Adds the dependents of the marked rows to the masks, and theirs; and their blocks to `blocks` when they get their first
    /// row.
    fn add_dependents(&mut self, masks: &mut [u64], blocks: &mut Vec<u32>);

    /// The marked rows with living dependents that are not marked, and the first of these.
    fn survivors(&self, masks: &[u64], blocks: &[u32], alive: &Presence) -> Vec<(usize, usize)>;

    /// Calls `f` for each row on which the row depends.
    fn for_each_target(&self, row: usize, f: &mut dyn FnMut(usize));

    /// The despawn of an entity is refused for the sake of a dependent.
    fn refusal(&self, entity: Entity, dependent: Entity) -> Refused;

    /// Ends the links of the marked rows, which are despawned.
    fn remove_all(&mut self, masks: &[u64], blocks: &[u32], panics: &PanicSlot);

    /// Entities have moved to rows without one, one after the other.
    fn move_rows(&mut self, moves: &[(usize, usize)], panics: &PanicSlot);
}

impl AnyRelation for Links {
    fn on_despawn(&self) -> OnDespawn {
        self.on_despawn
    }

    fn refused_mut(&mut self) -> &mut Vec<Refused> {
        &mut self.refused
    }

    fn is_staged(&self) -> bool {
        !self.staged.is_empty()
    }

    fn discard(&mut self, _: &PanicSlot) {
        self.staged.clear();
        self.of_spawned.clear();
    }

    fn stage_those_of_spawned(&mut self) {
        self.staged.append(&mut self.of_spawned);
    }

    fn stage_first(&mut self, links: &mut dyn Iterator<Item = (Entity, Entity)>) {
        let links = links.map(|(child, parent)| Link { child, to: To::Parent(parent) });
        self.staged.splice(0..0, links);
    }

    fn stage_last(&mut self, links: &mut dyn Iterator<Item = (Entity, Entity)>) {
        let links = links.map(|(child, parent)| Link { child, to: To::Parent(parent) });
        self.staged.extend(links);
    }

    fn apply(&mut self, entities: &Entities, _: &PanicSlot) {
        self.make_staged(entities.handles(), entities.rows());
    }

    fn add_dependents(&mut self, masks: &mut [u64], blocks: &mut Vec<u32>) {
        self.forest.add_descendants(masks, blocks);
    }

    fn survivors(&self, masks: &[u64], blocks: &[u32], alive: &Presence) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        for &block in blocks {
            for row in rows_of(block as usize, masks[block as usize]) {
                let children = self.forest.children(row).map_or(&[][..], RowSet::blocks);
                let living = children.iter().find_map(|&(block, rows)| {
                    let block = block as usize;
                    let dead = masks.get(block).copied().unwrap_or(0);
                    rows_of(block, rows & !dead & alive.word(block)).next()
                });
                found.extend(living.map(|child| (row, child)));
            }
        }
        found
    }

    fn for_each_target(&self, row: usize, f: &mut dyn FnMut(usize)) {
        if let Some(parent) = self.forest.parent(row) {
            f(parent);
        }
    }

    fn refusal(&self, entity: Entity, child: Entity) -> Refused {
        Refused::Despawn { entity, child }
    }

    fn remove_all(&mut self, masks: &[u64], blocks: &[u32], _: &PanicSlot) {
        self.forest.remove_all(masks, blocks);
    }

    fn move_rows(&mut self, moves: &[(usize, usize)], _: &PanicSlot) {
        for &(from, to) in moves {
            self.forest.move_row(from, to);
        }
    }
}
