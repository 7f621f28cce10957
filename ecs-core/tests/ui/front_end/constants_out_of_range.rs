//! Numbers that are not literals are checked where they are written, before the program is built. `rustc` words the frame.

struct Position(f32);
const NONE: usize = 0;

ecs_core::world! {
    world W { entity_limit: fixed(NONE) }
    component Position;
    system One { write: [Position], parallelism: split_evenly(NONE), each: |_| () }
    system Two {
        write: [Position],
        dependencies: [One],
        parallelism: none_below_threshold(100, split_every(NONE + 0)),
        each: |_| (),
    }
}

ecs_core::world! {
    world V { entity_limit: dynamic(usize::MAX) }
}

fn main() {}
