//! Tracked components: references that would leave no mark, and questions that are not declared.

use ecs_core::{Data, Entity, World, world};
struct Position(f32);
struct Velocity(f32);

world! {
    world W;
    component Position, Velocity;
    system Move { read: [Velocity], write: [Position], run: go }
    system Jump { write_optional: [Position], read: [Velocity], dependencies: [Move], run: jump }
    system Slide { write: [Position], dependencies: [Jump], run: slide }
    system Draw {
        read: [Position, Velocity],
        added: [Position],
        changed: [Position],
        dependencies: [Slide],
        run: draw,
    }
}

fn go(data: &mut Data<'_, W, Move>) {
    for (position, velocity) in data.own.query::<(&mut Position, &Velocity)>() {
        position.0 += velocity.0;
    }
}

fn jump(data: &mut Data<'_, W, Jump>) {
    data.own.query::<Option<&mut Position>>().for_each(|position| assert!(position.is_some()));
}

fn slide(data: &mut Data<'_, W, Slide>) {
    data.own.for_runs::<&mut Position>(|positions| positions[0].0 = 1.0);
}

fn draw(data: &mut Data<'_, W, Draw>) {
    drop(data.own.changed::<Position, Entity>());
    drop(data.own.added::<Position, &Position>());
}

fn main() {
    let mut world = World::<W>::new();
    for position in world.iter_mut::<&mut Position>() {
        position.0 = 0.0;
    }
    world.tick().unwrap();
}
