//! ECS0121: an undeclared event that is read.

use ecs_core::world;
#[derive(Default)]
struct Deaths(usize);
struct Died;

world! {
    world W;
    resource Deaths;
    event Died;
    system Emit { emit: [Died], run: |data| data.effects.emit(Died) }
    system Count { run: |effects, deaths: &mut Deaths| deaths.0 += effects.events::<Died>().len() }
}

fn main() {}
