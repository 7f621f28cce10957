//! A step in steady state allocates nothing.

#[path = "allocation/conditions.rs"]
mod conditions;
#[path = "allocation/events.rs"]
mod events;
#[path = "allocation/flow.rs"]
mod flow;
#[path = "allocation/heap.rs"]
mod heap;
#[path = "allocation/joins.rs"]
mod joins;
#[path = "allocation/peak.rs"]
mod peak;
#[path = "allocation/pending.rs"]
mod pending;
#[path = "allocation/relations.rs"]
mod relations;
#[path = "allocation/rolls.rs"]
mod rolls;
#[path = "allocation/states.rs"]
mod states;
#[path = "allocation/tracking.rs"]
mod tracking;
#[path = "allocation/updates.rs"]
mod updates;

use ecs_core::SystemName;
use ecs_core::events::Events;
use ecs_core::overrides::{ForInstance, ForSubtasks, SystemInstance};
use ecs_core::settings::{
    Allow, AtomicCounter, ByArchetype, Config, Disallow, Dynamic, Fixed, Sequential,
};
use ecs_core::signature::Phases;
use ecs_core::{Data, Entity, System, Threads, World, world};

use heap::ALLOCATIONS;
use updates::{Quicken, Slacken};

#[derive(Clone, Copy)]
struct Age(u32);

#[derive(Clone, Copy)]
struct Place([f32; 2]);

#[derive(Clone, Copy)]
struct Speed([f32; 2]);

#[derive(Clone)]
struct Resting;

world! {
    world Busy { entity_limit: dynamic(100) }
    component Age: contiguous_buffer;
    component (Place, Speed): contiguous_buffer;
    component Resting: contiguous_buffer;
    resource Total;

    system Move {
        parallelism: split_every(100),
        read: [Speed],
        write: [Place],
        without: [Resting],
        insert: [Resting],
        output: Vec<Entity>,
    }
    system Rest {
        parallelism: split_evenly(7),
        dependencies: [Move],
        read: [Age],
        with: [Resting],
        remove: [Resting],
    }
    // An entity is spawned for each despawned one, so the population is constant.
    system Live {
        parallelism: split_evenly(5),
        dependencies: [Rest],
        write: [Age],
        despawn,
        spawn: [(Age, Place, Speed)],
        defer,
    }
    system Count { inputs: [Move], write_resources: [Total] }
    // Two systems that update the same component.
    system Quicken { parallelism: split_evenly(5), dependencies: [Live], read: [Age], update: [Speed] }
    system Slacken { parallelism: split_every(100), dependencies: [Live], read: [Age], update: [Speed] }
}

#[derive(Default)]
struct Total(usize);

#[derive(Default)]
struct Move;

impl System<Busy> for Move {
    fn process(&self, data: &mut Data<'_, Busy, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            e.place.0[0] += e.speed.0[0];
            e.place.0[1] += e.speed.0[1];
            effects.output().push(e.entity);
            if e.place.0[0] > 20.0 {
                e.place.0[0] = 0.0;
                effects.insert(e.entity, Resting);
            }
        });
    }
}

#[derive(Default)]
struct Rest;

impl System<Busy> for Rest {
    fn process(&self, data: &mut Data<'_, Busy, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            if e.age.0 % 3 == 0 {
                effects.remove::<Resting>(e.entity);
            }
        });
    }
}

#[derive(Default)]
struct Live {
    deaths: usize,
}

impl System<Busy> for Live {
    fn process(&self, data: &mut Data<'_, Busy, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            e.age.0 += 1;
            if e.age.0 == 30 {
                effects.despawn(e.entity);
                effects.spawn((Age(0), Place([0.0; 2]), Speed([1.0; 2])));
                effects.defer(|defer| defer.system_mut::<Self>().deaths += 1);
            }
        });
    }
}

#[derive(Default)]
struct Count;

