//! ECS0054: a look at slices.

use ecs_core::world;
struct Position(f32);

world! {
    world W;
    component Position;
    system Count { read: [Position], run: |data| { let _count = data.own.entity_count(); } }
}

fn main() {}
