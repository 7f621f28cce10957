//! Events: emitted and read by systems, and by the program.

pub(crate) mod indexed;
pub(crate) mod messages;

use crate::output::{EventIter, EventQueue};
use crate::signature::access::{EmittedBy, ReadAsEventBy};
use crate::signature::{Declaration, Effects, HasEvent, SystemName, undeclared};
use crate::state::Defer;
use crate::types::ThreadSafe;

impl<'w, D: Declaration, N: SystemName<D>> Effects<'w, D, N> {
    /// Emits the event: systems with [`on`](crate::world#events) read it, each of them at most once. They run after this one, or,
    /// if the event is `delayed`, in the next step.
    ///
    /// Any number of systems and subtasks may emit at the same time. The order of the events is that of phase, system,
    /// subtask and call.
    ///
    /// ```
    /// # use ecs_core::{Entity, World, world};
    /// # struct Health(i32);
    /// # #[derive(Default)]
    /// # struct Deaths(Vec<Entity>);
    /// struct Died(Entity);
    ///
    /// world! {
    ///     world Arena;
    ///     component Health;
    ///     resource Deaths;
    ///     event Died;
    ///     system Hurt {
    ///         emit: [Died],
    ///         each: |entity: Entity, health: &mut Health, effects| {
    ///             health.0 -= 1;
    ///             if health.0 == 0 {
    ///                 effects.emit(Died(entity));
    ///             }
    ///         },
    ///     }
    ///     system Count {
    ///         on: [Died],
    ///         run: |effects, deaths: &mut Deaths| {
    ///             deaths.0.extend(effects.events::<Died>().map(|died| died.0));
    ///         },
    ///     }
    /// }
    ///
    /// let mut world = World::<Arena>::new();
    /// let [_, second] = [2, 1].map(|health| world.spawn((Health(health),)));
    /// world.tick()?;
    /// assert_eq!(world.resource::<Deaths>().0, [second]);
    /// # Ok::<_, ecs_core::StepError>(())
    /// ```
    ///
    /// If the system panics, what it has emitted is dropped; so is what other systems have emitted and no system has been
    /// able to see. Amortized O(1); allocates nothing in steady state.
    #[inline]
    pub fn emit<E: EmittedBy<N, D>>(&mut self, event: E) {
        let rank = const { rank::<D, N>(E::INDEX) };
        event.emit_to(rank, &mut self.work.added);
    }

    /// The events of the type `E` that this system has not read yet, in order: those of this step, and, if the
    /// declaration keeps them, those of steps before in which this system did not run. They count as read when the system
    /// has run.
    ///
    /// In a system with entities, each subtask gets all of them. A system without entities is split by its events, if it has a
    /// [`parallelism`](crate::world#parallelism): each subtask gets a part, and each event is in one part. So many events are
    /// read on all threads:
    ///
    /// ```
    /// # use ecs_core::{World, world};
    /// # #[derive(Default)] struct Total(u64);
    /// struct Paid { cents: u64 }
    ///
    /// world! {
    ///     world Shop;
    ///     resource Total;
    ///     event Paid;
    ///     system AddUp {
    ///         on: [Paid],
    ///         parallelism: split_evenly(cores),
    ///         output: Vec<u64>,
    ///         run: |data| {
    ///             let paid = data.effects.events::<Paid>();
    ///             let sum = paid.map(|paid| paid.cents).sum();
    ///             data.effects.output().push(sum);
    ///         },
    ///     }
    ///     system Book {
    ///         inputs: [AddUp],
    ///         run: |effects, total: &mut Total| {
    ///             total.0 += effects.outputs_of::<AddUp>().flatten().sum::<u64>();
    ///         },
    ///     }
    /// }
    ///
    /// let mut world = World::<Shop>::new();
    /// (1..=1_000).for_each(|cents| world.emit(Paid { cents }));
    /// world.tick()?;
    /// assert_eq!(world.resource::<Total>().0, 500_500);
    /// # Ok::<_, ecs_core::StepError>(())
    /// ```
    ///
    /// As with entities, the results are the same for any split if the body goes over the events once and treats each by itself. Their
    /// number is that of the part.
    ///
    /// O(log p) for the p parts of the queue. Each subtask that emits adds one part.
    #[must_use]
    pub fn events<E: ReadAsEventBy<N, D>>(&self) -> EventIter<'w, E> {
        const { assert_reads_event::<D, N>(E::INDEX) };
        let queue = E::queue(&self.core.resources);
        if const { D::SYSTEMS[N::INDEX].shares_events() } {
            let (from, to) = self.work.bounds;
            queue.unread_between(N::INDEX, from, to)
        } else {
            queue.unread(N::INDEX)
        }
    }
}

/// The position of the event among what the system adds to and emits.
pub(crate) const fn rank<D: Declaration, N: SystemName<D>>(index: usize) -> usize {
    assert!(index < D::RESOURCES.len(), "[ECS0070] the index of a resource is out of range");
    let declared = &D::SYSTEMS[N::INDEX].declared;
    let mut rank = 0;
    while rank < declared.emit.len() {
        if declared.emit[rank] == index {
            return declared.add.len() + rank;
        }
        rank += 1;
    }
    undeclared::<D, N>("emit the event", D::RESOURCES[index].name())
}

/// Fails to evaluate if the system does not declare that it reads the event.
pub(crate) const fn assert_reads_event<D: Declaration, N: SystemName<D>>(index: usize) {
    assert!(index < D::RESOURCES.len(), "[ECS0070] the index of a resource is out of range");
    if !ecs_rules::contains(D::SYSTEMS[N::INDEX].declared.on, index) {
        undeclared::<D, N>("read the event", D::RESOURCES[index].name());
    }
}

impl<D: Declaration> Defer<'_, D> {
    /// Emits the event, for the systems that are executed later in this step, and for the program. Before the first
    /// execution of the step, it is as [`World::emit`](crate::World::emit). Amortized O(1).
    ///
    /// ```
    /// # use ecs_core::{World, world};
    /// # #[derive(Default)] struct Sum(u32);
    /// struct Hit(u32);
    ///
    /// world! {
    ///     world Arena;
    ///     resource Sum;
    ///     event Hit;
    ///     system Add {
    ///         on: [Hit],
    ///         run: |effects, sum: &mut Sum| {
    ///             sum.0 += effects.events::<Hit>().map(|hit| hit.0).sum::<u32>();
    ///         },
    ///     }
    /// }
    ///
    /// let mut world = World::<Arena>::new();
    /// world.step(|step| {
    ///     step.emit(Hit(3));
    ///     step.execute_systems();
    ///     step.emit(Hit(4));
    ///     step.execute_systems(); // The first hit has been read.
    /// })?;
    /// assert_eq!(world.resource::<Sum>().0, 7);
    /// # Ok::<_, ecs_core::StepError>(())
    /// ```
    pub fn emit<E: ThreadSafe>(&mut self, event: E)
    where
        D: HasEvent<E>,
    {
        let begun = self.core.events_begun;
        let queue = self.resource_mut::<EventQueue<E>>();
        if begun { queue.push(event) } else { queue.push_later(event) }
    }

    /// The events of the type `E` that are there, read or not, in order. O(1).
    #[must_use]
    pub fn events<E: ThreadSafe>(&self) -> EventIter<'_, E>
    where
        D: HasEvent<E>,
    {
        self.resource::<EventQueue<E>>().iter()
    }
}
