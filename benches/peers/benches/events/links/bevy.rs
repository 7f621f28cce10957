//! `bevy_ecs`: a component with a vector of links, and for both ends another one.

#![expect(clippy::needless_pass_by_value, reason = "systems take their parameters so")]

use bevy_ecs::prelude::*;
use bevy_ecs::schedule::SingleThreadedExecutor;
use bevy_tasks::{ComputeTaskPool, TaskPoolBuilder};

use super::{LINKS, Work, digest, relinked, target, value};
use crate::Contender;

#[derive(Component)]
struct Number(u32);
#[derive(Component)]
struct Sum(u64);
/// The links to others.
#[derive(Component)]
struct Likes(Vec<(Entity, u32)>);
/// The links that others have to the entity.
#[derive(Component)]
struct LikedBy(Vec<(Entity, u32)>);
#[derive(Resource)]
struct Step(u32);
#[derive(Resource)]
struct Threads(usize);
#[derive(Resource)]
struct Entities(Vec<Entity>);

fn add(links: &[(Entity, u32)]) -> u64 {
    links.iter().map(|(_, value)| u64::from(*value)).sum()
}

fn add_at_sources(mut entities: Query<'_, '_, (&Likes, &mut Sum)>, threads: Res<'_, Threads>) {
    if threads.0 == 1 {
        entities.iter_mut().for_each(|(likes, mut sum)| sum.0 = add(&likes.0));
    } else {
        entities.par_iter_mut().for_each(|(likes, mut sum)| sum.0 = add(&likes.0));
    }
}

fn add_at_targets(mut entities: Query<'_, '_, (&LikedBy, &mut Sum)>, threads: Res<'_, Threads>) {
    if threads.0 == 1 {
        entities.iter_mut().for_each(|(likes, mut sum)| sum.0 = add(&likes.0));
    } else {
        entities.par_iter_mut().for_each(|(likes, mut sum)| sum.0 = add(&likes.0));
    }
}

fn scatter(sources: Query<'_, '_, &Likes>, mut sums: Query<'_, '_, &mut Sum>) {
    sums.iter_mut().for_each(|mut sum| sum.0 = 0);
    for (target, value) in sources.iter().flat_map(|likes| &likes.0) {
        if let Ok(mut sum) = sums.get_mut(*target) {
            sum.0 += u64::from(*value);
        }
    }
}

/// Changes the entity's link of this step. Returns the former target, the new one and the value.
fn change(
    source: u32,
    likes: &mut Likes,
    step: &Step,
    entities: &Entities,
) -> Option<(Entity, Entity, u32)> {
    let (link, time) = relinked(source, step.0)?;
    let new = entities.0[target(source, link, time, entities.0.len() as u32) as usize];
    let value = value(source, link, step.0);
    let (old, _) = std::mem::replace(&mut likes.0[link as usize], (new, value));
    Some((old, new, value))
}

fn relink_one_end(
    mut sources: Query<'_, '_, (&Number, &mut Likes)>,
    step: Res<'_, Step>,
    entities: Res<'_, Entities>,
    threads: Res<'_, Threads>,
) {
    if threads.0 == 1 {
        for (number, mut likes) in &mut sources {
            change(number.0, &mut likes, &step, &entities);
        }
    } else {
        sources.par_iter_mut().for_each(|(number, mut likes)| {
            change(number.0, &mut likes, &step, &entities);
        });
    }
}

fn relink_both_ends(
    mut sources: Query<'_, '_, (Entity, &Number, &mut Likes)>,
    mut targets: Query<'_, '_, &mut LikedBy>,
    step: Res<'_, Step>,
    entities: Res<'_, Entities>,
) {
    for (source, number, mut likes) in &mut sources {
        let Some((old, new, value)) = change(number.0, &mut likes, &step, &entities) else {
            continue;
        };
        if let Ok(mut old) = targets.get_mut(old)
            && let Some(at) = old.0.iter().position(|(other, _)| *other == source)
        {
            old.0.swap_remove(at);
        }
        if let Ok(mut new) = targets.get_mut(new) {
            new.0.push((source, value));
        }
    }
}

struct Bevy {
    world: World,
    schedule: Schedule,
    work: Work,
}

pub(super) fn new(links: u32, threads: usize, work: Work, both_ends: bool) -> Box<dyn Contender> {
    ComputeTaskPool::get_or_init(|| TaskPoolBuilder::new().num_threads(2).build());
    let mut world = World::new();
    let number = links / LINKS;
    let entities: Vec<Entity> =
        world.spawn_batch((0..number).map(|entity| (Number(entity), Sum(0)))).collect();
    for source in 0..number {
        let link = |link| {
            let target = entities[target(source, link, 0, number) as usize];
            (target, value(source, link, 0))
        };
        let likes = Likes((0..LINKS).map(link).collect());
        world.entity_mut(entities[source as usize]).insert(likes);
    }
    if both_ends {
        let mut liked_by = vec![Vec::new(); number as usize];
        for source in 0..number {
            for link in 0..LINKS {
                let target = target(source, link, 0, number) as usize;
                liked_by[target].push((entities[source as usize], value(source, link, 0)));
            }
        }
        for (entity, liked_by) in entities.iter().zip(liked_by) {
            world.entity_mut(*entity).insert(LikedBy(liked_by));
        }
    }
    world.insert_resource(Step(0));
    world.insert_resource(Threads(threads));
    world.insert_resource(Entities(entities));
    let mut schedule = Schedule::default();
    if threads == 1 {
        schedule.set_executor(SingleThreadedExecutor::new());
    }
    match (work, both_ends) {
        (Work::AtSources, _) => schedule.add_systems(add_at_sources),
        (Work::AtTargets, false) => schedule.add_systems(scatter),
        (Work::AtTargets, true) => schedule.add_systems(add_at_targets),
        (Work::Relink, false) => schedule.add_systems(relink_one_end),
        (Work::Relink, true) => schedule.add_systems(relink_both_ends),
    };
    Box::new(Bevy { world, schedule, work })
}

impl Contender for Bevy {
    fn step(&mut self) {
        self.world.resource_mut::<Step>().0 += 1;
        self.schedule.run(&mut self.world);
    }

    fn sum(&self) -> u64 {
        let entities = &self.world.resource::<Entities>().0;
        let likes = |entity: &Entity| &self.world.get::<Likes>(*entity).expect("it has some").0;
        let mut at_targets = std::collections::HashMap::<Entity, u64>::new();
        if self.work == Work::Relink {
            for (target, value) in entities.iter().flat_map(likes) {
                *at_targets.entry(*target).or_default() += u64::from(*value);
            }
        }
        let sums = entities.iter().map(|entity| match self.world.get::<LikedBy>(*entity) {
            _ if self.work != Work::Relink => self.world.get::<Sum>(*entity).expect("a sum").0,
            Some(liked_by) => add(&liked_by.0),
            None => at_targets.get(entity).copied().unwrap_or(0),
        });
        digest(entities.iter().flat_map(likes).map(|(_, value)| *value), sums)
    }
}
