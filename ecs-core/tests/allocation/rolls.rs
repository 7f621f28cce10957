//! Sequential systems, whose changes take effect at once.

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
        despawn,
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
            let now = &mut found.now();
            match energy % 5 {
                0 => drop(now.insert(own, Mark)),
                1 => drop(now.remove::<Mark>(own)),
                2 => {
                    now.despawn(own);
                    now.spawn((Energy(energy),));
                }
                _ => now.get_mut::<&mut Energy>(own).unwrap().0 += 2,
            }
        });
    }
}

impl System<Arena> for Charge {
    fn process(&self, data: &mut Data<'_, Arena, Self>) {
        data.own.for_entities(|e| e.energy.0 += 1);
    }
}

world! {
    world Court { entity_limit: dynamic(200) }
    component Energy: contiguous_buffer;
    component Mark: empty;
    query Marked { read: [Energy], with: [Mark] }
    system Pass {
        sequential, write: [Energy], queries: [Marked], without: [Mark], insert: [Mark], remove: [Mark],
    }
}

#[derive(Default)]
struct Pass;

impl System<Court> for Pass {
    /// Pairs of an entity without and one with a mark: the mark moves if their energies are congruent modulo
    /// 7.
    fn process(&self, data: &mut Data<'_, Court, Self>) {
        data.roll_pairs::<Marked>(|mut pair| {
            let Some((to, from)) = pair.both::<&mut Energy, &mut Energy>() else { return };
            if to.0 % 7 == from.0 % 7 {
                (to.0, from.0) = (to.0 + 3, from.0 + 5);
                let (to, from) = (pair.entity(), pair.member());
                let now = &mut pair.now();
                now.insert(to, Mark);
                now.remove::<Mark>(from);
            }
        });
    }
}

#[test]
fn nor_does_a_roll_over_pairs() {
    let mut world = World::<Court>::on(Threads::Inline);
    world
        .step(|step| {
            step.spawn_batch((0..150).map(|n| (Energy(n),)));
            step.spawn_batch((0..20).map(|n| (Energy(n), Mark)));
        })
        .unwrap();
    let mut run = |steps: usize| {
        for _ in 0..steps {
            world.tick().unwrap();
        }
    };
    run(60);
    let before = ALLOCATIONS.get();
    run(30);
    assert_eq!(ALLOCATIONS.get() - before, 0, "allocations in 30 steps");
    let mut marks = 0;
    for _ in world.iter::<&Mark>() {
        marks += 1;
    }
    assert_eq!(marks, 20);
}

#[test]
fn nor_does_a_roll() {
    let mut world = World::<Arena>::on(Threads::Inline);
    world.spawn_batch((0..3_000).map(|n| (Energy(n),)));
    let mut run = |steps: usize| {
        for _ in 0..steps {
            world.tick().unwrap();
        }
    };
    run(60);
    let before = ALLOCATIONS.get();
    run(30);
    assert_eq!(ALLOCATIONS.get() - before, 0, "allocations in 30 steps");
    assert_eq!(world.entity_count(), 3_000);
}
