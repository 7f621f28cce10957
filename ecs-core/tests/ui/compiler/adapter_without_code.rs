//! ECS0067: code for many systems that does not fit one of them; and no predicate (ECS0069).

use ecs_core::overrides::ForSubtasks;
use ecs_core::{Data, System, World, world};

#[derive(Default)]
struct Move;
impl System<W> for Move {
    fn process(&self, _: &mut Data<'_, W, Self>) {}
}

#[derive(Default)]
struct Draw;
impl System<W> for Draw {
    fn process(&self, _: &mut Data<'_, W, Self>) {}
}

world! {
    world W;
    system Move;
    system Draw;
}

struct Quietly;

impl ForSubtasks<W, Move> for Quietly {
    fn process(&self, _: &Move, _: &mut Data<'_, W, Move>) {}
}

fn main() {
    let mut world = World::<W>::new();
    world.step(|step| {
        step.execute_systems().systems::<(Move, Draw)>().for_subtasks(Quietly).run();
        step.execute_systems().systems::<(Draw,)>().detailed(Quietly).run();
        step.execute_systems().matching(Quietly).for_subtasks(Quietly).run();
    })
    .unwrap();
}
