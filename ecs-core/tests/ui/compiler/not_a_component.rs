//! Types that cannot be what they are declared as: the compiler complains at the user's tokens.

use std::rc::Rc;

use ecs_core::{Data, System, world};

struct Shared(Rc<u32>);
struct Position(f32);
struct NotAStrategy;
struct NoDefault(u32);
#[derive(Default)]
struct NoOutput;

world! {
    world W;
    component Shared: contiguous_buffer;
    component Position: contiguous_buffer;
    resource NoDefault;
    system Move { write: [Position], parallelism: NotAStrategy }
    system Draw { output: NoOutput }
}

#[derive(Default)]
struct Move;
#[derive(Default)]
struct Draw;

impl System<W> for Move {
    fn process(&self, _: &mut Data<'_, W, Self>) {}
}

impl System<W> for Draw {
    fn process(&self, _: &mut Data<'_, W, Self>) {}
}

fn main() {}
