//! ECS0136: a system that cannot run when a state changes, or a wrong table of states.

use ecs_core::{Stream, world};

world! {
    world W;
    state Mode { Menu, Playing }
    system List { output: Stream<u32>, run: |_| {} }
    system Show { on_enter: Mode::Playing, streams: [List], unordered, run: |_| {} }
}

fn main() {}
