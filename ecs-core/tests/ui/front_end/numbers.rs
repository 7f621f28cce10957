//! Numbers that cannot be: limits and strategies.

use ecs_core::{Data, System, world};

struct Heat(f32);

world! {
    world W { entity_limit: fixed(3_000_000_000) }
    component Heat: contiguous_buffer;
    system A { write: [Heat], parallelism: split_evenly(0) }
    system B { write: [Heat], dependencies: [A], parallelism: split_every(0) }
    system C { write: [Heat], dependencies: [B], parallelism: split_every(-3) }
    system D { write: [Heat], dependencies: [C], parallelism: split_evenly(2.5) }
    system E { write: [Heat], dependencies: [D], parallelism: none_below_threshold(0, split_evenly(2)) }
    system F {
        write: [Heat],
        dependencies: [E],
        parallelism: fixed_threshold(100, none_below_threshold(200, split_evenly(2)), split_every(8)),
    }
    system G { write: [Heat], dependencies: [F], parallelism: split_evenly(99_999_999_999) }
}

macro_rules! systems {
    ($($name:ident)*) => {$(
        #[derive(Default)]
        struct $name;

        impl System<W> for $name {
            fn process(&self, _: &mut Data<'_, W, Self>) {}
        }
    )*};
}

systems! { A B C D E F G }

fn main() {
    let _ = ecs_core::World::<W>::new();
}
