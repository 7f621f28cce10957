//! The step proxy: all operations of a step (thesis, 11.2).

use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};
use std::time::{Duration, Instant};

use super::call::Node;
use super::overrides::{All, Bodies, Detailed, Named, Overrides, Subtasks};
use crate::parallel::{Threads, Workers};
use crate::proxy::for_tuples;
use crate::refresh::events::{Handling, reborrow};
use crate::scheduling::scheduler::{ExecuteError, Phased, Plan, Scheduler, StartNodes as Nodes};
use crate::scheduling::settings::Settings;
use crate::signature::{
    Data, Declaration, Executor, HasPhases, SystemName, any_stream, validate_override,
    validate_starts,
};
use crate::state::{Context, Core, Defer, opaque_debug};
use crate::types::Brand;

/// A step in progress: every critical operation, with immediate effect, and the execution of systems.
///
/// It dereferences to [`Defer`], which has the operations on entities, components, resources and systems'
/// states.
pub struct Step<'w, D: Declaration, S: Settings = <D as Declaration>::Settings> {
    pub(crate) defer: Defer<'w, D>,
    pub(crate) schedule: &'w mut Phased<S::Scheduler>,
    pub(crate) events: Handling<'w, D>,
}

impl<'w, D: Declaration, S: Settings> Step<'w, D, S> {
    /// Each output of the system `N` as a whole, in order: one for each subtask of its latest execution.
    ///
    /// Their number follows from how `N` was split. Unlike a deferred function, a step may depend on that.
    /// [`outputs_of`](Defer::outputs_of) gives the outputs as one, which is the same for every split.
    #[doc(alias = "for_system_outputs")]
    pub fn output_parts_of<N: SystemName<D>>(&self) -> impl Iterator<Item = &N::Output> {
        self.outputs_of::<N>().each()
    }

    /// Every system, each after its dependencies. Nothing is executed until [`run`](Execution::run).
    pub fn execute_systems(&mut self) -> Execution<'_, 'w, D, S, All, Bodies> {
        Execution { step: self, nodes: Nodes::All, types: PhantomData, overrides: Bodies }
    }

    /// The systems in `F`, and all direct and indirect dependents: the thesis's *chains* (10.3.1). `F` is a
    /// tuple of system names.
    ///
    /// ```
    /// # use ecs_core::{World, world};
    /// # #[derive(Default)] struct Log(Vec<&'static str>);
    /// world! {
    ///     world Chain;
    ///     resource Log;
    ///     system A {
    ///         write_resources: [Log],
    ///         run: |data| data.resource_mut::<Log>().0.push("a"),
    ///     }
    ///     system B {
    ///         write_resources: [Log],
    ///         dependencies: [A],
    ///         run: |data| data.resource_mut::<Log>().0.push("b"),
    ///     }
    /// }
    ///
    /// let mut world = World::<Chain>::new();
    /// world.step(|step| {
    ///     step.execute_systems_from::<(A,)>().run(); // A, then B
    ///     step.execute_systems_from::<(B,)>().run(); // B alone
    /// }).unwrap();
    /// assert_eq!(world.resource::<Log>().0, ["a", "b", "b"]);
    /// ```
    ///
    /// It does not compile if one of the systems would run after another of them anyway.
    pub fn execute_systems_from<F: Starts<D>>(&mut self) -> Execution<'_, 'w, D, S, F, Bodies> {
        const { validate_starts::<D>(F::NODES) };
        Execution {
            step: self,
            nodes: if F::ALL { Nodes::All } else { Nodes::Nodes(F::NODES) },
            types: PhantomData,
            overrides: Bodies,
        }
    }
}

impl<'w, D: Declaration, S: Settings> Deref for Step<'w, D, S> {
    type Target = Defer<'w, D>;

    fn deref(&self) -> &Self::Target {
        &self.defer
    }
}

impl<D: Declaration, S: Settings> DerefMut for Step<'_, D, S> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.defer
    }
}

