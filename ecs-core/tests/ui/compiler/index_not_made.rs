//! A chain that starts behind the query whose index it uses.

use ecs_core::joins::Index;
use ecs_core::{Data, System, World, world};

struct Owner(u32);

world! {
    world W;
    component Owner: contiguous_buffer;
    query Owners { read: [Owner], index: ByOwner }
    query Idle { read: [Owner] }
    system Count { queries: [Owners, Idle] }
}

#[derive(Default)]
struct ByOwner;

impl Index for ByOwner {
    type Entry<'a> = OwnersEntry<'a>;
    type Key = u32;

    fn key(&self, member: OwnersEntry<'_>) -> u32 {
        member.owner.0
    }
}

#[derive(Default)]
struct Count;

impl System<W> for Count {
    fn process(&self, _: &mut Data<'_, W, Self>) {}
}

fn main() {
    let mut world = World::<W>::new();
    let _ = world.step(|step| step.execute_systems_from::<(Count,)>());
    let _ = world.step(|step| step.execute_with(|systems| systems.for_subtasks::<Idle>(|_, _| {})));
}
