//! Names: components in two storages, things declared twice, misspelt words of every kind.

use ecs_core::{Data, System, world};

struct Position(f32);
struct Velocity(f32);
struct Life(f32);
#[derive(Default)]
struct Clock(f32);

world! {
    world W { entity_limits: dynamic(8), scheduler: sequental }
    component Position: contiguous_buffer;
    component (Velocity, Position): contiguous_buffer;
    component Life: contigous_buffer;
    resource Clock;
    resource Clock = Clock(1.0);
    system Move { read: [Velocty], write_resources: [Clok], paralelism: none }
    system Draw { dependencies: [Mvoe], parallelism: split_evenley(2), inputs: [Position] }
    system Spawn { spawn: [(Position, Lief)], write: [Clock] }
}

macro_rules! systems {
    ($($name:ident)*) => {$(
        #[derive(Default)]
        struct $name;

        impl System<W> for $name {
            fn process(&self, _: &mut Data<'_, W, Self>) {}
        }
    )*};
}

systems! { Move Draw Spawn }

fn main() {
    let _ = ecs_core::World::<W>::new();
}
