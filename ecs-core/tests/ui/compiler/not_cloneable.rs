//! ECS0083: a resource, a system's state and an output that are not `Clone`; generic code without the bound.

use ecs_core::{Data, Declaration, Snapshot, System, World, world};

struct Level(u32);

#[derive(Default)]
struct Total(u32);

struct Cell(u32);

world! {
    world W;
    component Level: contiguous_buffer;
    resource Total;
    system Count { read: [Level], output: Vec<Cell> }
}

#[derive(Default)]
struct Count {
    times: u32,
}

impl System<W> for Count {
    fn process(&self, _: &mut Data<'_, W, Self>) {}
}

fn take<D: Declaration>(world: &World<D>) -> Snapshot<D> {
    world.snapshot()
}

fn main() {
    let world = World::<W>::new();
    let _ = world.clone();
    take(&world);
}
