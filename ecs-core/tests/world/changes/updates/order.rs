//! Updates combined with other changes of the same entities, in every kind of storage. All combinations are
//! compared with the result expected of each.

use ecs_core::storage::HashMapStorage;
use ecs_core::{Data, Entity, Place, StepError, System, Threads, World, world};

use crate::support::{Counted, Ledger, caught, every_kind, fail};

/// The changes of an entity: a bit for each system.
#[derive(Clone, Copy)]
struct Plan(u32);

/// A value for each storage strategy: the system that wrote it, and a counter of its drops.
macro_rules! values {
    ($($C:ident)*) => {$(
        struct $C(u32, #[expect(dead_code, reason = "only its drop counts")] Counted);
    )*};
}
values! { Flat Left Right Mapped Sparse Own }

#[derive(Default)]
struct Pool(Ledger);

world! {
    world Mixed { entity_limit: dynamic(16) }
    component Plan: contiguous_buffer;
    component Flat: contiguous_buffer;
    component (Left, Right): contiguous_buffer;
    component Mapped: hash_map;
    component Sparse: sparse_set;
    component Own: storage(HashMapStorage<Own>);
    resource Pool;

    system Third {
        parallelism: split_every(64),
        dependencies: [First],
        read: [Plan],
        read_resources: [Pool],
        update: [Flat, Left, Right, Mapped, Sparse, Own],
    }
    system First {
        parallelism: split_every(64),
        read: [Plan],
        read_resources: [Pool],
        update: [Flat, Left, Right, Mapped, Sparse, Own],
    }
    system Loose {
        parallelism: split_every(128),
        read: [Plan],
        read_resources: [Pool],
        update: [Flat, Left, Right, Mapped, Sparse, Own],
    }
    system Strip { read: [Plan], remove: [Flat, Left, Right, Mapped, Sparse, Own] }
    system Slay { read: [Plan], despawn }
    system Fail { read: [Plan], dependencies: [Third, Loose] }
}

/// The updates of a system.
macro_rules! updates {
    ($($S:ident: $bit:literal;)*) => {$(
        #[derive(Default)]
        struct $S;

        impl System<Mixed> for $S {
            fn process(&self, data: &mut Data<'_, Mixed, Self>) {
                let ledger = &data.resources.get::<Pool>().0;
                let Data { own, effects, .. } = data;
                own.for_entities(|e| {
                    if e.plan.0 & 1 << $bit != 0 {
                        let plan = e.plan.0;
                        let value = || if plan & ARMED == 0 { ledger.make() } else { ledger.bomb() };
                        effects.update(e.entity, Flat($bit, value()));
                        effects.update(e.entity, Left($bit, ledger.make()));
                        effects.update(e.entity, Right($bit, ledger.make()));
                        effects.update(e.entity, Mapped($bit, value()));
                        effects.update(e.entity, Sparse($bit, ledger.make()));
                        effects.update(e.entity, Own($bit, ledger.make()));
                    }
                });
            }
        }
    )*};
}
updates! { First: 0; Third: 1; Loose: 2; }

const STRIP: u32 = 1 << 3;
const SLAY: u32 = 1 << 4;
/// A bit: a system panics when it comes to the entity.
const FAIL: u32 = 1 << 5;
/// A bit: values panic when they are dropped.
const ARMED: u32 = 1 << 6;

#[derive(Default)]
struct Strip;

impl System<Mixed> for Strip {
    fn process(&self, data: &mut Data<'_, Mixed, Self>) {
        let Data { own, effects, .. } = data;
        own.query::<(Place, &Plan)>().for_each(|(place, plan)| {
            if plan.0 & STRIP != 0 {
                effects.remove::<Flat>(place);
                effects.remove::<Left>(place);
                effects.remove::<Right>(place);
                effects.remove::<Mapped>(place);
                effects.remove::<Sparse>(place);
                effects.remove::<Own>(place);
            }
        });
    }
}

#[derive(Default)]
struct Slay;

impl System<Mixed> for Slay {
    fn process(&self, data: &mut Data<'_, Mixed, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            if e.plan.0 & SLAY != 0 {
                effects.despawn(e.entity);
            }
        });
    }
}

#[derive(Default)]
struct Fail;

impl System<Mixed> for Fail {
    fn process(&self, data: &mut Data<'_, Mixed, Self>) {
        data.own.for_entities(|e| {
            if e.plan.0 & FAIL != 0 {
                fail("a system");
            }
        });
    }
}

