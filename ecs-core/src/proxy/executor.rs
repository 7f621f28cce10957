//! The executor proxy: the execution of one system as a whole (thesis, 11.2.1).

use core::sync::atomic::Ordering::Relaxed;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use crossbeam::utils::CachePadded;

use super::effects::{assert_input, assert_sees_each};
use crate::output::Output as _;
use crate::output::stream::{Link, Round, Sink, Upstream};
use crate::parallel::{ForkJoin as _, PanicSlot, Workers};
use crate::proxy::{ProducerFailed, Pump};
use crate::rows::{Slice, SparseSet};
use crate::scheduling::inner_parallelism::Strategy;
use crate::signature::access::Inputs;
use crate::signature::{
    Data, Declaration, Effects, Executor, Own, Resources, SystemName, any_stream,
};
use crate::state::{Core, Outputs, States, SubtaskState};

impl<'w, D: Declaration, N: SystemName<D>> Executor<'w, D, N> {
    /// Runs `f` for each subtask, on all threads, and returns when all are done.
    ///
    /// It may be called more than once; the outputs then follow one another.
    ///
    /// # Panics
    /// With the panic of the lowest subtask that panicked, after all have stopped. The staged work of all of
    /// them is dropped.
    #[inline]
    pub fn for_subtasks(&mut self, f: impl Fn(&mut Data<'_, D, N>) + Sync) {
        // For other systems the code of consumers is not compiled.
        if const { !D::SYSTEMS[N::INDEX].declared.streams.is_empty() }
            && let Some(upstream) = self.take_upstream()
        {
            return self.take_stream(&upstream, f);
        }
        let is_plain = self.workers.is_plain() && const { N::Output::STREAM_END.0.is_none() };
        if const { D::SYSTEMS[N::INDEX].is_single_subtask() } && is_plain {
            return self.single(|job| job.run(&f));
        }
        let count = self.subtasks(self.core.subscription::<N>().set.len());
        if count == 1 && is_plain {
            self.single(|job| job.run_apart(&f));
        } else {
            let sink = self.link().and_then(|link| link.sink);
            Self::fork(self.core, self.states, self.workers, sink, count, |job| job.run_apart(&f));
        }
    }

    /// Runs the only subtask, on this thread.
    #[inline]
    fn single(&mut self, run: impl FnOnce(Job<'_, D, N>)) {
        let core = self.core;
        let set = &core.subscription::<N>().set;
        let state = self.states.take_one();
        let slice = set.whole();
        let job = Job { core, set, state: &mut *state, subtask: 0, slice, round: None };
        if const { !D::SYSTEMS[N::INDEX].stages_work() && D::SYSTEMS[N::INDEX].declared.add.is_empty() }
        {
            // After a panic there is nothing to drop.
            return run(job);
        }
        let result = catch_unwind(AssertUnwindSafe(|| run(job)));
        if let Err(payload) = result {
            let panics = PanicSlot::new();
            state.staged.discard(&panics, N::INDEX, 0);
            state.added.discard(&panics, N::INDEX);
            resume_unwind(payload);
        }
        note_staged(core, [&*state]);
    }

    /// Runs `count` subtasks, on all threads. (It takes no `self`, so that an executor whose address is not
    /// taken needs no memory.)
    #[inline(never)]
    fn fork(
        core: &Core<D>,
        states: &mut States<D, N>,
        workers: &Workers,
        sink: Option<&dyn Sink>,
        count: usize,
        run: impl Fn(Job<'_, D, N>) + Sync,
    ) {
        let set = &core.subscription::<N>().set;
        let (states, lanes) = states.take(count);
        let panics = PanicSlot::new();
        let fork = |states: &mut [_], round: Option<&Round<'_>>| {
            workers.run_subtasks(N::INDEX, states, &|subtask, state: &mut CachePadded<_>| {
                let state: &mut SubtaskState<D, N> = state;
                let slice = set.slice(subtask, count);
                panics.catch(N::INDEX, Some(subtask), || {
                    run(Job { core, set, state: &mut *state, subtask, slice, round });
                });
                if let Some(end) = &mut state.end {
                    end.finish();
                }
            });
        };
        if const { N::Output::STREAM_END.0.is_some() }
            && let Some(sink) = sink
        {
            let round = Round::new(lanes, sink);
            workers.join(|| fork(&mut *states, Some(&round)), || round.take_along());
            // After a panic, too, because the number of items consumed before depends on timing.
            round.take_rest();
        } else {
            fork(&mut *states, None);
        }
        if let Some(failure) = panics.take() {
            for (subtask, state) in states.iter_mut().enumerate() {
                state.staged.discard(&panics, N::INDEX, subtask);
                state.added.discard(&panics, N::INDEX);
            }
            failure.resume();
        }
        note_staged(core, states.iter().map(|state| &**state));
    }

    /// The stream connections of the system; `None` at compile time where there are no streams.
    #[inline]
    fn link(&self) -> Option<&'w Link<'w>> {
        if const { any_stream(D::SYSTEMS) } { self.link } else { None }
    }

    /// The producer whose stream the system consumes, at the first call only.
    #[inline]
    pub(super) fn take_upstream(&mut self) -> Option<Upstream<'w>> {
        let upstream = self.link()?.upstream;
        if core::mem::replace(&mut self.is_fed, true) { None } else { upstream }
    }

    /// Runs `f` for the items of the producer, which is executed meanwhile.
    fn take_stream(&mut self, upstream: &Upstream<'_>, f: impl Fn(&mut Data<'_, D, N>) + Sync) {
        let (states, _) = self.states.take(1);
        expect_despawned(self.core, &mut states[0]);
        let panics = PanicSlot::new();
        let pump = Pump::new(self.core, &mut states[0], f, &panics);
        let is_complete = (upstream.run)(Some(&pump));
        if is_complete {
            pump.finish();
        }
        if let Some(failure) = panics.take() {
            states[0].staged.discard(&panics, N::INDEX, 0);
            states[0].added.discard(&panics, N::INDEX);
            failure.resume();
        }
        if !is_complete {
            states[0].staged.discard(&panics, N::INDEX, 0);
            states[0].added.discard(&panics, N::INDEX);
            resume_unwind(Box::new(ProducerFailed));
        }
        sift_despawned(self.core, &mut states[0]);
        note_staged(self.core, states.iter().map(|state| &**state));
    }

