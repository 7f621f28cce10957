//! Relations as bytes: links between rows, and what the last step refused.

use super::graph::Graph;
use super::lists::Entry;
use super::{Links, ManyToMany, NONE, Refused};
use crate::entity::{Entities, Entity, entity_from, put_entity};
use crate::types::bytes::{Codec, Decoder, Encoder, Fault};

impl Links {
    pub(crate) fn save(&self, to: &mut Encoder<'_>) {
        to.len(self.forest.links().count());
        for (child, parent) in self.forest.links() {
            to.u32(child as u32);
            to.u32(parent as u32);
        }
        save_refused(&self.refused, to);
    }

    /// Reads the links in the place of those in `self`.
    pub(crate) fn load(
        &mut self,
        entities: &Entities,
        from: &mut Decoder<'_>,
    ) -> Result<(), Fault> {
        let mut links = Vec::new();
        for _ in 0..from.len()? {
            let [child, parent] = [living(entities, from)?, living(entities, from)?];
            if links.last().is_some_and(|&(last, _)| last >= child) {
                return Err(Fault::new("an entity has two parents"));
            }
            links.push((child, parent));
        }
        if has_cycle(&links, entities.rows().len()) {
            return Err(Fault::new("an entity is its own ancestor"));
        }
        *self = Self::new(self.on_despawn);
        for (order, (child, parent)) in links.into_iter().enumerate() {
            self.forest.change(child, Some(parent), order);
        }
        self.forest.finish(&mut |_, _, _| {});
        self.refused = load_refused(from)?;
        Ok(())
    }
}

impl<X> ManyToMany<X> {
    pub(crate) fn save<'a, K: Codec<'a, X>>(&self, to: &mut Encoder<'_>) -> Result<(), Fault> {
        to.len(self.graph.len());
        for (source, Entry { row: target, .. }) in self.graph.links() {
            to.u32(source as u32);
            to.u32(target);
        }
        for (_, Entry { link, .. }) in self.graph.links() {
            if let Some(value) = &self.values[link as usize] {
                K::write(value, to)?;
            }
        }
        save_refused(&self.refused, to);
        Ok(())
    }

    /// Reads the links in the place of those in `self`.
    pub(crate) fn load<'a, K: Codec<'a, X>>(
        &mut self,
        entities: &Entities,
        from: &mut Decoder<'_>,
    ) -> Result<(), Fault> {
        let mut last = None;
        let mut graph = Graph::new();
        let links = from.len()?;
        for _ in 0..links {
            let ends = [living(entities, from)? as u32, living(entities, from)? as u32];
            if last.replace(ends).is_some_and(|last| last >= ends) {
                return Err(Fault::new("there are two links between the same entities"));
            }
            graph.add(ends);
        }
        graph.finish();
        *self = Self::new(self.on_despawn);
        K::read_all(from, links, |value| self.values.push(Some(value)))?;
        // New links have their numbers in the order of their addition.
        self.graph = graph;
        self.refused = load_refused(from)?;
        Ok(())
    }
}

/// Whether an entity is its own ancestor, by these pairs of a child and its parent. O(rows + links).
fn has_cycle(links: &[(usize, usize)], rows: usize) -> bool {
    const NOT_SEEN: u32 = u32::MAX;
    let mut parents = vec![NONE; rows];
    for &(child, parent) in links {
        parents[child] = parent as u32;
    }
    // By which walk up a row was seen.
    let mut seen = vec![NOT_SEEN; rows];
    for (walk, &(child, _)) in (0..).zip(links) {
        let mut row = child as u32;
        while row != NONE && seen[row as usize] == NOT_SEEN {
            seen[row as usize] = walk;
            row = parents[row as usize];
        }
        if row != NONE && seen[row as usize] == walk {
            return true;
        }
    }
    false
}

/// The next row, in which an entity must be alive.
fn living(entities: &Entities, from: &mut Decoder<'_>) -> Result<usize, Fault> {
    let row = from.u32()? as usize;
    if entities.alive().contains(row) {
        Ok(row)
    } else {
        Err(Fault::new("a link leads to no entity"))
    }
}

fn save_refused(refused: &[Refused], to: &mut Encoder<'_>) {
    to.len(refused.len());
    for &refused in refused {
        let (kind, entities): (u8, [Option<Entity>; 3]) = match refused {
            Refused::DeadChild { child, parent } => (0, [Some(child), Some(parent), None]),
            Refused::DeadParent { child, parent } => (1, [Some(child), Some(parent), None]),
            Refused::SecondParent { child, parent, has } => {
                (2, [Some(child), Some(parent), Some(has)])
            }
            Refused::Cycle { child, parent } => (3, [Some(child), Some(parent), None]),
            Refused::Despawn { entity, child } => (4, [Some(entity), Some(child), None]),
            Refused::DeadSource { source, target } => (5, [Some(source), Some(target), None]),
            Refused::DeadTarget { source, target } => (6, [Some(source), Some(target), None]),
            Refused::DespawnTarget { entity, source } => (7, [Some(entity), Some(source), None]),
        };
        to.u8(kind);
        entities.into_iter().flatten().for_each(|entity| put_entity(to, entity));
    }
}

fn load_refused(from: &mut Decoder<'_>) -> Result<Vec<Refused>, Fault> {
    let mut refused = Vec::new();
    for _ in 0..from.len()? {
        let kind = from.u8()?;
        let [one, other] = [entity_from(from)?, entity_from(from)?];
        refused.push(match kind {
            0 => Refused::DeadChild { child: one, parent: other },
            1 => Refused::DeadParent { child: one, parent: other },
            2 => Refused::SecondParent { child: one, parent: other, has: entity_from(from)? },
            3 => Refused::Cycle { child: one, parent: other },
            4 => Refused::Despawn { entity: one, child: other },
            5 => Refused::DeadSource { source: one, target: other },
            6 => Refused::DeadTarget { source: one, target: other },
            7 => Refused::DespawnTarget { entity: one, source: other },
            _ => return Err(Fault::new("a relation has refused something unknown")),
        });
    }
    Ok(refused)
}
