//! Code that does not take what it is called with, as far as its tokens show it.

struct Position(f32);

ecs_core::world! {
    world W;
    component Position;
    system One { write: [Position], each: |_, _, _| () }
    system Two { write: [Position], dependencies: [One], run: || () }
    system Three { write: [Position], dependencies: [Two], each: 5 }
}

fn main() {}
