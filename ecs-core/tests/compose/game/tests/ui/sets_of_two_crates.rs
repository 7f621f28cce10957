//! Two libraries' sets in conflict, with nothing in between.

engine::world! {
    world Game;
    include compose_motion::Motion;
    include compose_sight::Sight;
}

fn main() {}
