//! The declaration, worlds of it with stamped values, and the settings of threads.

use std::sync::{Mutex, PoisonError};

use attacks::support::{four, fresh};
use ecs_core::joins::Index;
use ecs_core::{Data, Entity, StateHash, System, Threads, World, world};

/// The name of an entity: the stamp of its world, and its number.
#[derive(Clone, Debug, PartialEq, StateHash)]
pub(super) struct Text(pub(super) String);

/// The same in external storage.
#[derive(Clone, Debug, PartialEq, StateHash)]
pub(super) struct Tag(pub(super) String);

/// The key of the index.
#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
pub(super) struct Key(pub(super) u32);

/// A name for the whole world.
#[derive(Clone, Debug, Default, PartialEq, StateHash)]
pub(super) struct Stamp(pub(super) String);

/// Lines that systems write.
#[derive(Clone, Debug, Default, PartialEq, StateHash)]
pub(super) struct Log(pub(super) Vec<String>);

world! {
    pub(super) world Nest {}
    component Text: contiguous_buffer;
    component Tag: sparse_set;
    component Key: contiguous_buffer;
    resource Stamp;
    resource Log;
    query ByKeys { read: [Key, Tag], index: ByKey, dependencies: [Act] }
    query Plain { read: [Key] }
    system Edit { write: [Text], read_any: [Tag], parallelism: split_evenly(3), output: Vec<String> }
    system Whole { exclusive, write: [Text, Tag], dependencies: [Edit] }
    system Act {
        sequential,
        dependencies: [Whole],
        queries: [Plain],
        write: [Text],
        read_any: [Tag],
        despawn,
        spawn: [(Text, Tag)],
        insert: [Tag],
        remove: [Text, Tag],
        output: Vec<String>,
    }
    system Look {
        inputs: [Edit],
        with: [Text],
        read_any: [Tag],
        queries: [ByKeys, Plain],
        read_resources: [Stamp],
        write_resources: [Log],
    }
    system Late { dependencies: [Look], write: [Text], defer, despawn }
}

/// An index by [`Key`].
#[derive(Clone, Default, StateHash)]
pub(super) struct ByKey;

impl Index for ByKey {
    type Entry<'a> = ByKeysEntry<'a>;
    type Key = u32;

    fn key(&self, member: ByKeysEntry<'_>) -> u32 {
        member.key.0
    }
}

/// Declares systems with empty bodies, which the tests override. The state of each is a text.
macro_rules! idle {
    ($($name:ident)*) => {$(
        #[derive(Clone, Debug, Default, PartialEq, StateHash)]
        pub(super) struct $name(pub(super) String);

        impl System<Nest> for $name {
            fn process(&self, _: &mut Data<'_, Nest, Self>) {}
        }
    )*};
}

idle!(Edit Whole Act Look Late);

/// The number of entities in a world: more than one block of rows, and not a multiple of it.
pub(super) const COUNT: usize = 200;

/// A world with that stamp on all of its values.
pub(super) fn filled(threads: Threads, stamp: &str) -> World<Nest> {
    let mut world = World::<Nest>::on(threads);
    world.resource_mut::<Stamp>().0 = stamp.into();
    world.system_mut::<Edit>().0 = format!("{stamp} state");
    let entity = |n: usize| {
        (Text(format!("{stamp} {n}")), Tag(format!("{stamp} tag {n}")), Key(n as u32 % 7))
    };
    world
        .step(|step| {
            step.spawn_batch((0..COUNT).map(entity));
        })
        .unwrap();
    world
}

/// All entities, in order.
pub(super) fn entities(world: &World<Nest>) -> Vec<Entity> {
    let mut all = Vec::new();
    for entity in world.iter::<Entity>() {
        all.push(entity);
    }
    all
}

/// The text of each entity that has one, in order.
pub(super) fn texts(world: &World<Nest>) -> Vec<String> {
    let mut all = Vec::new();
    for text in world.iter::<&Text>() {
        all.push(text.0.clone());
    }
    all
}

/// The tag of each entity that has one, in order.
pub(super) fn tags(world: &World<Nest>) -> Vec<String> {
    let mut all = Vec::new();
    for tag in world.iter::<&Tag>() {
        all.push(tag.0.clone());
    }
    all
}

/// The [`texts`] of a new world with that stamp, each followed by `end`.
pub(super) fn stamped(stamp: &str, end: &str) -> Vec<String> {
    (0..COUNT).map(|n| format!("{stamp} {n}{end}")).collect()
}

/// Asserts that the tags are those of a new world.
pub(super) fn assert_tags(world: &World<Nest>, stamp: &str) {
    assert_eq!(tags(world), stamped(&format!("{stamp} tag"), ""));
}

/// Calls `f` for an outer and an inner world with different threads: none, one pool, two pools, and mixed.
pub(super) fn on_all_threads(f: impl Fn(World<Nest>, World<Nest>)) {
    let shared = four();
    let pairs = [
        (Threads::Inline, Threads::Inline),
        (shared.clone(), shared.clone()),
        (shared.clone(), fresh(2)),
        (fresh(2), Threads::Inline),
        (Threads::Inline, shared),
    ];
    for (outer, inner) in pairs {
        f(filled(outer, "outer"), filled(inner, "inner"));
    }
}

/// A value that one closure hands to another one, once.
pub(super) struct Slot<T>(Mutex<Option<T>>);

impl<T> Slot<T> {
    pub(super) fn new(value: T) -> Self {
        Self(Mutex::new(Some(value)))
    }

    /// A slot without a value.
    pub(super) fn empty() -> Self {
        Self(Mutex::new(None))
    }

    /// Takes the value, if it is there; the lock is released on return.
    pub(super) fn take(&self) -> Option<T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Puts a value into the slot.
    pub(super) fn put(&self, value: T) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
    }
}
