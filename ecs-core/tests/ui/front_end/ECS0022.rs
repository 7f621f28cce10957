//! ECS0022: several subtasks would write a resource.

use ecs_core::world;
struct Life(f32);
#[derive(Default)]
struct Score(f32);

world! {
    world W;
    component Life;
    resource Score;
    system Count {
        read: [Life],
        parallelism: split_evenly(cores),
        write_resources: [Score],
        run: |_| {},
    }
}

fn main() {}
