//! ECS0031: systems that wait for each other.

use ecs_core::world;

world! {
    world W;
    system Sense { dependencies: [Act], run: |_| {} }
    system Think { inputs: [Sense], run: |_| {} }
    system Act { inputs: [Think], run: |_| {} }
}

fn main() {}
