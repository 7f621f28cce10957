//! ECS0082: a kernel over values that do not lie side by side.

use ecs_core::{World, world};
struct Place(f32);
struct Speed(f32);

world! {
    world W;
    component (Place, Speed): contiguous_buffer;
    system Move {
        write: [Place],
        run: |data| {
            data.own.for_runs::<&mut Place>(|places| places.iter_mut().for_each(|place| place.0 += 1.0));
        },
    }
}

fn main() {
    let mut world = World::<W>::new();
    world.tick().unwrap();
}
