//! Prefabs, spawned in steps and by deferred functions.

use crate::entity::{Entity, LimitReached};
use crate::state::Defer;
use crate::state::prefab::Prefab;
use crate::state::snapshot::Cloneable;

impl<D: Cloneable> Defer<'_, D> {
    /// Spawns the entities of the prefab `count` times, and returns their handles: those of the first copy, in the order of the prefab, then those
    /// of the second copy, and so on. Components are there at once, links from the refresh on. [`Prefab`] has an example.
    ///
    /// If the world has no room for all of them, it spawns none and returns no handles, and the step reports it, as for
    /// [`spawn_batch`](Self::spawn_batch).
    ///
    /// Amortized O(entities × components), a clone for each value.
    ///
    /// ```
    /// # use ecs_core::{Prefab, Template, World, world};
    /// # #[derive(Clone)] struct Health(u32);
    /// # struct Pack;
    /// # world! { world Wood; component Health; relation Pack: one_to_many, on_despawn: detach; }
    /// let mut pack = Prefab::<Wood>::new();
    /// let [leader, other] = [30, 20].map(|health| pack.push(Template::new((Health(health),))));
    /// pack.link::<Pack>(other, leader)?;
    ///
    /// let mut world = World::<Wood>::new();
    /// let wolves = world.step(|step| step.spawn_prefabs(&pack, 3))?;
    /// assert_eq!(world.parent::<Pack>(wolves[5]), Some(wolves[4]));
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// With the panic of a `Clone` or a `MapEntities`. With that of a `Clone` of a component, no entity is spawned.
    pub fn spawn_prefabs(&mut self, prefab: &Prefab<D>, count: usize) -> Vec<Entity> {
        self.try_spawn_prefabs(prefab, count).unwrap_or_else(|full| {
            self.core.refresh.lose(full);
            Vec::new()
        })
    }

    /// The same, and reports nothing.
    pub(crate) fn try_spawn_prefabs(
        &mut self,
        prefab: &Prefab<D>,
        count: usize,
    ) -> Result<Vec<Entity>, LimitReached> {
        let core = &mut **self.core;
        prefab.spawn(&mut core.storage, &mut core.resources, count)
    }
}
