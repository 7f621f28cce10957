//! The library: a relation of many to many with values.

use ecs_core::{Entity, Threads, World, world};

use super::{LINKS, Work, digest, relinked, target, value};
use crate::Contender;

struct Number(u32);
struct Sum(u64);
struct Likes(u32);
#[derive(Default)]
struct Step(u32);
#[derive(Default)]
struct Entities(Vec<Entity>);

world! {
    world Village;
    component Number, Sum;
    resource Step, Entities;
    relation Likes: many_to_many, on_despawn: detach;
    system AddAtSources {
        parallelism: split_evenly(8),
        relations: [Likes],
        each: |entity: Entity, sum: &mut Sum, effects| {
            sum.0 = effects.targets::<Likes>(entity).map(|(_, likes)| u64::from(likes.0)).sum();
        },
    }
    system AddAtTargets {
        parallelism: split_evenly(8),
        dependencies: [AddAtSources],
        relations: [Likes],
        each: |entity: Entity, sum: &mut Sum, effects| {
            sum.0 = effects.sources::<Likes>(entity).map(|(_, likes)| u64::from(likes.0)).sum();
        },
    }
    system Relink {
        parallelism: split_evenly(8),
        relations: [Likes],
        link: [Likes],
        each: |entity: Entity, number: &Number, effects, step: &Step, entities: &Entities| {
            if let Some((link, time)) = relinked(number.0, step.0) {
                let old = effects.targets::<Likes>(entity).nth(link as usize).expect("a link").0;
                let new = target(number.0, link, time, entities.0.len() as u32);
                effects.remove_link::<Likes>(entity, old);
                let likes = Likes(value(number.0, link, step.0));
                effects.insert_link(entity, entities.0[new as usize], likes);
            }
        },
    }
}

struct Library {
    world: World<Village>,
    work: Work,
}

pub(super) fn new(links: u32, threads: usize, work: Work) -> Box<dyn Contender> {
    let threads = if threads == 1 { Threads::Inline } else { Threads::Global };
    let mut world = World::<Village>::on(threads);
    let number = links / LINKS;
    let spawned = world.spawn_batch((0..number).map(|entity| (Number(entity), Sum(0))));
    let entities: Vec<Entity> = spawned.into_iter().collect();
    let linked = world.step(|step| {
        for source in 0..number {
            for link in 0..LINKS {
                let target = entities[target(source, link, 0, number) as usize];
                step.insert_link(entities[source as usize], target, Likes(value(source, link, 0)));
            }
        }
    });
    linked.expect("all are alive");
    world.resource_mut::<Entities>().0 = entities;
    Box::new(Library { world, work })
}

impl Contender for Library {
    fn step(&mut self) {
        self.world.resource_mut::<Step>().0 += 1;
        let work = self.work;
        let stepped = self.world.step(|step| match work {
            Work::AtSources => step.execute_only::<(AddAtSources,)>(),
            Work::AtTargets => step.execute_only::<(AddAtTargets,)>(),
            Work::Relink => step.execute_only::<(Relink,)>(),
        });
        stepped.expect("all are alive");
    }

    fn sum(&self) -> u64 {
        let entities = &self.world.resource::<Entities>().0;
        let sums = entities.iter().map(|entity| match self.work {
            Work::Relink => {
                self.world.sources::<Likes>(*entity).map(|(_, likes)| u64::from(likes.0)).sum()
            }
            _ => self.world.get::<Sum>(*entity).expect("it has one").0,
        });
        digest(self.world.links::<Likes>().map(|(_, _, likes)| likes.0), sums)
    }
}
