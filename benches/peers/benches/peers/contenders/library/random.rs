//! Components by handle: from outside of a step, and by systems with access to any entity.

use super::frame;
use crate::data::{Position, Velocity, position, shuffled, velocity};
use crate::rows::{Contender, Summary, steady};
use ecs_core::settings::Settings;
use ecs_core::{
    Bundle, Declaration, Entity, HasComponent, HasResource, StepError, Threads, World, world,
};

/// The entities, in random order.
#[derive(Default)]
pub(super) struct Handles(Vec<Entity>);

/// The sum of the values that were read.
#[derive(Default)]
pub(super) struct Sum(f32);

world! {
    /// Entities that are looked up.
    pub(super) world Known;
    component Position, Velocity;
    resource Handles, Sum;
}

/// Declares a world with one system, which looks entities up.
macro_rules! known {
    ($module:ident { $($keys:tt)* }) => {
        pub(super) mod $module {
            use super::{Handles, Position, Sum, Velocity, world};

            world! {
                /// Entities that are looked up by a system.
                pub(in super::super) world Known;
                component Position, Velocity;
                resource Handles, Sum;
                system Look { $($keys)* }
            }

            impl super::Looked for Known {}
        }
    };
}

known! {
    read {
        read_any: [Position],
        run: |effects, handles: &Handles, sum: &mut Sum| {
            let positions = effects.read_any::<Position>();
            let x = |&entity: &_| positions.get(entity).expect("it lives").0[0];
            sum.0 = handles.0.iter().map(x).sum();
        },
    }
}

known! {
    read_together {
        read_any: [Position],
        run: |effects, handles: &Handles, sum: &mut Sum| {
            let positions = effects.read_any::<Position>();
            sum.0 = 0.0;
            let entities = handles.0.iter().copied();
            positions.for_each_of(entities, |_, position| sum.0 += position.0[0]);
        },
    }
}

known! {
    change {
        exclusive,
        write: [Position],
        run: |own, _, handles: &Handles| {
            let mut reach = own.any_mut::<&mut Position>();
            for &entity in &handles.0 {
                reach.get_mut(entity).expect("it lives").0[0] += 1.0;
            }
        },
    }
}

known! {
    change_together {
        exclusive,
        write: [Position],
        run: |own, _, handles: &Handles| {
            let mut reach = own.any_mut::<&mut Position>();
            reach.for_each_of(handles.0.iter().copied(), |_, position| position.0[0] += 1.0);
        },
    }
}

/// A declaration with the two components and the two resources.
pub(super) trait Looked:
    Declaration<Settings: Settings>
    + HasComponent<Position>
    + HasComponent<Velocity>
    + HasResource<Handles>
    + HasResource<Sum>
{
}

impl Looked for Known {}

fn filled<D: Looked>(entities: usize) -> (World<D>, Vec<Entity>)
where
    (Position, Velocity): Bundle<D>,
{
    let mut world = World::on(Threads::Inline);
    let spawned: Result<Vec<Entity>, StepError> = world
        .step(|step| step.spawn_batch((0..entities).map(|i| (position(i), velocity(i)))).collect());
    let spawned = spawned.expect("nothing is staged");
    (world, shuffled(entities).into_iter().map(|i| spawned[i]).collect())
}

/// What was read.
pub(super) fn sum<D: Looked>(world: &World<D>) -> Summary {
    Summary::of([world.resource::<Sum>().0])
}

/// What was changed.
pub(super) fn positions<D: Looked>(world: &World<D>) -> Summary {
    let mut positions = Vec::new();
    world.iter::<&Position>().for_each(|position| positions.push(*position));
    Summary::of_positions(&positions)
}

/// A world, and its entities in random order.
pub(super) type Random = (World<Known>, Vec<Entity>);

pub(super) fn from_world(
    entities: usize,
    run: fn(&mut Random),
    summary: fn(&World<Known>) -> Summary,
) -> impl Contender {
    steady(filled::<Known>(entities), run, move |(world, _)| summary(world))
}

pub(super) fn by_system<D: Looked>(
    entities: usize,
    summary: fn(&World<D>) -> Summary,
) -> impl Contender
where
    (Position, Velocity): Bundle<D>,
{
    let (mut world, handles) = filled::<D>(entities);
    world.resource_mut::<Handles>().0 = handles;
    steady(world, frame, move |world| summary(world))
}

pub(super) fn get((world, entities): &mut Random) {
    let x = |&entity: &Entity| world.get::<Position>(entity).expect("it lives").0[0];
    world.resource_mut::<Sum>().0 = entities.iter().map(x).sum();
}

pub(super) fn get_together((world, entities): &mut Random) {
    let mut sum = 0.0;
    world.for_each_of::<Position>(entities.iter().copied(), |_, position| sum += position.0[0]);
    world.resource_mut::<Sum>().0 = sum;
}

pub(super) fn get_mut((world, entities): &mut Random) {
    for &entity in &*entities {
        world.get_mut::<Position>(entity).expect("it lives").0[0] += 1.0;
    }
}

pub(super) fn get_mut_in_step((world, entities): &mut Random) {
    let changed = world.step(|step| {
        for &entity in &*entities {
            step.get_mut::<Position>(entity).expect("it lives").0[0] += 1.0;
        }
    });
    changed.expect("nothing is staged");
}
