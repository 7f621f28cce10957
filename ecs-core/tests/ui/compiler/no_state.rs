//! What is set and read must be a state of the world.

use ecs_core::{HasState, States, World, world};

enum Own {
    First,
}

world! {
    world W;
    state Mode { Menu, Playing }
    system Look { run: |data| { data.effects.state::<Other>(); } }
}

world! {
    world V;
    state Other { On }
}

fn is_state<M: States>() {}

fn has_mode<D: HasState<Mode>>() {}

fn main() {
    let mut world = World::<W>::new();
    world.set_state(Own::First);
    world.state::<Mode>();
    is_state::<Own>();
    has_mode::<V>();
}
