//! Bodies that use components which their systems do not declare, or only read.

use ecs_core::{Data, world};

pub struct Position(f32);
pub struct Velocity(f32);
pub struct Mass(f32);

impl Position {
    fn reset(&mut self) {}
}

world! {
    world Rockets;
    component Position, Velocity, Mass;
    system Fly { read: [Velocity], run: fly }
    query Near { read: [Velocity] }
    system Meet { queries: [Near], read: [Velocity], write: [Mass], run: meet }
}

fn take(_: &Position) {}

fn fly(data: &mut Data<'_, Rockets, Fly>) {
    data.for_entities(|rocket| rocket.position.0 += rocket.velocity.0);
    data.for_entities(|rocket| drop(rocket.position.0));
    data.for_entities(|rocket| *rocket.position = Position(0.0));
    data.for_entities(|rocket| rocket.position.reset());
    data.for_entities(|rocket| take(rocket.position));
    data.for_entities(|rocket| rocket.postion.0 += 1.0);
}

fn meet(data: &mut Data<'_, Rockets, Meet>) {
    data.for_pairs::<Near>(|own, near| own.mass.0 += near.mass.0);
    data.for_entities(|own| own.velocity.0 += own.mass.0);
}

fn main() {}
