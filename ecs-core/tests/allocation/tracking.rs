//! Tracked components: marks of writes, insertions and additions; removed values; a reader that does not run in each step; random
//! numbers.

use ecs_core::{Entity, Mut, Threads, World, world};

use super::ALLOCATIONS;

struct Level(u64);

struct Shield;

struct Spark(u64);

#[derive(Default)]
struct Ticks(u64);

#[derive(Default)]
struct Found {
    changed: usize,
    added: usize,
    removed: usize,
}

world! {
    world Watched { entity_limit: dynamic(1000) }
    component Level;
    component Shield, Spark;
    resource Ticks, Found;
    system Raise {
        random,
        parallelism: split_every(64),
        each: |entity: Entity, mut level: Mut<Level>, effects| {
            if effects.random(entity).u32().is_multiple_of(4) {
                level.0 += 1;
            }
        },
    }
    // Each has a shield in every second step.
    system Guard {
        dependencies: [Raise],
        parallelism: split_evenly(3),
        with: [Level],
        insert: [Shield],
        remove: [Shield],
        each: |entity: Entity, shield: Option<&Shield>, effects| {
            match shield {
                Some(_) => effects.remove::<Shield>(entity),
                None => effects.insert(entity, Shield),
            }
        },
    }
    // Half of them lose it, and half are despawned, so that the order of changes is not that of rows.
    system Fizzle {
        dependencies: [Guard],
        parallelism: split_every(64),
        insert: [Spark],
        remove: [Spark],
        despawn,
        spawn: [(Spark,)],
        each: |entity: Entity, spark: &Spark, effects| {
            if spark.0.is_multiple_of(3) {
                effects.remove::<Spark>(entity);
                effects.insert(entity, Spark(spark.0 + 1));
            } else {
                effects.despawn(entity);
                effects.spawn((Spark(spark.0 + 1),));
            }
        },
    }
    system Find {
        dependencies: [Fizzle],
        run_if: |ticks: &Ticks| !ticks.0.is_multiple_of(3),
        read: [Level, Shield],
        changed: [Level],
        added: [Shield],
        removed: [Shield, Spark],
        write_resources: [Found],
        run: |data| {
            let found = data.resources.get_mut::<Found>();
            found.changed += data.own.changed::<Level, Entity>().count();
            found.added += data.own.added::<Shield, Entity>().count();
            found.removed += data.own.removed::<Shield>().len();
            found.removed += data.own.removed::<Spark>().filter(|(_, spark)| spark.0 > 0).count();
        },
    }
}

#[test]
fn nor_does_one_that_tracks_changes() {
    let mut world = World::<Watched>::on(Threads::Inline);
    world.spawn_batch((0..1000).map(|n| (Level(n),)));
    world.spawn_batch((0..200).map(|n| (Spark(n),)));
    let mut run = |steps: u64| {
        for _ in 0..steps {
            world.resource_mut::<Ticks>().0 += 1;
            world.tick().unwrap();
        }
        let Found { changed, added, removed } = core::mem::take(world.resource_mut::<Found>());
        assert!(changed > 1000 && added > 1000, "{changed} changes, {added} additions");
        assert!(removed > 10_000, "{removed} removals");
    };
    run(60);
    let before = ALLOCATIONS.get();
    run(60);
    assert_eq!(ALLOCATIONS.get() - before, 0);
}
