//! ECS0148: access by name to a component without a form as text.

use ecs_core::world;
struct Health(u32);

world! {
    world W;
    component Health: by_name;
}

fn main() {}
