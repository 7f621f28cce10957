//! The last item is half-typed: the error is at its last token.

struct Position(f32);

ecs_core::world! {
    world W;
    component Position;
    system Move { write: [Position], each: |one| one.position.0 += 1.0 }
    system Turn
}

fn main() {}
