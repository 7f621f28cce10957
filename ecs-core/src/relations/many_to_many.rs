//! Relations of many to many, whose links have values.

use core::fmt;
use core::iter::FusedIterator;
use core::mem;
use core::slice;

use super::any::AnyRelation;
use super::graph::Graph;
use super::lists::{Entry, PREFETCH_DISTANCE};
use super::{OnDespawn, Refused, entity_at};
use crate::entity::{Entities, Entity};
use crate::parallel::{PanicSlot, drop_all};
use crate::rows::{BLOCK_ROWS, Presence, rows_of};
use crate::types::{StateHash, StateHasher, ThreadSafe};

/// The links of the relation `X`, each with a value of that type: what `relation X: many_to_many, on_despawn: ..;` in a declaration
/// stands for.
///
/// It is a resource of the world. Systems and programs use it by methods of their own; this type is for the bounds of generic
/// code.
///
/// ```
/// # use ecs_core::{World, world};
/// # struct Name(&'static str);
/// /// How much.
/// struct Likes(u8);
///
/// world! {
///     world Village;
///     component Name;
///     relation Likes: many_to_many, on_despawn: detach;
/// }
///
/// let mut world = World::<Village>::new();
/// let [ada, bea, cleo] = ["Ada", "Bea", "Cleo"].map(|name| world.spawn((Name(name),)));
/// world.insert_link(ada, cleo, Likes(3))?;
/// world.insert_link(ada, bea, Likes(5))?;
/// world.insert_link(bea, ada, Likes(1))?;
/// assert!(world.targets::<Likes>(ada).map(|(whom, likes)| (whom, likes.0)).eq([(bea, 5), (cleo, 3)]));
/// assert!(world.sources::<Likes>(ada).map(|(who, likes)| (who, likes.0)).eq([(bea, 1)]));
/// world.despawn(bea);
/// assert_eq!(world.targets::<Likes>(ada).len(), 1);
/// # Ok::<_, ecs_core::StepError>(())
/// ```
pub struct ManyToMany<X> {
    pub(super) graph: Graph,
    /// By number of the link. Invariant: each link of the graph has a value, and nothing else.
    pub(super) values: Vec<Option<X>>,
    pub(super) on_despawn: OnDespawn,
    /// In the order in which they take effect.
    pub(crate) staged: Vec<Change<X>>,
    /// Those of entities that the refresh spawns, which take effect when it has. Empty between refreshes.
    pub(crate) of_spawned: Vec<Change<X>>,
    pub(super) refused: Vec<Refused>,
    /// The source, the target and the place among `staged` of each change of a batch. Its memory is reused, as that of `ended`.
    batch: Vec<(u32, u32, usize)>,
    /// Numbers of links that have ended, and whose values are there still.
    ended: Vec<u32>,
}

/// A staged change of the link between two entities.
#[derive(Clone, Debug)]
pub(crate) struct Change<X> {
    pub(crate) source: Entity,
    pub(crate) target: Entity,
    /// Its value; none if the link is to end.
    pub(crate) value: Option<X>,
}

impl<X> ManyToMany<X> {
    /// No links.
    #[must_use]
    pub const fn new(on_despawn: OnDespawn) -> Self {
        Self {
            graph: Graph::new(),
            values: Vec::new(),
            on_despawn,
            staged: Vec::new(),
            of_spawned: Vec::new(),
            refused: Vec::new(),
            batch: Vec::new(),
            ended: Vec::new(),
        }
    }

    /// The links from an entity. O(1).
    #[inline]
    pub(crate) fn targets<'a>(&'a self, of: Entity, entities: &'a Entities) -> Linked<'a, X> {
        let row = entities.handles().row(of);
        self.linked(row.map_or(&[], |row| self.graph.targets(row)), entities)
    }

    /// The links to an entity. O(1).
    #[inline]
    pub(crate) fn sources<'a>(&'a self, of: Entity, entities: &'a Entities) -> Linked<'a, X> {
        let row = entities.handles().row(of);
        self.linked(row.map_or(&[], |row| self.graph.sources(row)), entities)
    }

