//! *Accumulation*: values for one component of one entity that are merged instead of replacing each other.

use super::Component;

/// A component that further values are merged into, by [`Effects::accumulate`](crate::Effects::accumulate).
///
/// The values come one by one, in the order (phase, system, subtask, call). So the operation need be neither commutative
/// nor associative: sums of floating-point numbers, lists and "the last one" have the same bits on any number of threads,
/// and however systems are split. (The order of systems that nothing else orders is that of the declaration.)
///
/// ```
/// use ecs_core::{Accumulate, Entity, World, world};
///
/// struct Health(i32);
/// /// What the entity has suffered since `Suffer` ran.
/// struct Damage(i32);
/// struct Aim(Entity);
///
/// impl Accumulate for Damage {
///     fn accumulate(&mut self, other: Self) {
///         self.0 += other.0;
///     }
/// }
///
/// world! {
///     world Arena;
///     component Health, Damage, Aim;
///     system Suffer { write: [Health], read: [Damage], remove: [Damage], each: |one, effects| {
///         one.health.0 -= one.damage.0;
///         effects.remove::<Damage>(one.entity);
///     } }
///     // In any order, and at the same time.
///     system Shoot { read: [Aim], accumulate: [Damage], dependencies: [Suffer], each: |one, effects| {
///         effects.accumulate(one.aim.0, Damage(10));
///     } }
///     system Burn { read: [Aim], accumulate: [Damage], dependencies: [Suffer], each: |one, effects| {
///         effects.accumulate(one.aim.0, Damage(1));
///     } }
/// }
///
/// let mut world = World::<Arena>::new();
/// let target = world.spawn((Health(100),));
/// world.spawn_batch((0..3).map(|_| (Aim(target),)));
/// world.tick()?;
/// assert_eq!(world.get::<Damage>(target).unwrap().0, 33);
/// world.tick()?; // It is applied, and the next one comes.
/// assert_eq!(world.get::<Health>(target).unwrap().0, 67);
/// # Ok::<_, ecs_core::StepError>(())
/// ```
///
/// If `accumulate` panics, the values of the other entities are merged all the same, and the panic reaches the caller of the step.
/// As after any panic in a refresh, deferred functions and links that follow are dropped, and what systems after them have staged.
#[diagnostic::on_unimplemented(
    message = "[ECS0126] `{Self}` does not say how further values are merged into it",
    label = "does not implement `Accumulate`",
    note = "implement it: `impl ecs_core::Accumulate for {Self} {{ fn accumulate(&mut self, other: Self) {{ self.0 += other.0; }} }}`"
)]
pub trait Accumulate: Component {
    /// Merges a later value into this one.
    fn accumulate(&mut self, other: Self);
}
