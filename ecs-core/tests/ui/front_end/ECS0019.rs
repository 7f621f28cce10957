//! ECS0019: components together in a storage that keeps one.

use ecs_core::storage::HashMapStorage;
use ecs_core::world;
struct Name(String);
struct Score(u32);

world! {
    world W;
    component (Name, Score): storage(HashMapStorage<Name>);
}

fn main() {}
