//! After a peak, the last pages of rows move to those that no archetype owns: values, handles, subscriptions, links, marks of
//! changes, snapshots and saves follow.

use std::collections::BTreeMap;

use ecs_core::events::Events;
use ecs_core::settings::{Allow, AtomicCounter, ByArchetype, Config};
use ecs_core::{Entity, Mut, PAGE_ROWS, Place, StateHash, Threads, World, world};
use serde::{Deserialize, Serialize};

use crate::support::{caught, fail};

#[derive(Clone, Copy, Debug, PartialEq, StateHash, Serialize, Deserialize)]
struct Id(u64);
#[derive(Clone, Debug, PartialEq, StateHash, Serialize, Deserialize)]
struct Name(String);
#[derive(Clone, Copy, Debug, PartialEq, StateHash, Serialize, Deserialize)]
struct Level(u64);
#[derive(Clone, Default, StateHash)]
struct Red;
#[derive(Clone, Default, StateHash)]
struct Green;

struct ChildOf;

world! {
    world Land { rows: by_archetype, entity_limit: dynamic(16) }
    component Id, Level: contiguous_buffer;
    component Name;
    component Red, Green: empty;
    relation ChildOf: one_to_many, on_despawn: detach;
    system See {
        read: [Id],
        with: [Name],
        output: Vec<u64>,
        run: |data| {
            let ids: Vec<u64> = data.own.query::<&Id>().into_iter().map(|id| id.0).collect();
            *data.effects.output() = ids;
        },
    }
    // Every third entity changes.
    system Rise {
        parallelism: split_evenly(2),
        with: [Red],
        each: |id: &Id, mut level: Mut<Level>| {
            if id.0.is_multiple_of(3) {
                level.0 += 1;
            }
        },
    }
    system Changes {
        dependencies: [Rise],
        read: [Id, Level],
        changed: [Level],
        output: Vec<u64>,
        run: |data| {
            let changed: Vec<u64> = data.own.changed::<Level, &Id>().map(|id| id.0).collect();
            *data.effects.output() = changed;
        },
    }
}

type Settings = Config<ByArchetype<16>, Allow, AtomicCounter>;

/// The entities of the world, by identity.
type Model = BTreeMap<u64, Entity>;

/// The kind of the entity with this identity: its archetype.
fn kind(id: u64) -> u64 {
    id / 7 % 4
}

fn name(id: u64) -> String {
    format!("number {id}")
}

/// Spawns entities of four kinds, six pages of each. The first kind is spawned without its name, and moves to its archetype.
fn fill(world: &mut World<Land, Settings>) -> Model {
    let mut model = Model::new();
    world
        .step(|step| {
            for id in 0..24 * PAGE_ROWS as u64 {
                let (of, level) = (Id(id), Level(0));
                let entity = match kind(id) {
                    0 => {
                        let entity = step.spawn((of, level));
                        step.insert(entity, Name(name(id))).expect("it lives");
                        entity
                    }
                    1 => step.spawn((of, level, Red)),
                    2 => step.spawn((of, level, Green, Name(name(id)))),
                    _ => step.spawn((of, level, Red, Green, Name(name(id)))),
                };
                model.insert(id, entity);
            }
        })
        .expect("nothing is staged");
    model
}

/// The highest row in use.
fn last_row(world: &World<Land, Settings>) -> u32 {
    world.iter::<Place>().map(Place::row).max().unwrap_or(0)
}

fn check(world: &World<Land, Settings>, model: &Model, parents: &BTreeMap<u64, u64>) {
    assert_eq!(world.entity_count(), model.len());
    for (&id, &entity) in model {
        assert_eq!(world.get::<Id>(entity), Some(&Id(id)));
        let expected = (kind(id) != 1).then(|| Name(name(id)));
        assert_eq!(world.get::<Name>(entity), expected.as_ref());
        assert_eq!(world.contains::<Green>(entity), kind(id) >= 2);
        let parent = parents.get(&id).and_then(|parent| model.get(parent));
        assert_eq!(world.parent::<ChildOf>(entity), parent.copied());
    }
}

/// Steps the world, and checks what its systems see.
fn step(world: &mut World<Land, Settings>, model: &Model, step: u64) {
    world.tick().expect("nothing is staged");
    let seen = |all: &mut Vec<u64>| all.sort_unstable();
    let (mut named, mut changed) = (Vec::new(), Vec::new());
    named.extend(world.outputs_of::<See>().flatten());
    changed.extend(world.outputs_of::<Changes>().flatten());
    seen(&mut named);
    seen(&mut changed);
    assert!(named.into_iter().eq(model.keys().copied().filter(|&id| kind(id) != 1)));
    let rises = |id: &u64| matches!(kind(*id), 1 | 3) && id.is_multiple_of(3);
    // In its first step, a system sees all entities.
    assert!(changed.into_iter().eq(model.keys().copied().filter(|id| step == 0 || rises(id))));
}

