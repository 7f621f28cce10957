//! A set that there is not: the world's name is known all the same.

ecs_core::world! {
    world Game;
    include nowhere::Nothing;
}

fn main() {
    let _ = Game;
}
