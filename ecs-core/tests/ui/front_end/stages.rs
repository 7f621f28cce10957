//! Stages: a cycle through one, a cycle of stages, and a system that is named like one.

struct Position(f32);

ecs_core::world! {
    world Through;
    component Position;
    stages Input -> Draw;
    system Move { write: [Position], stage: Input, dependencies: [Show], each: |_| () }
    system Show { write: [Position], stage: Draw, each: |_| () }
}

ecs_core::world! {
    world Around;
    stages Early -> Middle -> Late;
    order Late -> Early;
}

ecs_core::world! {
    world Named;
    component Position;
    stages Jump -> Land;
    system Jump { write: [Position], stage: Jump, each: |_| () }
}

fn main() {}
