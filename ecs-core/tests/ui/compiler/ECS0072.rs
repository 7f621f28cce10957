//! ECS0072: a component handed out twice.

use ecs_core::{World, world};
struct Life(f32);

world! {
    world W;
    component Life;
    system Age {
        write: [Life],
        run: |data| data.own.query::<(&mut Life, &Life)>().for_each(|_| {}),
    }
}

fn main() {
    let mut world = World::<W>::new();
    world.tick().unwrap();
}
