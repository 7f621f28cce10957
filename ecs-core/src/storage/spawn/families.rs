//! *Families*: entities that are spawned together with their parent.
//!
//! A template has children. Those of a template of the declaration are known from its type, and are spawned by
//! [`changes/families.rs`](crate::changes). Those of a [`Template`](crate::Template) are known from its value: when that is put,
//! they become *due*, and are spawned as soon as the storage is whole again. In both cases the links wait here for the refresh,
//! as the storage knows no relations.

use core::fmt;
use std::sync::Arc;

use crate::entity::{AllocatedRows, Entity};
use crate::storage::Storage;

/// Children that are known at run time.
pub(crate) trait AnyChildren: Send + Sync {
    /// The number of entities: children, their children, and so on.
    fn count(&self) -> usize;

    /// Spawns them, and stages their links. Returns the number of entities that find no room.
    fn spawn(&self, parent: Entity, storage: &mut Storage) -> usize;
}

/// A child of a new entity, and the relation between them, as an index among the resources.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FamilyLink {
    pub(crate) relation: usize,
    pub(crate) child: Entity,
    pub(crate) parent: Entity,
}

/// Entities that were just spawned: a range of [`Families::entities`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Members {
    pub(crate) first: usize,
    pub(crate) count: usize,
}

/// What is under way. Empty between steps, but for its memory.
#[derive(Default)]
pub(crate) struct Families {
    /// Entities whose children are being spawned, and those children, and so on: a stack.
    pub(crate) entities: Vec<Entity>,
    /// The rows of the last batch, while their children are spawned.
    pub(crate) rows: Vec<AllocatedRows>,
    /// Entities whose children are not spawned yet.
    due: Vec<(Entity, Arc<dyn AnyChildren>)>,
    /// Links that take effect at the refresh, behind no other ones of these children.
    pub(crate) links: Vec<FamilyLink>,
}

impl Families {
    /// Whether there are children to be spawned.
    #[inline(always)]
    pub(crate) fn are_due(&self) -> bool {
        !self.due.is_empty()
    }

    /// The number of entities that are due, from a position on.
    pub(crate) fn count_due(&self, from: usize) -> usize {
        self.due[from..].iter().fold(0, |sum, (_, children)| sum.saturating_add(children.count()))
    }

    /// The number of parents whose children are due.
    pub(crate) fn parents_due(&self) -> usize {
        self.due.len()
    }

    /// Forgets the children that are due, from a position on.
    pub(crate) fn forget_due(&mut self, from: usize) {
        self.due.truncate(from);
    }

    /// Forgets all that is under way.
    pub(crate) fn clear(&mut self) {
        self.entities.clear();
        self.due.clear();
        self.links.clear();
    }
}

impl fmt::Debug for Families {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Families({}, {})", self.due.len(), self.links.len())
    }
}

impl Storage {
    /// The entity of the row is to have these children.
    pub(crate) fn put_children(&mut self, row: usize, children: Arc<dyn AnyChildren>) {
        let parent = self.entities.rows()[row];
        self.families.due.push((parent, children));
    }

    /// Spawns the children that are due, from a position on: parent by parent, each child before its own children, and these before
    /// the next child. Returns the number of entities that find no room. None may be gathered.
    #[cold]
    #[inline(never)]
    pub(crate) fn spawn_due(&mut self, from: usize) -> usize {
        let (mut lost, end) = (0, self.families.due.len());
        for at in from..end {
            let (parent, children) = &self.families.due[at];
            let (parent, children) = (*parent, Arc::clone(children));
            // What becomes due by that is spawned at once, and is behind `end`.
            lost = children.spawn(parent, self).saturating_add(lost);
        }
        self.families.due.truncate(from);
        lost
    }
}
