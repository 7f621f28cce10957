//! Components by handle: through the step, and through systems with access to any entity.

use super::Within;
use crate::data::{Position, Velocity, position, shuffled, velocity};
use crate::rows::{Form, Summary, form, steady};
use ecs_core::{Data, Entity, Step, System, Threads, World, world};

world! {
    /// Entities that are looked up.
    pub(super) world Known {
        entity_limit: dynamic(100_000),
    }
    component Position: contiguous_buffer;
    component Velocity: contiguous_buffer;
    resource Handles;
    resource Sum;
    system Read { read_any: [Position], read_resources: [Handles], write_resources: [Sum] }
    system Change { exclusive, write: [Position], read_resources: [Handles], dependencies: [Read] }
}

/// The entities, in random order.
#[derive(Default)]
pub(super) struct Handles(Vec<Entity>);

/// The sum of the values that were read.
#[derive(Default)]
pub(super) struct Sum(f32);

/// Reads one entity at a time.
#[derive(Default)]
pub(super) struct Read;

/// Reads all entities by one call.
fn read_together(_: &Read, data: &mut Data<'_, Known, Read>) {
    let (handles, positions) =
        (data.resources.get::<Handles>(), data.effects.read_any::<Position>());
    let mut sum = 0.0;
    positions.for_each_of(handles.0.iter().copied(), |_, position| sum += position.0[0]);
    data.resources.get_mut::<Sum>().0 = sum;
}

/// Changes all entities by one call.
fn change_together(_: &Change, data: &mut Data<'_, Known, Change>) {
    let handles = data.resources.get::<Handles>();
    let mut reach = data.own.any_mut::<&mut Position>();
    reach.for_each_of(handles.0.iter().copied(), |_, position| position.0[0] += 1.0);
}

/// Changes one entity at a time.
#[derive(Default)]
pub(super) struct Change;

impl System<Known> for Read {
    fn process(&self, data: &mut Data<'_, Known, Self>) {
        let (handles, positions) =
            (data.resources.get::<Handles>(), data.effects.read_any::<Position>());
        let x = |&entity: &Entity| positions.get(entity).expect("it lives").0[0];
        data.resources.get_mut::<Sum>().0 = handles.0.iter().map(x).sum();
    }
}

impl System<Known> for Change {
    fn process(&self, data: &mut Data<'_, Known, Self>) {
        let handles = data.resources.get::<Handles>();
        let mut reach = data.own.any_mut::<&mut Position>();
        for &entity in &handles.0 {
            reach.get_mut(entity).expect("it lives").0[0] += 1.0;
        }
    }
}

fn filled(entities: usize) -> World<Known> {
    let mut world = World::on(Threads::Inline);
    let spawned = world.step(|step| {
        (0..entities).map(|i| step.spawn((position(i), velocity(i)))).collect::<Vec<_>>()
    });
    let spawned = spawned.expect("nothing is staged");
    world.resource_mut::<Handles>().0 =
        shuffled(entities).into_iter().map(|i| spawned[i]).collect();
    world
}

pub(super) fn get(entities: usize) -> Vec<Form> {
    let by_world = |world: &mut World<Known>| {
        let x = |&entity: &Entity| world.get::<Position>(entity).expect("it lives").0[0];
        world.resource_mut::<Sum>().0 = world.resource::<Handles>().0.iter().map(x).sum();
    };
    let by_world =
        steady(filled(entities), by_world, |world| Summary::of([world.resource::<Sum>().0]));
    let by_world_together = |world: &mut World<Known>| {
        let mut sum = 0.0;
        let handles = world.resource::<Handles>().0.iter().copied();
        world.for_each_of::<Position>(handles, |_, position| sum += position.0[0]);
        world.resource_mut::<Sum>().0 = sum;
    };
    let by_world_together = steady(filled(entities), by_world_together, |world| {
        Summary::of([world.resource::<Sum>().0])
    });
    let together = Within {
        world: filled(entities),
        run: |step: &mut Step<'_, Known, _>| {
            step.execute_with(|systems| {
                let without = systems.for_subtasks::<Change>(|_, _| {});
                without.for_subtasks::<Read>(read_together)
            });
        },
        summary: |world: &World<Known>| Summary::of([world.resource::<Sum>().0]),
    };
    let by_system = Within {
        world: filled(entities),
        run: |step: &mut Step<'_, Known, _>| {
            step.execute_with(|systems| systems.for_subtasks::<Change>(|_, _| {}));
        },
        summary: |world: &World<Known>| Summary::of([world.resource::<Sum>().0]),
    };
    vec![
        form("World::get", by_world),
        form("World::for_each_of", by_world_together),
        form("read_any", by_system),
        form("read_any, together", together),
    ]
}

pub(super) fn get_mut(entities: usize) -> Vec<Form> {
    let summary = |world: &World<Known>| {
        let mut positions = Vec::new();
        for position in world.iter::<&Position>() {
            positions.push(*position);
        }
        Summary::of_positions(&positions)
    };
    let mut world = filled(entities);
    let handles = std::mem::take(&mut world.resource_mut::<Handles>().0);
    let by_step = Within {
        world,
        run: move |step: &mut Step<'_, Known, _>| {
            for &entity in &handles {
                step.get_mut::<Position>(entity).expect("it lives").0[0] += 1.0;
            }
        },
        summary,
    };
    let by_system = Within {
        world: filled(entities),
        run: |step: &mut Step<'_, Known, _>| step.execute_systems_from::<(Change,)>(),
        summary,
    };
    let together = Within {
        world: filled(entities),
        run: |step: &mut Step<'_, Known, _>| {
            step.execute_with(|systems| {
                systems.only::<(Change,)>().for_subtasks::<Change>(change_together)
            });
        },
        summary,
    };
    vec![
        form("get_mut", by_step),
        form("exclusive", by_system),
        form("exclusive, together", together),
    ]
}
