//! `bevy_ecs`: messages by one writer, which a system enters into a hash map from cells to vectors. These are kept from step to step.

#![expect(clippy::needless_pass_by_value, reason = "systems take their parameters so")]

use bevy_ecs::message::MessageRegistry;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::{ScheduleConfigs, SingleThreadedExecutor};
use bevy_ecs::system::ScheduleSystem;
use bevy_platform::collections::HashMap;
use bevy_tasks::{ComputeTaskPool, TaskPoolBuilder};

use super::{add, cell, digest, hears, number, place};
use crate::{Contender, fold};

#[derive(Component)]
struct Number(u32);
#[derive(Component)]
struct Cell(u32);
#[derive(Component)]
struct At([f32; 2]);
#[derive(Component)]
struct Heard(u64);
#[derive(Message)]
struct Call {
    cell: u32,
    number: u32,
}
#[derive(Message, Clone, Copy)]
struct Rumor {
    at: [f32; 2],
    number: u32,
}
#[derive(Resource)]
struct Step(u32);
#[derive(Resource)]
struct Entities(Vec<Entity>);
#[derive(Resource)]
struct Threads(usize);
#[derive(Resource, Default)]
struct Calls(HashMap<u32, Vec<u32>>);
#[derive(Resource, Default)]
struct Rumors(HashMap<[i32; 2], Vec<Rumor>>);

fn speak(
    speakers: Query<'_, '_, &Number>,
    step: Res<'_, Step>,
    entities: Res<'_, Entities>,
    mut calls: MessageWriter<'_, Call>,
) {
    for entity in &speakers {
        let cell = cell(entity.0, step.0, entities.0.len() as u32);
        calls.write(Call { cell, number: number(entity.0, step.0) });
    }
}

fn sort_calls(mut calls: MessageReader<'_, '_, Call>, mut by_key: ResMut<'_, Calls>) {
    by_key.0.values_mut().for_each(Vec::clear);
    for call in calls.read() {
        by_key.0.entry(call.cell).or_default().push(call.number);
    }
}

fn hear_calls(
    mut readers: Query<'_, '_, (&Cell, &mut Heard)>,
    by_key: Res<'_, Calls>,
    threads: Res<'_, Threads>,
) {
    let hear = |(cell, mut heard): (&Cell, Mut<'_, Heard>)| {
        if let Some(calls) = by_key.0.get(&cell.0) {
            heard.0 = calls.iter().fold(heard.0, |heard, number| fold(heard, *number));
        }
    };
    if threads.0 == 1 {
        readers.iter_mut().for_each(hear);
    } else {
        readers.par_iter_mut().for_each(hear);
    }
}

fn tell(
    tellers: Query<'_, '_, (&Number, &At)>,
    step: Res<'_, Step>,
    mut rumors: MessageWriter<'_, Rumor>,
) {
    for (entity, at) in &tellers {
        rumors.write(Rumor { at: at.0, number: number(entity.0, step.0) });
    }
}

fn cell_at(at: [f32; 2]) -> [i32; 2] {
    at.map(|at| at.floor() as i32)
}

fn sort_rumors(mut rumors: MessageReader<'_, '_, Rumor>, mut by_cell: ResMut<'_, Rumors>) {
    by_cell.0.values_mut().for_each(Vec::clear);
    for rumor in rumors.read() {
        by_cell.0.entry(cell_at(rumor.at)).or_default().push(*rumor);
    }
}

fn hear_rumors(
    mut readers: Query<'_, '_, (&At, &mut Heard)>,
    by_cell: Res<'_, Rumors>,
    threads: Res<'_, Threads>,
) {
    let hear = |(at, mut heard): (&At, Mut<'_, Heard>)| {
        let [x, y] = cell_at(at.0);
        for y in y - 1..=y + 1 {
            for x in x - 1..=x + 1 {
                if let Some(rumors) = by_cell.0.get(&[x, y]) {
                    let near = rumors.iter().filter(|rumor| hears(at.0, rumor.at));
                    heard.0 = add(heard.0, near.map(|rumor| rumor.number));
                }
            }
        }
    };
    if threads.0 == 1 {
        readers.iter_mut().for_each(hear);
    } else {
        readers.par_iter_mut().for_each(hear);
    }
}

struct Bevy {
    world: World,
    schedule: Schedule,
}

fn new(
    events: u32,
    threads: usize,
    systems: ScheduleConfigs<ScheduleSystem>,
) -> Box<dyn Contender> {
    ComputeTaskPool::get_or_init(|| TaskPoolBuilder::new().num_threads(2).build());
    let entities = events / 10;
    let mut world = World::new();
    MessageRegistry::register_message::<Call>(&mut world);
    MessageRegistry::register_message::<Rumor>(&mut world);
    let spawned = world.spawn_batch((0..entities).map(|entity| {
        let cell = Cell(cell(entity, 0, entities));
        (Number(entity), cell, At(place(entity, entities)), Heard(0))
    }));
    let spawned = Entities(spawned.collect());
    world.insert_resource(spawned);
    world.insert_resource(Step(0));
    world.insert_resource(Threads(threads));
    world.init_resource::<Calls>();
    world.init_resource::<Rumors>();
    let mut schedule = Schedule::default();
    if threads == 1 {
        schedule.set_executor(SingleThreadedExecutor::new());
    }
    schedule.add_systems(systems);
    Box::new(Bevy { world, schedule })
}

pub(super) fn by_key(events: u32, threads: usize) -> Box<dyn Contender> {
    new(events, threads, (speak, sort_calls, hear_calls).chain())
}

pub(super) fn by_cell(events: u32, threads: usize) -> Box<dyn Contender> {
    new(events, threads, (tell, sort_rumors, hear_rumors).chain())
}

impl Contender for Bevy {
    fn step(&mut self) {
        self.world.resource_mut::<Messages<Call>>().update();
        self.world.resource_mut::<Messages<Rumor>>().update();
        self.world.resource_mut::<Step>().0 += 1;
        self.schedule.run(&mut self.world);
    }

    fn sum(&self) -> u64 {
        let heard = |entity: &Entity| self.world.get::<Heard>(*entity).expect("it has one").0;
        digest(self.world.resource::<Entities>().0.iter().map(heard))
    }
}
