//! Entities that are spawned at once, with the descendants that their templates have: their *family*.

use core::marker::PhantomData;
use core::mem::swap;

use crate::entity::{Entity, LimitReached};
use crate::signature::access::{Links, SpawnedBy};
use crate::signature::family::{Family, FamilyBy, assert_links, relation_of};
use crate::signature::{
    Bundle, Declaration, HasRelation, SystemName, facts_of, key_of, spawn_alone, spawn_order,
};
use crate::storage::{FamilyLink, Members, Storage};
use crate::types::Brand;

/// Up to this many entities are spawned one by one, and not as a batch.
const FEW: usize = 16;

impl Storage {
    /// Creates an entity with all its descendants, or none of them. As [`spawn`](Self::spawn).
    #[inline(never)]
    pub(super) fn spawn_family<D: Declaration, B: Bundle<D>>(
        &mut self,
        bundle: B,
    ) -> Result<Entity, LimitReached> {
        let needed = bundle.descendants().saturating_add(1);
        if self.entities.room() < needed {
            // Rows may be allocated for further spawns.
            self.complete_spawns();
            if self.entities.room() < needed {
                return Err(self.entities.limit_reached(needed));
            }
        }
        let root = self.spawn_root(bundle)?;
        if facts_of::<D, B>().descendants > 0 {
            self.families.entities.clear();
            self.families.entities.push(root);
            B::spawn_children(Members { first: 0, count: 1 }, &mut AtOnce::of(self));
        }
        Ok(root)
    }

    /// Spawns the children of the entities of the last batch, which [`spawned`](Self::spawned) gives before and after it.
    #[inline(never)]
    pub(super) fn spawn_children_of_batch<D: Declaration, B: Bundle<D>>(&mut self) {
        self.begin_children_of_batch(|members, storage| {
            B::spawn_children(members, &mut AtOnce::<D>::of(storage));
        });
    }

    /// Creates an entity as the sequential system `N` does, with all its descendants, or none of them. No spawns may be
    /// gathered (`storage/spawn/gathered.rs`) at the call.
    pub(crate) fn spawn_by<N: SystemName<D>, D: Declaration, B: SpawnedBy<N, D>>(
        &mut self,
        bundle: B,
    ) -> Result<Entity, LimitReached> {
        let bundle = bundle.stored();
        let needed = const { 1 + B::DESCENDANTS }.saturating_add(bundle.descendants());
        if needed > 1 && self.entities.room() < needed {
            return Err(self.entities.limit_reached(needed));
        }
        let root = spawn_alone::<D, _>(self, const { key_of::<D, B::Stored>() }, bundle)?;
        if const { B::DESCENDANTS > 0 } {
            self.families.entities.clear();
            self.families.entities.push(root);
            let root = Members { first: 0, count: 1 };
            B::spawn_children(root, &mut AtOnceBy::<N, D>::of(self));
        }
        Ok(root)
    }

    /// Creates an entity for each bundle as the sequential system `N` does, and then their descendants: all of them, or none.
    pub(crate) fn spawn_batch_by<N: SystemName<D>, D: Declaration, B: SpawnedBy<N, D>>(
        &mut self,
        bundles: impl Iterator<Item = B>,
    ) -> Result<(), LimitReached> {
        self.spawn_roots::<D, _>(bundles.map(B::stored), const { B::DESCENDANTS })?;
        if const { B::DESCENDANTS > 0 } {
            self.begin_children_of_batch(|members, storage| {
                B::spawn_children(members, &mut AtOnceBy::<N, D>::of(storage));
            });
        }
        self.spawn_due_of_batch();
        Ok(())
    }

    fn begin_children_of_batch(&mut self, spawn: impl FnOnce(Members, &mut Self)) {
        let mut entities = core::mem::take(&mut self.families.entities);
        entities.clear();
        entities.extend(self.spawned());
        let members = Members { first: 0, count: entities.len() };
        self.families.entities = entities;
        swap(&mut self.scratch.spawned, &mut self.families.rows);
        spawn(members, self);
        swap(&mut self.scratch.spawned, &mut self.families.rows);
    }

