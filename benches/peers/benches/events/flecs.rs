//! `flecs_ecs`: an event calls its observers at once, on the thread that emits it. There is no queue.

use flecs_ecs::prelude::*;

use crate::{Contender, fold, number};

#[derive(Component)]
struct Number(u32);
#[derive(Component)]
struct Sent(u32);
#[derive(Component)]
struct Step(u32);
#[derive(Component, Clone)]
struct Sum(u64);

struct Flecs(World);

pub(super) fn new(entities: u32, threads: usize) -> Box<dyn Contender> {
    let world = World::new();
    world.component::<Step>().add_trait::<flecs::Singleton>();
    world.component::<Sum>().add_trait::<flecs::Singleton>();
    world.set(Step(0));
    world.set(Sum(0));
    if threads > 1 {
        world.set_threads(threads as i32);
    }
    for entity in 0..entities {
        world.entity().set(Number(entity));
    }
    world.system::<(&Number, &Step)>().each_entity(|entity, (of, step)| {
        let event = Sent(number(of.0, step.0));
        entity.world().event().add(id::<Number>()).entity(entity).emit(&event);
    });
    world.observer::<Sent, &Number>().each_iter(|it, _, _| {
        let sent = it.param().0;
        it.world().get::<&mut Sum>(|sum| sum.0 = fold(sum.0, sent));
    });
    Box::new(Flecs(world))
}

impl Contender for Flecs {
    fn step(&mut self) {
        self.0.get::<(&mut Step, &mut Sum)>(|(step, sum)| {
            step.0 += 1;
            sum.0 = 0;
        });
        self.0.progress();
    }

    fn sum(&self) -> u64 {
        self.0.get::<&Sum>(|sum| sum.0)
    }
}
