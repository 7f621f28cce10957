//! Random numbers of a system.

use crate::entity::Entity;
use crate::proxy::effects::assert_declares;
use crate::random::{Random, Subject};
use crate::signature::access::Draws;
use crate::signature::{Declaration, Effects, Message, SystemName, SystemSignature};

impl<D: Declaration, N: SystemName<D>> Effects<'_, D, N> {
    /// The random numbers of the entity, in this execution of this system: a generator that is a value. The same entity
    /// has the same numbers on any threads and for any split; the [module](crate::random) says what they follow from.
    ///
    /// Each call for an entity in an execution gives the same numbers from the beginning, so take the generator once.
    /// The entity need not be alive, nor one of the system's own.
    ///
    /// ```
    /// # use ecs_core::{Entity, World, world};
    /// # #[derive(Debug, PartialEq)]
    /// # struct Health(u32);
    /// world! {
    ///     world Swamp { seed: 3 }
    ///     component Health;
    ///     system Bite {
    ///         random,
    ///         each: |victim: Entity, health: &mut Health, effects| {
    ///             let mut random = effects.random(victim);
    ///             if random.f32() < 0.75 {
    ///                 health.0 -= random.range(1..=6);
    ///             }
    ///         },
    ///     }
    /// }
    /// let mut world = World::<Swamp>::new();
    /// let victims = world.spawn_batch((0..100).map(|_| (Health(10),)));
    /// world.tick()?;
    /// let unhurt = victims.iter().filter(|victim| world.get(**victim) == Some(&Health(10))).count();
    /// assert!((10..40).contains(&unhurt));
    /// # Ok::<_, ecs_core::StepError>(())
    /// ```
    ///
    /// O(1), and 40 multiplications for each four numbers.
    #[doc(alias = "rng")]
    #[inline]
    #[must_use]
    pub fn random(&self, entity: Entity) -> Random
    where
        N: Draws<D>,
    {
        const { assert_declares::<D, N>(D::SYSTEMS[N::INDEX].declared.random, "random") };
        let entity = u64::from(entity.generation().get()) << 32 | u64::from(entity.index());
        Random::of_system(self.core.random, Subject { system: N::INDEX as u32, entity })
    }

    /// The random numbers of the system itself, in this execution, which are those of no entity.
    ///
    /// Each call in an execution gives the same numbers from the beginning. It does not compile if the system has several
    /// subtasks, which would all draw the same numbers, or receives a stream, for the items of which its body is called
    /// several times ([`ECS0141`](crate::errors::ecs0141)).
    ///
    /// ```
    /// # use ecs_core::{World, world};
    /// # #[derive(Clone)]
    /// # struct Drop(f32);
    /// world! {
    ///     world Sky;
    ///     component Drop;
    ///     system Rain {
    ///         random,
    ///         spawn: [Drop],
    ///         run: |data| {
    ///             let mut random = data.effects.random_of_system();
    ///             for _ in 0..random.range(2..5) {
    ///                 data.effects.spawn((Drop(random.f32()),));
    ///             }
    ///         },
    ///     }
    /// }
    /// let mut world = World::<Sky>::new();
    /// world.tick()?;
    /// assert!((2..5).contains(&world.entity_count()));
    /// # Ok::<_, ecs_core::StepError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn random_of_system(&self) -> Random
    where
        N: Draws<D>,
    {
        const { assert_draws_alone(&D::SYSTEMS[N::INDEX]) };
        self.random(Entity::NEVER)
    }
}

/// Fails to evaluate if the body of the system is called several times in an execution.
const fn assert_draws_alone(system: &SystemSignature) {
    if system.is_single_subtask() && system.declared.streams.is_empty() {
        return;
    }
    let why = if system.declared.streams.is_empty() {
        "` would draw the same random numbers in each of its subtasks\nhelp: draw those of each entity, as `effects.random(entity)` does, or declare `parallelism: none`"
    } else {
        "` would draw the same random numbers at each call with items of its stream\nhelp: draw those of each entity, as `effects.random(entity)` does"
    };
    Message::new().text("[ECS0141] the system `").text(system.name).text(why).raise();
}
