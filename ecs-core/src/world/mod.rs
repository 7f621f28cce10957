//! The [`World`]: the state of a declaration, with settings (thesis, 5.1).

mod by_name;
pub mod desync;
mod edit;
mod events;
mod many_to_many;
mod prefab;
mod relations;
mod removed;
#[cfg(feature = "serde")]
mod save;
mod snapshot;
mod states;

use ::core::panic::AssertUnwindSafe;
use std::panic::{catch_unwind, resume_unwind};

use crate::changes::StepError;
use crate::entity::Entity;
use crate::parallel::{DropQuietly, PanicSlot, Payload, Threads};
use crate::proxy::query::{HandsOutOnce, Living, assert_marks};
use crate::proxy::{ReadAny, Step, code};
use crate::random::RandomState;
use crate::refresh::events::{Events, Handlers, Handling, reborrow};
use crate::scheduling::scheduler::{Dag, Group, Phased, Scheduler};
use crate::scheduling::settings::{InnerParallelism, Settings};
use crate::signature::{
    self, Declaration, HasComponent, HasPhases, HasResource, Phases, QueryTerms, SystemName,
    SystemSignature, Tables, systems_of,
};
use crate::state::{Core, Defer, Editing, Outputs, opaque_debug};

/// A world of the declaration `D`, run with the settings `S`. The default settings are those of the
/// declaration.
///
/// Systems run in [steps](Self::step); [`tick`](Self::tick) takes one that executes each system once. Between steps, the
/// world's own methods read and change it.
///
/// A world is `Send` and `Sync`, whatever its settings. It uses threads only while it steps.
#[doc(alias = "context")]
pub struct World<D: Declaration, S: Settings = <D as Declaration>::Settings> {
    core: Core<D>,
    schedule: Phased<S::Scheduler>,
}

impl<D: Declaration, S: Settings> World<D, S> {
    /// A world without entities, with the declared initial resources and system states. It runs on rayon's
    /// global pool.
    ///
    /// It does not compile if the declaration is unsound ([`signature::check`]), nor if the limit is not from 1
    /// to 2³¹ − 1 entities (`ECS0017`) or needs more than the address space (`ECS0077`).
    ///
    /// # Panics
    /// If a resource's or a system's initial value panics, or the system refuses the memory that a fixed limit asks for.
    ///
    /// A world that grows later asks for more. If the system refuses that, the call that needs it panics: of a batch no entity is
    /// spawned, what systems have staged is dropped, and all else stays, so that the world can be used further. (The
    /// program aborts if it is lists of some hundred bytes for which there is no memory, as everywhere in Rust.)
    #[must_use]
    pub fn new() -> Self {
        Self::on(Threads::Global)
    }

    /// A world that runs on the given threads: the global pool, a custom pool, or the calling thread alone.
    /// Results are the same on all of them.
    ///
    /// # Panics
    /// As [`new`](Self::new).
    #[must_use]
    pub fn on(threads: Threads) -> Self {
        const { signature::check::<D>() };
        const { signature::check_limit::<D, S::Limit>() };
        Self::validated(threads, S::Scheduler::new)
    }

    /// A world that runs on the given threads with a scheduler from `make`. It is for a scheduler with
    /// arguments at run time, like the seed of [`Shuffled`](crate::scheduler::Shuffled).
    ///
    /// `make` is called once for each of the declaration's [phases](crate::signature::Phases), of which there
    /// is usually one, and once for each sequence of phases that run together where systems go on over the refreshes between
    /// them. Its argument is the graph of systems by their indices, with the edges of that phase. In the graph of several
    /// phases, a node for each refresh between them follows the systems.
    ///
    /// ```
    /// # use ecs_core::{Threads, World, world};
    /// # world! { world Discs; }
    /// use ecs_core::scheduler::Shuffled;
    /// use ecs_core::settings::Scheduled;
    ///
    /// type Shuffling = Scheduled<Discs, Shuffled>;
    /// let world = World::<Discs, Shuffling>::with_scheduler(Threads::Inline, |dag| {
    ///     Shuffled::seeded(dag, 17)
    /// });
    /// # drop(world);
    /// ```
    ///
    /// # Panics
    /// As [`new`](Self::new), and with the panic of `make`. With a scheduler for another graph, executions
    /// panic or omit systems.
    #[must_use]
    pub fn with_scheduler(threads: Threads, make: impl FnMut(&Dag) -> S::Scheduler) -> Self {
        const { signature::check::<D>() };
        const { signature::check_limit::<D, S::Limit>() };
        Self::validated(threads, make)
    }

