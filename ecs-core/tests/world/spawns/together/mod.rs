//! Batched insertion and removal of a component has the same effect as one call per entity.

mod trouble;

use std::cell::RefCell;

use ecs_core::HasComponent;
use ecs_core::Now;
use ecs_core::access::{InsertedBy, Removes};
use ecs_core::events::Events;
use ecs_core::storage::{Metadata, StorageStrategy, Value};
use ecs_core::{Component, Data, Defer, Entity, Locate, Place};
use ecs_core::{StateHash, System, Threads, World, world};
use proptest::prelude::*;

use crate::support::mix;

#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
struct Number(u64);
#[derive(Clone, Debug, PartialEq, StateHash)]
struct Name(String);
#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
#[repr(align(32))]
struct Small(u8);
#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
struct Mark;
#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
struct Tag;
#[derive(Clone, Debug, PartialEq, StateHash)]
struct Rare(String);
#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
struct Packed(u64);
#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
struct Listed(u64);

/// A storage strategy like one of a user.
struct List<C>(Vec<(usize, Value<C>)>);

impl<C: Component> StorageStrategy<C> for List<C> {
    type Metadata = ();

    fn new(_: usize) -> Self {
        Self(Vec::new())
    }

    fn insert(&mut self, row: usize, value: Value<C>, _: &mut Metadata<()>) {
        self.0.push((row, value));
    }

    fn get(&self, row: usize, _: &Metadata<()>) -> Option<&Value<C>> {
        self.0.iter().find(|(owner, _)| *owner == row).map(|(_, value)| value)
    }

    fn remove(&mut self, row: usize, _: &mut Metadata<()>) -> Option<Value<C>> {
        let index = self.0.iter().position(|(owner, _)| *owner == row)?;
        Some(self.0.remove(index).1)
    }
}

world! {
    world Herd { entity_limit: dynamic(8) }
    component Number: contiguous_buffer;
    component (Name, Small): contiguous_buffer;
    component Mark: contiguous_buffer;
    component Tag: empty;
    component Rare: hash_map;
    component Packed: sparse_set;
    component Listed: storage(List<Listed>);
    resource Task;

    system Numbers { read: [Number], without: [Mark], output: Vec<u64> }
    system Names { read: [Name], with: [Tag], without: [Rare], output: Vec<String> }
    system Later { defer, dependencies: [Numbers, Names] }
    system Alone {
        sequential,
        with: [Number],
        write_resources: [Task],
        despawn,
        insert: [Number, Name, Small, Mark, Tag, Rare, Packed, Listed],
        remove: [Number, Name, Small, Mark, Tag, Rare, Packed, Listed],
        dependencies: [Later],
    }
}

/// The changes that systems make, and the counts that these return.
#[derive(Clone, Default, StateHash)]
struct Task {
    changes: Vec<Change>,
    counts: Vec<usize>,
    #[state_hash(skip)]
    together: bool,
}

/// The insertion or removal of one component for several entities.
#[derive(Clone, Debug, StateHash)]
struct Change {
    kind: usize,
    gives: bool,
    whom: Vec<(Entity, u64)>,
}

#[derive(Clone, Default, StateHash)]
struct Numbers;
#[derive(Clone, Default, StateHash)]
struct Names;
#[derive(Clone, Default, StateHash)]
struct Later;
#[derive(Clone, Default, StateHash)]
struct Alone;

impl System<Herd> for Numbers {
    fn process(&self, data: &mut Data<'_, Herd, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| effects.output().push(e.number.0));
    }
}

impl System<Herd> for Names {
    fn process(&self, data: &mut Data<'_, Herd, Self>) {
        let Data { own, effects, .. } = data;
        own.for_entities(|e| effects.output().push(e.name.0.clone()));
    }
}

impl System<Herd> for Later {
    fn process(&self, data: &mut Data<'_, Herd, Self>) {
        data.effects.defer(|defer| {
            let task = defer.resource::<Task>().clone();
            for change in &task.changes {
                let count = at_once(defer, task.together, change);
                defer.resource_mut::<Task>().counts.push(count);
            }
        });
    }
}

