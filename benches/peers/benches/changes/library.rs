//! The library: the reader names the component in `changed`.

use ecs_core::{Mut, Threads, World, world};

use crate::{Contender, is_due};

struct Number(u32);
struct Value(u64);
struct Share(u32);
#[derive(Default)]
struct Sum(u64);

world! {
    world Values;
    component Number, Value: contiguous_buffer;
    resource Share = Share(0);
    resource Sum;
    system Write {
        parallelism: split_evenly(cores),
        each: |number: &Number, mut value: Mut<Value>, share: &Share| {
            if is_due(number.0, share.0) {
                value.0 += 1;
            }
        },
    }
    system Read {
        dependencies: [Write],
        read: [Value],
        changed: [Value],
        write_resources: [Sum],
        run: |data| {
            let changed = data.own.changed::<Value, &Value>();
            data.resources.get_mut::<Sum>().0 = changed.fold(0, |sum, value| sum + value.0);
        },
    }
}

struct Library(World<Values>);

fn new(threads: Threads, entities: u32) -> Box<dyn Contender> {
    let mut world = World::on(threads);
    world.spawn_batch((0..entities).map(|number| (Number(number), Value(u64::from(number)))));
    Box::new(Library(world))
}

pub(super) fn on_one(entities: u32) -> Box<dyn Contender> {
    new(Threads::Inline, entities)
}

pub(super) fn on_two(entities: u32) -> Box<dyn Contender> {
    new(Threads::Global, entities)
}

impl Contender for Library {
    fn step(&mut self, share: u32) {
        self.0.resource_mut::<Share>().0 = share;
        self.0.tick().expect("nothing is staged");
    }

    fn sum(&self) -> u64 {
        self.0.resource::<Sum>().0
    }
}
