//! Changes of the set of entities, and of the set of their components.

use super::frame;
use crate::data::letters::{A, B};
use crate::data::{
    Life, Position, Velocity, advance, advance_flat, age, lives, position, velocity,
};
use crate::rows::{Contender, Summary, steady};
use bytemuck::{cast_slice, cast_slice_mut};
use ecs_core::settings::Settings;
use ecs_core::{Bundle, Declaration, Entity, HasComponent, Place, Threads, World, world};

world! {
    /// Entities that get a component and lose it, by systems. The refresh between the two is part of an
    /// execution.
    pub(super) world Changing { staged_changes: refresh_before_dependents }
    component A, B;
    system Add {
        parallelism: split_evenly(cores),
        with: [A],
        insert: [B],
        run: |data| {
            let (own, effects) = (&mut data.own, &mut data.effects);
            own.query::<Place>().for_each(|place| effects.insert(place, B(1.0)));
        },
    }
    system Remove {
        parallelism: split_evenly(cores),
        with: [B],
        remove: [B],
        dependencies: [Add],
        run: |data| {
            let (own, effects) = (&mut data.own, &mut data.effects);
            own.query::<Place>().for_each(|place| effects.remove::<B>(place));
        },
    }
}

/// A world with its entities.
type Changed = (World<Changing>, Vec<Entity>);

fn with_a(entities: usize, threads: Threads) -> Changed {
    let mut world = World::on(threads);
    let spawned = world.spawn_batch((0..entities).map(|i| (A(i as f32),)));
    (world, spawned)
}

fn all((world, _): &mut Changed) -> Summary {
    let mut values = Vec::new();
    world.iter::<&A>().for_each(|a| values.push(a.0));
    world.iter::<&B>().for_each(|b| values.push(b.0));
    Summary::of(values)
}

/// The entities get the component by the one function, and lose it by the other.
fn changing(entities: usize, add: fn(&mut Changed), remove: fn(&mut Changed)) -> impl Contender {
    let run = move |changed: &mut Changed| {
        add(changed);
        remove(changed);
    };
    let summary = move |changed: &mut Changed| Summary::twice(changed, add, all, remove);
    steady(with_a(entities, Threads::Inline), run, summary)
}

/// By handle, in two steps.
pub(super) fn add_remove_in_step(entities: usize) -> impl Contender {
    let add = |(world, entities): &mut Changed| {
        let added = world.step(|step| {
            for &entity in &*entities {
                step.insert(entity, B(1.0)).expect("it lives");
            }
        });
        added.expect("nothing is staged");
    };
    let remove = |(world, entities): &mut Changed| {
        let removed = world.step(|step| {
            for &entity in &*entities {
                step.remove::<B>(entity).expect("it has one");
            }
        });
        removed.expect("nothing is staged");
    };
    changing(entities, add, remove)
}

/// By handle, between steps.
pub(super) fn add_remove(entities: usize) -> impl Contender {
    let add = |(world, entities): &mut Changed| {
        for &entity in &*entities {
            world.insert(entity, B(1.0)).expect("it lives");
        }
    };
    let remove = |(world, entities): &mut Changed| {
        for &entity in &*entities {
            world.remove::<B>(entity).expect("it has one");
        }
    };
    changing(entities, add, remove)
}

/// All entities by one call.
pub(super) fn add_remove_batch(entities: usize) -> impl Contender {
    let add = |(world, entities): &mut Changed| {
        let added =
            world.step(|step| step.insert_batch(entities.iter().map(|&entity| (entity, B(1.0)))));
        assert_eq!(added.expect("nothing is staged"), entities.len());
    };
    let remove = |(world, entities): &mut Changed| {
        let removed = world.step(|step| step.remove_batch::<B>(entities.iter().copied()));
        assert_eq!(removed.expect("nothing is staged"), entities.len());
    };
    changing(entities, add, remove)
}

/// By two systems, in one step.
pub(super) fn add_remove_by_systems(entities: usize, threads: Threads) -> impl Contender {
    let run = |(world, _): &mut Changed| frame(world);
    let add = |(world, _): &mut Changed| {
        let added = world.step(|step| {
            step.execute_only::<(Add,)>();
        });
        added.expect("nothing is spawned");
    };
    let remove = |(world, _): &mut Changed| {
        let removed = world.step(|step| {
            step.execute_only::<(Remove,)>();
        });
        removed.expect("nothing is spawned");
    };
    let summary = move |changed: &mut Changed| Summary::twice(changed, add, all, remove);
    steady(with_a(entities, threads), run, summary)
}

world! {
    /// Entities that are despawned and replaced by others. An entity moves in the step that spawns it, too.
    pub(super) world Living { staged_changes: refresh_before_dependents }
    component Position, Velocity, Life;
    system Renew {
        parallelism: split_evenly(cores),
        despawn,
        spawn: [(Position, Velocity, Life)],
        each: |place: Place, life: &mut Life, velocity: &Velocity, effects| {
            if let Some(spawned) = age(life, velocity) {
                effects.despawn(place);
                effects.spawn(spawned);
            }
        },
    }
    system Move {
        parallelism: split_evenly(cores),
        dependencies: [Renew],
        each: |position: &mut Position, velocity: &Velocity| advance(position, velocity),
    }
}

mod flat {
    use super::{
        Life, Place, Position, Velocity, advance_flat, age, cast_slice, cast_slice_mut, world,
    };

    world! {
        /// The same by rows instead of handles, with movements by a loop over flat slices.
        pub(in super::super) world FlatLiving { staged_changes: refresh_before_dependents }
        component Position, Velocity, Life;
        system Renew {
            parallelism: split_evenly(cores),
            despawn,
            spawn: [(Position, Velocity, Life)],
            read: [Velocity],
            write: [Life],
            run: |data| {
                let (own, effects) = (&mut data.own, &mut data.effects);
                let living = own.query::<(Place, &mut Life, &Velocity)>();
                living.for_each(|(place, life, velocity)| {
                    if let Some(spawned) = age(life, velocity) {
                        effects.despawn(place);
                        effects.spawn(spawned);
                    }
                });
            },
        }
        system Move {
            parallelism: split_evenly(cores),
            dependencies: [Renew],
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

pub(super) use flat::FlatLiving;

/// A declaration of entities that live and die.
pub(super) trait Mortal:
    Declaration<Settings: Settings>
    + HasComponent<Position>
    + HasComponent<Velocity>
    + HasComponent<Life>
{
}

impl Mortal for Living {}
impl Mortal for FlatLiving {}

pub(super) fn churn<D: Mortal>(entities: usize, threads: Threads) -> impl Contender
where
    (Position, Velocity, Life): Bundle<D>,
{
    let mut world = World::<D>::on(threads);
    let filled = world.step(|step| {
        let lives = lives(entities).into_iter().enumerate();
        let bundles = lives.map(|(i, life)| (position(i), velocity(i), life));
        step.spawn_batch(bundles);
    });
    filled.expect("nothing is staged");
    let summary = |world: &mut World<D>| {
        let mut summary = Summary::default();
        for (position, velocity, life) in world.iter::<(&Position, &Velocity, &Life)>() {
            summary.add_living(position, velocity, *life);
        }
        summary
    };
    steady(world, frame, summary)
}