impl System<Busy> for Count {
    fn process(&self, data: &mut Data<'_, Busy, Self>) {
        let moved = data.effects.outputs_of::<Move>().flatten().count();
        data.resources.get_mut::<Total>().0 += moved;
    }
}

/// Every system's own body, called through an adapter.
struct Own;

impl<N: SystemName<Busy>> ForSubtasks<Busy, N> for Own {
    fn process(&self, system: &N::System, data: &mut Data<'_, Busy, N>) {
        system.process(data);
    }
}

impl<N: SystemName<Busy>> ForInstance<Busy, N> for Own {
    fn execute(&self, instance: &mut SystemInstance<'_, '_, Busy, N>) {
        instance.for_subtasks(System::process);
    }
}

const ENTITIES: u32 = 6_000;

/// Steps until every buffer has reached its largest size. Then asserts that further steps allocate nothing.
fn assert_frugal<S: ecs_core::settings::Settings>() {
    let mut world = World::<Busy, S>::on(Threads::Inline);
    world
        .step(|step| {
            for i in 0..ENTITIES {
                let speed = Speed([1.0 + (i % 3) as f32, 0.5]);
                step.spawn((Age(i % 30), Place([i as f32 % 20.0, 0.0]), speed));
            }
        })
        .unwrap();
    let mut run = |steps: usize| {
        for _ in 0..steps {
            world
                .step(|step| {
                    step.execute_with(|systems| {
                        systems.systems::<(Rest,)>().detailed(Own).remaining().for_subtasks(Own)
                    });
                    step.execute_systems_from::<(Count,)>();
                })
                .unwrap();
            assert_eq!(world.entity_count() as u32, ENTITIES);
        }
        world.system::<Live>().deaths
    };
    // The pattern repeats once every age has passed through all the loops above.
    let deaths = run(600);
    let before = ALLOCATIONS.get();
    let more = run(300) - deaths;
    assert_eq!(ALLOCATIONS.get() - before, 0, "allocations in 300 steps");
    assert!(more > 50_000, "{more} deaths");
}

#[test]
fn a_step_in_steady_state_allocates_nothing() {
    assert_frugal::<Config<Dynamic<100>, Allow, AtomicCounter>>();
}

#[test]
fn nor_does_one_with_a_fixed_limit() {
    assert_frugal::<Config<Fixed<20_000>, Allow, AtomicCounter>>();
}

#[test]
fn nor_does_one_without_inner_parallelism() {
    assert_frugal::<Config<Dynamic<100>, Disallow, Sequential>>();
}

#[test]
fn nor_does_one_with_rows_by_archetype() {
    assert_frugal::<Config<ByArchetype<100>, Allow, AtomicCounter>>();
}

world! {
    world Relay { entity_limit: dynamic(100), staged_changes: refresh_before_dependents }
    component Age: contiguous_buffer;
    component Resting: contiguous_buffer;
    system Rouse { parallelism: split_every(100), with: [Resting], remove: [Resting] }
    system Tire {
        parallelism: split_every(100),
        dependencies: [Rouse],
        write: [Age],
        without: [Resting],
        insert: [Resting],
        despawn,
        spawn: [(Age,)],
    }
    system See { dependencies: [Tire], with: [Resting], output: Vec<Entity> }
}

#[derive(Default)]
struct Rouse;

impl System<Relay> for Rouse {
    fn process(&self, data: &mut Data<'_, Relay, Self>) {
        let Data { own, effects, .. } = data;
        own.query::<Entity>().for_each(|entity| effects.remove::<Resting>(entity));
    }
}

#[derive(Default)]
struct Tire;

impl System<Relay> for Tire {
    fn process(&self, data: &mut Data<'_, Relay, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            e.age.0 += 1;
            if e.age.0 % 4 == 0 {
                effects.insert(e.entity, Resting);
            }
            if e.age.0 == 30 {
                effects.despawn(e.entity);
                effects.spawn((Age(0),));
            }
        });
    }
}