impl System<Herd> for Alone {
    fn process(&self, data: &mut Data<'_, Herd, Self>) {
        let Task { changes, together, mut counts } = data.resources.get_mut::<Task>().clone();
        let mut now = data.now();
        for change in &changes {
            counts.push(by_system(&mut now, together, change, &change.whom));
            // The same by places. Some of them are of entities that are despawned by then.
            let mut places: Vec<(Place, u64)> = now.query::<Place>().zip(0..).collect();
            for &(place, _) in places.iter().step_by(23) {
                now.despawn(place);
            }
            places.truncate(change.whom.len());
            counts.push(by_system(&mut now, together, change, &places));
        }
        data.resources.get_mut::<Task>().counts = counts;
    }
}

/// Inserts or removes a component. Returns how many entities were alive, or had the component.
fn at_once(defer: &mut Defer<'_, Herd>, together: bool, change: &Change) -> usize {
    fn one<C: Component>(
        defer: &mut Defer<'_, Herd>,
        together: bool,
        Change { gives, whom, .. }: &Change,
        make: impl Fn(u64) -> C,
    ) -> usize
    where
        Herd: HasComponent<C>,
    {
        match (together, *gives) {
            (true, true) => defer.insert_batch(whom.iter().map(|&(e, n)| (e, make(n)))),
            (true, false) => defer.remove_batch::<C>(whom.iter().map(|&(e, _)| e)),
            (false, true) => {
                whom.iter().filter(|&&(e, n)| defer.insert(e, make(n)).is_ok()).count()
            }
            (false, false) => whom.iter().filter(|&&(e, _)| defer.remove::<C>(e).is_some()).count(),
        }
    }
    match change.kind {
        0 => one(defer, together, change, Number),
        1 => one(defer, together, change, |n| Name(n.to_string())),
        2 => one(defer, together, change, |n| Small(n as u8)),
        3 => one(defer, together, change, |_| Mark),
        4 => one(defer, together, change, |_| Tag),
        5 => one(defer, together, change, |n| Rare(n.to_string())),
        6 => one(defer, together, change, Packed),
        _ => one(defer, together, change, Listed),
    }
}

/// The same in a sequential system.
fn by_system<L: Locate>(
    now: &mut Now<'_, Herd, Alone>,
    together: bool,
    change: &Change,
    whom: &[(L, u64)],
) -> usize {
    fn one<L: Locate, C: InsertedBy<Alone, Herd>>(
        now: &mut Now<'_, Herd, Alone>,
        (together, gives): (bool, bool),
        whom: &[(L, u64)],
        make: impl Fn(u64) -> C,
    ) -> usize
    where
        Herd: HasComponent<C>,
        Alone: Removes<C, Herd>,
    {
        match (together, gives) {
            (true, true) => now.insert_batch(whom.iter().map(|&(e, n)| (e, make(n)))),
            (true, false) => now.remove_batch::<C>(whom.iter().map(|&(e, _)| e)),
            (false, true) => whom
                .iter()
                .filter(|&&(e, n)| {
                    now.insert(e, make(n));
                    now.is_alive(e)
                })
                .count(),
            (false, false) => whom.iter().filter(|&&(e, _)| now.remove::<C>(e).is_some()).count(),
        }
    }
    let how = (together, change.gives);
    match change.kind {
        0 => one(now, how, whom, Number),
        1 => one(now, how, whom, |n| Name(n.to_string())),
        2 => one(now, how, whom, |n| Small(n as u8)),
        3 => one(now, how, whom, |_| Mark),
        4 => one(now, how, whom, |_| Tag),
        5 => one(now, how, whom, |n| Rare(n.to_string())),
        6 => one(now, how, whom, Packed),
        _ => one(now, how, whom, Listed),
    }
}

/// The actions of a step.
#[derive(Clone, Copy, Debug)]
struct Deed {
    spawns: usize,
    /// Decides everything that the other fields leave open.
    seed: u64,
    changes: usize,
    /// Whether systems run too.
    systems: bool,
}

fn deed() -> impl Strategy<Value = Deed> {
    let spawns = prop_oneof![4 => 0..200_usize, 1 => 4_000..4_400_usize];
    (spawns, any::<u64>(), 1..5_usize, any::<bool>())
        .prop_map(|(spawns, seed, changes, systems)| Deed { spawns, seed, changes, systems })
}

