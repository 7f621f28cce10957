//! *Relations* between entities: one parent for each of many children, or links of many to many, with values.
//!
//! A relation is a resource of its world, so clones, snapshots and hashes have it. It is indexed by row, and follows
//! entities to other rows. It changes at the refresh only, so systems read it side by side.

mod any;
#[cfg(feature = "serde")]
mod bytes;
mod forest;
mod graph;
mod lists;
mod many_to_many;
mod row_set;
#[cfg(test)]
mod tests;

use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;

pub(crate) use any::{AnyRelation, StagesLinks};
pub(crate) use forest::{Forest, NONE};
pub(crate) use many_to_many::Change;
pub use many_to_many::{Linked, ManyToMany};
pub(crate) use row_set::RowSet;

use crate::entity::{Entity, Handles};
use crate::rows::BLOCK_ROWS;
use crate::types::{Brand, StateHash, StateHasher};

/// What becomes of the children when their parent is despawned, or of the sources of links when their target is: what `on_despawn:` of a
/// relation says.
///
/// ```
/// use ecs_core::{OnDespawn, Relation};
/// struct ChildOf;
///
/// let _without_links: Relation<ChildOf> = Relation::new(OnDespawn::Detach);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnDespawn {
    /// They are despawned, too, and so are theirs.
    Despawn,
    /// They have no parent any more, or one target less.
    Detach,
    /// The parent or target is not despawned as long as it has children or sources that are not despawned by the same refresh.
    Forbid,
}

/// The links of the relation `X`: what `relation X: one_to_many, on_despawn: ..;` in a declaration stands for.
///
/// It is a resource of the world. Systems and programs use it by methods of their own; this type is for the bounds of generic
/// code.
///
/// ```
/// # use ecs_core::{World, world};
/// # struct Name(&'static str);
/// struct ChildOf;
///
/// world! {
///     world Family;
///     component Name;
///     relation ChildOf: one_to_many, on_despawn: despawn;
/// }
///
/// let mut world = World::<Family>::new();
/// let [ada, bea, cleo] = ["Ada", "Bea", "Cleo"].map(|name| world.spawn((Name(name),)));
/// world.link::<ChildOf>(bea, ada)?;
/// world.link::<ChildOf>(cleo, bea)?;
/// assert_eq!(world.parent::<ChildOf>(cleo), Some(bea));
/// assert!(world.children::<ChildOf>(ada).eq([bea]));
/// world.despawn(ada);
/// assert!(!world.is_alive(cleo));
/// # Ok::<_, ecs_core::StepError>(())
/// ```
pub struct Relation<X> {
    pub(crate) links: Links,
    name: Brand<X>,
}

impl<X> Relation<X> {
    /// No links.
    #[must_use]
    pub fn new(on_despawn: OnDespawn) -> Self {
        Self { links: Links::new(on_despawn), name: PhantomData }
    }
}

impl<X> Clone for Relation<X> {
    fn clone(&self) -> Self {
        Self { links: self.links.clone(), name: PhantomData }
    }
}

impl<X> StateHash for Relation<X> {
    fn state_hash(&self, hasher: &mut StateHasher) {
        self.links.state_hash(hasher);
    }
}

impl<X> fmt::Debug for Relation<X> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let links = self.links.forest.links().count();
        f.debug_struct("Relation").field("links", &links).finish_non_exhaustive()
    }
}

