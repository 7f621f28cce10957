//! A sequential system, which changes the world at once.

use ecs_core::{Data, System, Threads, World, world};

use super::ALLOCATIONS;

struct Energy(u64);
struct Mark;

world! {
    world Arena { entity_limit: dynamic(5_000) }
    component Energy: contiguous_buffer;
    component Mark: contiguous_buffer;
    system Fight {
        sequential,
        write: [Energy],
        write_optional: [Mark],
        insert: [Mark],
        remove: [Mark],
        spawn: [(Energy,)],
        kill,
    }
    system Charge { write: [Energy], dependencies: [Fight] }
}

#[derive(Default)]
struct Fight;

#[derive(Default)]
struct Charge;

impl System<Arena> for Fight {
    fn process(&self, data: &mut Data<'_, Arena, Self>) {
        data.roll(|mut found| {
            let (own, energy) = (found.entity(), found.entry().energy.0);
            let now = found.now();
            match energy % 5 {
                0 => drop(now.insert(own, Mark)),
                1 => drop(now.remove::<Mark>(own)),
                2 => {
                    now.kill(own);
                    now.spawn((Energy(energy),)).unwrap();
                }
                _ => now.get_mut::<&mut Energy>(own).unwrap().0 += 2,
            }
        });
    }
}

impl System<Arena> for Charge {
    fn process(&self, data: &mut Data<'_, Arena, Self>) {
        data.for_entities(|e| e.energy.0 += 1);
    }
}

#[test]
fn nor_does_a_roll() {
    let mut world = World::<Arena>::on(Threads::Inline);
    world.step(|step| (0..3_000).for_each(|n| assert!(step.spawn((Energy(n),)).is_ok()))).unwrap();
    let mut run = |steps: usize| {
        for _ in 0..steps {
            world.step(|step| step.execute_systems().run()).unwrap();
        }
    };
    run(60);
    let before = ALLOCATIONS.get();
    run(30);
    assert_eq!(ALLOCATIONS.get() - before, 0, "allocations in 30 steps");
    assert_eq!(world.entity_count(), 3_000);
}
