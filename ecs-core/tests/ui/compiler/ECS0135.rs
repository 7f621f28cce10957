//! ECS0135: a type that is not a state of the world.

use ecs_core::{World, world};

world! {
    world W;
    state Mode { Menu, Playing }
}

world! {
    world Other;
}

fn start(world: &mut World<Other>) {
    world.set_state(Mode::Playing);
}

fn main() {}
