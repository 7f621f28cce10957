//! States that change in each step.

use ecs_core::{Threads, World, world};

use super::ALLOCATIONS;

#[derive(Default)]
struct Entered(u32);
struct Warmth(u32);

world! {
    world Days { entity_limit: dynamic(500) }
    component Warmth;
    resource Entered;
    state Half { Day, Night }
    system Heat { in: Half::Day, every: 3, parallelism: split_every(100), each: |warmth: &mut Warmth| warmth.0 += 1 }
    system Cool { in: Half::Night, parallelism: split_every(100), each: |warmth: &mut Warmth| warmth.0 -= warmth.0.min(1) }
    system Turn {
        set_state: [Half],
        dependencies: [Heat, Cool],
        parallelism: split_every(100),
        each: |_: &Warmth, effects| {
            let other = match effects.state::<Half>() {
                Half::Day => Half::Night,
                Half::Night => Half::Day,
            };
            effects.set_state(other);
        },
    }
    system Rise { on_enter: Half::Day, run: |_, entered: &mut Entered| entered.0 += 1 }
    system Fall { on_exit: Half::Day, despawn, spawn: [Warmth], each: |entity: ecs_core::Entity, warmth: &Warmth, effects| {
        effects.despawn(entity);
        effects.spawn((Warmth(warmth.0),));
    } }
}

#[test]
fn nor_does_one_whose_states_change() {
    let mut world = World::<Days>::on(Threads::Inline);
    world.spawn_batch((0..500).map(|n| (Warmth(n),)));
    let mut run = |steps: u32| {
        for _ in 0..steps {
            world.tick().unwrap();
            world.step(|step| step.execute_only::<(Heat,)>()).unwrap();
        }
        (world.entity_count(), world.resource::<Entered>().0)
    };
    run(60);
    let before = ALLOCATIONS.get();
    let after = run(60);
    assert_eq!((ALLOCATIONS.get() - before, after), (0, (500, 61)));
}
