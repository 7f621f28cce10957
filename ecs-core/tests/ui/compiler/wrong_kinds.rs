//! Types in places that need another kind: settings, starts, queries, bundles, handles, schedulers.

use ecs_core::scheduler::{Outcome, Scheduler, StartNodes};
use ecs_core::settings::{Allow, AtomicCounter, Config, Fixed};
use ecs_core::{Data, Entity, System, World, world};

struct Life(f32);

world! {
    world W;
    component Life: contiguous_buffer;
    system Age { write: [Life], insert: [Life], spawn: [(Life,)], despawn }
}

#[derive(Default)]
struct Age(Vec<Entity>);

impl System<W> for Age {
    fn process(&self, data: &mut Data<'_, W, Self>) {
        let _ = data.own.query::<Life>();
        data.effects.spawn(Life(1.0));
        data.effects.despawn(7);
        data.effects.insert(self.0[0], std::rc::Rc::new(1));
    }
}

fn look(world: &World<W>) {
    for _ in world.iter::<Life>() {}
}

fn settings(
    _: World<Life>,
    _: World<W, Life>,
    _: World<W, Config<Life, Allow, AtomicCounter>>,
    _: World<W, Config<Fixed<8>, Life, AtomicCounter>>,
    _: World<W, Config<Fixed<8>, Allow, Life>>,
) {
}

fn chain(world: &mut World<W>) {
    world.step(|step| step.execute_systems_from::<Age>()).unwrap();
}

fn schedule(scheduler: &mut AtomicCounter) {
    let _ = scheduler.execute(StartNodes::All, &Life(1.0), &|_| Outcome::Done);
}

fn main() {}
