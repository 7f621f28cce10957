//! A system and its execution in one value: the thesis's `instance` of `detailed_instance`.

use crate::signature::{Data, Declaration, Executor, SystemName, SystemSignature, signature_of};

/// The system `N` about to be executed: its state, its subtasks, and their outputs.
///
/// ```
/// # use ecs_core::{Data, System, World, world};
/// # struct Mass(u64);
/// # #[derive(Default)] struct Weigh { total: u64 }
/// world! {
///     world Box;
///     component Mass;
///     system Weigh { read: [Mass], output: Vec<u64> }
/// }
///
/// impl System<Box> for Weigh {
///     fn process(&self, data: &mut Data<'_, Box, Self>) {
///         data.own.for_entities(|e| data.effects.output().push(e.mass.0));
///     }
/// }
///
/// let mut world = World::<Box>::new();
/// world.spawn_batch((1..=4).map(|mass| (Mass(mass),)));
/// world.step(|step| {
///     step.execute_with(|all| all.detailed_instance::<Weigh>(|instance| {
///         instance.for_subtasks(|weigh, data| weigh.process(data));
///         instance.for_outputs(|weigh, masses| weigh.total = masses.iter().sum());
///     }));
/// })?;
/// assert_eq!(world.system::<Weigh>().total, 10);
/// # Ok::<_, ecs_core::StepError>(())
/// ```
pub struct SystemInstance<'a, 'w, D: Declaration, N: SystemName<D>> {
    system: &'a mut N::System,
    executor: &'a mut Executor<'w, D, N>,
}

impl<'a, 'w, D: Declaration, N: SystemName<D>> SystemInstance<'a, 'w, D, N> {
    pub(crate) fn new(system: &'a mut N::System, executor: &'a mut Executor<'w, D, N>) -> Self {
        Self { system, executor }
    }

    /// The system's row in the table of the declaration.
    #[must_use]
    pub fn signature(&self) -> &'static SystemSignature {
        signature_of::<D, N>()
    }

    /// The system's state.
    #[must_use]
    pub fn system(&self) -> &N::System {
        self.system
    }

    /// The system's state, to write.
    #[must_use]
    pub fn system_mut(&mut self) -> &mut N::System {
        self.system
    }

    /// The executor: resources, inputs, and the number of entities.
    #[must_use]
    pub fn executor(&self) -> &Executor<'w, D, N> {
        self.executor
    }

    /// The system's state and the executor, as [`Execution::detailed`](crate::proxy::Execution::detailed) gives them.
    pub fn split(&mut self) -> (&mut N::System, &mut Executor<'w, D, N>) {
        (self.system, self.executor)
    }

    /// Runs `f` for each subtask: [`Executor::for_subtasks`].
    ///
    /// # Panics
    /// As [`Executor::for_subtasks`].
    pub fn for_subtasks(&mut self, f: impl Fn(&N::System, &mut Data<'_, D, N>) + Sync) {
        let system = &*self.system;
        self.executor.for_subtasks(|data| f(system, data));
    }

    /// Calls `f` with the system's state and the output of each subtask that has run, in order, on this thread.
    /// Later systems see the modified outputs. The combined modifications must not depend on their number
    /// ([`Executor::outputs_mut`]).
    pub fn for_outputs(&mut self, mut f: impl FnMut(&mut N::System, &mut N::Output)) {
        for output in self.executor.outputs_mut() {
            f(self.system, output);
        }
    }
}
