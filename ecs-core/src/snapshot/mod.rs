//! *Clones, snapshots and state hashes* of worlds.
//!
//! Between two steps nothing is deferred, and a world is what it holds: its entities (with the ids and
//! rows that the next ones will get), components, resources, the states of its systems, who has
//! subscribed by hand, and the latest outputs. [`World::clone`](crate::World::clone) makes a second world
//! of it, [`World::snapshot`](crate::World::snapshot) keeps it, [`World::restore`](crate::World::restore)
//! brings it back, and [`World::state_hash`](crate::World::state_hash) makes a number of it. Whatever
//! goes on from there does so bit by bit as the original would.
//!
//! Whether a world can do that follows from its declaration: it is [`Cloneable`] if everything in it can
//! be cloned, and [`Hashable`] if everything has a [`StateHash`]. Only what a type of no
//! size stands for is not asked for it, as there is nothing to copy and nothing to hash; a component must
//! be `Clone` nevertheless.
//!
//! What is declared `transient`, a system (`system Partition { transient, … }`) or a resource (`resource
//! Scratch: transient;`), takes no part: it must be made anew by each step before it is read, such as a
//! grid over all positions. It goes into no snapshot and no hash; [`restore`](crate::World::restore)
//! leaves it as it is in the world; and a clone of the world gets it as a new world would. So do the
//! outputs of a transient system.

mod bounds;
mod clones;
mod hashes;

use core::fmt;
use core::marker::PhantomData;

pub use bounds::{
    CloneComponent, CloneOutput, CloneResource, CloneSystem, CloneTable, Cloneable, HasNoSize,
    HashComponent, HashResource, HashSystem, HashTable, Hashable,
};
pub use clones::{ComponentClone, ResourceClone, SystemClone};
pub use hashes::{ComponentHash, ResourceHash, SystemHash};

use crate::brand::Brand;
use crate::drops::DropEach;
use crate::entity::LimitReached;
use crate::erased::Erased;
use crate::resource::Resources;
use crate::scheduler::PanicSlot;
use crate::settings::ByArchetype;
use crate::signature::Declaration;
use crate::state_hash::{StateHash, StateHasher};
use crate::storage::Storage;
use crate::system::Subscription;
use crate::world::Core;

/// The state of a world between two steps; of any world of the declaration, whatever its settings.
///
/// Made by [`World::snapshot`](crate::World::snapshot), and brought back by
/// [`World::restore`](crate::World::restore). To take the next one into its memory, give it to
/// [`World::snapshot_into`](crate::World::snapshot_into).
pub struct Snapshot<D: Declaration> {
    storage: Storage,
    resources: Resources,
    /// Nothing where a system is transient.
    instances: DropEach<Option<Erased>>,
    /// For each system the blocks of rows that are subscribed by hand.
    subscribed: Vec<Vec<u64>>,
    /// Whether everything is there: not if cloning something has panicked.
    whole: bool,
    declaration: Brand<D>,
}

impl<D: Declaration> fmt::Debug for Snapshot<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Snapshot")
            .field("declaration", &D::NAME)
            .field("entities", &self.entity_count())
            .finish_non_exhaustive()
    }
}

impl<D: Declaration> Snapshot<D> {
    /// How many entities were alive.
    #[must_use]
    pub fn entity_count(&self) -> usize {
        self.storage.entities.count()
    }

    /// A place for a snapshot.
    fn empty() -> Self {
        Self {
            storage: Storage::new::<D, ByArchetype<0>>(),
            resources: Resources::empty::<D>(),
            instances: DropEach::of(D::SYSTEMS.len(), |_| None),
            subscribed: D::SYSTEMS.iter().map(|_| Vec::new()).collect(),
            whole: false,
            declaration: PhantomData,
        }
    }
}

impl<D: Cloneable> Snapshot<D> {
    /// The state of a world.
    pub(crate) fn of(core: &Core<D>) -> Self {
        let mut this = Self::empty();
        this.take(core);
        this
    }

    /// Takes the state of a world over what was here before.
    ///
    /// # Panics
    /// With the first panic of a clone, when all else is done.
    pub(crate) fn take(&mut self, core: &Core<D>) {
        self.whole = false;
        let panics = PanicSlot::new();
        self.storage.copy(&core.storage, D::COMPONENT_CLONES, &panics);
        self.storage.clean();
        for clone in D::RESOURCE_CLONES.iter().flatten() {
            panics.catch(clone.index(), None, || clone.copy(&core.resources, &mut self.resources));
        }
        for clone in D::SYSTEM_CLONES.iter().flatten() {
            panics.catch(clone.index(), None, || {
                clone.save(core, &mut self.instances[clone.index()]);
            });
        }
        for (words, subscription) in self.subscribed.iter_mut().zip(&core.subscriptions) {
            subscription.save(words);
        }
        finish(&panics);
        self.whole = true;
    }
}

