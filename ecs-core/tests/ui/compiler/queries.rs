//! Bodies that ask for more than a query shows, an index that is none, and a chain behind an index.

use ecs_core::joins::Index;
use ecs_core::{Data, System, World, world};

struct Owner(u32);
struct Weight(u32);

mod faulty {
    use super::{Owner, world};

    #[derive(Default)]
    pub(super) struct NoIndex;

    world! {
        world Faulty;
        component Owner: contiguous_buffer;
        query Owners { read: [Owner], index: NoIndex }
    }
}

world! {
    world W;
    component Owner: contiguous_buffer;
    component Weight: contiguous_buffer;
    query Owners { read: [Owner], index: ByOwner }
    query Loads { with: [Weight], read: [Owner] }
    system Count { queries: [Owners, Loads] }
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
    fn process(&self, data: &mut Data<'_, W, Self>) {
        let _ = data.effects.members::<Loads, &Weight>();
        let _ = data.effects.members::<Loads, &mut Owner>();
        let _ = data.effects.lookup::<Loads, &Owner>();
    }
}

fn main() {
    let _ = World::<W>::new();
}
