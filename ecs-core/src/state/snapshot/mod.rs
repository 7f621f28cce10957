//! *Clones, snapshots and state hashes* of worlds.
//!
//! Between two steps nothing is deferred, and a world consists of its data: its entities (with the ids and
//! rows that the next ones will get), components, resources, the states of its systems, the subscriptions by
//! hand, and the latest outputs. [`World::clone`](crate::World::clone) makes a second world
//! of these data, [`World::snapshot`](crate::World::snapshot) copies them, [`World::restore`](crate::World::restore)
//! brings them back, and [`World::state_hash`](crate::World::state_hash) hashes them. A cloned or restored world
//! continues with the same bits as the original.
//!
//! Whether a world can do that follows from its declaration. It is [`Cloneable`] if everything in it can
//! be cloned, and [`Hashable`] if everything has a [`StateHash`](trait@crate::StateHash). Types without size are exempt,
//! because there is nothing to copy and nothing to hash; but a component must be `Clone` in any case.
//!
//! A `transient` system (`system Partition { transient, … }`) or resource (`resource
//! Scratch: transient;`) is left out. Each step must make its value anew before it is read; an example is a
//! grid over all positions. Snapshots and hashes do not contain it. [`restore`](crate::World::restore)
//! leaves it unchanged in the world. A clone of the world gets the initial value, as a new world does. The same holds
//! for the outputs of a transient system.
//!
//! Snapshots, restorations and hashes take time for what has changed: a page of 4 096 rows whose values are those of the
//! memory that would be written over is not copied, and its hash is kept. That holds for components that are `Copy` and lie in buffers. A
//! system that asks for `&mut C` counts as one that changes C, in all pages between its first entity and its last one.
//!
//! A system with its code in the declaration and without an output has nothing to copy. Each of its subtasks gives `()`, and
//! of these a cloned or restored world has none until the system runs.
//!
//! Of components that are `Copy`, snapshots, restorations and hashes leave out pages of 4 096 rows to which nothing was written. A component that
//! refers to something outside of the world, and hashes that, has the hash that it had when it was last written.

pub(crate) mod bounds;
pub(crate) mod clones;
mod differences;
pub(crate) mod hashes;
pub(crate) mod parts;
pub(crate) mod show;

use core::marker::PhantomData;

pub use bounds::{Cloneable, Hashable};
pub use differences::{Difference, Differences};
pub use parts::{Part, PartDifference, StateHashes};

use crate::entity::LimitReached;
use crate::parallel::{DropEach, PanicSlot, Threads};
use crate::random::RandomState;
use crate::scheduling::settings::ByArchetype;
use crate::signature::Declaration;
use crate::signature::tables::{removed, tracking};
use crate::state::{Core, CoreData, Instance, Resources, Subscription, Transitions, opaque_debug};
use crate::storage::Storage;
use crate::types::Brand;

/// The state of a world between two steps. It fits any world of the declaration, with any settings.
///
/// It is made by [`World::snapshot`](crate::World::snapshot), and brought back by
/// [`World::restore`](crate::World::restore). [`World::snapshot_into`](crate::World::snapshot_into) reuses its memory
/// for the next snapshot.
///
/// ```
/// # use ecs_core::{World, world};
/// # #[derive(Clone)]
/// # struct Heat(u32);
/// # world! { world Room; component Heat; }
/// let mut world = World::<Room>::new();
/// let stone = world.spawn((Heat(1),));
/// let before = world.snapshot();
/// world.despawn(stone);
/// world.restore(&before).unwrap();
/// assert_eq!(world.get::<Heat>(stone).unwrap().0, 1);
/// ```
pub struct Snapshot<D: Declaration> {
    pub(in crate::state) storage: Storage,
    pub(in crate::state) resources: Resources,
    /// `None` if the system is transient.
    pub(in crate::state) instances: DropEach<Option<Instance<D>>>,
    /// For each system the blocks of rows that are subscribed by hand.
    pub(in crate::state) subscribed: Vec<Vec<u64>>,
    pub(in crate::state) random: RandomState,
    pub(in crate::state) transitions: Transitions,
    /// Whether the snapshot is complete. It is not if a clone has panicked.
    pub(in crate::state) whole: bool,
    pub(in crate::state) declaration: Brand<D>,
}

opaque_debug! {
    [D: Declaration] Snapshot<D>: |this| declaration = D::NAME, entities = this.entity_count()
}

impl<D: Declaration> Snapshot<D> {
    /// Panics if the snapshot is incomplete.
    pub(in crate::state) fn assert_whole(&self) {
        assert!(
            self.whole,
            "the snapshot is incomplete: a clone panicked while the snapshot was taken"
        );
    }

    /// The number of live entities.
    #[must_use]
    pub fn entity_count(&self) -> usize {
        self.storage.entities.count()
    }
}

impl<D: Cloneable> Snapshot<D> {
    /// A snapshot of a world.
    pub(crate) fn of(core: &Core<D>) -> Self {
        let mut storage = Storage::new::<ByArchetype<0>>(D::COMPONENTS);
        tracking::track(&mut storage, core.systems);
        removed::keep(&mut storage, core.systems);
        let mut this = Self {
            storage,
            resources: Resources::empty::<D>(),
            instances: DropEach::of(core.systems.len(), |_| None),
            subscribed: vec![Vec::new(); core.systems.len()],
            random: core.random,
            transitions: core.transitions.duplicate(),
            whole: false,
            declaration: PhantomData,
        };
        this.take(core);
        this
    }

