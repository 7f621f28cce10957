//! Types that are less visible than the world: `rustc` reports each once, where the declaration names it.

use ecs_core::{Data, System, world};

struct Secret(f32);
struct Report;
#[derive(Default)]
struct Body;

impl<N: ecs_core::SystemName<W>> System<W, N> for Body {
    fn process(&self, _: &mut Data<'_, W, N>) {}
}

world! {
    pub world W;
    component Secret;
    system One { write: [Secret], each: |one| one.secret.0 += 1.0 }
    system Two { read: [Secret], dependencies: [One], output: Vec<Report>, run: |_| () }
    system Three: Body { write: [Secret], dependencies: [Two] }
}

fn main() {}
