//! The errors of a step that does not panic.

use core::fmt;

use crate::entity::{Entity, LimitReached, advice};
use crate::relations::Refused;

/// Why a step could not do everything that was requested.
///
/// ```
/// use ecs_core::{StepError, World, world};
/// # struct Cell(u32);
///
/// world! {
///     world Dish { entity_limit: fixed(3) }
///     component Cell;
///     system Divide { spawn: [Cell], each: |cell: &Cell, effects| effects.spawn((Cell(cell.0 + 1),)) }
/// }
///
/// let mut world = World::<Dish>::new();
/// world.spawn((Cell(0),)).unwrap();
/// assert_eq!(world.tick(), Ok(()));
/// assert_eq!(world.tick(), Err(StepError::LimitReached { limit: 3, lost: 1 }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StepError {
    /// The step has spawned more entities than the world's limit has room for. Of staged spawns, those that come
    /// first in the order (system, bundle, subtask, call) exist. The rest are lost.
    LimitReached {
        /// The largest number of entities that the world can hold.
        limit: usize,
        /// The number of spawns that found no room.
        lost: usize,
    },
    /// Two systems without an order between them have [updated](crate::proxy::Effects::update) the same
    /// component of the same entity: they do not update disjoint entities, as they should. Such an entity keeps
    /// its old value. The step is otherwise complete. Of several conflicts, this is the first one in the order
    /// of iteration, in the first refresh. If spawns were lost as well, that is not reported.
    UpdateConflict {
        /// The name of the component.
        component: &'static str,
        /// The names of the systems.
        systems: [&'static str; 2],
        /// The entity.
        entity: Entity,
    },
    /// A chain of transitions would enter a variant of a state again: systems that run when the state changes have set it
    /// in a circle. The state stays as it is, and the step is otherwise complete.
    TransitionCycle {
        /// The name of the state.
        state: &'static str,
        /// The name of the variant that it is in.
        from: &'static str,
        /// The name of the variant that was requested, and that it has entered before.
        to: &'static str,
    },
    /// Links of a relation were not made, or entities were not despawned for its sake. The step is otherwise complete. This
    /// is the first one, of the relation that is declared first; [`World::refused`](crate::World::refused) has all. If spawns were lost or
    /// updates in conflict, that is reported instead.
    Refused {
        /// The name of the relation.
        relation: &'static str,
        /// What was refused, and why.
        refused: Refused,
        /// How many of this relation were refused.
        count: usize,
    },
}

impl fmt::Display for StepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LimitReached { limit, lost } => write!(
                f,
                "{lost} spawned entities found no room: the world's limit of {limit} entities is \
                 reached; {}",
                advice(*limit)
            ),
            Self::UpdateConflict { component, systems: [first, second], entity } => write!(
                f,
                "the systems `{first}` and `{second}` both update `{component}` of {entity:?}, and \
                 nothing orders them; let them update different entities, or order them: then the \
                 later update counts"
            ),
            Self::TransitionCycle { state, from, to } => write!(
                f,
                "the state `{state}` cannot go from `{from}` to `{to}`, which it has entered before \
                 in the same chain of transitions; let the systems that run `on_enter` or `on_exit` \
                 set it in no circle"
            ),
            Self::Refused { relation, refused, count } => {
                write!(f, "`{relation}`: {refused}")?;
                if *count > 1 { write!(f, " (and {} more)", count - 1) } else { Ok(()) }
            }
        }
    }
}

impl core::error::Error for StepError {}

/// A spawn between steps fails as a step does.
impl From<LimitReached> for StepError {
    fn from(LimitReached { limit, lost }: LimitReached) -> Self {
        Self::LimitReached { limit, lost }
    }
}
