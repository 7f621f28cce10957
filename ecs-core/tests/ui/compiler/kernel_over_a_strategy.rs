//! A kernel over components that lie in no buffer, but in the keeping of a strategy.

use ecs_core::{Data, System, World, world};

struct Place(f32);
struct Name(u32);

world! {
    world W;
    component Place: sparse_set;
    component Name: hash_map;
    system Move { write: [Place] }
    system Look { read: [Name] }
}

#[derive(Default)]
struct Move;

impl System<W> for Move {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        data.own.for_runs::<&mut Place>(|places| places.iter_mut().for_each(|place| place.0 += 1.0));
    }
}

#[derive(Default)]
struct Look;

impl System<W> for Look {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        data.own.for_runs::<&Name>(|names| assert!(names.iter().all(|name| name.0 > 0)));
    }
}

fn main() {
    World::<W>::new().tick().unwrap();
}
