//! Where an entity lies during a step, and the types that identify it meanwhile.

use core::fmt;

use super::{DespawnMarks, Entities, Entity, Handles};
use crate::rows::Members;
use crate::types::prefetch;

/// The location of an entity until the next refresh.
///
/// A `Place` is half as large as a handle and is found without the table of handles. Use it where
/// one system outputs many entities and another takes them within the same step: pairs that touch,
/// neighbours, cells of a grid. Queries yield it beside components (`query::<(Place,
/// &Position)>()`). Wherever components are reached by a handle, a `Place` works too. Places ascend
/// in the order of iteration.
///
/// **A `Place` is not an identity.** A refresh frees the rows of despawned entities and gives them
/// to spawned ones. What outlasts the step must be an [`Entity`]. An outdated `Place` is safe to
/// use: it finds the entity that is there now, or none. In a world that refreshes before
/// dependents, the places that a system outputs are outdated in every later
/// [phase](crate::signature::Phases).
///
/// ```
/// # use ecs_core::{Place, World, world};
/// # struct Level(u32);
/// world! {
///     world W;
///     component Level;
///     system Pair {
///         read: [Level],
///         output: Vec<(Place, Place)>,
///         run: |data| {
///             let (own, effects) = (&mut data.own, &mut data.effects);
///             let places: Vec<Place> = own.query::<Place>().into_iter().collect();
///             effects.output().extend(places.chunks_exact(2).map(|pair| (pair[0], pair[1])));
///         },
///     }
///     system Swap {
///         exclusive,
///         write: [Level],
///         inputs: [Pair],
///         run: |data| {
///             let pairs = data.effects.outputs_of::<Pair>();
///             let mut levels = data.own.any_mut::<&mut Level>();
///             for &(a, b) in pairs.flatten() {
///                 let Some((a, b)) = levels.pair_mut(a, b) else { continue };
///                 std::mem::swap(a, b);
///             }
///         },
///     }
/// }
/// let mut world = World::<W>::new();
/// world.spawn_batch((1..=4).map(|n| (Level(n),)));
/// world.tick().unwrap();
/// let mut levels = Vec::new();
/// for level in world.iter::<&Level>() { levels.push(level.0); }
/// assert_eq!(levels, [2, 1, 4, 3]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place(u32);

impl Place {
    /// The `Place` of a row. Rows are below 2³¹.
    #[inline(always)]
    pub(crate) const fn of(row: usize) -> Self {
        Self(row as u32)
    }

    /// The row: a number that ascends like the place, for comparing many places at a time.
    #[inline(always)]
    #[must_use]
    pub const fn row(self) -> u32 {
        self.0
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "@{}", self.0)
    }
}

/// Identifies an entity: a handle ([`Entity`](crate::entity::Entity)) or, within a step, a
/// [`Place`](crate::Place).
///
/// All methods that access entities take either.
///
/// ```
/// use ecs_core::{Entity, Locate, Place};
///
/// /// Takes what a system knows of an entity: its handle, or its place in this step.
/// fn locate(_: impl Locate) {}
///
/// let by_handle: fn(Entity) = locate;
/// let by_place: fn(Place) = locate;
/// # let _ = (by_handle, by_place);
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0069] `{Self}` does not name an entity",
    label = "neither a handle nor a place",
    note = "name it by its handle, an `Entity`, or by its `Place` in this step"
)]
#[expect(private_bounds, reason = "sealed: rows are the library's own affair")]
pub trait Locate: Copy + Row {}

/// The row of the identified entity.
pub(crate) trait Row {
    /// The row of the entity. For a `Place` it may be any number: the caller must check that the
    /// row is in use, or read data that only rows in use have.
    fn row_to_ask(self, handles: Handles<'_>) -> Option<usize>;

    /// A handle of the entity. It may be that of a dead one, if `self` is one.
    fn handle(self, entities: &Entities) -> Option<Entity>;

    /// Prefetches what [`row_to_ask`](Self::row_to_ask) reads.
    fn announce(self, handles: Handles<'_>);

    /// Marks the entity for despawning.
    fn mark_despawned(self, marks: &mut DespawnMarks, handles: Handles<'_>);

    /// The row of the entity, if it is one of `members`, rows of the world whose handles these are.
    #[inline(always)]
    fn row_among(self, members: Members<'_>, handles: Handles<'_>) -> Option<usize>
    where
        Self: Sized,
    {
        let row = self.row_to_ask(handles)?;
        // With a return here, rather than a filter, the compiler tests the bit by one instruction.
        if !members.contain(row) {
            return None;
        }
        Some(row)
    }

    /// The row of the entity if it is alive.
    #[inline]
    fn living_row(self, entities: &Entities) -> Option<usize>
    where
        Self: Sized,
    {
        self.row_to_ask(entities.handles()).filter(|&row| entities.alive().contains(row))
    }
}

impl Locate for Place {}

impl Row for Place {
    #[inline]
    fn handle(self, entities: &Entities) -> Option<Entity> {
        Some(entities.rows()[self.living_row(entities)?])
    }

    #[inline(always)]
    fn row_to_ask(self, _: Handles<'_>) -> Option<usize> {
        Some(self.0 as usize)
    }

    #[inline(always)]
    fn announce(self, _: Handles<'_>) {}

    #[inline(always)]
    fn mark_despawned(self, marks: &mut DespawnMarks, _: Handles<'_>) {
        marks.mark_row(self.0 as usize);
    }
}

impl Locate for Entity {}

impl Row for Entity {
    #[inline(always)]
    fn handle(self, _: &Entities) -> Option<Entity> {
        Some(self)
    }

    #[inline(always)]
    fn row_to_ask(self, handles: Handles<'_>) -> Option<usize> {
        handles.row(self)
    }

    #[inline(always)]
    fn announce(self, handles: Handles<'_>) {
        prefetch(handles.slots.as_ptr().wrapping_add(self.index() as usize));
    }

    #[inline(always)]
    fn mark_despawned(self, marks: &mut DespawnMarks, handles: Handles<'_>) {
        marks.mark(self, handles);
    }

    #[inline(always)]
    fn row_among(self, members: Members<'_>, handles: Handles<'_>) -> Option<usize> {
        // The table of handles contains only entities that are alive.
        let row = handles.row(self)?;
        if !members.contain_used(row) {
            return None;
        }
        Some(row)
    }

    #[inline]
    fn living_row(self, entities: &Entities) -> Option<usize> {
        // The table of handles contains only entities that are alive.
        entities.row(self)
    }
}