    /// The number of subtasks for `entities` entities: that of the strategy, but at most one per block of rows.
    fn subtasks(&self, entities: usize) -> usize {
        if const { D::SYSTEMS[N::INDEX].is_single_subtask() } || !self.core.inner_parallelism {
            return 1;
        }
        let wanted = N::Parallelism::subtasks(entities, self.workers.threads());
        wanted.min(entities.div_ceil(crate::rows::BLOCK_ROWS)).max(1)
    }

    /// The outputs of the subtasks that have run, as one.
    pub fn outputs(&self) -> Outputs<'_, D, N> {
        self.states.outputs()
    }

    /// The output of each subtask that has run, in order, to write. Later systems see the modified outputs.
    ///
    /// The number of outputs follows from how this system was split, and is visible here. The combined
    /// modifications must not depend on it.
    pub fn outputs_mut(&mut self) -> impl Iterator<Item = &mut <N as SystemName<D>>::Output> {
        self.states.outputs_mut()
    }

    /// The number of entities that the system is subscribed to. O(1).
    #[must_use]
    pub fn entity_count(&self) -> usize {
        self.core.subscription::<N>().set.len()
    }

    /// The outputs of the system `S` as one: see [`Effects::outputs_of`].
    pub fn outputs_of<S: SystemName<D>>(&self) -> Outputs<'w, D, S>
    where
        N: Inputs<S, D>,
    {
        const { assert_input::<D, N, S>() };
        self.core.instance::<S>().states.outputs()
    }

    /// Each output of the system `S` as a whole: see [`Effects::output_parts_of`].
    pub fn output_parts_of<S: SystemName<D>>(
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

/// Tells the refresh whether there is staged work.
#[inline]
fn note_staged<'a, D: Declaration, N: SystemName<D>>(
    core: &Core<D>,
    states: impl IntoIterator<Item = &'a SubtaskState<D, N>>,
) {
    let stages = const { D::SYSTEMS[N::INDEX].stages_work() };
    if stages && states.into_iter().any(|state| !state.staged.is_empty()) {
        // Relaxed: the refresh comes after the execution.
        core.staged.store(true, Relaxed);
    }
}

/// Whether the system marks entities for despawning at the refresh.
fn marks_dead<D: Declaration, N: SystemName<D>>() -> bool {
    const { D::SYSTEMS[N::INDEX].declared.despawn && D::SYSTEMS[N::INDEX].stages() }
}

/// Reserves memory for despawn marks.
#[inline]
fn expect_despawned<D: Declaration, N: SystemName<D>>(
    core: &Core<D>,
    state: &mut SubtaskState<D, N>,
) {
    if marks_dead::<D, N>() {
        state.staged.to_despawn.expect(core.storage.entities.rows().len(), 1);
    }
}

/// Removes marks of rows without an entity. A [`Place`](crate::Place) may be out of date, and its row may be
/// used for a new entity soon.
#[inline]
fn sift_despawned<D: Declaration, N: SystemName<D>>(
    core: &Core<D>,
    state: &mut SubtaskState<D, N>,
) {
    if marks_dead::<D, N>() {
        state.staged.to_despawn.retain(core.storage.entities.alive());
    }
}

/// One subtask before it runs.
struct Job<'a, D: Declaration, N: SystemName<D>> {
    core: &'a Core<D>,
    set: &'a SparseSet,
    state: &'a mut SubtaskState<D, N>,
    subtask: usize,
    slice: Slice,
    round: Option<&'a Round<'a>>,
}

impl<D: Declaration, N: SystemName<D>> Job<'_, D, N> {
    /// Calls `f` with the subtask's proxy.
    #[inline]
    fn run(self, f: &impl Fn(&mut Data<'_, D, N>)) {
        let Self { core, set, state, subtask, slice, round } = self;
        expect_despawned(core, state);
        f(&mut Data {
            // SAFETY: `fork` cuts the subscription of `N` into slices, one for each subtask; `single` takes it
            // whole.
            own: unsafe { Own::new(&core.storage, set, slice) },
            // SAFETY: as above; each subtask has one. The executor has another, and is borrowed exclusively meanwhile.
            resources: unsafe { Resources::new(core) },
            effects: Effects { core, state: &mut *state, subtask, round, received: None },
        });
        sift_despawned(core, state);
    }

    /// The same as [`run`](Self::run), as a separate function, which all callers share.
    #[inline(never)]
    fn run_apart(self, f: &impl Fn(&mut Data<'_, D, N>)) {
        self.run(f);
    }
}
