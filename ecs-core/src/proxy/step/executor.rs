//! The executor proxy: the execution of one system as a whole (thesis, 11.2.1).

use crate::output::Output as _;
use crate::output::stream::Link;
use crate::parallel::Workers;
use crate::proxy::effects::{assert_input, assert_sees_each};
use crate::proxy::step::subtasks::{Split, Subtask};
use crate::signature::access::Inputs;
use crate::signature::proxies::AnyExecutor;
use crate::signature::{Data, Declaration, Executor, Resources, SystemName};
use crate::state::{Core, Outputs, States};

impl<'w, D: Declaration, N: SystemName<D>> Executor<'w, D, N> {
    /// The executor of the system whose states these are.
    ///
    /// # Safety
    /// The states must be those of `N` in this world, which the scheduler's gate has let through, and lent to this
    /// execution only.
    #[inline]
    pub(crate) unsafe fn new(
        core: &'w Core<D>,
        states: &'w mut States<D>,
        workers: &'w Workers,
        link: Option<&'w Link<'w>>,
    ) -> Self {
        let any = AnyExecutor { core, states, workers, link, system: N::INDEX, is_fed: false };
        // SAFETY: the executor has one, and `for_subtasks` borrows the executor exclusively while subtasks run.
        Self { resources: unsafe { Resources::new(core) }, any }
    }

    /// Runs `f` for each subtask, on all threads, and returns when all are done.
    ///
    /// It may be called more than once; the outputs then follow one another.
    ///
    /// # Panics
    /// With the panic of the lowest subtask that panicked, after all have stopped. The staged work of all of
    /// them is dropped.
    #[inline]
    pub fn for_subtasks(&mut self, f: impl Fn(&mut Data<'_, D, N>) + Sync) {
        if const { is_direct::<D, N>() } {
            let set = &self.any.core.subscription::<N>().set;
            let subtask = self.any.only(set, const { !N::Output::IS_NOTHING.0 });
            // SAFETY: the executor has the states of `N`, by the contract of `new`.
            unsafe { subtask.call::<N>(&f) };
        } else {
            // SAFETY: as above.
            let run = |subtask: Subtask<'_, D>| unsafe { subtask.call::<N>(&f) };
            self.any.for_subtasks(const { Split::by::<N::Parallelism>() }, &run);
        }
    }

    /// The outputs of the subtasks that have run, as one.
    pub fn outputs(&self) -> Outputs<'_, D, N> {
        // SAFETY: the states are those of `N`.
        unsafe { Outputs::new(self.any.states.latest()) }
    }

    /// The output of each subtask that has run, in order, to write. Later systems see the modified outputs.
    ///
    /// The number of outputs follows from how this system was split, and is visible here. The combined
    /// modifications must not depend on it.
    pub fn outputs_mut(&mut self) -> impl Iterator<Item = &mut <N as SystemName<D>>::Output> {
        // SAFETY: the states are those of `N`.
        self.any.states.latest_mut().iter_mut().map(|state| unsafe { state.parts::<N>() }.0)
    }

    /// The number of entities that the system is subscribed to. O(1).
    #[must_use]
    pub fn entity_count(&self) -> usize {
        self.any.core.subscription::<N>().set.len()
    }

    /// The outputs of the system `S` as one: see [`Effects::outputs_of`](crate::Effects::outputs_of).
    pub fn outputs_of<S: SystemName<D>>(&self) -> Outputs<'w, D, S>
    where
        N: Inputs<S, D>,
    {
        const { assert_input::<D, N, S>() };
        self.any.core.outputs::<S>()
    }

    /// Each output of the system `S` as a whole: see [`Effects::output_parts_of`](crate::Effects::output_parts_of).
    pub fn output_parts_of<S: SystemName<D>>(
        &self,
    ) -> impl Iterator<Item = &'w S::Output> + Clone + use<'w, D, N, S>
    where
        N: Inputs<S, D>,
    {
        const { assert_sees_each::<D, N, S>() };
        self.any.core.outputs::<S>().each()
    }

    /// The state of the system `S`, which has run before.
    #[must_use]
    pub fn system<S: SystemName<D>>(&self) -> &'w S::System
    where
        N: Inputs<S, D>,
    {
        const { assert_input::<D, N, S>() };
        self.any.core.system::<S>()
    }
}

/// Whether `for_subtasks` calls the only subtask of `N` directly, so that it can be inlined: `N` stages nothing, adds
/// nothing, has no stream, and goes along no relation.
const fn is_direct<D: Declaration, N: SystemName<D>>() -> bool {
    let signature = &D::SYSTEMS[N::INDEX];
    signature.is_single_subtask()
        && !signature.stages_work()
        && !signature.declared.contributes()
        && signature.declared.streams.is_empty()
        && signature.declared.after_parent.is_empty()
        && N::Output::STREAM_END.0.is_none()
}
