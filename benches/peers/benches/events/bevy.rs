//! `bevy_ecs`: messages, written by one writer, or gathered by `par_iter` and then written.

use bevy_ecs::message::MessageRegistry;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::SingleThreadedExecutor;
use bevy_ecs::system::ScheduleSystem;
use bevy_tasks::{ComputeTaskPool, TaskPoolBuilder};
use bevy_utils::Parallel;

use crate::{Contender, fold, number};

#[derive(Component)]
struct Number(u32);
#[derive(Message)]
struct Sent(u32);
#[derive(Resource)]
struct Step(u32);
#[derive(Resource)]
struct Sum(u64);

struct Bevy {
    world: World,
    schedule: Schedule,
}

fn write(entities: Query<'_, '_, &Number>, step: Res<'_, Step>, mut sent: MessageWriter<'_, Sent>) {
    for entity in &entities {
        sent.write(Sent(number(entity.0, step.0)));
    }
}

fn write_in_parallel(
    entities: Query<'_, '_, &Number>,
    step: Res<'_, Step>,
    mut queue: Local<'_, Parallel<Vec<Sent>>>,
    mut sent: MessageWriter<'_, Sent>,
) {
    entities.par_iter().for_each_init(
        || queue.borrow_local_mut(),
        |queue, entity| queue.push(Sent(number(entity.0, step.0))),
    );
    sent.write_batch(queue.drain());
}

fn read(mut sent: MessageReader<'_, '_, Sent>, mut sum: ResMut<'_, Sum>) {
    sum.0 = sent.read().fold(0, |sum, sent| fold(sum, sent.0));
}

fn new<M>(
    entities: u32,
    threads: usize,
    write: impl IntoScheduleConfigs<ScheduleSystem, M>,
) -> Box<dyn Contender> {
    ComputeTaskPool::get_or_init(|| TaskPoolBuilder::new().num_threads(2).build());
    let mut world = World::new();
    MessageRegistry::register_message::<Sent>(&mut world);
    world.insert_resource(Step(0));
    world.insert_resource(Sum(0));
    world.spawn_batch((0..entities).map(Number));
    let mut schedule = Schedule::default();
    if threads == 1 {
        schedule.set_executor(SingleThreadedExecutor::new());
    }
    schedule.add_systems((write, read).chain());
    Box::new(Bevy { world, schedule })
}

pub(super) fn one_by_one(entities: u32, threads: usize) -> Box<dyn Contender> {
    new(entities, threads, write)
}

pub(super) fn in_parallel(entities: u32, threads: usize) -> Box<dyn Contender> {
    new(entities, threads, write_in_parallel)
}

impl Contender for Bevy {
    fn step(&mut self) {
        self.world.resource_mut::<Messages<Sent>>().update();
        self.world.resource_mut::<Step>().0 += 1;
        self.schedule.run(&mut self.world);
    }

    fn sum(&self) -> u64 {
        self.world.resource::<Sum>().0
    }
}
