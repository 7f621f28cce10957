//! ECS0133: keys that say when a system runs, and exclude each other.

use ecs_core::world;

world! {
    world W;
    state Mode { Menu, Playing }
    system Reset { on_enter: Mode::Menu, on_exit: Mode::Playing, run: |_| {} }
}

fn main() {}
