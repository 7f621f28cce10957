//! Relations: staged links take effect, dependents are despawned with what they depend on, and links follow entities to other
//! rows.

use crate::parallel::PanicSlot;
use crate::relations::{AnyRelation, OnDespawn, Refused};
use crate::rows::BLOCK_ROWS;
use crate::signature::{RelationSignature, ResourceSignature};
use crate::state::CoreData;

/// The relations of a declaration, and its resources, for their names.
#[derive(Clone, Copy)]
pub(super) struct Relations {
    pub(super) all: &'static [RelationSignature],
    pub(super) resources: &'static [ResourceSignature],
}

impl CoreData {
    /// Calls `f` with each relation.
    fn for_relations(
        &mut self,
        relations: &[RelationSignature],
        mut f: impl FnMut(&mut (dyn AnyRelation + 'static)),
    ) {
        for relation in relations {
            f((relation.relation_mut)(self.resources.value_mut(relation.resource)));
        }
    }

    /// Whether changes of links are staged.
    pub(crate) fn has_links(&mut self, relations: &[RelationSignature]) -> bool {
        !self.storage.families.links.is_empty()
            || relations.iter().any(|relation| {
                (relation.relation_mut)(self.resources.value_mut(relation.resource)).is_staged()
            })
    }

    /// Drops the staged changes of links, after a panic.
    pub(super) fn discard_links(&mut self, relations: &[RelationSignature], panics: &PanicSlot) {
        self.storage.families.clear();
        self.for_relations(relations, |relation| relation.discard(panics));
    }

    /// Stages the links of children that were spawned with their parents, before all other links of these.
    fn stage_families(&mut self, relations: &[RelationSignature]) {
        let Self { storage, resources, .. } = self;
        let links = &mut storage.families.links;
        if links.is_empty() {
            return;
        }
        for relation in relations {
            let family = links.iter().filter(|link| link.relation == relation.resource);
            let mut family = family.map(|link| (link.child, link.parent));
            let relation = (relation.relation_mut)(resources.value_mut(relation.resource));
            relation.stage_first(&mut family);
        }
        links.clear();
    }

    /// Forgets what the last step has refused.
    pub(crate) fn forget_refused(&mut self, relations: &[RelationSignature]) {
        self.for_relations(relations, |relation| relation.refused_mut().clear());
    }

    /// Makes the staged changes of links of entities that have been spawned, unless a function has panicked. Panics of
    /// destructors go into `of_links`, so that they hinder nothing.
    pub(super) fn apply_links_of_spawned(
        &mut self,
        relations: Relations,
        panics: &PanicSlot,
        of_links: &PanicSlot,
    ) {
        self.for_relations(relations.all, AnyRelation::stage_those_of_spawned);
        self.apply_links(relations, panics, of_links);
    }

    /// Makes the staged changes of links, unless a function has panicked. Panics of destructors go into `of_links`.
    pub(super) fn apply_links(
        &mut self,
        relations: Relations,
        panics: &PanicSlot,
        of_links: &PanicSlot,
    ) {
        if !panics.is_empty() {
            return self.discard_links(relations.all, panics);
        }
        self.stage_families(relations.all);
        for relation in relations.all {
            let Self { resources, storage, refresh, .. } = self;
            let links = (relation.relation_mut)(resources.value_mut(relation.resource));
            let before = links.refused_mut().len();
            links.apply(&storage.entities, of_links);
            let refused = links.refused_mut();
            if let Some(first) = refused.get(before) {
                let name = relations.resources[relation.resource].name();
                refresh.refuse(name, *first, refused.len() - before);
            }
        }
    }

    /// Adds the descendants of despawned entities to the masks of these, or takes entities out that must not be despawned, as
    /// relations say; then ends the links of all that are despawned. Returns the number of rows.
    pub(super) fn despawn_related(
        &mut self,
        relations: Relations,
        mut count: u32,
        panics: &PanicSlot,
    ) -> u32 {
        if count == 0 {
            return 0;
        }
        let mut asked = core::mem::take(&mut self.refresh.asked);
        let blocks = self.refresh.dead_blocks.iter();
        asked.extend(blocks.map(|&block| (block, self.refresh.dead[block as usize])));
        // Masks of the rows that must not be despawned, by block.
        let mut kept: Vec<u64> = Vec::new();
        loop {
            self.add_descendants(relations);
            if !self.spare(relations, &asked, &mut kept) {
                break;
            }
            // Once more, without those.
            self.forget_dead();
            for &(block, rows) in &asked {
                let rows = rows & !kept[block as usize];
                if rows != 0 {
                    self.refresh.dead[block as usize] = rows;
                    self.refresh.dead_blocks.push(block);
                }
            }
        }
        asked.clear();
        self.refresh.asked = asked;
        let Self { refresh, resources, .. } = self;
        refresh.dead_blocks.sort_unstable();
        count = 0;
        for &block in &refresh.dead_blocks {
            count += refresh.dead[block as usize].count_ones();
        }
        for relation in relations.all {
            let links = (relation.relation_mut)(resources.value_mut(relation.resource));
            links.remove_all(&refresh.dead, &refresh.dead_blocks, panics);
        }
        count
    }

    /// Adds what is despawned together with the despawned entities.
    fn add_descendants(&mut self, relations: Relations) {
        let Self { refresh, resources, storage, .. } = self;
        // Descendants along one relation may have some along another one.
        loop {
            let rows = |&block: &u32| refresh.dead[block as usize].count_ones();
            let before: u32 = refresh.dead_blocks.iter().map(rows).sum();
            let mut cascading = 0;
            for relation in relations.all {
                let links = (relation.relation_mut)(resources.value_mut(relation.resource));
                if links.on_despawn() == OnDespawn::Despawn {
                    cascading += 1;
                    links.add_dependents(&mut refresh.dead, &mut refresh.dead_blocks);
                }
            }
            // Links lead to living entities, unless the program has exchanged the resource. Blocks ascend, so that the order of
            // iteration decides what is named in a refusal.
            let count = refresh.keep_dead(storage.entities.alive());
            if cascading < 2 || count == before {
                return;
            }
        }
    }

    /// Adds to the rows that are `kept` those of entities among the `asked` ones that must not be despawned: one of them, or of
    /// what would be despawned with them, has a child that stays. Returns whether there are any.
    ///
    /// O(despawned rows + their dependents), as it goes along each link once.
    fn spare(&mut self, relations: Relations, asked: &[(u32, u64)], kept: &mut Vec<u64>) -> bool {
        let (mut any, mut seen) = (false, Vec::new());
        for relation in relations.all {
            let Self { resources, refresh, storage, .. } = self;
            let links = (relation.relation_mut)(resources.value_mut(relation.resource));
            if links.on_despawn() != OnDespawn::Forbid {
                continue;
            }
            let alive = storage.entities.alive();
            let survivors = links.survivors(&refresh.dead, &refresh.dead_blocks, alive);
            if survivors.is_empty() {
                continue;
            }
            kept.resize(self.refresh.dead.len(), 0);
            seen.resize(self.refresh.dead.len(), 0);
            let mut refused = Vec::new();
            for (row, child) in survivors {
                self.for_causes(relations, row, asked, &mut seen, &mut |row| {
                    if !has(kept, row) {
                        add(kept, row);
                        refused.push((row, child));
                    }
                });
            }
            refused.sort_unstable();
            let Self { resources, refresh, storage, .. } = self;
            let links = (relation.relation_mut)(resources.value_mut(relation.resource));
            let rows = storage.entities.rows();
            let refused: Vec<Refused> = refused
                .into_iter()
                .map(|(row, dependent)| links.refusal(rows[row], rows[dependent]))
                .collect();
            if let Some(&first) = refused.first() {
                any = true;
                let name = relations.resources[relation.resource].name();
                refresh.refuse(name, first, refused.len());
                links.refused_mut().extend(refused);
            }
        }
        any
    }

    /// Calls `f` for those among the entities `asked` for because of which the one in the row is despawned: itself, or ancestors.
    /// Leaves out what it has `seen` before, and what is above that. Of an entity that is despawned already, nothing can be kept.
    fn for_causes(
        &mut self,
        relations: Relations,
        row: usize,
        asked: &[(u32, u64)],
        seen: &mut [u64],
        f: &mut dyn FnMut(usize),
    ) {
        if has(seen, row) {
            return;
        }
        add(seen, row);
        let mut wait = vec![row];
        while let Some(row) = wait.pop() {
            let at = asked.binary_search_by_key(&((row / BLOCK_ROWS) as u32), |(block, _)| *block);
            if at.is_ok_and(|at| asked[at].1 >> (row % BLOCK_ROWS) & 1 == 1) {
                let entity = self.storage.entities.rows()[row];
                if self.storage.entities.row(entity) == Some(row) {
                    f(row);
                }
            }
            self.for_relations(relations.all, |relation| {
                if relation.on_despawn() != OnDespawn::Despawn {
                    return;
                }
                relation.for_each_target(row, &mut |target| {
                    // A living row beyond the masks is not despawned, and neither is what is above.
                    if target / BLOCK_ROWS < seen.len() && !has(seen, target) {
                        add(seen, target);
                        wait.push(target);
                    }
                });
            });
        }
    }

    /// Lets the links follow entities to their new rows.
    pub(super) fn move_links(&mut self, relations: Relations, panics: &PanicSlot) {
        let Self { refresh, resources, .. } = self;
        for relation in relations.all {
            let links = (relation.relation_mut)(resources.value_mut(relation.resource));
            links.move_rows(&refresh.moves, panics);
        }
    }
}

/// Whether the row is in the masks.
fn has(masks: &[u64], row: usize) -> bool {
    masks.get(row / BLOCK_ROWS).is_some_and(|rows| rows >> (row % BLOCK_ROWS) & 1 == 1)
}

/// Adds the row to the masks, which have its block.
fn add(masks: &mut [u64], row: usize) {
    masks[row / BLOCK_ROWS] |= 1 << (row % BLOCK_ROWS);
}