/// What a refresh has refused for the sake of a relation. The rest of the step stands.
///
/// ```
/// use ecs_core::{Refused, StepError, World, world};
/// struct ChildOf;
///
/// world! {
///     world Family;
///     relation ChildOf: one_to_many, on_despawn: detach;
/// }
///
/// let mut world = World::<Family>::new();
/// let [ada, bea] = [(), ()].map(|()| world.spawn(()));
/// world.link::<ChildOf>(bea, ada)?;
/// let error = world.link::<ChildOf>(ada, bea).unwrap_err();
/// let cycle = Refused::Cycle { child: ada, parent: bea };
/// assert_eq!(error, StepError::Refused { relation: "ChildOf", refused: cycle, count: 1 });
/// assert!(error.to_string().contains("its own ancestor"));
/// # Ok::<_, StepError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refused {
    /// The child of the link is not alive.
    DeadChild {
        /// The child.
        child: Entity,
        /// The parent.
        parent: Entity,
    },
    /// The parent of the link is not alive.
    DeadParent {
        /// The child.
        child: Entity,
        /// The parent.
        parent: Entity,
    },
    /// The child has another parent, and was to be linked, not relinked.
    SecondParent {
        /// The child.
        child: Entity,
        /// The parent that it does not get.
        parent: Entity,
        /// The parent that it has.
        has: Entity,
    },
    /// The child is an ancestor of the parent, or is the same entity.
    Cycle {
        /// The child.
        child: Entity,
        /// The parent.
        parent: Entity,
    },
    /// The entity is not despawned, or one is not that would be despawned with it, as that has children.
    Despawn {
        /// The entity that was to be despawned.
        entity: Entity,
        /// A child that would have lost its parent: the first one in the order of iteration.
        child: Entity,
    },
    /// The source of the link, in a relation of many to many, is not alive.
    DeadSource {
        /// The source.
        source: Entity,
        /// The target.
        target: Entity,
    },
    /// The target of the link is not alive.
    DeadTarget {
        /// The source.
        source: Entity,
        /// The target.
        target: Entity,
    },
    /// The entity is not despawned, or one is not that would be despawned with it, as a link leads to that.
    DespawnTarget {
        /// The entity that was to be despawned.
        entity: Entity,
        /// The source of a link that would have ended: the first one in the order of iteration.
        source: Entity,
    },
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DeadChild { child, parent } => {
                write!(f, "{child:?} is not linked to {parent:?}, as it is not alive")
            }
            Self::DeadParent { child, parent } => {
                write!(f, "{child:?} is not linked to {parent:?}, which is not alive")
            }
            Self::SecondParent { child, parent, has } => {
                write!(
                    f,
                    "{child:?} is not linked to {parent:?}, as {has:?} is its parent; `relink` replaces that"
                )
            }
            Self::Cycle { child, parent } => {
                write!(f, "{child:?} is not linked to {parent:?}, as it would be its own ancestor")
            }
            Self::Despawn { entity, child } => {
                write!(f, "{entity:?} is not despawned, as {child:?} would lose its parent")
            }
            Self::DeadSource { source, target } => {
                write!(f, "{source:?} is not linked to {target:?}, as it is not alive")
            }
            Self::DeadTarget { source, target } => {
                write!(f, "{source:?} is not linked to {target:?}, which is not alive")
            }
            Self::DespawnTarget { entity, source } => {
                write!(f, "{entity:?} is not despawned, as {source:?} would lose a link")
            }
        }
    }
}

impl StateHash for Refused {
    fn state_hash(&self, hasher: &mut StateHasher) {
        match *self {
            Self::DeadChild { child, parent } => (0_u8, (child, parent)).state_hash(hasher),
            Self::DeadParent { child, parent } => (1_u8, (child, parent)).state_hash(hasher),
            Self::SecondParent { child, parent, has } => {
                (2_u8, (child, parent, has)).state_hash(hasher);
            }
            Self::Cycle { child, parent } => (3_u8, (child, parent)).state_hash(hasher),
            Self::Despawn { entity, child } => (4_u8, (entity, child)).state_hash(hasher),
            Self::DeadSource { source, target } => (5_u8, (source, target)).state_hash(hasher),
            Self::DeadTarget { source, target } => (6_u8, (source, target)).state_hash(hasher),
            Self::DespawnTarget { entity, source } => (7_u8, (entity, source)).state_hash(hasher),
        }
    }
}

/// A staged change of a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) child: Entity,
    pub(crate) to: To,
}

/// What a child is to be linked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum To {
    /// The parent, if the child has no other one.
    Parent(Entity),
    /// The parent, whatever the child has.
    Another(Entity),
    /// No parent.
    Nothing,
}

/// A relation without its type.
#[derive(Clone, Debug)]
pub(crate) struct Links {
    pub(crate) forest: Forest,
    pub(crate) on_despawn: OnDespawn,
    /// In the order in which they take effect.
    pub(crate) staged: Vec<Link>,
    /// Those of entities that the refresh spawns, which take effect when it has. Empty between refreshes.
    pub(crate) of_spawned: Vec<Link>,
    /// What the refreshes of the last step have refused, in the order in which it was staged.
    pub(crate) refused: Vec<Refused>,
}

impl Links {
    fn new(on_despawn: OnDespawn) -> Self {
        Self {
            forest: Forest::default(),
            on_despawn,
            staged: Vec::new(),
            of_spawned: Vec::new(),
            refused: Vec::new(),
        }
    }

