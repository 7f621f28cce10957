//! The memory of a peak is freed, and small fluctuations allocate nothing.

use ecs_core::settings::{Allow, AtomicCounter, ByArchetype, Config, Dynamic, Fixed, Settings};
use ecs_core::{Data, Entity, System, Threads, World, world};

use super::heap::{ALLOCATIONS, BYTES};

const PEAK: usize = 300_000;

struct Number(u64);
struct Load(#[expect(dead_code, reason = "only its drop and its size count")] [u64; 4]);
struct Name(Box<usize>);

world! {
    world Tide { entity_limit: dynamic(100) }
    component Number: contiguous_buffer;
    component (Load, Name): contiguous_buffer;
    system Grow { write: [Number], with: [Load] }
    system Chosen { opt_in, write: [Number], dependencies: [Grow] }
}

#[derive(Default)]
struct Grow;
#[derive(Default)]
struct Chosen;

impl System<Tide> for Grow {
    fn process(&self, data: &mut Data<'_, Tide, Self>) {
        data.own.for_entities(|e| e.number.0 += 1);
    }
}

impl System<Tide> for Chosen {
    fn process(&self, data: &mut Data<'_, Tide, Self>) {
        data.own.for_entities(|e| e.number.0 += 1);
    }
}

fn fill<S: Settings>(world: &mut World<Tide, S>, count: usize) -> Vec<Entity> {
    let filled = world.step(|step| {
        let one = |n: usize| {
            let entity = step.spawn((Number(n as u64), Load([0; 4]), Name(Box::new(n))));
            if n.is_multiple_of(2) {
                step.subscribe::<Chosen>(entity).unwrap();
            }
            entity
        };
        (0..count).map(one).collect()
    });
    filled.unwrap()
}

fn despawn<S: Settings>(world: &mut World<Tide, S>, entities: impl Iterator<Item = Entity>) {
    world.step(|step| entities.for_each(|entity| step.despawn(entity))).unwrap();
}

/// A peak, after which one entity in ten is left. Returns the bytes at the peak and afterwards.
fn ebb<S: Settings>() -> (isize, isize) {
    let before = BYTES.get();
    let mut world = World::<Tide, S>::on(Threads::Inline);
    for round in 1..=2 {
        let entities = fill(&mut world, PEAK);
        world.tick().unwrap();
        despawn(
            &mut world,
            entities.iter().enumerate().filter(|(n, _)| n % 10 > 0).map(|(_, e)| *e),
        );
        assert_eq!(world.entity_count(), round * PEAK / 10);
        // The remaining entities have their components, and are subscribed as before.
        world.tick().unwrap();
        for n in (0..PEAK).step_by(10) {
            // Twice by `Grow`, and twice by `Chosen`, as their numbers are even.
            assert_eq!(world.get::<Number>(entities[n]).unwrap().0, n as u64 + 4);
            assert_eq!(*world.get::<Name>(entities[n]).unwrap().0, n);
        }
    }
    let entities = fill(&mut world, PEAK);
    let peak = BYTES.get() - before;
    let names = (size_of::<usize>() * PEAK) as isize;
    despawn(&mut world, entities.into_iter());
    (peak - names, BYTES.get() - before)
}

#[test]
fn what_a_peak_has_taken_is_given_back() {
    let in_order = ebb::<Config<Dynamic<100>, Allow, AtomicCounter>>();
    let by_archetype = ebb::<Config<ByArchetype<100>, Allow, AtomicCounter>>();
    for (peak, after) in [in_order, by_archetype] {
        // The slots lie in a mapping, which the heap does not count; of those that are packed it has some words.
        assert!(after < peak / 2, "{after} bytes of {peak} are left");
    }
    // A fixed limit reserves its memory once.
    let (peak, after) = ebb::<Config<Fixed<{ 2 * PEAK }>, Allow, AtomicCounter>>();
    assert!(after > peak / 2, "{after} bytes of {peak} are left");
}

mod still {
    use super::{Load, Name, Number, world};

    world! {
        /// A world that takes no steps.
        pub(super) world Still;
        component Number, Load, Name;
        system Look { each: |_: &Number, _: &Load| {} }
    }
}

#[test]
fn what_a_peak_between_steps_has_taken_is_given_back() {
    let before = BYTES.get();
    let mut world = World::<still::Still>::on(Threads::Inline);
    let bundle = |n| (Number(n as u64), Load([0; 4]), Name(Box::new(n)));
    let entities = world.spawn_batch((0..PEAK).map(bundle));
    let names = (size_of::<usize>() * PEAK) as isize;
    let peak = BYTES.get() - before - names;
    for &entity in &entities[1..] {
        world.despawn(entity);
    }
    drop(entities);
    let after = BYTES.get() - before;
    assert_eq!(*world.iter::<&Name>().next().unwrap().0, 0);
    let handles = PEAK as isize;
    assert!(after - handles < peak / 4, "{after} bytes of {peak} are left");
}

#[test]
fn going_up_and_down_a_little_allocates_nothing() {
    go_up_and_down::<Config<Dynamic<100>, Allow, AtomicCounter>>();
    go_up_and_down::<Config<ByArchetype<100>, Allow, AtomicCounter>>();
}

fn go_up_and_down<S: Settings>() {
    let mut world = World::<Tide, S>::on(Threads::Inline);
    let mut all = fill(&mut world, 100_000);
    let mut spawned = Vec::with_capacity(10_000);
    let mut tide = |world: &mut World<Tide, S>| {
        let low = all.len() - 10_000;
        world.step(|step| all.drain(low..).for_each(|entity| step.despawn(entity))).unwrap();
        world
            .step(|step| {
                for n in 0..5_000 {
                    spawned.push(step.spawn((Number(n), Load([0; 4]))));
                }
                let rest = (5_000..10_000).map(|n| (Number(n), Load([0; 4])));
                spawned.extend(step.spawn_batch(rest));
            })
            .unwrap();
        all.append(&mut spawned);
    };
    (0..3).for_each(|_| tide(&mut world));
    let before = ALLOCATIONS.get();
    (0..5).for_each(|_| tide(&mut world));
    assert_eq!(ALLOCATIONS.get(), before);
}
