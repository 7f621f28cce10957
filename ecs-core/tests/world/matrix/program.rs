//! One program that uses everything a policy could get wrong: spawns, despawns, components that are inserted
//! and removed, outputs, deferred functions, and a log that depends on order.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use ecs_core::scheduler::{Dag, Delayed, Shuffled};
use ecs_core::settings::{
    Allow, AtomicCounter, Config, Disallow, Dynamic, Fixed, Scheduled, Sequential, Settings,
};
use ecs_core::storage::SparseSetStorage;
use ecs_core::{Data, Declaration, Entity, StateHash, System, Threads, World, world};

use super::policies::{AtMost, Chosen, LastFirst};
use crate::support::mix;

#[derive(Clone, Copy, Debug, Hash, PartialEq, StateHash)]
struct Energy(u64);

#[derive(Clone, Copy, Debug, Hash, PartialEq, StateHash)]
struct Place(u32);

#[derive(Clone, Copy, Debug, Hash, PartialEq, StateHash)]
struct Speed(u32);

#[derive(Clone, Copy, Debug, Hash, PartialEq, StateHash)]
struct Tired;

#[derive(Clone, Debug, Hash, PartialEq, StateHash)]
struct Name(String);

/// A log whose contents depend on the order of events.
#[derive(Debug, Default, Hash, StateHash)]
struct Chronicle(Vec<u64>);

/// Runs a world on the given threads. Returns its fingerprint.
pub(super) type Run = fn(Threads) -> u64;

/// Runs a world in the order that a seed determines. Returns its fingerprint.
pub(super) type SeededRun = fn(Threads, u64) -> u64;

/// Every component of an entity.
type Terms<'a> = (
    Entity,
    Option<&'a Energy>,
    Option<&'a Place>,
    (Option<&'a Speed>, Option<&'a Tired>, Option<&'a Name>),
);

const STEPS: usize = 12;
const LIMIT: usize = 6_000;
const PAUSE: Duration = Duration::from_micros(20);

