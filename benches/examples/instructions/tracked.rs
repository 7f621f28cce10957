//! A tracked component: a writer that changes none, one in a hundred or all of a million entities, and a system that asks
//! which have changed.

use std::hint::black_box;

use ecs_core::{Mut, Threads, World, world};

use super::{EXECUTIONS, counted, steadily};

const ENTITIES: u32 = 1_000_000;

/// A value, and a number below 100.
struct Value(u32, u32);

/// Values with a lower number are changed.
#[derive(Default)]
struct Limit(u32);

#[derive(Default)]
struct Sum(u32);

world! {
    world Tracked;
    component Value;
    resource Limit;
    resource Sum;
    system Write {
        each: |mut value: Mut<Value>, limit: &Limit| {
            if value.1 < limit.0 {
                value.0 += 1;
            }
        },
    }
    system Ask {
        read: [Value],
        changed: [Value],
        write_resources: [Sum],
        dependencies: [Write],
        run: |data| {
            let sum = data.own.changed::<Value, &Value>().map(|value| value.0).sum();
            data.resources.get_mut::<Sum>().0 = sum;
        },
    }
}

fn filled(limit: u32) -> World<Tracked> {
    let mut world = World::on(Threads::Inline);
    world.spawn_batch((0..ENTITIES).map(|n| (Value(0, n % 100),)));
    world.tick().expect("nothing is staged");
    world.resource_mut::<Limit>().0 = limit;
    world
}

fn write(limit: u32) {
    let mut world = filled(limit);
    steadily(|| {
        black_box(&mut world)
            .step(|step| step.execute_only::<(Write,)>())
            .expect("nothing is staged");
    });
}

fn ask(limit: u32) {
    let mut world = filled(limit);
    for _ in 0..EXECUTIONS {
        world.step(|step| step.execute_only::<(Write,)>()).expect("nothing is staged");
        counted(1, &mut || {
            black_box(&mut world)
                .step(|step| step.execute_only::<(Ask,)>())
                .expect("nothing is staged");
        });
    }
}

pub(super) fn write_none() {
    write(0);
}

pub(super) fn write_some() {
    write(1);
}

pub(super) fn write_all() {
    write(100);
}

pub(super) fn ask_none() {
    ask(0);
}

pub(super) fn ask_some() {
    ask(1);
}

pub(super) fn ask_all() {
    ask(100);
}
