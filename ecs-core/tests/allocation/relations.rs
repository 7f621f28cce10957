//! Relations of many to many: the memory of links is reused, whatever entities they are of.

use ecs_core::{Entity, Threads, World, world};

use super::heap::ALLOCATIONS;

#[derive(Clone, Copy)]
struct Age(u32);
struct Likes(u32);

world! {
    world Crowd {}
    component Age;
    relation Likes: many_to_many, on_despawn: detach;
    system Mingle {
        parallelism: split_every(64),
        write: [Age],
        spawn: [Age],
        relations: [Likes],
        link: [Likes],
        despawn,
        run: |data| {
            let mut before: Option<Entity> = None;
            for (entity, age) in data.own.query::<(Entity, &mut Age)>() {
                age.0 += 1;
                let effects = &mut data.effects;
                if let Some(before) = before {
                    effects.insert_link(entity, before, Likes(age.0));
                    effects.insert_link(before, entity, Likes(age.0));
                }
                if let Some((target, _)) = effects.targets::<Likes>(entity).nth(5) {
                    effects.remove_link::<Likes>(entity, target);
                    effects.insert_link(target, entity, Likes(0));
                }
                let known = effects.sources::<Likes>(entity).map(|(_, likes)| likes.0).max();
                if age.0 >= 9 || known == Some(1000) {
                    effects.despawn(entity);
                    effects.spawn((Age(0),));
                }
                before = (age.0 % 3 > 0).then_some(entity);
            }
        },
    }
}

#[test]
fn nor_do_links() {
    let mut world = World::<Crowd>::on(Threads::Inline);
    world.spawn_batch((0..900).map(|n| (Age(n % 9),)));
    let mut step = || world.tick().unwrap();
    (0..180).for_each(|_| step());
    let before = ALLOCATIONS.get();
    (0..36).for_each(|_| step());
    assert_eq!(ALLOCATIONS.get() - before, 0, "allocations in 36 steps");
    let links: usize = world.iter::<Entity>().map(|one| world.targets::<Likes>(one).len()).sum();
    assert!(links > 500, "{links}");
}
