//! ECST's particle simulation (thesis, chapter 15) with the orders that its author gave: it races twice.

use ecs_core::{Data, System, World, world};

world! {
    world Particles { entity_limit: dynamic(50_000) }

    component Acceleration: contiguous_buffer;
    component Velocity: contiguous_buffer;
    component Position: contiguous_buffer;
    component Life: contiguous_buffer;
    component (Color, Circle): contiguous_buffer;

    system Accelerate { read: [Acceleration], write: [Velocity] }
    system Move { dependencies: [Accelerate], read: [Velocity], write: [Position] }
    system KeepInBounds { dependencies: [Move], read: [Circle], write: [Position, Velocity] }
    system Partition { dependencies: [KeepInBounds], read: [Position, Circle], output: Vec<Cell> }
    system Collide { inputs: [Partition], read: [Position, Circle], output: Vec<Contact> }
    system Solve { exclusive, inputs: [Collide], read: [Circle], write: [Position, Velocity] }
    system Live { write: [Life], despawn }
    system Fade { dependencies: [Live], read: [Life], write: [Color] }
    system Render { dependencies: [Fade, Solve], read: [Circle, Position, Color], output: Vec<Vertex> }
}

macro_rules! components {
    ($($name:ident)*) => {$(struct $name(f32);)*};
}

macro_rules! systems {
    ($($name:ident)*) => {$(
        #[derive(Default)]
        struct $name;

        impl System<Particles> for $name {
            fn process(&self, _: &mut Data<'_, Particles, Self>) {}
        }
    )*};
}

components! { Acceleration Velocity Position Life Color Circle }
systems! { Accelerate Move KeepInBounds Partition Collide Solve Live Fade Render }

struct Cell;
struct Contact;
struct Vertex;

fn main() {
    let _ = World::<Particles>::new();
}
