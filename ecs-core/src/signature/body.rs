//! The trait that the bodies of systems implement (thesis, 9.3).

use super::{Data, Declaration, Executor, SystemName};
use crate::types::ThreadSafe;

/// The code of a system in its declaration. The generated `System::process` calls it. It is a function without `self`, so
/// that the code cannot name that.
pub trait Code<D: Declaration>: SystemName<D> {
    /// The code, with the system's data.
    fn code(data: &mut Data<'_, D, Self>);
}

/// The body of a system of the declaration `D`.
///
/// `N` is the name under which the system was declared; for most systems that is the type itself. The signature
/// behind that name alone decides what the body may do. The type must be [`ThreadSafe`]. Its value is the system's
/// state.
///
/// For a system without state, code in the declaration (`each`, `run`) is shorter: [`world!`](crate::world!) then
/// generates the type and the impl.
///
/// ```
/// use ecs_core::{Data, System, World, world};
///
/// struct Position(f32);
///
/// world! {
///     world Line;
///     component Position;
///     system Move { write: [Position], state: Move { by: 0.5 } }
/// }
///
/// struct Move {
///     by: f32,
/// }
///
/// impl System<Line> for Move {
///     fn process(&self, data: &mut Data<'_, Line, Self>) {
///         data.own.for_entities(|e| e.position.0 += self.by);
///     }
/// }
///
/// let mut world = World::<Line>::new();
/// let disc = world.spawn((Position(1.0),));
/// world.tick().unwrap();
/// assert_eq!(world.get::<Position>(disc).unwrap().0, 1.5);
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0067] the system `{N}` of the world `{D}` has no body",
    label = "`{Self}` does not implement `System`",
    note = "write `impl System<{D}> for {Self} {{ fn process(&self, data: &mut Data<'_, {D}, Self>) {{ … }} }}`",
    note = "or remove the type `{Self}`, and give the system its code in the declaration: `each: |e| …` or `run: |data| …`"
)]
pub trait System<D: Declaration, N: SystemName<D> = Self>: Sized + 'static {
    /// Processes the entities of one subtask.
    ///
    /// It is called once per subtask, also when there are no entities. The effect should follow from the
    /// entities one by one, not from the number of calls: the number of subtasks depends on settings and
    /// threads.
    fn process(&self, data: &mut Data<'_, D, N>);

    /// Executes the system: the detailed form, with code before and after the subtasks, on one thread. It may
    /// change the system's state and iterate over the outputs (thesis, 12.2).
    ///
    /// By default, it only runs the subtasks.
    #[inline(always)]
    fn execute(&mut self, executor: &mut Executor<'_, D, N>)
    where
        Self: ThreadSafe,
    {
        let system = &*self;
        executor.for_subtasks(|data| system.process(data));
    }
}
