//! What is wrong in a set is reported where it is declared, and not again where it is included.

pub struct Position(pub f32);

ecs_core::set! {
    pub set Space;
    component Position: contiguous_buffer, 5;
    system Advance { write: [Position] }
    system Wander { write: [Position], dependencies: [Absent] }
    system Stray { write: [Position] }
}

#[derive(Default)]
pub struct Advance;
#[derive(Default)]
pub struct Wander;
#[derive(Default)]
pub struct Stray;

ecs_core::world! {
    world Game;
    include Space;
    system Look { read: [Positoin], dependencies: [Advance, Wander, Stray] }
}

fn main() {}
