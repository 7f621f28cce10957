//! Removed components of a world, for the program.

use super::World;
use crate::parallel::PanicSlot;
use crate::scheduling::settings::Settings;
use crate::signature::{Declaration, HasComponent};

impl<D: Declaration, S: Settings> World<D, S> {
    /// Drops all that was removed of `C` and that some system has not [read](crate::Own::removed) yet. Systems that name `C` in
    /// `removed` read what is removed from now on.
    ///
    /// Removals wait until each of these systems has run. A program that never executes one of them, as it belongs to a chain or
    /// has a condition, gives the memory back by this. O(removals).
    ///
    /// ```
    /// # use ecs_core::{World, world};
    /// # #[derive(Default)] struct Seen(usize);
    /// # struct Coins;
    /// world! {
    ///     world Cave;
    ///     component Coins: empty;
    ///     resource Seen;
    ///     system Count {
    ///         removed: [Coins],
    ///         write_resources: [Seen],
    ///         run: |data| data.resources.get_mut::<Seen>().0 += data.own.removed::<Coins>().len(),
    ///     }
    /// }
    ///
    /// let mut world = World::<Cave>::new();
    /// let purses = world.spawn_batch([(Coins,), (Coins,)]);
    /// world.despawn(purses[0]);
    /// world.forget_removed::<Coins>();
    /// world.despawn(purses[1]);
    /// world.tick()?;
    /// assert_eq!(world.resource::<Seen>().0, 1);
    /// # Ok::<_, ecs_core::StepError>(())
    /// ```
    ///
    /// # Panics
    /// With the panic of a destructor, after all values are dropped.
    pub fn forget_removed<C: 'static>(&mut self)
    where
        D: HasComponent<C>,
    {
        let panics = PanicSlot::new();
        self.core.storage.forget_removed(<D as HasComponent<C>>::INDEX, &panics);
        if let Some(failure) = panics.take() {
            failure.resume();
        }
    }
}
