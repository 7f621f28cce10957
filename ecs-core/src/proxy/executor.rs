//! The executor proxy: the execution of one system as a whole (thesis, 11.2.1).

use core::marker::PhantomData;

use super::effects::{assert_input, assert_sees_each};
use super::resources::{assert_reads_resource, assert_writes_resource};
use super::subtasks::Subtask;
use crate::output::Output as _;
use crate::output::stream::Link;
use crate::parallel::Workers;
use crate::scheduling::inner_parallelism::Strategy;
use crate::signature::access::{Inputs, ReadsResource, WritesResource};
use crate::signature::proxies::AnyExecutor;
use crate::signature::{Data, Declaration, Executor, HasResource, SystemName};
use crate::state::{Core, Outputs, States};

impl<'w, D: Declaration, N: SystemName<D>> Executor<'w, D, N> {
    /// The executor of the system whose states these are.
    #[inline]
    pub(super) fn new(
        core: &'w Core<D>,
        states: &'w mut States<D>,
        workers: &'w Workers,
        link: Option<&'w Link<'w>>,
    ) -> Self {
        let any = AnyExecutor { core, states, workers, link, system: N::INDEX, is_fed: false };
        Self { any, name: PhantomData }
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
            // SAFETY: `Call::execute` makes executors, each for the instance of its own system.
            unsafe { subtask.call::<N>(&f) };
        } else {
            // SAFETY: as above.
            let run = |subtask: Subtask<'_, D>| unsafe { subtask.call::<N>(&f) };
            self.any.for_subtasks(N::Parallelism::subtasks, &run);
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

    /// The resource `R`, to read.
    #[must_use]
    pub fn resource<R: 'static>(&self) -> &'w R
    where
        D: HasResource<R>,
        N: ReadsResource<R, D>,
    {
        const { assert_reads_resource::<D, N, R>() };
        self.any.core.resources.get::<D, R>()
    }

    /// The resource `R`, to write (and to read).
    #[must_use]
    pub fn resource_mut<R: 'static>(&mut self) -> &mut R
    where
        D: HasResource<R>,
        N: WritesResource<R, D>,
    {
        const { assert_writes_resource::<D, N, R>() };
        // SAFETY: `as_ptr` asserts the type. The table says that `N` writes `R`, so it orders
        // every other system that uses `R`; no subtask of `N` runs while `&mut self` is held.
        unsafe { &mut *self.any.core.resources.as_ptr::<D, R>() }
    }

    /// The outputs of the system `S` as one: see [`Effects::outputs_of`].
    pub fn outputs_of<S: SystemName<D>>(&self) -> Outputs<'w, D, S>
    where
        N: Inputs<S, D>,
    {
        const { assert_input::<D, N, S>() };
        self.any.core.outputs::<S>()
    }

    /// Each output of the system `S` as a whole: see [`Effects::output_parts_of`].
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

/// Whether the only subtask of `N` is called where the execution is, so that the compiler may join the two.
const fn is_direct<D: Declaration, N: SystemName<D>>() -> bool {
    let signature = &D::SYSTEMS[N::INDEX];
    signature.is_single_subtask()
        && !signature.stages_work()
        && signature.declared.add.is_empty()
        && signature.declared.streams.is_empty()
        && N::Output::STREAM_END.0.is_none()
}
