//! ECS0039: a refresh between an index and its user.

use ecs_core::joins::Index;
use ecs_core::{Data, System, world};
struct Owner(u32);
struct Burning;
#[derive(Default)]
struct Ignite;
impl System<W> for Ignite { fn process(&self, _: &mut Data<'_, W, Self>) {} }
#[derive(Default)]
struct Spread;
impl System<W> for Spread { fn process(&self, _: &mut Data<'_, W, Self>) {} }

world! {
    world W { staged_changes: refresh_before_dependents }
    component Owner: contiguous_buffer;
    component Burning: empty;
    query Owners { read: [Owner], index: ByOwner }
    system Ignite { read: [Owner], insert: [Burning] }
    system Spread { read: [Owner], with: [Burning], dependencies: [Ignite], queries: [Owners] }
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

fn main() {}
