//! How the subtasks of a system run. All but `Subtask::call` knows the system by its index, and is compiled once for a
//! declaration. The code of a system is called once per subtask, by reference.

use core::sync::atomic::Ordering::Relaxed;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use crossbeam::utils::CachePadded;

use crate::output::stream::{Batch, Round, Upstream};
use crate::parallel::{ForkJoin as _, PanicSlot};
use crate::proxy::{ProducerFailed, Pump};
use crate::rows::{BLOCK_ROWS, Slice, SparseSet};
use crate::scheduling::inner_parallelism::{Cut, Strategy};
use crate::signature::proxies::AnyExecutor;
use crate::signature::{
    Data, Declaration, Effects, Own, Resources, SystemName, SystemSignature, any_after_parent,
    any_shares_events, any_stream,
};
use crate::state::{Core, SubtaskState};

/// How many come before a cut: [`Strategy::CUT`].
type CutAt = fn(Cut) -> usize;

/// How a system is split: by its [`Strategy`].
#[derive(Clone, Copy)]
pub(crate) struct Split {
    subtasks: fn(usize, usize) -> usize,
    cut: Option<CutAt>,
}

impl Split {
    pub(crate) const fn by<S: Strategy>() -> Self {
        Self { subtasks: S::subtasks, cut: S::CUT }
    }
}

