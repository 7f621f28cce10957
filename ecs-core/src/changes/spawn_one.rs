//! Spawns one entity.

use crate::entity::{Entity, LimitReached};
use crate::signature::{Bundle, Declaration, facts_of};
use crate::storage::Storage;

impl Storage {
    /// Creates an entity with its descendants, and gathers it with others if it can be. The storage must not be read before
    /// [`complete_spawns`](Self::complete_spawns) is called.
    #[inline(always)]
    pub(crate) fn spawn<D: Declaration, B: Bundle<D>>(
        &mut self,
        bundle: B,
    ) -> Result<Entity, LimitReached> {
        if bundle.descendants() > 0 {
            return self.spawn_family(bundle);
        }
        self.spawn_root(bundle)
    }

    /// As [`spawn`](Self::spawn), without the children that follow from the type.
    #[inline(always)]
    pub(super) fn spawn_root<D: Declaration, B: Bundle<D>>(
        &mut self,
        bundle: B,
    ) -> Result<Entity, LimitReached> {
        let facts = facts_of::<D, B>();
        match &facts.components {
            Some(components) if facts.by_blocks => {
                if let Some(row) = self.next_row(components, facts.key) {
                    return bundle.spawn(row);
                }
            }
            _ => self.complete_spawns(),
        }
        Bundle::<D>::spawn_apart(bundle, self)
    }
}
