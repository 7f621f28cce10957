//! The call of one system in its node of the schedule.

use core::sync::atomic::Ordering::Relaxed;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use crate::output::stream::{Link, Sink, Upstream};
use crate::parallel::{Failure, PanicSlot};
use crate::proxy::ProducerFailed;
use crate::proxy::step::overrides::Overrides;
use crate::signature::tables::{removed, tracking};
use crate::signature::{
    Declaration, Executor, System, SystemName, SystemVisitor, any_conditional, any_stream,
    consumer_of, systems_of,
};
use crate::state::{Context, Core, ExecuteBody, States, SystemCode, assert_is};

/// Runs the systems of the nodes of a schedule.
pub(crate) struct Node<'a, D: Declaration, O> {
    pub(crate) context: &'a Context<'a, D>,
    /// Executes each system by its own body.
    pub(crate) bodies: &'a [ExecuteBody<D>],
    pub(crate) overrides: &'a O,
}

impl<D: Declaration, O: Overrides<D>> Node<'_, D, O> {
    /// Executes the system. A producer is executed by its consumer, in the producer's node.
    #[inline(always)]
    pub(crate) fn run(&self, index: usize) {
        if const { any_stream(D::SYSTEMS) } {
            self.run_linked(index);
        } else {
            self.execute(index, self.context);
        }
    }

    /// The same as [`run`](Self::run), where there are streams.
    fn run_linked(&self, index: usize) {
        let streamed = &self.context.core.streamed;
        if let Some(consumer) = consumer_of(self.context.core.systems, index) {
            // Relaxed: the consumer's node comes after this one.
            streamed[consumer].store(true, Relaxed);
            let panics = PanicSlot::new();
            let run = |sink: Option<&dyn Sink>| {
                let link = Link { upstream: None, sink };
                panics.catch(index, None, || self.execute_linked(index, &link)).is_some()
            };
            let link = Link { upstream: Some(Upstream { run: &run }), sink: None };
            let consume = AssertUnwindSafe(|| self.execute_linked(consumer, &link));
            if let Err(payload) = catch_unwind(consume)
                && !payload.is::<ProducerFailed>()
            {
                panics.record(Failure { node: consumer, subtask: None, payload });
            }
            if let Some(failure) = panics.take() {
                failure.resume();
            }
        } else if !streamed[index].load(Relaxed) {
            self.execute(index, self.context);
        }
    }

    fn execute_linked(&self, index: usize, link: &Link<'_>) {
        let Context { core, workers, .. } = *self.context;
        self.execute(index, &Context { core, workers, link: Some(link) });
    }

    #[inline(always)]
    fn execute(&self, index: usize, context: &Context<'_, D>) {
        if const { any_conditional(D::SYSTEMS) } && context.core.conditions.skip(index) {
            return skip(context);
        }
        if const { O::SYSTEMS.is_empty() } || !self.overrides.run(Call { context, index }) {
            self.bodies[index](context);
        }
    }
}

/// What is left to do of a skipped system: a producer that it is to receive from runs nevertheless.
#[inline]
fn skip<D: Declaration>(context: &Context<'_, D>) {
    if const { any_stream(D::SYSTEMS) }
        && let Some(Link { upstream: Some(upstream), .. }) = context.link
    {
        (upstream.run)(None);
    }
}

/// The code of each system.
pub(crate) fn code<D: Declaration>() -> Box<[SystemCode<D>]> {
    (0..systems_of::<D>().len()).map(|index| D::dispatch(index, FindCode(index))).collect()
}

/// Looks up the code of the system at an index, so that a step only has to call it.
struct FindCode(usize);

impl<D: Declaration> SystemVisitor<D> for FindCode {
    type Output = SystemCode<D>;

    fn visit<N: SystemName<D>>(self) -> SystemCode<D> {
        assert_is::<D, N>(self.0);
        SystemCode::of::<N>(execute_body::<D, N>)
    }
}

/// Executes the system `N` by its own body.
fn execute_body<D: Declaration, N: SystemName<D>>(context: &Context<'_, D>) {
    Call { context, index: N::INDEX }.execute::<N>(N::System::execute);
}

/// The call of one system. It fits into two registers.
#[doc(hidden)]
pub struct Call<'a, D: Declaration> {
    context: &'a Context<'a, D>,
    index: usize,
}

impl<D: Declaration> Clone for Call<'_, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: Declaration> Copy for Call<'_, D> {}