    #[inline]
    fn linked<'a>(&'a self, entries: &'a [Entry], entities: &'a Entities) -> Linked<'a, X> {
        Linked { entries: entries.iter(), values: &self.values, rows: entities.rows() }
    }

    /// The value of the link between two entities, if there is one. O(log links of the source).
    #[inline]
    pub(crate) fn get(&self, source: Entity, target: Entity, entities: &Entities) -> Option<&X> {
        let handles = entities.handles();
        let link = self.graph.find(handles.row(source)?, handles.row(target)? as u32)?;
        self.values[link as usize].as_ref()
    }

    /// The same, to write.
    pub(crate) fn get_mut(
        &mut self,
        source: Entity,
        target: Entity,
        entities: &Entities,
    ) -> Option<&mut X> {
        let handles = entities.handles();
        let link = self.graph.find(handles.row(source)?, handles.row(target)? as u32)?;
        self.values[link as usize].as_mut()
    }

    /// All links: source, target and value, in the order of iteration of the sources, then of the targets.
    pub(crate) fn links<'a>(
        &'a self,
        entities: &'a Entities,
    ) -> impl Iterator<Item = (Entity, Entity, &'a X)> {
        let entity = |row| entity_at(entities.rows(), row);
        self.graph.links().map(move |(source, Entry { row: target, link })| {
            let value = self.values[link as usize].as_ref().expect("a link has a value");
            (entity(source), entity(target as usize), value)
        })
    }

    /// What the refreshes of the last step have refused.
    pub(crate) fn refused(&self) -> &[Refused] {
        &self.refused
    }

    /// Drops the values of links that have ended.
    fn drop_ended(&mut self, panics: &PanicSlot) {
        let Self { values, ended, .. } = self;
        panics.catch_each(0, None, ended.drain(..), |link| drop(values[link as usize].take()));
    }
}

impl<X> Drop for ManyToMany<X> {
    fn drop(&mut self) {
        drop_all(|panics| {
            panics.drop_each(0, None, self.values.drain(..));
            panics.drop_each(0, None, self.staged.drain(..));
            panics.drop_each(0, None, self.of_spawned.drain(..));
        });
    }
}

impl<X: Clone> Clone for ManyToMany<X> {
    fn clone(&self) -> Self {
        Self {
            graph: self.graph.clone(),
            values: self.values.clone(),
            on_despawn: self.on_despawn,
            // Between steps there are none; those of a step belong to its world.
            staged: Vec::new(),
            of_spawned: Vec::new(),
            refused: self.refused.clone(),
            batch: Vec::new(),
            ended: Vec::new(),
        }
    }
}

impl<X: StateHash> StateHash for ManyToMany<X> {
    fn state_hash(&self, hasher: &mut StateHasher) {
        for (source, Entry { row: target, link }) in self.graph.links() {
            (source as u64, u64::from(target)).state_hash(hasher);
            self.values[link as usize].state_hash(hasher);
        }
        (u64::MAX, self.refused.len() as u64).state_hash(hasher);
        self.refused.iter().for_each(|refused| refused.state_hash(hasher));
    }
}

impl<X> fmt::Debug for ManyToMany<X> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ManyToMany").field("links", &self.graph.len()).finish_non_exhaustive()
    }
}

impl<X: ThreadSafe> AnyRelation for ManyToMany<X> {
    fn on_despawn(&self) -> OnDespawn {
        self.on_despawn
    }

    fn refused_mut(&mut self) -> &mut Vec<Refused> {
        &mut self.refused
    }

    fn is_staged(&self) -> bool {
        !self.staged.is_empty()
    }

    fn discard(&mut self, panics: &PanicSlot) {
        panics.drop_each(0, None, self.staged.drain(..));
        panics.drop_each(0, None, self.of_spawned.drain(..));
    }

    fn stage_those_of_spawned(&mut self) {
        self.staged.append(&mut self.of_spawned);
    }

    fn stage_first(&mut self, _: &mut dyn Iterator<Item = (Entity, Entity)>) {}

    fn stage_last(&mut self, _: &mut dyn Iterator<Item = (Entity, Entity)>) {}

    /// Of several changes of one link, the last one counts. O(changes · log): see [`Graph::finish`].
    fn apply(&mut self, entities: &Entities, panics: &PanicSlot) {
        if self.staged.is_empty() {
            return;
        }
        let Self { graph, values, staged, refused, batch, .. } = self;
        let handles = entities.handles();
        // Left over if there were too many links.
        batch.clear();
        for (order, &Change { source, target, ref value }) in staged.iter().enumerate() {
            let refusal = match (handles.row(source), handles.row(target)) {
                (Some(source), Some(target)) => {
                    batch.push((source as u32, target as u32, order));
                    continue;
                }
                (None, _) => Refused::DeadSource { source, target },
                (_, None) => Refused::DeadTarget { source, target },
            };
            // An entity that is not alive has no links.
            if value.is_some() {
                refused.push(refusal);
            }
        }
        batch.sort_unstable();
        let mut count = 0;
        for of_link in batch.chunk_by(|one, other| (one.0, one.1) == (other.0, other.1)) {
            count += of_link.len();
            graph.prefetch(batch.get(count + PREFETCH_DISTANCE).map(|change| change.0));
            let &(source, target, order) = of_link.last().expect("chunks are not empty");
            let new = &mut staged[order].value;
            match (graph.find(source as usize, target), new.is_some()) {
                (Some(link), true) => mem::swap(&mut values[link as usize], new),
                (Some(link), false) => {
                    graph.remove([source, target], link);
                    *new = values[link as usize].take();
                }
                (None, true) => {
                    let link = graph.add([source, target]) as usize;
                    if values.len() <= link {
                        values.resize_with(link + 1, || None);
                    }
                    values[link] = new.take();
                }
                (None, false) => {}
            }
        }
        batch.clear();
        graph.finish();
        // With the values that links had before.
        panics.drop_each(0, None, staged.drain(..));
    }

