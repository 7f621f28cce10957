//! ECS0153: undeclared change detection.

use ecs_core::{Data, world};
struct Position(f32);

world! {
    world W;
    component Position;
    system Draw { read: [Position], run: draw }
}

fn draw(data: &mut Data<'_, W, Draw>) {
    for position in data.own.changed::<Position, &Position>() {
        println!("{}", position.0);
    }
}

fn main() {}
