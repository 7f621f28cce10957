//! ECS0138: a type that is no enum of states.

use ecs_core::{States, world};

#[derive(Clone, Copy, Debug, PartialEq, Eq, States)]
enum Mode {
    Menu,
    Playing(u32),
}

world! {
    world W;
    state Mode = Mode { Menu, Playing };
}

fn main() {}
