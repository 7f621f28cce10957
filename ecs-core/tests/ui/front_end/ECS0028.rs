//! ECS0028: an unknown stage.

use ecs_core::world;

world! {
    world W;
    stages Simulate -> Draw;
    system Paint { stage: Drew, run: |_| {} }
}

fn main() {}
