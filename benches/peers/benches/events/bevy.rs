//! `bevy_ecs`: messages, written by one writer, or gathered by `par_iter` and then written. Those with a receiver are applied
//! one by one, by a look-up of each.

#![expect(clippy::needless_pass_by_value, reason = "systems take their parameters so")]

use bevy_ecs::message::MessageRegistry;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::SingleThreadedExecutor;
use bevy_ecs::system::ScheduleSystem;
use bevy_tasks::{ComputeTaskPool, TaskPoolBuilder};
use bevy_utils::Parallel;

use crate::shared::mixed;
use crate::{Contender, fold, number, receiver};

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

/// What the parallel systems do, on one thread.
fn write_batch(
    entities: Query<'_, '_, &Number>,
    step: Res<'_, Step>,
    mut sent: MessageWriter<'_, Sent>,
) {
    sent.write_batch(entities.iter().map(|entity| Sent(number(entity.0, step.0))));
}

fn read_all(mut sent: MessageReader<'_, '_, Sent>, mut sum: ResMut<'_, Sum>) {
    sum.0 = sent.read().fold(0, |sum: u64, sent| sum.wrapping_add(mixed(sent.0)));
}

/// The sum of one thread, in cache lines of its own.
#[derive(Default)]
#[repr(align(128))]
struct OfThread(u64);

/// Messages have no `for_each_init`, so each asks for the thread's own sum.
fn read_in_parallel(
    mut sent: MessageReader<'_, '_, Sent>,
    mut sums: Local<'_, Parallel<OfThread>>,
    mut sum: ResMut<'_, Sum>,
) {
    let to = &*sums;
    sent.par_read().for_each(|sent| {
        to.scope(|sum| sum.0 = sum.0.wrapping_add(mixed(sent.0)));
    });
    sum.0 = sums.iter_mut().fold(0, |all, sum| all.wrapping_add(std::mem::take(sum).0));
}

fn new<W, R>(
    entities: u32,
    threads: usize,
    write: impl IntoScheduleConfigs<ScheduleSystem, W>,
    read: impl IntoScheduleConfigs<ScheduleSystem, R>,
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

#[derive(Component)]
struct Next(Entity);
#[derive(Component)]
struct Total(u64);
#[derive(Message)]
struct Hit(Entity, u32);

fn shoot(
    entities: Query<'_, '_, (&Number, &Next)>,
    step: Res<'_, Step>,
    mut hits: MessageWriter<'_, Hit>,
) {
    for (entity, next) in &entities {
        hits.write(Hit(next.0, number(entity.0, step.0)));
    }
}

fn hurt(mut hits: MessageReader<'_, '_, Hit>, mut totals: Query<'_, '_, &mut Total>) {
    for hit in hits.read() {
        if let Ok(mut total) = totals.get_mut(hit.0) {
            total.0 = fold(total.0, hit.1);
        }
    }
}

struct Battle {
    world: World,
    schedule: Schedule,
    receivers: Vec<Entity>,
}

pub(super) fn messages(entities: u32, threads: usize) -> Box<dyn Contender> {
    ComputeTaskPool::get_or_init(|| TaskPoolBuilder::new().num_threads(2).build());
    let mut world = World::new();
    MessageRegistry::register_message::<Hit>(&mut world);
    world.insert_resource(Step(0));
    let receivers: Vec<Entity> = world.spawn_batch((0..entities / 10).map(|_| Total(0))).collect();
    let senders = (0..entities)
        .map(|entity| (Number(entity), Next(receivers[receiver(entity, entities / 10) as usize])));
    world.spawn_batch(senders.collect::<Vec<_>>());
    let mut schedule = Schedule::default();
    if threads == 1 {
        schedule.set_executor(SingleThreadedExecutor::new());
    }
    schedule.add_systems((shoot, hurt).chain());
    Box::new(Battle { world, schedule, receivers })
}

impl Contender for Battle {
    fn step(&mut self) {
        self.world.resource_mut::<Messages<Hit>>().update();
        self.world.resource_mut::<Step>().0 += 1;
        self.schedule.run(&mut self.world);
    }

    fn sum(&self) -> u64 {
        let total = |entity: &Entity| self.world.get::<Total>(*entity).map_or(0, |total| total.0);
        self.receivers.iter().fold(0, |sum, entity| fold(sum, total(entity) as u32))
    }
}

pub(super) fn one_by_one(entities: u32, threads: usize) -> Box<dyn Contender> {
    new(entities, threads, write, read)
}

pub(super) fn in_parallel(entities: u32, threads: usize) -> Box<dyn Contender> {
    if threads == 1 {
        return new(entities, 1, write_batch, read);
    }
    new(entities, threads, write_in_parallel, read)
}

pub(super) fn both_in_parallel(entities: u32, threads: usize) -> Box<dyn Contender> {
    if threads == 1 {
        return new(entities, 1, write_batch, read_all);
    }
    new(entities, threads, write_in_parallel, read_in_parallel)
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
