//! ECS0096: an index that is none of the library's.

use ecs_core::world;
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Team(u8);

world! {
    world W;
    component Team;
    query Teams { index: by_kye(Team) }
}

fn main() {}
