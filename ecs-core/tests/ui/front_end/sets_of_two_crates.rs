//! Two libraries' sets in conflict, with nothing in between.

ecs_core::world! {
    world Game;
    include compose_motion::Motion;
    include compose_sight::Sight;
}

fn main() {}
