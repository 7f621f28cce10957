//! Rows by archetype: the same entities as with rows in order, in other rows, and the same bits on any number
//! of threads.

use std::collections::BTreeMap;

use ecs_core::settings::{Allow, AtomicCounter, ByArchetype, Config, Dynamic, Settings};
use ecs_core::{Data, Entity, StateHash, Step, System, Threads, World, world};

use crate::support::{Ledger, caught, every_kind, fail, mix};

/// Identifies an entity across worlds, whatever its handle.
#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
struct Id(u64);
#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
struct Mass(u64);
#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
struct Hull(u64);
#[derive(Clone, Debug, PartialEq, StateHash)]
struct Name(String);
#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
struct Armed;

world! {
    world Space { rows: by_archetype, entity_limit: dynamic(16) }
    component (Id, Mass): contiguous_buffer;
    component Hull: contiguous_buffer;
    component Name: hash_map;
    component Armed: empty;

    resource Clock;

    system Drift { parallelism: split_every(700), read: [Id], write: [Mass] }
    system Bump { parallelism: split_evenly(3), write: [Hull], with: [Armed] }
    system Wreck { parallelism: split_evenly(4), read: [Id], read_resources: [Clock], despawn }
    system Dock {
        parallelism: split_evenly(4),
        read: [Id],
        read_resources: [Clock],
        spawn: [(Id, Mass), (Id, Mass, Hull), (Id, Armed, Hull)],
    }
    system Paint {
        parallelism: split_evenly(2),
        read: [Id],
        read_resources: [Clock],
        insert: [Name],
        remove: [Hull],
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, StateHash)]
struct Clock(u64);

#[derive(Clone, Default, StateHash)]
struct Drift;
#[derive(Clone, Default, StateHash)]
struct Bump;
#[derive(Clone, Default, StateHash)]
struct Wreck;
#[derive(Clone, Default, StateHash)]
struct Dock;
#[derive(Clone, Default, StateHash)]
struct Paint;

impl System<Space> for Drift {
    fn process(&self, data: &mut Data<'_, Space, Self>) {
        data.own.for_entities(|e| e.mass.0 = mix(e.mass.0 ^ e.id.0));
    }
}

impl System<Space> for Bump {
    fn process(&self, data: &mut Data<'_, Space, Self>) {
        data.own.for_entities(|e| e.hull.0 += 1);
    }
}

impl System<Space> for Wreck {
    fn process(&self, data: &mut Data<'_, Space, Self>) {
        let Clock(now) = *data.resources.get::<Clock>();
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            // Some archetypes become empty for a while.
            let often = if e.id.0 % 5 == now / 4 % 5 { 2 } else { 16 };
            if mix(e.id.0 ^ now).is_multiple_of(often) {
                effects.despawn(e.entity);
            }
        });
    }
}

impl System<Space> for Dock {
    fn process(&self, data: &mut Data<'_, Space, Self>) {
        let Clock(now) = *data.resources.get::<Clock>();
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            let id = mix(e.id.0 ^ now << 32);
            match id % 24 {
                0 => effects.spawn((Id(id), Mass(1))),
                1 => effects.spawn((Id(id), Mass(2), Hull(3))),
                2 => effects.spawn((Id(id), Armed, Hull(4))),
                _ => {}
            }
        });
    }
}

impl System<Space> for Paint {
    fn process(&self, data: &mut Data<'_, Space, Self>) {
        let Clock(now) = *data.resources.get::<Clock>();
        let Data { own, effects, .. } = data;
        own.for_entities(|e| match mix(e.id.0 ^ now << 16) % 40 {
            0 => effects.insert(e.entity, Name(e.id.0.to_string())),
            1 => effects.remove::<Hull>(e.entity),
            _ => {}
        });
    }
}

type Sorted = Config<ByArchetype<16>, Allow, AtomicCounter>;
type InOrder = Config<Dynamic<16>, Allow, AtomicCounter>;

/// Spawns entities of many archetypes in turn, by every operation that spawns.
fn fill<S: Settings>(step: &mut Step<'_, Space, S>, count: u64) {
    for n in 0..count {
        let id = Id(mix(n));
        match n % 5 {
            0 => {
                step.spawn((id, Mass(n)));
            }
            1 => {
                step.spawn((id, Mass(n), Hull(n), Armed));
            }
            2 => {
                let entity = step.spawn(());
                step.insert(entity, Hull(n)).expect("it lives");
                step.insert(entity, id).expect("it lives");
            }
            3 => {
                let entity = step.spawn((id, Mass(n)));
                step.insert(entity, Name(n.to_string())).expect("it lives");
            }
            _ => assert_eq!(step.spawn_batch([(id, Armed)]).len(), 1),
        }
    }
    step.spawn_batch((0..count).map(|n| (Id(mix(n | 1 << 40)), Mass(n), Hull(7))));
}