impl<D: Declaration> Call<'_, D> {
    /// The index of the system.
    pub(crate) fn index(&self) -> usize {
        self.index
    }

    /// Calls `f` with the state of the system `N` and its executor.
    ///
    /// Only for systems that the scheduler's gate has let through, or that are next in order where no scheduler
    /// is used.
    #[inline]
    pub(crate) fn execute<N: SystemName<D>>(
        self,
        f: impl FnOnce(&mut N::System, &mut Executor<'_, D, N>),
    ) {
        let Self { context: &Context { core, workers, link }, index } = self;
        assert_is::<D, N>(index);
        if const { D::SYSTEMS[N::INDEX].is_idle() } {
            // Validation assumes that nothing is read here, so no proxy is made.
            if let Some(Link { upstream: Some(upstream), .. }) = link {
                (upstream.run)(None);
            }
            return;
        }
        // SAFETY: a `Call` is made for a `Node` only, by the node itself or by the code that it looks up. Nodes are run
        // in `Step::execute` only, for systems that gates let through: each system is in one phase, whose gate lets it
        // through once per execution, after all of the phase that it depends on. Phases follow one another, or are a group,
        // with one gate for its whole graph, which has all edges between its systems. (Where no
        // scheduler is used, `Phased` goes over the phase in topological order, on one thread.) The step that executes
        // holds `&mut Core`. Systems that read this instance declare it as an input and thereby depend on it.
        // `assert_is` makes sure that no other system has this index. The consumer of a stream is executed in the node
        // of its producer, or else in its own, never in both (`Node::run`). The producer's node waits for all that the
        // consumer depends on, and the consumer's own node comes after that and before all that depends on it
        // (`signature::tables::streams::dependencies`). Without its producer it is executed as a start, and nothing that it
        // depends on is executed then; or by its name alone (`Selection::Only`), where the nodes that are left out pass
        // the gate, too, so that the order is that of all nodes. So there is no other access to the instance. (A `Call`
        // leaves this module for the override only, and is used once: by the override, or by the body.)
        let (system, states) = unsafe { core.lend::<N>() };
        // A load of an atomic is not left out where it has no use.
        let stages = const { D::SYSTEMS[N::INDEX].stages_work() };
        states.begin_execution::<N>(if stages { core.refreshes() } else { 0 });
        if const { receives_messages::<D, N>() } {
            let handles = core.storage.entities.handles();
            let (events, resources) = (D::EVENTS, &core.resources);
            // SAFETY: as above, the system is executed here only, and no subtask of it runs yet; `signature::check` has
            // validated the table.
            unsafe { core.contributions.deliver(index, events, resources, handles, workers) };
        }
        if const { !D::SYSTEMS[N::INDEX].declared.contributes() } {
            // SAFETY: as above; the states are those of `N`.
            let mut executor = unsafe { Executor::new(core, states, workers, link) };
            f(system, &mut executor);
            executor.any.finish();
            return note_run::<D, N>(core);
        }
        let mut f = Some(f);
        let mut run = |states: &mut States<D>| {
            // SAFETY: as above; the states are those of `N`.
            let mut executor = unsafe { Executor::new(core, states, workers, link) };
            f.take().expect("it runs once")(system, &mut executor);
            executor.any.finish();
        };
        // SAFETY: as above, the system is executed here only, and once in the execution.
        unsafe { contribute(core, index, states, &mut run) };
        note_run::<D, N>(core);
    }
}

/// Notes that the system has run: it has seen the changes that it asks about, and has read what was removed, and its events.
#[inline(always)]
fn note_run<D: Declaration, N: SystemName<D>>(core: &Core<D>) {
    if const { tracking::asks(D::SYSTEMS, N::INDEX) } {
        let set = &core.subscription::<N>().set;
        tracking::forget(&core.storage, core.systems, N::INDEX, set);
    }
    if const { !D::SYSTEMS[N::INDEX].declared.removed.is_empty() } {
        removed::note_run(&core.storage, core.systems, N::INDEX);
    }
    if const { !D::SYSTEMS[N::INDEX].declared.on.is_empty() } {
        core.contributions.note_reader(N::INDEX);
    }
}

/// Whether the system reads an event that is addressed or has an index.
const fn receives_messages<D: Declaration, N: SystemName<D>>() -> bool {
    let mut event = 0;
    while event < D::EVENTS.len() {
        let signature = &D::EVENTS[event];
        let on = D::SYSTEMS[N::INDEX].declared.on;
        let is_prepared = signature.indexing.is_some();
        if is_prepared && ecs_rules::contains(on, signature.resource) {
            return true;
        }
        event += 1;
    }
    false
}

/// Calls `run`, which executes the system at this index, and contributes what it has added to commutative resources, or
/// drops it after a panic.
///
/// # Safety
/// It must be called once in an execution, for a system that the gate of its phase has let through.
unsafe fn contribute<D: Declaration>(
    core: &Core<D>,
    system: usize,
    states: &mut States<D>,
    run: &mut dyn FnMut(&mut States<D>),
) {
    let contribute = || {
        run(states);
        let added = states.latest_mut().iter_mut().map(|state| &mut state.work.added);
        // SAFETY: by the contract; the step has begun the phase with all systems that the gate of this phase lets through
        // and that are not skipped, as this one is not: it is executed. And `signature::check` has validated the table.
        unsafe { core.contributions.contribute(system, added, &core.resources) };
    };
    if let Err(payload) = catch_unwind(AssertUnwindSafe(contribute)) {
        let panics = PanicSlot::new();
        for state in states.latest_mut() {
            state.work.added.discard(&panics, system);
        }
        resume_unwind(payload);
    }
}
