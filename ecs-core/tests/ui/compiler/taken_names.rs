//! Names that something else has: of a world, of a system, of an entry, and of the systems of two worlds in one module.

use ecs_core::world;

struct Position(f32);
struct Game;
struct Move;
struct TurnEntry;

world! {
    world Game;
    component Position;
    system Move { write: [Position], each: |one| one.position.0 += 1.0 }
    system Turn { read: [Position], dependencies: [Move], each: |_| () }
}

world! {
    world One;
    component Position;
    system Fall { write: [Position], each: |one| one.position.0 -= 1.0 }
}
world! {
    world Two;
    component Position;
    system Fall { write: [Position], each: |one| one.position.0 -= 2.0 }
}

fn main() {}