    /// Makes the staged changes, in order. Links that are not possible are refused: each is one to an entity that is not alive,
    /// a second parent, or the last one on a cycle of the links after all these changes. The child then keeps what it had.
    ///
    /// O(changes + rows whose level changes): see [`Forest::finish`]. `rows` has the entity of each row.
    pub(crate) fn make_staged(&mut self, handles: Handles<'_>, rows: &[Entity]) {
        let Self { forest, staged, refused, .. } = self;
        if staged.is_empty() {
            return;
        }
        let mut found: Vec<(usize, Refused)> = Vec::new();
        for (order, &Link { child, to }) in staged.iter().enumerate() {
            let row = handles.row(child);
            let (parent, replaces) = match to {
                To::Parent(parent) => (parent, false),
                To::Another(parent) => (parent, true),
                To::Nothing => {
                    // An entity that is not alive has no parent.
                    if let Some(row) = row {
                        forest.change(row, None, order);
                    }
                    continue;
                }
            };
            let Some(row) = row else {
                found.push((order, Refused::DeadChild { child, parent }));
                continue;
            };
            let Some(above) = handles.row(parent) else {
                found.push((order, Refused::DeadParent { child, parent }));
                continue;
            };
            match forest.current(row) {
                _ if row == above => found.push((order, Refused::Cycle { child, parent })),
                Some(has) if has != above && !replaces => {
                    found.push((
                        order,
                        Refused::SecondParent { child, parent, has: entity_at(rows, has) },
                    ));
                }
                _ => forest.change(row, Some(above), order),
            }
        }
        staged.clear();
        forest.finish(&mut |order, child, parent| {
            found.push((
                order,
                Refused::Cycle { child: entity_at(rows, child), parent: entity_at(rows, parent) },
            ));
        });
        found.sort_unstable_by_key(|(order, _)| *order);
        refused.extend(found.into_iter().map(|(_, refused)| refused));
    }
}

impl StateHash for Links {
    fn state_hash(&self, hasher: &mut StateHasher) {
        for (child, parent) in self.forest.links() {
            (child as u64, parent as u64).state_hash(hasher);
        }
        (NONE, self.refused.len() as u64).state_hash(hasher);
        self.refused.iter().for_each(|refused| refused.state_hash(hasher));
    }
}

/// The entity of a row. There is one, unless the program has put the relation of another world here.
fn entity_at(rows: &[Entity], row: usize) -> Entity {
    rows.get(row).copied().unwrap_or(Entity::NEVER)
}

/// The children of an entity, in the order of iteration: what [`World::children`](crate::World::children) gives.
///
/// ```
/// use ecs_core::{Children, World, world};
/// struct ChildOf;
///
/// world! {
///     world Family;
///     relation ChildOf: one_to_many, on_despawn: detach;
/// }
///
/// let mut world = World::<Family>::new();
/// let [ada, bea, cleo] = [(), (), ()].map(|()| world.spawn(()));
/// world.link::<ChildOf>(cleo, ada)?;
/// world.link::<ChildOf>(bea, ada)?;
/// let children: Children<'_> = world.children::<ChildOf>(ada);
/// assert_eq!(children.len(), 2);
/// assert_eq!(children.collect::<Vec<_>>(), [bea, cleo]);
/// # Ok::<_, ecs_core::StepError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Children<'a> {
    rows: &'a [Entity],
    blocks: &'a [(u32, u64)],
    /// The rest of the block before.
    block: (u32, u64),
    left: usize,
}

impl Iterator for Children<'_> {
    type Item = Entity;

    #[inline]
    fn next(&mut self) -> Option<Entity> {
        while self.block.1 == 0 {
            let (first, rest) = self.blocks.split_first()?;
            (self.block, self.blocks) = (*first, rest);
        }
        let (block, rows) = self.block;
        self.block.1 &= rows - 1;
        self.left -= 1;
        Some(entity_at(self.rows, block as usize * BLOCK_ROWS + rows.trailing_zeros() as usize))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Children<'_> {}

impl FusedIterator for Children<'_> {}

impl Links {
    /// The parent of an entity, if it has one. O(1).
    #[inline]
    pub(crate) fn parent(
        &self,
        of: Entity,
        handles: Handles<'_>,
        rows: &[Entity],
    ) -> Option<Entity> {
        let parent = self.forest.parent(handles.row(of)?)?;
        rows.get(parent).copied()
    }

    /// The children of an entity. O(1).
    #[inline]
    pub(crate) fn children<'a>(
        &'a self,
        of: Entity,
        handles: Handles<'_>,
        rows: &'a [Entity],
    ) -> Children<'a> {
        let children = handles.row(of).and_then(|row| self.forest.children(row));
        children.map_or_else(Children::default, |children| Children {
            rows,
            blocks: children.blocks(),
            block: (0, 0),
            left: children.len(),
        })
    }
}