    /// Makes a world of a validated declaration. Each public function validates by itself, so that error
    /// messages name that function.
    fn validated(threads: Threads, mut make: impl FnMut(&Dag) -> S::Scheduler) -> Self {
        let mut core = Core::new::<S::Limit>(S::Inner::ALLOWED, code());
        core.threads = threads;
        Self { core, schedule: Self::schedule(&mut make) }
    }

    /// The schedule, with schedulers from `make`.
    fn schedule(make: &mut dyn FnMut(&Dag) -> S::Scheduler) -> Phased<S::Scheduler> {
        let mut groups = Vec::new();
        if const { D::PHASES.refreshes(D::STAGED_CHANGES) } {
            let barriers = signature::barriers(Tables::of::<D>(), D::PHASES);
            let all = signature::groups(D::SYSTEMS, &barriers).into_iter();
            groups.extend(all.map(|(first, over)| Group { first, over }));
        }
        schedule(systems_of::<D>(), D::PHASES, S::Inner::ALLOWED, &groups, make)
    }

    /// Takes a step: calls `f`, which may change everything and execute systems, then *refreshes*: applies the
    /// staged work of systems, frees the rows of despawned entities, and updates subscriptions (thesis, 8.2).
    ///
    /// # Errors
    /// [`StepError::LimitReached`] if a system has spawned more entities than the world's fixed limit has room
    /// for. The step is complete except for those. [`StepError::UpdateConflict`] if systems without an order
    /// between them have updated the same component of the same entity.
    ///
    /// # Panics
    /// With the panic of `f`, of a system, of a deferred function, or of a component's destructor or
    /// [`Accumulate`](crate::Accumulate). A panic before a refresh drops everything staged since the last one. The
    /// world stays consistent, and further steps are possible.
    pub fn step<R>(&mut self, f: impl FnOnce(&mut Step<'_, D, S>) -> R) -> Result<R, StepError> {
        self.step_in(f, None)
    }

    /// As [`step`](Self::step), with functions that each [refresh](crate::events) calls for its changes
    /// (thesis, 12.1).
    ///
    /// # Errors
    /// As [`step`](Self::step).
    ///
    /// # Panics
    /// As [`step`](Self::step), and with the panic of one of the functions.
    pub fn step_with<R>(
        &mut self,
        events: Events<D, impl Handlers<D>>,
        f: impl FnOnce(&mut Step<'_, D, S>) -> R,
    ) -> Result<R, StepError> {
        let Events { mut handlers, .. } = events;
        self.step_in(f, Some(&mut handlers))
    }

    fn step_in<R>(
        &mut self,
        f: impl FnOnce(&mut Step<'_, D, S>) -> R,
        mut events: Handling<'_, D>,
    ) -> Result<R, StepError> {
        self.core.match_edited();
        self.core.watch(events.as_deref());
        self.core.storage.entities.as_same().begin_step();
        if const { !D::EVENTS.is_empty() } {
            self.core.events_begun = false;
        }
        if const { !D::STATES.is_empty() } {
            self.core.transitions.executed = false;
        }
        if const { !D::RELATIONS.is_empty() } {
            self.core.forget_refused(D::RELATIONS);
        }
        self.core.policies.begin_step();
        let mut step = Step {
            defer: Defer { core: Editing::new(&mut self.core) },
            schedule: &mut self.schedule,
            events: reborrow(&mut events),
        };
        // Unwind safety: changes of the world by `f` are complete or staged. Staged ones are dropped, and the
        // refresh makes subscriptions agree with the complete ones.
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            if const { D::STATES.is_empty() } {
                return f(&mut step);
            }
            let result = DropQuietly(Some(f(&mut step)));
            step.end_transitions();
            result.into_inner()
        }));
        drop(step);
        match outcome {
            Ok(result) => {
                let result = DropQuietly(Some(result));
                self.core.refresh(events).map(|()| result.into_inner())
            }
            Err(payload) => self.end_failed_step(payload, events),
        }
    }

    /// Ends a step that has panicked, and resumes that panic. Later panics are dropped. There are no errors to
    /// report, as nothing is staged.
    #[cold]
    #[inline(never)]
    fn end_failed_step(&mut self, payload: Payload, events: Handling<'_, D>) -> ! {
        self.core.policies.disturb_step();
        PanicSlot::new().catch(0, None, || self.core.discard_staged());
        PanicSlot::new().catch(0, None, || self.core.refresh(events));
        resume_unwind(payload)
    }

    /// Whether the entity is alive.
    #[must_use]
    pub fn is_alive(&self, entity: Entity) -> bool {
        self.core.storage.entities.row(entity).is_some()
    }

