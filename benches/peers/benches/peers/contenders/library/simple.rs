//! Work of one thread on one column after the other: spawns, and loops over entities.

use super::frame;
use crate::data::{
    Bundle, Data as Datum, Position, Rotation, Transform, Velocity, advance, advance_flat, bundle,
    letters, with_letters,
};
use crate::rows::{Contender, Summary, fresh, steady};
use bytemuck::{cast_slice, cast_slice_mut};
use ecs_core::settings::Settings;
use ecs_core::{Declaration, HasComponent, Threads, World, world};

world! {
    /// Entities that move.
    pub(super) world Moving;
    component Transform, Position, Rotation, Velocity;
    system Move { each: |position: &mut Position, velocity: &Velocity| advance(position, velocity) }
}

mod roomy {
    use super::{Position, Rotation, Transform, Velocity, advance, world};

    world! {
        /// The same, with room for all entities.
        pub(in super::super) world Roomy { entity_limit: dynamic(10_000) }
        component Transform, Position, Rotation, Velocity;
        system Move {
            each: |position: &mut Position, velocity: &Velocity| advance(position, velocity)
        }
    }
}

mod flat {
    use super::{
        Position, Rotation, Transform, Velocity, advance_flat, cast_slice, cast_slice_mut, world,
    };

    world! {
        /// Entities that move by a loop over flat slices.
        pub(in super::super) world Flat;
        component Transform, Position, Rotation, Velocity;
        system Move {
            read: [Velocity],
            write: [Position],
            run: |data| {
                data.own.for_runs::<(&mut Position, &Velocity)>(|(positions, velocities)| {
                    advance_flat(cast_slice_mut(positions), cast_slice(velocities));
                });
            },
        }
    }
}

mod creating {
    use super::{Position, Rotation, Transform, Velocity, bundle, world};

    /// The number of entities to spawn.
    #[derive(Default)]
    pub(in super::super) struct Count(pub(super) usize);

    world! {
        /// A system that spawns entities.
        pub(in super::super) world Creating { entity_limit: dynamic(10_000) }
        component Transform, Position, Rotation, Velocity;
        resource Count;
        system Create {
            spawn: [(Transform, Position, Rotation, Velocity)],
            run: |effects, count: &Count| effects.spawn_batch((0..count.0).map(bundle)),
        }
    }
}

use creating::{Count, Creating};
pub(super) use flat::Flat;
pub(super) use roomy::Roomy;

/// A declaration with the four components.
pub(super) trait Four:
    Declaration<Settings: Settings>
    + HasComponent<Transform>
    + HasComponent<Position>
    + HasComponent<Rotation>
    + HasComponent<Velocity>
{
}

impl Four for Moving {}
impl Four for Roomy {}
impl Four for Flat {}
impl Four for Creating {}

fn summary<D: Four>(world: &mut World<D>) -> Summary {
    let mut summary = Summary::default();
    world.iter::<(&Transform, &Position, &Rotation, &Velocity)>().for_each(|(t, p, r, v)| {
        summary.add_bundle(t, p, r, v);
    });
    summary
}

/// Each form ends with the refresh that updates the systems' subscriptions.
pub(super) fn spawn_in_step<D: Four>(entities: usize) -> impl Contender
where
    Bundle: ecs_core::Bundle<D>,
{
    let run = move |world: &mut World<D>| {
        let filled = world.step(|step| {
            for i in 0..entities {
                step.spawn(bundle(i));
            }
        });
        filled.expect("nothing is staged");
    };
    fresh(World::<D>::new, run, summary)
}

pub(super) fn spawn(entities: usize) -> impl Contender {
    let run = move |world: &mut World<Moving>| {
        for i in 0..entities {
            world.spawn(bundle(i));
        }
    };
    fresh(World::new, run, summary)
}

pub(super) fn spawn_batch(entities: usize) -> impl Contender {
    let run = move |world: &mut World<Moving>| {
        world.spawn_batch((0..entities).map(bundle));
    };
    fresh(World::new, run, summary)
}

pub(super) fn spawn_batch_in_step(entities: usize) -> impl Contender {
    fresh(World::<Roomy>::new, move |world| fill(world, entities), summary)
}

pub(super) fn spawn_by_system(entities: usize) -> impl Contender {
    let make = move || {
        let mut world = World::<Creating>::new();
        world.resource_mut::<Count>().0 = entities;
        world
    };
    fresh(make, frame, summary)
}

fn fill<D: Four>(world: &mut World<D>, entities: usize)
where
    Bundle: ecs_core::Bundle<D>,
{
    let filled = world.step(|step| {
        step.spawn_batch((0..entities).map(bundle));
    });
    filled.expect("nothing is staged");
}

pub(super) fn iter<D: Four>(entities: usize, threads: Threads) -> impl Contender
where
    Bundle: ecs_core::Bundle<D>,
{
    let mut world = World::<D>::on(threads);
    fill(&mut world, entities);
    steady(world, frame, summary)
}

/// Declares two worlds with the same components.
macro_rules! fragments {
    ($($letter:ident)*) => {
        world! {
            /// Entities of 26 archetypes.
            pub(super) world Fragments;
            component Datum;
            $(component letters::$letter;)*
            system Double { each: |datum: &mut Datum| datum.0 *= 2.0 }
        }

        mod flat_fragments {
            use super::{Datum, letters, world};

            world! {
                /// Entities of 26 archetypes.
                pub(in super::super) world FlatFragments;
                component Datum;
                $(component letters::$letter;)*
                system Double {
                    write: [Datum],
                    run: |data| {
                        data.own.for_runs::<&mut Datum>(|data| {
                            for datum in data {
                                datum.0 *= 2.0;
                            }
                        });
                    },
                }
            }
        }

        /// A declaration whose entities have letters.
        pub(super) trait OfLetters: Declaration<Settings: Settings> + HasComponent<Datum> {
            /// Spawns as many entities with each letter.
            fn fill(world: &mut World<Self>, each: usize);
        }

        fragments! { @ Fragments $($letter)* }
        fragments! { @ FlatFragments $($letter)* }
    };
    (@ $world:ident $($letter:ident)*) => {
        impl OfLetters for $world {
            fn fill(world: &mut World<Self>, each: usize) {
                let filled = world.step(|step| {
                    for i in 0..each {
                        let data = Datum(i as f32);
                        $(step.spawn((letters::$letter(0.0), data));)*
                    }
                });
                filled.expect("nothing is staged");
            }
        }
    };
}

with_letters!(fragments);

pub(super) use flat_fragments::FlatFragments;

pub(super) fn fragmented<D: OfLetters>(each: usize, threads: Threads) -> impl Contender {
    let mut world = World::<D>::on(threads);
    D::fill(&mut world, each);
    let summary = |world: &mut World<D>| {
        let mut values = Vec::new();
        world.iter::<&Datum>().for_each(|datum| values.push(datum.0));
        Summary::of(values)
    };
    steady(world, frame, summary)
}