    /// Spawns `count` children for each parent, with the bundles that `make` makes, and links them. No spawns are gathered when it returns or
    /// `make` panics: a few children are mostly followed by others, so rows that are allocated in advance would stay unused.
    fn spawn_members<D: Declaration, B: Bundle<D>>(
        &mut self,
        relation: usize,
        parents: Members,
        count: usize,
        make: impl Fn() -> B,
    ) -> Members {
        let first = self.families.entities.len();
        let children = Members { first, count: parents.count * count };
        self.complete_spawns();
        if children.count <= FEW {
            for at in parents.first..parents.first + parents.count {
                let parent = self.families.entities[at];
                for _ in 0..count {
                    // There is room: it was asked for before the root was spawned.
                    let child = spawn_alone::<D, B>(self, facts_of::<D, B>().key, make());
                    let child = child.unwrap_or(Entity::NEVER);
                    self.families.entities.push(child);
                    self.families.links.push(FamilyLink { relation, child, parent });
                }
            }
            return children;
        }
        let bundles = (0..children.count).map(|_| make());
        let descendants = facts_of::<D, B>().descendants;
        let spawned = self.spawn_roots::<D, _>(bundles, descendants);
        let mut entities = core::mem::take(&mut self.families.entities);
        match spawned {
            Ok(()) => entities.extend(self.spawned()),
            Err(_) => entities.resize(first + children.count, Entity::NEVER),
        }
        let of = |parent: &Entity| core::iter::repeat_n(*parent, count);
        let parents = entities[parents.first..first].iter().take(parents.count).flat_map(of);
        let links = entities[first..].iter().zip(parents);
        let links = links.map(|(&child, parent)| FamilyLink { relation, child, parent });
        self.families.links.extend(links);
        self.families.entities = entities;
        children
    }
}

/// Spawns children at once.
struct AtOnce<'a, D> {
    storage: &'a mut Storage,
    declaration: Brand<D>,
}

impl<'a, D> AtOnce<'a, D> {
    fn of(storage: &'a mut Storage) -> Self {
        Self { storage, declaration: PhantomData }
    }
}

impl<D: Declaration> Family<D> for AtOnce<'_, D> {
    type Parents = Members;

    fn spawn<X: 'static, B: Bundle<D> + Default>(&mut self, parents: Members, count: usize)
    where
        D: HasRelation<X>,
    {
        let relation = const { relation_of::<D, X>() };
        let children = self.storage.spawn_members::<D, B>(relation, parents, count, B::default);
        B::spawn_children(children, self);
        self.storage.families.entities.truncate(children.first);
    }
}

/// Spawns children at once, as the sequential system `N` may.
struct AtOnceBy<'a, N, D> {
    storage: &'a mut Storage,
    names: Brand<(N, D)>,
}

impl<'a, N, D> AtOnceBy<'a, N, D> {
    fn of(storage: &'a mut Storage) -> Self {
        Self { storage, names: PhantomData }
    }
}

impl<N: SystemName<D>, D: Declaration> FamilyBy<N, D> for AtOnceBy<'_, N, D> {
    type Parents = Members;

    fn spawn<X: 'static, B: SpawnedBy<N, D> + Default>(&mut self, parents: Members, count: usize)
    where
        D: HasRelation<X>,
        N: Links<X, D>,
    {
        const { spawn_order::<D, N, B>() };
        const { assert_links::<D, N, X>() };
        let relation = const { relation_of::<D, X>() };
        let make = || B::default().stored();
        let children = self.storage.spawn_members::<D, _>(relation, parents, count, make);
        B::spawn_children(children, self);
        self.storage.families.entities.truncate(children.first);
    }
}