/// Some of the entities spawned so far, in one of several orders.
fn some(ever: &[Entity], seed: u64) -> Vec<(Entity, u64)> {
    let share = [1, 2, 7, 60][seed as usize % 4];
    let chosen =
        ever.iter().filter(|e| mix(seed ^ u64::from(e.index())).is_multiple_of(share)).copied();
    let mut whom: Vec<(Entity, u64)> = chosen.zip(seed % 1000..).collect();
    match seed >> 8 & 3 {
        // In the order of spawning.
        0 => {}
        1 => whom.sort_by_key(|&(entity, n)| (mix(entity.index().into()), n)),
        // Each entity is listed twice in a row.
        2 => whom = whom.iter().flat_map(|&(e, n)| [(e, n), (e, n + 1)]).collect(),
        _ => {
            let again: Vec<_> = whom.iter().map(|&(e, n)| (e, n + 7)).rev().collect();
            whom.extend(again);
        }
    }
    // The limit keeps the test short: one of the strategies searches a list.
    whom.truncate(5_000);
    whom
}

/// The events and counts of a step.
#[derive(Debug, Default, PartialEq)]
struct Told {
    events: Vec<(&'static str, Entity)>,
    counts: Vec<usize>,
    spawned: Vec<Entity>,
}

fn perform(world: &mut World<Herd>, together: bool, deed: Deed, ever: &[Entity]) -> Told {
    let Deed { spawns, seed, changes, systems } = deed;
    let change = |n: usize| {
        let seed = mix(seed.wrapping_add(n as u64));
        Change {
            kind: (seed >> 20) as usize % 8,
            gives: seed >> 40 & 1 == 0,
            whom: some(ever, seed),
        }
    };
    let changes: Vec<Change> = (0..changes).map(change).collect();
    *world.resource_mut::<Task>() = Task { changes: changes.clone(), counts: Vec::new(), together };
    let events = RefCell::new(Vec::new());
    let note = |what| {
        let events = &events;
        move |entity| events.borrow_mut().push((what, entity))
    };
    let notes = ["+numbers", "-numbers", "+names", "-names"].map(note);
    let [more_numbers, fewer_numbers, more_names, fewer_names] = notes;
    let handlers = Events::new()
        .on_subscribe::<Numbers>(move |event| more_numbers(event.entity()))
        .on_unsubscribe::<Numbers>(move |event| fewer_numbers(event.entity()))
        .on_subscribe::<Names>(move |event| more_names(event.entity()))
        .on_unsubscribe::<Names>(move |event| fewer_names(event.entity()));
    let done = world.step_with(handlers, |step| {
        let spawned: Vec<Entity> = step.spawn_batch((0..spawns).map(|_| ())).collect();
        for entity in ever.iter().filter(|e| mix(seed ^ u64::from(e.index())).is_multiple_of(8)) {
            step.despawn(*entity);
        }
        let mut counts: Vec<usize> =
            changes.iter().map(|change| at_once(step, together, change)).collect();
        if systems {
            step.execute_systems();
            counts.extend(step.outputs_of::<Numbers>().flatten().map(|&n| n as usize));
            counts.extend(step.outputs_of::<Names>().flatten().map(String::len));
        }
        (spawned, counts)
    });
    let (spawned, mut counts) = done.unwrap();
    counts.extend(&world.resource::<Task>().counts);
    Told { events: events.into_inner(), counts, spawned }
}

proptest! {
    #![proptest_config(crate::support::cases(48))]

    /// Compares counts, components, subscriptions, events, and the state hash.
    #[test]
    fn together_is_as_one_by_one(deeds in proptest::collection::vec(deed(), 1..6)) {
        let mut one_by_one = World::<Herd>::on(Threads::Inline);
        let mut together = World::<Herd>::on(Threads::Inline);
        // Handles of a larger world: some refer to no entity here.
        let mut ever = foreign();
        for deed in deeds {
            let expected = perform(&mut one_by_one, false, deed, &ever);
            prop_assert_eq!(&perform(&mut together, true, deed, &ever), &expected);
            prop_assert_eq!(one_by_one.state_hash(), together.state_hash());
            ever.extend(expected.spawned);
        }
    }
}

/// Handles of another world, of first and second generations.
fn foreign() -> Vec<Entity> {
    let mut world = World::<Herd>::on(Threads::Inline);
    let spawns = |world: &mut World<Herd>| -> Vec<Entity> {
        world.step(|step| step.spawn_batch((0..300).map(|_| ())).collect()).unwrap()
    };
    let mut all = spawns(&mut world);
    world.step(|step| all.iter().for_each(|&entity| step.despawn(entity))).unwrap();
    all.extend(spawns(&mut world));
    all.into_iter().step_by(3).collect()
}
