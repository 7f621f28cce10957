//! ECS0158: an index that does not fit its event.

use ecs_core::world;

struct Position([f32; 2]);
struct Shout { at: [f32; 2] }

world! {
    world W;
    component Position;
    event Shout: by_cell(|position: &Position| -> [f32; 2] { position.0 }, 5.0);
    system Hear { on: [Shout], read: [Position], run: |_| {} }
}

fn main() {}
