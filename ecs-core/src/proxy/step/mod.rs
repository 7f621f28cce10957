//! The step proxy: all operations of a step (thesis, 11.2).

pub(crate) mod adapters;
pub(crate) mod call;
pub(crate) mod execution;
pub(crate) mod executor;
pub(crate) mod instance;
pub(crate) mod levels;
pub(crate) mod overrides;
pub(crate) mod selection;
pub(crate) mod stage;
pub(crate) mod subtasks;
mod transitions;

use core::ops::{Deref, DerefMut};
use std::time::{Duration, Instant};

use crate::parallel::{PanicSlot, Threads, Workers};
use crate::proxy::step::call::Node;
use crate::proxy::step::execution::{Execution, Starts};
use crate::proxy::step::overrides::{Bodies, Only, Overrides};
use crate::proxy::step::selection::{SelectionError, SystemSelection};
use crate::refresh::events::{Handling, reborrow};
use crate::scheduling::scheduler::{ExecuteError, Phased, Plan, Scheduler, Selection};
use crate::scheduling::settings::Settings;
use crate::signature::{
    Declaration, HasPhases, StagedChanges, SystemName, any_conditional, any_contributes,
    any_defers, any_every, any_random, any_stream, validate_only, validate_starts,
};
use crate::state::{Context, Core, CoreData, Defer, opaque_debug};

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

    /// Executes every system, each after its dependencies. Returns when all have run.
    ///
    /// They see the entities that they were subscribed to at the last refresh, except those that this step has
    /// removed a component from since. If the declaration says `refresh_before_dependents`, they run after a
    /// refresh, unless nothing has changed since the last one. Then they run [phase](crate::signature::Phases)
    /// by phase, with further refreshes between. Systems with `sees: [..]` run after a refresh, too.
    ///
    /// A system whose condition (`run_if`) does not hold is skipped, and has no outputs. Those that depend on it run.
    ///
    /// # Panics
    /// If a system panics: after all running subtasks have stopped, with the payload of the lowest system of
    /// its phase that was seen to panic. No further system is started, and everything that the step has staged
    /// since the last refresh is dropped, and so is what systems have added to resources and no system could see.
    /// The same happens if a condition, the operation of a resource or the scheduler panics, and if a deferred function or a
    /// destructor panics in a refresh between phases, after that refresh is complete.
    pub fn execute_systems(&mut self) {
        self.execute(Execution::<D>::NEW);
    }

    /// Executes the systems in `F`, and all direct and indirect dependents: the thesis's *chains* (10.3.1). `F` is a
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
    ///         run: |data| data.resources.get_mut::<Log>().0.push("a"),
    ///     }
    ///     system B {
    ///         write_resources: [Log],
    ///         dependencies: [A],
    ///         run: |data| data.resources.get_mut::<Log>().0.push("b"),
    ///     }
    /// }
    ///
    /// let mut world = World::<Chain>::new();
    /// world.step(|step| {
    ///     step.execute_systems_from::<(A,)>(); // A, then B
    ///     step.execute_systems_from::<(B,)>(); // B alone
    /// }).unwrap();
    /// assert_eq!(world.resource::<Log>().0, ["a", "b", "b"]);
    /// ```
    ///
    /// It does not compile if one of the systems would run after another of them anyway.
    ///
    /// # Panics
    /// As [`execute_systems`](Self::execute_systems).
    pub fn execute_systems_from<F: Starts<D>>(&mut self) {
        const { validate_starts::<D>(F::NODES) };
        self.execute(Execution::<D, F>::NEW);
    }

    /// Executes the systems in `F` and no others, in the order that the declaration gives them. `F` is a tuple of
    /// system names, in any order.
    ///
    /// ```
    /// # use ecs_core::{World, world};
    /// # #[derive(Default)] struct Log(Vec<&'static str>);
    /// world! {
    ///     world Chain;
    ///     resource Log;
    ///     system A {
    ///         write_resources: [Log],
    ///         run: |data| data.resources.get_mut::<Log>().0.push("a"),
    ///     }
    ///     system B {
    ///         write_resources: [Log],
    ///         dependencies: [A],
    ///         run: |data| data.resources.get_mut::<Log>().0.push("b"),
    ///     }
    ///     system C {
    ///         write_resources: [Log],
    ///         dependencies: [B],
    ///         run: |data| data.resources.get_mut::<Log>().0.push("c"),
    ///     }
    /// }
    ///
    /// let mut world = World::<Chain>::new();
    /// world.step(|step| {
    ///     step.execute_only::<(B,)>();
    ///     step.execute_only::<(C, A)>(); // A, then C
    /// }).unwrap();
    /// assert_eq!(world.resource::<Log>().0, ["b", "a", "c"]);
    /// ```
    ///
    /// Systems keep the order that they have in a whole execution, also where that order goes through a system
    /// that is left out. So the result does not depend on threads. What they read of systems that are left out
    /// (`inputs`) is what those left behind in their last execution. The index of a query that one of the systems
    /// uses is made before. A system that receives a stream gets no items if its sender is left out. A stage is a
    /// system without effects: name the systems in it. O(systems + orders), beside what the systems do.
    ///
    /// It does not compile ([`ECS0074`](crate::errors::ecs0074), [`ECS0116`](crate::errors::ecs0116)) if a system
    /// is named twice, if one that sends a stream is named without the one that receives it, or if a query
    /// without an index is named, which is never executed.
    ///
    /// # Panics
    /// As [`execute_systems`](Self::execute_systems).
    pub fn execute_only<F: Starts<D>>(&mut self) {
        const { validate_only::<D>(F::NODES) };
        self.execute(Execution::<D, Only<F>>::NEW);
    }

    /// Executes systems that are chosen at run time, and no others: otherwise as
    /// [`execute_only`](Self::execute_only).
    ///
    /// # Errors
    /// If a system that sends a stream is selected without the one that receives it, or if a query without an index is.
    ///
    /// # Panics
    /// As [`execute_systems`](Self::execute_systems).
    pub fn execute_selected(
        &mut self,
        selection: &SystemSelection<D>,
    ) -> Result<(), SelectionError> {
        let executed = selection.executed()?;
        self.begin(Selection::Only(&executed), &Bodies);
        Ok(())
    }

    /// Executes systems with other code than their own: `choose` says which systems, and what code.
    ///
    /// ```
    /// # use ecs_core::{World, world};
    /// # struct Position(f32);
    /// # world! {
    /// #     world Discs;
    /// #     component Position;
    /// #     system Move { each: |position: &mut Position| position.0 += 1.0 }
    /// #     system Draw { read: [Position], dependencies: [Move], run: |_| {} }
    /// # }
    /// # let mut world = World::<Discs>::new();
    /// # world.spawn((Position(0.5),));
    /// let screen = std::sync::Mutex::new(Vec::new());
    /// world.step(|step| {
    ///     step.execute_with(|systems| {
    ///         systems.for_subtasks::<Draw>(|_, data| {
    ///             data.own.for_entities(|disc| screen.lock().unwrap().push(disc.position.0));
    ///         })
    ///     });
    /// }).unwrap();
    /// assert_eq!(screen.into_inner().unwrap(), [1.5]);
    /// ```
    ///
    /// # Panics
    /// As [`execute_systems`](Self::execute_systems), and if `choose` panics.
    pub fn execute_with<F: Starts<D>, O: Overrides<D>>(
        &mut self,
        choose: impl FnOnce(Execution<D>) -> Execution<D, F, O>,
    ) {
        self.execute(choose(Execution::NEW));
    }

    #[inline(always)]
    fn execute<F: Starts<D>, O: Overrides<D>>(&mut self, execution: Execution<D, F, O>) {
        let Execution { overrides, .. } = execution;
        self.begin(const { execution::selection::<D, F>() }, &overrides);
    }

    /// Begins an execution of these systems, which form a valid selection.
    #[inline(always)]
    fn begin<O: Overrides<D>>(&mut self, nodes: Selection<'_>, overrides: &O) {
        if const { !D::STATES.is_empty() } {
            self.begin_transitions();
        }
        if const { any_every(D::SYSTEMS) } {
            self.defer.core.transitions.count();
        }
        self.run(nodes, overrides);
    }

    /// Executes the selected systems.
    #[inline(always)]
    fn run<O: Overrides<D>>(&mut self, nodes: Selection<'_>, overrides: &O) {
        let Self { defer: Defer { core }, schedule, events } = self;
        let core = &mut **core;
        if const { D::PHASES.count() == 1 } {
            return Self::run_phases(core, schedule, reborrow(events), nodes, overrides);
        }
        if const { !any_defers(D::SYSTEMS) }
            && events.is_none()
            && !core.threads.contain_current_thread()
        {
            let threads = core.threads.clone();
            threads.run(|_| Self::run_several(core, schedule, None, nodes, overrides));
        } else {
            Self::run_several(core, schedule, reborrow(events), nodes, overrides);
        }
    }

    /// [`run_phases`](Self::run_phases), compiled once where it is called from two places.
    #[inline(never)]
    fn run_several<O: Overrides<D>>(
        core: &mut Core<D>,
        schedule: &mut Phased<S::Scheduler>,
        events: Handling<'_, D>,
        nodes: Selection<'_>,
        overrides: &O,
    ) {
        Self::run_phases(core, schedule, events, nodes, overrides);
    }

    /// Executes the selected systems, phase by phase, with the refreshes between.
    #[inline(always)]
    fn run_phases<O: Overrides<D>>(
        core: &mut Core<D>,
        schedule: &mut Phased<S::Scheduler>,
        mut events: Handling<'_, D>,
        nodes: Selection<'_>,
        overrides: &O,
    ) {
        let events = &mut events;
        if const { any_stream(D::SYSTEMS) } {
            core.streamed.iter_mut().for_each(|streamed| *streamed.get_mut() = false);
        }
        if const { !D::EVENTS.is_empty() } && !core::mem::replace(&mut core.events_begun, true) {
            Self::begin_events(core);
        }
        if const { any_random(D::SYSTEMS) } {
            core.random.executions = core.random.executions.wrapping_add(1);
        }
        let phases = const { D::PHASES.count() };
        if phases > 1 || !matches!(nodes, Selection::All) {
            schedule.select(nodes).expect("the starts were validated");
        }
        let mut refresh =
            const { matches!(D::STAGED_CHANGES, StagedChanges::RefreshBeforeDependents) };
        let mut begins = true;
        // The first phase that has not run as one of a group.
        let mut next = 0;
        for phase in 0..phases {
            if const { D::PHASES.refreshes(D::STAGED_CHANGES) } && phase < next {
                continue;
            }
            // `false` at compile time in a world without refreshes.
            refresh |= const { D::PHASES.refreshes(D::STAGED_CHANGES) }
                && D::PHASES.begins_with_refresh(phase);
            if phases > 1 && !schedule.takes_part(phase) {
                continue;
            }
            if core::mem::take(&mut begins) | refresh {
                core.count_execution();
            }
            core.prepare(core::mem::take(&mut refresh), reborrow(events));
            if const { any_conditional(D::SYSTEMS) } {
                let selects = |system| schedule.selects(nodes, system);
                let selects: Option<&dyn Fn(usize) -> bool> = match nodes {
                    Selection::All => None,
                    Selection::From(_) | Selection::Only(_) => Some(&selects),
                };
                if let Err(failure) = core.evaluate_conditions(phase, selects) {
                    Self::fail(core, failure.into());
                }
            }
            if const { any_contributes(D::SYSTEMS) } {
                let CoreData { contributions, conditions, .. } = &mut **core;
                contributions.begin_phase(|system| {
                    schedule.runs(phase, nodes, system)
                        && (const { !any_conditional(D::SYSTEMS) } || !conditions.skip(system))
                });
            }
            let entities = core.storage.entities.count();
            let threads = core.threads.available();
            let mut unit = phase;
            if const { D::PHASES.refreshes(D::STAGED_CHANGES) }
                && matches!(nodes, Selection::All)
                && threads.count > 1
                && events.is_none()
                && let Some((group, end)) = schedule.group_from(phase)
                && core.is_still()
            {
                (unit, next) = (group, end);
            }
            let plan = schedule.plan(unit, nodes, entities, threads, &mut core.policies);
            let shared = &*core;
            let workers = &Workers::alone(threads.count);
            let context = Context { core: shared, workers, link: None };
            let bodies = &*shared.bodies;
            let result = if plan.is_simple() && threads.contain_current && unit == phase {
                let node = Node { context: &context, bodies, overrides };
                schedule.execute_simply(phase, nodes, plan, move |index| node.run(index))
            } else {
                let run = |workers: &Workers, index: usize| {
                    if const { D::PHASES.refreshes(D::STAGED_CHANGES) }
                        && let Some(barrier) = index.checked_sub(shared.systems.len())
                    {
                        // SAFETY: only the graph of a group has such a node. The gate lets it through after all nodes of earlier
                        // phases have returned, but for those that the same table lets go over it, and nodes of later phases,
                        // among them those of later barriers, after it. (Where no scheduler is used, one thread goes over the
                        // nodes in topological order.) The group has begun still, and all of its phases are executed.
                        return unsafe { shared.refresh_partly(phase + 1 + barrier, workers) };
                    }
                    let context = &Context { core: shared, workers, link: None };
                    Node { context, bodies, overrides }.run(index);
                };
                execute(&shared.threads, schedule, unit, nodes, plan, workers, &run).map(|time| {
                    if let Some(time) = time {
                        core.policies.of(threads).add_time(time);
                    }
                })
            };
            if const { !D::EVENTS.is_empty() } {
                let CoreData { contributions, resources, .. } = &mut **core;
                contributions.mark_read(D::EVENTS, resources);
            }
            if let Err(error) = result {
                Self::fail(core, *error);
            }
            if const { any_contributes(D::SYSTEMS) } {
                let CoreData { contributions, resources, .. } = &mut **core;
                if let Err(failure) = contributions.end_phase(resources) {
                    Self::fail(core, failure.into());
                }
            }
        }
    }

    /// Drops the events of earlier steps, as far as they are not kept.
    fn begin_events(core: &mut Core<D>) {
        let panics = PanicSlot::new();
        for event in D::EVENTS {
            (event.begin_step)(core.resources.value_mut(event.resource), &panics);
        }
        if let Some(failure) = panics.take() {
            Self::fail(core, failure.into());
        }
    }

    /// Drops the staged work of the step, and resumes the panic of a system.
    #[cold]
    #[inline(never)]
    fn fail(core: &mut Core<D>, error: ExecuteError) -> ! {
        core.discard_staged();
        match error {
            ExecuteError::Failed(failure) => failure.resume(),
            ExecuteError::Starts(error) => {
                unreachable!("the starts were validated: {error}")
            }
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

/// Executes a phase by the plan, on `threads`. `run` executes a system on some of them: on all, or, if it is not
/// to be split, on the calling thread, which `alone` stands for. Returns the elapsed time, if the plan asks for it.
///
/// The type of `run` is erased, so that this is compiled once for all worlds.
#[inline(never)]
fn execute<S: Scheduler>(
    threads: &Threads,
    schedule: &mut Phased<S>,
    phase: usize,
    nodes: Selection<'_>,
    plan: Plan,
    alone: &Workers,
    run: &(dyn Fn(&Workers, usize) + Sync),
) -> Result<Option<Duration>, Box<ExecuteError>> {
    if plan.is_simple() {
        let execute = || schedule.execute_simply(phase, nodes, plan, |index| run(alone, index));
        return threads.install(execute).map(|()| None);
    }
    let start = plan.is_calibrating().then(Instant::now);
    let mut execute = |workers: &Workers| {
        let split = &workers.with(schedule.subtask_order(phase));
        schedule.execute(phase, nodes, plan, split, &|index, is_split| {
            run(if is_split { split } else { alone }, index);
        })
    };
    let result = if plan.alone { threads.install(|| execute(alone)) } else { threads.run(execute) };
    result.map(|()| start.map(|start| start.elapsed()))
}
