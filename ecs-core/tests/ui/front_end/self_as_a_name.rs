//! `Self` is the world in the code that is generated, so it is no name.

struct Position(f32);

ecs_core::world! {
    world W;
    component (Position, Self): contiguous_buffer;
    component Self;
    resource Self;
    system Self { write: [Position], each: |_| () }
    query Self { read: [Position] }
    system Move { write: [Position, Self], each: |_| () }
}

fn main() {}
