//! ECS0084: a field, a resource and a system's state without a state hash; generic code without the bound.

use ecs_core::{Data, Declaration, StateHash, System, World, world};

struct Cell(u32);

#[derive(StateHash)]
struct Level(Cell);

#[derive(Default)]
struct Total(u32);

world! {
    world W;
    component Level: contiguous_buffer;
    resource Total;
    system Count { read: [Level] }
}

#[derive(Default)]
struct Count {
    times: u32,
}

impl System<W> for Count {
    fn process(&self, _: &mut Data<'_, W, Self>) {}
}

fn hash<D: Declaration>(world: &World<D>) -> u64 {
    world.state_hash()
}

fn main() {
    let world = World::<W>::new();
    world.state_hash();
    hash(&world);
}
