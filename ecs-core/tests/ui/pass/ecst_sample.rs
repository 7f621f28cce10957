//! The sample that comes with ECST, with the orders that its author gave: it races.

use ecs_core::{Data, System, World, world};

world! {
    world Sample { entity_limit: dynamic(50_000) }

    component Acceleration: contiguous_buffer;
    component Velocity: contiguous_buffer;
    component Position: contiguous_buffer;
    component Curve: contiguous_buffer;
    component Color: contiguous_buffer;
    component Circle: contiguous_buffer;
    component Life: contiguous_buffer;

    system Accelerate { read: [Acceleration], write: [Velocity] }
    system Bend { dependencies: [Accelerate], read: [Curve], write: [Velocity] }
    system Move { dependencies: [Bend], read: [Velocity], write: [Position] }
    system Render { dependencies: [Move], read: [Position, Color], write: [Circle] }
    system Live { write: [Life], despawn }
    system Fade { dependencies: [Render, Live], read: [Life], write: [Circle, Color] }
}

macro_rules! components {
    ($($name:ident)*) => {$(struct $name(f32);)*};
}

macro_rules! systems {
    ($($name:ident)*) => {$(
        #[derive(Default)]
        struct $name;

        impl System<Sample> for $name {
            fn process(&self, _: &mut Data<'_, Sample, Self>) {}
        }
    )*};
}

components! { Acceleration Velocity Position Curve Color Circle Life }
systems! { Accelerate Bend Move Render Live Fade }

fn main() {
    let _ = World::<Sample>::new();
}
