//! The world that random programs run in. It has a component for each kind of storage, and a system for each kind of
//! effect.
//!
//! - `program` reads a program from bytes: steps of `Op`s.
//! - `act` executes an operation in a step of any such world, and returns its result: an `Answer`.
//! - `worlds` declares the worlds: the same systems, with different storages and splits.
//!
//! The actions of a system follow from the `Orders` only. An order is for one act of one system, and for the entities
//! whose names have a certain remainder. So a model can execute the same, one entity after the other.

mod act;
mod program;
mod worlds;

use ecs_core::NoSuchEntity;
use ecs_core::settings::Settings;
use ecs_core::{Cloneable, Defer, Entity, Hashable, StateHash, Step};
use ecs_core::{HasComponent, HasResource};

use crate::faults::Fault;
use crate::random::mix;
use crate::tracked;

pub(crate) use act::{Answer, MANY, Playing, ROOM, act, contents, looked_up};
pub(crate) use program::{Act, COUNTS, Op, Order, Run, StepProgram, step, steps};
pub(crate) use worlds::{columns, mixed, swapped};

/// The identity of an entity. It is unique and never removed.
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

/// The components of an entity, by the number of the component. A tag counts as 1.
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

/// The orders for systems in the next execution.
#[derive(Clone, Debug, StateHash)]
pub(crate) struct Orders {
    /// Counts all values.
    #[state_hash(skip)]
    pub(crate) fault: Fault,
    /// The number of the execution.
    pub(crate) serial: u64,
    #[state_hash(skip)]
    pub(crate) list: Vec<Given>,
}

impl Orders {
    /// No orders, with a counter of its own.
    pub(crate) fn none() -> Self {
        Self { fault: Fault::new(), serial: 0, list: Vec::new() }
    }

    /// The orders for these acts that apply to the entity with this name.
    pub(crate) fn of(&self, name: u64, acts: &'static [Act]) -> impl Iterator<Item = &Given> {
        self.list.iter().filter(move |given| {
            let Order { act, modulus, rest, .. } = given.order;
            acts.contains(&act) && name % u64::from(modulus) == u64::from(rest)
        })
    }

    /// The name of a spawned entity.
    pub(crate) fn child(&self, parent: u64, given: &Given) -> u64 {
        mix(parent ^ mix(self.serial << 8 | given.index))
    }
}

/// The outputs and stream items, in order.
#[derive(Clone, Debug, Default, StateHash)]
pub(crate) struct Chronicle(pub(crate) Vec<u64>);

/// The number of a handle in a chronicle.
pub(crate) fn trace(entity: Entity) -> u64 {
    mix(u64::from(entity.index()) << 32 | u64::from(entity.generation().get()))
}

/// The operations and the acts of systems that happened fewer than `least` times since the last call, in all programs
/// of this process. It resets the counts.
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

    /// Subscribes `Watch` to the entity, or unsubscribes it.
    fn watch(
        defer: &mut Defer<'_, Self>,
        entity: Entity,
        watched: bool,
    ) -> Result<(), NoSuchEntity>;
}
