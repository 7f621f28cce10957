//! ECS0132: a name that is no state, or no variant of one.

use ecs_core::world;

world! {
    world W;
    state Mode { Menu, Playing }
    system Play { in: Mode::Plying, run: |_| {} }
}

fn main() {}