/// Goes on with the first panic, if there was one.
fn finish(panics: &PanicSlot) {
    if let Some(failure) = panics.take() {
        failure.resume();
    }
}

impl<D: Cloneable> Core<D> {
    /// Becomes what the snapshot says.
    ///
    /// # Panics
    /// With the first panic of a clone, when all else is done.
    pub(crate) fn restore(&mut self, snapshot: &Snapshot<D>) -> Result<(), LimitReached> {
        assert!(
            snapshot.whole,
            "the snapshot is incomplete: cloning a value has panicked as it was taken"
        );
        self.storage.fits(&snapshot.storage)?;
        let panics = PanicSlot::new();
        self.storage.copy(&snapshot.storage, D::COMPONENT_CLONES, &panics);
        for clone in D::RESOURCE_CLONES.iter().flatten() {
            panics.catch(clone.index(), None, || {
                clone.copy(&snapshot.resources, &mut self.resources);
            });
        }
        for clone in D::SYSTEM_CLONES.iter().flatten() {
            panics.catch(clone.index(), None, || {
                if let Some(saved) = &snapshot.instances[clone.index()] {
                    clone.load(saved, self);
                }
            });
        }
        self.subscribe(snapshot.subscribed.iter().map(|words| words.iter().copied()));
        finish(&panics);
        Ok(())
    }

    /// Makes the entities, components and resources of a new world, and who is subscribed, the same as
    /// those of `from`.
    ///
    /// # Panics
    /// With the first panic of a clone.
    pub(crate) fn copy_data(&mut self, from: &Self) {
        let panics = PanicSlot::new();
        self.storage.copy(&from.storage, D::COMPONENT_CLONES, &panics);
        finish(&panics);
        for clone in D::RESOURCE_CLONES.iter().flatten() {
            clone.copy(&from.resources, &mut self.resources);
        }
        self.subscribe(from.subscriptions.iter().map(Subscription::by_hand));
    }
}

impl<D: Declaration> Core<D> {
    /// Subscribes by hand who is in the given blocks of rows, system by system, and brings all other
    /// subscriptions up to date.
    fn subscribe(&mut self, blocks: impl Iterator<Item = impl Iterator<Item = u64>>) {
        for (subscription, words) in self.subscriptions.iter_mut().zip(blocks) {
            subscription.load(&self.storage, words);
        }
        self.match_entities();
    }
}

impl<D: Hashable> Core<D> {
    /// A number that stands for everything that decides about the future.
    pub(crate) fn state_hash(&self) -> u64 {
        let mut hasher = StateHasher::new();
        self.storage.entities.state_hash(&mut hasher);
        assert!(
            D::COMPONENT_HASHES.len() == D::COMPONENTS.len(),
            "the declaration `{}` says how to hash other components than it has",
            D::NAME,
        );
        for hash in D::COMPONENT_HASHES {
            hash.put(&self.storage, &mut hasher);
        }
        for hash in D::RESOURCE_HASHES.iter().flatten() {
            hash.put(&self.resources, &mut hasher);
        }
        for hash in D::SYSTEM_HASHES.iter().flatten() {
            hash.put(self, &mut hasher);
        }
        let blocks = self.storage.entities.rows().len().div_ceil(crate::storage::BLOCK_ROWS);
        for subscription in self.subscriptions.iter().filter(|one| one.opt_in) {
            (0..blocks).for_each(|block| subscription.set.block(block).state_hash(&mut hasher));
        }
        hasher.finish()
    }
}

impl Subscription {
    /// The blocks of rows that are subscribed by hand; none if that is not how it is done here.
    fn by_hand(&self) -> impl Iterator<Item = u64> {
        let blocks = if self.opt_in { self.set.block_count() } else { 0 };
        (0..blocks).map(|block| self.set.block(block))
    }

    fn save(&self, words: &mut Vec<u64>) {
        words.clear();
        words.extend(self.by_hand());
    }

    /// Subscribes by hand to the rows in `words` that match. (Where a clone has panicked, values are missing.)
    fn load(&mut self, storage: &Storage, words: impl Iterator<Item = u64>) {
        if !self.opt_in {
            return;
        }
        let mut behind = 0;
        for (block, word) in words.enumerate() {
            self.set.set_block(block, word & self.demands.matching(storage, block));
            behind = block + 1;
        }
        for block in behind..self.set.block_count() {
            self.set.set_block(block, 0);
        }
        self.set.restore();
    }
}
