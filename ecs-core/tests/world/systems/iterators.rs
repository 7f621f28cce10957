//! Iterators over own entities and over worlds: the same entities in the same order as loops by closures, whatever the
//! gaps, the slices and the storage, and wherever the iteration begins.

use std::sync::Mutex;

use ecs_core::{Data, Entity, PAGE_ROWS, World, world};

use crate::support::{caught, every_kind, mix};

#[derive(Clone, Copy, Debug, PartialEq)]
struct Number(u64);
#[derive(Clone, Debug, PartialEq)]
struct Name(String);
#[derive(Clone, Copy, Debug, PartialEq)]
struct Extra(u32);
struct Odd;

/// What the subtasks of a system have seen.
#[derive(Default)]
struct Seen(Mutex<Vec<(usize, Vec<Entity>)>>);

world! {
    world Walks { entity_limit: dynamic(16) }
    component Number;
    component Name: sparse_set;
    component Extra: hash_map;
    component Odd: empty;
    resource Seen;
    system Compare {
        parallelism: split_evenly(3),
        slice_dependent,
        write: [Number],
        read: [Name],
        read_optional: [Extra],
        without: [Odd],
        read_resources: [Seen],
        run: compare,
    }
    system Double { parallelism: split_every(300), write: [Number], dependencies: [Compare], run: double }
    system Reap { write: [Number], despawn, dependencies: [Double], run: reap }
}

fn compare(data: &mut Data<'_, Walks, Compare>) {
    let mut expected = Vec::new();
    data.own.for_entities(|e| {
        assert_eq!(e.name.0, e.number.0.to_string());
        assert_eq!(e.extra.map(|extra| extra.0), (e.number.0 % 3 == 0).then_some(7));
        expected.push((e.entity, e.number.0));
    });
    let seen = |e: CompareEntry<'_>| (e.entity, e.number.0);
    let count = expected.len();
    assert_eq!(data.own.entity_count(), count);
    assert!(data.own.iter().map(seen).eq(expected.iter().copied()));
    // From each of some places on: by `next`, by `fold`, and by the length.
    for skipped in (0..count.min(150)).chain((0..count).step_by(97)).chain([count, count + 1]) {
        let rest = &expected[skipped.min(count)..];
        let mut iter = data.own.iter();
        for item in expected.iter().take(skipped) {
            assert_eq!(iter.next().map(seen), Some(*item));
        }
        assert_eq!((iter.len(), iter.size_hint()), (rest.len(), (rest.len(), Some(rest.len()))));
        let mut folded = Vec::new();
        iter.for_each(|e| folded.push(seen(e)));
        assert_eq!(folded, rest);
        assert_eq!(data.own.query::<Entity>().into_iter().skip(skipped).count(), rest.len());
    }
    // An iterator that has ended goes on ending.
    let mut iter = data.own.iter();
    assert_eq!(iter.by_ref().count(), count);
    assert!(iter.next().is_none() && iter.next().is_none() && iter.len() == 0);
    assert_eq!(iter.fold(0, |folded, _| folded + 1), 0);
    // Items live side by side.
    let numbers: Vec<&mut Number> = data.own.iter().map(|e| e.number).collect();
    assert!(numbers.iter().map(|n| n.0).eq(expected.iter().map(|&(_, n)| n)));
    let entities = expected.into_iter().map(|(entity, _)| entity).collect();
    data.resources.get::<Seen>().0.lock().unwrap().push((data.effects.subtask(), entities));
}

fn double(data: &mut Data<'_, Walks, Double>) {
    for e in data.own.iter() {
        e.number.0 *= 2;
    }
}

/// Despawns entities up to the first one that is 40 or more.
fn reap(data: &mut Data<'_, Walks, Reap>) {
    for e in data.own.iter() {
        if e.number.0 >= 40 {
            break;
        }
        data.effects.despawn(e.entity);
    }
}

/// Which entities are gaps.
const GAPS: [fn(u64) -> bool; 7] = [
    |_| false,
    |_| true,
    |n| n % 2 == 1,
    |n| n % 64 == 63,
    |n| n / 64 % 3 == 1,
    |n| n < 4_200,
    |n| mix(n).is_multiple_of(3),
];

fn filled(world: &mut World<Walks>, count: u64, is_gap: fn(u64) -> bool) -> Vec<Entity> {
    let entities = world.spawn_batch((0..count).map(|n| (Number(n), Name(n.to_string()))));
    world
        .step(|step| {
            for (&entity, n) in entities.iter().zip(0..) {
                if is_gap(n) {
                    step.insert(entity, Odd).unwrap();
                }
                if n % 3 == 0 {
                    step.insert(entity, Extra(7)).unwrap();
                }
            }
        })
        .unwrap();
    entities
}

#[test]
fn iterators_see_what_closures_see() {
    let page = PAGE_ROWS as u64;
    for (threads, count) in
        every_kind().into_iter().zip([0, 1, 70, page, page + 20, 2 * page + 1].iter().cycle())
    {
        for is_gap in GAPS {
            let mut world = World::<Walks>::on(threads.clone());
            let entities = filled(&mut world, *count, is_gap);
            world.tick().unwrap();
            let mut seen = std::mem::take(&mut *world.resource_mut::<Seen>().0.lock().unwrap());
            seen.sort_unstable_by_key(|&(subtask, _)| subtask);
            let seen: Vec<Entity> = seen.into_iter().flat_map(|(_, entities)| entities).collect();
            let rest = entities.iter().zip(0..).filter(|&(_, n)| !is_gap(n));
            assert!(rest.map(|(&entity, _)| entity).eq(seen));
            // Doubled once, and the first twenty are gone; the last ones may have moved there.
            let mut left: Vec<u64> = world.iter::<&Number>().map(|number| number.0).collect();
            left.sort_unstable();
            assert!(left.into_iter().eq((20..*count).map(|n| 2 * n)));
        }
    }
}

