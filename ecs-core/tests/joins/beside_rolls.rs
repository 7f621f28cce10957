//! An index, with a sequential system between it and the system that uses it.

use ecs_core::joins::Index;
use ecs_core::{Data, Entity, System, World, world};

use crate::every_kind;

struct Group(u32);
struct Seen(usize);

/// A world with these systems, and the given value of `staged_changes`.
macro_rules! world_that {
    ($module:ident $staged:ident) => {
        mod $module {
            use super::*;

            world! {
                world Groups { staged_changes: $staged }
                component Group: contiguous_buffer;
                component Seen: contiguous_buffer;

                query Members { read: [Group], index: ByGroup, parallelism: split_every(64) }
                system Thin { sequential, read: [Group], despawn, dependencies: [Members] }
                system Count {
                    parallelism: split_every(64),
                    dependencies: [Thin],
                    read: [Group],
                    write: [Seen],
                    queries: [Members],
                }
            }

            #[derive(Default)]
            struct ByGroup;

            impl Index for ByGroup {
                type Entry<'a> = MembersEntry<'a>;
                type Key = u32;

                fn key(&self, e: MembersEntry<'_>) -> u32 {
                    e.group.0
                }
            }

            /// Despawns every third entity at once.
            #[derive(Default)]
            struct Thin;

            impl System<Groups> for Thin {
                fn process(&self, data: &mut Data<'_, Groups, Self>) {
                    let mut number = 0;
                    data.roll(|found| {
                        let entity = found.entity();
                        if number % 3 == 0 {
                            found.now().despawn(entity);
                        }
                        number += 1;
                    });
                }
            }

            /// Counts the entities of its group that each entity meets.
            #[derive(Default)]
            struct Count;

            impl System<Groups> for Count {
                fn process(&self, data: &mut Data<'_, Groups, Self>) {
                    let Data { own, effects, .. } = data;
                    let members = effects.lookup::<Members, Entity>();
                    own.for_entities(|e| e.seen.0 = members.at(e.group.0).count());
                }
            }

            #[test]
            fn it_finds_the_living() {
                for threads in every_kind() {
                    let mut world = World::<Groups>::on(threads);
                    let spawned = world.step(|step| {
                        for number in 0..600 {
                            step.spawn((Group(number % 2), Seen(0)));
                        }
                    });
                    spawned.unwrap();
                    world.tick().unwrap();
                    assert_eq!(world.entity_count(), 400);
                    let mut seen = 0;
                    for count in world.iter::<&Seen>() {
                        assert_eq!(count.0, 200);
                        seen += 1;
                    }
                    assert_eq!(seen, 400);
                }
            }
        }
    };
}

world_that!(staged after_step);
world_that!(refreshed refresh_before_dependents);
