//! Snapshots and hashes leave out pages that have not changed. However a value is written, they see it: beside a clone of the world,
//! which is copied and hashed anew.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use ecs_core::settings::{Allow, AtomicCounter, ByArchetype, Config, Dynamic};
use ecs_core::{Data, Entity, PAGE_ROWS, Snapshot, StateHash, StateHasher, World, world};
use proptest::prelude::*;

use crate::threads;

#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
struct Place(u32);

/// Interleaved with `Turn`.
#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
struct Speed(u32);

#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
struct Turn(u32);

/// A system asks for its changes.
#[derive(Clone, Copy, Debug, PartialEq, StateHash)]
struct Seen(u32);

#[derive(Clone, Copy, Debug, StateHash)]
struct Few;

/// Changes through a shared reference.
#[derive(Debug)]
struct Count(AtomicU32);

impl Clone for Count {
    fn clone(&self) -> Self {
        Self(AtomicU32::new(self.0.load(Relaxed)))
    }
}

impl StateHash for Count {
    fn state_hash(&self, hasher: &mut StateHasher) {
        self.0.load(Relaxed).state_hash(hasher);
    }
}

world! {
    world Game;
    component Place: contiguous_buffer;
    component (Speed, Turn): contiguous_buffer;
    component Seen, Count;
    component Few: empty;

    system Each { with: [Few], each: |place: &mut Place| place.0 += 1 }
    system Entries {
        dependencies: [Each],
        parallelism: split_every(64),
        write: [Speed],
        run: |data| for entity in data.own.iter() { entity.speed.0 += 1; },
    }
    system Optional {
        dependencies: [Entries],
        write_optional: [Turn],
        with: [Place],
        run: |data| for turn in data.own.query::<Option<&mut Turn>>().into_iter().flatten() { turn.0 += 1; },
    }
    system Runs {
        dependencies: [Optional],
        write: [Place],
        with: [Few],
        run: |data| data.own.for_runs::<&mut Place>(|places| places.iter_mut().for_each(|place| place.0 += 1)),
    }
    system Any { dependencies: [Runs], exclusive, write: [Place, Speed], run: any }
    system Mark {
        dependencies: [Any],
        with: [Few],
        each: |seen: ecs_core::Mut<'_, Seen>| { let mut seen = seen; seen.0 += 1; },
    }
    system Look { dependencies: [Mark], changed: [Seen], read: [Seen], run: |data| { let _ = data; } }
    system Stage {
        dependencies: [Look],
        read: [Place],
        update: [Speed],
        insert: [Turn],
        run: |data| {
            let Data { own, effects, .. } = data;
            for (n, (entity, place)) in own.query::<(Entity, &Place)>().into_iter().enumerate() {
                if n % 1000 == 7 {
                    effects.update(entity, Speed(place.0));
                    effects.insert(entity, Turn(place.0));
                }
            }
        },
    }
    system Shared {
        dependencies: [Stage],
        each: |count: &Count| { count.0.fetch_add(1, Relaxed); },
    }
    system Alone {
        dependencies: [Shared],
        sequential,
        write: [Place, Turn],
        run: |data| data.roll(|mut one| {
            let turn = one.entry().turn.0;
            if turn % 5 == 0 {
                one.entry().place.0 += 1;
            }
        }),
    }
}

fn any(data: &mut Data<'_, Game, Any>) {
    let all: Vec<Entity> = data.own.query::<Entity>().into_iter().collect();
    if let [first, .., last] = *all
        && let Some((place, speed)) = data.own.pair_mut::<(&mut Place, &mut Speed)>(first, last)
    {
        place.0.0 += 1;
        speed.1.0 += 1;
    }
}

/// What may change between two snapshots. Numbers choose entities.
#[derive(Clone, Debug)]
enum Act {
    Nothing,
    Spawn(usize),
    Despawn(usize),
    GetMut(usize),
    Insert(usize),
    /// Over the values of some entities, at a distance, and removes others.
    InsertBatch(usize),
    InsertFew(usize),
    Remove(usize),
    IterMut,
    Run(usize),
    Tick,
    /// Goes back to the snapshot with this number.
    Restore(usize),
}