    /// The number of entities that are alive. O(1).
    #[must_use]
    pub fn entity_count(&self) -> usize {
        self.core.storage.entities.count()
    }

    /// The entity's component; `None` if it has none or is not alive. O(1).
    #[inline]
    #[must_use]
    pub fn get<C: 'static>(&self, entity: Entity) -> Option<&C>
    where
        D: HasComponent<C>,
    {
        self.core.get(entity)
    }

    /// Whether the entity has a `C`; `false` if it is not alive. O(1).
    ///
    /// ```
    /// # use ecs_core::{World, world};
    /// # struct Fuel(u32);
    /// # world! { world Rockets; component Fuel; }
    /// let mut world = World::<Rockets>::new();
    /// let rocket = world.spawn((Fuel(3),));
    /// assert!(world.contains::<Fuel>(rocket));
    /// world.despawn(rocket);
    /// assert!(!world.contains::<Fuel>(rocket));
    /// ```
    #[doc(alias = "has_component")]
    #[must_use]
    pub fn contains<C: 'static>(&self, entity: Entity) -> bool
    where
        D: HasComponent<C>,
    {
        self.get::<C>(entity).is_some()
    }

    /// Calls `f` with each of these entities, in order, and its component. Entities that are not alive or have
    /// no `C` are skipped. For more entities in scattered rows than the caches hold, this is faster than separate calls of
    /// [`get`](Self::get), and for fewer it is slower; see [`ReadAny::for_each_of`](crate::proxy::ReadAny::for_each_of). O(entities).
    ///
    /// # Panics
    /// If the iterator panics. `f` may then not have been called for some of the entities before, because
    /// entities are drawn early for prefetching.
    ///
    /// ```
    /// # use ecs_core::{World, world};
    /// # struct Mass(u32);
    /// # world! { world Sky; component Mass; }
    /// let mut world = World::<Sky>::new();
    /// let stars = world.spawn_batch((1..=3).map(|n| (Mass(n),)));
    /// let mut sum = 0;
    /// world.for_each_of::<Mass>(stars.iter().copied().rev(), |_, mass| sum = 10 * sum + mass.0);
    /// assert_eq!(sum, 321);
    /// ```
    #[inline]
    pub fn for_each_of<C: 'static>(
        &self,
        entities: impl IntoIterator<Item = Entity>,
        f: impl FnMut(Entity, &C),
    ) where
        D: HasComponent<C>,
    {
        ReadAny::<D, C>::new(&self.core.storage).for_each_of(entities, f);
    }

    /// The entities that have what `Q` requires, in ascending order of rows, with what `Q` asks for: `&C`, `Option<&C>`,
    /// `Entity`, or a tuple of these. The order is the same for the same steps on any number of threads.
    ///
    /// [`with`](Living::with) and [`without`](Living::without) are filters, like the keys of a system. O(entities +
    /// rows in use / 64 × components that are required or filtered by).
    ///
    /// ```
    /// # use ecs_core::{Entity, World, world};
    /// # #[derive(Debug, PartialEq)]
    /// # struct Mass(u32);
    /// # struct Frozen;
    /// # world! { world Sky; component Mass; component Frozen: empty; }
    /// let mut world = World::<Sky>::new();
    /// world.spawn_batch((1..=3).map(|n| (Mass(n),)));
    /// let comet = world.spawn((Mass(8), Frozen));
    /// for mass in world.iter_mut::<&mut Mass>().without::<Frozen>() {
    ///     mass.0 *= 10;
    /// }
    /// assert_eq!(world.iter::<&Mass>().map(|mass| mass.0).sum::<u32>(), 68);
    /// let frozen = world.iter::<(Entity, &Mass)>().with::<Frozen>();
    /// assert!(frozen.eq([(comet, &Mass(8))]));
    /// ```
    ///
    /// It does not compile if `Q` writes ([`ECS0078`](crate::errors::ecs0078)): that is
    /// [`iter_mut`](Self::iter_mut).
    #[inline]
    pub fn iter<Q: QueryTerms<D>>(&self) -> Living<'_, D, Q> {
        const {
            assert!(
                Q::WRITES.is_empty(),
                "[ECS0078] `World::iter` only reads\nhelp: use `iter_mut` to write"
            );
        };
        // SAFETY: `Q` only reads, so it is free of aliases, and `&self` excludes every step, hence every writer.
        unsafe { Living::over(&self.core.storage) }
    }

    /// As [`iter`](Self::iter), which has an example; `Q` may ask for `&mut C` and `Option<&mut C>`, too.
    ///
    /// It does not compile if `Q` asks for a component twice, once to write.
    #[inline]
    pub fn iter_mut<Q: QueryTerms<D> + HandsOutOnce<D>>(&mut self) -> Living<'_, D, Q> {
        const {
            assert!(
                Q::ALIAS_FREE,
                "[ECS0072] a query must not hand out a component twice if it can be written"
            );
            assert_marks::<D, Q>(None);
        };
        // SAFETY: the constant above; `&mut self` excludes every other access.
        unsafe { Living::over(&self.core.storage) }
    }

    /// The resource `R`.
    #[must_use]
    pub fn resource<R: 'static>(&self) -> &R
    where
        D: HasResource<R>,
    {
        self.core.resources.get::<D, R>()
    }

    /// The resource `R`, to write.
    #[must_use]
    pub fn resource_mut<R: 'static>(&mut self) -> &mut R
    where
        D: HasResource<R>,
    {
        self.core.resources.get_mut::<D, R>()
    }

    /// The [seed](crate::random) of the random numbers that systems draw: that of the declaration, unless it was set.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.core.random.seed
    }

    /// Sets the [seed](crate::random) of the random numbers that systems draw. The executions count from 0 again, so the
    /// numbers do not depend on what the world did before.
    ///
    /// ```
    /// # use ecs_core::{World, world};
    /// # #[derive(Default)]
    /// # struct Wind(f32);
    /// world! {
    ///     world Sky { seed: 5 }
    ///     resource Wind;
    ///     system Blow {
    ///         random,
    ///         run: |effects, wind: &mut Wind| wind.0 = effects.random_of_system().f32(),
    ///     }
    /// }
    /// let mut world = World::<Sky>::new();
    /// let mut next = |world: &mut World<Sky>| {
    ///     world.tick().unwrap();
    ///     world.resource::<Wind>().0
    /// };
    /// let first = [next(&mut world), next(&mut world)];
    /// assert_ne!(first[0], first[1]);
    /// assert_eq!(world.seed(), 5);
    /// world.set_seed(5);
    /// assert_eq!([next(&mut world), next(&mut world)], first);
    /// world.set_seed(6);
    /// assert_ne!([next(&mut world), next(&mut world)], first);
    /// ```
    pub fn set_seed(&mut self, seed: u64) {
        self.core.random = RandomState { seed, executions: 0 };
    }

    /// The outputs of the system `N` in its latest execution, as one, which is the same for every split. O(1).
    ///
    /// ```
    /// # use ecs_core::{World, world};
    /// # struct Fuel(u32);
    /// world! {
    ///     world Rockets;
    ///     component Fuel;
    ///     system List { output: Vec<u32>, each: |fuel: &Fuel, effects| effects.output().push(fuel.0) }
    /// }
    ///
    /// let mut world = World::<Rockets>::new();
    /// world.spawn_batch((1..=3).map(|n| (Fuel(n),)));
    /// world.tick()?;
    /// assert!(world.outputs_of::<List>().flatten().eq(&[1, 2, 3]));
    /// # Ok::<_, ecs_core::StepError>(())
    /// ```
    #[must_use]
    pub fn outputs_of<N: SystemName<D>>(&self) -> Outputs<'_, D, N> {
        self.core.outputs::<N>()
    }

    /// The state of the system `N`.
    #[must_use]
    pub fn system<N: SystemName<D>>(&self) -> &N::System {
        self.core.system::<N>()
    }

    /// The state of the system `N`, to write.
    #[must_use]
    pub fn system_mut<N: SystemName<D>>(&mut self) -> &mut N::System {
        self.core.system_mut::<N>()
    }
}

/// The schedule of `systems` in their phases, with schedulers from `make`. `split` says whether systems are split
/// into subtasks, and `groups` which phases can run together.
fn schedule<S: Scheduler>(
    systems: &'static [SystemSignature],
    phases: &Phases,
    split: bool,
    groups: &[Group],
    make: &mut dyn FnMut(&Dag) -> S,
) -> Phased<S> {
    let dependencies: Vec<Vec<usize>> =
        (0..systems.len()).map(|s| signature::stream_dependencies(systems, s)).collect();
    let dag = Dag::new(&dependencies).expect("`check` admits no cycle");
    let alone = |system: usize| systems[system].declared.sequential;
    let splits = |system: usize| split && !systems[system].is_single_subtask();
    let phase = |system| phases.phase(system);
    Phased::new(&dag, phases.count(), &phase, &alone, &splits, groups, make)
}

impl<D: Declaration, S: Settings> Default for World<D, S> {
    fn default() -> Self {
        Self::new()
    }
}

opaque_debug! {
    [D: Declaration, S: Settings] World<D, S>:
    |this| declaration = D::NAME, entities = this.entity_count()
}
