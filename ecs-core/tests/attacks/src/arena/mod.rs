//! The world that random programs run in: a component for each kind of storage, and a system for each kind of
//! effect.
//!
//! - `program` reads a program from bytes: steps of `Op`s.
//! - `act` does an operation in a step of any such world, and says what came of it: an `Answer`.
//! - `worlds` declares the worlds: the same systems, with other storages and other ways to split.
//!
//! What a system does follows from the `Orders` alone. An order is for one act of one system, and for the entities
//! whose names leave some rest: so a model can do the same, one entity after the other.

mod act;
mod program;
mod worlds;

use ecs_core::proxy::Dead;
use ecs_core::settings::Settings;
use ecs_core::signature::{HasComponent, HasResource};
use ecs_core::{Cloneable, Defer, Entity, Hashable, StateHash, Step};

use crate::faults::Fault;
use crate::random::mix;
use crate::tracked;

pub(crate) use act::{Answer, MANY, Playing, ROOM, act, contents, looked_up};
pub(crate) use program::{Act, COUNTS, Op, Order, Run, StepProgram, step, steps};
pub(crate) use worlds::{columns, mixed, swapped};

/// Who an entity is. No two entities have the same name, and nobody loses it.
#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
pub(crate) struct Name(pub(crate) u64);

/// A tag.
#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
pub(crate) struct Tag;

tracked! {
    Column: BUFFER;
    Left: INTERLEAVED;
    Right: INTERLEAVED;
    Mapped: HASH_MAP;
    Sparse: SPARSE_SET;
}

/// The components, by number, as programs and models name them.
pub(crate) mod number {
    pub(crate) const NAME: usize = 0;
    pub(crate) const COLUMN: usize = 1;
    pub(crate) const LEFT: usize = 2;
    pub(crate) const RIGHT: usize = 3;
    pub(crate) const MAPPED: usize = 4;
    pub(crate) const SPARSE: usize = 5;
    pub(crate) const TAG: usize = 6;
}

/// What an entity has, by the number of the component. A tag counts as 1.
pub(crate) type Parts = [Option<u64>; 7];

/// The components of each bundle that a step can spawn. All but the first have a name.
pub(crate) const BUNDLES: [&[usize]; 5] = {
    use number::{COLUMN, LEFT, MAPPED, NAME, RIGHT, SPARSE, TAG};
    [
        &[],
        &[NAME, COLUMN],
        &[NAME, LEFT, RIGHT, SPARSE],
        &[TAG, MAPPED, NAME],
        &[RIGHT, NAME, MAPPED, COLUMN, LEFT],
    ]
};

/// An [`Order`] with its target as a handle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Given {
    pub(crate) order: Order,
    pub(crate) target: Option<Entity>,
    /// Its number in the execution.
    pub(crate) index: u64,
}

/// What systems are to do in the next execution.
#[derive(Clone, Debug, StateHash)]
pub(crate) struct Orders {
    /// The account of all values.
    #[state_hash(skip)]
    pub(crate) fault: Fault,
    /// The number of the execution.
    pub(crate) serial: u64,
    #[state_hash(skip)]
    pub(crate) list: Vec<Given>,
}

impl Orders {
    /// None, with an account of its own.
    pub(crate) fn none() -> Self {
        Self { fault: Fault::new(), serial: 0, list: Vec::new() }
    }

    /// The orders for a system's acts that concern an entity of this name.
    pub(crate) fn of(&self, name: u64, acts: &'static [Act]) -> impl Iterator<Item = &Given> {
        self.list.iter().filter(move |given| {
            let Order { act, modulus, rest, .. } = given.order;
            acts.contains(&act) && name % u64::from(modulus) == u64::from(rest)
        })
    }

    /// The name of a child.
    pub(crate) fn child(&self, parent: u64, given: &Given) -> u64 {
        mix(parent ^ mix(self.serial << 8 | given.index))
    }
}

/// What has been put out and sent, in order.
#[derive(Clone, Debug, Default, StateHash)]
pub(crate) struct Chronicle(pub(crate) Vec<u64>);

/// The number by which a chronicle remembers a handle.
pub(crate) fn trace(entity: Entity) -> u64 {
    mix(u64::from(entity.index()) << 32 | u64::from(entity.generation().get()))
}

/// What has happened rarely since the last call, in all programs of this process: operations, and what systems do to
/// entities, fewer than `least` times. It begins to count anew.
#[must_use]
pub fn rare(least: usize) -> Vec<String> {
    COUNTS.rare(least)
}

/// A declaration with all of the components and systems.
pub(crate) trait Arena:
    Cloneable
    + Hashable
    + HasComponent<Name>
    + HasComponent<Tag>
    + HasComponent<Column>
    + HasComponent<Left>
    + HasComponent<Right>
    + HasComponent<Mapped>
    + HasComponent<Sparse>
    + HasResource<Orders>
    + HasResource<Chronicle>
{
    /// Executes all systems, or those from `Change` on.
    fn execute<S: Settings>(step: &mut Step<'_, Self, S>, run: Run);

    /// Has `Watch` be subscribed to the entity, or let go of it.
    fn watch(defer: &mut Defer<'_, Self>, entity: Entity, watched: bool) -> Result<(), Dead>;
}