/// The code of a system for one subtask.
pub(crate) type RunSubtask<'a, D> = &'a (dyn Fn(Subtask<'_, D>) + Sync);

impl<'w, D: Declaration> AnyExecutor<'w, D> {
    pub(super) fn signature(&self) -> &'static SystemSignature {
        &self.core.systems[self.system]
    }

    pub(super) fn set(&self) -> &'w SparseSet {
        &self.core.subscriptions[self.system].set
    }

    /// Calls `run` for each subtask, on all threads, and returns when all are done.
    pub(crate) fn for_subtasks(&mut self, split: Split, run: RunSubtask<'_, D>) {
        if let Some(upstream) = self.take_upstream() {
            return self.take_stream(&upstream, run);
        }
        if const { any_after_parent(D::SYSTEMS) }
            && let &[relation, ..] = self.signature().declared.after_parent
        {
            return self.for_levels(relation, split.subtasks, run);
        }
        if self.shares_events() {
            let events = self.unread();
            let cut = split.cut.unwrap_or(Cut::evenly);
            return self.fork(self.count(events, split.subtasks), Some((events, cut)), run);
        }
        let entities = self.set().len();
        let count = self.count(entities, split.subtasks);
        if count == 1 && self.workers.is_plain() && !self.states.streams() {
            self.single(run);
        } else {
            self.fork(count, split.cut.map(|cut| (entities, cut)), run);
        }
    }

    /// The only subtask, whose entities are those of `set`. `reset` says whether its output is reset.
    #[inline]
    pub(crate) fn only<'a>(&'a mut self, set: &'a SparseSet, reset: bool) -> Subtask<'a, D> {
        let core = self.core;
        let state = self.states.take_one(reset);
        Subtask { core, set, state, number: 0, slice: set.whole(), round: None, received: None }
    }

    /// Runs the only subtask, on this thread.
    fn single(&mut self, run: RunSubtask<'_, D>) {
        let (core, signature) = (self.core, self.signature());
        if !signature.stages_work() && !signature.declared.contributes() {
            // After a panic there is nothing to drop.
            return run(self.only(self.set(), true));
        }
        let (set, system) = (self.set(), self.system);
        let state = self.states.take_one(true);
        let result = catch_unwind(AssertUnwindSafe(|| {
            Subtask {
                core,
                set,
                state: &mut *state,
                number: 0,
                slice: set.whole(),
                round: None,
                received: None,
            }
            .run(signature, run);
        }));
        if let Err(payload) = result {
            state.work.discard(&PanicSlot::new(), system, 0);
            resume_unwind(payload);
        }
        note_staged(core, signature, [&*state]);
    }

    /// Runs `count` subtasks, on all threads. `cut` has the number of entities, or of events, and says where they are cut.
    fn fork(&mut self, count: usize, cut: Option<(usize, CutAt)>, run: RunSubtask<'_, D>) {
        let (core, workers, system) = (self.core, self.workers, self.system);
        let (set, signature) = (self.set(), self.signature());
        // The bounds are those of events then.
        let shares_events = self.shares_events();
        let sink = self.link().and_then(|link| link.sink).filter(|_| self.states.streams());
        let (states, lanes) = self.states.take(count);
        if let Some((items, cut)) = cut {
            cut_at(states, items, cut);
        }
        let panics = PanicSlot::new();
        let fork = |states: &mut [_], round: Option<&Round<'_>>| {
            workers.run_subtasks(system, states, &|number, state: &mut CachePadded<_>| {
                let state: &mut SubtaskState<D> = state;
                let slice = match cut {
                    _ if shares_events => Slice::EMPTY,
                    None => set.slice(number, count),
                    Some(_) => set.between(state.work.bounds.0, state.work.bounds.1),
                };
                panics.catch(system, Some(number), || {
                    let state = &mut *state;
                    Subtask { core, set, state, number, slice, round, received: None }
                        .run(signature, run);
                });
                if let Some(end) = &mut state.work.end {
                    end.finish();
                }
            });
        };
        if let Some(sink) = sink {
            let round = Round::new(lanes, sink);
            workers.join(|| fork(&mut *states, Some(&round)), || round.take_along());
            // After a panic, too, because the number of items consumed before depends on timing.
            round.take_rest();
        } else {
            fork(&mut *states, None);
        }
        if let Some(failure) = panics.take() {
            for (subtask, state) in states.iter_mut().enumerate() {
                state.work.discard(&panics, system, subtask);
            }
            failure.resume();
        }
        note_staged(core, signature, states.iter().map(|state| &**state));
    }

    /// The stream connections of the system; `None` at compile time where there are no streams.
    #[inline]
    fn link(&self) -> Option<&'w crate::output::stream::Link<'w>> {
        if const { any_stream(D::SYSTEMS) } { self.link } else { None }
    }

    /// The producer whose stream the system consumes, at the first call only.
    #[inline]
    fn take_upstream(&mut self) -> Option<Upstream<'w>> {
        let upstream = self.link()?.upstream;
        if core::mem::replace(&mut self.is_fed, true) { None } else { upstream }
    }

    /// Executes the producer, if the system consumes a stream that it has not taken: a consumer that does not take its
    /// stream must not prevent the execution of the producer.
    #[inline]
    pub(crate) fn finish(&mut self) {
        if let Some(upstream) = self.take_upstream() {
            (upstream.run)(None);
        }
    }

    /// Calls `run` with the items of the producer, which is executed meanwhile.
    fn take_stream(&mut self, upstream: &Upstream<'_>, run: RunSubtask<'_, D>) {
        let (core, signature, system) = (self.core, self.signature(), self.system);
        let (states, _) = self.states.take(1);
        let state = &mut *states[0];
        expect_despawned(core, signature, state);
        let panics = PanicSlot::new();
        let pump = Pump::new(core, system, state, run, &panics);
        let is_complete = (upstream.run)(Some(&pump));
        if is_complete {
            pump.finish();
        }
        if let Some(failure) = panics.take() {
            state.work.discard(&panics, system, 0);
            failure.resume();
        }
        if !is_complete {
            state.work.discard(&panics, system, 0);
            resume_unwind(Box::new(ProducerFailed));
        }
        complete_despawned(core, signature, state);
        note_staged(core, signature, [&*state]);
    }

    /// The number of subtasks for this number of entities, or of events: that of the strategy, but at most one per block of rows.
    fn count(&self, items: usize, strategy: fn(usize, usize) -> usize) -> usize {
        if self.signature().is_single_subtask() || !self.core.inner_parallelism {
            return 1;
        }
        let wanted = strategy(items, self.workers.threads());
        wanted.min(items.div_ceil(BLOCK_ROWS)).max(1)
    }

    /// Whether the subtasks have no entities, and parts of the events.
    #[inline]
    fn shares_events(&self) -> bool {
        let any = const { any_shares_events(D::SYSTEMS) };
        any && self.signature().shares_events()
    }

    /// The number of events that the system has not read, of the one type that its subtasks share. A declaration by hand may
    /// not name the event: then there is one subtask.
    fn unread(&self) -> usize {
        let event = self.signature().declared.on[0];
        let signature = D::EVENTS.iter().find(|signature| signature.resource == event);
        signature.map_or(0, |signature| {
            // SAFETY: the system reads the queue, so the table orders all systems that write it before or after this one.
            // Delayed events reach the queue between steps.
            unsafe { (signature.unread)(self.core.resources.value(event), self.system) }
        })
    }
}

