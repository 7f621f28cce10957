//! Relations: staged links take effect, descendants are despawned with their ancestors, and links follow entities to other
//! rows.

use std::collections::BTreeSet;

use crate::parallel::PanicSlot;
use crate::relations::{OnDespawn, Refused};
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
    /// Whether changes of links are staged.
    pub(crate) fn has_links(&mut self, relations: &[RelationSignature]) -> bool {
        relations.iter().any(|relation| {
            let links = (relation.links_mut)(self.resources.value_mut(relation.resource));
            !links.staged.is_empty()
        })
    }

    /// Drops the staged changes of links, after a panic.
    pub(super) fn discard_links(&mut self, relations: &[RelationSignature]) {
        for relation in relations {
            let links = (relation.links_mut)(self.resources.value_mut(relation.resource));
            links.staged.clear();
        }
    }

    /// Forgets what the last step has refused.
    pub(crate) fn forget_refused(&mut self, relations: &[RelationSignature]) {
        for relation in relations {
            let links = (relation.links_mut)(self.resources.value_mut(relation.resource));
            links.refused.clear();
        }
    }

    /// Makes the staged changes of links, unless a function has panicked.
    pub(super) fn apply_links(&mut self, relations: Relations, panics: &PanicSlot) {
        if !panics.is_empty() {
            return self.discard_links(relations.all);
        }
        for relation in relations.all {
            let Self { resources, storage, refresh, .. } = self;
            let links = (relation.links_mut)(resources.value_mut(relation.resource));
            let before = links.refused.len();
            links.apply(storage.entities.handles(), storage.entities.rows());
            if let Some(first) = links.refused.get(before) {
                let name = relations.resources[relation.resource].name();
                refresh.refuse(name, *first, links.refused.len() - before);
            }
        }
    }

    /// Adds the descendants of despawned entities to the masks of these, or takes entities out that must not be despawned, as
    /// relations say; then ends the links of all that are despawned. Returns the number of rows.
    pub(super) fn despawn_related(&mut self, relations: Relations, mut count: u32) -> u32 {
        if count == 0 {
            return 0;
        }
        let asked: Vec<(u32, u64)> = {
            let blocks = self.refresh.dead_blocks.iter();
            blocks.map(|&block| (block, self.refresh.dead[block as usize])).collect()
        };
        let mut kept: Vec<(u32, u64)> = Vec::new();
        loop {
            self.add_descendants(relations);
            let survivors = self.spared(relations, &asked, &kept);
            if survivors.is_empty() {
                break;
            }
            kept.extend(survivors);
            // Once more, without those.
            self.forget_dead();
            for &(block, rows) in &asked {
                let keeps = kept.iter().filter(|(other, _)| *other == block);
                let rows = keeps.fold(rows, |rows, (_, kept)| rows & !kept);
                if rows != 0 {
                    self.refresh.dead[block as usize] = rows;
                    self.refresh.dead_blocks.push(block);
                }
            }
        }
        let Self { refresh, resources, .. } = self;
        refresh.dead_blocks.sort_unstable();
        count = 0;
        for &block in &refresh.dead_blocks {
            count += refresh.dead[block as usize].count_ones();
        }
        for relation in relations.all {
            let links = (relation.links_mut)(resources.value_mut(relation.resource));
            links.forest.remove_all(&refresh.dead, &refresh.dead_blocks);
        }
        count
    }

    /// Adds what is despawned together with the despawned entities.
    fn add_descendants(&mut self, relations: Relations) {
        let Self { refresh, resources, storage, .. } = self;
        // Descendants along one relation may have some along another one.
        loop {
            let count = |dead: &[u64], blocks: &[u32]| -> u32 {
                blocks.iter().map(|&block| dead[block as usize].count_ones()).sum()
            };
            let before = count(&refresh.dead, &refresh.dead_blocks);
            let mut cascading = 0;
            for relation in relations.all {
                let links = (relation.links_mut)(resources.value_mut(relation.resource));
                if links.on_despawn == OnDespawn::Despawn {
                    cascading += 1;
                    links.forest.add_descendants(&mut refresh.dead, &mut refresh.dead_blocks);
                }
            }
            // Links lead to living entities, unless the program has exchanged the resource.
            refresh.dead_blocks.retain(|&block| {
                let dead = &mut refresh.dead[block as usize];
                *dead &= storage.entities.alive().word(block as usize);
                *dead != 0
            });
            // Ascending, so that the order of iteration decides what is named in a refusal.
            refresh.dead_blocks.sort_unstable();
            if cascading < 2 || count(&refresh.dead, &refresh.dead_blocks) == before {
                return;
            }
        }
    }

    /// The entities among those that were `asked` for which must not be despawned, as one of them, or of what would be
    /// despawned with them, has a child that stays. Those `kept` are known already.
    fn spared(
        &mut self,
        relations: Relations,
        asked: &[(u32, u64)],
        kept: &[(u32, u64)],
    ) -> Vec<(u32, u64)> {
        let mut found: Vec<(u32, u64)> = Vec::new();
        for relation in relations.all {
            let links = (relation.links_mut)(self.resources.value_mut(relation.resource));
            if links.on_despawn != OnDespawn::Forbid {
                continue;
            }
            let survivors = links.survivors(&self.refresh.dead, &self.refresh.dead_blocks);
            let mut refused = Vec::new();
            for (row, child) in survivors {
                let all = self.causes(relations, row, asked);
                let new = all.into_iter().filter(|&row| !has(kept, row) && !has(&found, row));
                let new: Vec<usize> = new.collect();
                for row in new {
                    found.push(((row / BLOCK_ROWS) as u32, 1 << (row % BLOCK_ROWS)));
                    refused.push((row, child));
                }
            }
            let rows = self.storage.entities.rows();
            refused.sort_unstable();
            let refused: Vec<Refused> = refused
                .into_iter()
                .map(|(row, child)| Refused::Despawn { entity: rows[row], child: rows[child] })
                .collect();
            if let Some(&first) = refused.first() {
                let name = relations.resources[relation.resource].name();
                self.refresh.refuse(name, first, refused.len());
                let links = (relation.links_mut)(self.resources.value_mut(relation.resource));
                links.refused.extend(refused);
            }
        }
        found
    }

    /// Those among the entities `asked` for because of which the one in the row is despawned: itself, or ancestors. Of an entity
    /// that is despawned already, nothing can be kept.
    fn causes(&mut self, relations: Relations, row: usize, asked: &[(u32, u64)]) -> Vec<usize> {
        let is_alive = |this: &Self, row: usize| {
            let entity = this.storage.entities.rows()[row];
            this.storage.entities.row(entity) == Some(row)
        };
        let (mut wait, mut seen, mut causes) = (vec![row], BTreeSet::from([row]), Vec::new());
        while let Some(row) = wait.pop() {
            let block = asked.partition_point(|(block, _)| (*block as usize) < row / BLOCK_ROWS);
            let is_asked = has(asked.get(block..block + 1).unwrap_or(&[]), row);
            if is_asked && is_alive(self, row) {
                causes.push(row);
            }
            for relation in relations.all {
                let links = (relation.links_mut)(self.resources.value_mut(relation.resource));
                let parent = links.forest.parent(row);
                let parent = parent.filter(|_| links.on_despawn == OnDespawn::Despawn);
                wait.extend(parent.filter(|parent| seen.insert(*parent)));
            }
        }
        causes
    }

    /// Lets the links follow entities to their new rows.
    pub(super) fn move_links(&mut self, relations: Relations) {
        let Self { refresh, resources, .. } = self;
        for relation in relations.all {
            let links = (relation.links_mut)(resources.value_mut(relation.resource));
            for &(from, to) in &refresh.moves {
                links.forest.move_row(from, to);
            }
        }
    }
}

/// Whether the row is in one of the masks of blocks.
fn has(masks: &[(u32, u64)], row: usize) -> bool {
    let mut of_block = masks.iter().filter(|(block, _)| *block as usize == row / BLOCK_ROWS);
    of_block.any(|(_, rows)| rows >> (row % BLOCK_ROWS) & 1 == 1)
}
