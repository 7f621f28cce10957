//! A program cannot say by hand that a query hands out each component once.
use ecs_core::{HandsOutOnce, World, world};

pub struct Life(f32);

world! {
    world W;
    component Life;
}

impl HandsOutOnce<W> for (&mut Life, &mut Life) {
    type Parts = ();
}

fn main() {
    let mut world = World::<W>::new();
    world.iter_mut::<(&mut Life, &mut Life)>().for_each(|(one, other)| std::mem::swap(one, other));
}
