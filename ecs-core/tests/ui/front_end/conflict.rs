//! Unordered systems that access the same component or the same resource.

use ecs_core::{Data, System, world};

struct Life(f32);
#[derive(Default)]
struct Score(u32);

world! {
    world W;
    component Life: contiguous_buffer;
    resource Score;
    system Age { write: [Life] }
    system Fade { read: [Life], read_resources: [Score] }
    system Count { write_resources: [Score] }
    system Watch { read_any: [Life] }
}

#[derive(Default)]
struct Age;
#[derive(Default)]
struct Fade;
#[derive(Default)]
struct Count;
#[derive(Default)]
struct Watch;

impl System<W> for Age {
    fn process(&self, _: &mut Data<'_, W, Self>) {}
}

impl System<W> for Fade {
    fn process(&self, _: &mut Data<'_, W, Self>) {}
}

impl System<W> for Count {
    fn process(&self, _: &mut Data<'_, W, Self>) {}
}

impl System<W> for Watch {
    fn process(&self, _: &mut Data<'_, W, Self>) {}
}

fn main() {
    let _ = ecs_core::World::<W>::new();
}