opaque_debug! { [D: Declaration, S: Settings] Step<'_, D, S>: |_| world = D::NAME }

/// The systems that an execution starts from: all, or a tuple of up to twelve system names.
#[diagnostic::on_unimplemented(
    message = "[ECS0065] `{Self}` is not a tuple of systems of the world `{D}`",
    note = "name the systems, twelve at most, as in `execute_systems_from::<(A, B)>()`"
)]
pub trait Starts<D: Declaration> {
    /// Their indices.
    const NODES: &'static [usize];
    /// Whether to start from every system without dependencies instead.
    const ALL: bool = false;
}

impl<D: Declaration> Starts<D> for All {
    const NODES: &'static [usize] = &[];
    const ALL: bool = true;
}

macro_rules! tuple_starts {
    ($($N:ident),+) => {
        impl<D: Declaration, $($N: SystemName<D>),+> Starts<D> for ($($N,)+) {
            const NODES: &'static [usize] = &[$($N::INDEX),+];
        }
    };
}

for_tuples! { tuple_starts: A, B, C, E, F, G, H, I, J, K, L, M }

/// An execution that [`run`](Self::run) starts: its systems, and their code.
///
/// A system runs its [`System`](crate::System) body, unless it is overridden here by a closure, which captures
/// any further data (thesis, 12.2), or by code for many systems: for [named ones](Self::systems), for those
/// that [match](Self::matching) a predicate, or for the [remaining](Self::remaining) ones.
#[must_use = "nothing is executed until `run`"]
pub struct Execution<'s, 'w, D: Declaration, S: Settings, F, O> {
    step: &'s mut Step<'w, D, S>,
    nodes: Nodes<'static>,
    types: Brand<(F, O)>,
    overrides: O,
}

