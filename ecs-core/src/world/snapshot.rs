//! Clones, snapshots and state hashes of a [`World`].

use super::World;
use crate::entity::LimitReached;
use crate::scheduling::scheduler::Scheduler as _;
use crate::scheduling::settings::Settings;
use crate::signature::Declaration;
use crate::state::snapshot::{Cloneable, Differences, Hashable, Snapshot, StateHashes};

impl<D: Declaration, S: Settings> World<D, S> {
    /// A second world that continues exactly as this one would: with the same entities, whose handles are valid
    /// for both, and the same future handles. It runs on the same threads.
    ///
    /// Data that is [`transient`](crate::state::snapshot) is as in a new world. (If a resource is transient, or has no
    /// size, the initial values of all resources are made.)
    ///
    /// O(entities × components), if cloning a component takes O(1).
    ///
    /// # Panics
    /// If cloning a value panics. This world is unchanged.
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
        Self { core, schedule: Self::schedule(&mut S::Scheduler::new) }
    }

    /// The world's state, for a later [`restore`](Self::restore).
    ///
    /// Takes memory for the pages of rows that are in use, and for no others. O(entities × components), if
    /// cloning a component takes O(1). Components that are bitwise copies are copied as slices.
    ///
    /// ```
    /// use ecs_core::{Entity, World, world};
    ///
    /// #[derive(Clone)]
    /// struct Fuel(u32);
    ///
    /// world! {
    ///     world Rockets;
    ///     component Fuel;
    ///     system Burn {
    ///         despawn,
    ///         each: |rocket: Entity, fuel: &mut Fuel, effects| match fuel.0 {
    ///             0 => effects.despawn(rocket),
    ///             _ => fuel.0 -= 1,
    ///         },
    ///     }
    /// }
    ///
    /// let mut world = World::<Rockets>::new();
    /// let rocket = world.spawn((Fuel(1),));
    /// let before = world.snapshot();
    /// for _ in 0..2 {
    ///     world.tick().unwrap();
    /// }
    /// assert!(!world.is_alive(rocket));
    /// world.restore(&before).unwrap();
    /// assert_eq!(world.get::<Fuel>(rocket).unwrap().0, 1);
    /// ```
    ///
    /// # Panics
    /// If cloning a value panics.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot<D>
    where
        D: Cloneable,
    {
        Snapshot::of(&self.core)
    }

    /// Takes a [`snapshot`](Self::snapshot) into an older one, and reuses its memory. In steady state this
    /// allocates nothing, unless clones of components allocate. They are made by
    /// [`clone_from`](Clone::clone_from) where an entity in the same row had one. Only what has
    /// [changed](crate::snapshot) since the older snapshot is copied. `Copy` values are copied on the world's threads if there
    /// are many: hold no lock meanwhile that another thread of the pool may wait for. So do [`snapshot`](Self::snapshot),
    /// [`restore`](Self::restore) and `clone`.
    ///
    /// # Panics
    /// If cloning a value panics, or the destructor of a value of the older snapshot. That snapshot is then
    /// incomplete: restoring it panics.
    pub fn snapshot_into(&self, snapshot: &mut Snapshot<D>)
    where
        D: Cloneable,
    {
        snapshot.take(&self.core);
    }

    /// Restores the state of a snapshot. The world then continues exactly as it did, or would have, from where
    /// the snapshot was taken. The snapshot may come from another world of the declaration, on other threads
    /// and with other settings. (If only one of the two worlds groups rows [by
    /// archetype](crate::settings::ByArchetype), new entities get other rows than they would have.)
    ///
    /// Handles are valid if they were valid when the snapshot was taken. The ids of entities that were spawned
    /// since then will be used again, so discard handles that are younger than the snapshot. No event reports
    /// the changes of a restoration.
    ///
    /// Data that is [`transient`](crate::state::snapshot) stays unchanged.
    ///
    /// # Errors
    /// [`LimitReached`] if this world's fixed limit leaves no room for the entities of a snapshot of another
    /// world, in their rows. (There are more rows than entities where they were grouped [by
    /// archetype](crate::settings::ByArchetype).) Nothing has changed then.
    ///
    /// # Panics
    /// If cloning a value panics. Then everything is as in the snapshot, except for the value that panicked:
    /// some values of a component may be missing, and a resource, or a system's state, is in the state that its
    /// `clone_from` has left. Such a system may have no outputs. Further steps are possible.
    ///
    /// If the destructor of a value panics that this world had and the snapshot has not, after everything else
    /// is done.
    ///
    /// If the snapshot is incomplete because a value panicked when it was taken. Nothing has changed then.
    pub fn restore(&mut self, snapshot: &Snapshot<D>) -> Result<(), LimitReached>
    where
        D: Cloneable,
    {
        self.core.restore(snapshot)
    }

    /// A hash of the whole state. It is equal for worlds that continue in the same way, whatever their threads,
    /// scheduler, splitting, storage strategies and limits are (except for the [order of
    /// rows](crate::settings::ByArchetype)). It differs for others, except in one case in 2⁶⁴. It does not
    /// protect against forgery. It is the same on all machines for the same declaration, with components,
    /// resources and systems in the same order.
    ///
    /// It covers the ids and generations of the entities, rows, presence of components, all values, resources,
    /// states of systems, manual subscriptions, and where systems draw [random numbers](crate::random), what these follow
    /// from. It covers neither outputs, which systems compute from all
    /// of this, nor [`transient`](crate::state::snapshot) data.
    ///
    /// O(entities × components), on all threads of the world if there are many entities.
    #[must_use]
    pub fn state_hash(&self) -> u64
    where
        D: Hashable,
    {
        self.core.state_hash()
    }

    /// The [`state_hash`](Self::state_hash), part by part: one hash for the entities, each component, each resource, each
    /// system. Where worlds differ, they tell [which parts](StateHashes::differences) do. O(entities × components).
    ///
    /// ```
    /// use ecs_core::{StateHash, World, world};
    ///
    /// #[derive(StateHash)]
    /// struct Mass(u32);
    /// world! { world Sky; component Mass; }
    ///
    /// let world = World::<Sky>::new();
    /// let hashes = world.state_hashes();
    /// assert_eq!(hashes.state_hash(), world.state_hash());
    /// let parts: Vec<String> = hashes.parts().map(|(part, _)| part.to_string()).collect();
    /// assert_eq!(parts, ["entities", "component `Mass`"]);
    /// ```
    #[must_use]
    pub fn state_hashes(&self) -> StateHashes<D>
    where
        D: Hashable,
    {
        self.core.state_hashes()
    }

    /// In what two worlds differ: for each part of the [state](Self::state_hash) the first value that does, with its entity. The
    /// values are shown by their `Debug`, where they have one. [`desync`](crate::desync) looks for the system that makes the
    /// difference.
    ///
    /// O(entities × components).
    #[must_use]
    pub fn differences<T: Settings>(&self, other: &World<D, T>) -> Differences
    where
        D: Hashable,
    {
        self.core.differences(&other.core)
    }

    /// In what this world differs from the one of which the snapshot was taken: [`differences`](Self::differences) of the two. It
    /// restores the snapshot in a clone of this world.
    ///
    /// ```
    /// use ecs_core::{StateHash, World, world};
    ///
    /// #[derive(Clone, Debug, StateHash)]
    /// struct Fuel(u32);
    /// world! { world Rockets; component Fuel; system Burn { each: |fuel: &mut Fuel| fuel.0 -= 1 } }
    ///
    /// let mut world = World::<Rockets>::new();
    /// world.spawn((Fuel(3),));
    /// let before = world.snapshot();
    /// world.tick()?;
    /// let differences = world.differences_from(&before)?;
    /// let fuel = differences.iter().next().unwrap();
    /// assert_eq!([&fuel.one, &fuel.other], ["Fuel(2)", "Fuel(3)"]);
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`restore`](Self::restore).
    ///
    /// # Panics
    /// As [`clone`](Self::clone) and [`restore`](Self::restore).
    pub fn differences_from(&self, snapshot: &Snapshot<D>) -> Result<Differences, LimitReached>
    where
        D: Cloneable + Hashable,
    {
        let mut other = self.clone();
        other.restore(snapshot)?;
        Ok(self.differences(&other))
    }
}

/// Calls [`World::clone`], whose error messages name a missing bound.
impl<D: Cloneable, S: Settings> Clone for World<D, S> {
    fn clone(&self) -> Self {
        Self::clone(self)
    }
}