/// Sets where the part of each subtask begins and ends, in numbers of entities, or events: each where the one before ends,
/// whatever `cut` returns, so that none is in two parts.
fn cut_at<D: Declaration>(
    states: &mut [CachePadded<SubtaskState<D>>],
    entities: usize,
    cut: CutAt,
) {
    let subtasks = states.len();
    let mut from = 0;
    for (number, state) in states.iter_mut().enumerate() {
        let subtask = number + 1;
        let to = (subtask < subtasks)
            .then(|| cut(Cut { subtask, subtasks, entities }).clamp(from, entities));
        state.work.bounds = (from, to);
        from = to.unwrap_or(entities);
    }
}

/// Tells the refresh whether there is staged work.
pub(super) fn note_staged<'a, D: Declaration>(
    core: &Core<D>,
    signature: &SystemSignature,
    states: impl IntoIterator<Item = &'a SubtaskState<D>>,
) {
    if signature.stages_work() && states.into_iter().any(|state| !state.work.staged.is_empty()) {
        // Relaxed: the refresh comes after the execution.
        core.staged.store(true, Relaxed);
    }
}

/// Whether the system marks entities for despawning at the refresh.
fn marks_dead(signature: &SystemSignature) -> bool {
    signature.declared.despawn && signature.stages()
}

/// Reserves memory for despawn marks.
fn expect_despawned<D: Declaration>(
    core: &Core<D>,
    signature: &SystemSignature,
    state: &mut SubtaskState<D>,
) {
    if marks_dead(signature) {
        state.work.staged.to_despawn.expect(core.storage.entities.rows().len());
    }
}

/// Completes the despawn marks of a subtask that has ended.
fn complete_despawned<D: Declaration>(
    core: &Core<D>,
    signature: &SystemSignature,
    state: &mut SubtaskState<D>,
) {
    if marks_dead(signature) {
        let entities = &core.storage.entities;
        state.work.staged.to_despawn.complete(entities.handles(), entities.alive());
    }
}

/// One subtask before it runs.
pub(crate) struct Subtask<'a, D: Declaration> {
    pub(crate) core: &'a Core<D>,
    pub(crate) set: &'a SparseSet,
    pub(crate) state: &'a mut SubtaskState<D>,
    pub(crate) number: usize,
    pub(crate) slice: Slice,
    pub(crate) round: Option<&'a Round<'a>>,
    pub(crate) received: Option<&'a mut Batch>,
}

impl<D: Declaration> Subtask<'_, D> {
    /// Runs the subtask of the system with this signature.
    pub(super) fn run(self, signature: &SystemSignature, run: RunSubtask<'_, D>) {
        let Self { core, set, state, number, slice, round, received } = self;
        expect_despawned(core, signature, state);
        run(Subtask { core, set, state: &mut *state, number, slice, round, received });
        complete_despawned(core, signature, state);
    }

    /// Calls `f` with the subtask's proxy.
    ///
    /// # Safety
    /// It must be a subtask of `N`, in an execution of `N` that the scheduler's gate has let through.
    #[inline]
    pub(crate) unsafe fn call<N: SystemName<D>>(self, f: &impl Fn(&mut Data<'_, D, N>)) {
        let Self { core, set, state, number, slice, round, received } = self;
        // SAFETY: the state is that of a subtask of `N`, by the contract.
        let (output, work) = unsafe { state.parts::<N>() };
        f(&mut Data {
            // SAFETY: `fork` cuts the subscription of `N` into slices, one for each subtask; `for_levels`, and `fork` of a
            // system that shares events, give empty ones. The others take it whole for the only subtask; a `Pump` calls that
            // again and again, one call at a time, as it locks the state.
            own: unsafe { Own::new(&core.storage, set, slice) },
            // SAFETY: as above; each subtask has one.
            resources: unsafe { Resources::new(core) },
            effects: Effects { core, output, work, subtask: number, round, received },
        });
    }
}
