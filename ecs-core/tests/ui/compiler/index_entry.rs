//! An index that takes the entries of another query.

use ecs_core::joins::Index;
use ecs_core::{World, world};

struct Owner(u32);

world! {
    world W;
    component Owner;
    query Owners { read: [Owner], index: ByOwner }
    query Others { read: [Owner] }
}

#[derive(Default)]
struct ByOwner;

impl Index for ByOwner {
    type Entry<'a> = OthersEntry<'a>;
    type Key = u32;

    fn key(&self, member: OthersEntry<'_>) -> u32 {
        member.owner.0
    }
}

fn main() {
    let _ = World::<W>::new();
}
