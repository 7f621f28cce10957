//! Sequential systems: they see their own changes at once; other systems see them later, at a defined time.

mod later;
mod phases;
mod set;
mod trouble;

use ecs_core::Now;
use ecs_core::{Data, Entity, System, Threads, World, world};

use crate::support::{Counted, Ledger};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Number(pub(crate) u64);
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark(pub(crate) u64);
/// Excludes an entity from sequential systems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tag;
#[derive(Debug)]
pub(crate) struct Held(#[expect(dead_code, reason = "it is dropped")] Counted);
/// A component that some entities have and every system may read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Weight(pub(crate) u64);

/// The numbers of the visited entities.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Log(Vec<u64>);

world! {
    pub(crate) world Field { entity_limit: dynamic(16) }
    component Number: contiguous_buffer;
    component Mark: sparse_set;
    component Tag: empty;
    component (Held, Weight): contiguous_buffer;
    resource Log;

    system Act {
        sequential,
        write: [Number],
        write_optional: [Mark],
        without: [Tag],
        read_any: [Weight],
        insert: [Number, Mark, Tag, Held],
        remove: [Number, Mark, Tag, Held],
        spawn: [(Number,), (Number, Held)],
        despawn,
        write_resources: [Log],
        output: Vec<Entity>,
    }
}

/// Does nothing by itself: each test overrides its body.
#[derive(Debug, Default)]
pub(crate) struct Act;

impl System<Field> for Act {
    fn process(&self, data: &mut Data<'_, Field, Self>) {
        data.now();
    }
}

/// A world with `count` entities, numbered from 0, and their handles.
pub(crate) fn field(count: u64) -> (World<Field>, Vec<Entity>) {
    let mut world = World::on(Threads::Inline);
    let spawned = world.step(|step| {
        (0..count).map(|n| step.spawn((Number(n), Weight(10 * n))).unwrap()).collect()
    });
    (world, spawned.unwrap())
}

/// Executes `Act` with this body.
pub(crate) fn act(
    world: &mut World<Field>,
    body: impl Fn(&mut Data<'_, Field, Act>) + Send + Sync,
) {
    world
        .step(|step| step.execute_systems().for_subtasks::<Act>(|_, data| body(data)).run())
        .unwrap();
}

/// Rolls over all matches, logs their numbers, and calls `f` for each.
pub(crate) fn visited(
    world: &mut World<Field>,
    f: impl Fn(u64, Entity, &mut Now<'_, Field, Act>) + Send + Sync,
) -> Vec<u64> {
    world.resource_mut::<Log>().0.clear();
    act(world, |data| {
        data.roll(|mut found| {
            let (entity, number) = (found.entity(), found.entry().number.0);
            let now = &mut found.now();
            now.resource_mut::<Log>().0.push(number);
            f(number, entity, now);
        });
    });
    world.resource::<Log>().0.clone()
}

#[test]
fn every_entity_is_visited_in_the_order_of_rows() {
    let (mut world, _) = field(300);
    assert_eq!(visited(&mut world, |_, _, _| ()), (0..300).collect::<Vec<_>>());
}

#[test]
fn entities_that_stopped_matching_are_left_out() {
    let expected = |skipped: &[u64]| (0..130).filter(|n| !skipped.contains(n)).collect::<Vec<_>>();
    let (mut world, entities) = field(130);
    let met = visited(&mut world, |number, _, now| match number {
        1 => now.despawn(entities[0]), // was visited before
        2 => now.despawn(entities[3]),
        10 => assert_eq!(now.remove::<Number>(entities[70]), Some(Number(70))),
        11 => assert_eq!(now.insert(entities[12], Tag), None),
        20 => {
            // The component is back before the entity's turn.
            now.remove::<Number>(entities[21]);
            now.insert(entities[21], Number(21));
        }
        22 => {
            now.insert(entities[23], Tag);
            now.remove::<Tag>(entities[23]);
        }
        _ => {}
    });
    assert_eq!(met, expected(&[3, 70, 12]));
    assert!(!world.is_alive(entities[0]) && !world.is_alive(entities[3]));
    assert_eq!(world.get::<Number>(entities[70]), None);
    assert_eq!(world.get::<Weight>(entities[70]), Some(&Weight(700)), "the rest is left alone");
    // The next execution skips them too.
    let mut met = visited(&mut world, |_, _, _| ());
    met.sort_unstable();
    assert_eq!(met, expected(&[0, 3, 70, 12]));
}

#[test]
fn who_has_become_a_match_is_not_visited() {
    let (mut world, entities) = field(70);
    world.step(|step| step.insert(entities[50], Tag).map(|_| ())).unwrap().unwrap();
    let all = |skipped: u64| (0..70).filter(move |n| *n != skipped);
    let met = visited(&mut world, |number, _, now| {
        if number == 5 {
            now.remove::<Tag>(entities[50]);
            let spawned = now.spawn((Number(1_000),)).unwrap();
            assert!(now.contains(entities[50]) && now.contains(spawned), "but both are reached");
            assert_eq!(now.get_mut::<&mut Number>(spawned), Some(&mut Number(1_000)));
            assert_eq!(now.query::<Entity>().count(), 69);
        }
    });
    assert_eq!(met, all(50).collect::<Vec<_>>());
    assert_eq!(visited(&mut world, |_, _, _| ()), (0..70).chain([1_000]).collect::<Vec<_>>());
}

#[test]
fn every_effect_is_there_in_the_next_line() {
    let ledger = Ledger::default();
    let (mut world, entities) = field(3);
    let [a, b, c] = [entities[0], entities[1], entities[2]];
    act(&mut world, |data| {
        let mut now = data.now();
        assert_eq!(now.insert(a, Mark(1)), None);
        assert_eq!(now.insert(a, Mark(2)), Some(Mark(1)), "the one that it had");
        *now.get_mut::<&mut Number>(a).unwrap() = Number(100);
        let seen = now.get_mut::<(Entity, &Number, Option<&Mark>)>(a);
        assert_eq!(seen, Some((a, &Number(100), Some(&Mark(2)))));
        assert_eq!(now.remove::<Mark>(a), Some(Mark(2)));
        assert_eq!(now.remove::<Mark>(a), None);
        assert_eq!(now.get_mut::<Option<&Mark>>(a), Some(None));

        let ((_, one), (_, two)) =
            now.pair_mut::<(Entity, &mut Number)>(a, b).expect("two that match");
        core::mem::swap(one, two);
        assert!(now.pair_mut::<&Number>(a, a).is_none());
        assert_eq!(now.get_mut::<&Number>(b), Some(&Number(100)));

        assert_eq!(now.read_any::<Weight>().get(c), Some(&Weight(20)));
        now.despawn(c);
        now.despawn(c);
        assert!(!now.is_alive(c) && !now.contains(c));
        assert_eq!(now.read_any::<Weight>().get(c), None);
        assert!(now.get_mut::<&Number>(c).is_none() && now.pair_mut::<&Number>(a, c).is_none());
        assert_eq!(now.insert(c, Mark(3)), None);
        assert_eq!(now.remove::<Number>(c), None);

        let held = now.spawn((Number(5), Held(ledger.make()))).unwrap();
        assert!(
            now.is_alive(held) && held.index() != c.index(),
            "despawned entities wait for the refresh"
        );
        assert_eq!(ledger.living(), 1);
        now.despawn(held);
        assert_eq!(ledger.living(), 0);
        now.insert(a, Tag);
        assert!(now.is_alive(a) && !now.contains(a), "it is excluded now");
        now.output().push(a);
    });
    assert_eq!(world.entity_count(), 2);
    assert_eq!(world.get::<Tag>(a), Some(&Tag));
    let spawned = world.step(|step| step.spawn((Number(6),)).unwrap()).unwrap();
    assert_eq!(spawned.index(), c.index(), "the refresh has made room");
    assert!(!world.is_alive(c));
}

#[test]
fn a_query_visits_the_current_matches() {
    let (mut world, entities) = field(200);
    act(&mut world, |data| {
        let mut now = data.now();
        for &entity in entities.iter().step_by(2) {
            now.despawn(entity);
        }
        now.insert(entities[1], Tag);
        now.spawn((Number(7),)).unwrap();
        for number in now.query::<&mut Number>() {
            number.0 += 1_000;
        }
        let left: Vec<u64> = now.query::<&Number>().map(|number| number.0).collect();
        assert_eq!(left, (3..200).step_by(2).map(|n| n + 1_000).collect::<Vec<_>>());
    });
    assert_eq!(world.entity_count(), 101);
}

#[test]
fn rolls_follow_one_another_and_nest() {
    let (mut world, entities) = field(5);
    act(&mut world, |data| {
        data.roll(|found| {
            let own = found.entity();
            let now = &mut found.now();
            // Each entity despawns all that follow it, except the last one.
            now.roll(|other| {
                let entity = other.entity();
                if entity > own && entity != entities[4] {
                    other.now().despawn(entity);
                }
            });
            now.output().push(own);
        });
        data.roll(|found| found.now().resource_mut::<Log>().0.push(1));
        assert_eq!(*data.output(), [entities[0], entities[4]]);
    });
    assert_eq!(world.resource::<Log>().0, [1, 1]);
}

/// Figure 14(a): two moving objects meet a resting one; one of them, the first, collides with it.
#[test]
fn of_two_collisions_with_one_target_one_happens() {
    let (mut world, entities) = field(3);
    // 0 and 2 move, 1 rests.
    world
        .step(|step| {
            step.insert(entities[0], Mark(6)).unwrap();
            step.insert(entities[2], Mark(2)).unwrap();
        })
        .unwrap();
    act(&mut world, |data| {
        data.roll(|mut found| {
            let own = found.entity();
            let Some(velocity) = found.entry().mark.map(|mark| mark.0) else { return };
            let now = &mut found.now();
            let mut resting = now.query::<(Entity, Option<&Mark>)>().filter(|(_, v)| v.is_none());
            let Some((hit, _)) = resting.next() else { return };
            drop(resting);
            now.despawn(own);
            now.insert(hit, Mark(velocity / 2));
        });
    });
    assert!(!world.is_alive(entities[0]));
    assert_eq!(world.get::<Mark>(entities[1]), Some(&Mark(3)));
    assert_eq!(world.get::<Mark>(entities[2]), Some(&Mark(2)));
}
