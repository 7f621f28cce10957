//! ECS0116: executed only with another system.

use ecs_core::{Stream, World, world};

struct Mass(f32);

world! {
    world W;
    component Mass;
    system Weigh { read: [Mass], output: Stream<f32>, run: |_| {} }
    system Add { streams: [Weigh], run: |_| {} }
}

fn main() {
    let mut world = World::<W>::new();
    world.step(|step| step.execute_only::<(Weigh,)>()).unwrap();
}
