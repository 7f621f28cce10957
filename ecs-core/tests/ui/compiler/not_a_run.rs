//! A kernel that asks for slices of terms that have none.

use ecs_core::{Data, System, world};
struct Life(f32);
#[derive(Default)]
struct Age;

world! {
    world W;
    component Life: contiguous_buffer;
    system Age { write: [Life] }
}

impl System<W> for Age {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        data.own.for_runs::<ecs_core::Place>(|_| {});
    }
}

fn main() {}
