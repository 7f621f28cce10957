//! ECS0144: no parents in a relation of many to many.

use ecs_core::world;
struct Rank(f32);
struct Cites;

world! {
    world W;
    component Rank;
    relation Cites: many_to_many, on_despawn: detach;
    system Count {
        after_parent: Cites,
        write: [Rank],
        run: |data| data.for_after_parent::<&Rank>(|_, _, _| {}),
    }
}

fn main() {}
