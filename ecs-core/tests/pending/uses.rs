//! Where pending entities meet other features: deferred functions, refreshes between phases, templates, several executions
//! in a step, streams of spawns and despawns.

use ecs_core::{Entity, PendingEntity, StateHash, Template, World, world};

use super::support::{every_kind, three};

#[derive(Clone, Debug, PartialEq, StateHash)]
struct Id(u32);
#[derive(Clone, Debug, PartialEq, StateHash)]
struct Next(Entity);
#[derive(Clone, Debug, PartialEq, StateHash)]
struct Age(u32);
#[derive(Debug, Default)]
struct Found(Vec<Option<u32>>);
struct Prefab(Template<Chain>);

world! {
    world Chain {}
    component Id, Next, Age;
    resource Found;
    resource Prefab: transient = Prefab(Template::new((Id(70), Age(1))));

    // What it spawns is there, with all its components, when its own deferred function runs.
    system Defer {
        without: [Next],
        with: [Id],
        spawn: [Age],
        insert: [Next, Id],
        defer,
        each: |entity: Entity, effects| {
            let one = effects.spawn_pending((Age(4),));
            effects.insert(one, Id(5));
            effects.insert_with(entity, one, Next);
            effects.defer(move |defer| {
                let next = defer.get::<Next>(entity).map(|next| next.0);
                let id = next.and_then(|next| defer.get::<Id>(next)).map(|id| id.0);
                defer.resource_mut::<Found>().0.push(id);
            });
        },
    }
    system Instances {
        dependencies: [Defer],
        spawn: [Template<Chain>],
        insert: [Next],
        run: |effects, prefab: &Prefab| {
            let [one, other] = [(); 2].map(|()| effects.spawn_pending(prefab.0.clone()));
            effects.insert_with(one, other, Next);
            effects.insert_with(other, one, Next);
        },
    }
}

#[test]
fn deferred_functions_find_them_complete() {
    for threads in every_kind() {
        let mut world = World::<Chain>::on(threads);
        world.spawn_batch((0..3).map(|n| (Id(n),)));
        world.step(|step| step.execute_only::<(Defer,)>()).unwrap();
        assert_eq!(world.resource::<Found>().0, [Some(5); 3]);
    }
}

#[test]
fn templates_are_spawned_so_too() {
    let mut world = World::<Chain>::on(three());
    world.step(|step| step.execute_only::<(Instances,)>()).unwrap();
    let all: Vec<(Entity, Entity)> =
        world.iter::<(Entity, &Next)>().map(|(one, next)| (one, next.0)).collect();
    assert_eq!(all.len(), 2);
    assert_eq!((all[0].1, all[1].1), (all[1].0, all[0].0));
    assert!(world.iter::<(&Id, &Age)>().all(|(id, age)| (id.0, age.0) == (70, 1)));
}

/// Several executions before one refresh: each names its own.
#[test]
fn each_execution_names_its_own() {
    for threads in every_kind() {
        let mut world = World::<Chain>::on(threads);
        world
            .step(|step| {
                for _ in 0..3 {
                    step.execute_only::<(Instances,)>();
                }
            })
            .unwrap();
        let all: Vec<(Entity, Entity)> =
            world.iter::<(Entity, &Next)>().map(|(one, next)| (one, next.0)).collect();
        assert_eq!(all.len(), 6);
        for (one, next) in all {
            assert_eq!(world.get::<Next>(next), Some(&Next(one)));
        }
    }
}

struct Nest(u32);
struct Egg {
    nest: Entity,
    age: u32,
}
struct Sum(u32);

world! {
    world Phases { staged_changes: refresh_before_dependents }
    component Nest, Egg, Sum;
    system Lay {
        spawn: [Egg],
        insert: [Sum],
        each: |entity: Entity, nest: &Nest, effects| {
            let number = nest.0;
            let egg = effects.spawn_with(entity, move |nest| (Egg { nest, age: number },));
            effects.insert(egg, Sum(0));
        },
    }
    system Grow {
        dependencies: [Lay],
        each: |egg: &mut Egg, sum: &mut Sum| {
            egg.age += 1;
            sum.0 += egg.age;
        },
    }
}

#[test]
fn a_refresh_in_mid_step_completes_them() {
    for threads in every_kind() {
        let mut world = World::<Phases>::on(threads);
        world.spawn_batch((0..200).map(|n| (Nest(n),)));
        world.tick().unwrap();
        assert_eq!(world.iter::<(&Egg, &Sum)>().count(), 200);
        for (egg, sum) in world.iter::<(&Egg, &Sum)>() {
            let nest = world.get::<Nest>(egg.nest).unwrap().0;
            assert_eq!((egg.age, sum.0), (nest + 1, nest + 1));
        }
    }
}

struct Life(u32);
struct Before(#[expect(dead_code, reason = "only its place counts")] Entity);

world! {
    world Flow {}
    component Life, Before;
    system Renew {
        parallelism: split_every(64),
        spawn: [Life],
        insert: [Before],
        despawn,
        each: |entity: Entity, life: &mut Life, effects| {
            life.0 += 1;
            if life.0.is_multiple_of(7) {
                effects.despawn(entity);
                let one: PendingEntity<'_> = effects.spawn_pending((Life(0),));
                effects.insert(one, Before(entity));
            }
        },
    }
}

/// Where as many are spawned as are despawned, those that are targets only take the rows that become free.
#[test]
fn they_take_the_rows_that_become_free() {
    for threads in every_kind() {
        let mut world = World::<Flow>::on(threads);
        world.spawn_batch((0..999).map(|n| (Life(n % 7),)));
        for _ in 0..30 {
            world.tick().unwrap();
            assert_eq!(world.entity_count(), 999);
            assert!(world.iter::<Entity>().all(|entity| entity.index() < 999));
        }
        assert_eq!(world.iter::<&Before>().count(), 999);
    }
}