fn act() -> impl Strategy<Value = Act> {
    let number = || 0..20_000_usize;
    prop_oneof![
        Just(Act::Nothing),
        (0..6000_usize).prop_map(Act::Spawn),
        number().prop_map(Act::Despawn),
        number().prop_map(Act::GetMut),
        number().prop_map(Act::Insert),
        (1..200_usize).prop_map(Act::InsertBatch),
        number().prop_map(Act::InsertFew),
        number().prop_map(Act::Remove),
        Just(Act::IterMut),
        (0..10_usize).prop_map(Act::Run),
        Just(Act::Tick),
        (0..3_usize).prop_map(Act::Restore),
    ]
}

fn spawn(world: &mut World<Game>, count: usize) {
    let _ = world.spawn_batch(
        (0..count as u32).map(|n| (Place(n), Speed(n), Turn(n), Seen(n), Count(AtomicU32::new(n)))),
    );
}

fn run(world: &mut World<Game>, which: usize) {
    let result = world.step(|step| match which {
        0 => step.execute_only::<(Each,)>(),
        1 => step.execute_only::<(Entries,)>(),
        2 => step.execute_only::<(Optional,)>(),
        3 => step.execute_only::<(Runs,)>(),
        4 => step.execute_only::<(Any,)>(),
        5 => step.execute_only::<(Mark,)>(),
        6 => step.execute_only::<(Look,)>(),
        7 => step.execute_only::<(Stage,)>(),
        8 => step.execute_only::<(Shared,)>(),
        _ => step.execute_only::<(Alone,)>(),
    });
    result.expect("no updates in conflict");
}

fn apply(world: &mut World<Game>, ring: &[(Snapshot<Game>, u64)], act: &Act) {
    let find = |world: &World<Game>, n: usize| {
        let all: Vec<Entity> = world.iter::<Entity>().collect();
        (!all.is_empty()).then(|| all[n % all.len()])
    };
    match *act {
        Act::Nothing => {}
        Act::Spawn(count) => spawn(world, count),
        Act::IterMut => world.iter_mut::<&mut Turn>().for_each(|turn| turn.0 += 1),
        Act::InsertBatch(every) => {
            let these: Vec<Entity> = world.iter::<Entity>().step_by(every).collect();
            let values = these.into_iter().zip(0..).map(|(entity, n)| (entity, Place(n)));
            world.step(|step| step.insert_batch(values)).expect("nothing is updated");
        }
        Act::Run(which) => run(world, which),
        Act::Tick => world.tick().expect("no updates in conflict"),
        Act::Restore(n) => {
            if let Some((snapshot, hash)) = ring.get(n) {
                world.restore(snapshot).expect("the limit is dynamic");
                assert_eq!(world.state_hash(), *hash);
            }
        }
        Act::Despawn(n) | Act::GetMut(n) | Act::Insert(n) | Act::InsertFew(n) | Act::Remove(n) => {
            let Some(entity) = find(world, n) else { return };
            match act {
                Act::Despawn(_) => drop(world.despawn(entity)),
                Act::GetMut(_) => {
                    if let Some(speed) = world.get_mut::<Speed>(entity) {
                        speed.0 += 1;
                    }
                }
                Act::Insert(n) => drop(world.insert(entity, Place(*n as u32))),
                Act::InsertFew(_) => drop(world.insert(entity, Few)),
                _ => drop(world.remove::<Turn>(entity)),
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 1 } else { 24 }))]

    #[test]
    fn every_change_is_seen(
        acts in proptest::collection::vec(act(), 1..30),
        entities in 0..3 * PAGE_ROWS,
    ) {
        for threads in threads() {
            let mut world = World::<Game>::on(threads);
            spawn(&mut world, entities);
            let mut ring: Vec<(Snapshot<Game>, u64)> = Vec::new();
            for (n, act) in acts.iter().enumerate() {
                apply(&mut world, &ring, act);
                let hash = world.state_hash();
                prop_assert_eq!(hash, world.clone().state_hash(), "after {:?}", act);
                if ring.len() < 3 {
                    ring.push((world.snapshot(), hash));
                } else {
                    let (snapshot, of) = &mut ring[n % 3];
                    world.snapshot_into(snapshot);
                    *of = hash;
                }
                // What is in the snapshot is the world, without the hashes that it has taken over.
                let mut other = World::<Game>::new();
                other.restore(&ring[n % 3].0).expect("the limit is dynamic");
                prop_assert_eq!(hash, other.clone().state_hash());
            }
        }
    }
}