/// Declares the same program once for each kind of storage, and lists its runs by storage and settings.
macro_rules! busy {
    ($($module:ident: { $($components:tt)* })*) => {
        pub(super) const WORLDS: [(&str, [Run; 12]); 5] =
            [$((stringify!($module), $module::RUNS)),*];

        /// Runs under the fuzzing schedulers.
        pub(super) const FUZZED: [[SeededRun; 5]; 2] =
            [[$($module::SHUFFLED),*], [$($module::DELAYED),*]];

        $(mod $module {
            use super::*;

            world! {
                world Busy { entity_limit: dynamic(16), scheduler: LastFirst }
                $($components)*
                resource Chronicle;

                system Live {
                    parallelism: Chosen,
                    write: [Energy],
                    despawn,
                    spawn: [(Energy, Place), (Energy, Place, Speed, Name)],
                }
                system Move {
                    parallelism: Chosen,
                    write: [Place],
                    read: [Speed],
                    without: [Tired],
                    insert: [Tired],
                    remove: [Speed],
                    output: Vec<(Entity, u32)>,
                }
                system Rest {
                    parallelism: AtMost(100, Chosen),
                    with: [Tired],
                    read: [Place],
                    dependencies: [Move],
                    remove: [Tired],
                    insert: [Speed, Name],
                }
                system Gossip {
                    parallelism: none_below_threshold(64, Chosen),
                    write: [Name],
                    read_optional: [Speed],
                    dependencies: [Rest],
                    defer,
                }
                system Write {
                    inputs: [Move],
                    dependencies: [Live],
                    read_any: [Energy],
                    write_resources: [Chronicle],
                }
            }

            #[derive(Default)]
            struct Live;

            impl System<Busy> for Live {
                fn process(&self, data: &mut Data<'_, Busy, Self>) {
                    let Data { own, effects, .. } = data;
                    own.for_entities(|e| {
                        let chance = mix(e.energy.0);
                        e.energy.0 = chance;
                        match chance % 16 {
                            0 | 1 => effects.despawn(e.entity),
                            2 => effects.spawn((Energy(chance >> 3), Place(e.entity.index()))),
                            3 => {
                                let name = Name(format!("of {:?}", e.entity));
                                effects.spawn((Energy(chance >> 3), Place(7), Speed(3), name));
                            }
                            _ => {}
                        }
                    });
                }
            }

            #[derive(Default)]
            struct Move;

            impl System<Busy> for Move {
                fn process(&self, data: &mut Data<'_, Busy, Self>) {
                    let Data { own, effects, .. } = data;
                    own.for_entities(|e| {
                        e.place.0 = e.place.0.wrapping_mul(3).wrapping_add(e.speed.0);
                        effects.output().push((e.entity, e.place.0));
                        match e.place.0 % 7 {
                            0 => effects.insert(e.entity, Tired),
                            1 => effects.remove::<Speed>(e.entity),
                            _ => {}
                        }
                    });
                }
            }

            #[derive(Default)]
            struct Rest;

            impl System<Busy> for Rest {
                fn process(&self, data: &mut Data<'_, Busy, Self>) {
                    let Data { own, effects, .. } = data;
                    own.for_entities(|e| match e.place.0 % 5 {
                        0 => effects.remove::<Tired>(e.entity),
                        1 => effects.insert(e.entity, Speed(e.place.0 | 1)),
                        2 => effects.insert(e.entity, Name(e.place.0.to_string())),
                        _ => {}
                    });
                }
            }

            #[derive(Default)]
            struct Gossip;

            impl System<Busy> for Gossip {
                fn process(&self, data: &mut Data<'_, Busy, Self>) {
                    let Data { own, effects, .. } = data;
                    own.for_entities(|e| {
                        e.name.0.truncate(20);
                        e.name.0.push(if e.speed.is_some() { '>' } else { '.' });
                        let (entity, length) = (e.entity, e.name.0.len() as u64);
                        if length % 3 == 0 {
                            effects.defer(move |defer| {
                                let count = defer.entity_count() as u64;
                                defer.resource_mut::<Chronicle>().0.push(count);
                                let child = defer.spawn((Energy(count), Speed(5)));
                                if defer.is_alive(child) {
                                    let told = u64::from(child.index());
                                    defer.resource_mut::<Chronicle>().0.push(told);
                                }
                                if length % 2 == 0 {
                                    defer.despawn(entity);
                                }
                            });
                        }
                    });
                }
            }

            #[derive(Default)]
            struct Write;

            impl System<Busy> for Write {
                fn process(&self, data: &mut Data<'_, Busy, Self>) {
                    let energies = data.effects.read_any::<Energy>();
                    let mut digest = 0;
                    for &(entity, place) in data.effects.outputs_of::<Move>().flatten() {
                        let energy = energies.get(entity).map_or(1, |energy| energy.0);
                        // The digest depends on the order.
                        digest = mix(digest ^ u64::from(place) ^ energy);
                    }
                    data.resources.get_mut::<Chronicle>().0.push(digest);
                }
            }

            fn run<S: Settings>(threads: Threads) -> u64 {
                end(World::<Busy, S>::on(threads))
            }

            /// The fingerprint of the world at its end.
            fn end<S: Settings>(mut world: World<Busy, S>) -> u64 {
                world
                    .step(|step| {
                        for i in 0..2_000 {
                            let parts = (Energy(u64::from(i)), Place(i));
                            let entity = step.spawn(parts);
                            if i % 3 == 0 {
                                step.insert(entity, Speed(i)).unwrap();
                            }
                            if i % 10 == 0 {
                                step.insert(entity, Name(i.to_string())).unwrap();
                            }
                        }
                    })
                    .unwrap();
                for _ in 0..STEPS {
                    world.tick().unwrap();
                }
                let mut hasher = DefaultHasher::new();
                for parts in world.iter::<Terms<'_>>() { parts.hash(&mut hasher); }
                world.resource::<Chronicle>().hash(&mut hasher);
                assert!(world.entity_count() > 1_000, "{} are left", world.entity_count());
                // The hash covers state that shows only later: free indices, the order of rows.
                world.state_hash().hash(&mut hasher);
                hasher.finish()
            }

            pub(super) const RUNS: [Run; 12] = [
                run::<Scheduled<Busy, AtomicCounter>>,
                run::<Scheduled<Busy, Sequential>>,
                run::<<Busy as Declaration>::Settings>,
                run::<Config<Dynamic<16>, Disallow, AtomicCounter>>,
                run::<Config<Dynamic<16>, Disallow, Sequential>>,
                run::<Config<Dynamic<16>, Disallow, LastFirst>>,
                run::<Config<Fixed<LIMIT>, Allow, AtomicCounter>>,
                run::<Config<Fixed<LIMIT>, Allow, Sequential>>,
                run::<Config<Fixed<LIMIT>, Allow, LastFirst>>,
                run::<Config<Fixed<LIMIT>, Disallow, AtomicCounter>>,
                run::<Config<Fixed<LIMIT>, Disallow, Sequential>>,
                run::<Config<Fixed<LIMIT>, Disallow, LastFirst>>,
            ];

            pub(super) const SHUFFLED: SeededRun = |threads, seed| {
                let make = |dag: &Dag| Shuffled::seeded(dag, seed);
                end(World::<Busy, Scheduled<Busy, _>>::with_scheduler(threads, make))
            };

            pub(super) const DELAYED: SeededRun = |threads, seed| {
                let make = |dag: &Dag| Delayed::seeded(dag, seed).up_to(PAUSE);
                end(World::<Busy, Scheduled<Busy, _>>::with_scheduler(threads, make))
            };
        })*
    };
}

busy! {
    columns: {
        component Energy: contiguous_buffer;
        component Place: contiguous_buffer;
        component Speed: contiguous_buffer;
        component Tired: empty;
        component Name: contiguous_buffer;
    }
    interleaved: {
        component (Energy, Place, Speed, Tired, Name): contiguous_buffer;
    }
    hash_maps: {
        component Energy: hash_map;
        component Place: hash_map;
        component Speed: hash_map;
        component Tired: hash_map;
        component Name: hash_map;
    }
    sparse_sets: {
        component Energy: sparse_set;
        component Place: sparse_set;
        component Speed: sparse_set;
        component Tired: sparse_set;
        component Name: sparse_set;
    }
    mixed: {
        component (Energy, Place): contiguous_buffer;
        component Speed: sparse_set;
        component Tired: storage(SparseSetStorage<Tired>);
        component Name: hash_map;
    }
}
