//! The worlds: one program, with other storages, splits and refreshes in each.

use super::keep::List;
use super::support::mix;

#[derive(Clone, Debug, ecs_core::StateHash)]
pub(crate) struct Id(pub(crate) u64);
#[derive(Clone, Debug, ecs_core::StateHash)]
pub(crate) struct Plain(pub(crate) u64);
#[derive(Clone, Debug, ecs_core::StateHash)]
pub(crate) struct Text(pub(crate) String);
#[derive(Clone, Debug, ecs_core::StateHash)]
pub(crate) struct Tag;
#[derive(Clone, Default, ecs_core::StateHash)]
pub(crate) struct Clock(pub(crate) u64);

/// The components, by number, with their value.
pub(crate) type Line = (u8, ecs_core::Entity, u64);

pub(crate) fn number(text: &Text) -> u64 {
    text.0.parse().expect("it is a number")
}

/// What a system does with an entity at this time: a number below 12.
pub(crate) fn deed(system: u64, id: u64, now: u64) -> u64 {
    mix(mix(id ^ system << 40) ^ now << 20) % 12
}

/// The value that a system gives an entity at this time.
pub(crate) fn value(system: u64, id: u64, now: u64) -> u64 {
    mix(id ^ system << 50 ^ now << 30) % 1000
}

