//! The executor proxy: one system's execution as a whole (thesis, 11.2.1).

use core::marker::PhantomData;

use crossbeam::utils::CachePadded;

use super::effects::{
    assert_input, assert_reads_resource, assert_sees_each, assert_writes_resource,
};
use crate::inner_parallelism::Strategy;
use crate::proxy::{Data, Effects, Own, Pump, Upstream};
use crate::scheduler::{Executor as _, PanicSlot, Workers};
use crate::signature::access::{Inputs, ReadsResource, WritesResource};
use crate::signature::{Declaration, HasResource, SystemName};
use crate::stream::{Round, Sealed, Sink};
use crate::system::{Output as _, Outputs, States, SubtaskState};
use crate::world::Core;

/// The execution of the system `N`: runs its subtasks, and gives their outputs.
pub struct Executor<'w, D: Declaration, N: SystemName<D>> {
    pub(crate) core: &'w Core<D>,
    pub(crate) states: &'w mut States<D, N>,
    pub(crate) workers: &'w Workers,
    /// The producer whose stream the system takes, until it is executed.
    pub(crate) upstream: Option<Upstream<'w>>,
    /// Who takes the system's stream.
    pub(crate) sink: Option<&'w dyn Sink>,
}

impl<'w, D: Declaration, N: SystemName<D>> Executor<'w, D, N> {
    /// Runs `f` for each subtask, on as many threads as there are, and returns when all are done.
    ///
    /// It may be called more than once; the outputs then follow one another.
    ///
    /// # Panics
    /// With the panic of the lowest subtask that panicked, after all have stopped; what they had
    /// staged is dropped.
    pub fn for_subtasks(&mut self, f: impl Fn(&mut Data<'_, D, N>) + Sync) {
        if let Some(upstream) = self.upstream.take() {
            return self.take_stream(&upstream, f);
        }
        let set = &self.core.subscriptions[N::INDEX].set;
        let count = self.subtasks(set.len());
        let (states, lanes) = self.states.take(count);
        let panics = PanicSlot::new();
        let core = self.core;
        let fork = |states: &mut [_], round: Option<&Round<'_>>| {
            self.workers.run_subtasks(N::INDEX, states, &|subtask, state: &mut CachePadded<_>| {
                let slice = if count == 1 { set.whole() } else { set.slice(subtask, count) };
                panics.catch(N::INDEX, Some(subtask), || {
                    let state: &mut SubtaskState<D, N> = &mut *state;
                    if marks_dead::<D, N>() {
                        state.staged.to_kill.expect(core.storage.entities.rows().len(), 1);
                    }
                    f(&mut Data {
                        own: Own { storage: &core.storage, set, slice, right: PhantomData },
                        effects: Effects {
                            core,
                            state: &mut *state,
                            subtask,
                            round,
                            received: None,
                        },
                    });
                    sift_killed(core, state);
                });
                state.output.finish(Sealed);
            });
        };
        if let Some(sink) = self.sink {
            let round = Round::new(lanes, sink);
            self.workers.join(|| fork(&mut *states, Some(&round)), || round.take_along());
            if panics.is_empty() {
                round.take_rest();
            }
        } else {
            fork(&mut *states, None);
        }
        if let Some(failure) = panics.take() {
            for (subtask, state) in states.iter_mut().enumerate() {
                state.staged.discard(&panics, N::INDEX, subtask);
            }
            failure.resume();
        }
    }

    /// Runs `f` for what comes from the producer, which is executed meanwhile.
    fn take_stream(&mut self, upstream: &Upstream<'_>, f: impl Fn(&mut Data<'_, D, N>) + Sync) {
        let (states, _) = self.states.take(1);
        let panics = PanicSlot::new();
        let pump = Pump::new(self.core, &mut states[0], f, &panics);
        if panics.catch(upstream.index, None, || (upstream.run)(Some(&pump))).is_some() {
            pump.finish();
        }
        if let Some(failure) = panics.take() {
            states[0].staged.discard(&panics, N::INDEX, 0);
            failure.resume();
        }
    }

    /// How many subtasks to make for so many entities: what the strategy says, but none without a
    /// block of rows of its own.
    fn subtasks(&self, entities: usize) -> usize {
        let signature = &D::SYSTEMS[N::INDEX];
        if signature.is_single_subtask() || !self.core.inner_parallelism {
            return 1;
        }
        let wanted = N::Parallelism::subtasks(entities, self.workers.threads());
        wanted.min(entities.div_ceil(crate::storage::BLOCK_ROWS)).max(1)
    }

    /// The outputs of the subtasks that have run, as one.
    pub fn outputs(&self) -> Outputs<'_, D, N> {
        self.states.outputs()
    }

    /// The output of each subtask that has run, in order, to write: later systems see what becomes of
    /// them.
    ///
    /// How many there are follows from how this system was split, and where they are merged nothing
    /// hides it: what becomes of them together must not depend on it.
    pub fn outputs_mut(&mut self) -> impl Iterator<Item = &mut <N as SystemName<D>>::Output> {
        self.states.outputs_mut()
    }

    /// How many entities the system is subscribed to. O(1).
    #[must_use]
    pub fn entity_count(&self) -> usize {
        self.core.subscriptions[N::INDEX].set.len()
    }

    /// The resource `R`, to read.
    #[must_use]
    pub fn resource<R: 'static>(&self) -> &'w R
    where
        D: HasResource<R>,
        N: ReadsResource<R, D>,
    {
        const { assert_reads_resource::<D, N, R>() };
        self.core.resources.get::<D, R>()
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
        unsafe { &mut *self.core.resources.as_ptr::<D, R>() }
    }

    /// The outputs of the system `S` as one: as [`Effects::previous_outputs`].
    pub fn previous_outputs<S: SystemName<D>>(&self) -> Outputs<'w, D, S>
    where
        N: Inputs<S, D>,
    {
        const { assert_input::<D, N, S>() };
        self.core.instance::<S>().states.outputs()
    }

    /// Each output of the system `S` as a whole: as [`Effects::each_previous_output`].
    pub fn each_previous_output<S: SystemName<D>>(
        &self,
    ) -> impl Iterator<Item = &'w S::Output> + Clone + use<'w, D, N, S>
    where
        N: Inputs<S, D>,
    {
        const { assert_sees_each::<D, N, S>() };
        self.core.instance::<S>().states.outputs().each()
    }

    /// The state of the system `S`, which has run before.
    #[must_use]
    pub fn system<S: SystemName<D>>(&self) -> &'w S::System
    where
        N: Inputs<S, D>,
    {
        const { assert_input::<D, N, S>() };
        &self.core.instance::<S>().system
    }
}

/// Whether the system marks entities as dead, for the refresh.
fn marks_dead<D: Declaration, N: SystemName<D>>() -> bool {
    let system = &D::SYSTEMS[N::INDEX];
    system.kill && system.stages()
}

/// Forgets marks for rows in which nobody lives: a place may be an old one, in whose row a newborn
/// will live soon.
fn sift_killed<D: Declaration, N: SystemName<D>>(core: &Core<D>, state: &mut SubtaskState<D, N>) {
    if marks_dead::<D, N>() {
        state.staged.to_kill.retain(core.storage.entities.alive());
    }
}