    fn add_dependents(&mut self, masks: &mut [u64], blocks: &mut Vec<u32>) {
        self.graph.add_sources(masks, blocks);
    }

    fn survivors(&self, masks: &[u64], blocks: &[u32], alive: &Presence) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        for &block in blocks {
            for row in rows_of(block as usize, masks[block as usize]) {
                let mut sources = self.graph.sources(row).iter().map(|entry| entry.row as usize);
                let living = sources.find(|source| {
                    let (block, bit) = (source / BLOCK_ROWS, source % BLOCK_ROWS);
                    let dead = masks.get(block).copied().unwrap_or(0);
                    (alive.word(block) & !dead) >> bit & 1 == 1
                });
                found.extend(living.map(|source| (row, source)));
            }
        }
        found
    }

    fn for_each_target(&self, row: usize, f: &mut dyn FnMut(usize)) {
        self.graph.targets(row).iter().for_each(|entry| f(entry.row as usize));
    }

    fn refusal(&self, entity: Entity, source: Entity) -> Refused {
        Refused::DespawnTarget { entity, source }
    }

    fn remove_all(&mut self, masks: &[u64], blocks: &[u32], panics: &PanicSlot) {
        let Self { graph, ended, .. } = self;
        graph.remove_all(masks, blocks, &mut |link| ended.push(link));
        self.drop_ended(panics);
    }

    fn move_rows(&mut self, moves: &[(usize, usize)], panics: &PanicSlot) {
        let Self { graph, ended, .. } = self;
        graph.move_rows(moves, &mut |link| ended.push(link));
        self.drop_ended(panics);
    }
}

/// The entities that are linked to one, at one of their two ends, each with the value of the link, in the order of iteration: what
/// [`World::targets`](crate::World::targets) and [`World::sources`](crate::World::sources) give.
///
/// ```
/// use ecs_core::{Linked, World, world};
/// struct Owes(u32);
///
/// world! {
///     world Bank;
///     relation Owes: many_to_many, on_despawn: detach;
/// }
///
/// let mut world = World::<Bank>::new();
/// let [ada, bea, cleo] = [(), (), ()].map(|()| world.spawn(()));
/// world.insert_link(cleo, ada, Owes(70))?;
/// world.insert_link(bea, ada, Owes(20))?;
/// let debtors: Linked<'_, Owes> = world.sources::<Owes>(ada);
/// assert_eq!(debtors.len(), 2);
/// assert_eq!(debtors.clone().map(|(_, owes)| owes.0).sum::<u32>(), 90);
/// assert!(debtors.map(|(who, _)| who).eq([bea, cleo]));
/// # Ok::<_, ecs_core::StepError>(())
/// ```
pub struct Linked<'a, X> {
    entries: slice::Iter<'a, Entry>,
    values: &'a [Option<X>],
    rows: &'a [Entity],
}

impl<'a, X> Linked<'a, X> {
    #[inline]
    fn at(&self, entry: Entry) -> (Entity, &'a X) {
        let value = self.values[entry.link as usize].as_ref().expect("a link has a value");
        (entity_at(self.rows, entry.row as usize), value)
    }
}

impl<'a, X> Iterator for Linked<'a, X> {
    type Item = (Entity, &'a X);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let entry = *self.entries.next()?;
        Some(self.at(entry))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.entries.size_hint()
    }
}

impl<X> DoubleEndedIterator for Linked<'_, X> {
    #[inline]
    fn next_back(&mut self) -> Option<Self::Item> {
        let entry = *self.entries.next_back()?;
        Some(self.at(entry))
    }
}

impl<X> ExactSizeIterator for Linked<'_, X> {}

impl<X> FusedIterator for Linked<'_, X> {}

impl<X> Clone for Linked<'_, X> {
    fn clone(&self) -> Self {
        Self { entries: self.entries.clone(), values: self.values, rows: self.rows }
    }
}

impl<X: fmt::Debug> fmt::Debug for Linked<'_, X> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}
