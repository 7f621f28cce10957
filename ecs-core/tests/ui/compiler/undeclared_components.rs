//! Bodies that use components which their systems do not declare, or only read.

use ecs_core::joins::Index;
use ecs_core::{Data, world};

pub struct Position(f32);
pub struct Velocity(f32);
pub struct Mass(u32);

impl Position {
    fn reset(&mut self) {}
}

world! {
    world Rockets;
    component Position, Velocity, Mass;
    system Fly { read: [Velocity], run: fly }
    query Near { read: [Velocity], index: BySpeed }
}

fn take(_: &Position) {}

fn fly(data: &mut Data<'_, Rockets, Fly>) {
    data.own.for_entities(|rocket| rocket.position.0 += rocket.velocity.0);
    data.own.for_entities(|rocket| drop(rocket.position.0));
    data.own.for_entities(|rocket| *rocket.position = Position(0.0));
    data.own.for_entities(|rocket| rocket.position.reset());
    data.own.for_entities(|rocket| take(rocket.position));
    data.own.for_entities(|rocket| rocket.postion.0 += 1.0);
}

#[derive(Default)]
pub struct BySpeed;

impl Index for BySpeed {
    type Entry<'a> = NearEntry<'a>;
    type Key = u32;

    fn key(&self, member: NearEntry<'_>) -> u32 {
        member.mass.0
    }
}

fn main() {}
