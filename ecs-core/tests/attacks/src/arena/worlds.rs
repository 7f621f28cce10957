//! The worlds: one declaration, with different storages and splits.

use ecs_core::NoSuchEntity;
use ecs_core::settings::Settings;
use ecs_core::{Data, Defer, Entity, Step, Stream, System, world};

use super::{
    Act, Arena, COUNTS, Chronicle, Column, Left, Mapped, Name, Orders, Right, Run, Sparse, Tag,
    trace,
};
use crate::random::mix;

/// Declares the world in a module, with its components stored as given, and its systems split as given.
macro_rules! arenas {
    ($($(#[$doc:meta])* $module:ident ($($split:tt)*) { $($components:tt)* })*) => {$(
        $(#[$doc])*
        pub(crate) mod $module {
            use super::*;

            world! {
                pub(crate) world Ring { entity_limit: dynamic(4) }
                $($components)*
                resource Orders = Orders::none();
                resource Chronicle;

                system Alone {
                    sequential,
                    read: [Name],
                    write_optional: [Left],
                    without: [Tag],
                    read_resources: [Orders],
                    insert: [Left],
                    remove: [Right],
                    despawn,
                }
                system Grow {
                    parallelism: $($split)*,
                    dependencies: [Alone],
                    read: [Name],
                    write: [Column],
                    write_optional: [Mapped],
                    read_resources: [Orders],
                    output: Vec<u64>,
                }
                system Reap {
                    parallelism: $($split)*,
                    dependencies: [Alone],
                    read: [Name],
                    without: [Tag],
                    read_resources: [Orders],
                    despawn,
                }
                system Change {
                    parallelism: $($split)*,
                    dependencies: [Grow],
                    read: [Name],
                    read_resources: [Orders],
                    insert: [Tag, Sparse, Left],
                    remove: [Mapped, Right, Tag],
                }
                system Breed {
                    parallelism: $($split)*,
                    inputs: [Grow],
                    read: [Name],
                    with: [Column],
                    read_resources: [Orders],
                    spawn: [(Name, Column), (Right, Name, Left, Sparse), (Tag, Mapped, Name)],
                }
                system Meddle {
                    parallelism: $($split)*,
                    dependencies: [Change],
                    read: [Name],
                    read_resources: [Orders],
                    defer,
                }
                system Raise {
                    parallelism: $($split)*,
                    dependencies: [Meddle],
                    read: [Name],
                    read_resources: [Orders],
                    update: [Right],
                }
                system Lower {
                    parallelism: $($split)*,
                    dependencies: [Meddle],
                    read: [Name],
                    read_resources: [Orders],
                    update: [Right],
                }
                system Watch {
                    opt_in,
                    parallelism: $($split)*,
                    dependencies: [Alone],
                    with: [Column],
                    without: [Sparse],
                    output: Vec<Entity>,
                }
                system Send {
                    parallelism: $($split)*,
                    dependencies: [Alone],
                    read: [Name],
                    read_resources: [Orders],
                    output: Stream<u64>,
                }
                system Take { streams: [Send], write_resources: [Chronicle] }
                system Note { inputs: [Grow, Watch], dependencies: [Take], write_resources: [Chronicle] }
            }

            systems! { Alone, Grow, Reap, Change, Breed, Meddle, Raise, Lower, Watch, Send, Take, Note }

            /// Updates the entities whose names have the remainder `rest`, so that two systems update different
            /// entities.
            macro_rules! update {
                ($data:ident, $rest:literal) => {{
                    let orders = $data.resource::<Orders>();
                    let (own, effects) = $data.split();
                    own.for_entities(|e| {
                        for given in orders.of(e.name.0, &[Act::Update]) {
                            if e.name.0 % 2 == $rest {
                                let value = e.right.get() + given.order.value;
                                effects.update(e.entity, Right::new(&orders.fault, value));
                                COUNTS.act(given.order.act);
                            }
                        }
                    });
                }};
            }

            bodies! { Ring
                Alone(data) {
                    let orders = data.resource::<Orders>();
                    let acts = &[Act::Roll, Act::RollDespawn, Act::RollInsert, Act::RollRemove];
                    data.roll(|mut found| {
                        let (entity, name) = (found.entity(), found.entry().name.0);
                        if let Some(left) = found.entry().left {
                            for given in orders.of(name, &[Act::Roll]) {
                                left.set(left.get() + given.order.value);
                            }
                        }
                        let mut now = found.now();
                        for given in orders.of(name, acts) {
                            COUNTS.act(given.order.act);
                            match given.order.act {
                                Act::RollDespawn => now.despawn(given.target.unwrap_or(entity)),
                                Act::RollInsert => {
                                    let left = Left::new(&orders.fault, given.order.value);
                                    drop(now.insert(given.target.unwrap_or(entity), left));
                                }
                                Act::RollRemove => drop(now.remove::<Right>(entity)),
                                _ => {}
                            }
                        }
                    });
                }
                Grow(data) {
                    let orders = data.resource::<Orders>();
                    let (own, effects) = data.split();
                    own.for_entities(|mut e| {
                        for given in orders.of(e.name.0, &[Act::GrowColumn, Act::GrowMapped, Act::FlipColumn]) {
                            COUNTS.act(given.order.act);
                            match (given.order.act, &mut *e.column, e.mapped.as_deref_mut()) {
                                (Act::GrowColumn, column, _) => column.set(column.get().wrapping_add(given.order.value)),
                                (Act::GrowMapped, _, Some(mapped)) => mapped.set(mapped.get() ^ given.order.value),
                                (Act::FlipColumn, column, _) => column.set(!column.get()),
                                _ => {}
                            }
                        }
                        effects.output().push(e.name.0 ^ e.column.get());
                    });
                }
                Reap(data) {
                    let orders = data.resource::<Orders>();
                    let (own, effects) = data.split();
                    own.for_entities(|e| {
                        for given in orders.of(e.name.0, &[Act::Despawn, Act::DespawnTarget]) {
                            COUNTS.act(given.order.act);
                            let target = given.target.filter(|_| given.order.act == Act::DespawnTarget);
                            effects.despawn(target.unwrap_or(e.entity));
                        }
                    });
                }
                Change(data) {
                    let orders = data.resource::<Orders>();
                    let acts = &[
                        Act::InsertTag, Act::InsertSparse, Act::InsertLeftToTarget,
                        Act::RemoveMapped, Act::RemoveRight, Act::RemoveTagOfTarget,
                    ];
                    let (own, effects) = data.split();
                    own.for_entities(|e| {
                        for given in orders.of(e.name.0, acts) {
                            COUNTS.act(given.order.act);
                            let (value, target) = (given.order.value, given.target.unwrap_or(e.entity));
                            let mixed = e.name.0 ^ value;
                            match given.order.act {
                                Act::InsertTag => effects.insert(e.entity, Tag),
                                Act::InsertSparse => {
                                    effects.insert(e.entity, Sparse::new(&orders.fault, mixed));
                                }
                                Act::InsertLeftToTarget => {
                                    effects.insert(target, Left::new(&orders.fault, mixed));
                                }
                                Act::RemoveMapped => effects.remove::<Mapped>(e.entity),
                                Act::RemoveRight => effects.remove::<Right>(e.entity),
                                _ => effects.remove::<Tag>(target),
                            }
                        }
                    });
                }
                Breed(data) {
                    let orders = data.resource::<Orders>();
                    let (own, effects) = data.split();
                    own.for_entities(|e| {
                        // At most one spawn per entity.
                        let mut given = orders.of(e.name.0, &[Act::SpawnColumn, Act::SpawnPair, Act::SpawnTagged]);
                        let Some(given) = given.next() else { return };
                        COUNTS.act(given.order.act);
                        let (fault, value) = (&orders.fault, given.order.value);
                        let name = Name(orders.child(e.name.0, given));
                        match given.order.act {
                            Act::SpawnColumn => effects.spawn((name, Column::new(fault, value))),
                            Act::SpawnPair => {
                                let (left, right) = (Left::new(fault, value), Right::new(fault, value));
                                effects.spawn((right, name, left, Sparse::new(fault, value)));
                            }
                            _ => effects.spawn((Tag, Mapped::new(fault, value), name)),
                        }
                    });
                }
                Meddle(data) {
                    let orders = data.resource::<Orders>();
                    let acts = &[
                        Act::DeferDespawn, Act::DeferAddMapped, Act::DeferRemoveSparseOfTarget,
                        Act::DeferSpawnDespawned, Act::DeferSpawn, Act::DeferWrite,
                    ];
                    let (own, effects) = data.split();
                    own.for_entities(|e| {
                        for given in orders.of(e.name.0, acts) {
                            COUNTS.act(given.order.act);
                            let (entity, given, fault) = (e.entity, *given, orders.fault.clone());
                            let child = orders.child(e.name.0, &given);
                            effects.defer(move |defer| super::meddle(defer, entity, given, child, &fault));
                        }
                    });
                }
                Raise(data) { update!(data, 0); }
                Lower(data) { update!(data, 1); }
                Watch(data) {
                    let (own, effects) = data.split();
                    own.query::<Entity>().for_each(|entity| effects.output().push(entity));
                }
                Send(data) {
                    let orders = data.resource::<Orders>();
                    let (own, effects) = data.split();
                    let mut stream = effects.stream();
                    own.for_entities(|e| {
                        for given in orders.of(e.name.0, &[Act::Send]) {
                            COUNTS.act(given.order.act);
                            stream.send(e.name.0 ^ given.order.value);
                        }
                    });
                }
                Take(data) {
                    let items = data.received::<Send>();
                    data.resource_mut::<Chronicle>().0.extend(items);
                }
                Note(data) {
                    let grown = data.outputs_of::<Grow>().flatten().copied();
                    let watched = data.outputs_of::<Watch>().flatten().map(|entity| trace(*entity));
                    data.resource_mut::<Chronicle>().0.extend(grown.chain(watched));
                }
            }

            impl Arena for Ring {
                fn execute<S: Settings>(step: &mut Step<'_, Self, S>, run: Run) {
                    match run {
                        Run::All => step.execute_systems().run(),
                        Run::FromChange => step.execute_systems_from::<(Change,)>().run(),
                    }
                }

                fn watch(defer: &mut Defer<'_, Self>, entity: Entity, watched: bool) -> Result<(), NoSuchEntity> {
                    if watched {
                        defer.subscribe::<Watch>(entity)
                    } else {
                        defer.unsubscribe::<Watch>(entity)
                    }
                }
            }
        }
    )*};
}

macro_rules! systems {
    ($($name:ident),*) => {$(
        #[derive(Debug, Default)]
        pub(crate) struct $name;
    )*};
}

macro_rules! bodies {
    ($world:ident $($name:ident($data:ident) $body:block)*) => {$(
        impl System<$world> for $name {
            fn process(&self, $data: &mut Data<'_, $world, Self>) $body
        }
    )*};
}

arenas! {
    /// Every kind of storage.
    mixed(split_every(3)) {
        component Name: contiguous_buffer;
        component Column: contiguous_buffer;
        component (Left, Right): contiguous_buffer;
        component Mapped: hash_map;
        component Sparse: sparse_set;
        component Tag: empty;
    }
    /// A column for each component, and no system is split.
    columns(none) {
        component Name: contiguous_buffer;
        component Column: contiguous_buffer;
        component Left: contiguous_buffer;
        component Right: contiguous_buffer;
        component Mapped: contiguous_buffer;
        component Sparse: contiguous_buffer;
        component Tag: contiguous_buffer;
    }
    /// Storages that differ from those of `mixed`.
    swapped(none_below_threshold(4, split_evenly(5))) {
        component Name: sparse_set;
        component Column: hash_map;
        component Left: sparse_set;
        component Right: hash_map;
        component (Mapped, Sparse): contiguous_buffer;
        component Tag: sparse_set;
    }
}

/// The body of a deferred function.
fn meddle<D: Arena>(
    defer: &mut Defer<'_, D>,
    entity: Entity,
    given: super::Given,
    child: u64,
    fault: &crate::faults::Fault,
) {
    let value = given.order.value;
    match given.order.act {
        Act::DeferDespawn => defer.despawn(entity),
        Act::DeferAddMapped => {
            drop(defer.insert(entity, Mapped::new(fault, mix(value))));
        }
        Act::DeferRemoveSparseOfTarget => {
            drop(defer.remove::<Sparse>(given.target.unwrap_or(entity)));
        }
        Act::DeferSpawnDespawned => {
            let bundle = (Name(child), Column::new(fault, value));
            let spawned = defer.spawn(bundle).expect("there is room");
            defer.despawn(spawned);
        }
        Act::DeferSpawn => {
            let spawned =
                defer.spawn((Left::new(fault, value), Name(child))).expect("there is room");
            drop(defer.insert(spawned, Sparse::new(fault, value)).expect("it lives"));
        }
        _ => {
            if let Some(column) = defer.get_mut::<Column>(entity) {
                column.set(column.get().wrapping_add(value));
            }
        }
    }
}
