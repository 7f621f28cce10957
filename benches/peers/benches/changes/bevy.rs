//! `bevy_ecs`: the tick of each component, and a filter.

#![expect(clippy::needless_pass_by_value, reason = "the form that bevy asks of a system")]

use bevy_ecs::prelude::*;
use bevy_ecs::schedule::SingleThreadedExecutor;

use crate::{Contender, is_due};

#[derive(Component)]
struct Number(u32);
#[derive(Component)]
struct Value(u64);
#[derive(Resource, Default)]
struct Share(u32);
#[derive(Resource, Default)]
struct Sum(u64);

fn write(mut values: Query<'_, '_, (&Number, &mut Value)>, share: Res<'_, Share>) {
    values.iter_mut().for_each(|(number, mut value)| {
        if is_due(number.0, share.0) {
            value.0 += 1;
        }
    });
}

fn read(values: Query<'_, '_, &Value, Changed<Value>>, mut sum: ResMut<'_, Sum>) {
    sum.0 = values.iter().fold(0, |sum, value| sum + value.0);
}

struct Bevy(World, Schedule);

pub(super) fn new(entities: u32) -> Box<dyn Contender> {
    let mut world = World::new();
    world.init_resource::<Share>();
    world.init_resource::<Sum>();
    world.spawn_batch((0..entities).map(|number| (Number(number), Value(u64::from(number)))));
    let mut schedule = Schedule::default();
    schedule.set_executor(SingleThreadedExecutor::new());
    schedule.add_systems((write, read).chain());
    Box::new(Bevy(world, schedule))
}

impl Contender for Bevy {
    fn step(&mut self, share: u32) {
        self.0.resource_mut::<Share>().0 = share;
        self.1.run(&mut self.0);
    }

    fn sum(&self) -> u64 {
        self.0.resource::<Sum>().0
    }
}
