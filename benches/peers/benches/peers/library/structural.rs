//! Changes of the set of entities, and of the set of their components.

use super::{frame, threads};
use crate::data::letters::{A, B};
use crate::data::{Life, Position, Velocity, advance_flat, age, lives, position, velocity};
use crate::rows::{Form, Summary, form, steady};
use bytemuck::{cast_slice, cast_slice_mut};
use ecs_core::{Data, Entity, Place, System, World, world};

world! {
    /// Entities that get a component and lose it, by systems. The refresh between the two is part of an
    /// execution.
    pub(super) world Changing {
        entity_limit: dynamic(10_000),
        staged_changes: refresh_before_dependents,
    }
    component A: contiguous_buffer;
    component B: contiguous_buffer;
    system Add { parallelism: split_evenly(cores), with: [A], insert: [B] }
    system Remove {
        parallelism: split_evenly(cores),
        with: [B],
        remove: [B],
        dependencies: [Add],
    }
}

/// Inserts a `B` into all entities.
#[derive(Default)]
pub(super) struct Add;

/// Removes it again.
#[derive(Default)]
pub(super) struct Remove;

impl System<Changing> for Add {
    fn process(&self, data: &mut Data<'_, Changing, Self>) {
        let Data { own, effects, .. } = data;
        own.query::<Place>().for_each(|place| effects.insert(place, B(1.0)));
    }
}

impl System<Changing> for Remove {
    fn process(&self, data: &mut Data<'_, Changing, Self>) {
        let Data { own, effects, .. } = data;
        own.query::<Place>().for_each(|place| effects.remove::<B>(place));
    }
}

/// A world with its entities.
type Changed = (World<Changing>, Vec<Entity>);

fn with_a(entities: usize, threads: ecs_core::Threads) -> Changed {
    let mut world = World::on(threads);
    let bundles = (0..entities).map(|i| (A(i as f32),));
    let spawned = world.step(|step| step.spawn_batch(bundles).collect());
    (world, spawned.expect("nothing is staged"))
}

/// Inserts by handle, in a step.
fn add((world, entities): &mut Changed) {
    let added = world.step(|step| {
        for &entity in &*entities {
            step.insert(entity, B(1.0)).expect("it lives");
        }
    });
    added.expect("nothing is staged");
}

/// Removes by handle, in a step.
fn remove((world, entities): &mut Changed) {
    let removed = world.step(|step| {
        for &entity in &*entities {
            step.remove::<B>(entity).expect("it has one");
        }
    });
    removed.expect("nothing is staged");
}

/// Inserts into all entities by one call.
fn add_together((world, entities): &mut Changed) {
    let added =
        world.step(|step| step.insert_batch(entities.iter().map(|&entity| (entity, B(1.0)))));
    assert_eq!(added.expect("nothing is staged"), entities.len());
}

/// Removes from all entities by one call.
fn remove_together((world, entities): &mut Changed) {
    let removed = world.step(|step| step.remove_batch::<B>(entities.iter().copied()));
    assert_eq!(removed.expect("nothing is staged"), entities.len());
}

fn all((world, _): &mut Changed) -> Summary {
    let mut values = Vec::new();
    for a in world.iter::<&A>() {
        values.push(a.0);
    }
    for b in world.iter::<&B>() {
        values.push(b.0);
    }
    Summary::of(values)
}

pub(super) fn add_remove(entities: usize) -> Vec<Form> {
    let by_step = |changed: &mut Changed| {
        add(changed);
        remove(changed);
    };
    let by_step_summary = |changed: &mut Changed| Summary::twice(changed, add, all, remove);
    let (_, inline) = threads(true);
    let by_step = form("Step", steady(with_a(entities, inline), by_step, by_step_summary));
    let together = |changed: &mut Changed| {
        add_together(changed);
        remove_together(changed);
    };
    let together_summary =
        |changed: &mut Changed| Summary::twice(changed, add_together, all, remove_together);
    let (_, inline) = threads(true);
    let together =
        form("Step, together", steady(with_a(entities, inline), together, together_summary));
    let by_systems = |name, is_single| {
        let run = |(world, _): &mut Changed| frame(world);
        let add = |(world, _): &mut Changed| {
            let added = world.step(|step| {
                step.execute_with(|systems| systems.for_subtasks::<Remove>(|_, _| {}))
            });
            added.expect("nothing is spawned");
        };
        let remove = |(world, _): &mut Changed| {
            let removed = world.step(|step| step.execute_systems_from::<(Remove,)>());
            removed.expect("nothing is spawned");
        };
        let summary = move |changed: &mut Changed| Summary::twice(changed, add, all, remove);
        form(name, steady(with_a(entities, threads(is_single).1), run, summary))
    };
    let one = by_systems("systems, 1 thread", true);
    vec![by_step, together, one, by_systems("systems, 2 threads", false)]
}

world! {
    /// Entities that are despawned and replaced by others. An entity moves in the step that spawns it, too.
    pub(super) world Living {
        entity_limit: dynamic(100_000),
        staged_changes: refresh_before_dependents,
    }
    component Position: contiguous_buffer;
    component Velocity: contiguous_buffer;
    component Life: contiguous_buffer;
    system Renew {
        parallelism: split_evenly(cores),
        read: [Velocity],
        write: [Life],
        despawn,
        spawn: [(Position, Velocity, Life)],
    }
    system Move {
        parallelism: split_evenly(cores),
        read: [Velocity],
        write: [Position],
        dependencies: [Renew],
    }
}

/// Despawns some entities, and spawns as many.
#[derive(Default)]
pub(super) struct Renew;

/// Moves the entities that are alive after `Renew`.
#[derive(Default)]
pub(super) struct Move;

impl System<Living> for Renew {
    fn process(&self, data: &mut Data<'_, Living, Self>) {
        let Data { own, effects, .. } = data;
        own.query::<(Place, &mut Life, &Velocity)>().for_each(|(place, life, velocity)| {
            if let Some(spawned) = age(life, velocity) {
                effects.despawn(place);
                effects.spawn(spawned);
            }
        });
    }
}

impl System<Living> for Move {
    fn process(&self, data: &mut Data<'_, Living, Self>) {
        data.own.for_runs::<(&mut Position, &Velocity)>(|(positions, velocities)| {
            advance_flat(cast_slice_mut(positions), cast_slice(velocities));
        });
    }
}

pub(super) fn churn(entities: usize) -> Vec<Form> {
    let run_as = |is_single| {
        let (name, threads) = threads(is_single);
        let mut world = World::<Living>::on(threads);
        let filled = world.step(|step| {
            let lives = lives(entities).into_iter().enumerate();
            let bundles = lives.map(|(i, life)| (position(i), velocity(i), life));
            step.spawn_batch(bundles);
        });
        filled.expect("nothing is staged");
        let summary = |world: &mut World<Living>| {
            let mut summary = Summary::default();
            for (position, velocity, life) in world.iter::<(&Position, &Velocity, &Life)>() {
                summary.add_living(position, velocity, *life);
            }
            summary
        };
        form(name, steady(world, frame, summary))
    };
    vec![run_as(true), run_as(false)]
}
