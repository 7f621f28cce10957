//! ECS0134: a state that the system does not declare to set.

use ecs_core::world;

world! {
    world W;
    state Mode { Menu, Playing }
    system Start { run: |data| data.effects.set_state(Mode::Playing) }
}

fn main() {}