/// A snapshot gives versions to all pages of the world, also to those without entities, while those with entities have changed.
#[test]
fn an_empty_page_has_changed_when_it_gets_an_entity() {
    let mut world = World::<Game>::new();
    spawn(&mut world, PAGE_ROWS + 600);
    // Its row is filled from the second page. Both have changed, and memory for further pages is there.
    let first = world.iter::<Entity>().next().expect("there are entities");
    assert!(world.despawn(first));
    let mut snapshot = world.snapshot();
    spawn(&mut world, PAGE_ROWS);
    world.snapshot_into(&mut snapshot);
    let mut other = World::<Game>::new();
    other.restore(&snapshot).expect("the limit is dynamic");
    assert_eq!(other.iter::<&Place>().count(), 2 * PAGE_ROWS + 599);
    assert_eq!(other.state_hash(), world.state_hash());
}

/// A shared reference changes a value without a mark, so such types are always copied and hashed.
#[test]
fn values_that_change_behind_a_shared_reference_are_copied() {
    let mut world = World::<Game>::new();
    spawn(&mut world, 3);
    let mut snapshot = world.snapshot();
    let before = world.state_hash();
    world.iter::<&Count>().for_each(|count| _ = count.0.fetch_add(1, Relaxed));
    let after = world.state_hash();
    assert_ne!(before, after);
    world.snapshot_into(&mut snapshot);
    world.iter::<&Count>().for_each(|count| _ = count.0.fetch_add(1, Relaxed));
    world.restore(&snapshot).expect("the limit is dynamic");
    assert_eq!(world.state_hash(), after);
}

/// A batch of insertions writes over values without a change of presence.
#[test]
fn batches_over_values_are_seen() {
    let mut world = World::<Game>::new();
    spawn(&mut world, 3);
    let mut snapshot = world.snapshot();
    let before = world.state_hash();
    let all: Vec<Entity> = world.iter::<Entity>().collect();
    world.step(|step| step.insert_batch(all.iter().map(|&one| (one, Place(9))))).unwrap();
    world.snapshot_into(&mut snapshot);
    let mut other = World::<Game>::new();
    other.restore(&snapshot).expect("the limit is dynamic");
    assert!(other.iter::<&Place>().all(|place| place.0 == 9));
    assert_ne!(world.state_hash(), before);
}

/// A world in rows by archetype, and one in which rows lie in order, exchange a snapshot: what archetypes there are is that of the
/// second one then, also if the snapshot has been one of the first.
#[test]
fn archetypes_are_those_of_the_world_that_was_saved() {
    type Sorted = Config<ByArchetype<0>, Allow, AtomicCounter>;
    type InOrder = Config<Dynamic<0>, Allow, AtomicCounter>;
    let mut first = World::<Game, Sorted>::new();
    let _ = first.spawn_batch((0..10).map(|n| (Place(n),)));
    let _ = first.spawn_batch((0..10).map(|n| (Turn(n),)));
    let mut used = first.snapshot();
    let mut second = World::<Game, InOrder>::new();
    second.restore(&used).expect("there is no limit");
    second.snapshot_into(&mut used);
    let hashes = [used, second.snapshot()].map(|snapshot| {
        let mut third = World::<Game, Sorted>::new();
        third.restore(&snapshot).expect("there is no limit");
        third.state_hash()
    });
    assert_eq!(hashes[0], hashes[1]);
}