#[test]
fn worlds_are_iterated_over_with_filters() {
    for is_gap in GAPS {
        let mut world = World::<Walks>::new();
        let count = PAGE_ROWS as u64 + 700;
        let entities = filled(&mut world, count, is_gap);
        let bare = world.spawn(());
        let numbers = |pick: fn(u64) -> bool| (0..count).filter(move |&n| pick(n));
        assert!(world.iter::<Entity>().eq(entities.iter().copied().chain([bare])));
        assert!(world.iter::<&Number>().map(|n| n.0).eq(0..count));
        let odd = world.iter::<&Number>().with::<Odd>().map(|n| n.0);
        assert!(odd.eq((0..count).filter(|&n| is_gap(n))));
        let even = world.iter::<(&Name, &Number)>().without::<Odd>().map(|(_, n)| n.0);
        assert!(even.eq((0..count).filter(|&n| !is_gap(n))));
        let both = world.iter::<&Number>().with::<Odd>().with::<Extra>().map(|n| n.0);
        assert!(both.eq(numbers(|n| n % 3 == 0).filter(|&n| is_gap(n))));
        assert_eq!(world.iter::<&Number>().with::<Odd>().without::<Odd>().count(), 0);
        let extras = world.iter::<(Option<&Extra>, Entity)>().filter(|(extra, _)| extra.is_some());
        assert_eq!(extras.count(), numbers(|n| n % 3 == 0).count());
        for (number, extra) in
            world.iter_mut::<(&mut Number, Option<&mut Extra>)>().without::<Odd>()
        {
            number.0 += 1;
            if let Some(extra) = extra {
                extra.0 += 1;
            }
        }
        let changed = |n| if is_gap(n) { n } else { n + 1 };
        assert!(world.iter::<&Number>().map(|n| n.0).eq((0..count).map(changed)));
        let extras = world.iter::<(&Number, &Extra)>().without::<Odd>();
        assert!(extras.map(|(_, extra)| extra.0).all(|extra| extra == 8));
    }
}

#[test]
fn a_step_iterates_over_the_world_as_it_is_now() {
    for is_gap in GAPS {
        let mut world = World::<Walks>::new();
        let count = PAGE_ROWS as u64 + 700;
        let entities = filled(&mut world, count, is_gap);
        let expected = world.step(|step| {
            // Changes of all kinds. Despawned entities stay until the refresh.
            for (n, entity) in (0..).zip(&entities) {
                match n % 4 {
                    1 => step.despawn(*entity),
                    3 => drop(step.remove::<Number>(*entity)),
                    2 => drop(step.insert(*entity, Odd).unwrap()),
                    _ => drop(step.remove::<Odd>(*entity)),
                }
            }
            let spawned: Vec<Entity> = (0..70).map(|n| step.spawn((Number(2 * n),))).collect();
            let numbers = || (0..count).filter(|n| n % 4 != 3).chain((0..70).map(|n| 2 * n));
            assert!(step.iter::<&Number>().map(|n| n.0).eq(numbers()));
            let odd = step.iter::<(&Number, &Odd)>().map(|(n, _)| n.0);
            assert!(odd.eq((0..count).filter(|&n| n % 4 == 2 || (n % 4 == 1 && is_gap(n)))));
            for number in step.iter_mut::<&mut Number>().without::<Name>() {
                number.0 += 1;
            }
            // Again after a change, and by handle.
            step.spawn((Number(5), Odd));
            let new = step.iter::<(Entity, &Number)>().without::<Name>();
            let new: Vec<_> = new.map(|(entity, number)| (entity, number.0)).collect();
            assert_eq!(new.len(), 71);
            assert!(new.iter().take(70).map(|one| one.0).eq(spawned));
            assert!(new.iter().all(|&(entity, n)| step.get(entity) == Some(&Number(n))));
            step.iter::<(Entity, Option<&Number>)>().map(|(e, n)| (e, n.copied())).collect()
        });
        let mut expected: Vec<(Entity, Option<Number>)> = expected.unwrap();
        assert_eq!(expected.len(), entities.len() + 71);
        expected.retain(|(entity, _)| world.is_alive(*entity));
        assert_eq!(expected.len(), world.entity_count());
        for (entity, number) in expected {
            assert_eq!(world.get(entity).copied(), number);
        }
    }
}

#[test]
fn an_iterator_over_a_world_is_filtered_before_it_is_advanced() {
    let mut world = World::<Walks>::new();
    filled(&mut world, 3, |_| false);
    let mut iter = world.iter::<&Number>();
    assert_eq!(iter.next(), Some(&Number(0)));
    assert!(caught(|| drop(iter.with::<Odd>())).contains("before it is advanced"));
}

#[test]
fn a_panic_in_a_fold_leaves_the_world_as_it_is() {
    let mut world = World::<Walks>::on(ecs_core::Threads::Inline);
    filled(&mut world, 100, |_| false);
    let panic = caught(|| {
        world.step(|step| {
            step.execute_with(|systems| {
                systems.for_subtasks::<Double>(|_, data| {
                    let sum = data.own.iter().fold(vec![0], |mut sum, e| {
                        assert!(e.number.0 != 50, "fifty");
                        sum.push(e.number.0);
                        sum
                    });
                    drop(sum);
                })
            });
        })
    });
    assert_eq!(panic, "fifty");
    world.tick().unwrap();
    assert_eq!(world.iter::<&Number>().count(), 80);
}