/// The number of a value that no system has updated.
const OLD: u32 = 9;

fn world(threads: Threads, plans: &[u32]) -> (World<Mixed>, Vec<Entity>, Ledger) {
    let mut world = World::<Mixed>::on(threads);
    let ledger = world.resource::<Pool>().0.clone();
    let entities = world.step(|step| {
        let entity = |&plan: &u32| {
            let value = || if plan & ARMED == 0 { ledger.make() } else { ledger.bomb() };
            let pair = (Left(OLD, ledger.make()), Right(OLD, ledger.make()));
            let others =
                (Mapped(OLD, value()), Sparse(OLD, ledger.make()), Own(OLD, ledger.make()));
            let entity = step.spawn((Plan(plan), Flat(OLD, value()), pair.0, pair.1));
            drop(step.insert(entity, others.0));
            drop(step.insert(entity, others.1));
            drop(step.insert(entity, others.2));
            entity
        };
        plans.iter().map(entity).collect()
    });
    (world, entities.unwrap(), ledger)
}

/// The number of the entity's values, if it has them. It is the same in every storage.
fn whose(world: &World<Mixed>, entity: Entity) -> Option<u32> {
    let found = [
        world.get::<Flat>(entity).map(|value| value.0),
        world.get::<Left>(entity).map(|value| value.0),
        world.get::<Right>(entity).map(|value| value.0),
        world.get::<Mapped>(entity).map(|value| value.0),
        world.get::<Sparse>(entity).map(|value| value.0),
        world.get::<Own>(entity).map(|value| value.0),
    ];
    assert_eq!(found, [found[0]; 6]);
    found[0]
}

#[test]
fn every_combination_comes_out_as_expected() {
    // More entities than fit into a chunk, so that several threads apply the updates.
    let plans: Vec<u32> = (0..20_000).map(|n| n % 32).collect();
    for threads in every_kind() {
        let (mut world, entities, ledger) = world(threads, &plans);
        let conflict = StepError::UpdateConflict {
            component: "Flat",
            systems: ["First", "Loose"],
            entity: entities[5],
        };
        assert_eq!(world.tick(), Err(conflict));
        let mut values = 0;
        for (&plan, &entity) in plans.iter().zip(&entities) {
            let updates = plan & 0b111;
            let expected = match updates {
                _ if plan & (STRIP | SLAY) != 0 => None,
                // The later system in the order.
                0b01 => Some(0),
                0b10 | 0b11 => Some(1),
                0b100 => Some(2),
                // No update, or conflicting updates.
                _ => Some(OLD),
            };
            assert_eq!(world.is_alive(entity), plan & SLAY == 0);
            assert_eq!(whose(&world, entity), expected, "{plan:b}");
            values += if expected.is_some() { 6 } else { 0 };
        }
        assert_eq!(ledger.living(), values);
        drop(world);
        assert_eq!(ledger.living(), 0);
    }
}

#[test]
fn a_panic_in_a_system_drops_every_update() {
    for threads in every_kind() {
        let (mut world, entities, ledger) = world(threads, &[1, 2, 4, FAIL]);
        assert_eq!(caught(|| world.tick()), "a system");
        assert!(entities.iter().all(|&entity| whose(&world, entity) == Some(OLD)));
        assert_eq!(ledger.living(), 4 * 6);
        assert!(ledger.made() > 4 * 6, "some were staged");
    }
}

#[test]
fn a_panic_in_a_drop_prevents_no_update() {
    for threads in every_kind() {
        for plan in [1, 4, 5, 1 | STRIP, 2 | SLAY] {
            let (mut world, entities, ledger) = world(threads.clone(), &[1, plan | ARMED, 4]);
            assert_eq!(caught(|| world.tick()), "bomb");
            let expected = match plan {
                1 => Some(0),
                4 => Some(2),
                5 => Some(OLD),
                _ => None,
            };
            assert_eq!(whose(&world, entities[1]), expected);
            assert_eq!([0, 2].map(|i| whose(&world, entities[i])), [Some(0), Some(2)]);
            assert_eq!(ledger.living(), 12 + if expected.is_some() { 6 } else { 0 });
            assert_eq!(
                caught(|| drop(world)),
                if expected.is_some() { "bomb" } else { "no panic" }
            );
            assert_eq!(ledger.living(), 0);
        }
    }
}