#[test]
fn all_that_is_of_an_entity_follows() {
    let end = [Threads::Inline, Threads::Global].map(|threads| {
        let mut world = World::<Land, Settings>::on(threads);
        let mut model = fill(&mut world);
        step(&mut world, &model, 0);
        // Kinds 0 and 2 die but for a few, and half of the others.
        let survives = |id: &u64| match kind(*id) {
            0 | 2 => id.is_multiple_of(101),
            _ => id.is_multiple_of(2),
        };
        let dead: Vec<Entity> =
            model.iter().filter(|(id, _)| !survives(id)).map(|(_, e)| *e).collect();
        model.retain(|id, _| survives(id));
        let mut parents = BTreeMap::new();
        let ids: Vec<u64> = model.keys().copied().collect();
        let mut old = world.snapshot();
        assert!(last_row(&world) > 20 * PAGE_ROWS as u32);
        world
            .step(|step| {
                for &entity in &dead {
                    step.despawn(entity);
                }
                for pair in ids.windows(2).step_by(5) {
                    step.link::<ChildOf>(model[&pair[1]], model[&pair[0]]);
                    parents.insert(pair[1], pair[0]);
                }
            })
            .expect("no link closes a circle");
        check(&world, &model, &parents);
        world.snapshot_into(&mut old);
        for n in 1..4 {
            let (_, entity) = model.pop_first().expect("some are left");
            world.despawn(entity);
            step(&mut world, &model, n);
            check(&world, &model, &parents);
            world.snapshot_into(&mut old);
            let mut copy = World::<Land, Settings>::on(Threads::Inline);
            copy.restore(&old).expect("there is room");
            assert_eq!(copy.state_hash(), world.state_hash(), "an old snapshot sees moves");
        }
        assert!(last_row(&world) < 10 * PAGE_ROWS as u32, "pages have moved");
        // A loaded world, and a restored one, go on like the original.
        let mut save = Vec::new();
        world.save(&mut save).expect("all can be saved");
        let mut loaded = World::<Land, Settings>::on(Threads::Inline);
        loaded.load(&save).expect("it is a save of such a world");
        let mut restored = World::<Land, Settings>::on(Threads::Inline);
        fill(&mut restored);
        restored.restore(&old).expect("there is room");
        let ends = [&mut world, &mut loaded, &mut restored].map(|world| {
            check(world, &model, &parents);
            let spawned: Vec<Entity> = world
                .step(|step| (0..9000).map(|id| step.spawn((Id(id), Level(id)))).collect())
                .expect("nothing is staged");
            (spawned, world.state_hash())
        });
        assert!(ends[0] == ends[1] && ends[0] == ends[2]);
        ends[0].1
    });
    assert_eq!(end[0], end[1]);
}

world! {
    world Yard { rows: by_archetype, staged_changes: refresh_before_dependents }
    component Id, Level;
    component Red: empty;
    system Mark {
        insert: [Red],
        each: |entity: Entity, level: &Level, effects| if level.0.is_multiple_of(1000) { effects.insert(entity, Red) },
    }
    system Use { with: [Red], dependencies: [Mark], each: |id: &mut Id| id.0 += 1 }
}

/// Low pages of entities that are despawned, nearly all, before pages of others.
fn after_a_peak(threads: Threads) -> World<Yard> {
    let mut world = World::<Yard>::on(threads);
    let pages = |count: u64| 0..count * PAGE_ROWS as u64;
    let low = world.spawn_batch(pages(10).map(|n| (Id(n),)));
    world.spawn_batch(pages(2).map(|n| (Id(n), Level(n))));
    let despawned = world.step(|step| low[5..].iter().for_each(|&entity| step.despawn(entity)));
    despawned.expect("nothing is staged");
    world
}

/// Whether a refresh runs depends on handlers of events, on threads, and on what did not happen in the end.
#[test]
fn a_further_refresh_moves_nothing() {
    let mut quiet = after_a_peak(Threads::Inline);
    let mut heard = after_a_peak(Threads::Inline);
    let before = quiet.state_hash();
    quiet.step(|_| ()).expect("nothing is staged");
    heard.step_with(Events::new().on_reclaim(|_| ()), |_| ()).expect("nothing is staged");
    assert_eq!([quiet.state_hash(), heard.state_hash()], [before; 2]);
    let failed = heard.step(|step| {
        caught(|| {
            step.spawn_batch((0..10).map(|n| if n == 9 { fail("no tenth") } else { (Id(n),) }))
                .len()
        })
    });
    assert_eq!(failed.expect("nothing is staged"), "no tenth");
    assert_eq!(heard.state_hash(), before, "a batch that is not spawned leaves no trace");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("threads");
    let hashes = [Threads::Inline, Threads::Eager(pool.into())].map(|threads| {
        let mut world = after_a_peak(threads);
        world.tick().expect("nothing fails");
        world.state_hash()
    });
    assert_eq!(hashes[0], hashes[1], "systems that go on over a refresh");
}