#[derive(Default)]
struct See;

impl System<Relay> for See {
    fn process(&self, data: &mut Data<'_, Relay, Self>) {
        let Data { own, effects, .. } = data;
        own.query::<Entity>().for_each(|entity| effects.output().push(entity));
    }
}

#[test]
fn nor_does_a_step_of_several_phases() {
    assert_eq!(Phases::of::<Relay>().count(), 3);
    let mut world = World::<Relay>::on(Threads::Inline);
    world
        .step(|step| {
            for i in 0..3_000 {
                step.spawn((Age(i % 30),));
            }
        })
        .unwrap();
    let mut run = |steps: usize| {
        let mut seen = 0;
        for _ in 0..steps {
            world
                .step(|step| {
                    step.execute_systems();
                    step.output_parts_of::<See>().for_each(|output| seen += output.len());
                    step.execute_systems_from::<(See,)>();
                })
                .unwrap();
        }
        seen
    };
    run(200);
    let before = ALLOCATIONS.get();
    let seen = run(90);
    assert_eq!(ALLOCATIONS.get() - before, 0, "allocations in 90 steps");
    assert_eq!(seen, 90 * 700, "seven ages in thirty are multiples of four");
}

#[test]
fn nor_does_a_step_that_reports_events() {
    let mut world = World::<Relay>::on(Threads::Inline);
    world
        .step(|step| {
            for i in 0..3_000 {
                step.spawn((Age(i % 30),));
            }
        })
        .unwrap();
    let mut run = |steps: usize| {
        let [mut subscribed, mut reclaimed] = [0; 2];
        for _ in 0..steps {
            let events = Events::new()
                .on_subscribe::<See>(|_| subscribed += 1)
                .on_unsubscribe::<Tire>(|event| {
                    assert!(!event.is_alive() || event.get::<Resting>().is_some());
                })
                .on_reclaim(|_| reclaimed += 1);
            world.step_with(events, |step| step.execute_systems()).unwrap();
        }
        (subscribed, reclaimed)
    };
    run(200);
    let before = ALLOCATIONS.get();
    let told = run(90);
    assert_eq!(ALLOCATIONS.get() - before, 0, "allocations in 90 steps");
    assert_eq!(told, (90 * 700, 90 * 100));
}

#[test]
fn nor_do_snapshots_in_a_ring_and_restorations() {
    let mut world = World::<Relay>::on(Threads::Inline);
    world.spawn_batch((0..5_000).map(|i| (Age(i % 30),)));
    let mut ring: Vec<_> = (0..60).map(|_| world.snapshot()).collect();
    let mut run = |steps: usize| {
        for n in 0..steps {
            world.tick().unwrap();
            world.snapshot_into(&mut ring[n % 60]);
            if n % 50 == 49 {
                world.restore(&ring[(n + 1) % 60]).unwrap();
            }
        }
        world.entity_count()
    };
    run(600);
    let before = ALLOCATIONS.get();
    let entities = run(600);
    assert_eq!((ALLOCATIONS.get() - before, entities), (0, 5_000));
}

#[test]
fn nor_does_creation_under_a_fixed_limit() {
    const LIMIT: u32 = 10_000;
    let mut world = World::<Relay, Config<Fixed<{ LIMIT as usize }>, Allow, AtomicCounter>>::on(
        Threads::Inline,
    );
    let created = world.step(|step| {
        let before = ALLOCATIONS.get();
        (0..LIMIT).for_each(|i| {
            step.spawn((Age(i),));
        });
        ALLOCATIONS.get() - before
    });
    assert_eq!(created, Ok(0), "allocations while entities are created");
}

#[test]
fn the_counter_counts() {
    let before = ALLOCATIONS.get();
    let mut grown = vec![0_u8; std::hint::black_box(10)];
    grown.reserve(std::hint::black_box(1_000));
    assert!(ALLOCATIONS.get() - before >= 2);
}
