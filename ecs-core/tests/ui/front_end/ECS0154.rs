//! ECS0154: change detection beside `each`.

use ecs_core::world;
struct Position(f32);

world! {
    world W;
    component Position;
    system Draw { changed: [Position], each: |position: &Position| println!("{}", position.0) }
}

fn main() {}
