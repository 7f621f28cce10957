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
    /// The state of a subtask.
    type Subtask<D: Declaration, N: SystemName<D>>;
    /// The states of the subtasks of a system.
    type Subtasks<D: Declaration, N: SystemName<D>>;
}

/// Has the [`StateTypes`].
pub(crate) enum WorldState {}

type CoreOf<D> = <WorldState as StateTypes>::Core<D>;
type SubtaskOf<D, N> = <WorldState as StateTypes>::Subtask<D, N>;
type SubtasksOf<D, N> = <WorldState as StateTypes>::Subtasks<D, N>;

/// The view of one subtask of the system `N`: its entities, other data that it may read, its output, and the
/// effects that it may stage.
///
/// Iterating borrows the proxy. To use both parts at once, [`split`](Self::split) it, or let
/// [`for_entities_with_effects`](Self::for_entities_with_effects) do that for one loop:
///
/// ```
/// # use ecs_core::{Data, World, world};
/// # struct Life(f32);
/// world! {
///     world Box;
///     component Life;
///     system Age { write: [Life], despawn, run: age }
/// }
///
/// fn age(data: &mut Data<'_, Box, Age>) {
///     let (own, effects) = data.split();
///     own.for_entities(|e| {
///         e.life.0 -= 1.0;
///         if e.life.0 <= 0.0 {
///             effects.despawn(e.entity);
///         }
///     });
/// }
/// # let mut world = World::<Box>::new();
/// # world.spawn_batch([0.5, 1.5].map(|life| (Life(life),)));
/// # world.tick().unwrap();
/// # assert_eq!(world.entity_count(), 1);
/// ```
///
/// The proxy dereferences to [`Effects`].
pub struct Data<'w, D: Declaration, N: SystemName<D>> {
    pub(crate) own: Own<'w, D, N>,
    pub(crate) effects: Effects<'w, D, N>,
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

/// The operations of a subtask of the system `N` other than iterating over its entities.
///
/// *Effects* are staged: they happen at the refresh, system by system. First come spawns, bundle by bundle, and
/// changes of components, then deferred functions, each in the order (subtask, call). So the number of threads
/// and subtasks does not affect results. A panic in any system of the step drops all effects.
///
/// `R` is `Lent` while the resources that `N` writes are [handed out](Effects::split_resources).
pub struct Effects<'w, D: Declaration, N: SystemName<D>, R = Present> {
    pub(crate) core: &'w CoreOf<D>,
    pub(crate) state: &'w mut SubtaskOf<D, N>,
    pub(crate) subtask: usize,
    /// The destination of items that the subtask sends.
    pub(crate) round: Option<&'w Round<'w>>,
    /// The batch that a consumer is called with.
    pub(crate) received: Option<&'w mut Batch>,
    pub(crate) resources: PhantomData<R>,
}

/// For [`Effects`] through which a system gets the resources that it writes.
#[derive(Debug)]
pub enum Present {}

/// For [`Effects`] beside the resources that a system writes.
#[derive(Debug)]
pub enum Lent {}

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
///             executor.for_subtasks(|data| data.for_entities(|e| e.heat.0 += 1));
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
    pub(crate) core: &'w CoreOf<D>,
    pub(crate) states: &'w mut SubtasksOf<D, N>,
    pub(crate) workers: &'w Workers,
    pub(crate) link: Option<&'w Link<'w>>,
    /// Whether the producer whose stream the system consumes has been executed.
    pub(crate) is_fed: bool,
}
