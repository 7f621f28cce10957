//! ECS0083, ECS0084: of many components, one beyond the first section of the tables is neither `Clone` nor hashed.

use ecs_core::{StateHash, World, world};

macro_rules! can_be_cloned {
    ($($name:ident)*) => {
        $(
            #[derive(Clone, StateHash)]
            struct $name(u32);
        )*
    };
}

can_be_cloned! {
    A0 A1 A2 A3 A4 A5 A6 A7 B0 B1 B2 B3 B4 B5 B6 B7 C0 C1 C2 C3 C4 C5 C6 C7
    D0 D1 D2 D3 D4 D5 D6 D7 E0 E1 E2 E3 E4 E5 E6 E7
}

struct Level(u32);

world! {
    world W;
    component A0, A1, A2, A3, A4, A5, A6, A7, B0, B1, B2, B3, B4, B5, B6, B7;
    component C0, C1, C2, C3, C4, C5, C6, C7, D0, D1, D2, D3, D4, D5, D6, D7;
    component E0, E1, E2, E3, E4, E5, E6, E7;
    component Level;
}

fn main() {
    let world = World::<W>::new();
    let _ = world.snapshot();
    let _ = world.state_hash();
}
