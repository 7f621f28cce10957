//! Functions that are no conditions.

use ecs_core::world;

#[derive(Default)]
struct Mode(u8);

struct Position;

struct Elsewhere(u8);

fn writes(mode: &mut Mode) -> bool {
    mode.0 == 1
}

fn takes(mode: Mode) -> bool {
    mode.0 == 1
}

fn counts(mode: &Mode) -> u8 {
    mode.0
}

fn reads_nothing() -> bool {
    true
}

fn of_a_component(_: &Position) -> bool {
    true
}

fn of_another(elsewhere: &Elsewhere) -> bool {
    elsewhere.0 == 1
}

fn is_on(mode: &Mode) -> bool {
    mode.0 == 1
}

const POINTER: fn(&Mode) -> bool = is_on;

world! {
    world W;
    component Position;
    resource Mode;
    system Writes { run_if: writes, run: |_| {} }
    system Takes { run_if: takes, run: |_| {} }
    system Counts { run_if: counts, run: |_| {} }
    system CountsHere { run_if: |mode: &Mode| mode.0, run: |_| {} }
    system ReadsNothing { run_if: reads_nothing, run: |_| {} }
    system OfAComponent { run_if: of_a_component, run: |_| {} }
    system OfAnother { run_if: of_another, run: |_| {} }
    system Missing { run_if: missing, run: |_| {} }
}

mod pointers {
    use ecs_core::world;

    use super::{Mode, POINTER};

    world! {
        world Pointers;
        resource Mode;
        system OfAPointer { run_if: POINTER, run: |_| {} }
    }
}

fn main() {
    let _ = ecs_core::World::<W>::new();
}