type Parts = (Option<Mass>, Option<Hull>, Option<Name>, bool);

/// The components of all entities, by `Id`, regardless of rows and handles.
fn contents<S: Settings>(world: &World<Space, S>) -> BTreeMap<u64, Parts> {
    type Terms<'a> =
        (&'a Id, Option<&'a Mass>, Option<&'a Hull>, Option<&'a Name>, Option<&'a Armed>);
    let mut all = BTreeMap::new();
    for (id, mass, hull, name, armed) in world.iter::<Terms<'_>>() {
        let parts = (mass.copied(), hull.copied(), name.cloned(), armed.is_some());
        assert_eq!(all.insert(id.0, parts), None);
    }
    all
}

fn step<S: Settings>(world: &mut World<Space, S>) {
    world.resource_mut::<Clock>().0 += 1;
    world.tick().unwrap();
}

fn filled<S: Settings>(threads: Threads, count: u64) -> World<Space, S> {
    let mut world = World::on(threads);
    world.step(|step| fill(step, count)).unwrap();
    world
}

#[test]
fn the_same_entities_as_in_order_and_the_same_bits_on_any_threads() {
    let mut sorted = filled::<Sorted>(Threads::Inline, 9000);
    let mut in_order = filled::<InOrder>(Threads::Inline, 9000);
    let mut others: Vec<_> =
        every_kind().into_iter().map(|threads| filled::<Sorted>(threads, 9000)).collect();
    for n in 0..24 {
        step(&mut sorted);
        step(&mut in_order);
        assert_eq!(contents(&sorted), contents(&in_order), "step {n}");
        for other in &mut others {
            step(other);
            assert_eq!(other.state_hash(), sorted.state_hash(), "step {n}");
        }
    }
    assert!(sorted.entity_count() > 5000, "the run is one of many entities to its end");
}

/// Counts the adjacent entities in row order that differ in their components.
fn changes<S: Settings>(world: &World<Space, S>) -> usize {
    type Terms<'a> =
        (Option<&'a Id>, Option<&'a Mass>, Option<&'a Hull>, Option<&'a Name>, Option<&'a Armed>);
    let mut archetypes = Vec::new();
    for (id, mass, hull, name, armed) in world.iter::<Terms<'_>>() {
        archetypes.push([
            id.is_some(),
            mass.is_some(),
            hull.is_some(),
            name.is_some(),
            armed.is_some(),
        ]);
    }
    archetypes.windows(2).filter(|pair| pair[0] != pair[1]).count()
}

#[test]
fn entities_with_the_same_components_are_contiguous() {
    // There are six archetypes. One of them fills three pages.
    assert!(changes(&filled::<Sorted>(Threads::Inline, 9000)) <= 8);
    assert!(changes(&filled::<InOrder>(Threads::Inline, 9000)) >= 9000 / 5 * 4);
}

#[test]
fn a_snapshot_goes_on_like_the_world_and_into_worlds_in_order() {
    let mut world = filled::<Sorted>(Threads::Inline, 5000);
    for _ in 0..6 {
        step(&mut world);
    }
    let snapshot = world.snapshot();
    let (hash, all) = (world.state_hash(), contents(&world));
    let mut clone = world.clone();
    let mut elsewhere = filled::<Sorted>(Threads::Inline, 3000);
    elsewhere.restore(&snapshot).unwrap();
    let mut in_order = filled::<InOrder>(Threads::Inline, 3000);
    in_order.restore(&snapshot).unwrap();
    for _ in 0..12 {
        for other in [&clone, &elsewhere] {
            assert_eq!(other.state_hash(), world.state_hash());
        }
        assert_eq!(contents(&in_order), contents(&world));
        step(&mut world);
        step(&mut clone);
        step(&mut elsewhere);
        step(&mut in_order);
    }
    world.restore(&snapshot).unwrap();
    assert_eq!((world.state_hash(), contents(&world)), (hash, all));
    // The other direction: entities that lay in order are stored in pages of their own.
    let mut sorted = World::<Space, Sorted>::new();
    sorted.restore(&in_order.snapshot()).unwrap();
    for _ in 0..4 {
        assert_eq!(contents(&sorted), contents(&in_order));
        step(&mut sorted);
        step(&mut in_order);
    }
}

