//! Figure 3(b) of the Core ECS paper, conc(collision): moving bodies hit resting ones, several subtasks at
//! a time, so that two could hit the same one and one write would be lost.

use ecs_core::{Data, Entity, System, world};

struct Position(i32);
struct Velocity(i32);

world! {
    world Physics;
    component Position: contiguous_buffer;
    component Velocity: contiguous_buffer;
    system Inertia { read: [Velocity], write: [Position], parallelism: split_evenly(cores) }
    system Meet { read: [Position], dependencies: [Inertia], output: Vec<(Entity, Entity)> }
    system Collision {
        parallelism: split_evenly(cores),
        exclusive,
        inputs: [Meet],
        write: [Position, Velocity],
    }
}

#[derive(Default)]
struct Inertia;
#[derive(Default)]
struct Meet;
#[derive(Default)]
struct Collision;

impl System<Physics> for Inertia {
    fn process(&self, _: &mut Data<'_, Physics, Self>) {}
}

impl System<Physics> for Meet {
    fn process(&self, _: &mut Data<'_, Physics, Self>) {}
}

impl System<Physics> for Collision {
    fn process(&self, _: &mut Data<'_, Physics, Self>) {}
}

fn main() {}
