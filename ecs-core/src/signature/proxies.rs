//! The proxies that a body gets, as types: they are parameters of [`System`](super::System). Their methods are in
//! `proxy/`.

use core::marker::PhantomData;

use super::{Declaration, SystemName};
use crate::output::stream::{Batch, Link, Round};
use crate::parallel::Workers;
use crate::rows::{Slice, SparseSet};
use crate::storage::{PhaseCell, Storage};
use crate::types::Brand;

/// The types of the state that proxies refer to. The state is made of declared systems, so it is above this room, in
/// `state/`, which implements this for [`WorldState`].
pub(crate) trait StateTypes {
    /// The state of a world.
    type Core<D: Declaration>;
    /// What a subtask stages, sends and adds.
    type Subtask<D: Declaration>;
    /// The states of the subtasks of a system.
    type Subtasks<D: Declaration>;
}

/// Has the [`StateTypes`].
pub(crate) enum WorldState {}

type CoreOf<D> = <WorldState as StateTypes>::Core<D>;
type SubtaskOf<D> = <WorldState as StateTypes>::Subtask<D>;
type SubtasksOf<D> = <WorldState as StateTypes>::Subtasks<D>;

/// The view of one subtask of the system `N`: its entities, other data that it may read, its output, and the
/// effects that it may stage.
///
/// Its fields are its parts. A closure or a loop that uses one part leaves the others free, so a body iterates over its
/// entities, writes resources and stages effects side by side:
///
/// ```
/// # use ecs_core::{Data, World, world};
/// # struct Life(f32);
/// # #[derive(Default)] struct Deaths(u32);
/// world! {
///     world Box;
///     component Life;
///     resource Deaths;
///     system Age { write: [Life], despawn, write_resources: [Deaths], run: age }
/// }
///
/// fn age(data: &mut Data<'_, Box, Age>) {
///     let deaths = data.resources.get_mut::<Deaths>();
///     for e in data.own.iter() {
///         e.life.0 -= 1.0;
///         if e.life.0 <= 0.0 {
///             data.effects.despawn(e.entity);
///             deaths.0 += 1;
///         }
///     }
/// }
/// # let mut world = World::<Box>::new();
/// # world.spawn_batch([0.5, 1.5].map(|life| (Life(life),)));
/// # world.tick().unwrap();
/// # assert_eq!((world.entity_count(), world.resource::<Deaths>().0), (1, 1));
/// ```
///
/// The methods of the proxy itself are those that need several parts.
#[non_exhaustive]
pub struct Data<'w, D: Declaration, N: SystemName<D>> {
    /// The subtask's entities.
    pub own: Own<'w, D, N>,
    /// The resources that the system declares.
    pub resources: Resources<'w, D, N>,
    /// Everything else: what is staged, the output, and other data that the system reads.
    pub effects: Effects<'w, D, N>,
}

/// The resources that the system `N` declares, in one of its subtasks or around them.
pub struct Resources<'w, D: Declaration, N: SystemName<D>> {
    pub(crate) core: &'w CoreOf<D>,
    /// Exclusive access to the written resources.
    pub(crate) right: PhantomData<&'w mut ()>,
    pub(crate) name: Brand<N>,
}

/// The entities of one subtask of the system `N`, with the components that `N` declares.
///
/// All iteration is in ascending order of rows, which follows from the inputs of the steps alone.
pub struct Own<'w, D, N> {
    /// Borrowed again for each use: a sequential system may change it between two uses.
    pub(crate) storage: &'w PhaseCell<Storage>,
    pub(crate) set: &'w SparseSet,
    pub(crate) slice: Slice,
    /// Exclusive access to the written components of the slice.
    pub(crate) right: PhantomData<&'w mut ()>,
    pub(crate) names: Brand<(D, N)>,
}

/// The operations of a subtask of the system `N` other than those on its entities and on resources.
///
/// *Effects* are staged: they happen at the refresh, system by system. First come spawns, bundle by bundle, and
/// changes of components, then deferred functions, each in the order (subtask, call). So the number of threads
/// and subtasks does not affect results. A panic in any system of the step drops all effects.
pub struct Effects<'w, D: Declaration, N: SystemName<D>> {
    pub(crate) core: &'w CoreOf<D>,
    pub(crate) output: &'w mut N::Output,
    pub(crate) work: &'w mut SubtaskOf<D>,
    pub(crate) subtask: usize,
    /// The destination of items that the subtask sends.
    pub(crate) round: Option<&'w Round<'w>>,
    /// The batch that a consumer is called with.
    pub(crate) received: Option<&'w mut Batch>,
}

/// The execution of the system `N`: runs its subtasks, and gives their outputs.
///
/// ```
/// use ecs_core::{Executor, System, World, world};
/// # struct Heat(u32);
///
/// world! {
///     world Room;
///     component Heat;
///     system Warm { write: [Heat], state: Warm { passes: 3 } }
/// }
///
/// struct Warm {
///     passes: u32,
/// }
///
/// impl System<Room> for Warm {
///     fn execute(&mut self, executor: &mut Executor<'_, Room, Self>) {
///         for _ in 0..self.passes {
///             executor.for_subtasks(|data| data.own.for_entities(|e| e.heat.0 += 1));
///         }
///     }
/// #     fn process(&self, _: &mut ecs_core::Data<'_, Room, Self>) {}
/// }
///
/// let mut world = World::<Room>::new();
/// let stone = world.spawn((Heat(0),));
/// world.tick()?;
/// assert_eq!(world.get::<Heat>(stone).unwrap().0, 3);
/// # Ok::<_, ecs_core::StepError>(())
/// ```
pub struct Executor<'w, D: Declaration, N: SystemName<D>> {
    /// The resources that the system declares.
    pub resources: Resources<'w, D, N>,
    pub(crate) any: AnyExecutor<'w, D>,
}

/// The part of an [`Executor`] that does not depend on the type of the system. Its methods are compiled once for a
/// declaration.
pub(crate) struct AnyExecutor<'w, D: Declaration> {
    pub(crate) core: &'w CoreOf<D>,
    pub(crate) states: &'w mut SubtasksOf<D>,
    pub(crate) workers: &'w Workers,
    pub(crate) link: Option<&'w Link<'w>>,
    /// The index of the system.
    pub(crate) system: usize,
    /// Whether the producer whose stream the system consumes has been executed.
    pub(crate) is_fed: bool,
}
