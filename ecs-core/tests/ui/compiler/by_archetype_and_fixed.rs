//! A limit of one's own that is fixed, and by archetype.

use ecs_core::settings::{Allow, AtomicCounter, Config, EntityLimit};
use ecs_core::{LimitReached, World, world};

struct Hull;

struct Both;

impl EntityLimit for Both {
    const FIXED: Option<usize> = Some(100);
    const INITIAL: usize = 100;
    const BY_ARCHETYPE: bool = true;
    type Outcome<T> = Result<T, LimitReached>;

    fn outcome<T>(spawned: Result<T, LimitReached>) -> Self::Outcome<T> {
        spawned
    }
}

world! {
    world Space;
    component Hull: contiguous_buffer;
}

fn main() {
    let _ = World::<Space, Config<Both, Allow, AtomicCounter>>::new();
}