impl<'s, 'w, D: Declaration, S: Settings, F, O: Overrides<D>> Execution<'s, 'w, D, S, F, O> {
    /// Makes the system `N` call `f` for each subtask instead of its body.
    ///
    /// It does not compile if the system is overridden already, or is not executed because no start leads to
    /// it.
    pub fn for_subtasks<N: SystemName<D>>(
        self,
        f: impl Fn(&N::System, &mut Data<'_, D, N>) + Send + Sync,
    ) -> Execution<'s, 'w, D, S, F, impl Overrides<D>>
    where
        F: Starts<D>,
    {
        const { validate_override::<D>(F::ALL, F::NODES, O::SYSTEMS, &[N::INDEX]) };
        self.with::<N, _>(Subtasks(f))
    }

    /// Makes the system `N` call `f` instead of its body: the detailed form, with code before and after the
    /// subtasks.
    ///
    /// It does not compile if the system is overridden already, or is not executed because no start leads to
    /// it.
    pub fn detailed<N: SystemName<D>>(
        self,
        f: impl Fn(&mut N::System, &mut Executor<'_, D, N>) + Send + Sync,
    ) -> Execution<'s, 'w, D, S, F, impl Overrides<D>>
    where
        F: Starts<D>,
    {
        const { validate_override::<D>(F::ALL, F::NODES, O::SYSTEMS, &[N::INDEX]) };
        self.with::<N, _>(Detailed(f))
    }

    fn with<N, B>(self, body: B) -> Execution<'s, 'w, D, S, F, Named<N, B, O>> {
        self.replace(|rest| Named { body, rest, name: PhantomData })
    }

    /// Executes the systems. Returns when all have run.
    ///
    /// They see the entities that they were subscribed to at the last refresh, except those that this step has
    /// removed a component from since. If the declaration says `refresh_before_dependents`, they run after a
    /// refresh, unless nothing has changed since the last one. Then they run [phase](crate::signature::Phases)
    /// by phase, with further refreshes between.
    ///
    /// # Panics
    /// If a system panics: after all running subtasks have stopped, with the payload of the lowest system of
    /// its phase that was seen to panic. No further system is started, and everything that the step has staged
    /// since the last refresh is dropped. The same happens if a deferred function or a destructor panics in a
    /// refresh between phases, after that refresh is complete.
    pub fn run(self) {
        let Self { step, nodes, overrides, .. } = self;
        let Step { defer: Defer { core }, schedule, events } = step;
        if const { any_stream(D::SYSTEMS) } {
            core.streamed.iter_mut().for_each(|streamed| *streamed.get_mut() = false);
        }
        let phases = const { D::PHASES.count() };
        if phases > 1 || !matches!(nodes, Nodes::All) {
            schedule.select(nodes).expect("the starts were validated when the program was built");
        }
        let mut refresh = true;
        for phase in 0..phases {
            refresh |= D::PHASES.begins_with_refresh(phase);
            if phases > 1 && !schedule.takes_part(phase) {
                continue;
            }
            core.executions += u64::from(refresh);
            core.prepare(core::mem::take(&mut refresh), reborrow(events));
            let entities = core.storage.entities.count();
            let threads = core.threads.available();
            let plan = schedule.plan(phase, nodes, entities, threads, &mut core.adaptive);
            let shared = &**core;
            let workers = &Workers::alone(threads.count);
            let context = Context { core: shared, workers, link: None };
            let (bodies, overrides) = (&*shared.bodies, &overrides);
            let result = if plan.is_simple() && threads.contain_current {
                let node = Node { context: &context, bodies, overrides };
                schedule.execute_simply(phase, nodes, plan, move |index| node.run(index))
            } else {
                let run = |workers: &Workers, index: usize| {
                    let context = &Context { core: shared, workers, link: None };
                    Node { context, bodies, overrides }.run(index);
                };
                execute(&shared.threads, schedule, phase, nodes, plan, workers, &run)
                    .map(|time| core.adaptive.add(time))
            };
            if let Err(error) = result {
                Self::fail(core, error);
            }
        }
    }

    /// Drops the staged work of the step, and resumes the panic of a system.
    #[cold]
    #[inline(never)]
    fn fail(core: &mut Core<D>, error: ExecuteError) -> ! {
        match error {
            ExecuteError::Failed(failure) => {
                core.discard_staged();
                failure.resume()
            }
            ExecuteError::Starts(error) => {
                unreachable!("the starts were validated when the program was built: {error}")
            }
        }
    }
}

impl<'s, 'w, D: Declaration, S: Settings, F, O> Execution<'s, 'w, D, S, F, O> {
    /// The same systems with other overrides.
    pub(super) fn replace<P>(self, with: impl FnOnce(O) -> P) -> Execution<'s, 'w, D, S, F, P> {
        let Self { step, nodes, overrides, .. } = self;
        Execution { step, nodes, types: PhantomData, overrides: with(overrides) }
    }
}

opaque_debug! {
    [D: Declaration, S: Settings, F, O] Execution<'_, '_, D, S, F, O>: |_| world = D::NAME
}

/// Executes a phase by the plan, on `threads`. `run` executes a system on some of them: on all, or, if it is not
/// to be split, on the calling thread, which `alone` stands for. Returns the elapsed time; zero unless the plan asks for it.
///
/// The type of `run` is erased, so that this is compiled once for all worlds.
#[inline(never)]
fn execute<S: Scheduler>(
    threads: &Threads,
    schedule: &mut Phased<S>,
    phase: usize,
    nodes: Nodes<'_>,
    plan: Plan,
    alone: &Workers,
    run: &(dyn Fn(&Workers, usize) + Sync),
) -> Result<Duration, ExecuteError> {
    if plan.is_simple() {
        let execute = || schedule.execute_simply(phase, nodes, plan, |index| run(alone, index));
        return threads.install(execute).map(|()| Duration::ZERO);
    }
    let start = plan.is_calibrating().then(Instant::now);
    let mut execute = |workers: &Workers| {
        let split = &workers.with(schedule.subtask_order(phase));
        schedule.execute(phase, nodes, plan, split, &|index, is_split| {
            run(if is_split { split } else { alone }, index);
        })
    };
    let result = if plan.alone { threads.install(|| execute(alone)) } else { threads.run(execute) };
    result.map(|()| start.map_or(Duration::ZERO, |start| start.elapsed()))
}
