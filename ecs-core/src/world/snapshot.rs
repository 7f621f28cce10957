//! Clones, snapshots and state hashes of a [`World`].

use super::World;
use crate::entity::LimitReached;
use crate::scheduler::Scheduler as _;
use crate::settings::Settings;
use crate::signature::Declaration;
use crate::snapshot::{Cloneable, Hashable, Snapshot};

impl<D: Declaration, S: Settings> World<D, S> {
    /// A second world that goes on exactly as this one would: with the same entities, whose handles are
    /// good for both, and the same future ones. It runs on the same threads.
    ///
    /// What is [`transient`](crate::snapshot) is as in a new world. (If a resource is, or has no size, then
    /// the initial values of all resources are made.)
    ///
    /// O(entities × components), as long as cloning a component takes O(1).
    ///
    /// # Panics
    /// If cloning something panics. This world is what it was.
    #[must_use]
    #[expect(
        clippy::should_implement_trait,
        reason = "it is; but this says which bound is missing"
    )]
    pub fn clone(&self) -> Self
    where
        D: Cloneable,
    {
        let core = self.core.duplicate::<S::Limit>();
        Self { core, schedule: Self::schedule(S::Scheduler::new) }
    }

    /// The world's state, to come back to by [`restore`](Self::restore).
    ///
    /// Takes memory for the pages of rows that are in use, and for no others. O(entities × components),
    /// as long as cloning a component takes O(1); what is copied bit by bit is copied as slices.
    ///
    /// ```
    /// use ecs_core::{Data, System, World, world};
    ///
    /// #[derive(Clone)]
    /// struct Fuel(u32);
    ///
    /// world! {
    ///     world Rockets;
    ///     component Fuel: contiguous_buffer;
    ///     system Burn { write: [Fuel], despawn }
    /// }
    ///
    /// #[derive(Default)]
    /// struct Burn;
    ///
    /// impl System<Rockets> for Burn {
    ///     fn process(&self, data: &mut Data<'_, Rockets, Self>) {
    ///         let (own, effects) = data.split();
    ///         own.for_entities(|rocket| match rocket.fuel.0 {
    ///             0 => effects.despawn(rocket.entity),
    ///             _ => rocket.fuel.0 -= 1,
    ///         });
    ///     }
    /// }
    ///
    /// let mut world = World::<Rockets>::new();
    /// let rocket = world.step(|step| step.spawn((Fuel(1),)).unwrap()).unwrap();
    /// let before = world.snapshot();
    /// for _ in 0..2 {
    ///     world.step(|step| step.execute_systems().run()).unwrap();
    /// }
    /// assert!(!world.is_alive(rocket));
    /// world.restore(&before).unwrap();
    /// assert_eq!(world.get::<Fuel>(rocket).unwrap().0, 1);
    /// ```
    ///
    /// # Panics
    /// If cloning something panics.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot<D>
    where
        D: Cloneable,
    {
        Snapshot::of(&self.core)
    }

    /// As [`snapshot`](Self::snapshot), in the place of an older one, whose memory is used again: in
    /// steady state nothing is allocated, unless clones of components do, by
    /// [`clone_from`](Clone::clone_from), where an entity in the same row has had one.
    ///
    /// # Panics
    /// If cloning something panics, or the destructor of a value of the older snapshot. That one is lost: restoring it
    /// panics.
    pub fn snapshot_into(&self, snapshot: &mut Snapshot<D>)
    where
        D: Cloneable,
    {
        snapshot.take(&self.core);
    }

    /// Goes back to the state of a snapshot: from there the world goes on exactly as it did, or would
    /// have, from where the snapshot was taken. That may have been another world of the declaration, on
    /// other threads and with other settings. (Where one world has rows [by archetype](crate::settings::ByArchetype) and the other
    /// one has not, new entities get other rows than they would have.)
    ///
    /// Handles are good if they were good then. Who was born since, is as if never born: its id will be
    /// handed out again. So forget handles that are younger than the snapshot. No event tells what a
    /// restoration changes.
    ///
    /// What is [`transient`](crate::snapshot) stays as it is.
    ///
    /// # Errors
    /// [`LimitReached`] if this world's fixed limit leaves no room for the entities of a snapshot of
    /// another world, in their rows (which are more than entities where they lay [by archetype](crate::settings::ByArchetype)). Nothing has
    /// changed then.
    ///
    /// # Panics
    /// If cloning something panics. Then everything is as in the snapshot, but for what panicked: of a
    /// component some values may be missing, and a resource, or a system's state, is what
    /// its `clone_from` has left; such a system may have no outputs. The world can be stepped on.
    ///
    /// If the destructor of a value panics that this world had and the snapshot has not, when all else is done.
    ///
    /// If the snapshot is incomplete, as something panicked when it was taken. Nothing has changed then.
    pub fn restore(&mut self, snapshot: &Snapshot<D>) -> Result<(), LimitReached>
    where
        D: Cloneable,
    {
        self.core.restore(snapshot)
    }

    /// A number that stands for the whole state: equal for worlds that go on in the same way, whatever
    /// their threads, scheduler, splitting, storage strategies and limits are (but for the
    /// [order of rows](crate::settings::ByArchetype)), and different for others,
    /// but for one case in 2⁶⁴ (it is no defence against forgery). The same on all machines, as long as
    /// the declaration is the same, components, resources and systems in the same order.
    ///
    /// It takes in the ids and generations of the entities, rows, who has which component, all values,
    /// resources, states of systems, and who is subscribed by hand; but no outputs, which are the systems'
    /// answers to all of this, and nothing [`transient`](crate::snapshot).
    ///
    /// O(entities × components).
    #[must_use]
    pub fn state_hash(&self) -> u64
    where
        D: Hashable,
    {
        self.core.state_hash()
    }
}

/// By [`World::clone`], which says more when a bound is missing.
impl<D: Cloneable, S: Settings> Clone for World<D, S> {
    fn clone(&self) -> Self {
        Self::clone(self)
    }
}
