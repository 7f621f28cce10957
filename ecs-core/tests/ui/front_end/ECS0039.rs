//! ECS0039: a refresh between an index and its user.

use ecs_core::joins::Index;
use ecs_core::world;
struct Owner(u32);
struct Burning;

world! {
    world W { staged_changes: refresh_before_dependents }
    component Owner;
    component Burning: empty;
    query Owners { read: [Owner], index: ByOwner }
    system Ignite { read: [Owner], insert: [Burning], run: |_| {} }
    system Spread {
        read: [Owner],
        with: [Burning],
        dependencies: [Ignite],
        queries: [Owners],
        run: |_| {},
    }
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
