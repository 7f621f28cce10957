//! Questions about components that the system does not name.

use ecs_core::{Data, Entity, world};
struct Position(f32);
struct Velocity(f32);

world! {
    world W;
    component Position, Velocity;
    system Draw { read: [Position, Velocity], changed: [Velocity], run: draw }
}

fn draw(data: &mut Data<'_, W, Draw>) {
    drop(data.own.changed::<Position, Entity>());
    drop(data.own.added::<Velocity, Entity>());
    drop(data.own.removed::<Position>());
}

fn main() {}
