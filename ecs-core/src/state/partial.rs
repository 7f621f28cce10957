//! What refreshes keep that systems go on over.

use crate::changes::{AllStaged, UpdateConflicts};
use crate::signature::{Barrier, Phases, Tables, barriers, groups};
use crate::storage::{PhaseCell, Storage};

/// The barriers of an execution, and the memory of their refreshes. There is one in a world with a barrier that a system may go
/// on over.
#[derive(Debug)]
pub(crate) struct Partial {
    barriers: Box<[Barrier]>,
    /// Exclusively lent to a barrier in progress. One comes after the other.
    pub(crate) work: PhaseCell<PartialWork>,
}

/// The memory of a refresh that systems go on over.
#[derive(Debug)]
pub(crate) struct PartialWork {
    /// It has the columns that change, meanwhile.
    pub(crate) storage: Storage,
    pub(crate) staged: AllStaged,
    /// There are none: systems do not go on over a refresh that has to look for conflicts.
    pub(crate) conflicts: UpdateConflicts,
}

impl Partial {
    /// Those of a declaration. `None` if no system goes on over a barrier.
    pub(crate) fn of(tables: Tables<'_>, phases: &Phases) -> Option<Box<Self>> {
        let barriers = barriers(tables, phases);
        if groups(tables.systems, &barriers).is_empty() {
            return None;
        }
        let work = PartialWork {
            storage: Storage::of_lent(tables.components.len()),
            staged: AllStaged::default(),
            conflicts: UpdateConflicts::default(),
        };
        Some(Box::new(Self { barriers: barriers.into(), work: PhaseCell::new(work) }))
    }

    /// The barrier before the phase.
    ///
    /// # Panics
    /// If there is none.
    pub(crate) fn barrier(&self, phase: usize) -> &Barrier {
        let barrier = self.barriers.iter().find(|barrier| barrier.phase == phase);
        barrier.expect("a refresh between two phases is one of the barriers")
    }
}
