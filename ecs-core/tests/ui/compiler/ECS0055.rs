//! ECS0055: an undeclared input.

use ecs_core::world;

world! {
    world W;
    system Find { output: Vec<u32>, run: |_| {} }
    system Use {
        dependencies: [Find],
        run: |data| data.effects.output_parts_of::<Find>().for_each(|_| {}),
    }
}

fn main() {}
