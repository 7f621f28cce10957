//! Types without `Default`: a system's state, the state of one with another name, a resource, and an index.

use ecs_core::joins::Index;
use ecs_core::SystemName;
use ecs_core::{Data, System, World, world};

pub struct Position(u32);
pub struct Gravity(f32);
pub struct Count(u32);
pub struct Turn(u32);
pub struct ByPlace(u32);

world! {
    pub world Discs;
    component Position;
    resource Gravity;
    system Count;
    system Rise: Turn { read: [Position] }
    query Near { read: [Position], index: ByPlace }
}

impl System<Discs> for Count {
    fn process(&self, _: &mut Data<'_, Discs, Self>) {}
}

impl<N: SystemName<Discs>> System<Discs, N> for Turn {
    fn process(&self, _: &mut Data<'_, Discs, N>) {}
}

impl Index for ByPlace {
    type Entry<'a> = NearEntry<'a>;
    type Key = u32;

    fn key(&self, member: NearEntry<'_>) -> u32 {
        member.position.0
    }
}

fn main() {
    let _ = World::<Discs>::new();
}