    /// Replaces the content by the state of a world.
    ///
    /// # Panics
    /// With the first panic of a clone, after everything else is copied.
    pub(crate) fn take(&mut self, core: &Core<D>) {
        self.whole = false;
        let panics = PanicSlot::new();
        copy_storage::<D>(&core.storage, &mut self.storage, &core.threads, &panics);
        self.storage.clean();
        for clone in lines(D::RESOURCE_CLONES).flatten() {
            panics.catch(clone.index, None, || (clone.copy)(&core.resources, &mut self.resources));
        }
        for clone in lines(D::SYSTEM_CLONES) {
            panics.catch(clone.index, None, || {
                clone.save(core, &mut self.instances[clone.index]);
            });
        }
        for (words, subscription) in self.subscribed.iter_mut().zip(&core.subscriptions) {
            words.clear();
            words.extend(subscription.by_hand());
        }
        self.random = core.random;
        self.transitions.copy(&core.transitions);
        finish(&panics);
        self.storage.copy_versions(&core.storage);
        self.whole = true;
    }
}

/// Makes `to` a copy of `from`.
///
/// # Panics
/// If the table of clones does not match the components of `D`. Nothing has changed then.
fn copy_storage<D: Cloneable>(
    from: &Storage,
    to: &mut Storage,
    threads: &Threads,
    panics: &PanicSlot,
) {
    let clones = lines(D::COMPONENT_CLONES);
    assert!(
        clones.clone().map(|clone| clone.index).eq(0..D::COMPONENTS.len()),
        "the declaration `{}` says how to clone other components than it has",
        D::NAME,
    );
    to.copy(from, panics, threads, clones.map(|clone| (clone.copy, clone.copy_page)));
}

/// The lines of all sections of a table.
pub(in crate::state) fn lines<T>(
    table: &'static [&'static [T]],
) -> impl Iterator<Item = &'static T> + Clone {
    table.iter().copied().flatten()
}

/// Resumes the first panic, if there was one.
fn finish(panics: &PanicSlot) {
    if let Some(failure) = panics.take() {
        failure.resume();
    }
}

impl<D: Cloneable> Core<D> {
    /// Replaces the state of the world by that of the snapshot.
    ///
    /// # Panics
    /// If the snapshot is incomplete. With the first panic of a clone, after everything else is copied.
    pub(crate) fn restore(&mut self, snapshot: &Snapshot<D>) -> Result<(), LimitReached> {
        snapshot.assert_whole();
        self.match_edited();
        self.storage.fits(&snapshot.storage)?;
        let panics = PanicSlot::new();
        let CoreData { storage, threads, .. } = &mut **self;
        copy_storage::<D>(&snapshot.storage, storage, threads, &panics);
        for clone in lines(D::RESOURCE_CLONES).flatten() {
            panics.catch(clone.index, None, || {
                (clone.copy)(&snapshot.resources, &mut self.resources);
            });
        }
        self.conditions.forget();
        // Outputs that the snapshot does not have are not those of its state. A transient system's stay.
        for index in 0..self.systems.len() {
            if !self.systems[index].declared.transient {
                self.instance_mut(index).states.forget_outputs();
            }
        }
        for clone in lines(D::SYSTEM_CLONES) {
            panics.catch(clone.index, None, || {
                if let Some(saved) = &snapshot.instances[clone.index] {
                    clone.copy(saved, self.instance_mut(clone.index));
                }
            });
        }
        self.subscribe(snapshot.subscribed.iter().map(|words| words.iter().copied()));
        self.random = snapshot.random;
        self.transitions.copy(&snapshot.transitions);
        finish(&panics);
        self.storage.copy_versions(&snapshot.storage);
        Ok(())
    }

    /// Makes the entities, components, resources and subscriptions of a new world the same as
    /// those of `from`.
    ///
    /// # Panics
    /// With the first panic of a clone.
    pub(crate) fn copy_data(&mut self, from: &Self) {
        let panics = PanicSlot::new();
        copy_storage::<D>(&from.storage, &mut self.storage, &from.threads, &panics);
        finish(&panics);
        for clone in lines(D::RESOURCE_CLONES).flatten() {
            (clone.copy)(&from.resources, &mut self.resources);
        }
        self.subscribe(from.subscriptions.iter().map(|subscription| subscription.by_hand()));
        self.random = from.random;
        self.transitions.copy(&from.transitions);
    }
}

impl CoreData {
    /// Subscribes by hand the rows in the given blocks, system by system, and brings all other
    /// subscriptions up to date.
    pub(in crate::state) fn subscribe(
        &mut self,
        blocks: impl Iterator<Item = impl Iterator<Item = u64>>,
    ) {
        for (subscription, words) in self.subscriptions.iter_mut().zip(blocks) {
            subscription.load(&self.storage, words);
        }
        self.match_entities();
    }
}

impl Subscription {
    /// The blocks of rows that are subscribed by hand; none if the system is not `opt_in`.
    pub(in crate::state) fn by_hand(&self) -> impl Iterator<Item = u64> {
        let blocks = if self.opt_in { self.set.block_count() } else { 0 };
        (0..blocks).map(|block| self.set.block(block))
    }

    /// Subscribes by hand the rows in `words` that match. (If a clone has panicked, values are missing.)
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