#[test]
fn a_batch_that_is_not_spawned_leaves_no_trace() {
    let mut world = filled::<Sorted>(Threads::Inline, 5000);
    // The next step closes the gaps that spawns have left.
    world.step(|_| ()).unwrap();
    let hash = world.state_hash();
    for count in [0, 1, 63, 64, 5000, 20_000] {
        let text = caught(|| {
            world.step(|step| {
                let bundles = (0..=count).map(|n| {
                    if n == count {
                        fail("no further one");
                    }
                    (Id(1 << 50 | n), Hull(1))
                });
                step.spawn_batch(bundles);
            })
        });
        assert_eq!(text, "no further one");
        assert_eq!(world.state_hash(), hash, "{count}");
    }
}

struct Load(#[expect(dead_code, reason = "it is there to be dropped")] crate::support::Counted);
struct Cargo;

world! {
    world Port { rows: by_archetype }
    component Load: contiguous_buffer;
    component Cargo: contiguous_buffer;
    system Leave { with: [Load], despawn }
}

#[derive(Default)]
struct Leave;

impl System<Port> for Leave {
    fn process(&self, data: &mut Data<'_, Port, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| {
            if e.entity.index() % 7 != 0 {
                effects.despawn(e.entity);
            }
        });
    }
}

#[test]
fn every_value_is_dropped_once_wherever_it_goes() {
    let ledger = Ledger::default();
    let mut world = World::<Port>::on(Threads::Inline);
    let mut handles: Vec<Entity> = Vec::new();
    for round in 0..4 {
        let spawned = world.step(|step| {
            let mut spawned = Vec::new();
            for n in 0..9000 {
                let entity = step.spawn(());
                step.insert(entity, Load(ledger.make())).unwrap();
                if n % 2 == round % 2 {
                    step.insert(entity, Cargo).unwrap();
                }
                spawned.push(entity);
            }
            spawned
        });
        handles.extend(spawned.unwrap());
        assert_eq!(ledger.living(), world.entity_count());
        world.tick().unwrap();
        assert_eq!(ledger.living(), world.entity_count());
        for &handle in &handles {
            assert_eq!(world.is_alive(handle), world.get::<Load>(handle).is_some());
        }
    }
    assert!(world.entity_count() > 0);
    drop(world);
    assert_eq!(ledger.living(), 0);
}

world! {
    world Bare { rows: by_archetype }
    component (Id, Mass): contiguous_buffer;
    component Hull: contiguous_buffer;
}

#[test]
fn the_archetype_of_each_page_is_in_the_hash() {
    const PAGE: u64 = ecs_core::storage::PAGE_ROWS as u64;
    // In both worlds one entity without components remains, but the pages differ.
    let mut worlds = [true, false].map(|of_many_archetypes| {
        let mut world = World::<Bare>::on(Threads::Inline);
        let spawned = world.step(|step| {
            let mut all: Vec<Entity> = step.spawn_batch((0..PAGE).map(|_| ())).collect();
            if of_many_archetypes {
                all.extend(step.spawn_batch((0..PAGE).map(|n| (Id(n),))));
                all.extend(step.spawn_batch((0..PAGE).map(|n| (Mass(n),))));
                all.extend(step.spawn_batch((0..PAGE).map(|n| (Hull(n),))));
            } else {
                all.extend(step.spawn_batch((0..3 * PAGE).map(|_| ())));
            }
            all
        });
        let spawned = spawned.unwrap();
        world.step(|step| spawned[1..].iter().for_each(|&e| step.despawn(e))).unwrap();
        world.step(|_| ()).unwrap();
        world
    });
    let hashes = worlds.each_ref().map(World::state_hash);
    let futures = worlds.each_mut().map(|world| {
        world.step(|step| step.spawn((Id(1),))).unwrap();
        let mut rows = Vec::new();
        for (entity, _) in world.iter::<(Entity, &Id)>() {
            rows.push(entity.index());
        }
        rows
    });
    assert!(hashes[0] != hashes[1] || futures[0] == futures[1], "equal hashes, equal futures");
    let empty =
        [World::<Bare, Sorted>::new().state_hash(), World::<Bare, InOrder>::new().state_hash()];
    assert_ne!(empty[0], empty[1]);
}
