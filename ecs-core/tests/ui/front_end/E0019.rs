//! E0019: components together in a storage that keeps one.

use ecs_core::world;
struct Name(String);
struct Score(u32);

world! {
    world W;
    component (Name, Score): storage(ecs_core::storage::HashMapStorage<Name>);
}

fn main() {}