macro_rules! world {
    ($module:ident, $staged:ident, [$($split:tt)*], { $($components:tt)* }) => {
        pub(crate) mod $module {
            use ecs_core::{Data, Entity, System};

            use super::*;

            ecs_core::world! {
                pub(crate) world Tested { entity_limit: dynamic(16), staged_changes: $staged }
                $($components)*
                resource Clock;
                system Roll {
                    sequential,
                    read: [Id],
                    despawn,
                    insert: [Plain, Text],
                    remove: [Plain, Text, Tag],
                    read_resources: [Clock],
                }
                system All {
                    removed: [Plain, Text, Tag],
                    output: Vec<Line>,
                    dependencies: [Roll],
                }
                system Odd {
                    run_if: |clock: &Clock| clock.0 % 2 == 1,
                    parallelism: $($split)*,
                    read: [Id],
                    removed: [Text],
                    output: Vec<Line>,
                    dependencies: [Roll],
                }
                system Third {
                    every: 3,
                    removed: [Tag, Plain],
                    output: Vec<Line>,
                    dependencies: [Roll],
                }
                system Alter {
                    parallelism: $($split)*,
                    read: [Id],
                    despawn,
                    insert: [Plain, Text, Tag],
                    remove: [Plain, Text, Tag],
                    read_resources: [Clock],
                    dependencies: [Third, Odd, All],
                }
                system Raise {
                    parallelism: $($split)*,
                    read: [Id],
                    update: [Plain],
                    read_resources: [Clock],
                    dependencies: [Alter],
                }
                system Meddle {
                    parallelism: $($split)*,
                    read: [Id],
                    defer,
                    read_resources: [Clock],
                    dependencies: [Raise],
                }
                system Last {
                    removed: [Plain, Text],
                    output: Vec<Line>,
                    dependencies: [Meddle],
                }
            }

            fn plain(removed: ecs_core::Removed<'_, Plain>) -> impl Iterator<Item = Line> {
                removed.map(|(entity, plain)| (0, entity, plain.0))
            }

            fn texts(removed: ecs_core::Removed<'_, Text>) -> impl Iterator<Item = Line> {
                removed.map(|(entity, text)| (1, entity, number(text)))
            }

            fn tags(removed: ecs_core::Removed<'_, Tag>) -> impl Iterator<Item = Line> {
                removed.map(|(entity, Tag)| (2, entity, 0))
            }

            #[derive(Clone, Default, ecs_core::StateHash)]
            pub(crate) struct Roll;
            impl System<Tested> for Roll {
                fn process(&self, data: &mut Data<'_, Tested, Self>) {
                    let now = data.resources.get::<Clock>().0;
                    data.roll(|mut found| {
                        let (entity, id) = (found.entity(), found.entry().id.0);
                        let mut world = found.now();
                        match deed(0, id, now) {
                            0 if id != 0 => world.despawn(entity),
                            1 => drop(world.remove_batch::<Plain>([entity])),
                            2 => drop(world.remove_batch::<Text>([entity])),
                            3 => drop(world.remove_batch::<Tag>([entity])),
                            4 => drop(world.insert(entity, Plain(value(0, id, now)))),
                            5 => {
                                world.remove_batch::<Text>([entity]);
                                world.insert(entity, Text(value(0, id, now).to_string()));
                            }
                            _ => {}
                        }
                    });
                }
            }

            #[derive(Clone, Default, ecs_core::StateHash)]
            pub(crate) struct All;
            impl System<Tested> for All {
                fn process(&self, data: &mut Data<'_, Tested, Self>) {
                    let own = &data.own;
                    let output = data.effects.output();
                    output.extend(plain(own.removed::<Plain>()));
                    output.extend(texts(own.removed::<Text>()));
                    output.extend(tags(own.removed::<Tag>()));
                }
            }

            #[derive(Clone, Default, ecs_core::StateHash)]
            pub(crate) struct Odd;
            impl System<Tested> for Odd {
                fn process(&self, data: &mut Data<'_, Tested, Self>) {
                    // Each subtask reads all; only that of the first entity tells.
                    let first = data.own.query::<&Id>().into_iter().any(|id| id.0 == 0);
                    if first {
                        data.effects.output().extend(texts(data.own.removed::<Text>()));
                    }
                }
            }

            #[derive(Clone, Default, ecs_core::StateHash)]
            pub(crate) struct Third;
            impl System<Tested> for Third {
                fn process(&self, data: &mut Data<'_, Tested, Self>) {
                    let output = data.effects.output();
                    output.extend(tags(data.own.removed::<Tag>()));
                    output.extend(plain(data.own.removed::<Plain>()));
                }
            }

            #[derive(Clone, Default, ecs_core::StateHash)]
            pub(crate) struct Alter;
            impl System<Tested> for Alter {
                fn process(&self, data: &mut Data<'_, Tested, Self>) {
                    let now = data.resources.get::<Clock>().0;
                    for (entity, id) in data.own.query::<(Entity, &Id)>() {
                        let (id, effects) = (id.0, &mut data.effects);
                        match deed(1, id, now) {
                            0 if id != 0 => effects.despawn(entity),
                            1 => effects.remove::<Plain>(entity),
                            2 => {
                                effects.remove::<Text>(entity);
                                effects.insert(entity, Text(value(1, id, now).to_string()));
                                effects.remove::<Text>(entity);
                            }
                            3 => effects.remove::<Tag>(entity),
                            4 => effects.insert(entity, Plain(value(1, id, now))),
                            5 => effects.insert(entity, Text(value(1, id, now).to_string())),
                            6 => effects.insert(entity, Tag),
                            7 if id != 0 => {
                                effects.remove_many::<(Text, Tag)>(entity);
                                effects.despawn(entity);
                            }
                            _ => {}
                        }
                    }
                }
            }

            #[derive(Clone, Default, ecs_core::StateHash)]
            pub(crate) struct Raise;
            impl System<Tested> for Raise {
                fn process(&self, data: &mut Data<'_, Tested, Self>) {
                    let now = data.resources.get::<Clock>().0;
                    for (entity, id) in data.own.query::<(Entity, &Id)>() {
                        if deed(2, id.0, now) < 4 {
                            data.effects.update(entity, Plain(value(2, id.0, now)));
                        }
                    }
                }
            }

            #[derive(Clone, Default, ecs_core::StateHash)]
            pub(crate) struct Meddle;
            impl System<Tested> for Meddle {
                fn process(&self, data: &mut Data<'_, Tested, Self>) {
                    let now = data.resources.get::<Clock>().0;
                    for (entity, id) in data.own.query::<(Entity, &Id)>() {
                        let id = id.0;
                        match deed(3, id, now) {
                            0 if id != 0 => data.effects.defer(move |world| world.despawn(entity)),
                            1 => data.effects.defer(move |world| world.remove_many::<(Plain, Tag)>(entity)),
                            2 => data.effects.defer(move |world| {
                                world.remove_batch::<Text>([entity]);
                                let _ = world.insert(entity, Text(value(3, id, now).to_string()));
                            }),
                            _ => {}
                        }
                    }
                }
            }

            #[derive(Clone, Default, ecs_core::StateHash)]
            pub(crate) struct Last;
            impl System<Tested> for Last {
                fn process(&self, data: &mut Data<'_, Tested, Self>) {
                    let output = data.effects.output();
                    output.extend(texts(data.own.removed::<Text>()));
                    output.extend(plain(data.own.removed::<Plain>()));
                }
            }

            super::super::random::program! { Tested }
        }
    };
}

world! { columns, after_step, [split_every(64)], {
    component Id, Plain, Text;
    component Tag: empty;
} }

world! { groups, after_step, [split_evenly(3)], {
    component (Id, Plain): contiguous_buffer;
    component (Text, Tag): contiguous_buffer;
} }

world! { maps, after_step, [none], {
    component Id: sparse_set;
    component Plain: hash_map;
    component Text: storage(List<Text>);
    component Tag: sparse_set;
} }

world! { phased, refresh_before_dependents, [split_every(64)], {
    component Id;
    component Plain: hash_map;
    component Text;
    component Tag: empty;
} }

world! { phased_groups, refresh_before_dependents, [split_evenly(2)], {
    component (Id, Plain, Text): contiguous_buffer;
    component Tag: sparse_set;
} }
