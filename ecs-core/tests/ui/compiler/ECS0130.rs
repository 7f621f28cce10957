//! ECS0130: a condition that is not a function of resources.

use ecs_core::world;
#[derive(Default)]
struct Mode(u8);

world! {
    world W;
    resource Mode;
    system Play { run_if: |mode| mode.0 == 1, run: |_| {} }
}

fn main() {}
