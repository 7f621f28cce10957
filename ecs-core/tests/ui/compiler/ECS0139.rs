//! ECS0139: other variants than the enum has.

use ecs_core::{States, world};

#[derive(Clone, Copy, Debug, PartialEq, Eq, States)]
enum Mode {
    Menu,
    Playing,
    Paused,
}

world! {
    world W;
    state Mode = Mode { Menu, Playing };
}

fn main() {}
