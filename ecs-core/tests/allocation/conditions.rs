//! Conditions that change from step to step.

use ecs_core::{Threads, World, world};

use super::ALLOCATIONS;

struct Warmth(u32);

#[derive(Default)]
struct Day(u32);

#[derive(Default)]
struct Warm(usize);

fn is_even(day: &Day) -> bool {
    day.0.is_multiple_of(2)
}

world! {
    world Seasons { entity_limit: dynamic(500) }
    component Warmth;
    resource Day, Warm;
    system Heat {
        run_if: is_even,
        parallelism: split_every(100),
        output: Vec<u32>,
        each: |warmth: &mut Warmth, effects| {
            warmth.0 += 1;
            effects.output().push(warmth.0);
        },
    }
    system Replace {
        run_if: |day: &Day| day.0.is_multiple_of(3),
        dependencies: [Heat],
        read: [Warmth],
        despawn,
        spawn: [Warmth],
        each: |e, effects| {
            effects.despawn(e.entity);
            effects.spawn((Warmth(e.warmth.0),));
        },
    }
    system Find {
        run_if: is_even,
        inputs: [Heat],
        run: |_, effects, warm: &mut Warm| warm.0 = effects.outputs_of::<Heat>().flatten().count(),
    }
}

#[test]
fn nor_does_one_whose_conditions_change() {
    let mut world = World::<Seasons>::on(Threads::Inline);
    world.spawn_batch((0..500).map(|n| (Warmth(n),)));
    let mut run = |steps: u32| {
        for _ in 0..steps {
            world.resource_mut::<Day>().0 += 1;
            world.tick().unwrap();
            world.step(|step| step.execute_only::<(Find, Replace)>()).unwrap();
            let found = if is_even(world.resource::<Day>()) { 500 } else { 0 };
            assert_eq!(world.outputs_of::<Heat>().flatten().count(), found);
        }
        world.entity_count()
    };
    run(60);
    let before = ALLOCATIONS.get();
    let entities = run(60);
    assert_eq!((ALLOCATIONS.get() - before, entities), (0, 500));
}
