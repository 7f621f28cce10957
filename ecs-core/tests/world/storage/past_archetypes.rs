//! Archetypes that no entity has any more do not affect later results.

use ecs_core::{Data, Entity, PAGE_ROWS, StateHash, System, Threads, World, world};

#[derive(Clone, StateHash)]
struct Number(u32);
macro_rules! tags {
    ($($tag:ident)*) => { $(#[derive(Clone, StateHash)] struct $tag;)* };
}
tags!(T0 T1 T2 T3 T4 T5 T6 T7 T8 T9 T10 T11);

world! {
    // A step with several refreshes.
    world Past { rows: by_archetype, staged_changes: refresh_before_dependents }
    component Number: contiguous_buffer;
    component T0: empty; component T1: empty; component T2: empty; component T3: empty;
    component T4: empty; component T5: empty; component T6: empty; component T7: empty;
    component T8: empty; component T9: empty; component T10: empty; component T11: empty;
    system Spawn { spawn: [(Number,)] }
    system Despawn { read: [Number], despawn, dependencies: [Spawn] }
    system Look { read: [Number], dependencies: [Despawn], output: Vec<Entity> }
}

/// Whether entities are to be spawned.
#[derive(Clone, Default, StateHash)]
struct Spawn(bool);
#[derive(Clone, Default, StateHash)]
struct Despawn;
#[derive(Clone, Default, StateHash)]
struct Look;

impl System<Past> for Spawn {
    fn process(&self, data: &mut Data<'_, Past, Self>) {
        if self.0 {
            (0..200).for_each(|n| data.effects.spawn((Number(n),)));
        }
    }
}

impl System<Past> for Despawn {
    fn process(&self, data: &mut Data<'_, Past, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            if e.number.0 < 64 {
                effects.despawn(e.entity);
            }
        });
    }
}

impl System<Past> for Look {
    fn process(&self, data: &mut Data<'_, Past, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| effects.output().push(e.entity));
    }
}

/// Spawns an entity with this set of tags, and despawns it in the next step.
fn live(world: &mut World<Past>, tags: usize) {
    let spawned = world.step(|step| {
        let entity = step.spawn(());
        macro_rules! add {
            ($($n:literal $tag:ident)*) => {
                $(if tags >> $n & 1 == 1 { step.insert(entity, $tag).unwrap(); })*
            };
        }
        add!(0 T0 1 T1 2 T2 3 T3 4 T4 5 T5 6 T6 7 T7 8 T8 9 T9 10 T10 11 T11);
        entity
    });
    let entity = spawned.unwrap();
    world.step(|step| step.despawn(entity)).unwrap();
}

/// Spawns and despawns `lives` entities, of as many archetypes or of a few. Returns the hash, and the result
/// of a further step.
fn run(of_many_archetypes: bool, lives: usize) -> (u64, (u64, Vec<Entity>)) {
    let mut world = World::<Past>::on(Threads::Inline);
    for n in 0..lives {
        // The last 16 entities leave the same pages in either case.
        let of_many_archetypes = of_many_archetypes && n + 16 < lives;
        live(&mut world, if of_many_archetypes { 17 + n } else { 1 + n % 16 });
    }
    let before = world.state_hash();
    world.system_mut::<Spawn>().0 = true;
    let order = world.step(|step| {
        // An archetype has pages, loses all of them in the middle of the step, and gets spawns again.
        let numbers = (0..5 * PAGE_ROWS as u32).map(|n| (Number(n),));
        let spawned: Vec<Entity> = step.spawn_batch(numbers).collect();
        for entity in spawned {
            step.despawn(entity);
        }
        step.execute_systems();
        step.outputs_of::<Look>().flatten().copied().collect()
    });
    (before, (world.state_hash(), order.unwrap()))
}

#[test]
fn equal_states_go_on_alike_whatever_the_archetypes_before() {
    // Beyond about 1 024 archetypes, some are removed from the table.
    for lives in [1_000, 1_022, 1_023, 1_024, 1_025, 1_026] {
        let ((one, then), (other, otherwise)) = (run(true, lives), run(false, lives));
        assert_eq!(one, other, "{lives} lives");
        assert!(then == otherwise, "{lives} lives");
        assert!(then.1.len() > 100);
    }
}
