//! What a storage strategy is made with: the size of its world, and objects that several strategies share.

use core::any::Any;
use core::fmt;
use std::sync::Arc;

/// What a [`StorageStrategy`](super::StorageStrategy) is made with, by
/// [`in_world`](super::StorageStrategy::in_world): the size of its world, and objects that strategies share.
///
/// ```
/// use std::sync::Arc;
/// use ecs_core::storage::StrategyContext;
///
/// /// Slots that no component of an entity uses.
/// #[derive(Default)]
/// struct Free(std::sync::Mutex<Vec<u32>>);
///
/// /// What strategies have in common, with room for all entities.
/// fn free_slots(world: &mut StrategyContext) -> Arc<Free> {
///     let room = world.limit().unwrap_or(world.initial());
///     let free = world.shared::<Free>();
///     free.0.lock().unwrap().reserve(room);
///     free
/// }
/// ```
#[derive(Default)]
pub struct StrategyContext {
    limit: Option<usize>,
    initial: usize,
    shared: Vec<Arc<dyn Any + Send + Sync>>,
}

impl StrategyContext {
    /// The same, for a strategy under this fixed limit.
    #[inline]
    pub(in crate::storage) fn fixed(&mut self, limit: usize) -> &mut Self {
        (self.limit, self.initial) = (Some(limit), limit);
        self
    }

    /// The same, for a strategy under a dynamic limit, with room for this number of entities.
    #[inline]
    pub(in crate::storage) fn dynamic(&mut self, initial: usize) -> &mut Self {
        (self.limit, self.initial) = (None, initial);
        self
    }

    /// The most entities of the world, if it has a fixed limit: rows are below it.
    #[inline]
    #[must_use]
    pub fn limit(&self) -> Option<usize> {
        self.limit
    }

    /// The number of entities that there should be room for at first. Most of them may lack the component.
    #[must_use]
    pub fn initial(&self) -> usize {
        self.initial
    }

    /// The object of the type `T` that all strategies of this world share which ask for it. The first one that asks makes it, by
    /// its `Default`.
    ///
    /// Each world has its own, and so has each clone and each snapshot. Two groups of components whose strategies should not share
    /// their object ask for two types.
    ///
    /// O(objects that strategies of the world share), when a world is made.
    ///
    /// # Panics
    /// If the `Default` panics.
    #[must_use]
    pub fn shared<T: Default + Send + Sync + 'static>(&mut self) -> Arc<T> {
        let found = self.shared.iter().find_map(|one| Arc::clone(one).downcast::<T>().ok());
        found.unwrap_or_else(|| {
            let made = Arc::new(T::default());
            self.shared.push(Arc::<T>::clone(&made));
            made
        })
    }
}

impl fmt::Debug for StrategyContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { limit, initial, shared } = self;
        f.debug_struct("StrategyContext")
            .field("limit", limit)
            .field("initial", initial)
            .field("shared", &shared.len())
            .finish()
    }
}
